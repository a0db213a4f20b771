// Reads all QSOs that match a filter, for views that need more than one page of a book.

/** @import { Book, LogQso, Query } from "../types.js" */

const QSOS_MAX = 5000;

/**
 * Returns the QSOs that match a filter, the newest first, up to a limit.
 * @param {Book} book
 * @param {Query} wish
 */
export async function allOf(book, wish) {
  /** @type {LogQso[]} */
  const qsos = [];
  let [after, next] = /** @type {(string | null)[]} */ ([null, null]);
  do {
    for await (const page of book.search(wish, Math.min(book.sizeMax, QSOS_MAX), after)) {
      if (page.back) continue; // the page is not complete yet
      const kept = page.rows.filter(({ entry }) => entry?.kind !== "delete");
      qsos.push(...kept.map(({ qso }) => /** @type {any} */ (qso)));
      next = page.next;
    }
    after = next;
  } while (after !== null && qsos.length < QSOS_MAX);
  return qsos;
}
