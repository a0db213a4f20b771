// Draws numbers of QSOs per week as a line of squares in five shades.
import { drawing } from "../page.js";

const STEPS = [1, 5, 15, 40]; // QSOs per week from which a step begins
const WIDTH = 10;

/** @param {number} qsos */
const stepOf = (qsos) => STEPS.filter((least) => qsos >= least).length;

/**
 * Returns the drawing. A text next to it has the important numbers.
 * @param {number[]} weeks the oldest week first
 * @param {boolean} isLarge
 */
export function weekLineOf(weeks, isLarge = false) {
  const height = isLarge ? 22 : 14;
  return drawing(
    "svg",
    {
      class: isLarge ? "weeks large" : "weeks",
      viewBox: `0 0 ${WIDTH * weeks.length - 2} ${height}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    ...weeks.map((qsos, index) =>
      drawing("rect", {
        class: `l${stepOf(qsos)}`,
        x: index * WIDTH,
        y: 0,
        width: WIDTH - 2,
        height,
        rx: 1.5,
      }),
    ),
  );
}
