// The words of the columns and the questions of a sheet.
import { day, element, number, typed } from "../../shared/page.js";
import { say } from "../../shared/language.js";
import { countryName } from "../../shared/words/countries.js";
import { numberOf } from "../../shared/words/callsigns.js";
import { readDate, readTime, utcOf } from "./sheet-values.js";

/** @import { Child, SheetColumn as Column, SheetQuestion } from "../types.js" */

/** @type {Record<string, string>} the fields in the menu above a column, in this order */
const FIELDS = {
  date: "Date",
  time: "Time",
  qsoAt: "Date and time",
  timeOff: "End",
  callsignWorked: "Callsign",
  frequencyMhz: "Frequency",
  channel: "Channel",
  band: "Band",
  mode: "Mode",
  rstSent: "Sent",
  rstReceived: "Received",
  dxLocator: "Locator",
  notes: "Notes",
  name: "Name",
  ctcssTone: "Tone",
  dcsCode: "DCS code",
  operatorCallsign: "My callsign",
  myLocator: "My locator",
  txPowerW: "Power",
  qslSent: "QSL sent",
  qslReceived: "QSL received",
  qslVia: "QSL by",
  radio: "Radio",
  antenna: "Antenna",
  extra: "Kept with the QSO",
  none: "Not read",
};
const REPORTS = ["hisReport", "myReport", "report", "reportE"];
/** @type {Record<string, string[]>} the questions that decide about a column */
const ASKED = {
  date: ["order", "year", "serial"],
  qsoAt: ["order", "year", "serial", "zone"],
  time: ["zone", "zeros"],
  frequencyMhz: ["bare"],
  channel: ["channels", "plan"],
  qslE: ["qsl"],
};
for (const field of REPORTS) ASKED[field] = ["sent"];

/**
 * Returns the name of a field in the menu above a column.
 * @param {string} field
 */
function fieldWord(field) {
  if (REPORTS.includes(field)) return say("Report");
  if (field === "qslE") return "QSL";
  return Object.hasOwn(FIELDS, field) ? say(FIELDS[field]) : field;
}
/**
 * Returns the choices in the menu above a column.
 * @param {string} current
 * @returns {[field: string, name: string][]}
 */
export function fieldChoices(current) {
  const fields = Object.keys(FIELDS);
  if (!fields.includes(current)) fields.unshift(current);
  return fields.map((field) => [field, fieldWord(field)]);
}
/**
 * Whether a question decides about a column.
 * @param {Column} column
 * @param {SheetQuestion[]} questions
 */
export const isAsked = ({ field, index }, questions) =>
  questions.some(({ id, kind }) => ASKED[field]?.includes(kind) || id === `changed ${index}`);

/**
 * Returns the reason why a column has its field.
 * @param {Column} column
 * @param {SheetQuestion[]} questions
 */
export function reasonOf(column, questions) {
  const { field } = column;
  const counts = { n: number(column.fits), all: number(column.all) };
  if (isAsked(column, questions)) return say("asked above");
  if (!column.all) return say("empty");
  switch (field) {
    case "callsignWorked":
    case "operatorCallsign":
      return say("{n} of {all} are callsigns", counts);
    case "dxLocator":
    case "myLocator":
      return say("{n} of {all} are locators", counts);
    case "extra":
      return say("has no field here");
    case "none":
      return "";
    case "notes":
    case "name":
      return say("any text");
  }
  return say("{n} of {all} can be read", counts);
}
/** @param {number} ms */
const dayText = (ms) => day(new Date(ms).toISOString().slice(0, 10));
/**
 * Returns the title and the reason of a question.
 * @param {SheetQuestion} question
 * @returns {[title: string, why: string]}
 */
export function titleOf({ kind, cell, row, column, answers, chosen }) {
  const quoted = { cell, n: number(row), column };
  switch (kind) {
    case "order": {
      const isMixed = answers.some(({ days }) => !days) && readDate(cell)?.kind === "abc";
      const why = isMixed
        ? say("The dates don't all fit one order.")
        : say("No day is above 12, so the file doesn't decide.");
      return [say("{cell} is", quoted), why];
    }
    case "year":
      return [say("The year of {cell} is", quoted), say("These dates have no year.")];
    case "serial":
      return [say("{cell} is", quoted), say("A date, kept as a number of days.")];
    case "zone":
      return [say("The times are in"), chosen ? "" : say("The file doesn't name a zone.")];
    case "zeros":
      return [say("{cell} is", quoted), say("Zeros at the start were lost.")];
    case "sent":
      if (answers.length === 2 && answers[0].value !== "sent")
        return [say("You sent"), say("The file doesn't say which report you sent.")];
      return [say("“{column}” is the report", quoted), ""];
    case "qsl":
      return [say("“{column}” is the card", quoted), ""];
    case "call":
      return [say("Row {n}: {cell} is", quoted), say("A callsign, read as a number.")];
    case "changed":
      return [say("Row {n}: {cell} is", quoted), say("A value, read as a date.")];
    case "bare":
      return [say("Row {n}: {cell} is", quoted), say("A number without a unit.")];
    case "channels":
      return [say("The channels are on"), ""];
    case "plan":
      return [
        say("Channel {cell} is", quoted),
        say("Countries number their channels differently."),
      ];
    case "band":
      return [say("QSOs without a frequency are on"), ""];
    case "day":
      return [say("All QSOs are on"), say("The sheet has no dates.")];
    case "time":
      return [say("The time of each QSO is"), say("The sheet has no times.")];
  }
}
/**
 * Returns the words of an answer, and its effect on the example.
 * @param {SheetQuestion} question
 * @param {SheetQuestion["answers"][number]} answer
 * @param {number | null} example the date of the example, in ms
 * @returns {{name: Child, meaning: Child}}
 */
export function answerWords({ kind, cell }, { value, name, meaning, day: at, days }, example) {
  if (value === "omit") return { name: say("Leave these rows out"), meaning: "" };
  switch (kind) {
    case "order":
    case "serial": {
      const [n, all] = meaning.split(" / ");
      const range =
        days && days[0] !== days[1]
          ? say("{from} to {to}", { from: dayText(days[0]), to: dayText(days[1]) })
          : all
            ? say("{n} of {all} dates fit", { n: number(+n), all: number(+all) })
            : "";
      return { name: at === undefined ? value : dayText(at), meaning: range };
    }
    case "zone":
      return { name: zoneName(value), meaning: timeIn(cell, value, example) };
    case "sent":
    case "qsl":
      if (value === "sent") return { name: say("that you sent"), meaning: "" };
      if (value === "received") return { name: say("that you received"), meaning: "" };
      return { name: typed(name), meaning: typed(meaning) };
    case "call":
      return { name: typed(name), meaning: countryName(numberOf(name)) };
    case "changed":
      return { name: value === "empty" ? say("an empty cell") : typed(name), meaning: "" };
    case "bare":
      return { name: value === "channel" ? say("a channel") : typed(meaning), meaning: "" };
    case "channels":
    case "band":
      return { name: value === "pmr" ? "PMR446" : "11 m", meaning: "" };
    case "plan":
      return {
        name: value === "none" ? say("only a number") : say(name),
        meaning,
      };
  }
  return { name: typed(name), meaning };
}
/** @param {string} zone */
function zoneName(zone) {
  return zone === "UTC" ? "UTC" : typed(zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " "));
}
/**
 * Returns the time of an example in UTC.
 * @param {string} cell
 * @param {string} zone
 * @param {number | null} example the date, in ms
 */
function timeIn(cell, zone, example) {
  const time = readTime(cell);
  if (!time || example === null) return "";
  const { ms } = utcOf(example + (time.hours * 60 + time.minutes) * 60000, zone);
  return `${new Date(ms).toISOString().slice(11, 16)} UTC`;
}
/** @type {Record<string, string>} */
const REMARKS = {
  nextDay: "{text} counts as the next day",
  otherYear: "{text} counts in another year than the row above",
  twice: "{text} exists twice on this day: it is the first",
  skipped: "{text} was skipped by the clocks: it is an hour later",
  note: "not a QSO: {text}",
  omitted: "left out: {text}",
};
/**
 * Returns a list of the remarks on rows; null: there are none.
 * @param {{row: number, kind: string, text: string}[]} remarks
 */
export function remarksOf(remarks) {
  const SHOWN = 100;
  if (!remarks.length) return null;
  const rest = remarks.length - SHOWN;
  return element(
    "ul",
    { class: "items" },
    element(
      "li",
      { class: "day" },
      element("h3", {}, say("Rows to check")),
      number(remarks.length),
    ),
    ...remarks
      .slice(0, SHOWN)
      .map(({ row, kind, text }) =>
        element(
          "li",
          {},
          element("b", {}, say("row {n}", { n: number(row) })),
          " ",
          typed(say(REMARKS[kind], { text: text.slice(0, 80) })),
        ),
      ),
    rest > 0 ? element("li", { class: "muted" }, say("and {n} more", { n: rest })) : null,
  );
}
