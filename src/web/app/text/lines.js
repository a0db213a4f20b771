// Converts lines from a paper log to QSOs, as Fast Log Entry does. Words before a callsign state
// when, where and how, and also apply to the lines below. Words after the callsign apply only to
// that QSO, except a sent serial, which increases in the lines below. A time can omit the first
// digits, which are then those of the time above. A word with two possible meanings is reported,
// together with its usual meaning. Does not use the page.
import { normalise } from "../../shared/qsosync-fields.js";
import { upperCase } from "../../shared/words/callsigns.js";
import { readFrequency } from "../../shared/words/frequency.js";
import { readPmr, readTone, readTuning } from "../../shared/words/tuning.js";
import { MODES } from "./tables.js";

/**
 * @typedef {object} Context The values that apply to the following lines.
 * @property {string} day
 * @property {string} time four digits
 * @property {string} callsign of the line above
 * @property {string} plan code of the member's plan of channels; empty: none
 * @property {boolean} isLocal whether the lines have this device's local time
 * @property {Partial<Record<Piece, string>>} answers to the questions about this line
 * @property {Unclear[]} unclear words of this line
 * @property {boolean} isForeign whether the lines name a band that the service does not support
 * @property {number | null} serial of the next QSO; null: QSOs have no serials
 * @property {Record<string, any>} values
 */
/** @typedef {"day" | "report"} Piece a word with two possible meanings */
/**
 * @typedef {object} Unclear
 * @property {Piece} piece
 * @property {string} word
 * @property {[value: string, meaning: string][]} answers the usual meaning is first
 * @property {string} [field] of the report
 */
/** @typedef {{qso: any | null, trouble: string | null, unclear: Unclear[]}} Understood */

const SAME = "\u0022"; // a quotation mark, in place of the callsign of the line above
const DAY_MS = 86400000;
const LOCATOR = /^[#.]?([a-r]{2}\d{2}([a-x]{2})?)$/i;
const CALLSIGN = /^(?=.*\d)(?=.*[a-z])[a-z0-9/.-]{3,20}$/i;
const NAME = /^\p{L}[\p{L}\p{M}'’.-]*$/u;
const NAMES_MAX = 3; // maximum number of words in a name
/** @type {[RegExp, string][]} patterns for words in place of a callsign, and their faults */
const WRONG = [
  [/^\d+(:\d*)?$/, "The time must be from 0000 to 2359."],
  [/^date$|^\d{1,4}([-/.])\d{1,2}\1\d{1,4}$/i, "Write a day as 2026-05-17."],
  [/^cb\d*\w?$/i, "CB channels are 1 to 40, and those of your plan."],
];
const REPORT = /^[1-5]\d?$|^\d$|^[1-5][1-9][1-9]$|^[+-]\d{1,2}$/;
const DIGITAL = /^(rtty|ft[48]|psk\d*|js8(call)?)$/i;
// Words from Fast Log Entry that begin lines for which a QSO has no field.
const UNUSED =
  /^(operator|nickname|my(name|sota|wwff|pota|county|iota)|qslmsg|email|addr|city|county)$/i;

/**
 * @param {string} year
 * @param {string} month
 * @param {string} day
 * @returns {string | null} YYYY-MM-DD; null: there is no such day
 */
function dayOf(year, month, day) {
  const iso = `${year.padStart(4, "20")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const ms = Date.parse(`${iso}T00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(iso) ? iso : null;
}
/**
 * @param {string} word
 * @param {Context} context
 * @returns {string | null} YYYY-MM-DD
 */
function readDay(word, context) {
  const [, first, second] = /^(\d{1,2})\.(\d{1,2})\.$/.exec(word) ?? [];
  if (first) return dayOf(context.day.slice(0, 4), second, first);
  const [, a, b, c] = /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})$/.exec(word) ?? [];
  if (!a || (a.length > 2 && c.length > 2)) return null;
  if (c.length !== 4) return dayOf(a, b, c);
  const usual = dayOf(c, b, a);
  const other = word.includes("/") ? dayOf(c, a, b) : null; // Americans write the month first
  if (!usual || !other || usual === other) return usual ?? other;
  const { answers, unclear } = context;
  unclear.push({ piece: "day", word, answers: [usual, other].map((day) => [day, ""]) });
  return answers.day ?? usual;
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
    const day = readDay(isNamed ? next : word, context);
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
  // Reads a channel: "ch 8" or "ch 8-12" on PMR446, with the tone that can follow, or "cb 19" on
  // 11 m.
  (words, context) => {
    const [all, kind, typed] = /^(ch|cb) ?(\d\S*)(?: |$)/i.exec(words.join(" ")) ?? [];
    if (!all) return 0;
    const count = all.trim().split(" ").length;
    if (kind.toLowerCase() === "cb") {
      const channel = readTuning(typed, context.plan)?.channel;
      if (channel) tune(context, onEleven(channel.mhz));
      return channel ? count : 0;
    }
    const read = readPmr(typed);
    if (!read || read.ask) return 0;
    const next = read.tone?.ctcssTone || read.tone?.dcsCode ? "" : (words[count] ?? "");
    const tone = /^(\d{2,3}\.\d|D[0-7]{3}[NI])$/i.test(next) ? readTone(next)?.tone : read.tone;
    tune(context, { band: "PMR446", channel: read.channel, ...tone });
    return count + Number(tone !== read.tone);
  },
  ([word], context) => {
    const named = MODES.find((one) => one === word.toUpperCase());
    const mode = named ?? (DIGITAL.test(word) ? "DIGITAL" : null);
    if (mode) context.values.mode = mode;
    return Number(Boolean(mode));
  },
  ([word], context) => {
    const [khz] = /^2[67]\d{3}$/.exec(word) ?? [];
    if (khz) tune(context, onEleven(`${khz.slice(0, 2)}.${khz.slice(2)}`));
    return Number(Boolean(khz));
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
 * Removes the reports from the words and returns them. A single digit that is not next to another
 * single digit is unclear, except in CW.
 * @param {string[]} words
 * @param {Context} context
 */
function readReports(words, { values: { mode }, answers, unclear }) {
  /** @type {Record<string, string>} */
  const reports = {};
  const given = words.slice(0, words.findIndex((word) => !REPORT.test(word)) >>> 0).slice(0, 2);
  const isLone = mode !== "CW" && given.filter((word) => word.length === 1).length === 1;
  for (const [place, word] of given.entries()) {
    const field = ["rstSent", "rstReceived"][place];
    const full = readReport(word, mode);
    const isUnclear = isLone && word.length === 1;
    if (isUnclear)
      unclear.push({
        piece: "report",
        word,
        field,
        answers: [
          [full, "a 5 was left out"],
          [word, "readability only"],
          ["notes", ""],
        ],
      });
    const answer = isUnclear ? (answers.report ?? full) : full;
    if (answer === "notes") break;
    reports[field] = answer;
    words.shift();
  }
  return reports;
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
  const reports = readReports(words, context);
  Object.assign(qso, reports);
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
 * Returns the time of a QSO.
 * @param {Context} context
 */
function timeOf({ day, time, isLocal }) {
  const at = `${day}T${time.slice(0, 2)}:${time.slice(2)}:00`;
  return isLocal ? new Date(at).toISOString() : `${at}Z`;
}
/**
 * Reads a line. The context becomes the context of the next line.
 * @param {string} line
 * @param {Context} context
 * @param {Context["answers"]} [answers]
 * @returns {Understood | null} null: the line is not meant as a QSO
 */
export function readLine(line, context, answers = {}) {
  Object.assign(context, { answers, unclear: [] });
  const words = line.split(/\s+/).filter(Boolean);
  if (!words.length || words[0].startsWith("#") || UNUSED.test(words[0])) return null;
  for (let count = 1; words.length && count; words.splice(0, count))
    count = SETTINGS.reduce((taken, read) => taken || read(words, context), 0);
  if (!words.length) return null;
  /** @type {(trouble: string) => Understood} */
  const fail = (trouble) => ({ qso: null, trouble, unclear: context.unclear });
  const [, wrong] = WRONG.find(([form]) => form.test(words[0])) ?? [];
  if (wrong) return fail(wrong);
  const isPmr = context.values.band === "PMR446";
  const name = isPmr && NAME.test(words[0]) ? takeName(words) : "";
  const word = name ? "" : String(words.shift());
  const callsign = word === SAME ? context.callsign : word;
  if (!name && !CALLSIGN.test(callsign))
    return fail(isPmr ? "No callsign or name found." : "No callsign found.");
  if (!/^\d{4}$/.test(context.time)) return fail("No time found.");
  if (context.isForeign) return fail("Only 11 m and PMR446 can be logged here.");
  const qso = normalise({
    ...context.values,
    ...readRest(words, context, name),
    callsignWorked: upperCase(callsign) || null,
    qsoAt: timeOf(context),
  });
  context.callsign = callsign;
  return { qso, trouble: null, unclear: context.unclear };
}

/**
 * Returns the lines of a text without their comments.
 * @param {string} text
 */
export const splitLines = (text) => text.replace(/\{[^}]*\}/g, "").split("\n");
/**
 * Returns the context of the first line.
 * @param {string} today day of lines without a date above them, YYYY-MM-DD
 * @param {Record<string, any>} values values of a QSO, for lines that state no others
 * @param {string} [plan] code of the member's plan of channels
 * @returns {Context}
 */
export const firstContext = (today, values, plan = "") => ({
  plan,
  ...{ day: today, time: "", callsign: "", isLocal: false, isForeign: false, serial: null },
  ...{ answers: {}, unclear: [], values: { ...values } },
});
