// The page Awards, which shows the same awards as the profile, but counts them from the log on this
// device.
import { element, find, input, number } from "../../shared/page.js";
import {
  offerParts,
  offerYears,
  readFilter,
  showCounts,
  showTables,
  showWall,
} from "../../shared/awards/awards-tables.js";
import { say } from "../../shared/language.js";
import { divisionOf } from "../../shared/words/callsigns.js";
import { Counts } from "../log/award-counts.js";
import { formatCsv } from "../log/award-table.js";
import { saveFile } from "../text/files.js";
import { mapOf } from "./squares.js";
import { asItWaits } from "../../shared/awards/award-rules.js";

/** @import { App, AwardQso, Awards as Answer, Values } from "../types.js" */

const AT_ONCE = 100; // QSOs counted in one step; between two steps, the page can react

/**
 * Yields, in steps, the QSOs on this device that count for awards. Waiting changes replace stored
 * QSOs.
 * @param {App} app
 * @returns {AsyncGenerator<Values[]>}
 */
async function* readLog({ storage, outbox }) {
  const waiting = new Map(outbox);
  for (let after = "", some = AT_ONCE; some === AT_ONCE;) {
    const range = IDBKeyRange.lowerBound(after, true);
    /** @type {{key: string, qso: Values}[]} */
    const records = await storage.qsos("key", range, AT_ONCE);
    yield records.flatMap(({ key, qso }) => asItWaits(qso, waiting.get(key)) ?? []);
    for (const { key } of records) waiting.delete(key);
    some = records.length;
    after = records.at(-1)?.key ?? "";
  }
  yield [...waiting.values()].filter(({ kind }) => kind === "save").map(({ qso }) => qso);
}

/** Links from the awards to QSOs in the list. */
const WAYS = {
  all: () => null,
  first: (/** @type {AwardQso} */ { callsign, qsoAt }) =>
    `#list=${encodeURIComponent(callsign ?? qsoAt.slice(0, 10))}`,
};

export class Awards {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Answer | null} the shown awards */
    this.shown = null;
    this.isStale = true;
    this.isCounting = false;
    offerParts();
    const form = find("awards-filter");
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", ({ target }) => {
      if (target !== input("awards-open")) this.renew();
      else if (this.shown) showTables(this.shown, WAYS);
    });
    find("awards-csv").addEventListener("click", () => {
      if (this.shown) saveFile("qsosync-awards.csv", "text/csv", formatCsv(this.shown));
    });
    app.watch((isChanged) => {
      if (isChanged) this.renew();
    });
  }

  /** Discards the counts; called when the log has changed, or another filter is chosen. */
  renew() {
    this.isStale = true;
    this.show();
  }
  /**
   * Counts the awards if needed. Callers do not await the result, because a long log takes time.
   */
  async show() {
    if (this.isCounting || find("awards").hidden) return;
    this.isCounting = true;
    try {
      while (this.isStale && !find("awards").hidden) {
        this.isStale = false;
        await this.#count();
      }
    } catch (error) {
      this.isStale = true;
      this.app.tell(String(error), "bad");
    } finally {
      this.isCounting = false;
    }
  }
  async #count() {
    const filter = readFilter();
    const [band, mode, year] = ["band", "mode", "year"].map((name) => filter.get(name));
    /** @param {Values} qso */
    const isWanted = (qso) =>
      (!band || qso.band === band) &&
      (!mode || (qso.mode ?? "none") === mode) &&
      (!year || qso.qsoAt.startsWith(year));
    const counts = new Counts();
    find("awards").setAttribute("aria-busy", "true");
    for await (const qsos of readLog(this.app)) {
      if (readFilter().toString() !== filter.toString()) return; // the filter has changed
      for (const qso of qsos) if (isWanted(qso)) counts.add(qso);
      find("awards-shown").textContent = say("{count} QSOs", { count: number(counts.qsos) });
    }
    await this.#show(counts.end(), year ?? "");
    find("awards").removeAttribute("aria-busy");
  }
  /**
   * @param {Answer} awards
   * @param {string} year empty: the awards of the whole log
   */
  async #show(awards, year) {
    this.shown = awards;
    if (!year)
      offerYears(
        awards.years.map((row) => String(row.year).padStart(4, "0")),
        "",
      );
    showCounts(awards, WAYS);
    showWall(awards, divisionOf);
    find("awards-map").replaceChildren(...(awards.squares.length ? [await figureOf(awards)] : []));
  }
}

/** @param {Answer} awards */
async function figureOf({ squares }) {
  const kindOf = (/** @type {{confirmed: number}} */ { confirmed }) =>
    confirmed ? "confirmed" : "open";
  const map = await mapOf(
    squares.map((award) => ({
      name: award.name,
      title: `${award.name} · ${say("{n} QSO|{n} QSOs", { n: award.qsos })}`,
      kind: `square ${kindOf(award)}`,
    })),
    say("Map of squares worked"),
  );
  return element(
    "figure",
    {},
    map,
    element(
      "figcaption",
      {},
      ...[
        ["confirmed", "confirmed"],
        ["open", "not confirmed"],
      ].flatMap(([kind, text]) => [element("span", { class: kind }, "■"), ` ${say(text)} `]),
    ),
  );
}
