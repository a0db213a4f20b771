// Shows the page Awards, with the same awards as in the profile. Awards are counted from the log on
// this device; if the device keeps no log, the service counts them.
import { AwardsView } from "../../shared/awards/awards-view.js";
import { partOf } from "../../shared/awards/award-segments.js";
import { element, find, number } from "../../shared/page.js";
import { say } from "../../shared/language.js";
import { Counts } from "../log/award-counts.js";
import { formatCsv } from "../log/award-table.js";
import { saveFile } from "../text/files.js";
import { formatQuery } from "../../shared/query.js";
import { asItWaits } from "../../shared/awards/award-rules.js";

/** @import { App, Awards as Answer, Values } from "../types.js" */

const AT_ONCE = 100; // QSOs counted in one step; between two steps, the page can react

/**
 * Yields the QSOs on this device in steps. Waiting changes replace stored QSOs.
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

export class Awards {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.isStale = true;
    this.isCounting = false;
    const save = () => {
      const { shown } = this.view;
      if (shown) saveFile("qsosync-awards.csv", "text/csv", formatCsv(shown));
    };
    this.view = new AwardsView(find("awards-view"), {
      part: (part) => (part === "divisions" ? "#awards" : `#awards=${part}`),
      cards: "../profile/#cards",
      all: () => null,
      first: ({ callsign, qsoAt }) =>
        `#logbook?text=${encodeURIComponent(callsign ?? qsoAt.slice(0, 10))}`,
      buttons: [element("button", { id: "awards-csv", type: "button", click: save }, "CSV")],
      filtered: () => this.renew(),
      certify: null,
      spots: {
        home: async () => app.home,
        news: (worth) => Promise.all(worth.map((one) => app.news(one))),
      },
    });
    find("awards-map").className = "squares";
    app.watch((isChanged) => {
      if (isChanged) this.renew();
    });
  }

  /**
   * Counts the awards again, at the latest when the page is shown. Called when the log has changed,
   * or another filter is chosen.
   */
  renew() {
    this.isStale = true;
    this.show();
  }
  /**
   * Counts the awards if needed. Callers do not await the result, because a long log takes time.
   * @param {string} [part]
   */
  async show(part = this.view.part) {
    if (part !== this.view.part) this.view.choose(partOf(part));
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
      find("awards").classList.remove("filling");
    }
  }
  async #count() {
    const filter = this.view.filter();
    const [band, mode, year] = ["band", "mode", "year"].map((name) => filter.get(name));
    /** @param {Values} qso */
    const isWanted = (qso) =>
      (!band || qso.band === band) &&
      (!mode || (qso.mode ?? "none") === mode) &&
      (!year || qso.qsoAt.startsWith(year));
    const wish = formatQuery(filter);
    if (this.app.session) return this.#show(await this.app.session.awards(filter));
    const counts = new Counts();
    find("awards").setAttribute("aria-busy", "true");
    for await (const qsos of readLog(this.app)) {
      if (formatQuery(this.view.filter()) !== wish) return; // the filter has changed
      for (const qso of qsos) if (isWanted(qso)) counts.add(qso);
      find("awards-shown").textContent = say("{count} QSOs", { count: number(counts.qsos) });
    }
    await this.#show(counts.end());
    find("awards").removeAttribute("aria-busy");
  }
  /** @param {Answer} awards */
  async #show(awards) {
    this.view.show(awards);
    find("awards-map").replaceChildren(...(awards.squares.length ? [await figureOf(awards)] : []));
  }
}

/** @param {Answer} awards */
async function figureOf({ squares }) {
  const kindOf = (/** @type {{confirmed: number}} */ { confirmed }) =>
    confirmed ? "confirmed" : "open";
  const { mapOf } = await import("./squares.js");
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
