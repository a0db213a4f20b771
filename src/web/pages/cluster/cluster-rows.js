// Shows spots as table rows, for the spots page and the front page. Keeps the front page's few rows
// up to date; src/site/public/spot_rows.c creates its first rows.
import { Follower } from "./follow.js";
import { element, hour, number, plain, typed } from "../../shared/page.js";
import { country, say } from "../../shared/language.js";

const LOADED = 40; // spots that keepNewest loads
const CENTRE = { lat: 50, lng: 10 };

/** @import { Child, Place, Spot, SpotStation } from "../types.js" */

/** @param {SpotStation} station */
export function placeOf(station) {
  return station.lat === null || station.lng === null
    ? null
    : { lat: Number(station.lat), lng: Number(station.lng) };
}
/**
 * Returns the place at which most of the spots were heard; without spots, the middle of Europe.
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
 * Returns the two-letter code of a station's country, which the flag encodes; empty: unknown.
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
  return [channel, spot.ctcssTone, spot.dcsCode].filter(Boolean).join(" · ");
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
/**
 * @param {string | null} locator
 * @param {SpotStation} station
 */
function placeText(locator, station) {
  const place = [locator, entityOf(station)].filter(Boolean).join(" · ");
  return place ? element("small", {}, typed(place)) : null;
}

/** @param {Spot} spot */
function simpleRow(spot) {
  const frequency = frequencyOf(spot);
  const channel = channelOf(spot);
  return element(
    "tr",
    { role: "row" },
    element(
      "th",
      { role: "rowheader", scope: "row", class: "dx" },
      spot.spotted
        ? typed(spot.spotted, { class: "call" })
        : element("span", { class: "muted" }, callsignOf(spot)),
      placeText(spot.spottedLocator, spot.dxcc_spotted),
    ),
    cell("when number", element("time", { datetime: spot.when }, hour(spot.when))),
    cell(
      "number",
      frequency && `${frequency} MHz`,
      channel ? element("small", {}, typed(channel)) : null,
    ),
    cell("mode", spot.mode),
    element(
      "td",
      { role: "cell", class: "wide", "data-name": say("Heard by") },
      typed(spot.spotter, { class: "call" }),
      placeText(spot.spotterLocator, spot.dxcc_spotter),
    ),
  );
}
/**
 * Keeps the newest spots in the body of a table with the columns station, UTC, frequency, mode and
 * heard by. `address` is the address of the spots, such as "cluster/spots". Existing rows are
 * reused. Calls `taken` with the rows' spots and some older spots, whenever they have changed.
 * @param {HTMLTableSectionElement} body
 * @param {number} count
 * @param {string} address
 * @param {(spots: Spot[]) => void} taken
 */
export function keepNewest(body, count, address, taken) {
  /** @type {Map<string, HTMLTableRowElement>} */
  let rows = new Map();
  new Follower(
    () => `${address}?limit=${LOADED}`,
    ({ spots }) => {
      const shown = spots.slice(0, count);
      rows = new Map(shown.map((spot) => [spot.id, rows.get(spot.id) ?? simpleRow(spot)]));
      // Without spots, the page's own text remains.
      if (rows.size > 0) body.replaceChildren(...rows.values());
      taken(spots);
    },
  );
}
