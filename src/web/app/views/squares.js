// Draws a small map of squares, such as an activation's squares.
import { drawing } from "../../shared/page.js";
import { parseLocator } from "../../shared/map/geography.js";
import { LAND } from "../../shared/map/land.js";
import { SQUARE, project, viewOf } from "../../shared/map/projection.js";
import { loadLook } from "./look.js";

/** @typedef {{name: string, title: string, kind?: string}} Square */

/**
 * @param {Square[]} squares
 * @param {string} label
 * @param {string} [home] a locator, shown as a dot
 */
export async function mapOf(squares, label, home) {
  await loadLook("map");
  /** @param {string} locator */
  const middleOf = (locator) => {
    const place = parseLocator(locator);
    return place ? [project(place)] : [];
  };
  const shown = squares.flatMap((square) =>
    middleOf(square.name).map(({ x, y }) => ({ ...square, x, y })),
  );
  const start = middleOf(home ?? "");
  const view = viewOf([...shown, ...start]);
  return drawing(
    "svg",
    {
      viewBox: `${view.x} ${view.y} ${view.width} ${view.height}`,
      role: "img",
      "aria-label": label,
    },
    drawing("path", { class: "land", d: LAND }),
    ...shown.map(({ x, y, title, kind }) =>
      drawing(
        "rect",
        { x: x - SQUARE.width / 2, y: y - SQUARE.height / 2, ...SQUARE, class: kind },
        drawing("title", {}, title),
      ),
    ),
    ...start.map(({ x, y }) => drawing("circle", { cx: x, cy: y, r: view.width / 150 })),
  );
}
