// Updates the spots on the front page, as rows and on a compass disc, and offers to install the
// app. The front page also works without this file.
import { centreOf, keepNewest, placeOf } from "../cluster/cluster-rows.js";
import { offerInstall } from "./install.js";
import { find, findAs, once } from "../../shared/page.js";
import { say } from "../../shared/language.js";
import { recentStations } from "../../shared/recent-spots.js";

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
  (await disc()).show({ home: centreOf(spots), points: pointsOf(recent) });
}

offerInstall(find("install"));
keepNewest(findAs("spots", HTMLTableSectionElement), ROWS, "cluster/spots", (newest) => {
  spots = newest;
  show();
});
setInterval(() => document.hidden || show(), 60000);
