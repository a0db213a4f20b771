// Shows the figures above Logbook's list, and the map and a chart next to the list, for the QSOs
// that match the filter. A phone shows the list, the map or the figures.
import { breathe, find } from "../page.js";
import { say } from "../language.js";
import { segmentsOf } from "../parts/segments.js";
import { readPart } from "./log-filter.js";
import { showFigures } from "./log-figures.js";

/** @import { CountedLog, LogMap, NewPlace, Statistics } from "../types.js" */

export class LogBeside {
  /** @type {Statistics | undefined} of the whole log */
  whole;
  part = "list"; // the part that a phone shows
  #wish = 0; // number of the newest request; results of older requests are dropped
  #map = 0; // number of the newest request for the map
  #isMapSeen = !("IntersectionObserver" in window);

  /**
   * @param {CountedLog} book
   * @param {() => Promise<{showMap: (places: LogMap, news?: NewPlace[]) => void}>} loadMap
   *   loads log-map.js
   * @param {(trouble: unknown) => void} tellTrouble
   * @param {() => void} [chosen] called when the reader of a phone has chosen a part
   */
  constructor(book, loadMap, tellTrouble, chosen = () => {}) {
    this.book = book;
    this.loadMap = loadMap;
    this.tellTrouble = tellTrouble;
    if (!this.#isMapSeen) this.#watchMap();
    /** @type {[string, string][]} */
    const parts = [
      ["list", say("List")],
      ["map", say("Map")],
      ["figures", say("Figures")],
    ];
    const choose = (/** @type {string} */ part) => {
      this.part = part;
      find("log-view").setAttribute("data-part", part);
      chosen();
    };
    find("log-parts").append(segmentsOf(say("Logbook"), parts, this.part, choose));
  }

  /**
   * Shows the statistics of the QSOs that match the filter, after the rows have been drawn.
   * @param {(shown: Statistics, whole: Statistics) => void} tell
   */
  async showNumbers(tell) {
    const mine = ++this.#wish;
    const part = readPart();
    const { whole } = this;
    const statistics = part.size && whole ? await this.book.statistics(part) : whole;
    if (mine !== this.#wish || !statistics || !whole) return;
    tell(statistics, whole);
    await breathe();
    if (mine === this.#wish) showFigures(statistics);
  }
  /**
   * Shows the map only when its place is in sight, because the map is large, and a phone hides the
   * map at first.
   */
  async showMapOnceSeen() {
    if (!this.#isMapSeen) return;
    const mine = ++this.#map;
    const [{ showMap }, places] = await Promise.all([this.loadMap(), this.book.map(readPart())]);
    if (mine === this.#map) showMap(places, this.whole?.newPlaces);
  }
  #watchMap() {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        this.#isMapSeen = true;
        if (this.whole) this.showMapOnceSeen().catch(this.tellTrouble);
      },
      { rootMargin: "400px" },
    );
    observer.observe(find("log-map"));
  }
}
