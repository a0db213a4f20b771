// Cuts an ADIF file into slices of whole records, as texts.
import { decodeValue } from "./adif-encodings.js";
import { decodeUtf8, lettersOf } from "./adif-reader.js";

const RECORDS = 500;
const BYTES = 450000; // at most 900 KiB in UTF-8, and a little more

/** @typedef {import("./adif-reader.js").Found} Found */
/** @typedef {{text: string, records: number}} Slice */

/**
 * A part of a file as text. A value that is not UTF-8 has another length as text, and its tag says
 * that one; what does not fit the encoding is left out.
 * @param {Uint8Array} bytes
 * @param {Found[]} found the records of the part
 * @param {number} start
 * @param {number} end
 * @param {string} encoding of values that are not UTF-8
 */
function decodePart(bytes, found, start, end, encoding) {
  const whole = decodeUtf8(bytes.subarray(start, end));
  if (whole !== null) return whole;
  // Nothing counts of what is between the values: lone bytes become marks there.
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
 * All slices of a file, at least one.
 * @param {Uint8Array} bytes
 * @param {Found[]} all its records
 * @param {string} encoding of values that are not UTF-8
 * @returns {Slice[]}
 */
export function sliceAdif(bytes, all, encoding) {
  /** @type {Slice[]} */
  const slices = [];
  let start = 0;
  let end = 0;
  /** @type {Found[]} */
  let found = [];
  /** @type {(end: number) => void} */
  const cut = (end) => {
    const records = found.filter(({ kind }) => kind !== "header").length;
    slices.push({ text: decodePart(bytes, found, start, end, encoding), records });
    start = end;
    found = [];
  };
  for (const one of all) {
    if (found.length === RECORDS || (one.end - start > BYTES && found.length)) cut(end);
    found.push(one);
    end = one.end;
  }
  cut(bytes.length);
  return slices;
}
