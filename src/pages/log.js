// The section My log: figures, a plot of the months, the map, what is almost confirmed, and the
// QSOs with a search.
import {
  day,
  drawing,
  element,
  find,
  hour,
  input,
  number,
  recall,
  remember,
  typed,
} from "./page.js";
import { explain, get } from "./service.js";
import { createMap } from "./map.js";
import { percent, withGaps } from "./figures.js";
import { locale, say } from "./language.js";

/**
 * @typedef {import("./answers.js").Credential} Credential
 * @typedef {import("./answers.js").Qso} Qso
 * @typedef {import("./answers.js").Statistics} Statistics
 * @typedef {import("./figures.js").Month} Month
 * @typedef {import("./map.js").MapPoint} MapPoint
 */

const CIRCLES_MAX = 500;
const PAGE = 50;

// -- figures and months ---------------------------------------------------------------------------

/**
 * @param {string} name
 * @param {string} value
 */
function figure(name, value) {
  return element("div", {}, element("dt", {}, name), element("dd", {}, value));
}
/**
 * Which program is in step, and since when, by the day of its key's last use.
 * @param {Credential[]} keys
 */
function listSyncs(keys) {
  if (keys.length < 2) return [];
  const rows = [...keys].sort((a, b) => (b.lastUsedOn || "").localeCompare(a.lastUsedOn || ""));
  return [
    element(
      "details",
      {},
      element("summary", {}, say("Last sync by key")),
      element(
        "ul",
        {},
        ...rows.map((key) =>
          element(
            "li",
            {},
            typed(key.name),
            ": ",
            key.lastUsedOn ? day(key.lastUsedOn) : say("never"),
          ),
        ),
      ),
    ),
  ];
}
/**
 * @param {Statistics} statistics
 * @param {Credential[]} keys
 */
function showFigures(statistics, keys) {
  const share = percent(statistics.confirmed, statistics.qsos);
  find("figures").replaceChildren(
    figure(say("QSOs"), number(statistics.qsos)),
    figure(
      say("Confirmed"),
      `${number(statistics.confirmed)} · ${share === null ? "–" : `${number(share)} %`}`,
    ),
    figure(say("Stations"), number(statistics.stations)),
    figure(say("Last sync"), statistics.lastSyncOn ? day(statistics.lastSyncOn) : say("never")),
  );
  find("syncs").replaceChildren(...listSyncs(keys));
}
/** @param {string} month such as "2026-05" */
function monthName(month) {
  return new Intl.DateTimeFormat(locale, {
    timeZone: "UTC",
    month: "short",
    year: "numeric",
  }).format(new Date(`${month}-01T00:00:00Z`));
}
/** @param {Month} row */
function monthLine(row) {
  const all = say("{n} QSO|{n} QSOs", { n: row.qsos });
  return `${monthName(row.month)}: ${all}, ${say("{n} confirmed", { n: row.confirmed })}`;
}
/** @param {Month[]} rows */
function showMonths(rows) {
  const place = find("months");
  if (!rows.length) {
    place.replaceChildren(element("p", { class: "muted" }, say("Nothing yet.")));
    return;
  }
  const months = withGaps(rows);
  const most = Math.max(...months.map((row) => row.qsos));
  /** @type {(kind: string, place: number, height: number, row: Month) => SVGElement} */
  const bar = (kind, place, height, row) =>
    drawing(
      "rect",
      { class: kind, x: place * 10 + 1, y: 100 - height, width: 8, height },
      drawing("title", {}, monthLine(row)),
    );
  const bars = months.flatMap((row, index) => [
    bar("bar", index, (100 * row.qsos) / most, row),
    bar("bar confirmed", index, (100 * row.confirmed) / most, row),
  ]);
  const width = Math.max(12, months.length) * 10;
  place.replaceChildren(
    element(
      "div",
      { class: "plot" },
      element("p", { class: "muted scale" }, number(most)),
      drawing(
        "svg",
        {
          viewBox: `0 0 ${width} 100`,
          preserveAspectRatio: "none",
          role: "img",
          "aria-labelledby": "months-title",
        },
        ...bars,
      ),
      element(
        "p",
        { class: "muted ends" },
        element("span", {}, monthName(months[0].month)),
        months.length > 1 ? element("span", {}, monthName(months[months.length - 1].month)) : null,
      ),
    ),
    legend([
      ["bar", say("all")],
      ["bar confirmed", say("confirmed")],
    ]),
    element(
      "details",
      {},
      element("summary", {}, say("Months as a list")),
      element("ul", {}, ...[...rows].reverse().map((row) => element("li", {}, monthLine(row)))),
    ),
  );
}
/** @param {[string, string][]} rows class and name */
function legend(rows) {
  return element(
    "ul",
    { class: "legend" },
    ...rows.map(([kind, name]) =>
      element(
        "li",
        {},
        drawing(
          "svg",
          { viewBox: "0 0 12 12", "aria-hidden": "true" },
          drawing("rect", { class: `${kind} sign`, x: 1, y: 1, width: 10, height: 10, rx: 3 }),
        ),
        name,
      ),
    ),
  );
}

// -- map ------------------------------------------------------------------------------------------

/** @param {import("./answers.js").LogMap} answer */
function showMap(answer) {
  const map = createMap(say("Map of the stations worked"));
  const placed = answer.points.map((row) => {
    const named = answer.columns.map((name, index) => [name, row[index]]);
    return /** @type {import("./answers.js").LogPoint} */ (Object.fromEntries(named));
  });
  /** @type {MapPoint[]} */
  const points = placed.map((point) => ({
    lat: point.lat,
    lng: point.lng,
    kind: point.confirmed ? "confirmed" : "open",
    label: [
      point.callsign || say("no callsign"),
      say("{n} QSO|{n} QSOs", { n: point.count }),
      point.confirmed ? say("confirmed") : null,
      point.exact ? null : say("middle of the locator"),
    ]
      .filter(Boolean)
      .join(" · "),
  }));
  points.sort((a, b) => (a.kind > b.kind ? -1 : 1)); // the confirmed ones above the others
  function draw() {
    const home = answer.home;
    /** @type {import("./map.js").Way[]} */
    const lines =
      input("circles").checked && home
        ? points.slice(-CIRCLES_MAX).map((point) => [home, point])
        : [];
    map.show({ points, lines, home });
  }
  input("circles").checked = recall("circles") === "1";
  find("circles").onchange = () => {
    remember("circles", input("circles").checked ? "1" : "");
    draw();
  };
  find("log-map").replaceChildren(
    map.node,
    legend([
      ["dot-confirmed", say("confirmed")],
      ["dot-open", say("not confirmed")],
      ["dot-home", say("my place")],
    ]),
    ...(answer.more
      ? [element("p", { class: "muted" }, say("The map shows the newest places."))]
      : []),
  );
  draw();
  map.fit();
}

// -- QSOs -----------------------------------------------------------------------------------------

/** @type {Record<string, string>} */
const REASONS = {
  TIME: "The times are more than 15 minutes apart.",
  BAND: "The bands differ.",
  MODE: "The modes differ.",
  CHANNEL: "The channels differ.",
};
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
 * @param {...import("./page.js").Child} children
 */
function cell(kind, ...children) {
  return element("td", { role: "cell", class: kind }, ...children);
}
/**
 * A button that lists what became of a QSO, newest first.
 * @param {Qso} qso
 */
function historyOf(qso) {
  const place = element("div");
  const button = element("button", { type: "button" }, say("What became of it"));
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
          : element("p", { class: "muted" }, say("Nothing was written since the history began.")),
      );
    } catch (refusal) {
      button.disabled = false;
      place.replaceChildren(element("p", { class: "note bad", role: "alert" }, explain(refusal)));
    }
  });
  return element("div", {}, button, place);
}
/**
 * What else a QSO holds, field by field, under the API's names.
 * @param {Qso} qso
 */
function furtherFields(qso) {
  const rows = Object.entries(qso).filter(
    ([name, value]) => !QUIET.has(name) && value !== null && value !== "",
  );
  return rows.length
    ? element(
        "details",
        {},
        element("summary", {}, say("More")),
        element(
          "dl",
          { class: "fields-of-qso" },
          ...rows.flatMap(([name, value]) => [
            element("dt", {}, name),
            element("dd", {}, typed(value)),
          ]),
        ),
        historyOf(qso),
      )
    : null;
}
/**
 * @param {Qso} qso
 * @param {string | null} note in place of its state
 */
function rowOf(qso, note) {
  const channel = qso.channel === null ? null : say("channel {n}", { n: qso.channel });
  const where =
    qso.band === "PMR446"
      ? ["PMR446", channel].filter(Boolean).join(" · ")
      : qso.frequencyMhz
        ? `${qso.frequencyMhz} MHz`
        : "11 m";
  return element(
    "tr",
    { role: "row" },
    element(
      "th",
      { role: "rowheader", scope: "row", class: "dx" },
      qso.callsignWorked
        ? typed(qso.callsignWorked)
        : element("span", { class: "muted" }, say("no callsign")),
      qso.dxLocator ? element("small", {}, typed(qso.dxLocator)) : null,
    ),
    cell(
      "when number",
      element("time", { datetime: qso.qsoAt }, day(qso.qsoAt)),
      element("small", {}, `${hour(qso.qsoAt)} UTC`),
    ),
    cell("number", where),
    cell("mode", qso.mode ? typed(qso.mode) : null),
    note
      ? cell("wide", note)
      : cell(
          "wide",
          qso.crossConfirmedAt ? element("span", { class: "good" }, `✓ ${say("confirmed")}`) : null,
          furtherFields(qso),
        ),
  );
}
/**
 * @param {string} name
 * @param {string} last the heading of the last column
 * @param {HTMLElement[]} rows
 */
function tableOf(name, last, rows) {
  /** @type {(text: string) => HTMLElement} */
  const head = (text) => element("th", { role: "columnheader", scope: "col" }, text);
  const body = element("tbody", { role: "rowgroup" }, ...rows);
  return {
    body,
    table: element(
      "table",
      { class: "list spots", role: "table", "aria-label": name },
      element(
        "thead",
        { role: "rowgroup" },
        element(
          "tr",
          { role: "row" },
          head(say("Station")),
          head("UTC"),
          head(say("Frequency")),
          head(say("Mode")),
          head(last),
        ),
      ),
      body,
    ),
  };
}
/** @param {{qso: Qso, reason: string}[]} items */
function showNear(items) {
  find("near").replaceChildren(
    items.length
      ? tableOf(
          say("Almost confirmed"),
          say("Why not"),
          items.map(({ qso, reason }) =>
            rowOf(qso, REASONS[reason] ? say(REASONS[reason]) : reason),
          ),
        ).table
      : element("p", { class: "card" }, say("None.")),
  );
}

function queryOf() {
  const query = new URLSearchParams({ limit: String(PAGE) });
  for (const name of ["callsign", "from", "to"])
    if (input(`search-${name}`).value.trim()) query.set(name, input(`search-${name}`).value.trim());
  return query;
}
let latest = 0; // the number of the newest search: an older one's answer is not shown
async function search() {
  const mine = ++latest;
  const place = find("qsos");
  const query = queryOf();
  const { body, table } = tableOf(say("QSOs, newest first"), say("State"), []);
  const more = element("button", { type: "button" }, say("Show more"));
  const trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  async function add() {
    more.disabled = true;
    try {
      const answer = await get(`qsos?${query}`);
      if (mine !== latest) return;
      body.append(...answer.items.map((qso) => rowOf(qso, null)));
      more.hidden = answer.nextCursor === null;
      if (answer.nextCursor !== null) query.set("after", answer.nextCursor);
      trouble.hidden = true;
      place.replaceChildren(
        body.children.length ? table : element("p", { class: "card" }, say("No QSO fits.")),
        trouble,
        more,
      );
    } catch (refusal) {
      trouble.textContent = explain(refusal);
      trouble.hidden = false;
      if (mine === latest) place.replaceChildren(table, trouble, more);
    }
    more.disabled = false;
  }
  more.addEventListener("click", add);
  await add();
}

/** Shows the log as it is now; may be called again. */
export async function showLog() {
  find("search").onsubmit = (event) => {
    event.preventDefault();
    search();
  };
  const [statistics, places, near, keys] = await Promise.all([
    get("statistics"),
    get("map"),
    get("near-matches"),
    get("keys"),
    search(),
  ]);
  const isNew = statistics.qsos === 0 && keys.items.length === 0;
  find("first-steps").hidden = !isNew;
  find("log-view").hidden = isNew;
  if (isNew) return;
  showFigures(statistics, keys.items);
  showMonths(statistics.months);
  showMap(places);
  showNear(near.items);
}
