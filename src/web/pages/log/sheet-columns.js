// Recognises the columns of a sheet: by their headers, in all languages of schema/columns.tsv, or
// by their values. Finds the row of headers, and reads the date and the station above it.
import { COLUMNS } from "../../shared/columns.js";
import {
  fold,
  isBand,
  isCallsign,
  isLocator,
  isMode,
  isNumberCall,
  isReport,
  readChannel,
  readDate,
  readTime,
  readTuning,
  readYes,
} from "./sheet-values.js";

/** @import { SheetOfRows as Sheet } from "../types.js" */
/**
 * A column. `field` is a field of schema/columns.tsv; "extra": the column is kept under its own
 * name; "none": the column is not read. `fits` of `all` cells have a value of the field.
 * @typedef {object} Column
 * @property {number} index
 * @property {string} header empty: the sheet has no headers
 * @property {string} field
 * @property {number} fits
 * @property {number} all cells with a text
 */
/**
 * A recognised sheet. `first` is the index of the first row below the headers. `layout` is the
 * program whose file has no headers, or "". The rows above the headers can have the date and the
 * station.
 * @typedef {object} Table
 * @property {string} name of the sheet
 * @property {string[][]} rows
 * @property {number} header the index of the row of headers; -1: none
 * @property {number} first
 * @property {number} step from one row to the next from which the values of columns are judged
 * @property {Column[]} columns
 * @property {"" | "wsjtx" | "sota" | "hamlog" | "llog"} layout
 * @property {string} dateAbove
 * @property {{operatorCallsign: string, myLocator: string}} station
 */

const HEADER_ROWS = 40; // rows among which the headers are
const SAMPLE_ROWS = 2000; // rows from which the values of columns are judged
const SAMPLE_CELLS = 60000; // cells of these rows, because a sheet can be wide
const HEADER_MAX = 80; // a longer text is not a header, and would take long to compare

/** @type {Map<string, string>} */
const fieldsByHeader = new Map();
for (const [field, headers] of Object.entries(COLUMNS))
  for (const header of headers.split("|")) fieldsByHeader.set(fold(header), field);

/**
 * Returns the field of a header; undefined: unknown. A unit in brackets does not count.
 * @param {string} header
 */
export function fieldOf(header) {
  if (header.length > HEADER_MAX) return undefined;
  const text = header.trim().replace(/^#(?=.)/, "");
  return (
    fieldsByHeader.get(fold(text)) ?? fieldsByHeader.get(fold(text.replace(/[([].*[)\]]/, "")))
  );
}
/** @type {(cell: string) => boolean} */
const isDate = (cell) => readDate(cell) !== null;
/** @type {(cell: string) => boolean} */
const isTime = (cell) => readTime(cell) !== null;
/** @type {(cell: string) => boolean} */
const isCall = (cell) => isCallsign(cell) || isNumberCall(cell);
/** @type {(cell: string) => boolean} */
const isAnswer = (cell) => readYes(cell) !== null;
/** @type {(cell: string) => boolean} */
const isAny = () => true;
/** @type {Record<string, (cell: string) => boolean>} what the values of a field look like */
const TESTS = {
  callsignWorked: isCall,
  operatorCallsign: isCall,
  operator: isCall,
  date: isDate,
  wholeDate: (cell) => /^(?:ymd|abc)$/.test(readDate(cell)?.kind ?? ""),
  dateOff: isDate,
  qsoAt: isDate,
  time: isTime,
  timeOff: isTime,
  frequencyMhz: (cell) => readTuning(cell) !== null,
  channel: (cell) => readChannel(cell) !== null,
  band: isBand,
  mode: isMode,
  dxLocator: isLocator,
  myLocator: isLocator,
  rstSent: isReport,
  rstReceived: isReport,
  report: isReport,
  hisReport: isReport,
  myReport: isReport,
  reportE: isReport,
  qslSent: isAnswer,
  qslReceived: isAnswer,
  qslE: isAnswer,
};
// A column whose header names one of these fields is kept as it is if no value fits.
const MUST_FIT = ["dxLocator", "myLocator", "operatorCallsign", "operator", "channel", "txPowerW"];

/**
 * Counts the cells of a column that have a value of the column's field.
 * @param {Table} table
 * @param {number} index
 * @param {string} field
 */
export function countFits({ rows, first, step }, index, field) {
  const test = TESTS[field] ?? isAny;
  let [fits, all] = [0, 0];
  for (let at = first; at < rows.length; at += step) {
    const cell = rows[at][index]?.trim();
    // A row with one cell is a note or a date, not a value of a column.
    if (!cell || (rows[at].length > 1 && isAlone(rows[at]))) continue;
    all++;
    if (test(cell)) fits++;
  }
  return { fits, all };
}
/**
 * Returns the row of headers, or -1.
 * @param {string[][]} rows
 */
function findHeader(rows) {
  let best = { at: -1, count: 1 };
  for (let at = 0; at < Math.min(rows.length, HEADER_ROWS); at++) {
    const cells = rows[at].filter((cell) => cell.trim());
    const known = new Set(cells.map(fieldOf).filter((field) => field && field !== "none"));
    if (known.size > best.count && known.size * 2 >= Math.min(cells.length, 8))
      best = { at, count: known.size };
  }
  return best.at;
}
/**
 * Returns the program whose files have no headers, by the first row.
 * @param {string[]} row
 * @returns {{layout: Table["layout"], fields: string}}
 */
function layoutOf(row) {
  const [a = "", b = "", c = "", d = "", e = ""] = row.map((cell) => cell.trim());
  if (/^V2$/i.test(a) && row.length >= 8)
    return {
      layout: "sota",
      fields: "none operatorCallsign extra date time frequencyMhz mode callsignWorked extra notes",
    };
  if (/^\d{4}-\d\d-\d\d$/.test(a) && /^\d\d:\d\d:\d\d$/.test(b) && isDate(c) && isTime(d))
    return {
      layout: "wsjtx",
      fields:
        "date time dateOff timeOff callsignWorked dxLocator frequencyMhz mode rstSent rstReceived txPowerW notes name",
    };
  if (/^\d{4}-\p{L}{3}-\d\d$/u.test(a) && /^\d\d:\d\d/.test(b) && isCallsign(c))
    return {
      layout: "wsjtx",
      fields:
        "date time callsignWorked dxLocator frequencyMhz mode rstSent rstReceived txPowerW notes name",
    };
  if (isCallsign(a) && /^\d\d(?:\d\d)?\/\d\d\/\d\d$/.test(b) && /^\d\d:\d\d[JU]$/.test(c))
    return {
      layout: "hamlog",
      fields:
        "callsignWorked date time rstSent rstReceived frequencyMhz mode extra dxLocator extra name qth notes extra extra",
    };
  if (row.length >= 17 && isDate(a) && isTime(b) && isCall(c) && isReport(d) && isReport(e))
    return {
      layout: "llog",
      fields:
        "date time callsignWorked rstReceived rstSent qth dxLocator name frequencyMhz mode extra extra extra extra notes qslSent operatorCallsign extra myLocator radio txPowerW antenna",
    };
  return { layout: "", fields: "" };
}
/**
 * Reads what the rows above the headers say about all rows: a date, the station, its locator.
 * @param {Table} table
 */
function readAbove(table) {
  for (const row of table.rows.slice(0, Math.max(0, table.header))) {
    const cells = row.flatMap((cell) => cell.split(/:\s+|:$/)).map((cell) => cell.trim());
    cells.forEach((cell, at) => {
      const value = cells.slice(at + 1).find(Boolean) ?? "";
      const date = readDate(cell);
      if (date && date.kind !== "serial" && !table.dateAbove) table.dateAbove = cell;
      const field = fieldOf(cell) ?? "";
      if (/allsign/.test(field) && isCallsign(value)) table.station.operatorCallsign = value;
      if (/Locator$/.test(field) || /^(?:locator|loc|qth)/.test(fold(cell)))
        if (isLocator(value)) table.station.myLocator = value;
    });
  }
}
/**
 * Gives a field to each column of a sheet without headers, by its values.
 * @param {Table} table
 */
function recogniseValues(table) {
  const KINDS = ["date", "dxLocator", "callsignWorked", "mode", "band", "report", "time"];
  const fitsMost = (/** @type {Column} */ { index }, /** @type {string} */ field) => {
    const { fits, all } = countFits(table, index, field);
    return all > 0 && fits >= all * 0.8;
  };
  // Next to a column of whole dates, 27555 is a frequency in kHz, and 12.03 is a time.
  const hasDates = table.columns.some((column) => fitsMost(column, "wholeDate"));
  for (const column of table.columns) {
    for (const field of [...KINDS, "frequencyMhz"]) {
      if (
        field === "date" &&
        (hasDates ? !fitsMost(column, "wholeDate") : isTunedIn(table, column))
      )
        continue;
      const { fits, all } = countFits(table, column.index, field);
      if (!all || fits < all * 0.8) continue;
      // Times of digits only look like reports, and both look like frequencies.
      const isTuned =
        field !== "frequencyMhz" ||
        table.rows.slice(table.first).some((row) => isOnBand(row[column.index] ?? ""));
      if (!isTuned) continue;
      Object.assign(column, { field, fits, all });
      break;
    }
  }
  const of = (/** @type {string} */ field) =>
    table.columns.filter((column) => column.field === field);
  const [, ...dates] = of("date");
  for (const column of dates) column.field = "dateOff";
  const [, ...times] = of("time");
  for (const column of times) column.field = "timeOff";
  // A column with the same callsign in all rows has the member's own callsign.
  const calls = of("callsignWorked");
  if (calls.length > 1)
    for (const column of calls) if (hasOneValue(table, column)) column.field = "operatorCallsign";
}
/**
 * Whether a column has a frequency in kHz, which also looks like a number of days.
 * @param {Table} table
 * @param {Column} column
 */
const isTunedIn = ({ rows, first }, { index }) =>
  rows.slice(first).some((row) => /^2[678]\d{3}(?:[.,]\d+)?$/.test((row[index] ?? "").trim()));
/** @param {string} cell */
function isOnBand(cell) {
  const mhz = readTuning(cell)?.mhz ?? 0;
  return (mhz >= 26 && mhz <= 28 && !/^\d\d$/.test(cell.trim())) || (mhz >= 446 && mhz < 446.3);
}
/**
 * @param {Table} table
 * @param {Column} column
 */
function hasOneValue({ rows, first }, { index }) {
  const texts = new Set(rows.slice(first).map((row) => (row[index] ?? "").trim().toUpperCase()));
  texts.delete("");
  return texts.size === 1;
}
/**
 * Leaves each field to one column. The other columns of the field are kept as they are, or have the
 * member's own callsign.
 * @param {Table} table
 */
function leaveOneOfEach(table) {
  /** @type {Map<string, Column>} */
  const taken = new Map();
  for (const column of table.columns) {
    const { field } = column;
    if (field === "extra" || field === "none") continue;
    const other = taken.get(field);
    if (!other) {
      taken.set(field, column);
      continue;
    }
    const isBetter = column.fits > other.fits * 1.2;
    const lower = isBetter ? other : column;
    const isOwn =
      field === "callsignWorked" && hasOneValue(table, lower) && !taken.has("operatorCallsign");
    lower.field = isOwn ? "operatorCallsign" : "extra";
    if (isOwn) taken.set("operatorCallsign", lower);
    if (isBetter) taken.set(field, column);
  }
}
/**
 * Decides which report is meant by "RSTe", which is received in German and sent in Spanish and
 * French, if another column decides.
 * @param {Column[]} columns
 */
function decideLetters(columns) {
  const has = (/** @type {string} */ field) => columns.some((column) => column.field === field);
  for (const column of columns) {
    const [sent, received] = column.field === "qslE" ? ["qslSent", "qslReceived"] : REPORTS;
    if (column.field !== "qslE" && column.field !== "reportE") continue;
    if (has(sent) && !has(received)) column.field = received;
    else if (has(received) && !has(sent)) column.field = sent;
  }
}
const REPORTS = ["rstSent", "rstReceived"];

/**
 * Recognises the columns of a sheet.
 * @param {Sheet} sheet
 * @returns {Table}
 */
export function recognise({ name, rows }) {
  const header = findHeader(rows);
  const first = header < 0 ? rows.findIndex((row) => row.length > 1) : header + 1;
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const samples = Math.min(SAMPLE_ROWS, SAMPLE_CELLS / width);
  /** @type {Table} */
  const table = {
    name,
    rows,
    header,
    first: Math.max(first, 0),
    step: Math.max(1, Math.floor((rows.length - first) / samples)),
    columns: [],
    layout: "",
    dateAbove: "",
    station: { operatorCallsign: "", myLocator: "" },
  };
  for (let index = 0; index < width; index++) {
    const text = (header < 0 ? "" : (rows[header][index] ?? "")).trim();
    const field = fieldOf(text) ?? "extra";
    const fit = countFits(table, index, field);
    if (!fit.all && !text) continue;
    // A spreadsheet can have changed all channels with a tone, such as 8-12, into dates.
    const isChanged = field === "channel" && countFits(table, index, "date").fits > 0;
    const isOther =
      MUST_FIT.includes(field) && fit.all > 0 && !fit.fits && text !== field && !isChanged;
    table.columns.push({ index, header: text, field: isOther ? "extra" : field, ...fit });
  }
  if (header < 0) {
    const { layout, fields } = layoutOf(rows[table.first] ?? []);
    table.layout = layout;
    if (layout)
      fields.split(" ").forEach((field, index) => {
        const column = table.columns.find((one) => one.index === index);
        if (column) Object.assign(column, { field, ...countFits(table, index, field) });
      });
    else recogniseValues(table);
  } else {
    readAbove(table);
    findCallsigns(table);
  }
  const reports = table.columns.filter(({ field }) => field === "report");
  if (reports.length === 2) [reports[0].field, reports[1].field] = ["hisReport", "myReport"];
  leaveOneOfEach(table);
  decideLetters(table.columns);
  return table;
}
/**
 * If no header names the callsign, takes the column without a field whose values are callsigns.
 * @param {Table} table
 */
function findCallsigns(table) {
  if (table.columns.some(({ field }) => field === "callsignWorked")) return;
  for (const column of table.columns) {
    if (column.field !== "extra") continue;
    const { fits, all } = countFits(table, column.index, "callsignWorked");
    if (all && fits >= all * 0.8 && !hasOneValue(table, column))
      Object.assign(column, { field: "callsignWorked", fits, all });
  }
}
/**
 * Whether a row has only one cell with a text.
 * @param {string[]} cells
 */
export function isAlone(cells) {
  let count = 0;
  for (const cell of cells) if (cell.trim() && ++count > 1) return false;
  return count === 1;
}
/**
 * Returns the column of a field, or undefined.
 * @param {Table} table
 * @param {string} field
 */
export const columnOf = ({ columns }, field) => columns.find((column) => column.field === field);
/**
 * Returns a text that is the same for all files with the same columns. Columns without headers
 * differ by their fields.
 * @param {Table} table
 */
export function layoutKey({ columns, layout }) {
  return [layout, ...columns.map(({ header, field, index }) => `${index}${header || field}`)].join(
    "|",
  );
}
