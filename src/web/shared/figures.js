// Calculates figures for a log: the confirmed share, and the months and days of charts.

/** @typedef {{month: string, qsos: number, confirmed: number}} Month `month`: such as "2026-05" */

/**
 * @typedef {object} Days
 * @property {string} from the first day, in ISO 8601
 * @property {number[]} qsos QSOs on each day, from the first day
 */

const MONTHS_SHOWN = 36;
const MS_PER_DAY = 86400000;
const RECENT_DAYS = 31; // a strip ends today if the newest day is at most this many days ago
const SHADES = 4; // in addition to the shade of a day without QSOs

/**
 * Returns a part as a percentage of the whole; null if the whole is 0.
 * @param {number} part
 * @param {number} whole
 */
export function percent(part, whole) {
  return whole ? (100 * part) / whole : null;
}

/**
 * Returns every month from the first to the last row, including months without QSOs, but at most
 * the newest MONTHS_SHOWN months.
 * @param {Month[]} rows at least one, in order
 * @returns {Month[]}
 */
export function withGaps(rows) {
  const known = new Map(rows.map((row) => [row.month, row]));
  /** @type {Month[]} */
  const months = [];
  let [year, month] = rows[rows.length - 1].month.split("-").map(Number);
  while (months.length < MONTHS_SHOWN) {
    const name = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}`;
    if (name < rows[0].month) break;
    months.unshift(known.get(name) || { month: name, qsos: 0, confirmed: 0 });
    [year, month] = month === 1 ? [year - 1, 12] : [year, month - 1];
  }
  return months;
}

/** @param {number} at */
export const isoDay = (at) => new Date(at).toISOString().slice(0, 10);
/** @param {number} at a day @returns {number} its place in the week, which begins on Monday */
const placeInWeek = (at) => (new Date(at).getUTCDay() + 6) % 7;

/**
 * Returns the days of a strip, which begins on a Monday, and ends today. If the last of the given
 * days was long ago, the strip ends on that day.
 * @param {Days} days
 * @param {number} weeks
 * @param {number} now
 */
export function daysOfStrip({ from, qsos }, weeks, now) {
  const first = Date.parse(from);
  const today = Date.parse(isoDay(now));
  const newest = first + (qsos.length - 1) * MS_PER_DAY;
  const last = today - newest > RECENT_DAYS * MS_PER_DAY ? newest : Math.max(today, newest);
  const begin = last - (placeInWeek(last) + 7 * (weeks - 1)) * MS_PER_DAY;
  /** @type {{day: string, qsos: number}[]} */
  const all = [];
  for (let at = begin; at <= last; at += MS_PER_DAY)
    all.push({ day: isoDay(at), qsos: qsos[(at - first) / MS_PER_DAY] ?? 0 });
  return all;
}
/**
 * Returns the shade of a day; 0: no QSOs. The shades follow the square root of the number of QSOs,
 * so that one contest does not make all other days pale.
 * @param {number} qsos
 * @param {number} most number of QSOs on the busiest day
 */
export function shadeOf(qsos, most) {
  return qsos ? Math.ceil((SHADES * Math.sqrt(qsos)) / Math.sqrt(most)) : 0;
}
