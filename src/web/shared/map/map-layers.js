// Computes the layers of a map above its land: dots, each for the points in one cell, and the grid
// of locators. Pure functions; positions are in the units of land.js, and `unit` is the number of
// these units per pixel.
import { SQUARE } from "./projection.js";

/** @import { Label, MapView as View, Point } from "../types.js" */
/**
 * @template {Point & {kind: string}} Kind
 * @typedef {Point & {kind: string, points: Kind[], radius: number}} Dot radius in pixels
 */

const CELL_PX = 22;
// Widths of cells, in squares. Each width up to 10 divides 10, the width of a field, so that the
// edges of fields do not cut cells.
const CELLS = [1 / 24, 1 / 12, 1 / 6, 1 / 2, 1, 2, 5, 10, 20];
const RADIUS_PX = 4.5;
const LARGEST_PX = 11;

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
 * Returns one dot for all points of one kind in each cell, at the middle of these points. Dots are
 * in the order of their last points.
 * @template {Point & {kind: string}} Kind
 * @param {Kind[]} points
 * @param {number} unit
 * @returns {Dot<Kind>[]}
 */
export function dotsOf(points, unit) {
  const size = cellSize(unit);
  /** @type {Map<string, Kind[]>} */
  const cells = new Map();
  for (const point of points) {
    const column = Math.floor(point.x / SQUARE.width / size);
    const row = Math.floor(point.y / SQUARE.height / size);
    const name = `${point.kind} ${column} ${row}`;
    const inCell = cells.get(name) ?? [];
    inCell.push(point);
    cells.delete(name);
    cells.set(name, inCell);
  }
  return [...cells.values()].map((inCell) => {
    const radius = radiusOf(inCell.length);
    // A dot for several points stays within its cell, so that it does not hide other dots.
    const room = inCell.length > 1 ? radius * unit : 0;
    return {
      kind: inCell[0].kind,
      points: inCell,
      x: middle(
        inCell.map((point) => point.x),
        size * SQUARE.width,
        room,
      ),
      y: middle(
        inCell.map((point) => point.y),
        size * SQUARE.height,
        room,
      ),
      radius,
    };
  });
}
/**
 * Returns the middle of values in one cell, at least `room` away from the cell's ends if possible.
 * @param {number[]} values
 * @param {number} cell length of a cell
 * @param {number} room
 */
function middle(values, cell, room) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const start = Math.floor(values[0] / cell) * cell;
  const away = Math.min(room, cell / 2);
  return Math.min(Math.max(mean, start + away), start + cell - away);
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
