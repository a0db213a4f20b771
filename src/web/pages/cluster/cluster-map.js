// Shows the map of the spots page: stations that were heard, their listeners, paths for the newest
// spots, day and night. The list next to the map has the same spots.
import { recall, remember } from "../../shared/page.js";
import { lineOf, placeOf } from "./cluster-rows.js";
import { openSpots } from "./cluster-spot.js";
import { WorldMap } from "../../shared/map/map.js";
import { nightPath } from "../../shared/map/sun.js";
import { say } from "../../shared/language.js";

const KEPT = "cluster-view"; // name under which the browser stores the chosen part of the world
const WAYS_MAX = 100; // maximum number of paths, because more paths would hide the map

/** @import { MapPoint, Place, Spot, Way } from "../types.js" */
/**
 * @typedef {MapPoint & {spot: Spot}} SpotPoint
 */

/**
 * Returns the points and lines of the map. Stations that were heard are drawn above their
 * listeners, and only the newest spots have lines.
 * @param {Spot[]} spots newest first
 * @param {(spot: Spot) => boolean} isNew
 */
function pointsOf(spots, isNew) {
  /** @type {SpotPoint[]} */
  const points = [];
  /** @type {Way[]} */
  const lines = [];
  for (const spot of [...spots].reverse()) {
    const there = placeOf(spot.dxcc_spotted);
    const label = () => lineOf(spot);
    const kind = isNew(spot) ? "spotted needed" : "spotted";
    if (there) points.push({ ...there, kind, label, name: spot.spotted ?? "", spot });
  }
  for (const spot of spots.slice(0, WAYS_MAX)) {
    const [from, to] = [placeOf(spot.dxcc_spotter), placeOf(spot.dxcc_spotted)];
    if (from && to) lines.push([from, to]);
  }
  /** @type {Map<string, SpotPoint>} one point per place, regardless of the number of spots */
  const spotters = new Map();
  for (const spot of spots) {
    const from = placeOf(spot.dxcc_spotter);
    const name = `${from?.lat} ${from?.lng}`;
    if (from && !spotters.has(name))
      spotters.set(name, { ...from, kind: "spotter", label: () => lineOf(spot), spot });
  }
  return { spotters: [...spotters.values()], points, lines };
}

/** The map of spots. */
export class SpotMap {
  hasFit = false;

  /** @param {(spot: Spot) => void} open */
  constructor(open) {
    this.map = new WorldMap(say("Map of spots"), (points) => {
      const here = new Set(points.map((point) => /** @type {SpotPoint} */ (point).spot));
      const [newest, ...others] = [...here].reverse();
      if (others.length) openSpots([newest, ...others], open);
      else open(newest);
    });
    this.map.onMoved = (view) => remember(KEPT, JSON.stringify(view));
    this.node = this.map.node;
  }
  showNight() {
    this.map.showNight(nightPath(Date.now()));
  }
  /** @param {Place} place */
  goTo(place) {
    this.map.goTo(place);
  }
  /**
   * @param {Spot[]} spots newest first
   * @param {Place | null} home
   * @param {(spot: Spot) => boolean} isNew
   */
  show(spots, home, isNew) {
    const { spotters, points, lines } = pointsOf(spots, isNew);
    this.map.show({ points: [...spotters, ...points], lines, home });
    if (!this.hasFit && points.length) {
      this.hasFit = true;
      const kept = recall(KEPT);
      if (kept) this.map.look(JSON.parse(kept));
      else this.map.fit();
    }
    this.showNight();
  }
}
