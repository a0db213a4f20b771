// Spots that other DX clusters sent, between those of members, for readers who want to see them.
import { find, input, recall, remember } from "../site/page.js";
import { fetchInTime, readPage } from "./follow.js";

const ASK_MS = 15000;

/** @typedef {import("../site/answers.js").Spot} Spot */
/** @type {Spot[]} newest first */
let spots = [];
/** @type {() => void} */
let askNow = () => {};

/**
 * Those of members and of other clusters, newest first. Where older ones of members are still to
 * come, so are those of other clusters that are as old.
 * @param {Spot[]} members
 * @param {boolean} hasOlder
 */
export function withNetwork(members, hasOlder) {
  const last = members.at(-1);
  const end = hasOlder && last ? last.when : "";
  const rest = input("with-network").checked ? spots.filter(({ when }) => when >= end) : [];
  const all = [];
  for (const spot of members) {
    while (rest.length && rest[0].when > spot.when) all.push(...rest.splice(0, 1));
    all.push(spot);
  }
  return [...all, ...rest];
}
/** Asks at once, because others are wanted. */
export function restartNetwork() {
  spots = [];
  askNow();
}
/**
 * @param {() => string} address may change
 * @param {() => void} changed is called when there are others, or when they are wanted or not
 */
export function startNetwork(address, changed) {
  const wish = input("with-network");
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let isOut = false; // out of sight, with nothing to be asked
  async function ask() {
    clearTimeout(timer);
    isOut = document.hidden;
    if (isOut) return;
    timer = setTimeout(ask, ASK_MS);
    const asked = address();
    try {
      const page = await fetchInTime(asked, { cache: "no-cache" }, readPage);
      if (asked !== address()) return;
      spots = page.spots.map((spot) => ({ ...spot, id: `network-${spot.id}` }));
      if (spots.length) find("network-wish").hidden = false;
      changed();
    } catch {
      // They are asked for again soon; the page says how its own are.
    }
  }
  wish.checked = recall("cluster-network") !== "0";
  wish.addEventListener("change", () => {
    remember("cluster-network", wish.checked ? "1" : "0");
    changed();
  });
  document.addEventListener("visibilitychange", () => {
    if (isOut) ask();
  });
  askNow = ask;
  ask();
}
