// Computes a round map of the world with one place at its centre. Directions from the centre are
// true bearings. On maps with distant places, distances are compressed. Does not use the page.
import { AROUND_KM, distanceKm, exactBearing, greatCircle } from "./geography.js";
import { LAND } from "./land.js";
import { project } from "./projection.js";

/** @import { Place, Point } from "../types.js" */
/**
 * @typedef {object} Range of a map
 * @property {number} km distance at the edge
 * @property {number} power exponent that compresses distances; 1: not compressed
 * @property {number[]} rings distances of the rings
 */

/** The radius of a map, in the units of all positions. The centre is at 0, 0. */
export const RADIUS = 96;
/** @type {Range[]} */
const RANGES = [
  { km: 150, power: 1, rings: [25, 50, 100] },
  { km: 3000, power: 1, rings: [500, 1000, 2000] },
  { km: 10000, power: 0.75, rings: [1000, 3000, 6000] },
  { km: AROUND_KM / 2, power: 0.62, rings: [1000, 3000, 10000] },
];
const FULL = 0.87; // share of the range within which the farthest place must be
const STEP = 12; // the longest straight line of an outline, in the units of land.js
const OUTSIDE = "M-20000-20000H20000V20000H-20000Z";

/**
 * Returns the smallest range in which a distance is clearly visible, or else the largest range.
 * @param {number} km
 */
export function rangeOf(km) {
  return RANGES.find((range) => range.km * FULL >= km) ?? RANGES[RANGES.length - 1];
}
/**
 * Converts a distance in kilometres to the distance from the centre of the map.
 * @param {number} km
 * @param {Range} range
 */
export function radiusAt(km, range) {
  return (km / range.km) ** range.power * RADIUS;
}
/**
 * Returns the position of a place on the map around `home`.
 * @param {Place} home
 * @param {Place} place
 * @param {Range} range
 * @returns {Point}
 */
export function pointOf(home, place, range) {
  const radius = radiusAt(distanceKm(home, place), range);
  const angle = (exactBearing(home, place) * Math.PI) / 180;
  return { x: radius * Math.sin(angle), y: -radius * Math.cos(angle) };
}
/**
 * Converts positions to an SVG path without repeated points.
 * @param {Point[]} points
 */
function pathOf(points) {
  const texts = points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`);
  return `M${texts.filter((text, index) => text !== texts[index - 1]).join("L")}`;
}
/**
 * Returns the shortest path between two places as an SVG path.
 * @param {Place} home
 * @param {Place} from
 * @param {Place} to
 * @param {Range} range
 */
export function wayOf(home, from, to, range) {
  return pathOf(greatCircle(from, to).map((place) => pointOf(home, place, range)));
}

const AROUND = 1440; // the width of the world in land.js

/**
 * Returns the outlines of the land. In land.js, the first point of an outline is absolute, and each
 * other point is relative to the point before it. Outlines that land.js repeats beyond the edge of
 * the flat map are left out.
 */
function readLand() {
  return LAND.split("M")
    .slice(1)
    .map((outline) => {
      const numbers = (outline.match(/-?\d+/g) ?? []).map(Number);
      /** @type {Point[]} */
      const points = [];
      let [x, y] = [0, 0];
      for (let index = 0; index < numbers.length; index += 2) {
        x += numbers[index];
        y += numbers[index + 1];
        points.push({ x, y });
      }
      return points;
    })
    .filter((points) => isOnMap(points.reduce((sum, { x }) => sum + x, 0) / points.length));
}
/** @param {number} x */
function isOnMap(x) {
  return x >= 0 && x < AROUND;
}
/**
 * Returns whether a place is inside an outline. An outline can extend beyond the edge of the map.
 * @param {Point[]} outline
 * @param {Place} place
 */
function isInside(outline, place) {
  const { x, y } = project(place);
  let crossings = 0;
  outline.forEach((a, index) => {
    const b = outline.at(index - 1) ?? a;
    if (a.y > y === b.y > y) return;
    const edge = ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x;
    for (const turn of [-AROUND, 0, AROUND]) if (x + turn < edge) crossings++;
  });
  return crossings % 2 === 1;
}
const TURN = Math.PI / 30; // the largest angle between two points far from the centre

/**
 * Adds points to a closed outline, between neighbours in very different directions from the centre.
 * Near the edge of the map, a straight line between such neighbours would cut across the map.
 * @param {Point[]} points
 */
function bend(points) {
  return points.flatMap((point, index) => {
    const from = points.at(index - 1) ?? point;
    const [r, fromR] = [point, from].map(({ x, y }) => Math.hypot(x, y));
    const angle = Math.atan2(from.y, from.x);
    const turn = Math.atan2(
      from.x * point.y - from.y * point.x,
      from.x * point.x + from.y * point.y,
    );
    const steps = Math.min(r, fromR) < RADIUS / 2 ? 1 : Math.ceil(Math.abs(turn) / TURN) || 1;
    return Array.from({ length: steps }, (_, step) => {
      const part = (step + 1) / steps;
      const [at, away] = [angle + turn * part, fromR + (r - fromR) * part];
      return part === 1 ? point : { x: away * Math.cos(at), y: away * Math.sin(at) };
    });
  });
}
/**
 * @param {Point[]} outline
 * @param {Place} home
 * @param {Range} range
 */
function landPath(outline, home, range) {
  const points = outline.flatMap(({ x, y }, index) => {
    const from = outline.at(index - 1) ?? { x, y };
    const steps = Math.max(1, Math.ceil(Math.hypot(x - from.x, y - from.y) / STEP));
    return Array.from({ length: steps }, (_, step) => {
      const part = (step + 1) / steps;
      const at = { x: from.x + (x - from.x) * part, y: from.y + (y - from.y) * part };
      return pointOf(home, { lat: 90 - at.y / 4, lng: at.x / 4 - 180 }, range);
    });
  });
  const isNear = points.some(({ x, y }) => Math.hypot(x, y) < RADIUS);
  if (!isNear && !isInside(outline, home)) return "";
  // On the map of the whole world, the entire edge represents the place opposite home. Land that
  // contains this place therefore fills the area outside its own outline.
  const opposite = { lat: -home.lat, lng: home.lng > 0 ? home.lng - 180 : home.lng + 180 };
  return `${pathOf(bend(points))}Z${isInside(outline, opposite) ? OUTSIDE : ""}`;
}
/** @type {Point[][] | undefined} */
let outlines;
/** @type {Map<string, string>} */
const lands = new Map();
/**
 * Returns the land as an SVG path for the fill rule "evenodd". Each path is computed only once.
 * @param {Place} home
 * @param {Range} range
 */
export function landOf(home, range) {
  const name = [home.lat, home.lng, range.km].join();
  outlines ??= readLand();
  const land =
    lands.get(name) ?? outlines.map((outline) => landPath(outline, home, range)).join("");
  lands.set(name, land);
  return land;
}
