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

const CIRCLES_MAX = 500;
const PAGE = 50;

// -- figures and months ---------------------------------------------------------------------------

function figure(name, value) {
  return element("div", {}, element("dt", {}, name), element("dd", {}, value));
}
// Which program is in step, and since when, by the day of its key's last use.
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
function monthName(month) {
  return new Intl.DateTimeFormat(locale, {
    timeZone: "UTC",
    month: "short",
    year: "numeric",
  }).format(new Date(`${month}-01T00:00:00Z`));
}
function monthLine(row) {
  return `${monthName(row.month)}: ${say("{n} QSO|{n} QSOs", { n: row.qsos })}, ${say("{n} confirmed", { n: row.confirmed })}`;
}
function showMonths(rows) {
  const place = find("months");
  if (!rows.length) {
    place.replaceChildren(element("p", { class: "muted" }, say("Nothing yet.")));
    return;
  }
  const months = withGaps(rows);
  const most = Math.max(...months.map((row) => row.qsos));
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

function showMap(answer) {
  const map = createMap(say("Map of the stations worked"));
  // Rows of columns, of which the answer tells the names.
  const placed = answer.points.map((row) =>
    Object.fromEntries(answer.columns.map((name, index) => [name, row[index]])),
  );
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
    const lines =
      input("circles").checked && answer.home
        ? points.slice(-CIRCLES_MAX).map((point) => [answer.home, point])
        : [];
    map.show({ points, lines, home: answer.home });
  }
  input("circles").checked = recall("circles") === "1";
  find("circles").addEventListener("change", () => {
    remember("circles", input("circles").checked ? "1" : "");
    draw();
  });
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

function cell(kind, ...children) {
  return element("td", { role: "cell", class: kind }, ...children);
}
// What else a QSO holds, field by field, under the API's names.
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
      )
    : null;
}
function rowOf(qso, note) {
  const where =
    qso.band === "PMR446"
      ? `PMR446 · ${say("channel {n}", { n: qso.channel })}`
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
function tableOf(name, last, rows) {
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

export async function showLog() {
  find("search").addEventListener("submit", (event) => {
    event.preventDefault();
    search();
  });
  const [statistics, places, near, keys] = await Promise.all([
    get("statistics"),
    get("map"),
    get("near-matches"),
    get("keys"),
    search(),
  ]);
  showFigures(statistics, keys.items);
  showMonths(statistics.months);
  showMap(places);
  showNear(near.items);
}
