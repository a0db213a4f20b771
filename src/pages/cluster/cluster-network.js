// Spots that other DX clusters sent, between those of members, for readers who want to see them.
import { find, input, recall, remember } from "../site/page.js";
import { fetchInTime, readPage } from "./follow.js";

const ASK_MS = 15000;

/** @typedef {import("../site/answers.js").Spot} Spot */

export class NetworkSpots {
  /** @type {Spot[]} newest first */
  spots = [];
  isOut = false; // out of sight, with nothing to be asked
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /**
   * @param {() => string} address may change
   * @param {() => void} changed is called when there are others, or when they are wanted or not
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
   * Those of members and of other clusters, newest first. Where older ones of members are still to
   * come, so are those of other clusters that are as old.
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
  /** Asks at once, because others are wanted. */
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
      // They are asked for again soon; the page says how its own are.
    }
  }
}
