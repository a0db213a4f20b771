// Reads all QSOs that match a filter, for views that need more than one page of a book.

/** @import { Book, BookRow, Query } from "../types.js" */

const QSOS_MAX = 5000;

/**
 * Returns the rows of the QSOs that match a filter, the newest first, up to a limit.
 * @param {Book} book
 * @param {Query} wish
 */
export async function allOf(book, wish) {
  /** @type {BookRow[]} */
  const rows = [];
  let [after, next] = /** @type {(string | null)[]} */ ([null, null]);
  do {
    for await (const page of book.search(wish, Math.min(book.sizeMax, QSOS_MAX), after)) {
      if (page.back) continue; // the page is not complete yet
      rows.push(...page.rows.filter(({ entry }) => entry?.kind !== "delete"));
      next = page.next;
    }
    after = next;
  } while (after !== null && rows.length < QSOS_MAX);
  return rows;
}
