// The section Logbook: figures, the QSOs with their filter, almost confirmed QSOs, the statistics
// and the map. The section is renewed when the log changes, in this browser or elsewhere.
import { breathe, find } from "../../shared/page.js";
import { formatQuery } from "../../shared/query.js";
import { explain, get } from "../../shared/service.js";
import { showEditing } from "./log-edit.js";
import { offerChoices, readPart, startFilter } from "./log-filter.js";
import { QsoList, tellFilter, tellShown } from "./log-list.js";
import { knowDivisions } from "./log-rows.js";
import { showFigures, showSyncs } from "./log-statistics.js";
import { showStatistics } from "./log-plots.js";
import { showNear } from "./log-near.js";
import { Renewal } from "./renewal.js";

/** @import { QsoPage, Statistics } from "../types.js" */
/**
 * @typedef {object} LogAnswers answers to requests that were already sent
 * @property {Promise<{revision: string}>} revision
 * @property {Promise<Statistics>} statistics as new as the revision, or newer
 * @property {Promise<QsoPage>} [newest] the newest QSOs, unfiltered
 */

/** @param {unknown} refusal */
function tellTrouble(refusal) {
  const trouble = find("search-trouble");
  trouble.textContent = explain(refusal);
  trouble.hidden = false;
}

class MyLog {
  /** @type {Statistics | undefined} of the whole log */
  whole;
  wish = 0; // number of the newest request; results of older requests are dropped
  map = 0; // number of the newest request for the map
  isMapSeen = !("IntersectionObserver" in window);
  list = new QsoList();
  renewal = new Renewal("log", (revision) =>
    this.renew({ revision, statistics: get("statistics") }),
  );

  constructor() {
    showEditing();
    startFilter(() => {
      this.showDoubles(false);
      return this.showPart();
    });
    if (!this.isMapSeen) this.watchMap();
    find("doubles-chip").addEventListener("click", () => {
      const isOn = find("doubles-chip").getAttribute("aria-pressed") === "true";
      this.showDoubles(!isOn).catch(tellTrouble);
    });
  }

  /**
   * Shows possible duplicates instead of the QSOs, regardless of the filter, or shows the QSOs
   * again.
   * @param {boolean} isOn
   */
  async showDoubles(isOn) {
    find("doubles-chip").setAttribute("aria-pressed", String(isOn));
    find("doubles").hidden = !isOn;
    find("qsos").hidden = isOn;
    if (isOn) await (await import("./log-doubles.js")).showDoubles();
  }

  /** Shows the statistics of the QSOs that match the filter. */
  async showNumbers() {
    const mine = ++this.wish;
    const part = readPart();
    const { whole } = this;
    const statistics = part.size && whole ? await get(`statistics?${formatQuery(part)}`) : whole;
    if (mine !== this.wish || !statistics || !whole) return;
    showFigures(statistics);
    tellShown(statistics.qsos, whole.qsos);
    await breathe(); // the statistics are below the rows, so the rows are drawn first
    if (mine === this.wish) showStatistics(statistics);
  }
  // Shows the QSOs that match the filter, their statistics and the map. The rows are requested
  // first, because readers wait for the rows. The statistics follow, because they require a scan of
  // the whole log.
  async showPart() {
    tellFilter();
    await this.list.show();
    await Promise.all([this.showNumbers(), this.showMapOnceSeen()]).catch(tellTrouble);
  }
  /**
   * Renews the whole section.
   * @param {LogAnswers} answers
   */
  async renew(answers) {
    const [{ revision }, all] = await Promise.all([answers.revision, answers.statistics]);
    this.renewal.revision = revision;
    this.whole = all;
    const isEmpty = all.qsos === 0;
    find("first-steps").hidden = !isEmpty;
    find("log-view").hidden = isEmpty;
    if (isEmpty) return;
    offerChoices(all);
    knowDivisions(all.divisions);
    tellFilter();
    await Promise.all([this.list.show(answers.newest), this.showNumbers()]);
    const [near, keys] = await Promise.all([get("near-matches"), get("keys")]);
    showSyncs(all, keys.items);
    showNear(near.items);
    await this.showMapOnceSeen();
  }

  // Shows the map only when its place is in sight, because the map is large and below everything
  // else.
  async showMapOnceSeen() {
    if (!this.isMapSeen) return;
    const mine = ++this.map;
    const part = readPart();
    const coming = part.size ? get(`map?${formatQuery(part)}`) : get("map");
    const [{ showMap }, places] = await Promise.all([import("./log-map.js"), coming]);
    if (mine === this.map) showMap(places);
  }
  watchMap() {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        this.isMapSeen = true;
        if (this.whole) this.showMapOnceSeen().catch(tellTrouble);
      },
      { rootMargin: "400px" },
    );
    observer.observe(find("log-map"));
  }
}
const log = new MyLog();

/**
 * Shows the current log. Can be called repeatedly.
 * @param {LogAnswers} answers
 */
export const showLog = (answers) => log.renew(answers);
