// Reads XML piece by piece. The browser's own reader tells no lines, accepts document types, and
// blocks the page while it reads a large file.

const NAME = "[A-Za-z_:\\u0080-\\uffff][\\w:.\\-\\u0080-\\uffff]*";
const VALUE = "(?:\"[^<\"]*\"|'[^<']*')";
const ATTRIBUTES_MAX = 200;
const TAG = new RegExp(
  `<(${NAME})((?:\\s+${NAME}\\s*=\\s*${VALUE}){0,${ATTRIBUTES_MAX}})\\s*(/?)>`,
  "y",
);
const ATTRIBUTE = new RegExp(`\\s+(${NAME})\\s*=\\s*(${VALUE})`, "g");
/** Attributes in another form than name="value", each after one space. */
const UNUSUAL = /'|[\t\r\n]|\s=|=\s/;
const END_TAG = new RegExp(`</(${NAME})\\s*>`, "y");
const ENTITIES = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const IMPOSSIBLE = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** @param {string} text */
const lineEnds = (text) => (text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text);

/** The place where a text is not XML that the page reads. */
export class XmlFault extends Error {
  /**
   * @param {number} line
   * @param {boolean} isDocumentType the fault is a document type, which can define entities
   */
  constructor(line, isDocumentType) {
    super(`line ${line}`);
    this.line = line;
    this.isDocumentType = isDocumentType;
  }
}

/**
 * After next(), `name` is the element that begins or ends, and `text` is a text between tags.
 * `open` has the names of the elements that are open, from the outside in.
 */
export class XmlReader {
  /** @param {string} text */
  constructor(text) {
    this.source = text.replace(/^\ufeff/, "");
    this.at = this.counted = 0;
    this.counting = 1; // the line at `counted`
    /** @type {string[]} */
    this.open = [];
    this.hasRoot = false;
    this.isEmpty = false; // the element that began has no end tag
    this.name = this.text = this.written = "";
  }

  /** Returns the line of a position. Call this method with increasing positions. */
  line(at = this.at) {
    const { source } = this;
    for (; this.counted < at; this.counted++) {
      const code = source.charCodeAt(this.counted);
      if (code === 10 || (code === 13 && source.charCodeAt(this.counted + 1) !== 10))
        this.counting++;
    }
    return this.counting;
  }

  /** @returns {never} */
  fail(at = this.at, isDocumentType = false) {
    throw new XmlFault(this.line(at), isDocumentType);
  }

  /** Replaces references by their characters. @param {string} text */
  expand(text) {
    if (!text.includes("&")) return text;
    return text.replace(/&(?:#(\d+);|#x([\da-f]+);|(\w+);)?/gi, (_, decimal, hex, name) => {
      if (!decimal && !hex)
        return ENTITIES[/** @type {keyof typeof ENTITIES} */ (name)] ?? this.fail();
      const code = decimal ? Number(decimal) : parseInt(hex, 16);
      const character = code <= 0x10ffff ? String.fromCodePoint(code) : "\0";
      return IMPOSSIBLE.test(character) ? this.fail() : character;
    });
  }

  /**
   * Returns the attributes of the element that began, by their names in upper case.
   * @returns {Map<string, string>}
   */
  attributes() {
    const found = new Map();
    const names = new Set();
    for (const [, name, value] of this.written.matchAll(ATTRIBUTE)) {
      if (names.has(name)) this.fail();
      names.add(name);
      found.set(name.toUpperCase(), this.expand(value.slice(1, -1)));
    }
    return found;
  }

  /**
   * Returns an attribute of the element that began; empty: the element lacks the attribute.
   * @param {string} name
   */
  attribute(name) {
    const { written } = this;
    const from = written.indexOf(` ${name}="`);
    if (from < 0)
      return UNUSUAL.test(written) ? (this.attributes().get(name.toUpperCase()) ?? "") : "";
    const start = from + name.length + 3;
    return this.expand(written.slice(start, written.indexOf('"', start)));
  }

  /** Returns the position after the mark that ends a comment or the like. @param {string} mark */
  after(mark, from = 2) {
    const end = this.source.indexOf(mark, this.at + from);
    return end < 0 ? this.fail(this.source.length) : end + mark.length;
  }

  /**
   * Returns the kind of the next piece; null: the file ends.
   * @returns {"begin" | "end" | "text" | null}
   */
  next() {
    const { source } = this;
    if (this.isEmpty) return this.close();
    while (this.at < source.length) {
      if (source.charCodeAt(this.at) !== 60) {
        if (this.takeText()) return "text";
      } else if (source.startsWith("<!--", this.at)) this.at = this.after("-->", 4);
      else if (source.startsWith("<?", this.at)) this.at = this.after("?>");
      else if (source.startsWith("<!", this.at)) return this.takeSection();
      else if (source.startsWith("</", this.at)) return this.takeEnd();
      else return this.takeBegin();
    }
    if (this.open.length || !this.hasRoot) this.fail();
    return null;
  }

  /** Takes the text that begins here. Returns whether an element contains the text. */
  takeText() {
    const next = this.source.indexOf("<", this.at);
    const end = next < 0 ? this.source.length : next;
    const text = this.source.slice(this.at, end);
    if (text.includes("]]>") || IMPOSSIBLE.test(text)) this.fail();
    if (!this.open.length && /\S/.test(text)) this.fail(this.at + text.search(/\S/));
    this.text = this.expand(lineEnds(text));
    this.at = end;
    return this.open.length > 0;
  }

  /** Takes a section in which marks are text. @returns {"text"} */
  takeSection() {
    const { source, at } = this;
    if (source.startsWith("<!DOCTYPE", at) && !this.hasRoot) this.fail(at, true);
    if (!source.startsWith("<![CDATA[", at) || !this.open.length) this.fail();
    this.at = this.after("]]>");
    this.text = lineEnds(source.slice(at + 9, this.at - 3));
    return "text";
  }

  /** @returns {"begin"} */
  takeBegin() {
    TAG.lastIndex = this.at;
    const [, name, written, slash] = TAG.exec(this.source) ?? this.fail();
    if (!this.open.length && this.hasRoot) this.fail();
    this.hasRoot = true;
    this.name = name;
    this.written = written;
    this.open.push(name);
    this.isEmpty = slash !== "";
    this.tagEnd = TAG.lastIndex;
    if (!this.isEmpty) this.at = this.tagEnd;
    return "begin";
  }

  /** @returns {"end"} */
  takeEnd() {
    END_TAG.lastIndex = this.at;
    const [, name] = END_TAG.exec(this.source) ?? this.fail();
    if (this.open.at(-1) !== name) this.fail();
    this.open.pop();
    this.name = name;
    this.at = END_TAG.lastIndex;
    return "end";
  }

  /** Ends an element without content. @returns {"end"} */
  close() {
    this.isEmpty = false;
    this.open.pop();
    this.at = this.tagEnd ?? this.at;
    return "end";
  }
}
