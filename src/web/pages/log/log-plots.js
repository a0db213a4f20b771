// Draws the plots of the statistics: QSOs by year, month, hour, distance, square and division. Each
// plot is also available as a table.
import { day, drawing, element, find, number, timeFormat, typed } from "../../shared/page.js";
import { withGaps, yearsOf } from "../../shared/figures.js";
import { fold, legend } from "../../shared/lists.js";
import { country, say } from "../../shared/language.js";

/** @import { Child, Statistics } from "../types.js" */

/** @typedef {{name: string, qsos: number, confirmed?: number}} Bar */

const LISTED_MAX = 10;

const monthNames = timeFormat({ month: "short", year: "numeric" });
/** @param {string} month such as "2026-05" */
function monthName(month) {
  return monthNames().format(new Date(`${month}-01T00:00:00Z`));
}
/**
 * Returns the values of a plot as a table.
 * @param {string} head heading of the first column
 * @param {Bar[]} bars
 */
function tableOfBars(head, bars) {
  const both = bars.some((bar) => bar.confirmed !== undefined);
  /** @type {(text: string) => HTMLElement} */
  const title = (text) => element("th", { scope: "col", class: "right" }, text);
  return element(
    "table",
    {},
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        element("th", { scope: "col" }, head),
        title(say("QSOs")),
        both ? title(say("Confirmed")) : null,
      ),
    ),
    element(
      "tbody",
      {},
      ...bars.map((bar) =>
        element(
          "tr",
          {},
          element("th", { scope: "row" }, bar.name),
          element("td", { class: "right" }, number(bar.qsos)),
          both ? element("td", { class: "right" }, number(bar.confirmed ?? 0)) : null,
        ),
      ),
    ),
  );
}
/** @param {Bar[]} bars */
function drawBars(bars) {
  const most = Math.max(1, ...bars.map((bar) => bar.qsos));
  /** @type {(kind: string, place: number, value: number) => SVGElement | null} */
  const bar = (kind, place, value) =>
    value
      ? drawing("rect", {
          class: kind,
          x: place * 10 + 1,
          y: 100 - (100 * value) / most,
          width: 8,
          height: (100 * value) / most,
        })
      : null;
  return element(
    "div",
    { class: "plot" },
    element("p", { class: "muted scale" }, number(most)),
    drawing(
      "svg",
      {
        viewBox: `0 0 ${Math.max(12, bars.length) * 10} 100`,
        preserveAspectRatio: "none",
        "aria-hidden": "true",
      },
      ...bars.flatMap((one, index) => [
        bar("bar", index, one.qsos),
        bar("bar confirmed", index, one.confirmed ?? 0),
      ]),
    ),
    element(
      "p",
      { class: "muted ends" },
      element("span", {}, bars[0].name),
      bars.length > 1 ? element("span", {}, bars[bars.length - 1].name) : null,
    ),
  );
}
/**
 * @param {string} id
 * @param {string} title
 * @param {string} head heading of the table's first column
 * @param {Bar[]} bars at least one
 * @param {() => Bar[]} listed bars of the table
 * @param {Child} note
 */
function plot(id, title, head, bars, listed = () => bars, note = null) {
  return element(
    "section",
    { class: "card", id, "aria-labelledby": `${id}-title` },
    element("h4", { id: `${id}-title` }, title),
    drawBars(bars),
    note,
    fold(say("Show as table"), () => [
      element(
        "div",
        { class: "listed", role: "region", tabindex: "0", "aria-labelledby": `${id}-title` },
        tableOfBars(head, listed()),
      ),
    ]),
  );
}
/**
 * Returns a short list, which does not need a plot.
 * @param {string} id
 * @param {string} title
 * @param {string} head
 * @param {Bar[]} bars
 */
function list(id, title, head, bars) {
  return element(
    "section",
    { class: "card", id, "aria-labelledby": `${id}-title` },
    element("h4", { id: `${id}-title` }, title),
    bars.length ? tableOfBars(head, bars) : element("p", { class: "muted" }, say("None.")),
  );
}

/** @param {Statistics} statistics */
function farthestLine({ farthest }) {
  if (!farthest) return null;
  const { callsign, locator, km, qsoAt } = farthest;
  const parts = [` · ${locator.slice(0, 4)} · `, `${number(km)} km · ${day(qsoAt)}`];
  return element(
    "p",
    { class: "muted" },
    `${say("Farthest")}: `,
    callsign ? typed(callsign) : say("no callsign"),
    ...parts,
  );
}
/** @param {Statistics} statistics */
function plotsOf(statistics) {
  const { months, hours, distances } = statistics;
  const known = distances.filter(({ qsos }) => qsos);
  const last = known.length ? distances.indexOf(known[known.length - 1]) : 0;
  /** @type {(row: {month: string, qsos: number, confirmed: number}) => Bar} */
  const monthBar = ({ month, ...counts }) => ({ name: monthName(month), ...counts });
  return [
    plot("years", say("QSOs per year"), say("Year"), yearsOf(months)),
    plot("months", say("QSOs per month"), say("Month"), withGaps(months).map(monthBar), () =>
      [...months].reverse().map(monthBar),
    ),
    plot(
      "hours",
      say("QSOs per hour of the day (UTC)"),
      say("Hour"),
      hours.map((qsos, hour) => ({
        name: `${String(hour).padStart(2, "0")}–${String(hour + 1).padStart(2, "0")}`,
        qsos,
      })),
    ),
    plot(
      "distances",
      say("QSOs per distance"),
      say("Distance"),
      distances.slice(0, last + 1).map(({ belowKm, qsos }) => ({
        name: `< ${number(belowKm)} km`,
        qsos,
      })),
      undefined,
      farthestLine(statistics),
    ),
  ];
}
/** @param {Statistics} statistics */
export function showStatistics(statistics) {
  const { squares, divisions } = statistics;
  if (!statistics.qsos) {
    find("statistics").replaceChildren(element("p", { class: "muted" }, say("Nothing yet.")));
    return;
  }
  find("statistics").replaceChildren(
    ...plotsOf(statistics),
    list(
      "squares",
      say("Best squares"),
      say("Square"),
      squares.map(({ square, qsos }) => ({ name: square, qsos })),
    ),
    ...(statistics.operators?.length
      ? [
          list(
            "operators",
            say("Operators of the QSOs"),
            say("Callsign"),
            [...statistics.operators]
              .sort((one, other) => other.qsos - one.qsos)
              .map(({ callsign, qsos }) => ({ name: callsign, qsos })),
          ),
        ]
      : []),
    list(
      "divisions",
      say("Best divisions"),
      say("Division"),
      divisions.slice(0, LISTED_MAX).map(({ number: n, name, iso, qsos }) => ({
        name: `${n} ${country(name, iso ?? "")}`,
        qsos,
      })),
    ),
  );
  find("statistics").after(
    find("statistics").nextElementSibling?.matches(".legend")
      ? ""
      : legend([
          ["bar", say("all")],
          ["bar confirmed", say("confirmed")],
        ]),
  );
}
