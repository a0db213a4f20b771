// Shows the compass disc next to the form of a QSO. While no callsign is typed, the disc shows the
// stations that were spotted in the last half hour.
import { drawing, element, find, input, plain } from "../../shared/page.js";
import { isNew } from "../../shared/awards/cluster-needed.js";
import { say } from "../../shared/language.js";
import { parseLocator } from "../../shared/map/geography.js";
import { recentStations } from "../../shared/recent-spots.js";
import { compact } from "../../shared/words/callsigns.js";
import { tuningOf } from "../../shared/words/words.js";

/** @import { Disc } from "../../shared/parts/disc.js" */
/** @import { Place, Spot, Values } from "../types.js" */
/**
 * @typedef {object} Heard a spot
 * @property {Spot} spot
 * @property {Values} qso
 * @property {string[]} news texts of the spot's marks, the most important mark first
 */

const NAMES = 8; // newest stations that the disc names, in addition to all new stations

/**
 * Returns the place of the heard station; null: unknown.
 * @param {Heard} heard
 * @returns {Place | null}
 */
export function placeOf({ spot, qso }) {
  const { lat, lng } = spot.dxcc_spotted ?? { lat: null, lng: null };
  return parseLocator(qso.dxLocator ?? "") ?? (lat === null || lng === null ? null : { lat, lng });
}

/**
 * Returns the stations whose places are known, the newest station last.
 * @param {Heard[]} heard stations, the newest first
 * @param {boolean} [hasNames] whether the disc has room for the names of some stations
 */
export function pointsOf(heard, hasNames = false) {
  const points = heard.flatMap((one, index) => {
    const place = placeOf(one);
    const isLit = one.news.some(isNew);
    const name = hasNames && (isLit || index < NAMES) ? (one.qso.callsignWorked ?? "") : "";
    return place ? [{ place, isNew: isLit, name }] : [];
  });
  return points.reverse();
}

export class Compass {
  constructor() {
    /** @type {Disc | null} null: not yet loaded */
    this.disc = null;
    this.place = drawing("svg", { class: "disc", viewBox: "0 0 1 1" }); // keeps the disc's place
    /** @type {Heard[]} the newest spot of each station, the newest station first */
    this.heard = [];
    this.locator = "";
    /** @type {Place | null} */
    this.to = null;
    this.isNew = false;
  }
  /** Loads the disc with its land, for which the form does not wait. */
  async load() {
    if (this.disc) return;
    const { Disc } = await import("../../shared/parts/disc.js");
    this.disc ??= new Disc({ isSmall: true });
    this.#show();
  }
  /**
   * Points the needle at a station, or shows the world if the station's place is unknown. Without
   * the member's own locator, there is no disc.
   * @param {string} locator the member's locator
   * @param {Place | null} to
   * @param {boolean} isNew
   */
  aim(locator, to, isNew) {
    Object.assign(this, { locator, to, isNew });
    this.#show();
  }
  /** @param {Heard[]} heard spots, the newest first */
  hear(heard) {
    this.heard = recentStations(
      heard,
      ({ spot }) => spot,
      ({ qso }) => compact(qso.callsignWorked),
    );
    this.#show();
  }
  #show() {
    const { heard, to } = this;
    const isIdle = !to && !input("callsignWorked").value.trim();
    find("air").replaceChildren(...(isIdle && heard.length ? this.#texts() : []));
    const home = parseLocator(this.locator);
    find("disc").replaceChildren(...(home ? [this.disc?.node ?? this.place] : []));
    if (!home || !this.disc) return;
    const points = isIdle ? pointsOf(heard) : [];
    this.disc.show({ home, to, isNew: this.isNew, points });
  }
  #texts() {
    const { heard } = this;
    const n = heard.filter(({ news }) => news.some(isNew)).length;
    const [{ qso }] = heard;
    const latest = say("Latest: {callsign} on {frequency}", {
      callsign: qso.callsignWorked ?? "–",
      frequency: tuningOf(qso),
    });
    return [
      element(
        "p",
        { class: "who" },
        say("{n} station on the air|{n} stations on the air", {
          n: heard.length,
        }),
      ),
      n
        ? element("p", {}, element("span", { class: "tag new" }, say("{n} new for you", { n })))
        : "",
      element("p", { class: "muted" }, plain(latest)),
    ];
  }
}
