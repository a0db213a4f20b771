// Positions the names of dots so that the names overlap neither dots nor other names. Pure
// functions; `unit` is the number of units of the drawing per pixel.

/** @import { Point } from "../types.js" */
/** @typedef {Point & {text: string}} Label x: left edge; y: vertical middle */

const LETTER_PX = 7.8; // in the widest of the fonts, DejaVu Sans
const LINE_PX = 12;

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */
/** @type {(a: Box, b: Box) => boolean} */
const touch = (a, b) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
/** @type {(box: Box) => number} */
const farthest = ({ left, top, right, bottom }) =>
  Math.hypot(Math.max(-left, right), Math.max(-top, bottom));
/**
 * Returns the labels that fit next to their dots; earlier items in `wanted` take precedence.
 * @param {(Point & {radius: number, text: string})[]} wanted
 * @param {(Point & {radius: number})[]} taken dots that labels must not cover
 * @param {number} unit
 * @param {number} reach distance from the drawing's origin that labels must not exceed
 * @returns {Label[]}
 */
export function placeLabels(wanted, taken, unit, reach = Infinity) {
  /** @type {Box[]} */
  const boxes = taken.map(({ x, y, radius }) => ({
    left: x - radius * unit,
    right: x + radius * unit,
    top: y - radius * unit,
    bottom: y + radius * unit,
  }));
  /** @type {Label[]} */
  const labels = [];
  for (const { x, y, radius, text } of wanted) {
    const [width, height] = [text.length * LETTER_PX * unit, LINE_PX * unit];
    const away = (radius + 3) * unit;
    const places = [
      { x: x + away, y },
      { x: x - away - width, y },
      { x: x - width / 2, y: y - away - height / 2 },
      { x: x - width / 2, y: y + away + height / 2 },
    ];
    for (const place of places) {
      const box = {
        left: place.x,
        right: place.x + width,
        top: place.y - height / 2,
        bottom: place.y + height / 2,
      };
      if (farthest(box) > reach || boxes.some((other) => touch(box, other))) continue;
      boxes.push(box);
      labels.push({ ...place, text });
      break;
    }
  }
  return labels;
}
