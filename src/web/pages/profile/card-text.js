// Fits texts into the lines of a card: converts a text to one line, or cuts or wraps the text.
import { plain } from "../../shared/page.js";

/** @import { MeasureText } from "../types.js" */

/**
 * Converts a text to one line. Limits stacked marks, because they would cover other lines.
 * @param {unknown} text
 */
export function lineOf(text) {
  return plain(text ?? "")
    .replace(/\s+/g, " ")
    .replace(/(\p{M}{2})\p{M}+/gu, "$1")
    .trim();
}
/** Splits a text into characters as a reader sees them. @param {string} text @returns {string[]} */
function charactersOf(text) {
  return "Segmenter" in Intl
    ? [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)
    : [...text];
}
/**
 * Cuts a text to fit, with an ellipsis at the end.
 * @param {string} text
 * @param {number} room width in multiples of the text size
 * @param {boolean} bold
 * @param {MeasureText} measure
 */
export function cut(text, room, bold, measure) {
  if (measure(text, bold) <= room) return text;
  const characters = charactersOf(text.slice(0, 2000));
  let [fits, fails] = [0, characters.length];
  while (fits + 1 < fails) {
    const middle = (fits + fails) >> 1;
    if (measure(`${characters.slice(0, middle).join("")}…`, bold) <= room) fits = middle;
    else fails = middle;
  }
  return `${characters.slice(0, fits).join("").trimEnd()}…`;
}
/**
 * Wraps a text into at most `most` lines with the width `room`. Cuts each line that does not fit.
 * @param {string} text
 * @param {number} room
 * @param {number} most
 * @param {MeasureText} measure
 */
export function wrap(text, room, most, measure) {
  /** @type {string[]} */
  const lines = [];
  let words = text.slice(0, 2000).split(" ");
  while (words.length && lines.length < most) {
    let count = 1;
    while (
      count < words.length &&
      measure(words.slice(0, count + 1).join(" "), false) <= room &&
      lines.length + 1 < most
    )
      count++;
    const isLast = lines.length + 1 === most;
    lines.push(cut((isLast ? words : words.slice(0, count)).join(" "), room, false, measure));
    words = isLast ? [] : words.slice(count);
  }
  return lines;
}
