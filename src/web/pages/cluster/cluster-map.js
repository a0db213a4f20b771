// The map of the spots page: stations that were heard, their listeners, paths for the newest spots,
// day and night, and a legend. The table lists the same spots.
import { drawing, element, number, recall, remember, typed } from "../../shared/page.js";
import { callsignOf, lineOf, placeOf } from "./cluster-rows.js";
import { openSpots } from "./cluster-spot.js";
import { distanceKm } from "../../shared/map/geography.js";
import { WorldMap } from "../../shared/map/map.js";
import { nightPath } from "../../shared/map/sun.js";
import { say } from "../../shared/language.js";

const KEPT = "cluster-view"; // name under which the browser stores the chosen part of the world
const WAYS_MAX = 100; // maximum number of paths, because more paths would hide the map

/** @import { MapPoint, Place, Spot, Way } from "../types.js" */
/**
 * @typedef {MapPoint & {spot: Spot}} SpotPoint
 */

/** @param {[string, string][]} signs class and name */
function legend(signs) {
  return element(
    "ul",
    { class: "legend" },
    ...signs.map(([kind, name]) =>
      element(
        "li",
        {},
        drawing(
          "svg",
          { viewBox: "0 0 12 12", "aria-hidden": "true" },
          kind === "night"
            ? drawing("rect", { class: kind, width: 12, height: 12 })
            : drawing("circle", { class: `dot ${kind}`, cx: 6, cy: 6, r: 4.5 }),
        ),
        name,
      ),
    ),
  );
}
/**
 * Groups spots by the square of the station that was heard. The squares are in the order of their
 * newest spots.
 * @param {Spot[]} spots
 */
function squaresOf(spots) {
  /** @type {Map<string, Spot[]>} */
  const squares = new Map();
  for (const spot of spots) {
    if (!spot.spottedLocator || !placeOf(spot.dxcc_spotted)) continue;
    const name = spot.spottedLocator.slice(0, 4);
    squares.set(name, [...(squares.get(name) ?? []), spot]);
  }
  return squares;
}

/**
 * Returns the points and lines of the map. Stations that were heard are drawn above their
 * listeners, and only the newest spots have lines.
 * @param {Spot[]} spots newest first
 */
function pointsOf(spots) {
  /** @type {SpotPoint[]} */
  const points = [];
  /** @type {Way[]} */
  const lines = [];
  for (const spot of [...spots].reverse()) {
    const there = placeOf(spot.dxcc_spotted);
    const label = () => lineOf(spot);
    if (there) points.push({ ...there, kind: "spotted", label, name: spot.spotted ?? "", spot });
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

/** A map of spots in an element of the page. */
export class SpotMap {
  /** @type {Spot[]} */
  spots = [];
  /** @type {Place | null} */
  home = null;
  hasFit = false;
  body = element("tbody");

  /** @param {(spot: Spot) => void} open */
  constructor(open) {
    this.map = new WorldMap(say("Map of spots"), (points) => {
      const here = new Set(points.map((point) => /** @type {SpotPoint} */ (point).spot));
      const [newest, ...others] = [...here].reverse();
      if (others.length) openSpots([newest, ...others], open);
      else open(newest);
    });
    this.map.onMoved = (view) => remember(KEPT, JSON.stringify(view));
    this.table = this.createTable();
    this.table.addEventListener("toggle", () => this.showTable());
    this.node = element(
      "div",
      {},
      this.map.node,
      legend([
        ["spotted", say("heard")],
        ["spotter", say("heard by")],
        ["home", say("my location")],
        ["night", say("night")],
      ]),
      this.table,
    );
  }
  createTable() {
    const heads = ["Square", "Spots", "Newest", "Distance"].map((name, index) =>
      element("th", { scope: "col", class: index % 2 ? "right" : null }, say(name)),
    );
    return element(
      "details",
      { class: "squares" },
      element("summary", {}, say("Show as table")),
      element("table", {}, element("thead", {}, element("tr", {}, ...heads)), this.body),
    );
  }
  /** @param {string} name @param {Spot[]} spots of a square */
  createRow(name, spots) {
    const place = /** @type {Place} */ (placeOf(spots[0].dxcc_spotted));
    const click = () => this.map.goTo(place);
    const away = this.home ? `${number(distanceKm(this.home, place))} km` : "";
    return element(
      "tr",
      {},
      element(
        "th",
        { scope: "row" },
        element("button", { type: "button", class: "link", click }, name),
      ),
      element("td", { class: "right" }, spots.length),
      element("td", {}, typed(callsignOf(spots[0]))),
      element("td", { class: "right" }, away),
    );
  }
  showTable() {
    if (!this.table.open) return;
    const squares = [...squaresOf(this.spots)];
    this.body.replaceChildren(...squares.map(([name, spots]) => this.createRow(name, spots)));
  }
  showNight() {
    this.map.showNight(nightPath(Date.now()));
  }
  /**
   * @param {Spot[]} spots newest first
   * @param {Place | null} home
   */
  show(spots, home) {
    [this.spots, this.home] = [spots, home];
    const { spotters, points, lines } = pointsOf(spots);
    this.map.show({ points: [...spotters, ...points], lines, home });
    if (!this.hasFit && points.length) {
      this.hasFit = true;
      const kept = recall(KEPT);
      if (kept) this.map.look(JSON.parse(kept));
      else this.map.fit();
    }
    this.showNight();
    this.showTable();
  }
}
