// Shows the newest spots on the front page, as rows and on a compass disc. Offers to install the
// app. The front page also works without this file.
import { centreOf, placeOf } from "../cluster/cluster-rows.js";
import { Follower } from "../cluster/follow.js";
import { SpotTable } from "../cluster/cluster-table.js";
import { parseLocator } from "../../shared/map/geography.js";
import { offerInstall } from "./install.js";
import { find, findAs, once, recall } from "../../shared/page.js";
import { say } from "../../shared/language.js";
import { recentStations } from "../../shared/recent-spots.js";

const LOADED = 40; // spots on the disc
const ROWS = 8;
const NAMES = 8; // stations that the disc names

/** @import { Spot } from "../types.js" */

/**
 * Returns the points of the disc, the newest last: only that point is lit.
 * @param {Spot[]} spots newest first
 */
function pointsOf(spots) {
  return spots
    .flatMap((spot, index) => {
      const place = placeOf(spot.dxcc_spotted);
      const from = placeOf(spot.dxcc_spotter) ?? undefined;
      const name = index < NAMES ? (spot.spotted ?? "") : "";
      return place ? { place, from, isNew: index === 0, name } : [];
    })
    .reverse();
}
/** Loads disc.js only after the page, because disc.js imports the large outlines of all land. */
const disc = once(async () => {
  const { Disc } = await import("../../shared/parts/disc.js");
  const made = new Disc();
  find("air").replaceChildren(made.node);
  return made;
});
/** @type {Spot[]} */
let spots = [];
const body = findAs("spots", HTMLTableSectionElement);
const table = new SpotTable(/** @type {HTMLTableElement} */ (body.parentElement), open);
/** Returns the place from which the page measures: the visitor's own, if this browser knows it. */
const home = () => parseLocator(recall("locator") ?? "") ?? centreOf(spots);

/** @param {Spot} spot */
async function open(spot) {
  const { openSpot } = await import("../cluster/cluster-spot.js");
  openSpot(spot, {
    ...{ home: home(), root: "./", marks: [], acts: [], showOnMap: null },
    step: (by) => {
      const next = table.neighbour(spot.id, by);
      if (next) open(next);
    },
    closed: (hadFocus) => {
      table.choose(null);
      if (hadFocus) table.focusOn(spot.id);
    },
  });
  table.choose(spot.id);
}
async function show() {
  const recent = recentStations(
    spots,
    (spot) => spot,
    ({ spotted }) => spotted ?? "–",
  );
  const n = recent.length;
  find("live").textContent = n
    ? say("{n} station heard in the last 30 minutes|{n} stations heard in the last 30 minutes", {
        n,
      })
    : "";
  table.showAges();
  (await disc()).show({ home: home(), points: pointsOf(recent) });
}

offerInstall(find("install"));
new Follower(
  () => `cluster/spots?limit=${LOADED}`,
  (page) => {
    // Without spots, the page's own text remains.
    if (!spots.length && page.spots.length) body.replaceChildren();
    spots = page.spots;
    table.measureFrom(home());
    table.show(spots.slice(0, ROWS), true);
    show();
  },
);
setInterval(() => document.hidden || show(), 60000);
