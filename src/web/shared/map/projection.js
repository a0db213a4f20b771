// Projects places on the globe onto the map, and converts paths between places to SVG. The
// projection is equirectangular, in the units of land.js.
import { greatCircle } from "./geography.js";

/** @import { Place } from "../types.js" */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {{x: number, y: number, width: number, height: number}} View */

const SCALE = 4; // units per degree
/** A square of the locator grid, such as JO59: 2 degrees wide and 1 degree high. */
export const SQUARE = { width: 2 * SCALE, height: SCALE };

/** From 84 degrees north to 60 degrees south. @type {Readonly<View>} */
export const WORLD = { x: 0, y: 24, width: 1440, height: 576 };

/** @type {(place: Place) => Point} */
export const project = (place) => ({ x: (place.lng + 180) * SCALE, y: (90 - place.lat) * SCALE });

/** @type {(value: number, low: number, high: number) => number} */
export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** Returns the place of a point, which can be outside the map. @type {(point: Point) => Place} */
export const unproject = ({ x, y }) => ({
  lat: clamp(90 - y / SCALE, -90, 90),
  lng: ((x / SCALE + 360) % 360) - 180,
});

/**
 * Returns the shortest paths as one SVG path, each cut where it crosses the edge of the map.
 * @param {[Place, Place][]} lines
 */
export function ways(lines) {
  let path = "";
  for (const [from, to] of lines) {
    /** @type {Point | null} */
    let before = null;
    for (const place of greatCircle(from, to).map(project)) {
      const jumps = before === null || Math.abs(place.x - before.x) > WORLD.width / 2;
      path += `${jumps ? "M" : "L"}${place.x.toFixed(1)} ${place.y.toFixed(1)}`;
      before = place;
    }
  }
  return path;
}

/**
 * Returns the part of the world that contains all points with a margin. Without points, returns the
 * largest part of the world with the ratio.
 * @param {Point[]} points
 * @param {number} ratio width to height
 * @returns {View}
 */
export function viewOf(points, ratio = WORLD.width / WORLD.height) {
  if (!points.length) {
    const width = Math.min(WORLD.width, WORLD.height * ratio);
    const height = width / ratio;
    const y = WORLD.y + (WORLD.height - height) / 2;
    return { x: (WORLD.width - width) / 2, y, width, height };
  }
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const low = { x: xs.reduce((a, b) => Math.min(a, b)), y: ys.reduce((a, b) => Math.min(a, b)) };
  const high = { x: xs.reduce((a, b) => Math.max(a, b)), y: ys.reduce((a, b) => Math.max(a, b)) };
  const wanted = Math.max(high.x - low.x, (high.y - low.y) * ratio) * 1.25;
  const width = clamp(wanted, 160, WORLD.width);
  const height = width / ratio;
  return { x: (low.x + high.x - width) / 2, y: (low.y + high.y - height) / 2, width, height };
}

const MANY = 8; // minimum number of points for which outliers are ignored
const LEFT_OUT = 0.1; // share of the points that are ignored at each end

/**
 * Returns the points to which the map is fitted. If there are many points, the outliers are left
 * out, because most points are often on one continent.
 * @param {Point[]} points
 */
function mostOf(points) {
  if (points.length < MANY) return points;
  const out = Math.floor(points.length * LEFT_OUT);
  const [xs, ys] = /** @type {const} */ (["x", "y"]).map((name) =>
    points.map((point) => point[name]).sort((a, b) => a - b),
  );
  /** @type {(value: number, sorted: number[]) => boolean} */
  const isWithin = (value, sorted) =>
    value >= sorted[out] && value <= sorted[sorted.length - 1 - out];
  const most = points.filter(({ x, y }) => isWithin(x, xs) && isWithin(y, ys));
  return most.length ? most : points;
}
/**
 * Returns the initial view: the part of the world with most of the points. If this part is too
 * tall, returns the full height of the world around the middle of the points.
 * @param {Point[]} points
 * @param {number} ratio
 * @returns {View}
 */
export function firstViewOf(points, ratio) {
  const view = viewOf(mostOf(points), ratio);
  if (view.height <= WORLD.height) return view;
  const xs = points.map((point) => point.x).sort((a, b) => a - b);
  const width = WORLD.height * ratio;
  const x = xs[Math.floor(xs.length / 2)] - width / 2;
  return { x: clamp(x, 0, WORLD.width - width), y: WORLD.y, width, height: WORLD.height };
}
