// A map of the world in SVG: dots that count what lies in a square, ways between places, the grid
// of the locators, day and night, on an equirectangular projection. Moves and zooms by pointer,
// wheel with Ctrl, buttons and keys. What points say is the caller's; a list beside the map says it
// in words. SVG, because the style sheet gives it the colours of every scheme, and a few hundred
// dots and paths are made anew only where the zoom changes.
import { drawing, element, plain } from "./page.js";
import { BORDERS } from "./borders.js";
import { LAND } from "./land.js";
import { dotsOf, gridOf, placeLabels } from "./map-layers.js";
import { WORLD, clamp, firstViewOf, project, viewOf, ways } from "./projection.js";
import { say } from "./language.js";

const SMALLEST = 24; // units in width
const NEAR_PX = 18;
const LABELS_MAX = 120;
const CLICK_PX = 6; // that a pointer may move between down and up

/** @typedef {import("./geography.js").Place} Place */
/** @typedef {import("./projection.js").Point} Point */
/**
 * Its kind is a class of the style sheet; its name stands beside its dot where there is room.
 * @typedef {Place & {kind: string, label: string | (() => string), name?: string}} MapPoint
 */
/** @typedef {MapPoint & Point} PlacedPoint */
/** @typedef {import("./map-layers.js").Dot<PlacedPoint>} Dot */
/** @typedef {[Place, Place]} Way */
/**
 * Later points are above.
 * @typedef {{points: MapPoint[], lines: Way[], home: Place | null}} Content
 */

/** @param {MapPoint[]} points of one dot */
function describe(points) {
  const { label } = points[points.length - 1];
  const last = typeof label === "function" ? label() : label;
  return points.length === 1 ? last : say("{n} here, the last: {last}", { n: points.length, last });
}

/**
 * The map in `node`; `show` replaces what it shows, `fit` brings most of that into view,
 * `showNight` the path of the night, and `goTo` a place.
 * @param {string} label
 * @param {((points: MapPoint[]) => void) | null} choose is called with the points of a dot
 */
export function createMap(label, choose = null) {
  const lines = drawing("path", { class: "ways" });
  const layers = drawing("g");
  const texts = drawing("g", { class: "names" });
  const grid = drawing("path", { class: "grid" });
  const gridNames = drawing("g", { class: "grid-names" });
  const night = drawing("path", { class: "night" });
  const homeDot = drawing("circle", { class: "dot home", visibility: "hidden" });
  const ring = drawing("circle", { class: "chosen", visibility: "hidden" });
  const svg = drawing(
    "svg",
    { "aria-hidden": "true", focusable: "false" },
    drawing("path", { class: "land", d: LAND }),
    drawing("path", { class: "borders", d: BORDERS }),
    night,
    grid,
    gridNames,
    lines,
    layers,
    homeDot,
    texts,
    ring,
  );
  const told = element("p", { class: "told", "aria-live": "polite" }, "\u00a0");
  const node = element("div", { class: "map" });
  const frame = element(
    "div",
    {
      class: "frame",
      role: "group",
      "aria-label": label,
      "aria-description": say(
        "Arrow keys move the map, plus and minus zoom, 0 shows all, N and P go from dot to dot, Enter opens it.",
      ),
      tabindex: "0",
    },
    svg,
  );
  const view = { ...WORLD };
  /** @type {PlacedPoint[]} */
  let shown = [];
  /** @type {Dot[]} */
  let dots = [];
  /** @type {Dot | null} */
  let chosen = null;
  /** @type {Point | null} */
  let home = null;
  let drawnUnit = 0;
  let isDue = false;

  const ratio = () =>
    svg.clientWidth && svg.clientHeight
      ? svg.clientWidth / svg.clientHeight
      : WORLD.width / WORLD.height;
  const unit = () => view.width / Math.max(1, svg.clientWidth);

  /** @param {SVGCircleElement} circle @param {Point | null} at @param {number} px */
  function setCircle(circle, at, px) {
    circle.setAttribute("visibility", at ? "visible" : "hidden");
    if (!at) return;
    circle.setAttribute("cx", at.x.toFixed(2));
    circle.setAttribute("cy", at.y.toFixed(2));
    circle.setAttribute("r", (px * unit()).toFixed(3));
  }
  /** @param {Point & {text: string}} at @param {number} px @param {string} kind */
  const text = (at, px, kind) =>
    drawing(
      "text",
      {
        x: at.x.toFixed(2),
        y: at.y.toFixed(2),
        class: kind,
        "font-size": (px * unit()).toFixed(3),
      },
      at.text,
    );
  function drawDots() {
    dots = dotsOf(shown, unit());

    layers.replaceChildren(
      ...dots.map((dot) => {
        const circle = drawing("circle", { class: `dot ${dot.kind}` });
        setCircle(circle, dot, dot.radius);
        return circle;
      }),
    );
    const counted = dots.filter((dot) => dot.points.length > 1);
    const named = dots
      .filter((dot) => dot.points.length === 1 && dot.points[0].name)
      .slice(-LABELS_MAX)
      .reverse()
      .map((dot) => ({ ...dot, text: dot.points[0].name ?? "" }));
    texts.replaceChildren(
      ...counted.map((dot) =>
        text({ ...dot, text: String(dot.points.length) }, 10, `count ${dot.kind}`),
      ),
      ...placeLabels(named, dots, unit()).map((name) => text(name, 11, "dot-name")),
    );
    setCircle(homeDot, home, 9);
    drawnUnit = unit();
  }
  function drawChosen() {
    setCircle(ring, chosen, (chosen?.radius ?? 0) + 4);
    told.textContent = chosen ? plain(describe(chosen.points)) : "\u00a0";
  }
  function drawNow() {
    isDue = false;
    view.height = view.width / ratio();
    const room = { x: WORLD.width - view.width, y: WORLD.height - view.height };
    view.x = WORLD.x + (room.x < 0 ? room.x / 2 : clamp(view.x - WORLD.x, 0, room.x));
    view.y = WORLD.y + (room.y < 0 ? room.y / 2 : clamp(view.y - WORLD.y, 0, room.y));
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    frame.classList.toggle("near", view.width < WORLD.width);
    const { path, names } = gridOf(view, unit());
    grid.setAttribute("d", path);
    gridNames.replaceChildren(...names.map((name) => text(name, 10, "")));
    if (unit() !== drawnUnit) {
      drawDots();
      drawChosen();
    }
  }
  /** Once a frame, however often a finger has moved. */
  function draw() {
    if (!isDue) requestAnimationFrame(drawNow);
    isDue = true;
  }
  /**
   * @param {number} factor of the width seen
   * @param {number} x what keeps its place
   * @param {number} y
   */
  function zoom(factor, x = view.x + view.width / 2, y = view.y + view.height / 2) {
    const largest = Math.max(WORLD.width, WORLD.height * ratio());
    const width = clamp(view.width * factor, SMALLEST, largest);
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
  /** @param {(points: Point[], ratio: number) => import("./projection.js").View} choose */
  function fit(choose = viewOf) {
    Object.assign(view, choose(home ? [...shown, home] : shown, ratio()));
    draw();
  }
  /** @param {Place} place */
  function goTo(place) {
    const at = project(place);
    view.width = Math.min(view.width, 160);
    view.x = at.x - view.width / 2;
    view.y = at.y - view.width / ratio() / 2;
    drawNow();
    chooseAt(at);
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
  function chooseAt(at) {
    /** @type {Dot | null} */
    let nearest = null;
    let reach = NEAR_PX * unit();
    for (const dot of dots) {
      const away = Math.hypot(dot.x - at.x, dot.y - at.y);
      if (away <= reach) [nearest, reach] = [dot, away];
    }
    if (nearest === chosen) return;
    chosen = nearest;
    drawChosen();
  }
  function openChosen() {
    if (chosen && choose) choose(chosen.points);
  }
  /** The next dot, from the newest on, brought into view. @param {number} by */
  function step(by) {
    if (!dots.length) return;
    const at = chosen ? dots.indexOf(chosen) : by > 0 ? dots.length : -1;
    chosen = dots[(at - by + dots.length) % dots.length];
    const isSeen =
      chosen.x > view.x &&
      chosen.x < view.x + view.width &&
      chosen.y > view.y &&
      chosen.y < view.y + view.height;
    if (!isSeen) move(chosen.x - view.x - view.width / 2, chosen.y - view.y - view.height / 2);
    drawChosen();
  }

  /** @type {Map<number, {clientX: number, clientY: number}>} those that are down */
  const pointers = new Map();
  let pressed = { x: 0, y: 0 };
  /** @param {PointerEvent} event */
  function follow(event) {
    const before = pointers.get(event.pointerId);
    if (!before) {
      chooseAt(place(event));
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
    chooseAt(place(event));
    pointers.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY });
    pressed = { x: event.clientX, y: event.clientY };
    if (frame.classList.contains("near")) frame.setPointerCapture(event.pointerId);
  });
  frame.addEventListener("click", (event) => {
    const moved = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y);
    if (moved <= CLICK_PX) openChosen();
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
    0: () => fit(),
    ArrowLeft: () => move(-view.width / 8, 0),
    ArrowRight: () => move(view.width / 8, 0),
    ArrowUp: () => move(0, -view.height / 8),
    ArrowDown: () => move(0, view.height / 8),
    n: () => step(1),
    p: () => step(-1),
    Enter: openChosen,
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
      button("\u2922", "Show all", () => fit()),
    ),
    told,
  );
  new ResizeObserver(draw).observe(frame);

  /** @param {Content} content */
  function show({ points, lines: between, home: at }) {
    shown = points.map((point) => ({ ...point, ...project(point) }));
    home = at && project(at);
    lines.setAttribute("d", ways(between));
    const place = chosen && { x: chosen.x, y: chosen.y };
    chosen = null;
    drawDots();
    chosen = place && (dots.find((dot) => dot.x === place.x && dot.y === place.y) ?? null);
    drawChosen();
    draw();
  }
  /** @param {string} path */
  function showNight(path) {
    night.setAttribute("d", path);
  }
  return { node, show, fit: () => fit(firstViewOf), showNight, goTo };
}
