// Reads a text with separated values (CSV, TSV) as a sheet. Finds the separator and the encoding
// from the content.
import { decodeUtf8 } from "./adif-reader.js";
import { decodeValue } from "./adif-encodings.js";
import { COLUMNS_MAX, SheetRefusal, addRow } from "./sheet-rows.js";

/** @import { EncodingChoice as Choice, SheetOfRows } from "../types.js" */

const SEPARATORS = [";", "\t", ",", "|"];
const CANDIDATES = ["CP1252", "CP1250", "CP1251", "SHIFT_JIS"];
const SAMPLES = 3; // lines shown for each encoding
const TRIED_LINES = 60; // lines from which the separator is found
const TRIED_LETTERS = 200000; // of these lines
const ROW_MAX = 20000; // cells of a row with the empty ones at its end
const ROWS_IN_STEP = 2000;

/**
 * Returns the encodings that fit bytes that are not UTF-8, each with lines that differ from other
 * encodings.
 * @param {Uint8Array} bytes
 * @returns {Choice[]}
 */
export function encodingsOf(bytes) {
  /** @type {Uint8Array[]} */
  const odd = [];
  for (let start = 0; start < bytes.length && odd.length < 50;) {
    const found = bytes.indexOf(10, start);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.subarray(start, end);
    if (decodeUtf8(line) === null) odd.push(line);
    start = end + 1;
  }
  return CANDIDATES.flatMap((name) => {
    const texts = odd.map((line) => decodeValue(line, name));
    if (texts.some((text) => text === null)) return [];
    return [{ name, records: texts.slice(0, SAMPLES).map((text) => text?.slice(0, 60) ?? "") }];
  });
}
/**
 * Reads a cell that begins with a quotation mark. Returns null if no mark ends the cell, so the
 * first mark is part of the text.
 * @param {string} text
 * @param {number} at the place after the mark
 * @param {string} separator
 */
function quoted(text, at, separator) {
  let cell = "";
  for (let start = at; ;) {
    const end = text.indexOf('"', start);
    if (end < 0) return null;
    cell += text.slice(start, end);
    const next = text[end + 1] ?? "\n";
    if (next === separator || next === "\n" || next === "\r") return { cell, end: end + 1 };
    if (next !== '"') return null;
    cell += '"';
    start = end + 2;
  }
}
/**
 * Whether a cell in quotation marks contains a whole row, because a mark lacks its partner. A
 * separator before a blank belongs to a sentence.
 * @param {string} cell
 * @param {string} separator
 * @param {number} width cells of the first row
 */
const hasRow = (cell, separator, width) =>
  width > 2 &&
  /[\r\n]/.test(cell) &&
  cell
    .split(/[\r\n]+/)
    .slice(1)
    .some((line) => line.split(separator).filter((part) => part[0] !== " ").length >= width);
/**
 * Returns the rows of a text, one by one.
 * @param {string} text
 * @param {string} separator " " stands for any blanks
 */
function* rowsOf(text, separator) {
  if (separator === " ") {
    for (const line of text.split(/\r\n?|\n/)) yield line.trim() ? line.trim().split(/[ \t]+/) : [];
    return;
  }
  const stop = new RegExp(`[${separator === "|" ? "\\|" : separator}\r\n]`, "g");
  /** @type {string[]} */
  let row = [];
  let width = 0;
  for (let at = 0; at < text.length;) {
    let cell = text[at] === '"' ? quoted(text, at + 1, separator) : null;
    if (cell && hasRow(cell.cell, separator, width)) cell = null;
    stop.lastIndex = cell ? cell.end : at;
    const found = stop.exec(text);
    const end = found ? found.index : text.length;
    row.push(cell ? cell.cell : text.slice(at, end));
    if (row.length > ROW_MAX) throw new SheetRefusal("columns", COLUMNS_MAX);
    at = end + 1;
    if (found?.[0] === separator) {
      if (at === text.length) row.push("");
      continue;
    }
    if (found?.[0] === "\r" && text[at] === "\n") at++;
    yield row;
    width ||= row.length;
    row = [];
  }
  if (row.length) yield row;
}
/**
 * Returns the separator with which most of the first rows have the same number of cells, at least
 * two.
 * @param {string} text
 */
export function separatorOf(text) {
  let best = { separator: ",", worth: 0 };
  const head = text
    .slice(0, TRIED_LETTERS)
    .split(/\r\n?|\n/, TRIED_LINES)
    .join("\n");
  for (const separator of [...SEPARATORS, " "]) {
    /** @type {Map<number, number>} */
    const counts = new Map();
    for (const row of rowsOf(head, separator))
      if (row.length > 1) counts.set(row.length, (counts.get(row.length) ?? 0) + 1);
    // Rows of the same length count as the square of their number, because a long note can have
    // many commas.
    for (const [length, count] of counts) {
      const worth = count * count * Math.min(length, 12) * (separator === " " ? 0.2 : 1);
      if (worth > best.worth) best = { separator, worth };
    }
  }
  return best.separator;
}
/**
 * Reads a text as a sheet, in steps. An apostrophe with which an export marks a formula as text is
 * removed.
 * @param {string} text
 * @returns {Generator<void, SheetOfRows>}
 */
export function* readText(text) {
  const [all, stated] = /^sep=(.)(?:\r\n?|\n)/i.exec(text) ?? ["", ""];
  const rest = text.slice(all.length);
  const separator = stated || separatorOf(rest);
  /** @type {string[][]} */
  const rows = [];
  for (const row of rowsOf(rest, separator)) {
    addRow(
      rows,
      row.map((cell) => cell.replace(/^'(?=[=+\-@\t\r])/, "").replaceAll("\0", "")),
    );
    if (rows.length % ROWS_IN_STEP === 0) yield;
  }
  return { name: "", rows };
}
