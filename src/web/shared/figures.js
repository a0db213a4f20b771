// Calculates figures for a log: the confirmed share, and the months and years of plots.

/** @typedef {{month: string, qsos: number, confirmed: number}} Month `month`: such as "2026-05" */

const MONTHS_SHOWN = 36;

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

/**
 * Returns the years in the rows, each with its totals. The rows are in order.
 * @param {Month[]} rows
 */
export function yearsOf(rows) {
  /** @type {{name: string, qsos: number, confirmed: number}[]} */
  const years = [];
  for (const { month, qsos, confirmed } of rows) {
    const name = month.slice(0, 4);
    let last = years[years.length - 1];
    if (last?.name !== name) years.push((last = { name, qsos: 0, confirmed: 0 }));
    last.qsos += qsos;
    last.confirmed += confirmed;
  }
  return years;
}
