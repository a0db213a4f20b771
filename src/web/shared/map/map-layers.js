// Computes the layers of a map above its land: dots, each for one or several points, and the grid
// of locators. Pure functions; positions are in the units of land.js, and `unit` is the number of
// these units per pixel.
import { SQUARE } from "./projection.js";

/** @import { Label, MapView as View, Point } from "../types.js" */
/**
 * @template {Point & {kind: string}} Kind
 * @typedef {Point & {kind: string, points: Kind[], radius: number, confirmed: number}} Dot
 *   radius in pixels; confirmed: share of the points
 */

const CELL_PX = 22;
// Widths of cells, in squares. Each width up to 10 divides 10, the width of a field, so that the
// edges of fields do not cut cells.
const CELLS = [1 / 24, 1 / 12, 1 / 6, 1 / 2, 1, 2, 5, 10, 20];
const RADIUS_PX = 4.5;
const LARGEST_PX = 11;
export const HOME_PX = 6;

/** Returns the width of a cell in squares, large enough to distinguish neighbouring dots. */
/** @param {number} unit */
function cellSize(unit) {
  return CELLS.find((size) => (size * SQUARE.height) / unit >= CELL_PX) ?? CELLS[CELLS.length - 1];
}
/** @param {number} count */
function radiusOf(count) {
  return count === 1 ? RADIUS_PX : Math.min(LARGEST_PX, 5.5 + 1.5 * Math.log2(count));
}
/**
 * Returns a dot for points, in the middle of these points. A dot with a spot that the member needs
 * is marked as needed. Any other dot has the kind of most of its points, and a rim if some of the
 * points are fresh.
 * @template {Point & {kind: string}} Kind
 * @param {Kind[]} points
 * @returns {Dot<Kind>}
 */
function dotOf(points) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { kind } of points) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const [most] = [...counts].sort(([, a], [, b]) => b - a)[0];
  const rim = most !== "fresh" && counts.has("fresh") ? " with-fresh" : "";
  return {
    kind: [...counts.keys()].find((kind) => kind.endsWith("needed")) ?? most + rim,
    points,
    confirmed: (counts.get("confirmed") ?? 0) / points.length,
    x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
    y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
    radius: radiusOf(points.length),
  };
}
/** Moves a dot away from the member's own place, so that neither hides the other. */
/** @param {Point & {radius: number}} dot @param {Point} home @param {number} unit */
function moveFrom(dot, home, unit) {
  const least = (dot.radius + HOME_PX) * unit;
  const away = Math.hypot(dot.x - home.x, dot.y - home.y);
  if (away >= least) return;
  const [x, y] = away ? [(dot.x - home.x) / away, (dot.y - home.y) / away] : [0, 1];
  Object.assign(dot, { x: home.x + x * least, y: home.y + y * least });
}
/**
 * Joins overlapping dots once, and returns whether any dots were joined.
 * @template {Point & {kind: string}} Kind
 * @param {Dot<Kind>[]} dots the joined dots replace their parts
 * @param {number} unit
 */
function join(dots, unit) {
  const { length } = dots;
  dots.sort((a, b) => a.x - b.x);
  for (let at = 0; at < dots.length; at++)
    for (let next = at + 1; next < dots.length; next++) {
      const [one, other] = [dots[at], dots[next]];
      if (other.x - one.x >= 2 * LARGEST_PX * unit) break;
      if (Math.hypot(one.x - other.x, one.y - other.y) >= (one.radius + other.radius) * unit)
        continue;
      dots[at] = dotOf([...one.points, ...other.points]);
      dots.splice(next--, 1);
    }
  return dots.length < length;
}
/**
 * Returns dots for all points: first one for each kind in each cell, then fewer, until no dots
 * overlap. Dots, and the points of a dot, are in the order of the points.
 * @template {Point & {kind: string}} Kind
 * @param {Kind[]} points
 * @param {number} unit
 * @param {Point | null} home the member's own place, which stays free
 * @returns {Dot<Kind>[]}
 */
export function dotsOf(points, unit, home = null) {
  const size = cellSize(unit);
  /** @type {Map<string, Kind[]>} */
  const cells = new Map();
  for (const point of points) {
    const column = Math.floor(point.x / SQUARE.width / size);
    const row = Math.floor(point.y / SQUARE.height / size);
    const name = `${point.kind} ${column} ${row}`;
    const inCell = cells.get(name);
    if (inCell) inCell.push(point);
    else cells.set(name, [point]);
  }
  const dots = [...cells.values()].map(dotOf);
  do {
    if (home) for (const dot of dots) moveFrom(dot, home, unit);
  } while (join(dots, unit));
  const order = new Map(points.map((point, at) => [point, at]));
  /** @param {Kind} point */
  const at = (point) => order.get(point) ?? 0;
  for (const dot of dots) dot.points.sort((a, b) => at(a) - at(b));
  return dots.sort((a, b) => at(a.points[a.points.length - 1]) - at(b.points[b.points.length - 1]));
}

const LETTERS = "ABCDEFGHIJKLMNOPQR";
const NAMED_PX = 60; // minimum width of a grid cell that shows its name
/**
 * Returns the visible part of the locator grid: fields or, at close zoom, squares. The names are in
 * the upper left corners, and are omitted if the fields are too small.
 * @param {View} view
 * @param {number} unit
 * @returns {{path: string, names: Label[]}}
 */
export function gridOf(view, unit) {
  const isNear = SQUARE.width / unit >= NAMED_PX;
  const cell = isNear ? SQUARE : { width: SQUARE.width * 10, height: SQUARE.height * 10 };
  const [left, right] = [Math.max(0, view.x), Math.min(1440, view.x + view.width)];
  const [top, bottom] = [Math.max(0, view.y), Math.min(720, view.y + view.height)];
  const firstColumn = Math.floor(left / cell.width);
  const firstRow = Math.floor(top / cell.height);
  let path = "";
  for (let x = firstColumn * cell.width; x <= right; x += cell.width)
    path += `M${x} ${top.toFixed(2)}V${bottom.toFixed(2)}`;
  for (let y = firstRow * cell.height; y <= bottom; y += cell.height)
    path += `M${left.toFixed(2)} ${y}H${right.toFixed(2)}`;
  /** @type {Label[]} */
  const names = [];
  if (cell.width / unit < NAMED_PX) return { path, names };
  for (let x = firstColumn * cell.width; x < right; x += cell.width)
    for (let y = firstRow * cell.height; y < bottom; y += cell.height)
      names.push({ x: x + 3 * unit, y: y + 8 * unit, text: nameAt(x, y, isNear) });
  return { path, names };
}
/**
 * Returns the name of the field or square with this upper left corner.
 * @param {number} x
 * @param {number} y
 * @param {boolean} isSquare
 */
function nameAt(x, y, isSquare) {
  const column = Math.floor(x / SQUARE.width);
  const row = Math.floor((720 - y) / SQUARE.height - 0.5); // counted from the south
  const field = (LETTERS[Math.floor(column / 10)] ?? "") + (LETTERS[Math.floor(row / 10)] ?? "");
  return isSquare ? `${field}${column % 10}${row % 10}` : field;
}
