// The rows of Logbook: a row with all fields of a QSO, and a table whose headings sort the QSOs.
import { day, element, hour, number, typed } from "../../shared/page.js";
import { fold, headOf } from "../../shared/lists.js";
import { readFilter, sortBy } from "./log-filter.js";
import { explain, get } from "../../shared/service.js";
import { fieldName, fieldValue } from "../../shared/words/qso-words.js";
import { country, say } from "../../shared/language.js";

/** @import { Child, Confirmer, Division, Qso, QsoPage } from "../types.js" */
/** @typedef {QsoPage["measures"][number]} Measures */

/** @type {Map<number, Division>} the divisions in the log */
const divisions = new Map();
/** @param {Division[]} rows */
export function knowDivisions(rows) {
  for (const row of rows) divisions.set(row.number, row);
}
/** @type {((qso: Qso) => Node[])[]} */
const makers = [];
/**
 * Adds buttons or other nodes to the actions of each QSO.
 * @param {(qso: Qso) => Node[]} make
 */
export function onRow(make) {
  makers.push(make);
}

const QUIET = new Set([
  "id",
  "clientId",
  "qsoAt",
  "callsignWorked",
  "band",
  "frequencyMhz",
  "channel",
  "mode",
  "dxLocator",
  "crossConfirmedAt",
  "syncedAt",
  "createdAt",
]);

/**
 * @param {string} kind
 * @param {...Child} children
 */
function cell(kind, ...children) {
  return element("td", { role: "cell", class: kind }, ...children);
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
  return element("div", {}, button, place);
}
/**
 * Returns the other fields of a QSO, and its actions, in a collapsible section.
 * @param {Qso} qso
 */
function furtherFields(qso) {
  const rows = Object.entries(qso).filter(
    ([name, value]) => !QUIET.has(name) && value !== null && value !== "",
  );
  if (!rows.length) return null;
  return fold(say("More"), () => [
    element(
      "dl",
      { class: "fields-of-qso" },
      ...rows.flatMap(([name, value]) => [
        element("dt", {}, fieldName(name)),
        element("dd", {}, fieldValue(name, value)),
      ]),
    ),
    element("div", { class: "buttons qso-actions" }, ...makers.flatMap((make) => make(qso))),
    historyOf(qso),
  ]);
}
/** @param {Qso} qso */
function frequencyOf(qso) {
  if (qso.band !== "PMR446") return qso.frequencyMhz ? `${qso.frequencyMhz} MHz` : "11 m";
  const channel = qso.channel === null ? null : say("channel {n}", { n: qso.channel });
  return ["PMR446", channel].filter(Boolean).join(" · ");
}
/**
 * @param {Qso} qso
 * @param {Confirmer} [by]
 */
function stateOf(qso, by) {
  const signs = [
    qso.crossConfirmedAt ? `✓ ${say("confirmed")}` : null,
    by ? say("{station}, at {club}", { station: by.station, club: by.club }) : null,
    qso.qslSent ? say("QSL sent") : null,
    qso.qslReceived ? say("QSL received") : null,
  ].filter(Boolean);
  return signs.length
    ? element("span", { class: qso.crossConfirmedAt ? "good" : "muted" }, signs.join(" · "))
    : null;
}
/**
 * @param {Qso} qso
 * @param {Measures} measures
 * @param {HTMLElement | null} note replaces everything after the mode
 */
export function rowOf(qso, [division, km, by], note = null) {
  const place = division === null ? undefined : divisions.get(division);
  const reports = [qso.rstSent, qso.rstReceived].filter(Boolean).join(" / ");
  return element(
    "tr",
    { role: "row", "data-id": qso.id },
    element(
      "th",
      { role: "rowheader", scope: "row", class: "dx" },
      qso.callsignWorked
        ? typed(qso.callsignWorked)
        : element("span", { class: "muted" }, say("no callsign")),
      place ? element("small", {}, country(place.name, place.iso ?? "")) : null,
    ),
    cell(
      "when number",
      element("time", { datetime: qso.qsoAt }, day(qso.qsoAt)),
      element("small", {}, `${hour(qso.qsoAt)} UTC`),
    ),
    cell("freq number", frequencyOf(qso)),
    cell("mode", qso.mode ? typed(qso.mode) : null),
    ...(note
      ? []
      : [
          cell("report number", reports ? typed(reports) : null),
          cell("square", qso.dxLocator ? typed(qso.dxLocator) : null),
          cell("far number", km === null ? null : `${number(km)} km`),
        ]),
    cell("wide", note ?? stateOf(qso, by), furtherFields(qso)),
  );
}

/** @type {[string, string | null][]} headings of the columns, and their sort keys */
const COLUMNS = [
  ["Station", "callsign"],
  ["UTC", "time"],
  ["Frequency", "band"],
  ["Mode", "mode"],
  ["Report", null],
  ["Locator", "square"],
  ["Distance", "distance"],
];
const COLUMNS_OF_NOTES = 4;
/**
 * @param {string} title
 * @param {string | null} key
 */
function heading(title, key) {
  const text = title === "UTC" ? title : say(title);
  if (!key) return element("th", { role: "columnheader", scope: "col" }, text);
  const sort = readFilter().get("sort") ?? "-time";
  const isSorted = sort.replace("-", "") === key;
  const isDown = isSorted && sort.startsWith("-");
  return element(
    "th",
    {
      role: "columnheader",
      scope: "col",
      "aria-sort": isSorted ? (isDown ? "descending" : "ascending") : null,
    },
    element(
      "button",
      { type: "button", class: "sort", click: () => sortBy(key) },
      isSorted ? `${text} ${isDown ? "↓" : "↑"}` : text,
    ),
  );
}
/**
 * @param {string} name
 * @param {string} last the heading of the last column
 * @param {HTMLElement[]} rows
 * @param {boolean} sorts true: all columns, sortable; false: the columns up to the mode, followed
 * by notes
 */
export function tableOf(name, last, rows, sorts = false) {
  const body = element("tbody", { role: "rowgroup" }, ...rows);
  const columns = sorts ? COLUMNS : COLUMNS.slice(0, COLUMNS_OF_NOTES);
  const heads = columns.map(([title, key]) => heading(title, sorts ? key : null));
  return {
    body,
    table: element(
      "table",
      { class: "list log", role: "table", "aria-label": name },
      headOf([...heads, last]),
      body,
    ),
  };
}
