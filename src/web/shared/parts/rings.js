// Draws progress as rings of ticks, and milestones as seals.
import { drawing } from "../page.js";

const MIDDLE = 60;
/**
 * Returns the path of one tick of a ring. The first tick is at the top.
 * @param {number} place
 * @param {number} ticks
 */
function tickAt(place, ticks) {
  const angle = (2 * Math.PI * place) / ticks;
  /** @param {number} radius */
  const end = (radius) =>
    [Math.sin(angle), -Math.cos(angle)].map((way) => (MIDDLE + way * radius).toFixed(1)).join(" ");
  return `M${end(45)}L${end(55)}`;
}
/**
 * Draws a ring whose ticks show how much of a goal is confirmed and worked.
 * @param {{worked: number, confirmed: number, goal: number}} counts
 * @param {{label?: string, inside?: string, below?: string, ticks?: number}} [look] `label`: the
 * ring as text; without a label, the ring only decorates the text next to it
 */
export function drawRing(
  { worked, confirmed, goal },
  { label, inside = "", below = "", ticks = 60 } = {},
) {
  /** @param {number} count */
  const lit = (count) =>
    count && Math.min(ticks, Math.max(1, Math.round((ticks * count) / (goal || 1))));
  const ends = [0, lit(confirmed), lit(worked), ticks];
  const paths = ["confirmed", "worked", ""].map((kind, part) => {
    const from = Math.max(...ends.slice(0, part + 1));
    const count = Math.max(0, ends[part + 1] - from);
    const all = Array.from({ length: count }, (_, place) => tickAt(from + place, ticks));
    return drawing("path", { class: kind, d: all.join("") });
  });
  return drawing(
    "svg",
    {
      class: ticks < 60 ? "ring small" : "ring",
      viewBox: "0 0 120 120",
      ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }),
    },
    ...paths,
    inside ? drawing("text", { x: MIDDLE, y: 66 }, inside) : null,
    below ? drawing("text", { class: "goal", x: MIDDLE, y: 83 }, below) : null,
  );
}
/**
 * Draws the seal of a milestone.
 * @param {string} inside
 * @param {boolean} isReached
 */
export function drawSeal(inside, isReached) {
  return drawing(
    "svg",
    { class: isReached ? "seal" : "seal next", viewBox: "0 0 60 60", "aria-hidden": "true" },
    drawing("circle", { cx: 30, cy: 30, r: 28 }),
    drawing("circle", { class: "inner", cx: 30, cy: 30, r: 24 }),
    drawing("text", { x: 30, y: 31 }, inside),
  );
}
