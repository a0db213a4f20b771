// Shows the figures of Logbook: six numbers with their trends, a strip with the days of the year,
// one of three charts, and the operators in a station's log.
import { element, find, number, timeFormat, typed } from "../page.js";
import { percent, withGaps } from "../figures.js";
import { barsOf } from "../parts/bars.js";
import { HeatStrip } from "../parts/heat.js";
import { segmentsOf } from "../parts/segments.js";
import { statOf } from "../parts/stat.js";
import { say } from "../language.js";
import { addressOf } from "./log-filter.js";

/** @import { Statistics } from "../types.js" */
/** @import { Bar } from "../parts/bars.js" */

/** @type {[id: string, name: string, title: string][]} */
const CHARTS = [
  ["hours", "Hour", "By hour, UTC"],
  ["months", "Month", "By month"],
  ["distances", "Distance", "By distance"],
];
const HOURS_APART = 6; // hours between two labels below the bars

const monthNames = timeFormat({ month: "short", year: "numeric" });

/** @param {Statistics} statistics */
function showStats(statistics) {
  const { qsos, confirmed, stations, squareCount, farthest, recentMonths } = statistics;
  const divisions = statistics.divisions.length;
  const share = percent(confirmed, qsos);
  const known = new Map(statistics.months.map((row) => [row.month, row]));
  /** @type {(name: "qsos" | "confirmed") => number[]} */
  const courseOf = (name) => recentMonths.map(({ month }) => known.get(month)?.[name] ?? 0);
  /** @type {(name: "stations" | "divisions" | "squares" | "km") => number[]} */
  const recent = (name) => recentMonths.map((row) => row[name]);
  // Returns the gain since the end of the first recent month; null if there is no gain, or if the
  // number was 0 then.
  /** @type {(now: number, first: number) => string | null} */
  const gain = (now, first) => (now > first && first > 0 ? `+${number(now - first)}` : null);
  find("figures").replaceChildren(
    statOf({
      name: say("QSOs"),
      value: number(qsos),
      href: addressOf(""),
      course: courseOf("qsos"),
    }),
    statOf({
      name: say("Confirmed"),
      value: number(confirmed),
      beside: share === null ? null : `${number(share)} %`,
      href: addressOf("confirmed=yes"),
      course: courseOf("confirmed"),
    }),
    statOf({
      name: say("Stations"),
      value: number(stations),
      href: addressOf("sort=callsign"),
      course: recent("stations"),
    }),
    statOf({
      name: say("Divisions"),
      value: number(divisions),
      beside: gain(divisions, recent("divisions")[0]),
      href: addressOf("sort=division"),
      course: recent("divisions"),
    }),
    statOf({
      name: say("Squares"),
      value: number(squareCount),
      beside: gain(squareCount, recent("squares")[0]),
      href: addressOf("sort=square"),
      course: recent("squares"),
    }),
    statOf({
      name: say("Farthest"),
      value: farthest ? number(farthest.km) : "–",
      beside: farthest ? "km" : null,
      href: addressOf("sort=-distance"),
      course: recent("km"),
    }),
  );
}

/** @param {Statistics} statistics @returns {Record<string, Bar[]>} the bars, by chart */
function barsFor({ hours, confirmedHours, months, distances }) {
  const known = distances.filter(({ qsos }) => qsos);
  const [first, last] = [known[0], known.at(-1)].map((row) => (row ? distances.indexOf(row) : 0));
  return {
    hours: hours.map((qsos, hour) => ({
      name: `${String(hour).padStart(2, "0")}–${String(hour + 1).padStart(2, "0")}`,
      below: hour % HOURS_APART === 0 ? String(hour) : "",
      qsos,
      confirmed: confirmedHours[hour],
    })),
    months: (months.length ? withGaps(months) : []).map(({ month, ...counts }, place) => ({
      name: monthNames().format(new Date(`${month}-01T00:00:00Z`)),
      below: place === 0 || month.endsWith("-01") ? month.slice(0, 4) : "",
      ...counts,
    })),
    distances: distances.slice(first, last + 1).map(({ belowKm, ...counts }) => ({
      name: `< ${number(belowKm)} km`,
      below: `< ${number(belowKm)}`,
      ...counts,
    })),
  };
}
function showCharts(/** @type {Statistics} */ statistics) {
  const bars = barsFor(statistics);
  for (const [id, head] of CHARTS)
    find(id)
      .querySelector(".bars")
      ?.replaceWith(barsOf(say(head), bars[id]));
}
function createCharts() {
  const all = element("section", { class: "charts", "data-chart": "hours" });
  all.append(
    element(
      "div",
      { class: "charts-head" },
      element("h3", {}, say("When you work")),
      segmentsOf(
        say("When you work"),
        CHARTS.map(([id, name]) => [id, say(name)]),
        "hours",
        (id) => all.setAttribute("data-chart", id),
      ),
    ),
    ...CHARTS.map(([id, , title]) =>
      element(
        "section",
        { id, "aria-label": say(title) },
        element("h3", {}, say(title)),
        element("div", { class: "bars" }),
      ),
    ),
  );
  return all;
}
/** @param {Statistics} statistics */
function showOperators({ operators }) {
  document.getElementById("operators")?.remove();
  if (!operators?.length) return;
  const rows = [...operators].sort((one, other) => other.qsos - one.qsos);
  find("statistics").append(
    element(
      "section",
      { id: "operators", class: "panel" },
      element("h3", {}, say("Operators of the QSOs")),
      element(
        "dl",
        { class: "facts" },
        ...rows.flatMap(({ callsign, qsos }) => [
          element("dt", {}, typed(callsign)),
          element("dd", {}, number(qsos)),
        ]),
      ),
    ),
  );
}

/** @type {HeatStrip | null} */
let strip = null;
/**
 * Shows the statistics of the QSOs that match the filter.
 * @param {Statistics} statistics
 */
export function showFigures(statistics) {
  if (!strip) {
    strip = new HeatStrip((day) => {
      location.hash = addressOf(`from=${day}&to=${day}`);
    });
    find("year").append(strip.node);
    find("statistics").append(createCharts());
  }
  showStats(statistics);
  strip.show(statistics.recentDays);
  showCharts(statistics);
  showOperators(statistics);
}
