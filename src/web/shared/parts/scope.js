// Shows the band scope above the list of spots: 11 m as a dial, with a mark for each frequency on
// which there are spots. The page decides what a click on a mark does.
import { drawing, number, plain } from "../page.js";
import { say } from "../language.js";
import { drawScale, markAt, placeOn } from "./scale.js";

const LETTER = 0.0075; // room for a letter of a name, as a part of the width
const NEAR_PX = 12; // distance within which a click finds a mark
const LEAST_KHZ = 400; // smallest range of the dial
const MIDDLE_KHZ = 27555; // middle of the dial without spots
const MOST_TICKS = 250;
const NAMES = 2; // callsigns per mark

/** @import { Scale, Spot } from "../types.js" */
/** @typedef {{khz: number, count: number, names: string[]}} Mark names: callsigns of lit spots */

/**
 * Returns a scale with room for all frequencies.
 * @param {number[]} all in kHz
 * @returns {Scale}
 */
function scaleOf(all) {
  const middle = (Math.min(...all) + Math.max(...all)) / 2;
  const half = Math.max(LEAST_KHZ, Math.max(...all) - Math.min(...all) + 60) / 2;
  const from = Math.floor((middle - half) / 10) * 10;
  const span = Math.ceil((middle + half) / 10) * 10 - from;
  const step = span / 5 > MOST_TICKS ? 50 : 5;
  return {
    from,
    span,
    step,
    named: 20 * step,
    format: (mhz) => number(mhz, 1),
    margin: 0,
  };
}
/**
 * Returns the marks, and the names of lit marks for which there is room at the right or the left.
 * @param {Mark[]} marks from low to high frequencies
 * @param {Scale} scale
 */
function drawMarks(marks, scale) {
  const at = (/** @type {Mark} */ { khz }) => (khz - scale.from) / scale.span;
  const isLit = (/** @type {Mark} */ { names }) => names.length > 0;
  let free = 0;
  return marks.flatMap((mark, index) => {
    const { khz, count, names } = mark;
    const x = placeOn(scale, khz);
    const line = markAt(x, isLit(mark) ? 30 : Math.min(26, 6 + 4 * count), isLit(mark));
    if (!isLit(mark)) return line;
    const next = marks.slice(index + 1).find(isLit);
    const text = names.slice(0, NAMES).join(", ");
    const room = text.length * LETTER;
    const isRight = at(mark) + room < (next ? at(next) : 1);
    if (!isRight && at(mark) - room < free) return line;
    free = isRight ? at(mark) + room : at(mark);
    const look = isRight ? { dx: 6, class: "name" } : { dx: -6, class: "name end" };
    return [line, drawing("text", { x, y: 6, ...look }, text)];
  });
}

export class Scope {
  drawn = drawing("g", { transform: "translate(0 15)" });
  node = drawing("svg", { class: "dial", "aria-hidden": "true" }, this.drawn);
  /** @type {Mark[]} */
  marks = [];
  /** @type {Scale} */
  scale = scaleOf([MIDDLE_KHZ]);

  /** @param {(khz: number) => void} choose called with the frequency of a clicked mark */
  constructor(choose) {
    this.node.addEventListener("click", ({ clientX }) => {
      const { left, width } = this.node.getBoundingClientRect();
      const { from, span } = this.scale;
      const far = (/** @type {Mark} */ { khz }) =>
        Math.abs(left + ((khz - from) / span) * width - clientX);
      const [near] = [...this.marks].sort((a, b) => far(a) - far(b));
      if (near && far(near) <= NEAR_PX) choose(near.khz);
    });
  }
  /**
   * Draws the spots on 11 m.
   * @param {Spot[]} all newest first
   * @param {(spot: Spot) => boolean} isNew
   */
  show(all, isNew) {
    /** @type {Map<number, Mark>} */
    const marks = new Map();
    for (const spot of all) {
      if (spot.band !== "11m" || spot.frequency === null) continue;
      const khz = spot.frequency;
      const mark = marks.get(khz) ?? { khz, count: 0, names: [] };
      marks.set(khz, mark);
      mark.count++;
      const name = spot.spotted ? plain(spot.spotted) : say("no callsign");
      if (isNew(spot) && !mark.names.includes(name)) mark.names.push(name);
    }
    this.marks = [...marks.values()].sort((a, b) => a.khz - b.khz);
    this.scale = scaleOf(marks.size ? [...marks.keys()] : [MIDDLE_KHZ]);
    this.drawn.replaceChildren(...drawScale(this.scale), ...drawMarks(this.marks, this.scale));
  }
}
