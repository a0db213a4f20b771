// Cuts the text of an ADIF file into slices that end after a whole record. A record's end inside a
// value, as in notes that hold a record, is no end: values are passed over by their lengths.

const RECORDS = 500;
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

/**
 * All slices of a text, at least one; `end` is the place in the whole text.
 * @param {string} text
 * @returns {{text: string, records: number, end: number}[]}
 */
export function sliceAdif(text) {
  /** @type {{text: string, records: number, end: number}[]} */
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
    if (found[2] !== undefined) {
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

/**
 * The text of a file. Old programs write Windows-1252; what is not UTF-8 is that.
 * @param {ArrayBuffer} bytes
 */
export function decodeAdif(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
