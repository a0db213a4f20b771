// Cuts an ADIF file into slices of whole records, as texts.
import { decodeValue } from "./adif-encodings.js";
import { decodeUtf8, lettersOf } from "./adif-reader.js";

const RECORDS = 500;
const BYTES = 450000; // bytes of the file per slice, which are usually at most 900 kB in UTF-8

/** @import { AdifFound as Found } from "../types.js" */
/**
 * A record, a header or an invalid record, with the text before it; or the text at the file's end,
 * for which `found` is null. The piece begins on `line`, and contains `lines` line ends.
 * @typedef {{place: number, start: number, end: number, line: number, lines: number,
 *   found: Found | null}} Piece
 */
/**
 * Records that are sent together, in the order of the file. `encoding` applies to values that are
 * not UTF-8. `unit`: the number of a piece is that of its line, or of its row in a sheet.
 * @typedef {{bytes: Uint8Array, encoding: string, pieces: Piece[], text: string,
 *   records: number, unit: "line" | "row"}} Slice
 */

/**
 * Returns a part of a file as text. Values that are not UTF-8 are converted, and the lengths in
 * their tags are updated. Values that do not fit the encoding become empty.
 * @param {Uint8Array} bytes
 * @param {Found[]} found the records in the part
 * @param {number} start
 * @param {number} end
 * @param {string} encoding of values that are not UTF-8
 */
function decodePart(bytes, found, start, end, encoding) {
  const whole = decodeUtf8(bytes.subarray(start, end));
  if (whole !== null) return whole;
  // Text between the values is ignored, so invalid bytes there can become replacement characters.
  const loose = new TextDecoder();
  const parts = [];
  let done = start;
  for (const field of found.flatMap(({ fields }) => fields)) {
    const value = bytes.subarray(field.start, field.end);
    if (decodeUtf8(value) !== null) continue;
    const text = decodeValue(value, encoding) ?? "";
    const length = new TextEncoder().encode(text).length;
    const tag = lettersOf(bytes.subarray(field.tag, field.start));
    parts.push(loose.decode(bytes.subarray(done, field.tag)));
    parts.push(tag.replace(/:[\s\d]*/, `:${length}`), text);
    done = field.end;
  }
  parts.push(loose.decode(bytes.subarray(done, end)));
  return parts.join("");
}

/**
 * Counts line ends: LF, CR LF and CR.
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 */
function countLines(bytes, start, end) {
  let lines = 0;
  for (let at = start; at < end; at++)
    if (bytes[at] === 10 || (bytes[at] === 13 && bytes[at + 1] !== 10)) lines++;
  return lines;
}

/** @param {Piece} piece */
export function isRecord({ found }) {
  return found !== null && found.kind !== "header";
}

/**
 * Sets a slice's text and its number of records from its pieces.
 * @param {Slice} slice
 */
export function fillSlice(slice) {
  const { bytes, encoding, pieces } = slice;
  slice.text = "";
  slice.records = pieces.filter(isRecord).length;
  for (let from = 0, to; from < pieces.length; from = to) {
    for (to = from + 1; to < pieces.length && pieces[to].start === pieces[to - 1].end;) to++;
    const found = pieces.slice(from, to).flatMap((piece) => piece.found ?? []);
    slice.text += decodePart(bytes, found, pieces[from].start, pieces[to - 1].end, encoding);
  }
  return slice;
}

/**
 * Returns the text of a piece, without white space at its ends.
 * @param {Slice} slice
 * @param {Piece} piece
 */
export function textOf({ bytes, encoding }, { start, end, found }) {
  return decodePart(bytes, found ? [found] : [], start, end, encoding).trim();
}

/**
 * Converts the number of a line in a slice to its number in the file. The line belongs to the given
 * record. All numbers start at 1.
 * @param {Slice} slice
 * @param {number} line
 * @param {number} record
 */
export function lineInFile({ pieces }, line, record) {
  let [rest, number] = [line, 0];
  for (const piece of pieces) {
    if (isRecord(piece) && ++number === record) return piece.line + rest - 1;
    rest -= piece.lines;
  }
  return line;
}

/**
 * Cuts a file into one or more slices.
 * @param {Uint8Array} bytes
 * @param {Found[]} all the records of the file
 * @param {string} encoding of values that are not UTF-8
 * @returns {Slice[]}
 */
export function sliceAdif(bytes, all, encoding) {
  /** @type {Slice[]} */
  const slices = [];
  /** @type {Piece[]} */
  let pieces = [];
  let [place, start, line] = [0, 0, 1];
  const cut = () => {
    slices.push(fillSlice({ bytes, encoding, pieces, text: "", records: 0, unit: "line" }));
    pieces = [];
  };
  /**
   * @param {number} end
   * @param {Found | null} found
   */
  const add = (end, found) => {
    const lines = countLines(bytes, start, end);
    pieces.push({ place: place++, start, end, line, lines, found });
    start = end;
    line += lines;
  };
  for (const found of all) {
    const length = pieces.length && found.end - pieces[0].start;
    if (pieces.length === RECORDS || length > BYTES) cut();
    add(found.end, found);
  }
  if (start < bytes.length || !slices.length) add(bytes.length, null);
  if (pieces.length) cut();
  return slices;
}
/**
 * Returns the value of a record's field; empty: the record lacks the field.
 * @param {{slice: Slice, piece: Piece}} record
 * @param {string} name in lower case
 */
export function valueOf({ slice, piece }, name) {
  const field = piece.found?.fields.find((one) => one.name.toLowerCase() === name);
  const bytes = field && slice.bytes.subarray(field.start, field.end);
  return (bytes && decodeValue(bytes, slice.encoding))?.trim() ?? "";
}
