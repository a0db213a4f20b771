// Reads and changes the log on this device for Logbook. Unsent changes replace stored QSOs.
import { compact, numberOf } from "../../shared/words/callsigns.js";
import { countryName } from "../../shared/words/countries.js";
import { choicesOf } from "../../shared/words/qso-words.js";
import { isSought, kmOf, locatorOfStation, search, soughtOf } from "./search.js";

/** @import { App, BookPage, BookRow, Entry, NewsKind, Qso, Query, Values } from "../types.js" */
/** @typedef {string | number | null} Rank null: last in both directions */

const LOCAL_STATES = ["waiting", "refused", "conflict"];
const SENT_MS = 10000; // the time after which a deletion is sent
const CHANNELS = 1000; // added to a channel, which is then above all frequencies in MHz

/**
 * The values by which QSOs are sorted, by the service's name for the order (src/qso/log_order.c).
 * Any other order is the order by time.
 * @type {Record<string, (qso: Qso, home: string) => Rank>}
 */
const RANKS = {
  callsign: (qso) => compact(qso.callsignWorked) || null,
  band: ({ channel, frequencyMhz }) =>
    channel === null || channel === undefined
      ? frequencyMhz
        ? Number(frequencyMhz)
        : null
      : CHANNELS + channel,
  mode: ({ mode }) => (mode ? choicesOf("mode").findIndex(([value]) => value === mode) : null),
  division: (qso) => numberOf(qso.callsignWorked) || null,
  square: (qso) => locatorOfStation(qso) || null,
  distance: kmOf,
};
/** @type {(a: Rank, b: Rank) => number} */
const compareRanks = (a, b) => Number((a ?? 0) > (b ?? 0)) - Number((a ?? 0) < (b ?? 0));
/** @type {(a: BookRow, b: BookRow) => number} */
const newestFirst = (a, b) => compareRanks(b.qso.qsoAt, a.qso.qsoAt);

/**
 * Returns a comparison for an order.
 * @param {string} sort such as "-distance"
 * @param {string} home
 * @returns {(a: BookRow, b: BookRow) => number}
 */
function comparisonOf(sort, home) {
  const isDown = sort.startsWith("-");
  const rank = RANKS[sort.replace("-", "")];
  if (!rank) return isDown ? newestFirst : (a, b) => newestFirst(b, a);
  return (a, b) => {
    const [one, other] = [rank(a.qso, home), rank(b.qso, home)];
    if ((one === null) !== (other === null)) return one === null ? 1 : -1;
    const difference = compareRanks(one, other);
    return (isDown ? -difference : difference) || newestFirst(a, b);
  };
}

export class LocalBook {
  size = 50;
  sizeMax = Infinity;
  undoAddress = "../profile/#history";
  /** @type {Map<string, NewsKind>} known once the whole log has been counted */
  news = new Map();

  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /** @param {number | null} division */
  placeOf(division) {
    return division === null ? null : countryName(division);
  }
  /**
   * Returns the row of a QSO.
   * @param {string} key
   * @param {Qso} qso
   * @param {Entry} [entry] the QSO's entry in the outbox
   * @returns {BookRow}
   */
  rowOf(key, qso, entry) {
    const km = kmOf(qso, this.app.home);
    return {
      key,
      qso,
      entry,
      division: numberOf(qso.callsignWorked) || null,
      km: km === null ? null : Math.round(km),
    };
  }
  /**
   * Returns the row with a key, if the log has the QSO.
   * @param {string} key
   */
  async get(key) {
    const { outbox, storage } = this.app;
    const entry = outbox.get(key);
    const kept = entry ?? (await storage.change((records) => records.get("qsos", key)));
    return kept ? this.rowOf(key, kept.qso, entry) : null;
  }
  /**
   * Yields the matches as they are found. In every order except newest first, reads the whole log.
   * @param {Query} wish
   * @param {number} most
   * @param {string | null} after the number of QSOs on the previous pages
   * @returns {AsyncGenerator<BookPage>}
   */
  async *search(wish, most, after) {
    const { outbox, storage, home } = this.app;
    const sought = soughtOf(wish);
    const state = wish.get("state") ?? "";
    const isLocal = LOCAL_STATES.includes(state);
    const sort = wish.get("sort") ?? "-time";
    const compare = comparisonOf(sort, home);
    const begin = Number(after ?? 0);
    const end = begin + most;
    let rows = [...outbox.values()]
      .filter(({ kind, state: now }) => kind === "save" || now !== "waiting")
      .filter(({ qso, state: now }) => isSought(qso, sought) && (!isLocal || now === state))
      .map((entry) => this.rowOf(entry.key, entry.qso, entry));
    /** @type {(back: string) => BookPage} */
    const pageOf = (back) => {
      rows = rows.sort(compare).slice(0, end + 1);
      const next = rows.length > end ? String(end) : null;
      return { rows: rows.slice(begin, end), next, ...(back && { back }) };
    };
    if (!isLocal)
      for await (const { found, back } of search(storage, sought, most)) {
        for (const { key, qso } of found)
          if (!outbox.has(key)) rows.push(this.rowOf(key, /** @type {Qso} */ (qso), undefined));
        const isNewest = sort === "-time";
        if (isNewest && rows.filter(({ qso }) => qso.qsoAt >= back).length > end) break;
        if (!back) break;
        yield pageOf(back);
      }
    yield pageOf("");
  }
  /** Returns the time of the newest QSO; undefined: the log is empty. */
  async newestAt() {
    for await (const { rows, back } of this.search(new Map(), 1, null))
      if (rows.length || !back) return rows[0]?.qso.qsoAt;
  }
  /**
   * Yields all QSOs that match a filter, in steps, in no particular order.
   * @param {Query} wish
   * @returns {AsyncGenerator<Values[]>}
   */
  async *all(wish) {
    const { outbox, storage } = this.app;
    const sought = soughtOf(wish);
    const state = wish.get("state") ?? "";
    const isLocal = LOCAL_STATES.includes(state);
    yield [...outbox.values()]
      .filter((entry) => entry.kind === "save" && (!isLocal || entry.state === state))
      .filter(({ qso }) => isSought(qso, sought))
      .map(({ qso }) => qso);
    if (isLocal) return;
    for await (const { found } of search(storage, sought))
      yield found.filter(({ key }) => !outbox.has(key)).map(({ qso }) => qso);
  }
  /** @param {BookRow} row */
  async remove({ key, qso, entry }) {
    const { app } = this;
    const order = await app.log.delete(key, Date.now() + SENT_MS);
    setTimeout(() => app.synchronise(), SENT_MS);
    await app.written();
    return async () => {
      // If the service has already deleted the QSO, saves the QSO again.
      const isBack = order !== null && (await app.log.takeBack(key, order, entry));
      if (!isBack) await app.log.save(entry?.qso ?? qso);
      await app.written();
    };
  }
  /** @param {unknown} error */
  explain(error) {
    return String(error);
  }
}
