// Cuts an ADIF file into slices of whole records, as texts.
import { decodeUtf8, lettersOf, readAdif } from "./adif-reader.js";

const RECORDS = 500;
const BYTES = 450000; // at most 900 KiB in UTF-8, and a little more

/** @typedef {import("./adif-reader.js").Found} Found */
/** @typedef {{text: string, records: number}} Slice */

// What Windows-1252 has from 0x80 on, where ISO 8859-1 has control characters.
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/**
 * Text of which each byte that is not part of UTF-8 is Windows-1252.
 * @param {Uint8Array} bytes
 */
function decodeMixed(bytes) {
  const whole = decodeUtf8(bytes);
  if (whole !== null) return whole;
  let text = "";
  for (let at = 0; at < bytes.length;) {
    let length = 1;
    let character = null;
    for (; length <= 4 && at + length <= bytes.length && character === null; length++)
      character = decodeUtf8(bytes.subarray(at, at + length));
    text += character ?? (WINDOWS_1252[bytes[at] - 0x80] || String.fromCharCode(bytes[at]));
    at += character === null ? 1 : length - 1;
  }
  return text;
}

/**
 * A part of a file as text. A value that is not UTF-8 has another length as text, and its tag says
 * that one.
 * @param {Uint8Array} bytes
 * @param {Found[]} found the records of the part
 * @param {number} start
 * @param {number} end
 */
function decodePart(bytes, found, start, end) {
  const whole = decodeUtf8(bytes.subarray(start, end));
  if (whole !== null) return whole;
  const parts = [];
  let done = start;
  for (const field of found.flatMap(({ fields }) => fields)) {
    const value = bytes.subarray(field.start, field.end);
    if (decodeUtf8(value) !== null) continue;
    const text = decodeMixed(value);
    const length = new TextEncoder().encode(text).length;
    const tag = lettersOf(bytes.subarray(field.tag, field.start));
    parts.push(decodeMixed(bytes.subarray(done, field.tag)));
    parts.push(tag.replace(/:[\s\d]*/, `:${length}`), text);
    done = field.end;
  }
  parts.push(decodeMixed(bytes.subarray(done, end)));
  return parts.join("");
}

/**
 * All slices of a file, at least one.
 * @param {Uint8Array} file
 * @returns {Slice[]}
 */
export function sliceAdif(file) {
  const bytes = lettersOf(file.subarray(0, 3)) === "\xef\xbb\xbf" ? file.subarray(3) : file;
  /** @type {Slice[]} */
  const slices = [];
  let start = 0;
  let end = 0;
  /** @type {Found[]} */
  let found = [];
  /** @type {(end: number) => void} */
  const cut = (end) => {
    const records = found.filter(({ kind }) => kind !== "header").length;
    slices.push({ text: decodePart(bytes, found, start, end), records });
    start = end;
    found = [];
  };
  for (const one of readAdif(bytes)) {
    if (found.length === RECORDS || (one.end - start > BYTES && found.length)) cut(end);
    found.push(one);
    end = one.end;
  }
  cut(bytes.length);
  return slices;
}
