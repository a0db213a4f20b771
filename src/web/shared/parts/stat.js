// Shows a figure with its name, and a line with the figure's values over the last few months.
import { drawing, element } from "../page.js";

/** @import { Child } from "../types.js" */
/**
 * @typedef {object} Stat
 * @property {string} name
 * @property {string} value
 * @property {Child} [beside] a share, a change or a unit
 * @property {string} href address of the QSOs behind the figure
 * @property {number[]} course the values of the last months
 */

const [WIDTH, HEIGHT, LOWEST, HIGHEST] = [100, 24, 22, 3];

/**
 * Returns the path of a line through the values, over the whole width of the drawing.
 * @param {number[]} values at least two
 */
export function sparkPath(values) {
  const most = Math.max(1, ...values);
  const step = WIDTH / (values.length - 1);
  return values
    .map((value, place) => {
      const y = LOWEST - (value / most) * (LOWEST - HIGHEST);
      return `${place ? "L" : "M"}${(place * step).toFixed(1)} ${y.toFixed(1)}`;
    })
    .join("");
}
/** @param {number[]} values at least two */
function drawSpark(values) {
  const line = sparkPath(values);
  return drawing(
    "svg",
    {
      class: "spark",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    drawing("path", { class: "under", d: `${line}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z` }),
    drawing("path", { d: line }),
  );
}
/**
 * Returns the figure as a group of a description list.
 * @param {Stat} stat
 */
export function statOf({ name, value, beside, href, course }) {
  return element(
    "div",
    {},
    element("dt", {}, name),
    element(
      "dd",
      {},
      element("a", { href }, value),
      beside ? " " : null,
      beside ? element("small", {}, beside) : null,
      drawSpark(course),
    ),
  );
}
