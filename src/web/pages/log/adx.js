// Converts a file in ADX, the XML form of ADIF, to ADI, as the service does (src/adif/adx.c).
import { decodeUtf8, lettersOf } from "./adif-reader.js";
import { XmlFault, XmlReader } from "./xml.js";

const VALUE_MAX = 1048576;
const NAME_MAX = 64;

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
  if (text !== null) return text;
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
    this.reader = new XmlReader(text);
    this.written = 1; // the line at the end of `out`
    /** @type {{name: string, type: string, value: string} | null} */
    this.field = null;
    /** @type {string[]} */
    this.out = [];
  }

  /** @param {string} reason @returns {never} */
  fail(reason) {
    throw new AdxFault(this.reader.line(), reason);
  }

  /** Fails if a value is too long. @param {number} length */
  limit(length) {
    if (length > VALUE_MAX) this.fail("is ADX with a value of more than 1 MiB");
  }

  /**
   * Begins a field. A user-defined field in the header has the name USERDEFn, and its value is the
   * name of the fields in the records.
   * @param {string} place
   */
  beginField(place) {
    const attributes = this.reader.attributes();
    const valueOf = (/** @type {string} */ name) => attributes.get(name) ?? "";
    let { name } = this.reader;
    const kind = name.toUpperCase();
    if (kind === "APP") name = `APP_${valueOf("PROGRAMID")}_${valueOf("FIELDNAME")}`;
    else if (kind === "USERDEF")
      name = place === "HEADER" ? `USERDEF${valueOf("FIELDID")}` : valueOf("FIELDNAME");
    const isName = /^[^\0-\x1f<>:{}]+$/.test(name) && !/^\/?EO[RH]$/i.test(name);
    if (!isName || measure(name) > NAME_MAX)
      this.fail("is ADX with a field whose name ADIF does not allow");
    const type = valueOf("TYPE");
    const line = this.reader.line();
    this.out.push("\n".repeat(Math.max(0, line - this.written)));
    this.written = Math.max(line, this.written);
    this.field = { name, type: type.length === 1 ? `:${type}` : "", value: "" };
  }

  begin() {
    const place = (this.reader.open.at(-2) ?? "").toUpperCase();
    const kind = this.reader.name.toUpperCase();
    if (!this.field && (place === "HEADER" || place === "RECORD")) this.beginField(place);
    else if (
      this.field ||
      !Object.hasOwn(PLACES, kind) ||
      PLACES[/** @type {keyof typeof PLACES} */ (kind)] !== place
    )
      this.fail("is ADX with an element in a wrong place");
  }

  end() {
    const kind = this.reader.name.toUpperCase();
    if (this.field) {
      const { name, type, value } = this.field;
      const length = measure(value);
      this.limit(length);
      this.out.push(`<${name}:${length}${type}>${value}`);
      this.written += value.split("\n").length - 1;
      this.field = null;
    } else if (kind === "HEADER") this.out.push("<EOH>");
    else if (kind === "RECORD") this.out.push("<EOR>");
  }

  convert() {
    for (let piece; (piece = this.reader.next());) {
      if (piece === "begin") this.begin();
      else if (piece === "end") this.end();
      else if (this.field) {
        this.field.value += this.reader.text;
        this.limit(this.field.value.length);
      }
    }
    return this.out.join("");
  }
}

/**
 * Returns the file as ADI. Each field is in the same line as in the file.
 * @param {Uint8Array} bytes
 */
export function adxToAdi(bytes) {
  try {
    return new TextEncoder().encode(new Converter(decode(bytes)).convert());
  } catch (fault) {
    if (!(fault instanceof XmlFault)) throw fault;
    const reason = fault.isDocumentType
      ? "is ADX with a document type, which ADX does not have"
      : "is ADX that is not well-formed XML";
    throw new AdxFault(fault.line, reason);
  }
}
