// Defines what every reader of sheets returns, and the limits of all readers. sheet-text.js reads
// texts such as CSV; workbooks need a reader of their own, which returns the same sheets.

/**
 * A sheet of a file. A row contains the texts of its cells; the number of a row is its index plus
 * 1, so empty rows are part of the list. Cells are as follows:
 * a number has a decimal point and no other separators (27.555, 1.4e11 as 140000000000);
 * a date is 2026-11-27, a time is 12:03:00, and both are 2026-11-27 12:03:00;
 * a formula is its last result; a hyperlink is its text; an empty cell is "".
 * @typedef {{name: string, rows: string[][]}} Sheet
 */

export const ROWS_MAX = 100000;
export const COLUMNS_MAX = 250;
export const BYTES_MAX = 64 << 20;
export const CELLS_MAX = 5e6; // in all sheets of a workbook; an empty row counts as one

/**
 * A sheet that the page does not read: `kind` is the reason, and `n` the limit that the sheet
 * exceeds.
 */
export class SheetRefusal extends Error {
  /**
   * @param {"rows" | "columns" | "bytes" | "unreadable" | "kind"} kind
   * @param {number} [n]
   */
  constructor(kind, n = 0) {
    super(kind);
    this.kind = kind;
    this.n = n;
  }
}
/**
 * Adds a row to a sheet, without the empty cells at its end. Throws SheetRefusal if the sheet then
 * exceeds a limit.
 * @param {string[][]} rows
 * @param {string[]} row
 */
export function addRow(rows, row) {
  let length = row.length;
  while (length && row[length - 1].trim() === "") length--;
  if (length > COLUMNS_MAX) throw new SheetRefusal("columns", COLUMNS_MAX);
  if (length && rows.length >= ROWS_MAX) throw new SheetRefusal("rows", ROWS_MAX);
  row.length = length;
  if (rows.length < ROWS_MAX) rows.push(row);
}
/**
 * Returns a number as a cell contains it. Spreadsheets keep 15 digits.
 * @param {number} number
 */
export function plainNumber(number) {
  const text = String(Number(number.toPrecision(15)));
  return /e/.test(text)
    ? number.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 20 })
    : text;
}
/**
 * Lets the page answer the reader between the steps of a long work. Each `yield` of the work ends a
 * step.
 * @template T
 * @param {Generator<void, T>} work
 * @returns {Promise<T>}
 */
export async function inSteps(work) {
  for (let since = performance.now(); ;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - since < 30) continue;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  }
}
