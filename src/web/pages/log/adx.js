// Converts a file in ADX, the XML form of ADIF, to ADI, as the service does (src/adif/adx.c). The
// browser's own reader of XML does not tell lines, and accepts document types.
import { decodeUtf8, lettersOf } from "./adif-reader.js";

const VALUE_MAX = 1048576;
const NAME_MAX = 64;
const NAME = "[A-Za-z_:\\u0080-\\uffff][\\w:.\\-\\u0080-\\uffff]*";
const ATTRIBUTE = `\\s+(${NAME})\\s*=\\s*(?:"([^<"]*)"|'([^<']*)')`;
const END_TAG = new RegExp(`</(${NAME})\\s*>`, "y");
const TAG = new RegExp(`<(${NAME})`, "y");
const ATTRIBUTES = new RegExp(ATTRIBUTE, "y");
const TAG_END = /\s*(\/?)>/y;
const ENTITIES = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const IMPOSSIBLE = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const NOT_WELL_FORMED = "is ADX that is not well-formed XML";

/** The places of elements that are not fields, each with the place around it. */
const PLACES = /** @type {const} */ ({
  ADX: "",
  HEADER: "ADX",
  RECORDS: "ADX",
  RECORD: "RECORDS",
});

/** The reason why a file cannot be read, and the line. */
export class AdxFault extends Error {
  /** @param {number} line @param {string} reason */
  constructor(line, reason) {
    super(reason);
    this.line = line;
  }
}

/** @param {Uint8Array} bytes */
function decode(bytes) {
  const text = decodeUtf8(bytes);
  if (text !== null) return text.replace(/^\ufeff/, "");
  const head = lettersOf(bytes.subarray(0, 200));
  const [, name = ""] = /^<\?xml[^>]*encoding\s*=\s*["']([^"']+)/.exec(head) ?? [];
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes);
  } catch {
    throw new AdxFault(1, "is ADX in an encoding other than UTF-8");
  }
}

/** @param {string} text */
function measure(text) {
  return /^[\0-\x7f]*$/.test(text) ? text.length : new TextEncoder().encode(text).length;
}

class Converter {
  /** @param {string} text */
  constructor(text) {
    this.text = text.replace(/\r\n?/g, "\n");
    this.at = this.counted = 0;
    this.line = this.written = 1; // the lines at `counted`, and at the end of `out`
    /** @type {string[]} */
    this.open = []; // names of the open elements
    this.hasRoot = false;
    /** @type {{name: string, type: string, value: string} | null} */
    this.field = null;
    /** @type {string[]} */
    this.out = [];
  }

  /** Returns the line of a position. Call this method with increasing positions. */
  lineOf(at = this.at) {
    for (; this.counted < at; this.counted++)
      if (this.text.charCodeAt(this.counted) === 10) this.line++;
    return this.line;
  }

  /** @returns {never} */
  fail(reason = NOT_WELL_FORMED, at = this.at) {
    throw new AdxFault(this.lineOf(at), reason);
  }

  /** @returns {never} */
  failLong() {
    this.fail("is ADX with a value of more than 1 MiB");
  }

  place() {
    return (this.open.at(-1) ?? "").toUpperCase();
  }

  /** Replaces references by their characters. @param {string} text */
  expand(text) {
    if (!text.includes("&")) return text;
    return text.replace(/&(?:#(\d+);|#x([\da-f]+);|(\w+);)?/gi, (_, decimal, hex, name) => {
      const code = decimal ? Number(decimal) : parseInt(hex, 16);
      if (decimal || hex) {
        const character = code <= 0x10ffff ? String.fromCodePoint(code) : "\0";
        return IMPOSSIBLE.test(character) ? this.fail() : character;
      }
      return ENTITIES[/** @type {keyof typeof ENTITIES} */ (name)] ?? this.fail();
    });
  }

  /** @param {string} text */
  takeText(text) {
    if (this.field) {
      this.field.value += text;
      if (this.field.value.length > VALUE_MAX) this.failLong();
    } else if (!this.open.length && text.trim()) {
      this.fail(NOT_WELL_FORMED, this.at + text.search(/\S/));
    }
  }

  /**
   * Begins a field. A user-defined field in the header has the name USERDEFn, and its value is the
   * name of the fields in the records.
   * @param {string} element @param {Map<string, string>} attributes @param {string} place
   */
  beginField(element, attributes, place) {
    const valueOf = (/** @type {string} */ name) => attributes.get(name) ?? "";
    const kind = element.toUpperCase();
    let name = element;
    if (kind === "APP") name = `APP_${valueOf("PROGRAMID")}_${valueOf("FIELDNAME")}`;
    else if (kind === "USERDEF")
      name = place === "HEADER" ? `USERDEF${valueOf("FIELDID")}` : valueOf("FIELDNAME");
    const isName = /^[^\0-\x1f<>:{}]+$/.test(name) && !/^\/?EO[RH]$/i.test(name);
    if (!isName || measure(name) > NAME_MAX)
      this.fail("is ADX with a field whose name ADIF does not allow");
    const type = valueOf("TYPE");
    const line = this.lineOf();
    this.out.push("\n".repeat(Math.max(0, line - this.written)));
    this.written = Math.max(line, this.written);
    this.field = { name, type: type.length === 1 ? `:${type}` : "", value: "" };
  }

  /** @param {string} element @param {Map<string, string>} attributes */
  begin(element, attributes) {
    const place = this.place();
    const kind = element.toUpperCase();
    if (!this.open.length && this.hasRoot) this.fail();
    this.hasRoot = true;
    if (!this.field && (place === "HEADER" || place === "RECORD"))
      this.beginField(element, attributes, place);
    else if (
      this.field ||
      !Object.hasOwn(PLACES, kind) ||
      PLACES[/** @type {keyof typeof PLACES} */ (kind)] !== place
    )
      this.fail("is ADX with an element in a wrong place");
    this.open.push(element);
  }

  /** @param {string} element */
  end(element) {
    if (this.open.at(-1) !== element) this.fail();
    const place = this.place();
    this.open.pop();
    if (this.field) {
      const { name, type, value } = this.field;
      const length = measure(value);
      if (length > VALUE_MAX) this.failLong();
      this.out.push(`<${name}:${length}${type}>${value}`);
      this.written += value.split("\n").length - 1;
      this.field = null;
    } else if (place === "HEADER") this.out.push("<EOH>");
    else if (place === "RECORD") this.out.push("<EOR>");
  }

  /** Takes the element that begins here. Returns its end. */
  takeTag() {
    TAG.lastIndex = this.at;
    const [, element] = TAG.exec(this.text) ?? this.fail();
    let end = TAG.lastIndex;
    /** @type {Map<string, string>} */
    const attributes = new Map();
    const written = new Set();
    for (;;) {
      ATTRIBUTES.lastIndex = end;
      const [, name, quoted, other] = ATTRIBUTES.exec(this.text) ?? [];
      if (name === undefined) break;
      if (written.has(name)) this.fail();
      written.add(name);
      attributes.set(name.toUpperCase(), this.expand(quoted ?? other));
      end = ATTRIBUTES.lastIndex;
    }
    TAG_END.lastIndex = end;
    const [, slash] = TAG_END.exec(this.text) ?? this.fail();
    end = TAG_END.lastIndex;
    this.begin(element, attributes);
    if (slash) this.end(element);
    return end;
  }

  /** Returns the position after the mark that ends a comment or the like. @param {string} mark */
  after(mark, from = 2) {
    const end = this.text.indexOf(mark, this.at + from);
    return end < 0 ? this.fail(NOT_WELL_FORMED, this.text.length) : end + mark.length;
  }

  /** Takes the markup that begins here. Returns its end. */
  takeMarkup() {
    const { text, at } = this;
    if (text.startsWith("<!--", at)) return this.after("-->", 4);
    if (text.startsWith("<?", at)) return this.after("?>");
    if (text.startsWith("<![CDATA[", at) && this.open.length) {
      const end = this.after("]]>");
      this.takeText(text.slice(at + 9, end - 3));
      return end;
    }
    if (text.startsWith("<!DOCTYPE", at) && !this.hasRoot)
      this.fail("is ADX with a document type, which ADX does not have");
    if (!text.startsWith("</", at)) return this.takeTag();
    END_TAG.lastIndex = at;
    const [, element] = END_TAG.exec(text) ?? this.fail();
    this.end(element);
    return END_TAG.lastIndex;
  }

  convert() {
    const { text } = this;
    const impossible = text.search(IMPOSSIBLE);
    while (this.at < text.length) {
      const next = text.indexOf("<", this.at);
      const end = next < 0 ? text.length : next;
      if (impossible >= 0 && impossible < end) this.fail(NOT_WELL_FORMED, impossible);
      const between = text.slice(this.at, end);
      if (between.includes("]]>")) this.fail();
      this.takeText(this.expand(between));
      this.at = end;
      if (end < text.length) this.at = this.takeMarkup();
    }
    if (this.open.length || !this.hasRoot) this.fail();
    return this.out.join("");
  }
}

/**
 * Returns the file as ADI. Each field is in the same line as in the file.
 * @param {Uint8Array} bytes
 */
export function adxToAdi(bytes) {
  return new TextEncoder().encode(new Converter(decode(bytes)).convert());
}
