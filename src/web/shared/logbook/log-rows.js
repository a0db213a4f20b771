// Converts QSOs to the rows of Logbook, and keeps the QSOs, so that a row can show its details.
import { number, typed } from "../page.js";
import { capital, say } from "../language.js";
import { RowList, badgedPlace, drawTuning } from "../parts/row.js";

/** @import { Book, BookRow, Child, NewsKind } from "../types.js" */
/**
 * @typedef {object} Adding
 * @property {boolean} isFirst whether the QSOs replace the current rows
 * @property {boolean} isLast whether no QSOs follow
 * @property {boolean} hasDays whether the QSOs are in the order of time
 * @property {(index: number) => Child} [below] returns content below a row
 */
/**
 * The functions that show, edit or select the QSOs of rows.
 * @typedef {object} Acts
 * @property {Book} book
 * @property {(rows: QsoRows, key: string) => void} show
 * @property {(rows: QsoRows, key: string) => void} edit
 * @property {(rows: QsoRows, key: string) => void} remove
 * @property {(rows: QsoRows, key: string) => void} renew shows the details again
 * @property {(rows: QsoRows, keys: string[] | null) => void} select called when the selection
 *   changes; null: the selection has ended
 * @property {(row: BookRow) => Child} [belowOf] returns content below a row
 */

/** @type {Record<NewsKind, string>} */
const NEWS = {
  division: "new division",
  square: "new square",
  special: "new special station",
  band: "new on this band",
  mode: "new in this mode",
};

/**
 * Returns the badge of a QSO that was new for the log.
 * @param {NewsKind | undefined} kind
 * @returns {[kind: string, text: string] | null}
 */
const badgeOfNews = (kind) => (kind ? ["new", capital(say(NEWS[kind]))] : null);
/**
 * Returns the badge of a QSO that the service rejected, or that the service has in another version.
 * @param {BookRow["entry"]} entry
 * @returns {[kind: string, text: string] | null}
 */
function badgeOfEntry(entry) {
  if (entry?.state === "refused") return ["bad", say("rejected")];
  return entry?.state === "conflict" ? ["wait", say("two versions")] : null;
}
/**
 * @param {Book} book
 * @param {BookRow} row
 */
const badgeOfRow = (book, { key, entry }) =>
  badgeOfEntry(entry) ?? badgeOfNews(book.news?.get(key));
/**
 * @param {Book} book
 * @param {BookRow} row
 * @param {Child} below
 */
function partsOf(book, row, below) {
  const { key, qso, division, km, entry } = row;
  const reports = [qso.rstSent, qso.rstReceived].filter(Boolean).join(" / ");
  /** @type {"confirmed" | "waiting" | null} */
  const mark = entry?.state === "waiting" ? "waiting" : qso.crossConfirmedAt ? "confirmed" : null;
  return {
    id: key,
    callsign: qso.callsignWorked,
    at: String(qso.qsoAt),
    badge: badgeOfRow(book, row),
    place: book.placeOf(division),
    tuning: drawTuning(qso),
    reports: reports ? typed(reports) : null,
    far: km === null ? null : `${number(km)} km`,
    mark,
    below,
  };
}

export class QsoRows extends RowList {
  /** @type {Map<string, BookRow>} */
  kept = new Map();

  /**
   * @param {string} name
   * @param {Acts} acts
   */
  constructor(name, acts) {
    super({
      name,
      open: (key) => acts.show(this, key),
      moved: (key) => this.chosen !== null && acts.show(this, key),
      keys: { e: (key) => acts.edit(this, key) },
      remove: (key) => acts.remove(this, key),
      selected: (keys) => acts.select(this, keys),
    });
    this.acts = acts;
  }
  /**
   * Shows QSOs instead of the current rows or after them.
   * @param {BookRow[]} rows
   * @param {Adding} adding
   */
  showQsos(rows, { isFirst, isLast, hasDays, below }) {
    const { acts } = this;
    if (isFirst) this.kept.clear();
    const parts = rows.map((row, index) => {
      this.kept.set(row.key, row);
      return partsOf(acts.book, row, below?.(index) ?? acts.belowOf?.(row));
    });
    if (!isFirst) return this.add(parts, isLast);
    this.replace(parts, isLast, hasDays);
    if (this.chosen !== null) acts.renew(this, this.chosen);
  }
  /** Shows the badges and the names of divisions that the book did not know before. */
  showPlaces() {
    const { book } = this.acts;
    for (const row of this.kept.values()) {
      const place = this.find(row.key)?.querySelector(".place");
      place?.replaceWith(badgedPlace(badgeOfRow(book, row), book.placeOf(row.division)));
    }
  }
}
