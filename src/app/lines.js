// Lines from paper become QSOs, in the manner of Fast Log Entry: what a line says holds for those
// below it, and a time may leave out what the one above says. Knows no page.
import { normalise } from "./qsosync-fields.js";
import { MODES, readFrequency } from "./channels.js";

/**
 * @typedef {object} Context What holds for the lines that follow.
 * @property {string} day
 * @property {string} time four digits
 * @property {Record<string, any>} values
 */
/** @typedef {{line: string, qso: any | null, trouble: string | null}} Understood */

const LOCATOR = /^[a-r]{2}\d{2}([a-x]{2})?$/i;
const CALLSIGN = /^(?=.*\d)(?=.*[a-z])[a-z0-9/.-]{3,20}$/i;
const REPORT = /^[1-5]\d?$|^[1-5][1-9][1-9]$|^[+-]\d{1,2}$/;

/**
 * @param {string} word
 * @param {string} before
 * @returns {string | null} four digits
 */
function readTime(word, before) {
  if (!/^\d{1,4}$/.test(word.replace(":", ""))) return null;
  const digits = word.replace(":", "").padStart(0);
  const time = digits.length === 4 ? digits : before.slice(0, 4 - digits.length) + digits;
  return /^([01]\d|2[0-3])[0-5]\d$/.test(time) ? time : null;
}

/**
 * A line that says what holds for those below; false where it is none.
 * @param {string[]} words
 * @param {Context} context
 */
function readSetting(words, context) {
  const [first, second = ""] = words.map((word) => word.toLowerCase());
  if (first === "date" && /^\d{4}-\d{2}-\d{2}$/.test(second)) context.day = second;
  else if (first === "ch" && /^\d{1,2}$/.test(second)) {
    context.values = { ...context.values, band: "PMR446", channel: Number(second) };
    delete context.values.frequencyMhz;
  } else if (first === "mycall" && second) context.values.operatorCallsign = words[1];
  else if (first === "mygrid" && LOCATOR.test(second)) context.values.myLocator = words[1];
  else {
    const mode = MODES.find((one) => words.some((word) => word.toUpperCase() === one));
    const dial = words.find((word) => /^2\d[.,]\d{1,3}$/.test(word));
    if ((!mode && !dial) || words.length > Number(Boolean(mode)) + Number(Boolean(dial)))
      return false;
    if (mode) context.values.mode = mode;
    if (dial) {
      context.values = {
        ...context.values,
        band: "ELEVEN_METERS",
        frequencyMhz: readFrequency(dial),
      };
      delete context.values.channel;
    }
  }
  return true;
}

/**
 * @param {string} line
 * @param {Context} context
 * @returns {Understood | null} null: the line holds for others
 */
function readLine(line, context) {
  const words = line.split(/\s+/).filter(Boolean);
  if (!words.length || readSetting(words, context)) return null;
  const time = words.length > 1 ? readTime(words[0], context.time) : null;
  if (time) {
    context.time = time;
    words.shift();
  }
  const callsign = words.shift() ?? "";
  if (!CALLSIGN.test(callsign)) return { line, qso: null, trouble: "No callsign was understood." };
  if (!/^\d{4}$/.test(context.time)) return { line, qso: null, trouble: "No time was understood." };
  /** @type {Record<string, any>} */
  const qso = { ...context.values, callsignWorked: callsign.toUpperCase() };
  const reports = ["rstSent", "rstReceived"];
  while (reports.length && REPORT.test(words[0] ?? "")) {
    const report = /** @type {string} */ (words.shift());
    qso[/** @type {string} */ (reports.shift())] = report.length === 1 ? `5${report}` : report;
  }
  const place = words.findIndex((word) => LOCATOR.test(word));
  if (place >= 0) [qso.dxLocator] = words.splice(place, 1);
  if (words.length) qso.notes = words.join(" ");
  qso.qsoAt = `${context.day}T${context.time.slice(0, 2)}:${context.time.slice(2)}:00Z`;
  return { line, qso: normalise(qso), trouble: null };
}

/**
 * What was understood of each line that is a QSO, or should be one.
 * @param {string} text
 * @param {string} today
 * @param {Record<string, any>} values that hold where no line says otherwise
 * @returns {Understood[]}
 */
export function readLines(text, today, values) {
  const context = { day: today, time: "", values: { ...values } };
  return text
    .split("\n")
    .map((line) => readLine(line.trim(), context))
    .filter((understood) => understood !== null);
}
