// Chooses the stations that are on the air: usually those with a spot in the last half hour.

/** @import { Spot } from "./types.js" */

const RECENT_MS = 30 * 60000;

/**
 * Returns the newest spot of each station on the air. Spots without a name are omitted.
 * @template T
 * @param {T[]} all newest first
 * @param {(one: T) => Spot} spotOf
 * @param {(one: T) => string | null | undefined} nameOf the station's name
 * @param {number} [most] maximum age in ms
 */
export function recentStations(all, spotOf, nameOf, most = RECENT_MS) {
  /** @type {Map<string, T>} */
  const stations = new Map();
  for (const one of all) {
    const name = nameOf(one);
    const isRecent = Date.now() - Date.parse(spotOf(one).when) < most;
    if (name && isRecent && !stations.has(name)) stations.set(name, one);
  }
  return [...stations.values()];
}
