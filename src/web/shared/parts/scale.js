// Draws a scale of frequencies: ticks, numbers and marks. Positions are percentages of the width,
// so the texts keep their size on every screen.
import { drawing } from "../page.js";

const [BASE, NUMBERS] = [30, 42]; // y of the ticks' feet and of the numbers
const FOOT = 27; // y of the marks' feet
const [TICK, LONG, NAMED] = [5, 9, 13]; // lengths of ticks

/**
 * @typedef {object} Scale
 * @property {number} from kHz at the left end
 * @property {number} span kHz
 * @property {number} step kHz between ticks; every fifth tick is longer
 * @property {number} named kHz between numbers
 * @property {(mhz: number) => string} format formats the numbers
 * @property {number} margin width of each end without numbers, in kHz
 */

/**
 * @param {Scale} scale
 * @param {number} khz
 */
export function placeOn({ from, span }, khz) {
  return `${(((khz - from) / span) * 100).toFixed(2)}%`;
}
/**
 * @param {string} kind
 * @param {string} x
 * @param {number} y1
 * @param {number} y2
 */
export function line(kind, x, y1, y2) {
  return drawing("line", { class: kind, x1: x, x2: x, y1, y2 });
}
/**
 * Returns the mark of a spot.
 * @param {string} x
 * @param {number} height
 * @param {boolean} isNew whether the mark is lit
 */
export function markAt(x, height, isNew) {
  return line(isNew ? "mark new" : "mark", x, FOOT - height, FOOT);
}
/**
 * Returns the ticks and the numbers of a scale.
 * @param {Scale} scale
 */
export function drawScale(scale) {
  const { from, span, step, named, format, margin } = scale;
  const nodes = [];
  for (let khz = Math.ceil(from / step) * step; khz <= from + span; khz += step) {
    const isLong = khz % (5 * step) === 0;
    const isNamed = khz % named === 0;
    const x = placeOn(scale, khz);
    nodes.push(
      line(isLong ? "long" : "", x, BASE - (isNamed ? NAMED : isLong ? LONG : TICK), BASE),
    );
    if (isNamed && khz > from + margin && khz < from + span - margin)
      nodes.push(drawing("text", { x, y: NUMBERS }, format(khz / 1000)));
  }
  return nodes;
}
