// Counts the figures of Logbook and the places of its map from the log on this device. The code is
// loaded when the figures or the map are shown.
import { isoDay } from "../../shared/figures.js";
import { formatQuery } from "../../shared/query.js";
import { LogBeside } from "../../shared/logbook/log-beside.js";
import { showMap } from "../../shared/logbook/log-map.js";
import { LogCounts } from "../log/log-counts.js";

export { LogBeside, showMap };

/** @import { App, Query, Statistics } from "../types.js" */
/** @import { LocalBook } from "../log/local-book.js" */

export class LocalFigures {
  /** @type {{question: string, counts: Promise<LogCounts>} | null} null: the log has changed */
  #counted = null;

  /**
   * @param {App} app
   * @param {LocalBook} book
   */
  constructor(app, book) {
    this.app = app;
    this.book = book;
    app.watch((isChanged) => {
      if (isChanged) this.#counted = null;
    });
  }
  /**
   * @param {Query} wish
   * @returns {Promise<Statistics>}
   */
  async statistics(wish) {
    const newest = ((await this.book.newestAt()) ?? new Date().toISOString()).slice(0, 10);
    const ends = [wish.get("to"), wish.get("year")].flatMap((end) => (end ? lastDayOf(end) : []));
    const [last] = [newest, ...ends].sort();
    const counts = await this.#counts(wish);
    if (!wish.size) this.book.news = counts.news();
    return counts.statistics(last);
  }
  /** @param {Query} wish */
  async map(wish) {
    return (await this.#counts(wish)).map();
  }
  /**
   * Counts once for the statistics and the map. Stops early if another count has begun, because its
   * result replaces this result.
   * @param {Query} wish
   */
  #counts(wish) {
    const question = formatQuery(wish);
    if (this.#counted?.question === question) return this.#counted.counts;
    const counts = this.#count(wish, () => this.#counted?.question === question);
    this.#counted = { question, counts };
    return counts;
  }
  /**
   * @param {Query} wish
   * @param {() => boolean} goesOn
   */
  async #count(wish, goesOn) {
    const counts = new LogCounts(this.app.home);
    for await (const qsos of this.book.all(wish)) {
      for (const qso of qsos) counts.add(qso);
      if (!goesOn()) break;
    }
    return counts;
  }
}

/**
 * Returns the last day of a day, a month or a year.
 * @param {string} until
 */
function lastDayOf(until) {
  const [year, month, day] = until.split("-").map(Number);
  if (day) return until;
  return isoDay(Date.UTC(month ? year : year + 1, month ?? 0, 0));
}
