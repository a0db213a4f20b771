// Reads workbooks: XLSX (Excel) here, ODS (LibreOffice) in sheet-ods.js. The browser unpacks the
// file, and the sheets are read in steps, so that the page answers meanwhile.
import {
  CELLS_MAX,
  COLUMNS_MAX,
  ROWS_MAX,
  SheetRefusal,
  addRow,
  inSteps,
  plainNumber,
} from "./sheet-rows.js";
import { readOds } from "./sheet-ods.js";
import { XmlReader } from "./xml.js";
import { Zip } from "./zip.js";

/** @import { SheetOfRows as Sheet } from "../types.js" */
/**
 * The meaning of a number in a cell: a date, a time, or the least number of digits that it shows.
 * @typedef {{isDate: boolean, isTime: boolean, digits: number}} Format
 */

const STEP = 20000; // pieces of XML
const PART_MAX = 8 << 20; // letters in a part that is read in one step
const DAY_SECONDS = 86400;
const DAY_ZERO = Date.UTC(1899, 11, 30);
const DAY_ZERO_1904 = Date.UTC(1904, 0, 1);
/** The numbers of formats that no workbook defines, as lists of dates, times, and both. */
const DATES = new Set([14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58]);
const TIMES = new Set([18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56]);
const BOTH = 22;

/** @param {string} name of an element, perhaps with a prefix */
const local = (name) => name.slice(name.indexOf(":") + 1);

/**
 * Returns the meaning of a number format.
 * @param {string} code such as yyyy-mm-dd
 * @returns {Format}
 */
export function formatOf(code) {
  const plain = code
    .split(";")[0]
    .replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|am\/pm|a\/p/gi, "")
    .toLowerCase();
  const isTime = /[hs]/.test(plain);
  const isDate = /[yd]/.test(plain) || (!isTime && plain.includes("m"));
  return { isDate, isTime, digits: /^0+$/.test(plain) ? plain.length : 0 };
}

/**
 * Returns a number of days as a date, a time, or both.
 * @param {number} days
 * @param {Format} format
 * @param {boolean} is1904 whether the workbook counts days from 1904
 */
export function dayText(days, { isDate }, is1904) {
  const zero = is1904 ? DAY_ZERO_1904 : DAY_ZERO;
  const seconds = Math.round(days * DAY_SECONDS);
  const ms = zero + seconds * 1000;
  if (days < 0 || !(ms < Date.UTC(10000, 0, 1))) return plainNumber(days);
  const [date, time] = new Date(ms).toISOString().slice(0, 19).split("T");
  if (!isDate) return time;
  return seconds % DAY_SECONDS ? `${date} ${time}` : date;
}

/**
 * Returns the targets of a part's relationships, by their id and by the end of their type.
 * @param {Zip} zip
 * @param {string} part "" for the whole file
 */
async function targetsOf(zip, part) {
  const folder = part.slice(0, part.lastIndexOf("/") + 1);
  const text = await smallText(zip, `${folder}_rels/${part.slice(folder.length)}.rels`);
  /** @type {Map<string, string>} */
  const targets = new Map();
  const reader = new XmlReader(text ?? "<none/>");
  for (let piece; (piece = reader.next());) {
    if (piece !== "begin" || local(reader.name) !== "Relationship") continue;
    const target = reader.attribute("Target");
    const path = target.startsWith("/") ? target.slice(1) : folder + target;
    targets.set(reader.attribute("Id"), path);
    const type = reader.attribute("Type");
    targets.set(type.slice(type.lastIndexOf("/")), path);
  }
  return targets;
}

/**
 * Returns the texts that cells share. Phonetic readings are not part of a text.
 * @param {string} xml
 * @returns {Generator<void, string[]>}
 */
function* readShared(xml) {
  const reader = new XmlReader(xml);
  const texts = [];
  let [text, isText, phonetic, step] = ["", false, 0, 0];
  for (let piece; (piece = reader.next());) {
    if (++step % STEP === 0) yield;
    const name = local(reader.name);
    if (piece === "text") text += isText && !phonetic ? reader.text : "";
    else if (name === "t") isText = piece === "begin";
    else if (name === "rPh") phonetic += piece === "begin" ? 1 : -1;
    else if (name === "si" && piece === "begin") text = "";
    else if (name === "si") texts.push(text);
  }
  return texts;
}

/**
 * Returns the formats of a workbook's cell styles.
 * @param {string} xml
 */
function readStyles(xml) {
  const reader = new XmlReader(xml);
  /** @type {Map<number, Format>} */
  const own = new Map();
  /** @type {Format[]} */
  const formats = [];
  for (let piece; (piece = reader.next());) {
    if (piece !== "begin") continue;
    const number = Number(reader.attribute("numFmtId"));
    const name = local(reader.name);
    if (name === "numFmt") own.set(number, formatOf(reader.attribute("formatCode")));
    if (name === "xf" && local(reader.open.at(-2) ?? "") === "cellXfs")
      formats.push(
        own.get(number) ?? {
          isDate: DATES.has(number) || number === BOTH,
          isTime: TIMES.has(number) || number === BOTH,
          digits: 0,
        },
      );
  }
  return formats;
}

/**
 * Returns the text of a part that is small, unless somebody made it large on purpose.
 * @param {Zip} zip
 * @param {string} name
 */
async function smallText(zip, name) {
  const text = await zip.text(name);
  if (text && text.length > PART_MAX) throw new SheetRefusal("bytes");
  return text;
}

/** The number of a column, from 0. @param {string} reference such as AB12 */
function columnOf(reference) {
  let column = 0;
  for (let at = 0, code; (code = reference.charCodeAt(at)) > 64; at++)
    column = column * 26 + code - 64;
  return column - 1;
}

class SheetReader {
  /**
   * @param {string[]} shared
   * @param {Format[]} formats
   * @param {boolean} is1904
   */
  constructor(shared, formats, is1904) {
    this.shared = shared;
    this.formats = formats;
    this.is1904 = is1904;
    /** @type {string[][]} */
    this.rows = [];
    /** @type {string[]} */
    this.row = [];
    this.column = -1;
    this.cell = { type: "", style: 0, text: "" };
  }

  textOfCell() {
    const { type, style, text } = this.cell;
    if (type === "s") return this.shared[Number(text)] ?? "";
    if (type === "d") return text.replace("T", " ").replace(/(?: 00:00:00)?(?:\.\d+)?Z?$/, "");
    if (type === "b") return text === "1" ? "TRUE" : "FALSE";
    if (type && type !== "n") return text;
    const number = Number(text);
    if (text.trim() === "" || !Number.isFinite(number)) return text.trim();
    const format = this.formats[style];
    if (format?.isDate || format?.isTime) return dayText(number, format, this.is1904);
    return plainNumber(number).padStart(format?.digits ?? 0, "0");
  }

  /** @param {XmlReader} reader */
  beginRow(reader) {
    const number = Number(reader.attribute("r")) || this.rows.length + 1;
    if (number <= this.rows.length) throw new SheetRefusal("unreadable");
    while (this.rows.length < Math.min(number - 1, ROWS_MAX)) this.rows.push([]);
    this.row = [];
    this.column = -1;
  }

  /** @param {XmlReader} reader */
  beginCell(reader) {
    const reference = reader.attribute("r");
    this.column = reference ? columnOf(reference) : this.column + 1;
    this.cell = {
      type: reader.attribute("t"),
      style: Number(reader.attribute("s")),
      text: "",
    };
  }

  endCell() {
    const text = this.textOfCell();
    if (!text) return;
    if (this.column >= COLUMNS_MAX) throw new SheetRefusal("columns", COLUMNS_MAX);
    while (this.row.length < this.column) this.row.push("");
    this.row[this.column] = text;
  }

  /**
   * @param {string} xml
   * @returns {Generator<void, string[][]>}
   */
  *read(xml) {
    const reader = new XmlReader(xml);
    let [isText, phonetic, step] = [false, 0, 0];
    for (let piece; (piece = reader.next());) {
      if (++step % STEP === 0) yield;
      const isBegin = piece === "begin";
      const name = local(reader.name);
      if (piece === "text") this.cell.text += isText && !phonetic ? reader.text : "";
      else if (name === "c" && isBegin) this.beginCell(reader);
      else if (name === "c") this.endCell();
      else if (name === "v" || name === "t") isText = isBegin;
      else if (name === "rPh") phonetic += isBegin ? 1 : -1;
      else if (name === "row" && isBegin) this.beginRow(reader);
      else if (name === "row") addRow(this.rows, this.row);
    }
    return this.rows;
  }
}

/**
 * Returns the visible sheets of a workbook, by their name and id.
 * @param {string} xml
 */
function readWorkbookPart(xml) {
  const reader = new XmlReader(xml);
  /** @type {[name: string, id: string][]} */
  const sheets = [];
  let is1904 = false;
  for (let piece; (piece = reader.next());) {
    if (piece !== "begin") continue;
    const name = local(reader.name);
    if (name === "workbookPr") is1904 = /^(?:1|true)$/.test(reader.attribute("date1904"));
    if (name === "sheet" && !reader.attribute("state").toLowerCase().includes("hidden"))
      sheets.push([reader.attribute("name"), reader.attribute("r:id")]);
  }
  return { sheets, is1904 };
}

/**
 * @param {Zip} zip
 * @returns {Promise<Sheet[]>}
 */
async function readXlsx(zip) {
  const part = (await targetsOf(zip, "")).get("/officeDocument") ?? "xl/workbook.xml";
  const { sheets, is1904 } = readWorkbookPart((await smallText(zip, part)) ?? "");
  const targets = await targetsOf(zip, part);
  zip.limit(["/sharedStrings", ...sheets.map(([, id]) => id)].map((id) => targets.get(id) ?? ""));
  const shared = await zip.text(targets.get("/sharedStrings") ?? "");
  const styles = await smallText(zip, targets.get("/styles") ?? "");
  const texts = shared ? await inSteps(readShared(shared)) : [];
  const formats = styles ? readStyles(styles) : [];
  const result = [];
  let count = 0; // rows, because a number of a row can leave out many rows
  for (const [name, id] of sheets) {
    const xml = await zip.text(targets.get(id) ?? "");
    if (xml === null) continue;
    const reader = new SheetReader(texts, formats, is1904);
    const rows = await inSteps(reader.read(xml));
    count += rows.length;
    if (count > CELLS_MAX) throw new SheetRefusal("bytes");
    result.push({ name, rows });
  }
  return result;
}

/**
 * Reads the sheets of a workbook that have at least one row. Throws SheetRefusal if the page does
 * not read the file.
 * @param {Uint8Array} bytes
 * @returns {Promise<Sheet[]>}
 */
export async function readBook(bytes) {
  const zip = new Zip(bytes);
  const isXlsx = zip.has("[Content_Types].xml");
  if (!isXlsx && !zip.has("content.xml")) throw new SheetRefusal("kind");
  try {
    const sheets = await (isXlsx ? readXlsx(zip) : readOds(zip));
    // Empty rows can fill a sheet to its end.
    for (const { rows } of sheets) while (rows.length && !rows.at(-1)?.length) rows.pop();
    return sheets.filter(({ rows }) => rows.length);
  } catch (fault) {
    // A browser that runs out of memory or stack throws a RangeError or an InternalError.
    if (fault instanceof SheetRefusal || fault instanceof TypeError) throw fault;
    throw new SheetRefusal("unreadable");
  }
}
