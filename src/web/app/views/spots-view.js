// Shows the page Spots: the filters, the band scope, the list, and a disc with the stations. Log
// shows the new stations next to its form. The code is loaded after the form can be used.
import { element, find, number, recall, remember, typed } from "../../shared/page.js";
import { fitsQuery, isNew } from "../../shared/awards/cluster-needed.js";
import { worthOf } from "../../shared/awards/award-rules.js";
import { capital, say } from "../../shared/language.js";
import { bearing, distanceKm, parseLocator } from "../../shared/map/geography.js";
import { chipOfSelect } from "../../shared/parts/chips.js";
import { RowList, arrowOf, drawTuning, shortAge } from "../../shared/parts/row.js";
import { Scope } from "../../shared/parts/scope.js";
import { segmentsOf } from "../../shared/parts/segments.js";
import { formatQuery, parseQuery } from "../../shared/query.js";
import { recentStations } from "../../shared/recent-spots.js";
import { compact } from "../../shared/words/callsigns.js";
import { countryName } from "../../shared/words/countries.js";
import { offerValues } from "../../shared/words/qso-words.js";
import { placeOf, pointsOf } from "./compass.js";
import { loadLook } from "./look.js";

/** @import { Disc } from "../../shared/parts/disc.js" */
/** @import { Heard, Wish } from "../types.js" */
/** @typedef {"loading" | "live" | "offline" | "lost"} State of the requests for spots */

const KEPT = "spots-filter"; // name under which the browser stores the filter
const DESK = matchMedia("(min-width: 62rem)"); // where the disc is next to the list
const FRESH_MS = 60000; // time for which a new row is marked
const ON_AIR = 3; // new stations that Log shows next to the form
const STATIONS = 40; // stations on the disc
/** @type {Record<State, string>} */
const STATES = {
  loading: "Loading",
  live: "Live",
  offline: "Offline: trying again",
  lost: "The service can't be reached: trying again",
};
/** @type {[name: string, title: string, choices: [string, string][]][]} */
const FILTERS = [
  [
    "new",
    "New for me",
    [
      ["", "All spots"],
      ["new", "Not worked yet"],
      ["open", "Not worked or not confirmed"],
    ],
  ],
  [
    "band",
    "Band",
    [
      ["", "All bands"],
      ["11m", "11 m"],
      ["pmr446", "PMR446"],
    ],
  ],
  ["mode", "Mode", [["", "All modes"]]],
  [
    "minutes",
    "Maximum age",
    [
      ["", "Any age"],
      ["15", "15 minutes"],
      ["60", "1 hour"],
      ["360", "6 hours"],
      ["1440", "24 hours"],
    ],
  ],
];

/**
 * Returns the distance and the direction of a station; null: one of the two places is unknown.
 * @param {Heard} heard
 * @param {string} home the member's locator
 */
function wayOf(heard, home) {
  const [from, to] = [parseLocator(home), placeOf(heard)];
  if (!from || !to) return null;
  const angle = bearing(from, to);
  const towards = element("span", { class: "towards" }, " ", arrowOf(angle), ` ${angle}°`);
  return element("span", {}, `${number(distanceKm(from, to))} km`, towards);
}

export class SpotsView {
  /** @type {Heard[]} the loaded spots, newest first */
  heard = [];
  /** @type {Set<string>} ids of the spots in the list */
  shown = new Set();
  /** @type {number | null} a frequency that was chosen on the scope */
  khz = null;
  /** @type {State} */
  state = "loading";
  /** @type {Disc | null} null: not yet loaded */
  disc = null;
  live = element("span", { class: "live loading" });
  count = element("span", { class: "muted" });
  only = element("button", {
    type: "button",
    class: "chip",
    "aria-pressed": "true",
  });
  fresh = element("button", { type: "button", class: "pill", hidden: true });
  none = element("p", { class: "muted", hidden: true });
  figure = element("figure", { id: "spots-disc", hidden: true }, element("div"));
  scope = new Scope((khz) => this.#choose(khz));
  scopePanel = element("div", { class: "scope panel" }, this.scope.node);

  /**
   * @param {() => string} home returns the member's locator
   * @param {(id: string) => void} take called with the chosen spot
   */
  constructor(home, take) {
    this.home = home;
    this.list = new RowList({ name: say("Spots"), open: take });
    this.air = new RowList({ name: say("On the air, new for you"), open: take });
    find("air-new").append(this.air.node);
    const kept = parseQuery(recall(KEPT) ?? "");
    this.selects = FILTERS.map(([name, , choices]) => {
      const options = choices.map(([value, text]) => element("option", { value }, say(text)));
      const select = /** @type {HTMLSelectElement} */ (element("select", { name }, ...options));
      if (name === "mode") offerValues(select, name);
      select.value = kept.get(name) ?? "";
      if (select.selectedIndex < 0) select.value = "";
      select.addEventListener("input", () => this.#filter());
      return select;
    });
    this.chips = this.selects.map((select, place) =>
      chipOfSelect(say(FILTERS[place][1]), select, place ? {} : { news: () => this.#countNew() }),
    );
    this.chips[0].node.id = "for-log";
    this.only.addEventListener("click", () => this.#choose(null));
    this.only.hidden = true;
    this.fresh.addEventListener("click", () => {
      this.#release();
      scrollTo(0, 0);
      this.list.focus(this.list.stop);
    });
    addEventListener("scroll", () => this.fresh.hidden || this.#isRead() || this.#release(), {
      passive: true,
    });
    this.#build();
  }
  #build() {
    const { live, count, only, fresh, none, figure, scopePanel, list } = this;
    figure.append(
      element(
        "figcaption",
        { class: "muted" },
        ...[element("span", { class: "new" }, say("new for you")), " "],
        element("span", {}, say("heard")),
      ),
    );
    /** @type {[string, string][]} */
    const parts = [
      ["list", say("List")],
      ["map", say("Map")],
    ];
    const view = find("spots-view");
    const choose = (/** @type {string} */ part) => {
      view.dataset.part = part;
      this.#showDisc().catch(() => {});
    };
    view.dataset.part = "list";
    find("spots-state").append(live, " ", count);
    view.append(
      segmentsOf(say("Spots"), parts, "list", choose),
      element("div", { class: "chips" }, ...this.chips.map(({ node }) => node), only),
      scopePanel,
      element("div", { class: "spots-of" }, element("div", {}, fresh, list.node, none), figure),
    );
  }

  /** @param {string} name of a filter */
  #read(name) {
    return this.selects.find((select) => select.name === name)?.value ?? "";
  }
  #filter() {
    const wanted = this.selects.map(
      ({ name, value }) => /** @type {[string, string]} */ ([name, value]),
    );
    remember(KEPT, formatQuery(new Map(wanted.filter(([, value]) => value))));
    this.#release();
  }
  /** @param {number | null} khz shows only the spots on this frequency; null: on all */
  #choose(khz) {
    this.khz = khz;
    this.only.hidden = khz === null;
    this.only.textContent = khz === null ? "" : `${number(khz)} kHz ×`;
    this.#release();
  }
  #showAll() {
    for (const select of this.selects) select.value = "";
    this.#choose(null);
    this.#filter();
    this.chips[0].button.focus();
  }
  /** @param {Heard} heard */
  #fits({ spot, news }) {
    const [band, mode, minutes] = ["band", "mode", "minutes"].map((name) => this.#read(name));
    return (
      (!band || spot.band === band) &&
      (!mode || spot.mode === mode) &&
      (!minutes || Date.now() - Date.parse(spot.when) < Number(minutes) * 60000) &&
      (this.khz === null || spot.frequency === this.khz) &&
      fitsQuery(news, /** @type {Wish} */ (this.#read("new")))
    );
  }
  #countNew() {
    return this.heard.filter(({ news }) => news.some(isNew)).length;
  }
  /** Returns whether the top of the list has scrolled out of view. */
  #isRead() {
    return !find("spots").hidden && this.list.node.getBoundingClientRect().top < 0;
  }

  /**
   * Shows spots. While the reader is further down, new spots are only counted.
   * @param {Heard[]} heard newest first
   * @param {Heard[]} news the stations on the air that are new for the member
   */
  show(heard, news) {
    this.heard = heard;
    this.air.replace(
      news
        .slice(0, ON_AIR)
        .map((one) => ({ ...this.#rowOf(one), badge: null, tuning: null, reports: null })),
      true,
      false,
    );
    find("air-new").hidden = !news.length;
    const fits = heard.filter((one) => this.#fits(one));
    const n = fits.filter(({ spot }) => !this.shown.has(spot.id)).length;
    if (!n || !this.#isRead()) return this.#release();
    this.fresh.hidden = false;
    this.fresh.textContent = say("{n} new spot|{n} new spots", { n });
  }
  /** Shows all loaded spots that match the filters. */
  #release() {
    const fits = this.heard.filter((one) => this.#fits(one));
    this.shown = new Set(fits.map(({ spot }) => spot.id));
    this.list.replace(
      fits.map((one) => this.#rowOf(one)),
      true,
      false,
    );
    this.fresh.hidden = true;
    for (const chip of this.chips) chip.refresh();
    this.count.textContent = say("{n} spot|{n} spots", { n: fits.length });
    const news = new Set(
      this.heard.filter(({ news: texts }) => texts.some(isNew)).map(({ spot }) => spot),
    );
    this.scope.show(
      this.heard.filter((one) => this.khz !== null || this.#fits(one)).map(({ spot }) => spot),
      (spot) => news.has(spot),
    );
    this.scopePanel.hidden = this.#read("band") === "pmr446";
    this.#tellNone();
    this.#markFresh();
    this.#showDisc().catch(() => {}); // the list is complete without the disc
  }
  /**
   * Shows what changes without new spots: the state of the requests, the ages and the disc.
   * @param {State} state
   */
  renew(state) {
    this.state = state;
    this.live.classList.toggle("on", state === "live");
    this.live.classList.toggle("loading", state === "loading");
    this.live.textContent = say(STATES[state]);
    this.#tellNone();
    this.#markFresh();
    this.#showDisc().catch(() => {});
  }
  #tellNone() {
    const { none, heard, shown, state } = this;
    none.hidden = shown.size > 0 || (!heard.length && state === "loading");
    if (heard.length)
      none.replaceChildren(
        say("No matching spots. Try fewer filters."),
        " ",
        element("button", { type: "button", click: () => this.#showAll() }, say("Show all")),
      );
    else
      none.textContent =
        state === "live"
          ? say("No spots yet. New spots appear here automatically.")
          : say("None on this device.");
  }
  /** Shows the stations on a disc: next to the list or, on a phone, above the list. */
  async #showDisc() {
    const home = parseLocator(this.home());
    const isWanted = DESK.matches || find("spots-view").dataset.part === "map";
    if (!isWanted || find("spots").hidden || !home) return;
    if (!this.disc) {
      const { Disc } = await import("../../shared/parts/disc.js");
      this.disc ??= new Disc({ label: say("Map of spots"), scale: 1.27 });
      this.figure.firstElementChild?.replaceChildren(this.disc.node);
    }
    const stations = recentStations(
      this.heard.filter(({ spot }) => this.shown.has(spot.id)),
      ({ spot }) => spot,
      ({ qso }) => compact(qso.callsignWorked),
      Infinity,
    );
    this.disc.show({
      home,
      points: pointsOf(stations.slice(0, STATIONS), true),
    });
    this.figure.hidden = false;
  }
  /** @param {Heard} heard */
  #rowOf(heard) {
    const { spot, qso, news } = heard;
    const best = news.find(isNew);
    return {
      id: spot.id,
      callsign: qso.callsignWorked,
      at: spot.when,
      age: shortAge(spot.when),
      /** @type {[string, string] | null} */
      badge: best ? ["new", capital(say(best))] : null,
      place: countryName(worthOf(qso).division),
      tuning: drawTuning(qso),
      reports: typed(spot.spotter),
      far: wayOf(heard, this.home()),
    };
  }
  /** Shows the ages of the spots, and marks the rows of new spots. */
  #markFresh() {
    for (const { spot } of this.heard) {
      const row = this.list.find(spot.id);
      for (const place of row?.querySelectorAll(".age") ?? [])
        place.textContent = shortAge(spot.when);
      const isFresh = Date.now() - Date.parse(spot.when) < FRESH_MS;
      row?.querySelector(".q")?.classList.toggle("fresh", isFresh);
    }
  }
}

/**
 * Returns the view, with the style of its scope and its chips.
 * @param {() => string} home returns the member's locator
 * @param {(id: string) => void} take called with the chosen spot
 */
export async function openSpots(home, take) {
  await loadLook("map");
  return new SpotsView(home, take);
}
