// Reads the parts of a spot: its places, division, frequency and callsign, as values or as text.
import { element, hour, number, plain } from "../../shared/page.js";
import { country, say } from "../../shared/language.js";
import { toneOf } from "../../shared/words/qso-words.js";

const CENTRE = { lat: 50, lng: 10 };

/** @import { Child, Place, Spot, SpotStation } from "../types.js" */

/** @param {SpotStation} station */
export function placeOf(station) {
  return station.lat === null || station.lng === null
    ? null
    : { lat: Number(station.lat), lng: Number(station.lng) };
}
/**
 * Returns the place at which the largest number of spots was heard; without spots, the middle of
 * Europe.
 * @param {Spot[]} spots
 */
export function centreOf(spots) {
  /** @type {Map<string, {place: Place, count: number}>} */
  const places = new Map();
  for (const spot of spots) {
    const place = placeOf(spot.dxcc_spotter);
    if (!place) continue;
    const name = `${place.lat} ${place.lng}`;
    places.set(name, { place, count: (places.get(name)?.count ?? 0) + 1 });
  }
  const [most] = [...places.values()].sort((a, b) => b.count - a.count);
  return most?.place ?? CENTRE;
}
/**
 * Returns the heard station's division number; 0 if the service found no division.
 * @param {Spot} spot
 */
export function divisionOf(spot) {
  return spot.dxcc_spotted.entity ? parseInt(spot.spotted ?? "", 10) : 0;
}
/**
 * Returns the two-letter country code that a station's flag encodes; empty: unknown.
 * @param {SpotStation} station
 */
export function countryOf(station) {
  const letters = [...(station.flag ?? "")].map((c) => (c.codePointAt(0) ?? 0) - 0x1f1a5);
  return String.fromCharCode(...letters);
}
/**
 * Returns the name of a station's division, in the reader's language if the division is a country
 * with its own code. Wales, for example, has no code.
 * @param {SpotStation} station
 */
export function entityOf(station) {
  const { entity } = station;
  return entity ? country(entity, countryOf(station)) : entity;
}
/**
 * Returns the frequency in MHz, without the unit; empty if unknown.
 * @param {Spot} spot
 */
export function frequencyOf(spot) {
  return spot.frequency === null
    ? ""
    : number(spot.frequency / 1000, spot.band === "pmr446" ? 5 : 3);
}
/**
 * Returns the channel and its tone or code; empty on 11 m.
 * @param {Spot} spot
 */
export function channelOf(spot) {
  const channel = spot.channel === null ? null : say("channel {n}", { n: spot.channel });
  return [channel, toneOf(spot)].filter(Boolean).join(" · ");
}
/** @param {Spot} spot */
export function callsignOf(spot) {
  return spot.spotted ? plain(spot.spotted) : say("no callsign");
}
/**
 * Returns a spot as one line of text.
 * @param {Spot} spot
 */
export function lineOf(spot) {
  const frequency = frequencyOf(spot);
  return [
    hour(spot.when),
    callsignOf(spot),
    frequency && `${frequency} MHz`,
    spot.mode,
    say("heard by {spotter}", { spotter: plain(spot.spotter) }),
  ]
    .filter(Boolean)
    .join(" · ");
}
/**
 * @param {string} kind
 * @param {...Child} children
 */
export function cell(kind, ...children) {
  return element("td", { role: "cell", class: kind }, ...children);
}
