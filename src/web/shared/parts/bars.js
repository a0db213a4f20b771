// Draws a chart of bars, each with its confirmed part. A table contains the values for screen
// readers.
import { drawing, element, number } from "../page.js";
import { say } from "../language.js";

/**
 * @typedef {object} Bar
 * @property {string} name
 * @property {string} [below] text below the bar
 * @property {number} qsos
 * @property {number} confirmed
 */

const [WIDTH, HEIGHT, TEXT] = [300, 84, 14];

/** @param {string} head heading of the first column @param {Bar[]} bars */
function tableOf(head, bars) {
  /** @type {(text: string) => HTMLElement} */
  const title = (text) => element("th", { scope: "col" }, text);
  const rows = bars.map(({ name, qsos, confirmed }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, name),
      element("td", {}, number(qsos)),
      element("td", {}, number(confirmed)),
    ),
  );
  return element(
    "table",
    { class: "unseen" },
    element(
      "thead",
      {},
      element("tr", {}, title(head), title(say("QSOs")), title(say("Confirmed"))),
    ),
    element("tbody", {}, ...rows),
  );
}
/**
 * Returns an element with the chart and its table.
 * @param {string} head heading of the table's first column, such as "Hour"
 * @param {Bar[]} bars
 */
export function barsOf(head, bars) {
  const most = Math.max(1, ...bars.map(({ qsos }) => qsos));
  const step = WIDTH / Math.max(12, bars.length);
  /** @type {(place: number, value: number, kind: string) => SVGElement | null} */
  const bar = (place, value, kind) =>
    value
      ? drawing("rect", {
          class: kind,
          x: (place * step + step * 0.08).toFixed(1),
          y: (HEIGHT - (value / most) * HEIGHT).toFixed(1),
          width: (step * 0.84).toFixed(1),
          height: ((value / most) * HEIGHT).toFixed(1),
          rx: 1.5,
        })
      : null;
  const shapes = bars.map(({ name, qsos, confirmed }, place) =>
    drawing(
      "g",
      {},
      drawing("title", {}, `${name}: ${number(qsos)}`),
      bar(place, qsos, "all"),
      bar(place, confirmed, "confirmed"),
    ),
  );
  const texts = bars.map(({ below }, place) =>
    below ? drawing("text", { x: (place * step).toFixed(1), y: HEIGHT + TEXT - 2 }, below) : null,
  );
  const viewBox = `0 0 ${WIDTH} ${HEIGHT + TEXT}`;
  const chart = drawing("svg", { viewBox, "aria-hidden": "true" }, ...shapes, ...texts);
  return element("div", { class: "bars" }, chart, tableOf(head, bars));
}
