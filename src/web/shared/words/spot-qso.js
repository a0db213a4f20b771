// Converts between the names in a spot and the names in a QSO, for forms that are filled in from a
// spot.

/** @import { Spot } from "../types.js" */

/**
 * Returns a band's name in spots and in lists of worked QSOs.
 * @param {string} band a QSO's band
 */
export const spotBandOf = (band) => (band === "PMR446" ? "pmr446" : "11m");

/**
 * Returns the values of a QSO with the spotted station.
 * @param {Spot} spot
 */
export function qsoOfSpot(spot) {
  const isPmr = spot.band === spotBandOf("PMR446");
  return {
    band: isPmr ? "PMR446" : "ELEVEN_METERS",
    callsignWorked: spot.spotted ?? null,
    frequencyMhz: isPmr || spot.frequency === null ? null : (spot.frequency / 1000).toFixed(3),
    channel: spot.channel ?? null,
    ctcssTone: spot.ctcssTone ?? null,
    dcsCode: spot.dcsCode ?? null,
    mode: spot.mode ?? null,
    dxLocator: spot.spottedLocator ?? null,
  };
}
