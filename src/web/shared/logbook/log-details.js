// Shows the details of a QSO from Logbook in the sheet: its fields, the card, earlier QSOs with the
// station, and the history of the QSO.
import { day, element, hour, plain } from "../page.js";
import { parseLocator } from "../map/geography.js";
import { badgeOf, callsignOf, drawTuning } from "../parts/row.js";
import { moreOf } from "../parts/chips.js";
import { closeSheet, openSheet } from "../parts/sheet.js";
import { drawEarlier, drawFacts, drawWhere } from "../parts/station-facts.js";
import { fieldName, fieldValue } from "../words/qso-words.js";
import { say } from "../language.js";

/** @import { Book, BookRow, Child, DetailsSheet, LogbookPage } from "../types.js" */
/** @import { QsoRows } from "./log-rows.js" */
/**
 * @typedef {object} DetailsActs
 * @property {Child[]} foot the buttons at the foot
 * @property {Child[]} further the acts in the menu at the foot
 * @property {Record<string, () => void>} keys
 * @property {LogbookPage["historyOf"]} historyOf
 */

// Fields that the sheet shows in another form, or does not show.
const QUIET = new Set([
  "id",
  "clientId",
  "qsoAt",
  "callsignWorked",
  "band",
  "frequencyMhz",
  "channel",
  "mode",
  "rstSent",
  "rstReceived",
  "crossConfirmedAt",
  "syncedAt",
  "createdAt",
]);

// "Worked" is the normal state, and would contradict the mark of a confirmed QSO.
const isWorked = (/** @type {string} */ name, /** @type {unknown} */ value) =>
  name === "qsoStatus" && value === "WKD";
/**
 * Returns the reports in one text; empty: the QSO has none.
 * @param {BookRow["qso"]} qso
 */
function reportsOf({ rstSent, rstReceived }) {
  return [
    rstSent && say("{report} sent", { report: plain(rstSent) }),
    rstReceived && say("{report} received", { report: plain(rstReceived) }),
  ]
    .filter(Boolean)
    .join(" · ");
}
/** @param {BookRow} row */
function allFacts({ qso, by }) {
  const at = String(qso.qsoAt);
  /** @type {[Child, Child][]} */
  const rows = [
    [say("When"), `${day(at)}, ${hour(at)} UTC`],
    [say("Frequency"), drawTuning(qso)],
  ];
  const reports = reportsOf(qso);
  if (reports) rows.push([say("Reports"), reports]);
  for (const [name, value] of Object.entries(qso))
    if (!QUIET.has(name) && (value || value === 0) && !isWorked(name, value))
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
  return drawFacts(rows);
}
/**
 * @param {Book} book
 * @param {BookRow} row
 */
function whereOf(book, { qso, division, km }) {
  const [home, to] = [qso.myLocator, qso.dxLocator].map((text) => parseLocator(String(text ?? "")));
  return drawWhere({ home, to, place: book.placeOf(division), division: division ?? 0, km });
}
/**
 * @param {Book} book
 * @param {string} callsign
 */
async function* qsosWith(book, callsign) {
  for await (const { rows } of book.search(new Map([["callsign", callsign]]), 50, null))
    yield rows.map(({ qso }) => qso);
}
/**
 * @param {Book} book
 * @param {BookRow} row
 */
function earlierOf(book, { qso: { callsignWorked, qsoAt } }) {
  return drawEarlier(callsignWorked, qsoAt, qsosWith(book, callsignWorked ?? ""));
}
/**
 * Returns a button that lists the history of a QSO, and the place of the list.
 * @param {Book} book
 * @param {() => Promise<Child[]>} read
 */
function historyOf(book, read) {
  const place = element("div");
  const button = element("button", { type: "button" }, say("History of this QSO"));
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const rows = await read();
      place.replaceChildren(
        rows.length
          ? element("ul", { class: "items" }, ...rows)
          : element("p", { class: "muted" }, say("Nothing has changed since history began.")),
      );
    } catch (refusal) {
      button.disabled = false;
      place.replaceChildren(
        element("p", { class: "note bad", role: "alert" }, book.explain(refusal)),
      );
    }
  });
  return { button, place };
}

/**
 * Returns the usual details of a QSO.
 * @param {Book} book
 * @param {BookRow} row
 * @param {DetailsActs} acts
 * @returns {DetailsSheet}
 */
export function detailsOf(book, row, acts) {
  const { qso } = row;
  const { historyOf: read } = acts;
  const history = read && historyOf(book, () => read(qso));
  const menu = history ? [history.button, ...acts.further] : acts.further;
  return {
    title: [
      callsignOf(qso.callsignWorked),
      qso.crossConfirmedAt ? badgeOf("good", say("Confirmed")) : null,
    ],
    body: [whereOf(book, row), allFacts(row), earlierOf(book, row), history?.place],
    foot: menu.length ? [...acts.foot, moreOf(menu)] : acts.foot,
    keys: acts.keys,
  };
}
/**
 * Shows the details of a QSO in the sheet. If the QSO is no longer in the list, closes the sheet.
 * @param {QsoRows} rows
 * @param {string} key
 * @param {(row: BookRow) => DetailsSheet} sheetOf
 */
export function showDetails(rows, key, sheetOf) {
  const row = rows.kept.get(key);
  if (!row) return closeSheet();
  openSheet({
    ...sheetOf(row),
    step: (by) => {
      const next = rows.neighbour(key, by);
      if (next === null) return;
      rows.find(next)?.scrollIntoView({ block: "nearest" });
      showDetails(rows, next, sheetOf);
    },
    closed: (hadFocus) => {
      rows.choose(null);
      if (hadFocus) rows.focus(key);
    },
  });
  rows.choose(key);
}
