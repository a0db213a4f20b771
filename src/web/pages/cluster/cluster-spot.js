// Shows the sheet for one spot: the station's direction, distance, local time and daylight, earlier
// QSOs with the station, and a link for logging the station.
import { age, day, element, hour, number, typed } from "../../shared/page.js";
import { lastMember } from "../../shared/account.js";
import { AROUND_KM, bearing, distanceKm } from "../../shared/map/geography.js";
import {
  channelOf,
  countryOf,
  divisionOf,
  entityOf,
  frequencyOf,
  lineOf,
  placeOf,
} from "./cluster-rows.js";
import { openDialog } from "../../shared/dialog.js";
import { badgeOf, callsignOf } from "../../shared/parts/row.js";
import { closeSheet, openSheet } from "../../shared/parts/sheet.js";
import { drawEarlier, drawFacts, drawWhere } from "../../shared/parts/station-facts.js";
import { qsoOfSpot } from "../../shared/words/spot-qso.js";
import { clockAhead, sunHeight } from "../../shared/map/sun.js";
import { capital, say } from "../../shared/language.js";
import { formatQuery } from "../../shared/query.js";
import { fetchInTime } from "./follow.js";

const TWILIGHT = -6; // height of the sun, in degrees, below which the place is dark

/** @import { Child, Place, Spot } from "../types.js" */
/**
 * @typedef {object} SpotSheet
 * @property {Place | null} home
 * @property {string} root relative path to the front page
 * @property {string[]} marks news for the member, the most important first
 * @property {[string, (callsign: string) => void][]} acts names of buttons, and their actions on
 * the station
 * @property {(() => void) | null} showOnMap
 * @property {(by: number) => void} step
 * @property {(hadFocus: boolean) => void} closed
 */

/**
 * Returns the address of the app's form, with the spot's values under their API names.
 * @param {Spot} spot
 * @param {string} root
 */
function logAddress(spot, root) {
  const values = Object.entries(qsoOfSpot(spot)).filter(([, value]) => value !== null);
  return `${root}app/#spot=${formatQuery(values)}`;
}
/**
 * Returns the time and the daylight at the station in words; empty if unknown.
 * @param {Spot} spot
 * @param {Place | null} there
 */
function timeThere(spot, there) {
  const now = Date.now();
  const ahead = clockAhead(countryOf(spot.dxcc_spotted), there, now);
  if (ahead === null) return "";
  const time = hour(now + ahead * 60000);
  if (!there) return say("It is {time} there.", { time });
  const height = sunHeight(there, now);
  if (height > 0) return say("It is {time} there, in daylight.", { time });
  return height > TWILIGHT
    ? say("It is {time} there, in twilight.", { time })
    : say("It is {time} there, at night.", { time });
}
/**
 * @param {Place | null} from
 * @param {Place | null} to
 */
function longPath(from, to) {
  if (!from || !to) return null;
  const km = number(AROUND_KM - distanceKm(from, to));
  return say("{km} km at {bearing}°", { km, bearing: (bearing(from, to) + 180) % 360 });
}
/**
 * @param {Spot} spot
 * @param {SpotSheet} sheet
 */
function factsOf(spot, { home, marks }) {
  const frequency = frequencyOf(spot);
  const heardFrom = [spot.spotterLocator, entityOf(spot.dxcc_spotter)].filter(Boolean).join(" · ");
  /** @type {[Child, Child][]} */
  const rows = [
    [
      say("Frequency"),
      [frequency && `${frequency} MHz`, channelOf(spot), spot.mode].filter(Boolean).join(" · "),
    ],
    [say("Heard by"), typed(heardFrom ? `${spot.spotter} · ${heardFrom}` : spot.spotter)],
    [say("Heard"), `${day(spot.when)}, ${hour(spot.when)} UTC · ${age(spot.when)}`],
    [say("Locator"), spot.spottedLocator && typed(spot.spottedLocator)],
    [say("Comment"), spot.source && spot.message ? typed(spot.message) : null],
    [say("From the DX cluster"), spot.source ? typed(spot.source) : null],
    [say("Long path"), longPath(home, placeOf(spot.dxcc_spotted))],
    [say("New for me"), marks.length > 1 ? marks.join(" · ") : null],
  ];
  return drawFacts(rows.filter(([, value]) => value));
}
/** @param {string} callsign @param {string} root */
async function* qsosWith(callsign, root) {
  const address = `${root}profile/data/qsos?${formatQuery({ limit: 50, callsign })}`;
  const { items } = await fetchInTime(address, { cache: "no-cache" }, (answer) => answer.json());
  yield items;
}

/**
 * Shows the spot in the sheet.
 * @param {Spot} spot
 * @param {SpotSheet} sheet
 */
export function openSpot(spot, sheet) {
  const { home, marks, acts, root, showOnMap } = sheet;
  const there = placeOf(spot.dxcc_spotted);
  const buttonOf = (/** @type {string} */ name, /** @type {() => void} */ act) => {
    const click = () => {
      closeSheet();
      act();
    };
    return element("button", { type: "button", click }, say(name));
  };
  openSheet({
    title: [callsignOf(spot.spotted), marks.length ? badgeOf("new", capital(marks[0])) : null],
    body: [
      drawWhere({
        ...{ home, to: there, isNew: marks.length > 0, note: timeThere(spot, there) },
        place: entityOf(spot.dxcc_spotted) ?? "",
        division: divisionOf(spot),
        km: home && there ? distanceKm(home, there) : null,
      }),
      factsOf(spot, sheet),
      !home && there
        ? element("p", { class: "muted" }, say("Enter your locator to see distance and bearing."))
        : null,
      lastMember()
        ? drawEarlier(spot.spotted, spot.when, qsosWith(spot.spotted ?? "", root))
        : null,
      element(
        "div",
        { class: "buttons" },
        ...(spot.spotted ? acts : []).map(([name, act]) =>
          buttonOf(name, () => act(spot.spotted ?? "")),
        ),
      ),
    ],
    foot: [
      element("a", { class: "button main", href: logAddress(spot, root) }, say("Log it")),
      ...(there && showOnMap ? [buttonOf("Show on the map", showOnMap)] : []),
    ],
    step: sheet.step,
    closed: sheet.closed,
  });
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
