// Loads spots from other DX clusters. Merges these spots with members' spots, unless the reader has
// switched off the spots from other clusters.
import { find, input, recall, remember } from "../../shared/page.js";
import { fetchInTime, readPage } from "./follow.js";

const ASK_MS = 15000;

/** @import { Spot } from "../types.js" */

export class NetworkSpots {
  /** @type {Spot[]} newest first */
  spots = [];
  isOut = false; // whether the page is hidden, so that requests are paused
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /**
   * @param {() => string} address returns the current address
   * @param {() => void} changed called after each answer, and when the reader switches these spots
   *   on or off
   */
  constructor(address, changed) {
    this.address = address;
    this.changed = changed;
    this.wish = input("with-network");
    this.wish.checked = recall("cluster-network") !== "0";
    this.wish.addEventListener("change", () => {
      remember("cluster-network", this.wish.checked ? "1" : "0");
      changed();
    });
    document.addEventListener("visibilitychange", () => {
      if (this.isOut) this.#ask();
    });
    this.#ask();
  }

  /**
   * Returns spots from members and from other clusters, newest first. While members' older spots
   * are not loaded, equally old spots from other clusters are omitted.
   * @param {Spot[]} members
   * @param {boolean} hasOlder
   */
  among(members, hasOlder) {
    const last = members.at(-1);
    const end = hasOlder && last ? last.when : "";
    const rest = this.wish.checked ? this.spots.filter(({ when }) => when >= end) : [];
    const all = [];
    for (const spot of members) {
      while (rest.length && rest[0].when > spot.when) all.push(...rest.splice(0, 1));
      all.push(spot);
    }
    return [...all, ...rest];
  }
  /** Requests the spots immediately after the filters have changed. */
  restart() {
    this.spots = [];
    this.#ask();
  }
  async #ask() {
    clearTimeout(this.timer);
    this.isOut = document.hidden;
    if (this.isOut) return;
    this.timer = setTimeout(() => this.#ask(), ASK_MS);
    const asked = this.address();
    try {
      const page = await fetchInTime(asked, { cache: "no-cache" }, readPage);
      if (asked !== this.address()) return;
      this.spots = page.spots.map((spot) => ({ ...spot, id: `network-${spot.id}` }));
      if (this.spots.length) find("network-wish").hidden = false;
      this.changed();
    } catch {
      // The error is ignored, because the next request follows soon, and the page shows only the
      // state of members' spots.
    }
  }
}
