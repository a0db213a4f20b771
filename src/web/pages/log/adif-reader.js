// Reads an ADIF file in the same way as the service (src/adif/reader.c). Finds the positions of
// records and values, and the faults in invalid records. The service interprets the values.

const TAG_MAX = 160; // maximum number of characters after the < of <NAME:LENGTH:TYPE>
const LENGTH_MAX = 1048576;
const RECORD_MAX = LENGTH_MAX;
const VALUE_WITH_MARK_MAX = 8192;
const FREE_TEXTS = new Set(
  ["NAME", "QTH", "NOTES", "COMMENT", "MY_RIG", "MY_ANTENNA"].flatMap((name) => [
    name,
    `${name}_INTL`,
  ]),
);
// Fields that occur once per record. If one of these fields is repeated, the end of a record is
// missing.
const ONCE = ["CALL", "QSO_DATE", "TIME_ON"];
// The kinds of text after a value: text directly, text after white space, or a tag or the end.
const [GLUED, SPACED, EXACT] = [1, 2, 3];
const SPACES = /[\t-\r ]*/y;
const TAG_START = /<[a-z_]/i;
const TAG_WITH_LENGTH = /<[a-z_]\w*:\d/i;
// Patterns for the mark at the end of a record: <EOR>, <eor:0>, <EOR/>, <EOR >, </EOR>. The mark at
// the end of a header has the same formats.
const ENDS = { EOR: "</?eor[\\t-\\r ]*(?::[0\\t-\\r ]*)?/?[\\t-\\r ]*>", EOH: "" };
ENDS.EOH = ENDS.EOR.replace("eor", "eoh");

/**
 * A field. `tag` is the position of its tag, and its value is from `start` to `end`. `isCut`: text
 * continues after the stated length.
 * @typedef {{name: string, tag: number, start: number, end: number, isCut: boolean}} Field
 */
/**
 * A record, a header, or an invalid record, which has a `trouble` and no fields. Reading continues
 * at `end`.
 * @typedef {{kind: "record" | "header" | "wrong", line: number, fields: Field[], trouble: string,
 *   end: number}} Found
 */
/**
 * A tag. A valid tag of a field has a length; the marks EOR and EOH have no length.
 * @typedef {{end: number, name?: string, length?: number, wrong?: string, isEmpty?: boolean}} Tag
 */
/**
 * @typedef {{begin: number, end: number}} Mark both are the file's length if the mark is missing
 */

/**
 * Returns the number of length units that a byte adds; `before` is the byte before it. The units
 * are bytes, characters or UTF-16 units, in the file as it is or before its line ends were changed.
 * @typedef {(byte: number, before: number) => number} Weight
 */
/** @type {Weight} */
const ofBytes = () => 1;
/** @type {Weight} */
const ofCharacters = (byte) => Number((byte & 0xc0) !== 0x80);
/** @type {Weight} */
const ofUtf16 = (byte) => (byte >= 0xf0 ? 2 : ofCharacters(byte, 0));
/** @type {(weigh: Weight) => Weight} */
const wasCrLf = (weigh) => (byte, before) =>
  byte === 10 && before !== 13 ? 2 : weigh(byte, before);
/** @type {(weigh: Weight) => Weight} */
const wasLf = (weigh) => (byte, before) => (byte === 10 && before === 13 ? 0 : weigh(byte, before));
/** @type {[Weight, boolean][]} weights, and whether the unit is a character */
const UNITS = [
  [ofCharacters, true],
  [ofUtf16, true],
  [wasCrLf(ofBytes), false],
  [wasCrLf(ofCharacters), true],
  [wasLf(ofBytes), false],
  [wasLf(ofCharacters), true],
];

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Returns bytes as text; null if the bytes are not UTF-8.
 * @param {Uint8Array} bytes
 */
export function decodeUtf8(bytes) {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Returns a text with one character for each byte.
 * @param {Uint8Array} bytes
 */
export function lettersOf(bytes) {
  let letters = "";
  for (let at = 0; at < bytes.length; at += 8192)
    letters += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return letters;
}

/**
 * Returns whether a file begins like ADX, the XML form of ADIF, which adx.js converts.
 * @param {Uint8Array} bytes
 */
export function isAdx(bytes) {
  return /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^]*?)?<adx[\s>/]/i.test(
    lettersOf(bytes.subarray(0, 1024)),
  );
}

class Reader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.letters = lettersOf(bytes);
    this.size = bytes.length;
    this.patterns = { EOR: new RegExp(ENDS.EOR, "gi"), EOH: new RegExp(ENDS.EOH, "gi") };
    this.stickyPatterns = { EOR: new RegExp(ENDS.EOR, "yi"), EOH: new RegExp(ENDS.EOH, "yi") };
    /** The marks that were found last, and the positions at which each search began. */
    this.known = {
      EOR: { from: 1, mark: { begin: 0, end: 0 } },
      EOH: { from: 1, mark: { begin: 0, end: 0 } },
    };
    this.counted = 0;
    this.line = 1;
    this.position = 0;
    // The state of the current record.
    this.begin = 0;
    this.recordLine = 0;
    /** @type {Field[]} */
    this.fields = [];
    /** @type {Map<string, string>} the values of the fields in ONCE */
    this.once = new Map();
    /** @type {[number, string] | null} line and name of a field in ONCE whose values differ */
    this.contradiction = null;
  }

  /** @param {number} position */
  beginRecord(position) {
    this.begin = this.position = position;
    this.recordLine = 0;
    this.fields = [];
    this.once = new Map();
    this.contradiction = null;
  }

  /**
   * Returns the number of the line that contains a position. Line ends are LF, CR LF and CR.
   * @param {number} at
   * @returns {number}
   */
  lineOf(at) {
    for (; this.counted < at; this.counted++) {
      const byte = this.bytes[this.counted];
      if (byte === 10 || (byte === 13 && this.bytes[this.counted + 1] !== 10)) this.line++;
    }
    return this.line;
  }

  /**
   * Returns the first mark at or after a position.
   * @param {"EOR" | "EOH"} name
   * @param {number} from
   * @returns {Mark}
   */
  findMark(name, from) {
    const known = this.known[name];
    if (from < known.from || from > known.mark.begin) {
      const pattern = this.patterns[name];
      pattern.lastIndex = from;
      const found = pattern.exec(this.letters);
      const [begin, end] = found ? [found.index, pattern.lastIndex] : [this.size, this.size];
      this.known[name] = { from, mark: { begin, end } };
    }
    return this.known[name].mark;
  }

  /** Returns the next mark at the end of a record. @param {number} at */
  nextEnd(at) {
    return this.findMark("EOR", at);
  }

  /** @param {number} at @returns {Tag} */
  readTag(at) {
    for (const name of /** @type {const} */ (["EOR", "EOH"])) {
      const pattern = this.stickyPatterns[name];
      pattern.lastIndex = at;
      if (pattern.test(this.letters)) return { end: pattern.lastIndex, name };
    }
    const text = this.letters.slice(at + 1, at + 1 + TAG_MAX);
    const close = text.indexOf(">");
    const [before, ...rest] = (close < 0 ? text : text.slice(0, close)).split(":");
    const hasLength = rest.length > 0;
    const name = hasLength ? trim(before) : before;
    const length = trim(rest[0] ?? "");
    // A tag that does not end within TAG_MAX characters is text, unless it begins like a tag with a
    // length.
    const isLong = hasLength && text.length === TAG_MAX && /^(?:[-\d]|$)/.test(length);
    if ((close < 0 && !isLong) || !/^[^\0-\x1f<>{}]{1,64}$/.test(name)) return { end: at + 1 };
    const tag = { end: at + 2 + close, name: name.toUpperCase() };
    if (close < 0) return { ...tag, end: at + 1, wrong: "has an impossible length" };
    if (hasLength) return { ...tag, ...judgeLength(length) };
    if (/^(?:eof|app_.+_eof)$/i.test(name)) return { end: tag.end };
    return /^[a-z_]\w*$/i.test(name) ? { ...tag, wrong: "has no length" } : { end: at + 1 };
  }

  /**
   * Returns the kind of text after a value that ends at `end`; 0: the value cannot end there.
   * @param {number} end
   * @param {Mark} mark
   */
  judgeEnd(end, mark) {
    if (end > this.size) return 0;
    const after = this.skipSpaces(end);
    this.stickyPatterns.EOR.lastIndex = after;
    const isExact =
      after === this.size ||
      TAG_START.test(this.letters.slice(after, after + 2)) ||
      this.stickyPatterns.EOR.test(this.letters);
    // A value can contain an <EOR>, but not at its end.
    if (end > mark.begin && (!isExact || mark.end > end || this.skipSpaces(mark.end) >= end))
      return 0;
    if (isExact) return EXACT;
    return after > end ? SPACED : GLUED;
  }

  /** @param {number} at */
  skipSpaces(at) {
    SPACES.lastIndex = at;
    SPACES.test(this.letters);
    return SPACES.lastIndex;
  }

  /**
   * Returns the end of a value with the given number of units; -1 if there is no such end up to the
   * mark.
   * @param {number} start
   * @param {number} length
   * @param {number} mark
   * @param {Weight} weigh
   */
  findEnd(start, length, mark, weigh) {
    let used = 0;
    let before = 0;
    let at = start;
    for (; at < mark; at++) {
      const weight = weigh(this.bytes[at], before);
      if (used + weight > length || (used === length && weight > 0)) break;
      used += weight;
      before = this.bytes[at];
    }
    return used === length ? at : -1;
  }

  /**
   * Returns the end of a value and the kind of text after it, or the fault of the value's length.
   * The length is tried in bytes first, and then in other units.
   * @param {number} start
   * @param {number} length
   * @returns {{end: number, fit: number} | string}
   */
  measure(start, length) {
    const mark = this.nextEnd(start);
    const hasMark = mark.begin < this.size;
    let end = start + length;
    if (end > mark.begin && length > VALUE_WITH_MARK_MAX && hasMark)
      return "is longer than its record";
    let fit = this.judgeEnd(end, mark);
    for (const [weigh, countsCharacters] of fit === EXACT ? [] : UNITS) {
      const candidate = this.findEnd(start, length, mark.begin, weigh);
      if (candidate < 0) continue;
      if (countsCharacters && decodeUtf8(this.bytes.subarray(start, candidate)) === null) continue;
      const other = this.judgeEnd(candidate, mark);
      if (other > fit) [end, fit] = [candidate, other];
      if (fit === EXACT) break;
    }
    if (!fit) return hasMark ? "is longer than its record" : "is longer than the file";
    if (fit === GLUED && TAG_START.test(this.letters.slice(start, end + 1)))
      return "has a length that ends inside another field";
    return { end, fit };
  }

  /** Returns whether all fields in ONCE have been read, which means that this is not a header. */
  isRecord() {
    return this.once.size === ONCE.length;
  }

  /**
   * Returns whether a field begins the next record, although the end of this record is missing.
   * Such a field repeats the record's first field, or a field of ONCE. Without a CALL, this record
   * can be a header.
   * @param {string} name
   * @param {number} at
   */
  beginsNext(name, at) {
    if (!this.once.has("CALL") || this.nextEnd(at).begin < this.size) return false;
    return ONCE.includes(name) ? this.once.has(name) : name === this.fields[0].name;
  }

  /**
   * Adds a field to the record. Returns the field's fault, or "".
   * @param {number} at
   * @param {string} name
   * @param {Tag} tag
   */
  takeField(at, name, tag) {
    const measured = this.measure(tag.end, tag.length ?? 0);
    if (typeof measured === "string") return measured;
    const { end, fit } = measured;
    const mark = this.nextEnd(tag.end);
    if (tag.isEmpty && fit !== EXACT) return "has no length";
    const holdsRecord = end > mark.end && TAG_WITH_LENGTH.test(this.letters.slice(mark.end, end));
    if (holdsRecord && !this.goesOn(name, end)) return "is longer than its record";
    const line = this.lineOf(at);
    this.recordLine ||= line;
    const isCut =
      fit === GLUED && !/^(?:[;#(){}[\]*!|,]|\/\/|--)/.test(this.letters.slice(end, end + 2));
    this.fields.push({ name, tag: at, start: tag.end, end, isCut });
    this.position = end;
    const value = trim(this.letters.slice(tag.end, end)).toUpperCase();
    if (ONCE.includes(name) && value) {
      if ((this.once.get(name) ?? value) !== value) this.contradiction = [line, name];
      if (!this.once.has(name)) this.once.set(name, value);
    }
    return "";
  }

  /**
   * Returns whether the record continues after a value that contains an end of record and a field.
   * Only a free text can contain both, and only if the record does not yet have the fields that
   * follow.
   * @param {string} name
   * @param {number} at
   */
  goesOn(name, at) {
    const names = new Set(this.fields.map((field) => field.name));
    if (!FREE_TEXTS.has(name) || names.has(name)) return false;
    names.add(name);
    const { begin } = this.findMark("EOR", at);
    while (at < begin) {
      const next = this.letters.indexOf("<", at);
      if (next < 0 || next >= begin) break;
      const tag = this.readTag(next);
      if (tag.length !== undefined && tag.name && names.has(tag.name)) return false;
      at = tag.end;
    }
    return true;
  }

  /**
   * Ends the current record, and returns it; null: the record has no fields. If the values of a
   * field in ONCE differ, returns an invalid record. Reading continues at `end`.
   * @param {number} end
   * @returns {Found | null}
   */
  finish(end) {
    const { fields, recordLine, contradiction } = this;
    this.beginRecord(end);
    if (contradiction) {
      const [line, name] = contradiction;
      const trouble = `${name} occurs twice with different values: is <EOR> missing between two records?`;
      return { kind: "wrong", line, fields: [], trouble, end };
    }
    return fields.length ? { kind: "record", line: recordLine, fields, trouble: "", end } : null;
  }

  /**
   * Skips the rest of this record, but not the following records. Returns the invalid record, or
   * null if an <EOH> follows, because faults in a header are ignored.
   * @param {number} at
   * @param {string} name
   * @param {string} reason
   * @returns {Found | null}
   */
  giveUp(at, name, reason) {
    const mark = this.nextEnd(at);
    const header = this.isRecord() ? mark : this.findMark("EOH", at);
    if (header.begin < mark.begin) {
      this.beginRecord(header.end);
      return null;
    }
    const line = this.lineOf(at);
    const first = this.fields[0]?.name ?? name;
    const end = mark.begin < this.size ? mark.end : this.findNext(at, first);
    this.beginRecord(end);
    return { kind: "wrong", line, fields: [], trouble: `${name} ${reason}`, end };
  }

  /**
   * Returns the position of the next field with this name, or else the length of the file.
   * @param {number} at
   * @param {string} first
   */
  findNext(at, first) {
    while ((at = this.letters.indexOf("<", at + 1)) >= 0)
      if (this.readTag(at).name === first) return at;
    return this.size;
  }

  /**
   * @param {number} at
   * @returns {Found | null}
   */
  takeTag(at) {
    const tag = this.readTag(at);
    const { name } = tag;
    this.position = tag.end;
    if (name === undefined) return null;
    if (tag.length === undefined && !tag.wrong) {
      if (name === "EOR" || this.isRecord()) return this.finish(tag.end);
      const { fields, recordLine: line } = this;
      this.beginRecord(tag.end);
      return { kind: "header", line, fields, trouble: "", end: tag.end };
    }
    if (this.beginsNext(name, at)) return this.finish(at);
    const wrong = tag.wrong ?? this.takeField(at, name, tag);
    return wrong ? this.giveUp(at, name, wrong) : null;
  }

  /** @returns {Generator<Found>} */
  *read() {
    for (;;) {
      const at = this.letters.indexOf("<", this.position);
      if (at < 0) break;
      if (this.position - this.begin > RECORD_MAX && this.nextEnd(at).begin === this.size) break;
      const found = this.takeTag(at);
      if (found) yield found;
    }
    const last = this.finish(this.size);
    if (last) yield last;
  }
}

/** @param {string} length @returns {{length?: number, wrong?: string, isEmpty?: boolean}} */
function judgeLength(length) {
  if (length === "") return { length: 0, isEmpty: true };
  if (length.startsWith("-")) return { wrong: "has a negative length" };
  if (!/^\d+$/.test(length)) return { wrong: "has a length that is not a number" };
  const number = Number(length);
  return number > LENGTH_MAX ? { wrong: "has an impossible length" } : { length: number };
}

/** @param {string} text */
function trim(text) {
  return text.replace(/^[\t-\r ]+|[\t-\r ]+$/g, "");
}

/**
 * Yields the header, the records and the invalid records of a file, in order.
 * @param {Uint8Array} bytes
 */
export function readAdif(bytes) {
  return new Reader(bytes).read();
}
