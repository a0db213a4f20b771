// The dialog for one spot: the station's distance, bearing, local time and height of the sun, and a
// link for logging the station.
import { age, day, element, hour, number, typed } from "../../shared/page.js";
import { AROUND_KM, bearing, distanceKm } from "../../shared/map/geography.js";
import {
  callsignOf,
  channelOf,
  countryOf,
  divisionOf,
  entityOf,
  frequencyOf,
  lineOf,
  placeOf,
} from "./cluster-rows.js";
import { openDialog } from "../../shared/dialog.js";
import { qsoOfSpot } from "../../shared/words/spot-qso.js";
import { clockAhead, sunHeight } from "../../shared/map/sun.js";
import { say } from "../../shared/language.js";
import { formatQuery } from "../../shared/query.js";

const TWILIGHT = -6; // height of the sun, in degrees, below which the place is dark

/** @import { Child, Place, Spot } from "../types.js" */

/**
 * Returns the address of the app's form, with the spot's values under their API names.
 * @param {Spot} spot
 */
function logAddress(spot) {
  const values = Object.entries(qsoOfSpot(spot)).filter(([, value]) => value !== null);
  return `../app/#spot=${formatQuery(values)}`;
}
/**
 * @param {Place} from
 * @param {Place} to
 * @returns {[string, Child][]}
 */
function waysBetween(from, to) {
  const km = distanceKm(from, to);
  const towards = bearing(from, to);
  return [
    [say("Short path"), `${number(km)} km · ${towards}°`],
    [say("Long path"), `${number(AROUND_KM - km)} km · ${(towards + 180) % 360}°`],
  ];
}
/**
 * @param {Spot} spot
 * @param {Place | null} there
 * @returns {[string, Child][]}
 */
function timeThere(spot, there) {
  const now = Date.now();
  const ahead = clockAhead(countryOf(spot.dxcc_spotted), there, now);
  /** @type {[string, Child][]} */
  const rows = [];
  if (ahead !== null) rows.push([say("Local time"), hour(now + ahead * 60000)]);
  if (there) {
    const height = sunHeight(there, now);
    rows.push([
      say("Sun"),
      height > 0
        ? say("up, {n}° high", { n: Math.round(height) })
        : height > TWILIGHT
          ? say("down, twilight")
          : say("down, night"),
    ]);
  }
  return rows;
}
/**
 * @param {Spot} spot
 * @param {Place | null} home
 * @returns {[string, Child][]}
 */
function rowsOf(spot, home) {
  const there = placeOf(spot.dxcc_spotted);
  const division = divisionOf(spot);
  const frequency = frequencyOf(spot);
  const heardFrom = [spot.spotterLocator, entityOf(spot.dxcc_spotter)].filter(Boolean).join(" · ");
  return [
    [say("Division"), division ? `${division} · ${entityOf(spot.dxcc_spotted)}` : null],
    [say("Locator"), spot.spottedLocator && typed(spot.spottedLocator)],
    [
      say("Frequency"),
      frequency && [`${frequency} MHz`, channelOf(spot)].filter(Boolean).join(" · "),
    ],
    [say("Mode"), spot.mode],
    [say("Heard"), `${day(spot.when)}, ${hour(spot.when)} UTC · ${age(spot.when)}`],
    [say("Comment"), spot.source ? typed(spot.message) : null],
    [say("From the DX cluster"), spot.source ? typed(spot.source) : null],
    [say("Heard by"), typed(heardFrom ? `${spot.spotter} · ${heardFrom}` : spot.spotter)],
    ...(home && there ? waysBetween(home, there) : []),
    ...timeThere(spot, there),
  ];
}
/**
 * Shows the spot until the reader closes the dialog.
 * @param {Spot} spot
 * @param {Place | null} home
 * @param {string} marks what is new to the member
 * @param {[string, (callsign: string) => void][]} acts names of buttons, and their actions on the
 * station
 */
export function openSpot(spot, home, marks, acts) {
  openDialog([spot.spotted ? typed(spot.spotted) : callsignOf(spot)], (close) => [
    marks ? element("p", {}, element("span", { class: "tag" }, marks)) : null,
    element(
      "dl",
      { class: "fields-of-qso spot" },
      ...rowsOf(spot, home)
        .filter(([, value]) => value)
        .flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
    ),
    !home && placeOf(spot.dxcc_spotted)
      ? element("p", { class: "muted" }, say("Enter your locator to see distance and bearing."))
      : null,
    element(
      "div",
      { class: "buttons" },
      element("button", { type: "button", click: () => close("") }, say("Close")),
      ...(spot.spotted ? acts : []).map(([name, act]) => {
        const click = () => {
          close("");
          act(spot.spotted ?? "");
        };
        return element("button", { type: "button", click }, say(name));
      }),
      element("a", { class: "button main", href: logAddress(spot) }, say("Log it")),
    ),
  ]);
}

/**
 * Lists the spots in one dot on the map, newest first; each spot can be opened.
 * @param {Spot[]} spots
 * @param {(spot: Spot) => void} open
 */
export function openSpots(spots, open) {
  const title = say("{n} spot here|{n} spots here", { n: spots.length });
  openDialog(title, (close) => [
    element(
      "ul",
      { class: "items spots-here" },
      ...spots.map((spot) => {
        const click = () => {
          close("");
          open(spot);
        };
        const name = element("button", { type: "button", class: "link", click }, lineOf(spot));
        return element("li", {}, name);
      }),
    ),
    element(
      "div",
      { class: "buttons" },
      element("button", { type: "button", click: () => close("") }, say("Close")),
    ),
  ]);
}
