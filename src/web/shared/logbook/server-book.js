// Reads and changes the service's log for Logbook.
import { country } from "../language.js";
import { formatQuery } from "../query.js";
import { QSOS_SHOWN, change, explain, get, remove } from "../service.js";

/**
 * @import {
 *   BookPage, BookRow, Division, LogMap, NewsKind, Qso, QsoPage, Query, Statistics
 * } from "../types.js"
 */

const PAGE = 200; // QSOs on a page; the service's limit

/**
 * @param {Qso} qso
 * @param {QsoPage["measures"][number]} measures
 * @returns {BookRow}
 */
export function rowOf(qso, [division, km, by]) {
  return { key: String(qso.id), qso, division, km, by };
}

/**
 * Asks the service for the current version of a QSO; null: the QSO was deleted.
 * @param {Qso} qso
 * @returns {Promise<Qso | null>}
 */
export async function latestOf({ id, qsoAt, callsignWorked }) {
  const day = qsoAt.slice(0, 10);
  // The QSO's current version may have another day or callsign, but seldom both.
  for (const wish of [{ from: day, to: day }, { callsign: callsignWorked ?? "" }]) {
    const { items } = await get(`qsos?${formatQuery({ ...wish, limit: PAGE })}`);
    const found = items.find((one) => one.id === id);
    if (found) return found;
  }
  return null;
}

export class ServerBook {
  size = QSOS_SHOWN;
  sizeMax = PAGE;
  /** @type {Map<string, NewsKind>} */
  news = new Map();
  /** @type {Promise<QsoPage> | null} the newest QSOs, if already requested */
  newest = null;
  /** @type {Map<number, Pick<Division, "name" | "iso">>} */
  #divisions = new Map();
  /** @type {Map<string, BookRow>} the QSOs that this page has saved, by clientId */
  #saved = new Map();

  /** @param {string} [undoAddress] */
  constructor(undoAddress = "#history") {
    this.undoAddress = undoAddress;
  }
  /** @param {Pick<Division, "number" | "name" | "iso">[]} divisions at least those in the log */
  knowDivisions(divisions) {
    for (const one of divisions) this.#divisions.set(one.number, one);
  }
  /** @param {Statistics["news"]} news */
  knowNews(news) {
    const kinds = /** @type {[NewsKind, number[]][]} */ (Object.entries(news ?? {}));
    this.news = new Map(kinds.flatMap(([kind, ids]) => ids.map((id) => [String(id), kind])));
  }
  /** @param {number | null} division */
  placeOf(division) {
    const one = division === null ? undefined : this.#divisions.get(division);
    return one ? country(one.name, one.iso ?? "") : null;
  }
  /**
   * @param {Query} wish
   * @param {number} most
   * @param {string | null} after
   * @returns {AsyncGenerator<BookPage>}
   */
  async *search(wish, most, after) {
    const query = new Map([...wish, ["limit", String(most)]]);
    if (after !== null) query.set("after", after);
    const isNewest = !wish.size && after === null && most === this.size;
    const asked = isNewest ? this.newest : null;
    if (asked) this.newest = null; // if the request failed, the next attempt sends another request
    const { items, measures, nextCursor } = await (asked ?? get(`qsos?${formatQuery(query)}`));
    yield { rows: items.map((qso, place) => rowOf(qso, measures[place])), next: nextCursor };
  }
  /**
   * @param {Query} wish
   * @returns {Promise<Statistics>}
   */
  statistics(wish) {
    return wish.size ? get(`statistics?${formatQuery(wish)}`) : get("statistics");
  }
  /**
   * @param {Query} wish
   * @returns {Promise<LogMap>}
   */
  map(wish) {
    return wish.size ? get(`map?${formatQuery(wish)}`) : get("map");
  }
  /**
   * @param {Qso} qso a QSO that was just saved
   * @param {number | null} division
   */
  know(qso, division) {
    this.#saved.set(String(qso.clientId), rowOf(qso, [division, null]));
  }
  /** @param {string} clientId */
  async get(clientId) {
    return this.#saved.get(clientId) ?? null;
  }
  /** @param {BookRow} row */
  async remove({ qso }) {
    this.#saved.delete(String(qso.clientId));
    await remove(`qsos/${qso.clientId}`);
    document.dispatchEvent(new Event("changed"));
    return () => change("undo", { deleted: true, ids: qso.id });
  }
  /** @param {unknown} error */
  explain(error) {
    return explain(error);
  }
}
