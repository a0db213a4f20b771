// Lists the questions about a sheet: everything that the file does not decide. A question that the
// file gives a reason to answer has a chosen answer. The reader's answers are texts by the
// question's id.
import { columnOf } from "./sheet-columns.js";
import { ownChannelOf, plansOfChannel } from "./sheet-plans.js";
import { callsOfNumber, dayOf, fold, isPossible, readDate, readTime } from "./sheet-values.js";

/**
 * @import {
 *   SheetColumn as Column, SheetFacts as Facts, SheetOwner as Owner, SheetTable as Table
 * } from "../types.js"
 */
/**
 * An answer. `name` is a text of the file, or empty if the page has a word for the value. `meaning`
 * is its effect on the example.
 * @typedef {{value: string, name: string, meaning: string, day?: number, days?: number[]}} Answer
 */
/**
 * A question. `kind` decides its words, in which `cell` and `row` occur. `more`: another answer can
 * be typed or chosen.
 * @typedef {object} Question
 * @property {string} id
 * @property {"order" | "year" | "serial" | "zone" | "zeros" | "sent" | "qsl" | "call" | "changed" |
 *   "bare" | "channels" | "plan" | "band" | "day" | "time"} kind
 * @property {string} cell
 * @property {number} row
 * @property {string} column the header of its column
 * @property {Answer[]} answers
 * @property {string | null} chosen
 * @property {"" | "zone" | "call" | "day" | "time" | "year"} more
 */
/**
 * Facts about the reader of the page: the zone of the device, the time in ms, and the log's plan of
 * channels.
 * @typedef {{zone: string, now: number} & Owner} Reader
 */

const CALLS_ASKED = 6; // numbers in place of callsigns that are asked one by one
const LATE_MAX = 2; // dates in the future
const AMBIGUOUS = ["hisReport", "myReport", "report", "reportE"];

/**
 * @param {Pick<Question, "id" | "kind"> & Partial<Question>} question
 * @returns {Question}
 */
function questionOf(question) {
  return { cell: "", row: 0, column: "", answers: [], chosen: null, more: "", ...question };
}
/**
 * @param {string} value
 * @param {string} [meaning]
 * @param {string} [name]
 * @returns {Answer}
 */
const answerOf = (value, meaning = "", name = "") => ({ value, name, meaning });
/**
 * Returns the orders in which all dates exist. A few can be in the future, by typing errors.
 * @param {Facts} facts
 */
const wholeOrders = ({ dates, orders }) =>
  [...orders].filter(([, { fits, late }]) => fits === dates && late <= LATE_MAX);
/**
 * Returns the order of the dates if the file decides it: the only order in which all dates exist.
 * @param {Facts} facts
 */
export function orderOf(facts) {
  if (facts.order) return facts.order;
  const whole = wholeOrders(facts);
  return whole.length === 1 ? whole[0][0] : null;
}
/**
 * @param {Facts} facts
 * @returns {Question[]}
 */
function askOrder(facts) {
  const { date, dates, orders, isDotted } = facts;
  if (!date || !orders.size || orderOf(facts)) return [];
  const read = readDate(date.cell);
  const whole = wholeOrders(facts);
  const shown = whole.length ? whole : [...orders];
  const answers = shown.map(([value, { first, last, fits, late }]) => {
    const day = read && dayOf(read, value);
    return {
      ...answerOf(value, whole.length ? "" : `${fits - late} / ${dates}`),
      day: day ? Date.UTC(day.year, day.month - 1, day.day) : undefined,
      days: whole.length ? [first, last] : undefined,
    };
  });
  const chosen = isDotted && whole.some(([value]) => value === "dmy") ? "dmy" : null;
  return [questionOf({ id: "order", kind: "order", ...date, answers, chosen })];
}
/**
 * Asks about dates without a year, and about dates that are numbers of days.
 * @param {Facts} facts
 * @param {Reader} reader
 * @returns {Question[]}
 */
function askShort({ shortDate, serial, date, orders }, { now }) {
  const questions = [];
  if (shortDate) {
    const read = readDate(shortDate.cell);
    const year = new Date(now).getUTCFullYear();
    const answers = [year, year - 1, year - 2].map((one) => answerOf(String(one), "", String(one)));
    questions.push(questionOf({ id: "year", kind: "year", ...shortDate, answers, more: "year" }));
    const isOpen = read?.rest !== "named" && (!date || !orders.size);
    if (isOpen && read) {
      const orderAnswers = ["dmy", "mdy"].flatMap((value) => {
        const day = dayOf(read, value, { year });
        return day ? [{ ...answerOf(value), day: Date.UTC(year, day.month - 1, day.day) }] : [];
      });
      const chosen = orderAnswers.length === 1 ? orderAnswers[0].value : null;
      if (orderAnswers.length)
        questions.push(
          questionOf({ id: "order", kind: "order", ...shortDate, answers: orderAnswers, chosen }),
        );
    }
  }
  const read = serial && readDate(serial.cell);
  if (serial && read) {
    const answers = ["1900", "1904"].flatMap((value) => {
      const day = dayOf(read, "", { is1904: value === "1904" });
      if (!day || !isPossible(day, now)) return [];
      return [{ ...answerOf(value), day: Date.UTC(day.year, day.month - 1, day.day) }];
    });
    questions.push(
      questionOf({ id: "serial", kind: "serial", ...serial, answers, chosen: "1900" }),
    );
  }
  return questions;
}
/**
 * Whether the header of a column says that its times are in UTC.
 * @param {Column | undefined} column
 */
function isUtc(column) {
  return /utc|gmt|zulu|^z$|^tu$|heuretu/.test(fold(column?.header ?? ""));
}
/**
 * Whether the header of a column says that its times are not in UTC: "UTC+1", "local, not UTC".
 * @param {Column | undefined} column
 */
function isOffUtc(column) {
  return /(?:utc|gmt)\+?\d|local|lokal|not|nicht/.test(fold(column?.header ?? ""));
}
/**
 * @param {Table} table
 * @param {Facts} facts
 * @param {Reader} reader
 * @returns {Question[]}
 */
function askZone(table, { time }, { zone }) {
  const columns = ["time", "date", "qsoAt"].map((field) => columnOf(table, field));
  const hasUtc = columns.some(isUtc) && !columns.some(isOffUtc);
  if (!time || hasUtc || table.layout === "wsjtx" || table.layout === "sota") return [];
  const isAdif = columns.some((column) => /^(?:qsodate|timeon)$/.test(fold(column?.header ?? "")));
  const isLocal = /^(?:mesz?|mez)$/.test(fold(columns[0]?.header ?? "")) && zone !== "UTC";
  const answers = [...new Set([zone, "UTC"])].map((value) => answerOf(value));
  const chosen = isAdif ? "UTC" : isLocal ? zone : null;
  return [questionOf({ id: "zone", kind: "zone", ...time, answers, chosen, more: "zone" })];
}
/**
 * @param {Facts} facts
 * @returns {Question[]}
 */
function askZeros({ lostZero, shortTime }) {
  const example = shortTime ?? lostZero;
  const time = example && readTime(example.cell);
  if (!example || !time) return [];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const answers = [answerOf("minutes", "", `${two(time.hours)}:${two(time.minutes)}`)];
  if (shortTime && Number(shortTime.cell) < 24)
    answers.push(answerOf("hours", "", `${two(Number(shortTime.cell))}:00`));
  answers.push(answerOf("omit"));
  const chosen = shortTime ? null : "minutes";
  return [questionOf({ id: "zeros", kind: "zeros", ...example, answers, chosen })];
}
/**
 * Returns the columns of reports whose headers do not say whether they were sent.
 * @param {Table} table
 */
export const openReports = ({ columns }) =>
  columns.filter(({ field }) => AMBIGUOUS.includes(field)).slice(0, 2);
/**
 * @param {Table} table
 * @returns {Question[]}
 */
function askReports(table) {
  const questions = [];
  const open = openReports(table);
  const at = table.rows.findIndex(
    (row, index) => index >= table.first && open.every((column) => row[column.index]?.trim()),
  );
  const call = table.rows[at]?.[columnOf(table, "callsignWorked")?.index ?? -1] ?? "";
  const example = (/** @type {Column} */ { index }) => ({
    cell: table.rows[at]?.[index] ?? "",
    row: at + 1,
  });
  if (open.length === 2) {
    const answers = open.map((column) =>
      answerOf(
        String(column.index),
        [example(column).cell, call].filter(Boolean).join(" · "),
        column.header || example(column).cell,
      ),
    );
    questions.push(
      questionOf({
        id: "sent",
        kind: "sent",
        column: open[0].header,
        ...example(open[0]),
        answers,
      }),
    );
  } else if (open.length) {
    const has = (/** @type {string} */ field) => Boolean(columnOf(table, field));
    const chosen = has("rstSent") ? "received" : has("rstReceived") ? "sent" : null;
    const answers = ["sent", "received"].map((value) => answerOf(value));
    const [{ header }] = open;
    questions.push(
      questionOf({
        id: "sent",
        kind: "sent",
        column: header,
        ...example(open[0]),
        answers,
        chosen,
      }),
    );
  }
  const qsl = columnOf(table, "qslE");
  if (qsl)
    questions.push(
      questionOf({
        id: "qsl",
        kind: "qsl",
        column: qsl.header,
        answers: ["sent", "received"].map((value) => answerOf(value)),
      }),
    );
  return questions;
}
/**
 * Whether a cell that a spreadsheet would read as a number is a callsign as it is: 14E10.
 * @param {string} cell
 */
export const isWrittenCall = (cell) =>
  callsOfNumber(cell).some(({ callsign }) => callsign === cell.toUpperCase());
/**
 * Asks about cells that a spreadsheet has changed: callsigns into numbers, and values into dates.
 * @param {Table} table
 * @param {Facts} facts
 * @returns {Question[]}
 */
function askChanged(table, { numberCalls, datesElsewhere }) {
  // A callsign as it is needs no answer, so others come first if not all are asked.
  const sorted = [...numberCalls];
  if (sorted.length > CALLS_ASKED)
    sorted.sort(([a], [b]) => Number(isWrittenCall(a)) - Number(isWrittenCall(b)));
  const calls = sorted.slice(0, CALLS_ASKED).map(([cell, [row]]) => {
    const found = callsOfNumber(cell);
    const answers = found.map(({ callsign, country }) => answerOf(callsign, country, callsign));
    answers.push(answerOf("omit"));
    const only = found.length === 1 ? found[0].callsign : null;
    const chosen = isWrittenCall(cell) ? cell.toUpperCase() : only;
    return questionOf({
      id: `call ${cell}`,
      kind: "call",
      cell,
      row,
      answers,
      chosen,
      more: "call",
    });
  });
  const dates = [...datesElsewhere].map(([index, example]) => {
    const column = table.columns.find((one) => one.index === index);
    const answers = ["dmy", "mdy"].map((value) => {
      const text = valueOfDate(example.cell, value, column?.field ?? "");
      return answerOf(value, "", text);
    });
    answers.push(answerOf("empty"), answerOf("omit"));
    return questionOf({
      id: `changed ${index}`,
      kind: "changed",
      ...example,
      column: column?.header ?? "",
      answers,
    });
  });
  return [...calls, ...dates];
}
/**
 * Returns the value that a spreadsheet changed into a date: 8-12 in a column of channels, 59 in a
 * column of reports.
 * @param {string} cell
 * @param {string} order
 * @param {string} field
 */
export function valueOfDate(cell, order, field) {
  const date = readDate(cell);
  if (!date) return "";
  const { kind, parts } = date;
  const [day, month] = kind === "ymd" ? [parts[2], parts[1]] : [parts[0], parts[1]];
  const [first, second] = order === "mdy" ? [month, day] : [day, month];
  return /channel|Tone|frequency/.test(field) ? `${first}-${second}` : `${first}${second}`;
}
/**
 * Whether a sheet has channels that only CB has, so they are not on PMR446.
 * @param {Facts} facts
 */
export const hasCbOnly = ({ channels }) =>
  [...channels.keys()].some((name) => !/^(?:\d|1[0-6])$/.test(name));
/**
 * @param {Table} table
 * @param {Facts} facts
 * @param {Record<string, string>} answers
 * @param {Reader} reader
 * @returns {Question[]}
 */
function askTuning(table, facts, answers, reader) {
  const { bare, channels, hasTone, toned, isUntuned } = facts;
  const isCbOnly = hasCbOnly(facts);
  const questions = [];
  if (bare) {
    const bareAnswers = [answerOf("channel"), answerOf("MHz", "", `${bare.cell.trim()} MHz`)];
    questions.push(questionOf({ id: "bare", kind: "bare", ...bare, answers: bareAnswers }));
  }
  const hasBand = Boolean(columnOf(table, "band"));
  if (channels.size && !hasBand) {
    const [first] = channels.values();
    const example = isCbOnly ? toned : first;
    if (example)
      questions.push(
        questionOf({
          id: "channels",
          kind: "channels",
          ...example,
          answers: [answerOf("11m"), answerOf("pmr")],
          chosen: hasTone && !isCbOnly ? "pmr" : null,
        }),
      );
  }
  const isCb = answers.channels !== "pmr" || isCbOnly;
  const names = [
    ...channels.keys(),
    ...(bare && answers.bare === "channel" ? [bare.cell.trim()] : []),
  ];
  const unclear = names.filter((name) => !ownChannelOf(name, reader));
  if (unclear.length && isCb) {
    // The plans differ most in the channels above 40.
    const name = unclear.find((one) => parseInt(one, 10) > 40) ?? unclear[0];
    const answers = plansOfChannel(name).map((one) =>
      answerOf(one.plan, `${one.mhz} MHz`, one.name),
    );
    const { row } = channels.get(name) ?? bare ?? { row: 0 };
    answers.push(answerOf("none"));
    questions.push(questionOf({ id: "plan", kind: "plan", cell: name, row, answers }));
  }
  if (isUntuned && !bare && !channels.size)
    questions.push(
      questionOf({ id: "band", kind: "band", answers: [answerOf("11m"), answerOf("omit")] }),
    );
  return questions;
}
/**
 * Returns the questions about a sheet.
 * @param {Table} table
 * @param {Facts} facts
 * @param {Record<string, string>} answers given so far, which can lead to another question
 * @param {Reader} reader
 */
export function questionsOf(table, facts, answers, reader) {
  const missing = [];
  if (!facts.days) missing.push(questionOf({ id: "day", kind: "day", more: "day" }));
  if (!facts.times)
    missing.push(
      questionOf({
        id: "time",
        kind: "time",
        answers: [answerOf("00:00", "", "00:00")],
        more: "time",
      }),
    );
  return [
    ...missing,
    ...askOrder(facts),
    ...askShort(facts, reader),
    ...askZone(table, facts, reader),
    ...askZeros(facts),
    ...askReports(table),
    ...askTuning(table, facts, answers, reader),
    ...askChanged(table, facts),
  ];
}
