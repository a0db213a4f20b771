// Converts lines from a paper log to QSOs, as Fast Log Entry does. Words before a callsign state
// when, where and how, and also apply to the lines below. Words after the callsign apply only to
// that QSO, except a sent serial, which increases in the lines below. A time can omit the first
// digits, which are then those of the time above. Does not use the page.
import { normalise } from "../../shared/qsosync-fields.js";
import { upperCase } from "../../shared/words/callsigns.js";
import { frequencyOfChannel, readFrequency } from "../../shared/words/channels.js";
import { MODES } from "./tables.js";

/**
 * @typedef {object} Context The values that apply to the following lines.
 * @property {string} day
 * @property {string} time four digits
 * @property {boolean} isForeign whether the lines name a band that the service does not support
 * @property {number | null} serial of the next QSO; null: QSOs have no serials
 * @property {Record<string, any>} values
 */
/** @typedef {{line: string, qso: any | null, trouble: string | null}} Understood */

const DAY_MS = 86400000;
const LOCATOR = /^[#.]?([a-r]{2}\d{2}([a-x]{2})?)$/i;
const CALLSIGN = /^(?=.*\d)(?=.*[a-z])[a-z0-9/.-]{3,20}$/i;
const NAME = /^\p{L}[\p{L}\p{M}'’.-]*$/u;
const NAMES_MAX = 3; // maximum number of words in a name
/** @type {[RegExp, string][]} patterns for words in place of a callsign, and their faults */
const WRONG = [
  [/^\d+(:\d*)?$/, "The time must be from 0000 to 2359."],
  [/^date$|^\d{1,4}([-/.])\d{1,2}\1\d{1,4}$/i, "Write a day as 2026-05-17."],
  [/^cb\d*$/i, "CB channels are 1 to 40."],
];
const REPORT = /^[1-5]\d?$|^\d$|^[1-5][1-9][1-9]$|^[+-]\d{1,2}$/;
const DIGITAL = /^(rtty|ft[48]|psk\d*|js8(call)?)$/i;
// Words from Fast Log Entry that begin lines for which a QSO has no field.
const UNUSED =
  /^(operator|nickname|my(name|sota|wwff|pota|county|iota)|qslmsg|email|addr|city|county)$/i;

/**
 * @param {string} word
 * @returns {string | null} YYYY-MM-DD
 */
function readDay(word) {
  const [, a, b, c] = /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})$/.exec(word) ?? [];
  if (!a || (a.length > 2 && c.length > 2)) return null;
  const [year, day] = c.length === 4 ? [c, a] : [a, c];
  const iso = `${year.padStart(4, "20")}-${b.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const ms = Date.parse(`${iso}T00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(iso) ? iso : null;
}
/**
 * @param {string} word
 * @param {string} before
 * @returns {string | null} four digits
 */
function readTime(word, before) {
  const digits = word.replace(
    /^(\d{1,2}):(\d{2})$/,
    (_, hour, minute) => hour.padStart(2, "0") + minute,
  );
  if (!/^\d{1,4}$/.test(digits)) return null;
  const time = before.slice(0, 4 - digits.length) + digits;
  return /^([01]\d|2[0-3])[0-5]\d$/.test(time) ? time : null;
}
/**
 * @param {Context} context
 * @param {Record<string, any>} tuning
 */
function tune(context, tuning) {
  const none = { frequencyMhz: null, channel: null, ctcssTone: null, dcsCode: null };
  context.values = { ...context.values, ...none, ...tuning };
  context.isForeign = false;
}
/** @param {string | null} frequencyMhz */
const onEleven = (frequencyMhz) => ({
  band: "ELEVEN_METERS",
  ...(frequencyMhz && { frequencyMhz }),
});

/**
 * Functions that read settings for a line and all lines below. Each function returns the number of
 * words that it has read; 0: none.
 * @type {((words: string[], context: Context) => number)[]}
 */
const SETTINGS = [
  ([word, next = ""], context) => {
    const isNamed = /^date$/i.test(word);
    const day = readDay(isNamed ? next : word);
    if (day) context.day = day;
    return day ? 1 + Number(isNamed) : 0;
  },
  ([word, next = ""], context) => {
    if (!/^day$/i.test(word) || !/^\++$/.test(next)) return 0;
    const ms = Date.parse(`${context.day}T00:00Z`) + next.length * DAY_MS;
    context.day = new Date(ms).toISOString().slice(0, 10);
    return 2;
  },
  ([word, next = ""], context) => {
    const name = { mycall: "operatorCallsign", mygrid: "myLocator" }[word.toLowerCase()];
    if (!name || !next) return 0;
    context.values[name] = upperCase(next);
    return 2;
  },
  // Reads a channel: "ch 8" on PMR446, with the tone that can follow, or "cb 19" on 11 m.
  (words, context) => {
    const [all, kind, channel] = /^(ch|cb) ?(\d{1,2})(?: |$)/i.exec(words.join(" ")) ?? [];
    if (!all) return 0;
    const isPmr = kind.toLowerCase() === "ch";
    if (!isPmr && !frequencyOfChannel(Number(channel))) return 0;
    const count = all.trim().split(" ").length;
    const tone = isPmr && /^\d{2,3}\.\d$/.test(words[count] ?? "") ? words[count] : null;
    if (isPmr)
      tune(context, { band: "PMR446", channel: Number(channel), ...(tone && { ctcssTone: tone }) });
    else tune(context, onEleven(frequencyOfChannel(Number(channel))));
    return count + Number(Boolean(tone));
  },
  ([word], context) => {
    const named = MODES.find((one) => one === word.toUpperCase());
    const mode = named ?? (DIGITAL.test(word) ? "DIGITAL" : null);
    if (mode) context.values.mode = mode;
    return Number(Boolean(mode));
  },
  ([word], context) => {
    if (!/^\d{1,3}[.,]\d{1,4}$/.test(word)) return 0;
    const mhz = Number(word.replace(",", "."));
    if (mhz >= 26 && mhz <= 28) tune(context, onEleven(readFrequency(word)));
    else context.isForeign = true;
    return 1;
  },
  ([word], context) => {
    const [band] = /^(11m|pmr(446)?|\d+c?m)$/i.exec(word) ?? [];
    if (!band) return 0;
    if (band.toLowerCase() === "11m") tune(context, onEleven(null));
    else if (/^pmr/i.test(band)) tune(context, { band: "PMR446" });
    else context.isForeign = true;
    return 1;
  },
  ([word], context) => {
    const time = readTime(word, context.time);
    if (time) context.time = time;
    return Number(Boolean(time));
  },
];

/**
 * Returns a complete report. A single digit is the strength; the readability is 5 and, in CW, the
 * tone is 9.
 * @param {string} word
 * @param {string} mode
 */
function readReport(word, mode) {
  if (word.length > 1) return word;
  return mode === "CW" ? `5${word}9` : `5${word}`;
}
/**
 * Removes a name from the words and returns it: the words before a report, or else the first word.
 * Many operators on PMR446 have a name instead of a callsign.
 * @param {string[]} words
 */
function takeName(words) {
  const end = words.findIndex((word) => !NAME.test(word));
  const hasReport = end > 0 && end <= NAMES_MAX && REPORT.test(words[end]);
  return words.splice(0, hasReport ? end : 1).join(" ");
}
/**
 * Returns the values in the words that follow the callsign or the name.
 * @param {string[]} words
 * @param {Context} context
 * @param {string} called the name; empty: none
 */
function readRest(words, context, called) {
  /** @type {Record<string, any>} */
  const qso = {};
  const reports = ["rstSent", "rstReceived"];
  while (reports.length && REPORT.test(words[0] ?? ""))
    qso[String(reports.shift())] = readReport(String(words.shift()), context.values.mode);
  /** @type {(sign: RegExp) => string | null} removes and returns the first matching word */
  const take = (sign) => {
    const place = words.findIndex((word) => sign.test(word));
    return place < 0 ? null : words.splice(place, 1)[0].replace(/^[#,.@]/, "");
  };
  const [locator, sent, received] = [take(LOCATOR), take(/^,\d+$/), take(/^\.\d+$/)];
  const name = called || take(/^@./);
  if (locator) qso.dxLocator = locator;
  if (sent) context.serial = Number(sent);
  if (context.serial !== null)
    qso.rstSent = `${qso.rstSent ?? "59"} ${String(context.serial++).padStart(3, "0")}`;
  if (received) qso.rstReceived = `${qso.rstReceived ?? "59"} ${received}`;
  const notes = [
    name && `Name: ${name}`,
    words
      .join(" ")
      .replace(/[<>\s]+/g, " ")
      .trim(),
  ];
  qso.notes = notes.filter(Boolean).join("\n") || null;
  return qso;
}

/**
 * @param {string} line
 * @param {Context} context
 * @returns {Understood | null} null: the line is not meant as a QSO
 */
function readLine(line, context) {
  const words = line.split(/\s+/).filter(Boolean);
  if (!words.length || words[0].startsWith("#") || UNUSED.test(words[0])) return null;
  for (let count = 1; words.length && count; words.splice(0, count))
    count = SETTINGS.reduce((taken, read) => taken || read(words, context), 0);
  if (!words.length) return null;
  /** @type {(trouble: string) => Understood} */
  const fail = (trouble) => ({ line, qso: null, trouble });
  const [, wrong] = WRONG.find(([form]) => form.test(words[0])) ?? [];
  if (wrong) return fail(wrong);
  const isPmr = context.values.band === "PMR446";
  const name = isPmr && NAME.test(words[0]) ? takeName(words) : "";
  const callsign = name ? null : String(words.shift());
  if (callsign && !CALLSIGN.test(callsign))
    return fail(isPmr ? "No callsign or name found." : "No callsign found.");
  if (!/^\d{4}$/.test(context.time)) return fail("No time found.");
  if (context.isForeign) return fail("Only 11 m and PMR446 can be logged here.");
  const qso = normalise({
    ...context.values,
    ...readRest(words, context, name),
    callsignWorked: callsign && upperCase(callsign),
    qsoAt: `${context.day}T${context.time.slice(0, 2)}:${context.time.slice(2)}:00Z`,
  });
  return { line, qso, trouble: null };
}

/**
 * Returns the result for each line that is meant as a QSO.
 * @param {string} text
 * @param {string} today day of lines without a date above them, YYYY-MM-DD
 * @param {Record<string, any>} values values of a QSO, for lines that state no others
 * @returns {Understood[]}
 */
export function readLines(text, today, values) {
  /** @type {Context} */
  const context = { day: today, time: "", isForeign: false, serial: null, values: { ...values } };
  return text
    .replace(/\{[^}]*\}/g, "")
    .split("\n")
    .map((line) => readLine(line.trim(), context))
    .filter((understood) => understood !== null);
}
