// Surveys the cells of a recognised sheet for everything that the file does not decide: the order
// of day and month, lost zeros, cells that a spreadsheet has changed, and others.
import { columnOf, isAlone } from "./sheet-columns.js";
import { valueOfDate } from "./sheet-questions.js";
import {
  dayOf,
  fold,
  isNumberInCall,
  isPossible,
  readChannel,
  readDate,
  readTime,
  readTuning,
  timeInDate,
} from "./sheet-values.js";

/** @import { SheetColumn as Column, SheetDate, SheetTable as Table } from "../types.js" */
/**
 * A cell as an example, with the number of its row.
 * @typedef {{cell: string, row: number}} Example
 */
/**
 * Dates in one order: how many exist, how many of these are in the future, and the first and the
 * last day, in ms.
 * @typedef {{fits: number, late: number, first: number, last: number}} Ordered
 */
/**
 * The facts of a sheet. `dates` counts the dates whose order depends on the file, and `orders` has
 * each order in which at least one date exists. `isDotted`: these dates have dots.
 * `order` is the order of the dates in files of a known program.
 * @typedef {object} Facts
 * @property {string | null} order
 * @property {Example | null} date an example of the dates whose order depends on the file
 * @property {number} dates
 * @property {boolean} isDotted
 * @property {Map<string, Ordered>} orders
 * @property {Example | null} shortDate a date without a year
 * @property {Example | null} serial a date as a number of days
 * @property {number} days dates, including dates above the table and between its rows
 * @property {number} times
 * @property {Example | null} time the first time without a zone
 * @property {Example | null} lostZero a time of three or five digits
 * @property {Example | null} shortTime a time of one or two digits
 * @property {Map<string, number[]>} numberCalls rows by the cell in place of a callsign
 * @property {Map<number, Example>} datesElsewhere by the column: a date in place of a value
 * @property {Example | null} bare a frequency that can be a channel
 * @property {Map<string, Example>} channels channels without a frequency, by name
 * @property {boolean} hasTone
 * @property {Example | null} toned a channel that can be one of PMR446, with a tone
 * @property {boolean} isUntuned a row has neither a frequency, a channel nor a band
 */

const ROWS_IN_STEP = 1000;
const LEAP_YEAR = 2024; // has every day
const VALUES_IN_PLACE = ["channel", "rstSent", "rstReceived", "report", "hisReport", "myReport"];
VALUES_IN_PLACE.push("reportE", "frequencyMhz", "ctcssTone");

/**
 * @param {Facts} facts
 * @param {SheetDate} date
 * @param {Example} example
 * @param {number} now
 */
function surveyDate(facts, date, example, now) {
  facts.days++;
  const canBe = (/** @type {string} */ order) => dayOf(date, order, { year: LEAP_YEAR }) !== null;
  if (date.kind === "short" && (canBe("dmy") || canBe("mdy"))) facts.shortDate ??= example;
  if (date.kind === "serial") facts.serial ??= example;
  if (date.kind !== "abc") return;
  facts.dates++;
  facts.date ??= example;
  facts.isDotted ||= /^\d+\./.test(example.cell.trim());
  for (const order of ["dmy", "mdy", "ymd"]) {
    const day = dayOf(date, order);
    if (!day) continue;
    const late = isPossible(day, now) ? 0 : 1;
    const ms = Date.UTC(day.year, day.month - 1, day.day);
    const known = facts.orders.get(order);
    if (!known) facts.orders.set(order, { fits: 1, late, first: ms, last: ms });
    else {
      known.fits++;
      known.late += late;
      known.first = Math.min(known.first, ms);
      known.last = Math.max(known.last, ms);
    }
  }
}
/**
 * @param {Facts} facts
 * @param {Example} example
 */
function surveyTime(facts, example) {
  const time = readTime(example.cell);
  if (!time) return;
  facts.times++;
  if (!time.zone) facts.time ??= example;
  if (time.digits === 3 || time.digits === 5) facts.lostZero ??= example;
  if (time.digits === 1 || time.digits === 2) facts.shortTime ??= example;
}
/**
 * Whether a spreadsheet has changed a value, such as 8-12, into a date.
 * @param {Pick<Column, "field">} column
 * @param {string} cell
 */
export function isDateInstead({ field }, cell) {
  if (!VALUES_IN_PLACE.includes(field)) return false;
  const date = readDate(cell);
  if (!date || date.kind === "serial") return false;
  // "8-12" itself is a channel with a tone, but not a report; "5/9" is a report.
  if (date.kind === "short" && date.rest !== "named")
    return cell.includes("-") && field !== "channel" && field !== "frequencyMhz";
  return !(field === "frequencyMhz" && readTuning(cell));
}
/** @param {string} band the text of a cell */
export const isPmr = (band) => /^(?:pmr|446)/.test(fold(band));
const TUNING = ["frequencyMhz", "channel", "band", "ctcssTone", "dcsCode", "callsignWorked"];
/**
 * @param {Facts} facts
 * @param {string[]} cells
 * @param {number[]} places of the fields in TUNING
 * @param {number} row
 */
function surveyTuning(facts, cells, places, row) {
  const [tuned, channelled, band, tone, dcs, call] = places.map((at) => (cells[at] ?? "").trim());
  const tuning = readTuning(tuned);
  if (tuning?.isBare) facts.bare ??= { cell: tuned, row };
  const isChanged = isDateInstead({ field: "channel" }, channelled);
  const channel = readChannel(isChanged ? valueOfDate(channelled, "dmy", "channel") : channelled);
  if (channel && channel.channel <= 16 && (tone || dcs || channel.tone) && !tuning?.mhz && !band)
    facts.toned ??= { cell: channelled, row };
  const name = tuning?.channel ?? (channel && `${channel.channel}${channel.letter}`);
  if (name && !tuning?.mhz && !isPmr(band) && !facts.channels.has(String(name)))
    facts.channels.set(String(name), { cell: tuning?.channel ? tuned : channelled, row });
  facts.hasTone ||= Boolean(tone || dcs || channel?.tone);
  if (call && !tuned && !channelled && !band) facts.isUntuned = true;
}
/** @returns {Facts} */
function emptyFacts() {
  return {
    order: null,
    date: null,
    dates: 0,
    isDotted: false,
    orders: new Map(),
    shortDate: null,
    serial: null,
    days: 0,
    times: 0,
    time: null,
    lostZero: null,
    shortTime: null,
    numberCalls: new Map(),
    datesElsewhere: new Map(),
    bare: null,
    channels: new Map(),
    hasTone: false,
    toned: null,
    isUntuned: false,
  };
}
/**
 * Surveys a sheet, in steps.
 * @param {Table} table
 * @param {number} now in ms
 * @returns {Generator<void, Facts>}
 */
export function* survey(table, now) {
  const facts = emptyFacts();
  facts.order = { sota: "dmy", hamlog: "ymd", wsjtx: null, llog: null, "": null }[table.layout];
  const above = readDate(table.dateAbove);
  if (above) surveyDate(facts, above, { cell: table.dateAbove, row: 1 }, now);
  const of = (/** @type {string} */ field) => columnOf(table, field)?.index ?? -1;
  const [dateAt, bothAt, timeAt, callAt] = ["date", "qsoAt", "time", "callsignWorked"].map(of);
  const places = TUNING.map(of);
  for (let at = table.first; at < table.rows.length; at++) {
    if (at % ROWS_IN_STEP === 0) yield;
    const cells = table.rows[at];
    const example = (/** @type {number} */ index) => ({ cell: cells[index] ?? "", row: at + 1 });
    if (isAlone(cells)) {
      const date = readDate(cells.find((cell) => cell.trim()) ?? "");
      if (date && date.kind !== "serial")
        surveyDate(facts, date, example(cells.findIndex(Boolean)), now);
      continue;
    }
    for (const index of [dateAt, bothAt]) {
      const date = index < 0 ? null : readDate(cells[index] ?? "");
      if (!date) continue;
      surveyDate(facts, date, example(index), now);
      if (timeInDate(date)) surveyTime(facts, { cell: timeInDate(date), row: at + 1 });
    }
    if (timeAt >= 0) surveyTime(facts, example(timeAt));
    const call = cells[callAt]?.trim() ?? "";
    if (isNumberInCall(call)) {
      const rows = facts.numberCalls.get(call);
      if (rows) rows.push(at + 1);
      else facts.numberCalls.set(call, [at + 1]);
    }
    for (const column of table.columns)
      if (
        !facts.datesElsewhere.has(column.index) &&
        isDateInstead(column, cells[column.index] ?? "")
      )
        facts.datesElsewhere.set(column.index, example(column.index));
    surveyTuning(facts, cells, places, at + 1);
  }
  return facts;
}
