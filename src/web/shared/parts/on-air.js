// Shows stations that are on the air now and new for the member, and keeps the list up to date.
import { element, number } from "../page.js";
import { capital, say } from "../language.js";
import { hasNew, isNew } from "../awards/cluster-needed.js";
import { worthOf } from "../awards/award-rules.js";
import { arrowOf, badgeOf, callsignOf, drawTuning, shortAge } from "./row.js";
import { bearing, distanceKm, parseLocator } from "../map/geography.js";
import { formatQuery } from "../query.js";
import { recentStations } from "../recent-spots.js";
import { countryName } from "../words/countries.js";
import { qsoOfSpot } from "../words/spot-qso.js";

/** @import { Spot, SpotWorth } from "../types.js" */
/**
 * @typedef {object} OnAirSource
 * @property {() => Promise<string>} home returns the member's locator
 * @property {(worth: SpotWorth[]) => Promise<string[][]>} news returns the marks of each spot
 * @property {(divisions: Set<string>) => void} found called with the new divisions on the air
 */

/** @typedef {{spot: Spot, worth: SpotWorth, news: string[]}} Row */

const ASK_MS = 20000;
const SHOWN = 5;

/**
 * Returns the country, distance and direction of a station.
 * @param {SpotWorth} worth
 * @param {string | null} locator
 * @param {string} home
 */
function placeOf({ division }, locator, home) {
  const [from, to] = [parseLocator(home), parseLocator(locator ?? "")];
  const place = countryName(division);
  if (!from || !to) return [place];
  const angle = bearing(from, to);
  const far = `${number(distanceKm(from, to))} km `;
  return [place, place ? " · " : "", far, arrowOf(angle), ` ${angle}°`];
}

export class OnAir {
  /**
   * @param {HTMLElement} place
   * @param {OnAirSource} source
   */
  constructor(place, source) {
    this.place = place;
    this.source = source;
    /** @type {Row[]} the newest spot of each station on the air */
    this.rows = [];
    this.home = "";
    setInterval(() => this.ask(), ASK_MS);
  }
  /** Reads the newest spots, and shows the list again, if the list is visible. */
  async ask() {
    if (document.hidden || !this.place.offsetParent) return;
    try {
      const answer = await fetch("../cluster/spots", { cache: "no-cache" });
      if (!answer.ok) return;
      /** @type {Spot[]} */
      const spots = await answer.json();
      await this.#show(
        recentStations(
          spots,
          (spot) => spot,
          ({ spotted }) => spotted,
        ),
      );
    } catch {
      /* while the device is offline, the last list stays */
    }
  }
  /** @param {Spot[]} spots */
  async #show(spots) {
    const worth = spots.map((spot) => worthOf(qsoOfSpot(spot)));
    const [home, news] = await Promise.all([this.source.home(), this.source.news(worth)]);
    this.home = home;
    this.rows = spots.map((spot, place) => ({
      ...{ spot, worth: worth[place], news: news[place].filter(isNew) },
    }));
    const rows = this.rows.filter((row) => hasNew(row.news));
    const divisions = rows.filter((row) => row.news.includes("new division"));
    this.source.found(new Set(divisions.map((row) => String(row.worth.division))));
    this.place.replaceChildren(
      this.#listOf(rows) ??
        element("p", { class: "muted" }, say("Nothing new in the last half hour.")),
    );
  }
  /**
   * Returns a list of the wanted stations on the air; null: none of the wanted stations is on the
   * air.
   * @param {(worth: SpotWorth) => boolean} isWanted
   */
  listOf(isWanted) {
    return this.#listOf(this.rows.filter(({ worth }) => isWanted(worth)));
  }
  /** @param {Row[]} rows */
  #listOf(rows) {
    return rows.length
      ? element(
          "ul",
          { class: "on-air-list" },
          ...rows.slice(0, SHOWN).map((row) => this.#rowOf(row)),
        )
      : null;
  }
  /** @param {Row} row */
  #rowOf({ spot, worth, news }) {
    const qso = qsoOfSpot(spot);
    const values = Object.entries(qso).filter(([, value]) => value !== null);
    return element(
      "li",
      {},
      element(
        "a",
        { href: `../app/#spot=${formatQuery(values)}`, class: news.length ? "new" : null },
        element(
          "span",
          {},
          callsignOf(spot.spotted),
          " ",
          news.length ? badgeOf("new", capital(say(news[0]))) : null,
        ),
        " ",
        drawTuning(qso),
        " ",
        element("small", {}, ...placeOf(worth, spot.spottedLocator, this.home)),
        " ",
        element("small", {}, element("time", { datetime: spot.when }, shortAge(spot.when))),
      ),
    );
  }
}
