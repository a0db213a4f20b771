// The details of a QSO in Logbook, in the sheet: its fields, the card, earlier QSOs with the
// station, and the history of the QSO.
import { day, element, hour, number, typed } from "../../shared/page.js";
import { bearing, parseLocator } from "../../shared/map/geography.js";
import { badgeOf, callsignOf } from "../../shared/parts/row.js";
import { closeSheet, openSheet } from "../../shared/parts/sheet.js";
import { formatQuery } from "../../shared/query.js";
import { explain, get } from "../../shared/service.js";
import { fieldName, fieldValue } from "../../shared/words/qso-words.js";
import { say } from "../../shared/language.js";
import { placeOf, tuningOf } from "./log-rows.js";

/** @import { Child, Qso } from "../types.js" */
/** @import { Kept, QsoRows } from "./log-rows.js" */
/**
 * @typedef {object} DetailsActs
 * @property {HTMLElement[]} foot the buttons at the foot
 * @property {HTMLElement[]} further other buttons
 * @property {Record<string, () => void>} keys
 */

const EARLIER = 6;
// Fields that the sheet shows in other words, or not at all.
const QUIET = new Set([
  "id",
  "clientId",
  "qsoAt",
  "callsignWorked",
  "band",
  "frequencyMhz",
  "channel",
  "mode",
  "crossConfirmedAt",
  "syncedAt",
  "createdAt",
]);

/** @param {[Child, Child][]} rows */
function factsOf(rows) {
  return element(
    "dl",
    { class: "facts" },
    ...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
  );
}
/** @param {Kept} kept */
function allFacts({ qso, measures: [, , by] }) {
  const at = String(qso.qsoAt);
  /** @type {[Child, Child][]} */
  const rows = [
    [say("When"), `${day(at)}, ${hour(at)} UTC`],
    [say("Frequency"), tuningOf(qso)],
  ];
  for (const [name, value] of Object.entries(qso))
    if (!QUIET.has(name) && value !== null && value !== "")
      rows.push([fieldName(name), fieldValue(name, value)]);
  if (qso.crossConfirmedAt)
    rows.push([
      say("Confirmed"),
      by
        ? say("{station}, at {club}", {
            station: by.station,
            club: by.club,
          })
        : fieldValue("crossConfirmedAt", qso.crossConfirmedAt),
    ]);
  return factsOf(rows);
}
/**
 * Returns where the station is, with a compass disc if both locators are known.
 * @param {Kept} kept
 */
function whereOf({ qso, measures: [division, km] }) {
  const [home, to] = [qso.myLocator, qso.dxLocator].map((text) => parseLocator(String(text ?? "")));
  const place = placeOf(division);
  const far = km === null ? null : `${number(km)} km`;
  if (!place && !far) return null;
  const disc = element("div", { class: "disc-of" });
  if (home && to)
    import("../../shared/parts/disc.js").then(({ Disc }) => {
      const made = new Disc({ isSmall: true });
      made.show({ home, to });
      disc.append(made.node);
    });
  return element(
    "div",
    { class: "where-of" },
    home && to ? disc : null,
    element(
      "p",
      {},
      place
        ? element("strong", {}, `${place} `, element("small", {}, `${say("Division")} ${division}`))
        : null,
      far
        ? element("span", { class: "large" }, far, home && to ? ` · ${bearing(home, to)}°` : null)
        : null,
    ),
  );
}
/**
 * Returns other QSOs with the station, which arrive later.
 * @param {Qso} qso
 */
function earlierOf(qso) {
  const place = element("div");
  const { callsignWorked } = qso;
  if (!callsignWorked) return place;
  const query = formatQuery({ limit: 50, callsign: callsignWorked });
  Promise.all([get(`qsos?${query}`), import("../../shared/words/callsigns.js")]).then(
    ([{ items }, { compact }]) => {
      const others = items
        .filter((one) => compact(one.callsignWorked ?? "") === compact(callsignWorked))
        .filter((one) => one.id !== qso.id && String(one.qsoAt) <= String(qso.qsoAt));
      if (!others.length) return;
      place.append(
        element(
          "h3",
          {},
          say("Earlier with {callsign}", {
            callsign: callsignWorked,
          }),
        ),
        factsOf(others.slice(0, EARLIER).map((one) => [day(String(one.qsoAt)), tuningOf(one)])),
      );
    },
    () => {}, // the details are useful without the earlier QSOs
  );
  return place;
}
/**
 * Returns a button that lists the history of a QSO, newest first.
 * @param {Qso} qso
 */
function historyOf(qso) {
  const place = element("div");
  const button = element("button", { type: "button" }, say("History of this QSO"));
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const [{ changeItem, span, writerName }, { items }] = await Promise.all([
        import("./changes.js"),
        get(`qsos/${qso.id}/history`),
      ]);
      const rows = items.map((one) =>
        changeItem(one, typed(writerName(one.writer)), element("small", {}, span(one.at, one.at))),
      );
      place.replaceChildren(
        rows.length
          ? element("ul", { class: "items" }, ...rows)
          : element("p", { class: "muted" }, say("Nothing has changed since history began.")),
      );
    } catch (refusal) {
      button.disabled = false;
      place.replaceChildren(element("p", { class: "note bad", role: "alert" }, explain(refusal)));
    }
  });
  return { button, place };
}

/**
 * Shows the details of a QSO in the sheet. If the QSO is no longer in the list, closes the sheet.
 * @param {QsoRows} rows
 * @param {string} id
 * @param {(qso: Qso) => DetailsActs} actsOf
 */
export function showDetails(rows, id, actsOf) {
  const kept = rows.kept.get(id);
  if (!kept) return closeSheet();
  const { qso } = kept;
  const acts = actsOf(qso);
  const history = historyOf(qso);
  openSheet({
    title: [
      callsignOf(qso.callsignWorked),
      qso.crossConfirmedAt ? badgeOf("good", say("Confirmed")) : null,
    ],
    body: [
      whereOf(kept),
      allFacts(kept),
      earlierOf(qso),
      element("div", { class: "buttons" }, ...acts.further, history.button),
      history.place,
    ],
    foot: acts.foot,
    keys: acts.keys,
    step: (by) => {
      const next = rows.neighbour(id, by);
      if (next === null) return;
      rows.find(next)?.scrollIntoView({ block: "nearest" });
      showDetails(rows, next, actsOf);
    },
    closed: (hadFocus) => {
      rows.choose(null);
      if (hadFocus) rows.focus(id);
    },
  });
  rows.choose(id);
}
