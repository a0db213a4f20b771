// The QSOs of My log as a table: rows with all fields of a QSO, sorted by a heading, loaded on
// demand. They can be downloaded and printed. The filter chooses them.
import { day, element, find, hour, number, typed } from "../site/page.js";
import { fold, headOf } from "../site/lists.js";
import { formatQuery } from "../site/query.js";
import { describe, divisionName, readFilter, readPart, sortBy } from "./log-filter.js";
import { QSOS_SHOWN, explain, get, inLog } from "../site/service.js";
import { fieldName, fieldValue } from "./qso-words.js";
import { say } from "../site/language.js";

/** @import { Child, Confirmer, Division, Qso, QsoPage } from "../site/types.js" */
/**
 * @typedef {QsoPage["measures"][number]} Measures
 */

const PAGE_MAX = 200;
const PRINTED_MAX = 1000;

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

// -- rows -----------------------------------------------------------------------------------------

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
 * A button that lists the history of a QSO, newest first.
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
 * The other fields of a QSO, and its actions, in a collapsible section.
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
  const country = division === null ? undefined : divisions.get(division);
  const reports = [qso.rstSent, qso.rstReceived].filter(Boolean).join(" / ");
  return element(
    "tr",
    { role: "row" },
    element(
      "th",
      { role: "rowheader", scope: "row", class: "dx" },
      qso.callsignWorked
        ? typed(qso.callsignWorked)
        : element("span", { class: "muted" }, say("no callsign")),
      country ? element("small", {}, divisionName(country)) : null,
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
 * @param {boolean} sorts all columns, sortable; otherwise the columns up to the mode, before notes
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

// -- the list -------------------------------------------------------------------------------------

/** @param {QsoPage} answer */
function rowsOf(answer) {
  return answer.items.map((qso, index) => rowOf(qso, answer.measures[index]));
}

export class QsoList {
  latest = 0; // number of the newest list: answers for older lists are dropped
  /** @type {() => Promise<boolean>} loads more rows; false: no more rows, or an error */
  bringMore = async () => false;

  constructor() {
    find("shown-print").addEventListener("click", () => this.print());
  }
  /**
   * Shows the QSOs that match the filter; they replace the current list when they have arrived. A
   * renewed list keeps about the same number of rows.
   * @param {Promise<QsoPage> | null} newest the newest QSOs, if already requested
   */
  async show(newest = null) {
    const mine = ++this.latest;
    const place = find("qsos");
    const query = readFilter();
    const shown = place.querySelectorAll("tbody tr").length;
    let asked = shown || query.size ? null : newest;
    query.set("limit", String(Math.min(Math.max(QSOS_SHOWN, shown), PAGE_MAX)));
    const { body, table } = tableOf(say("QSOs"), say("Status"), [], true);
    const more = element("button", { type: "button" }, say("Show more"));
    const trouble = element("p", { class: "note bad", role: "alert", hidden: true });
    const add = async () => {
      more.disabled = true;
      place.setAttribute("aria-busy", "true");
      let goesOn = false;
      try {
        const coming = asked ?? get(`qsos?${formatQuery(query)}`);
        asked = null; // if this fails, the next attempt sends a new request
        const answer = await coming;
        if (mine !== this.latest) return false;
        body.append(...rowsOf(answer));
        goesOn = answer.nextCursor !== null;
        more.hidden = !goesOn;
        if (answer.nextCursor !== null) query.set("after", answer.nextCursor);
        trouble.hidden = true;
      } catch (refusal) {
        if (mine !== this.latest) return false;
        trouble.textContent = explain(refusal);
        trouble.hidden = false;
      }
      if (!table.isConnected)
        place.replaceChildren(
          body.children.length || !trouble.hidden
            ? table
            : element("p", { class: "card" }, say("No matching QSOs.")),
          trouble,
          more,
        );
      place.removeAttribute("aria-busy");
      more.disabled = false;
      query.set("limit", String(QSOS_SHOWN));
      return goesOn;
    };
    more.addEventListener("click", add);
    this.bringMore = add;
    await add();
  }
  /** Prints the list, after loading its further rows up to a limit. */
  async print() {
    const rows = () => find("qsos").querySelectorAll("tbody tr").length;
    while (rows() < PRINTED_MAX && (await this.bringMore())) {
      /* the next page */
    }
    window.print();
  }
}

/** Shows the filter in words, and sets the download links to it. */
export function tellFilter() {
  const part = readPart();
  find("shown-filter").textContent = describe(part);
  find("search-clear").hidden = part.size === 0;
  for (const [id, file] of [
    ["shown-csv", "export.csv"],
    ["shown-adif", "export.adi"],
  ])
    find(id).setAttribute("href", `data/${inLog(`${file}?${formatQuery(part)}`)}`);
}
/**
 * Shows how many QSOs match, and the total.
 * @param {number} count
 * @param {number} all
 */
export function tellShown(count, all) {
  find("shown").textContent = readPart().size
    ? say("{count} of {all} QSOs", { count: number(count), all: number(all) })
    : say("{count} QSOs", { count: number(all) });
}
