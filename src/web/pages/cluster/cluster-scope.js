// The band scope above the list of spots: 11 m as a dial, with a mark for each frequency on which
// there are spots. A click on a mark shows only the spots on its frequency; so does the chip kHz.
import { callsignOf } from "./cluster-rows.js";
import { drawing, number } from "../../shared/page.js";

const [WIDTH, FOOT] = [1240, 45]; // in the units of the drawing, as is the foot of the ticks
const NAME = 90; // room for a name
const NEAR = 14; // distance within which a click finds a mark
const LEAST_KHZ = 400; // smallest range of the dial
const MOST_TICKS = 250;

/** @import { Spot } from "../types.js" */
/** @typedef {{x: number, khz: number, count: number, isNew: boolean, name: string}} Mark */

/**
 * Returns the first and the last frequency of the dial, in kHz.
 * @param {Spot[]} spots
 */
function rangeOf(spots) {
  const all = spots.map(({ frequency }) => Number(frequency));
  const middle = (Math.min(...all) + Math.max(...all)) / 2;
  const half = Math.max(LEAST_KHZ, Math.max(...all) - Math.min(...all) + 60) / 2;
  return [Math.floor((middle - half) / 10) * 10, Math.ceil((middle + half) / 10) * 10];
}
/**
 * @param {number} from
 * @param {number} to
 * @param {(khz: number) => number} xOf
 */
function dialOf(from, to, xOf) {
  const step = (to - from) / 5 > MOST_TICKS ? 50 : 5;
  let lines = "";
  /** @type {Element[]} */
  const texts = [];
  for (let khz = from; khz <= to; khz += step) {
    const isNamed = khz % (20 * step) === 0;
    const length = isNamed ? 13 : khz % (5 * step) === 0 ? 9 : 5;
    lines += `M${xOf(khz).toFixed(1)} ${FOOT}v${-length}`;
    if (isNamed) texts.push(drawing("text", { x: xOf(khz), y: 58 }, number(khz / 1000, 1)));
  }
  return [drawing("path", { class: "ticks", d: lines }), ...texts];
}
/**
 * Returns the marks and the names of marks that are lit, if there is room for them.
 * @param {Mark[]} marks from low to high frequencies
 */
function drawMarks(marks) {
  let free = 0;
  return marks.flatMap(({ x, count, isNew, name }) => {
    const height = isNew ? 30 : Math.min(26, 6 + 4 * count);
    const mark = drawing("path", {
      class: isNew ? "signal new" : "signal",
      d: `M${x.toFixed(1)} 43v${-height}`,
    });
    if (!isNew || x < free) return mark;
    free = x + NAME;
    const isLast = x > WIDTH - NAME;
    const place = { x: isLast ? x - 6 : x + 6, y: 21, class: isLast ? "name end" : "name" };
    return [mark, drawing("text", place, name)];
  });
}

export class Scope {
  node = drawing("svg", { viewBox: `0 0 ${WIDTH} 60`, "aria-hidden": "true" });
  /** @type {Mark[]} */
  marks = [];

  /** @param {(khz: number) => void} choose called with the frequency of a clicked mark */
  constructor(choose) {
    this.node.addEventListener("click", ({ clientX }) => {
      const { left, width } = this.node.getBoundingClientRect();
      const at = ((clientX - left) / width) * WIDTH;
      const far = (/** @type {Mark} */ { x }) => Math.abs(x - at);
      const [near] = [...this.marks].sort((a, b) => far(a) - far(b));
      if (near && far(near) <= NEAR) choose(near.khz);
    });
  }
  /**
   * Draws the spots on 11 m. Returns whether there are any.
   * @param {Spot[]} all newest first
   * @param {(spot: Spot) => boolean} isNew
   */
  show(all, isNew) {
    const spots = all.filter(({ band, frequency }) => band === "11m" && frequency !== null);
    /** @type {Map<number, Mark>} */
    const marks = new Map();
    const [from, to] = spots.length ? rangeOf(spots) : [0, 1];
    const xOf = (/** @type {number} */ khz) => ((khz - from) / (to - from)) * WIDTH;
    for (const spot of spots) {
      const khz = Number(spot.frequency);
      const mark = marks.get(khz) ?? { x: xOf(khz), khz, count: 0, isNew: false, name: "" };
      marks.set(khz, mark);
      mark.count++;
      if (mark.isNew || !isNew(spot)) continue;
      mark.isNew = true;
      mark.name = callsignOf(spot);
    }
    this.marks = [...marks.values()].sort((a, b) => a.khz - b.khz);
    if (spots.length) this.node.replaceChildren(...dialOf(from, to, xOf), ...drawMarks(this.marks));
    return spots.length > 0;
  }
}
