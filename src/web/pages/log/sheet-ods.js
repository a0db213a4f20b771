// Reads the sheets of an OpenDocument spreadsheet (ODS).
import {
  CELLS_MAX,
  COLUMNS_MAX,
  ROWS_MAX,
  SheetRefusal,
  addRow,
  inSteps,
  plainNumber,
} from "./sheet-rows.js";
import { XmlReader } from "./xml.js";

/** @import { SheetOfRows as Sheet } from "../types.js" */
/** @import { Zip } from "./zip.js" */

const STEP = 20000; // pieces of XML
const VALUES = new Set(["float", "percentage", "currency"]);

/**
 * Returns a time of day from a duration such as PT12H03M00S.
 * @param {string} duration
 */
export function timeOf(duration) {
  const [, hours, minutes, seconds] = /^PT(\d+)H(\d+)M(\d+)(?:[.,]\d+)?S$/.exec(duration) ?? [];
  return hours === undefined
    ? duration
    : [hours, minutes, seconds].map((part) => part.padStart(2, "0")).join(":");
}

class OdsReader {
  /** @param {string} xml */
  constructor(xml) {
    this.reader = new XmlReader(xml);
    /** @type {Sheet[]} */
    this.sheets = [];
    /** @type {string[]} */
    this.row = [];
    this.rowRepeats = this.cellRepeats = 1;
    /** @type {string | null} */
    this.value = null; // the value if it is not the cell's text
    this.isNumber = this.isText = false;
    this.text = "";
    this.paragraphs = this.notes = this.cells = 0;
    this.gap = 0; // empty rows before the next row
  }

  /** @param {string} name */
  repeats(name) {
    return Math.max(1, Number(this.reader.attribute(`table:number-${name}-repeated`)) || 1);
  }

  beginCell() {
    const { reader } = this;
    const type = reader.attribute("office:value-type");
    this.cellRepeats = this.repeats("columns");
    this.isNumber = VALUES.has(type);
    this.text = "";
    this.paragraphs = 0;
    if (this.isNumber) this.value = reader.attribute("office:value");
    else if (type === "date") this.value = reader.attribute("office:date-value");
    else if (type === "time") this.value = timeOf(reader.attribute("office:time-value"));
    else this.value = null;
  }

  /** Returns the cell's text. A number keeps the zeros with which the sheet shows it. */
  cell() {
    const { value, text } = this;
    if (value === null) return text;
    if (!this.isNumber) return value.replace("T", " ").replace(/ 00:00:00$|(?<=:\d\d)\.\d+$/, "");
    const number = Number(value);
    if (/^0\d+$/.test(text) && Number(text) === number) return text;
    return plainNumber(number);
  }

  endCell() {
    const cell = this.cell();
    const room = COLUMNS_MAX - this.row.length;
    if (cell !== "" && this.cellRepeats > room) throw new SheetRefusal("columns", COLUMNS_MAX);
    for (let n = Math.min(this.cellRepeats, room); n > 0; n--) this.row.push(cell);
  }

  endRow() {
    const { rows } = this.sheets[this.sheets.length - 1];
    // Empty rows count only if another row follows, because they can fill a sheet to its end.
    if (this.row.every((cell) => cell === "")) {
      this.gap += this.rowRepeats;
      return;
    }
    const gap = Math.min(this.gap, ROWS_MAX - rows.length);
    if (this.rowRepeats > ROWS_MAX) throw new SheetRefusal("rows", ROWS_MAX);
    this.cells += gap + this.rowRepeats * this.row.length;
    if (this.cells > CELLS_MAX) throw new SheetRefusal("bytes");
    for (let n = 0; n < gap; n++) rows.push([]);
    this.gap = 0;
    for (let n = this.rowRepeats; n > 0; n--) addRow(rows, [...this.row]);
  }

  beginParagraph() {
    this.text += this.paragraphs++ ? "\n" : "";
    this.isText = true;
  }

  begin() {
    const { reader } = this;
    const { name } = reader;
    if (name === "table:table") {
      this.sheets.push({ name: reader.attribute("table:name"), rows: [] });
      this.gap = 0;
    } else if (name === "office:annotation") this.notes++;
    else if (!this.sheets.length) return;
    else if (name === "table:table-row") {
      this.row = [];
      this.rowRepeats = this.repeats("rows");
    } else if (name === "table:table-cell" || name === "table:covered-table-cell") this.beginCell();
    else if (name === "text:p" && !this.notes) this.beginParagraph();
    else if (name === "text:s" && !this.notes)
      this.text += " ".repeat(Math.min(1000, Number(reader.attribute("text:c")) || 1));
    else if (name === "text:tab" && !this.notes) this.text += "\t";
    else if (name === "text:line-break" && !this.notes) this.text += "\n";
  }

  end() {
    const { name } = this.reader;
    if (name === "office:annotation") this.notes--;
    else if (!this.sheets.length) return;
    else if (name === "table:table-cell" || name === "table:covered-table-cell") this.endCell();
    else if (name === "table:table-row") this.endRow();
    else if (name === "text:p") this.isText = false;
  }

  /** @returns {Generator<void, Sheet[]>} */
  *read() {
    let step = 0;
    for (let piece; (piece = this.reader.next());) {
      if (++step % STEP === 0) yield;
      if (piece === "begin") this.begin();
      else if (piece === "end") this.end();
      else if (this.isText && !this.notes) this.text += this.reader.text;
    }
    return this.sheets;
  }
}

/** @param {Zip} zip */
export async function readOds(zip) {
  zip.limit(["content.xml"]);
  return inSteps(new OdsReader((await zip.text("content.xml")) ?? "").read());
}
