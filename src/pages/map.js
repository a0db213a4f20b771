// A map of the world in SVG: points and ways on an equirectangular projection. Moves and zooms by
// pointer, wheel with Ctrl, buttons and keys. What the points say is the caller's; a list beside
// the map says it in words.
import { drawing, element } from "./page.js";
import { LAND } from "./land.js";
import { WORLD, clamp, dots, project, viewOf, ways } from "./projection.js";
import { say } from "./language.js";

const SMALLEST = 24; // units in width
const NEAR_PX = 16;

/** @typedef {import("./geography.js").Place} Place */
/** @typedef {import("./projection.js").Point} Point */
/** @typedef {Place & {kind: string, label: string}} MapPoint its kind: a class of the stylesheet */
/** @typedef {[Place, Place]} Way */
/** @typedef {{points: MapPoint[], lines: Way[], home: Place | null}} Content */

/**
 * The map in `node`; `show` replaces what it shows, `fit` brings all of that into view.
 * @param {string} label
 */
export function createMap(label) {
  const lines = drawing("path", { class: "ways" });
  const layers = drawing("g");
  const chosen = drawing("path", { class: "dot chosen" });
  const home = drawing("path", { class: "dot home" });
  const svg = drawing(
    "svg",
    { "aria-hidden": "true", focusable: "false" },
    drawing("path", { class: "land", d: LAND }),
    lines,
    layers,
    home,
    chosen,
  );
  const told = element("p", { class: "told" }, "\u00a0");
  const node = element("div", { class: "map" });
  const frame = element(
    "div",
    { class: "frame", role: "group", "aria-label": label, tabindex: "0" },
    svg,
  );
  const view = { ...WORLD };
  /** @type {(MapPoint & Point)[]} */
  let shown = [];

  function draw() {
    view.width = clamp(view.width, SMALLEST, WORLD.width);
    view.height = (view.width * WORLD.height) / WORLD.width;
    view.x = clamp(view.x, WORLD.x, WORLD.x + WORLD.width - view.width);
    view.y = clamp(view.y, WORLD.y, WORLD.y + WORLD.height - view.height);
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    frame.classList.toggle("near", view.width < WORLD.width);
  }
  const unit = () => view.width / Math.max(1, svg.clientWidth);
  /**
   * @param {number} factor of the width seen
   * @param {number} x what keeps its place
   * @param {number} y
   */
  function zoom(factor, x = view.x + view.width / 2, y = view.y + view.height / 2) {
    const width = clamp(view.width * factor, SMALLEST, WORLD.width);
    const change = width / view.width;
    view.x = x - (x - view.x) * change;
    view.y = y - (y - view.y) * change;
    view.width = width;
    draw();
  }
  /**
   * @param {number} x
   * @param {number} y
   */
  function move(x, y) {
    view.x += x;
    view.y += y;
    draw();
  }
  function fit() {
    Object.assign(view, viewOf(shown));
    draw();
  }

  /** @param {{clientX: number, clientY: number}} event */
  function place(event) {
    const box = svg.getBoundingClientRect();
    return {
      x: view.x + (event.clientX - box.left) * unit(),
      y: view.y + (event.clientY - box.top) * unit(),
    };
  }
  /** @param {Point} at */
  function tell(at) {
    /** @type {(MapPoint & Point) | null} */
    let nearest = null;
    let reach = NEAR_PX * unit();
    for (const point of shown) {
      const away = Math.hypot(point.x - at.x, point.y - at.y);
      if (away < reach) [nearest, reach] = [point, away];
    }
    chosen.setAttribute("d", nearest ? dots([nearest]) : "");
    told.textContent = nearest ? nearest.label : "\u00a0";
  }

  /** @type {Map<number, {clientX: number, clientY: number}>} those that are down */
  const pointers = new Map();
  /** @param {PointerEvent} event */
  function follow(event) {
    const before = pointers.get(event.pointerId);
    if (!before) {
      tell(place(event));
      return;
    }
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const was = Math.hypot(before.clientX - other.clientX, before.clientY - other.clientY);
      const is = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
      const middle = place({
        clientX: (event.clientX + other.clientX) / 2,
        clientY: (event.clientY + other.clientY) / 2,
      });
      if (was > 0 && is > 0) zoom(was / is, middle.x, middle.y);
    } else {
      move((before.clientX - event.clientX) * unit(), (before.clientY - event.clientY) * unit());
    }
    pointers.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY });
  }
  frame.addEventListener("pointerdown", (event) => {
    tell(place(event));
    pointers.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY });
    if (view.width < WORLD.width) frame.setPointerCapture(event.pointerId);
  });
  frame.addEventListener("pointermove", follow);
  for (const end of /** @type {const} */ (["pointerup", "pointercancel", "pointerleave"]))
    frame.addEventListener(end, (event) => pointers.delete(event.pointerId));
  // Without Ctrl the wheel scrolls the page, as everywhere else; touchpads pinch with Ctrl.
  frame.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const at = place(event);
      zoom(event.deltaY > 0 ? 1.25 : 0.8, at.x, at.y);
    },
    { passive: false },
  );

  /** @type {Record<string, () => void>} */
  const KEYS = {
    "+": () => zoom(0.7),
    "=": () => zoom(0.7),
    "-": () => zoom(1 / 0.7),
    0: fit,
    ArrowLeft: () => move(-view.width / 8, 0),
    ArrowRight: () => move(view.width / 8, 0),
    ArrowUp: () => move(0, -view.height / 8),
    ArrowDown: () => move(0, view.height / 8),
  };
  frame.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !Object.hasOwn(KEYS, event.key)) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  /** @type {(sign: string, name: string, action: () => void) => HTMLElement} */
  const button = (sign, name, action) =>
    element(
      "button",
      { type: "button", "aria-label": say(name), title: say(name), click: action },
      sign,
    );
  node.append(
    frame,
    element(
      "div",
      { class: "buttons" },
      button("+", "Zoom in", KEYS["+"]),
      button("\u2212", "Zoom out", KEYS["-"]),
      button("\u2922", "Show all", fit),
    ),
    told,
  );
  draw();

  /** @param {Content} content */
  function show({ points, lines: between, home: at }) {
    shown = points.map((point) => ({ ...point, ...project(point) }));
    layers.replaceChildren(
      ...[...new Set(shown.map((point) => point.kind))].map((kind) =>
        drawing("path", {
          class: `dot ${kind}`,
          d: dots(shown.filter((point) => point.kind === kind)),
        }),
      ),
    );
    lines.setAttribute("d", ways(between));
    home.setAttribute("d", at ? dots([project(at)]) : "");
    chosen.setAttribute("d", "");
  }
  return { node, show, fit };
}
