// Reads the values in the cells of a sheet: dates, times, frequencies, channels and others. A cell
// that has several readings is returned with all of them, so that the reader of the page decides.
import { MONTHS } from "../../shared/columns.js";
import { countryOf, numberOf } from "../../shared/words/callsigns.js";

/**
 * A date as its cell has it. `ymd`: the order is certain; `abc`: three numbers whose order depends
 * on the file; `short`: a day and a month without a year; `serial`: days as spreadsheets count
 * them. `rest` is the text after the date.
 * @typedef {{kind: "ymd" | "abc" | "short" | "serial", parts: number[], rest: string}} DateRead
 */
/** @typedef {{year: number, month: number, day: number}} Day */
/**
 * A time of day. `digits` is the number of digits if the cell has only digits, otherwise 0.
 * `zone`: the cell names it.
 * @typedef {{hours: number, minutes: number, seconds: number, digits: number,
 *   zone: string | null}} TimeRead
 */
/**
 * A frequency. `mhz` is null if the cell has only a channel. `isBare`: a number up to 80 without a
 * unit, which can be a channel. `isBand`: a number of MHz that names a band.
 * @typedef {{mhz: number | null, channel: number | null, unit: "Hz" | "kHz" | "MHz" | "",
 *   isBare: boolean, isBand: boolean, mode: string}} TuningRead
 */

// A longer text is not a value. Some patterns take time by the square of its length.
const LENGTH_MAX = 80;

/** @type {Map<string, number>} */
const months = new Map();

/**
 * Returns a header in the form for comparisons (schema/columns.tsv).
 * @param {string} text
 */
export function fold(text) {
  return text
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .replaceAll("ł", "l")
    .replace(/[\s_.()[\]/:-]/g, "");
}
/**
 * Returns the number of a month by its name in one of the languages; 0: the name is unknown.
 * @param {string} name
 */
function monthOf(name) {
  if (!months.size)
    MONTHS.forEach((names, at) => {
      for (const one of names.split("|")) months.set(fold(one), at + 1);
    });
  const folded = fold(name);
  return months.get(folded) ?? (folded.length > 3 ? months.get(folded.slice(0, 3)) : 0) ?? 0;
}
/**
 * Whether a day exists, and is not later than tomorrow.
 * @param {Day} day
 * @param {number} now in ms
 */
export function isPossible({ year, month, day }, now) {
  const ms = Date.UTC(year, month - 1, day);
  const date = new Date(ms);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && ms <= now + 864e5;
}
/**
 * Returns a year of two digits with its century.
 * @param {number} year
 */
function wholeYear(year) {
  if (year > 99) return year;
  return year < 70 ? 2000 + year : 1900 + year;
}
/**
 * @param {string} cell
 * @returns {DateRead | null}
 */
export function readDate(cell) {
  if (cell.length > LENGTH_MAX) return null;
  const weekday = /^(\p{L}{2,12})\.?,?\s+(?=\d)/u.exec(cell.trim());
  const text = cell.trim().slice(weekday && !monthOf(weekday[1]) ? weekday[0].length : 0);
  if (!/^\d/.test(text)) return namedDate(text);
  let found = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})\.?(?:[T ]\s*(.*))?$/.exec(text);
  if (found) return dateRead("ymd", [+found[1], +found[3], +found[4]], found[5]);
  found = /^((?:19|20)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])$/.exec(text);
  if (found) return dateRead("ymd", [+found[1], +found[2], +found[3]], "");
  found = /^(\d{1,2})([-/.]) ?(\d{1,2})\2 ?(\d{4}|\d\d)(?:[T ,]\s*(.*))?$/.exec(text);
  if (found) {
    const year = found[4].length === 4 ? +found[4] : wholeYear(+found[4]) - 10000;
    return dateRead("abc", [+found[1], +found[3], year], found[5]);
  }
  found = /^(\d{1,2})[-/.](\d{1,2})\.?$/.exec(text);
  if (found) return dateRead("short", [+found[1], +found[2]], "");
  if (/^\d{5}([.,]\d+)?$/.test(text)) {
    const days = Number(text.replace(",", "."));
    return days > 20000 && days < 60000 ? dateRead("serial", [days], "") : null;
  }
  return namedDate(text);
}
/**
 * @param {DateRead["kind"]} kind
 * @param {number[]} parts
 * @param {string | undefined} rest
 */
const dateRead = (kind, parts, rest) => ({ kind, parts, rest: rest?.trim() ?? "" });
const NAME = "(\\p{L}{3,12}\\.?)";
const YEAR = "(\\d{4}|\\d\\d)(?:[T ,]\\s*(.*))?$";
const DAY_MONTH_YEAR = new RegExp(
  `^(\\d{1,2})\\.?[-/ .]\\s?(?:de )?${NAME}[-/ ,.]+(?:de )?${YEAR}`,
  "u",
);
const YEAR_MONTH_DAY = new RegExp(`^(\\d{4})[-/ ]${NAME}[-/ ](\\d{1,2})$`, "u");
const MONTH_DAY_YEAR = new RegExp(`^${NAME} (\\d{1,2}),? ${YEAR}`, "u");
const DAY_MONTH = new RegExp(`^(?:(\\d{1,2})\\.?[- .] ?${NAME}|${NAME}[- ](\\d{1,2}))$`, "u");
/**
 * Reads a date with the name of a month.
 * @param {string} text
 * @returns {DateRead | null}
 */
function namedDate(text) {
  let found = DAY_MONTH_YEAR.exec(text);
  if (found) {
    const month = monthOf(found[2]);
    return month ? dateRead("ymd", [wholeYear(+found[3]), month, +found[1]], found[4]) : null;
  }
  found = YEAR_MONTH_DAY.exec(text);
  if (found) {
    const month = monthOf(found[2]);
    return month ? dateRead("ymd", [+found[1], month, +found[3]], "") : null;
  }
  found = MONTH_DAY_YEAR.exec(text);
  if (found) {
    const month = monthOf(found[1]);
    return month ? dateRead("ymd", [wholeYear(+found[3]), month, +found[2]], found[4]) : null;
  }
  found = DAY_MONTH.exec(text);
  const month = found && monthOf(found[2] ?? found[3]);
  return found && month ? dateRead("short", [+(found[1] ?? found[4]), month], "named") : null;
}
/**
 * Returns the day of a date, in a file with this order; null: the day does not exist.
 * @param {DateRead} date
 * @param {string} order "dmy", "mdy" or "ymd"
 * @param {{year?: number, is1904?: boolean}} [known]
 * @returns {Day | null}
 */
export function dayOf({ kind, parts, rest }, order, { year, is1904 = false } = {}) {
  if (kind === "serial") {
    const from = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
    const date = new Date(from + Math.floor(parts[0]) * 864e5);
    return {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
    };
  }
  /** @type {Day} */
  let day;
  if (kind === "ymd") day = { year: parts[0], month: parts[1], day: parts[2] };
  else if (kind === "short") {
    const isDayFirst = rest === "named" || order !== "mdy";
    if (!year) return null;
    day = { year, month: parts[isDayFirst ? 1 : 0], day: parts[isDayFirst ? 0 : 1] };
  } else {
    const isShort = parts[2] < 0; // a year of two digits
    const last = isShort ? parts[2] + 10000 : parts[2];
    if (order === "ymd") {
      if (!isShort) return null;
      day = { year: wholeYear(parts[0]), month: parts[1], day: last % 100 };
    } else if (order === "mdy") day = { year: last, month: parts[0], day: parts[1] };
    else day = { year: last, month: parts[1], day: parts[0] };
  }
  return isPossible(day, Infinity) ? day : null;
}
/**
 * Returns the text of the time in a cell with a date, or an empty text.
 * @param {DateRead | null} date
 */
export function timeInDate(date) {
  if (date?.kind === "serial") return date.parts[0] % 1 ? (date.parts[0] % 1).toFixed(6) : "";
  return date && date.kind !== "short" ? date.rest : "";
}
/** @type {Record<string, string>} the zones that a time can name */
const ZONES = { Z: "UTC", U: "UTC", UTC: "UTC", GMT: "UTC", UT: "UTC", J: "+09:00", JST: "+09:00" };
Object.assign(ZONES, { CET: "+01:00", MEZ: "+01:00", CEST: "+02:00", MESZ: "+02:00" });
// "12:03-12:10" is from one time to another, so a minus begins a zone only after seconds.
const ZONE =
  /\s*(Z|UTC?|U|GMT|JST|J|CEST|CET|MESZ|MEZ|\+\d\d:?\d\d|(?<=:\d\d:\d\d(?:[.,]\d+)?)-\d\d:?\d\d)$/;

/**
 * @param {string} cell
 * @returns {TimeRead | null}
 */
export function readTime(cell) {
  if (cell.length > LENGTH_MAX) return null;
  let text = cell.trim().toUpperCase().replace(/ UHR$/, "");
  const named = ZONE.exec(text);
  if (named) text = text.slice(0, named.index);
  const zone = named ? (ZONES[named[1]] ?? named[1].replace(/^(...)(\d\d)$/, "$1:$2")) : null;
  const half = /\s*([AP])\.?M\.?$/.exec(text);
  if (half) text = text.slice(0, half.index);
  const parts = /^(\d{1,2})[:.H ](\d\d)(?:[:.M](\d\d)(?:[.,]\d+)?S?)?$/.exec(text);
  let [hours, minutes, seconds, digits] = [0, 0, 0, 0];
  if (parts) [hours, minutes, seconds] = [+parts[1], +parts[2], +(parts[3] ?? 0)];
  else if (/^\d{1,6}$/.test(text)) {
    digits = text.length;
    const whole = text.padStart(digits > 4 ? 6 : 4, "0");
    [hours, minutes, seconds] = [+whole.slice(0, 2), +whole.slice(2, 4), +whole.slice(4)];
  } else if (/^0?[.,]\d{2,}$|^0[.,]5$/.test(text)) {
    const all = Math.round(Number(text.replace(",", ".")) * 86400);
    [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  } else return null;
  if (half) {
    if (hours < 1 || hours > 12) return null;
    hours = (hours % 12) + (half[1] === "P" ? 12 : 0);
  }
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  return { hours, minutes, seconds, digits, zone };
}
/**
 * Returns a number, with a decimal point or comma; "27.555.00" has its decimals after the first
 * point.
 * @param {string} text
 */
export function readNumber(text) {
  const plain = text.replace(/[\s'’\u00a0]/g, "");
  if (!/^\d+(?:[.,]\d+)*$/.test(plain)) return null;
  const marks = plain.replace(/\d/g, "");
  const isMixed = marks.includes(".") && marks.includes(",");
  const place = isMixed ? Math.max(plain.lastIndexOf("."), plain.lastIndexOf(",")) : -1;
  if (isMixed)
    return Number(`${plain.slice(0, place).replace(/[.,]/g, "")}.${plain.slice(place + 1)}`);
  const [whole, ...more] = plain.split(/[.,]/);
  return Number(more.length ? `${whole}.${more.join("")}` : whole);
}
const WORD = "^(CH(?:AN(?:NEL)?)?|K(?:AN(?:AA?L|AŁ)?)?|C(?:ANALE?|B)?|#)?[.: ]*";
const TUNING = new RegExp(
  `${WORD}([\\d.,'’ \\u00a0]*\\d)\\s*(MHZ|KHZ|HZ)?\\s*(USB|LSB|SSB|AM|FM|CW)?$`,
);
const CHANNEL = new RegExp(`${WORD}(\\d{1,3})([A-Z])?(?:\\s*[-/ ]\\s*(\\S+))?$`);
/**
 * @param {string} cell
 * @returns {TuningRead | null}
 */
export function readTuning(cell) {
  if (cell.length > LENGTH_MAX) return null;
  const [, word, digits, unit, mode = ""] = TUNING.exec(cell.trim().toUpperCase()) ?? [];
  const number = digits === undefined ? null : readNumber(digits);
  if (number === null) return null;
  const isWhole = /^\d+$/.test(digits);
  if (word) {
    if (!isWhole || number > 80) return null;
    return { mhz: null, channel: number, unit: "", isBare: false, isBand: false, mode };
  }
  const factor = unit === "HZ" || (!unit && number >= 1e6) ? 1e6 : number >= 1000 ? 1000 : 1;
  const divisor = unit === "MHZ" ? 1 : unit === "KHZ" ? 1000 : factor;
  return {
    mhz: number / divisor,
    channel: null,
    unit: divisor === 1 ? "MHz" : divisor === 1000 ? "kHz" : "Hz",
    isBare: !unit && isWhole && number > 0 && number <= 80,
    isBand: unit === "MHZ" && isWhole,
    mode,
  };
}
/**
 * Returns a channel, and the tone or the mode after it ("8-12", "9 AM").
 * @param {string} cell
 */
export function readChannel(cell) {
  if (cell.length > LENGTH_MAX) return null;
  const [, , digits, letter = "", after = ""] = CHANNEL.exec(cell.trim().toUpperCase()) ?? [];
  if (!digits || +digits < 1) return null;
  const [tone, mode] = isMode(after) ? ["", after] : [after, ""];
  return { channel: +digits, letter, tone, mode };
}
/** @param {string} cell */
export const isLocator = (cell) => /^[A-R]{2}\d\d(?:[A-X]{2}(?:\d\d)?)?$/i.test(cell.trim());
/** @param {string} cell */
export const isReport = (cell) =>
  /^(?:R?[1-5]\s?[-/ ]?\s?S?\d{1,2}A?\+*(?:\s?\+?\d\d?\s?DB)?|[+-]\d{1,2})(?: \w{1,5})?$/i.test(
    cell.trim(),
  );
/** @param {string} cell */
export function isMode(cell) {
  return /^(?:FM|NFM|FM-N|AM|SSB|USB|LSB|CW|DIGI\w*|DATA|FT8|FT4|FT2|JS8|RTTY|PSK\d*|SSTV|VARA\w*|MFSK|OLIVIA\w*|FONIA|PHONE)$/i.test(
    cell.trim(),
  );
}
/** @param {string} cell */
export const isBand = (cell) =>
  /^(?:\d{1,4}(?:[.,]\d+)?\s?(?:c?m|mm|meters?|metres?|MHz)|CB|PMR\s?446?|PMR446|ELEVEN_METERS)$/i.test(
    cell.trim(),
  );
/**
 * Whether a text looks like a callsign: letters and digits, with few other characters.
 * @param {string} cell
 */
export function isCallsign(cell) {
  const text = cell.trim();
  if (text.length < 3 || text.length > 20 || isLocator(text) || isMode(text) || isBand(text))
    return false;
  return /^[\p{L}\d]+(?:[/ -][\p{L}\d]+)*$/u.test(text) && /\d/.test(text) && /\p{L}/u.test(text);
}
/**
 * Whether a spreadsheet read a callsign as a number, or would read it as one: 14E10, 1,40E+11,
 * 140000000000.
 * @param {string} cell
 */
export const isNumberCall = (cell) =>
  /^\d+(?:[.,]\d+)?E[+-]?\d+$/i.test(cell.trim()) || /^[1-9]\d{0,2}0{5,}$/.test(cell.trim());
/**
 * Whether a cell in a column of callsigns is a number: 260000, which was 26E4. Elsewhere it can be
 * any number.
 * @param {string} cell
 */
export const isNumberInCall = (cell) => isNumberCall(cell) || /^[1-9]\d{0,2}0+$/.test(cell.trim());
/**
 * Returns the callsigns that a spreadsheet reads as this number: existing divisions, the letter E,
 * and a number.
 * @param {string} cell
 * @returns {{callsign: string, country: string}[]}
 */
export function callsOfNumber(cell) {
  const [, whole, decimals = "", power = "0"] =
    /^(\d+)(?:[.,](\d+))?(?:E\+?(\d+))?$/i.exec(cell.trim()) ?? [];
  if (whole === undefined) return [];
  const digits = (whole + decimals).replace(/^0+|0+$/g, "");
  let exponent = Number(power) - decimals.length + (whole + decimals).length;
  exponent -= (whole + decimals).replace(/0+$/, "").length;
  const calls = [];
  for (let division = digits; division.length <= 3 && exponent >= 0; division += "0", exponent--) {
    const callsign = `${division}E${exponent}`;
    const number = numberOf(callsign);
    if (digits && number) calls.push({ callsign, country: countryOf(number).country });
  }
  return calls;
}
/**
 * Returns "Y" or "N", or the way of a QSL ("D" or "B"); null: the cell says something else.
 * @param {string} cell
 */
export function readYes(cell) {
  const text = fold(cell);
  if (/^(?:y|yes|j|ja|s|si|sim|o|oui|t|tak|x|✓|✔|1|true|v|да|ano|ok)$/.test(text)) return "Y";
  if (/^(?:n|no|nein|non|nie|nao|ne|0|false|нет|nee)?$/.test(text)) return "N";
  if (/^(?:d|direct|direkt|mail|post)$/.test(text)) return "D";
  return /^(?:b|buro|bureau|buero)$/.test(text) ? "B" : null;
}

/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();
/** @type {Map<string, number>} */
const offsets = new Map();
/**
 * Returns the offset of a zone from UTC at a time, in ms.
 * @param {string} zone
 * @param {number} ms
 */
function offsetAt(zone, ms) {
  const fixed = /^([+-])(\d\d):(\d\d)$/.exec(zone);
  if (fixed) return (fixed[1] === "-" ? -1 : 1) * (+fixed[2] * 60 + +fixed[3]) * 60000;
  if (zone === "UTC") return 0;
  const quarter = Math.floor(ms / 900000);
  const key = `${zone} ${quarter}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    });
    formats.set(zone, format);
  }
  const at = Object.fromEntries(
    format.formatToParts(quarter * 900000).map(({ type, value }) => [type, Number(value)]),
  );
  const local = Date.UTC(at.year, at.month - 1, at.day, at.hour, at.minute);
  offsets.set(key, local - quarter * 900000);
  return local - quarter * 900000;
}
/**
 * Converts a local time to UTC. A time that exists twice is the first one. A time that a clock
 * skips counts from the hour before.
 * @param {number} local the time as if it were UTC, in ms
 * @param {string} zone
 * @returns {{ms: number, trouble: "twice" | "skipped" | null}}
 */
export function utcOf(local, zone) {
  const both = [offsetAt(zone, local - 864e5), offsetAt(zone, local + 864e5)];
  const fitting = both.filter((offset) => offsetAt(zone, local - offset) === offset);
  if (!fitting.length) return { ms: local - both[0], trouble: "skipped" };
  const isTwice = fitting.length === 2 && fitting[0] !== fitting[1];
  return { ms: local - Math.max(...fitting), trouble: isTwice ? "twice" : null };
}
