// Spots as rows of a table: those of the spots page, and the few of the front page, which are kept
// up to date here. src/site/spots.c makes the rows of the front page that are there before.
import { Follower } from "./follow.js";
import { element, hour, number, plain, typed } from "../site/page.js";
import { country, say } from "../site/language.js";

/**
 * @typedef {import("../site/answers.js").Spot} Spot
 * @typedef {import("../site/answers.js").SpotStation} SpotStation
 * @typedef {import("../site/page.js").Child} Child
 */

/** @param {SpotStation} station */
export function placeOf(station) {
  return station.lat === null || station.lng === null
    ? null
    : { lat: Number(station.lat), lng: Number(station.lng) };
}
/**
 * The number of the division of the station that was heard; 0 where the service knows none.
 * @param {Spot} spot
 */
export function divisionOf(spot) {
  return spot.dxcc_spotted.entity ? parseInt(spot.spotted ?? "", 10) : 0;
}
/**
 * The two letters of a country, of which its flag is made; empty: none.
 * @param {SpotStation} station
 */
export function countryOf(station) {
  const letters = [...(station.flag ?? "")].map((c) => (c.codePointAt(0) ?? 0) - 0x1f1a5);
  return String.fromCharCode(...letters);
}
/** @type {Map<string, string>} by the English name: thousands of spots are of a few countries */
const NAMES = new Map();
/**
 * The name of a division in the reader's language where it is that of a country: Wales is none.
 * @param {SpotStation} station
 */
export function entityOf(station) {
  const { entity } = station;
  if (!entity) return entity;
  const name = NAMES.get(entity) ?? country(entity, countryOf(station));
  NAMES.set(entity, name);
  return name;
}
/**
 * In MHz, without the unit; empty: unknown.
 * @param {Spot} spot
 */
export function frequencyOf(spot) {
  return spot.frequency === null
    ? ""
    : number(spot.frequency / 1000, spot.band === "pmr446" ? 5 : 3);
}
/**
 * The channel and its tone or code; empty on 11 m.
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
 * A spot in a line, as it is told.
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
 * heard by. `address` is where the spots are, such as "cluster/spots". Rows that stay are not made
 * again.
 * @param {HTMLTableSectionElement} body
 * @param {number} count
 * @param {string} address
 */
export function keepNewest(body, count, address) {
  /** @type {Map<string, HTMLTableRowElement>} */
  let rows = new Map();
  new Follower(
    () => `${address}?limit=${count}`,
    ({ spots }) => {
      rows = new Map(spots.map((spot) => [spot.id, rows.get(spot.id) ?? simpleRow(spot)]));
      // What the page says of no spots stays while there are none.
      if (rows.size > 0) body.replaceChildren(...rows.values());
    },
  );
}
