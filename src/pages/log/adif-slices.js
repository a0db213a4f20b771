// Cuts the text of an ADIF file into slices that end after a whole record. A record's end inside a
// value, as in notes that hold a record, is no end: values are passed over by their lengths.

const RECORDS = 500;
const TAG_CHARACTERS = 162; // what is longer is no tag, though it may begin like one
const CHARACTERS = 300000; // at most 900 KiB in UTF-8, and a little more

/**
 * Where the value that begins at `start` ends: lengths count bytes in some files and characters in
 * others; what follows a value is white space, a tag or nothing. -1 where neither fits.
 * @param {string} text
 * @param {number} start
 * @param {number} length
 */
function endOfValue(text, start, length) {
  let bytes = start;
  let left = length;
  while (left > 0 && bytes < text.length) {
    const code = /** @type {number} */ (text.codePointAt(bytes));
    left -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    bytes += code < 0x10000 ? 1 : 2;
  }
  for (const end of [left > 0 ? Infinity : bytes, start + length])
    if (end <= text.length && (end === text.length || /[\s<]/.test(text[end]))) return end;
  return -1;
}

/** @typedef {{text: string, records: number, end: number}} Slice its end in the whole text */

/**
 * All slices of a text, at least one.
 * @param {string} text
 * @returns {Slice[]}
 */
export function sliceAdif(text) {
  /** @type {Slice[]} */
  const slices = [];
  const tag = /<([^<>:]+)(?::(\d+)(?::[^<>]*)?)?>/g;
  let start = 0;
  let records = 0;
  let afterRecord = 0;
  /** @type {(end: number) => void} */
  const cut = (end) => {
    slices.push({ text: text.slice(start, end), records, end });
    start = end;
    records = 0;
  };
  for (let found = tag.exec(text); found; found = tag.exec(text)) {
    if (found[2] !== undefined && found[0].length < TAG_CHARACTERS) {
      const end = endOfValue(text, tag.lastIndex, Number(found[2]));
      if (end > tag.lastIndex) tag.lastIndex = end;
    } else if (found[1].trim().toLowerCase() === "eor") {
      if (tag.lastIndex - start > CHARACTERS && records > 0) cut(afterRecord);
      records++;
      afterRecord = tag.lastIndex;
      if (records === RECORDS) cut(afterRecord);
    }
  }
  if (start < text.length || !slices.length) cut(text.length);
  return slices;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
// What Windows-1252 has from 0x80 on, where ISO 8859-1 has control characters.
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/**
 * Null where it is not UTF-8.
 * @param {Uint8Array} bytes
 */
function decodeUtf8(bytes) {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Text of which each byte that is not part of UTF-8 is Windows-1252, as qsosync-admin reads a
 * value.
 * @param {Uint8Array} bytes
 */
function decodeMixed(bytes) {
  const whole = decodeUtf8(bytes);
  if (whole !== null) return whole;
  let text = "";
  for (let at = 0; at < bytes.length;) {
    let length = 1;
    let character = null;
    for (; length <= 4 && at + length <= bytes.length && character === null; length++) {
      character = decodeUtf8(bytes.subarray(at, at + length));
    }
    const isUtf8 = character !== null;
    text += isUtf8 ? character : WINDOWS_1252[bytes[at] - 0x80] || String.fromCharCode(bytes[at]);
    at += isUtf8 ? length - 1 : 1;
  }
  return text;
}

/**
 * The text of a file. Old programs write Windows-1252, and some files mix it with UTF-8. A value
 * that is not UTF-8 has another length as text, and its tag tells that one.
 * @param {ArrayBuffer} buffer
 */
export function decodeAdif(buffer) {
  const bytes = new Uint8Array(buffer);
  const whole = decodeUtf8(bytes);
  if (whole !== null) return whole.replace(/^\ufeff/, "");
  let letters = ""; // one for each byte
  for (let at = 0; at < bytes.length; at += 8192) {
    letters += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  const tag = /<([^<>:]{1,64}):(\d{1,9})((?::[^<>]{0,64})?)>/g;
  const parts = [];
  let done = 0;
  for (let found = tag.exec(letters); found; found = tag.exec(letters)) {
    const start = tag.lastIndex;
    const end = start + Number(found[2]);
    const value = bytes.subarray(start, end);
    const isEnd = end === bytes.length || (end < bytes.length && /[\s<]/.test(letters[end]));
    if (!isEnd || /<eor>/i.test(letters.slice(start, end))) continue;
    if (decodeUtf8(value) !== null) {
      tag.lastIndex = end;
      continue;
    }
    const text = decodeMixed(value);
    const length = new TextEncoder().encode(text).length;
    const before = decodeMixed(bytes.subarray(done, found.index));
    parts.push(before, `<${found[1]}:${length}${found[3]}>`, text);
    tag.lastIndex = done = end;
  }
  return parts.join("") + decodeMixed(bytes.subarray(done));
}
