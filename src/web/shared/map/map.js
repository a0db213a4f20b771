// Shows a map of the world in SVG, in an equirectangular projection: dots that count points, paths
// between places, the grid of locators, day and night. The reader moves and zooms the map with the
// pointer, the buttons or the keys, or zooms it with Ctrl and the wheel. Callers provide the texts
// of points, and also list the points next to the map. The style sheet defines the colours. Dots
// are created again only when the content or the zoom changes.
import { drawing, element, plain } from "../page.js";
import { BORDERS } from "./borders.js";
import { LAND } from "./land.js";
import { placeLabels } from "./labels.js";
import { HOME_PX, dotsOf, gridOf } from "./map-layers.js";
import { WORLD, clamp, firstViewOf, project, unproject, viewOf, ways } from "./projection.js";
import { say } from "../language.js";

const SMALLEST = 24; // minimum width of the visible part, in units
const NEAR_PX = 18;
const LABELS_MAX = 120;
const CLICK_PX = 6; // maximum movement between press and release in a click

/** @import { MapDot, MapView, Place, Point } from "../types.js" */
/**
 * `kind` is a class in the style sheet; `name` is shown next to the dot if space allows.
 * @typedef {Place & {kind: string, label: string | (() => string), name?: string}} MapPoint
 */
/** @typedef {MapPoint & Point} PlacedPoint */
/** @typedef {MapDot<PlacedPoint>} Dot */
/** @typedef {[Place, Place]} Way */
/**
 * Later points are drawn above earlier points.
 * @typedef {{points: MapPoint[], lines: Way[], litLines?: Way[], home: Place | null}} Content
 */

/** @param {MapPoint[]} points of one dot */
function describe(points) {
  const { label } = points[points.length - 1];
  const last = typeof label === "function" ? label() : label;
  return points.length === 1 ? last : say("{n} here, latest: {last}", { n: points.length, last });
}

/** @param {SVGElement} shape @param {Record<string, number | string>} attributes */
function setAttributes(shape, attributes) {
  for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, `${value}`);
}

/** Creates the drawing and its parts, from bottom to top. */
function createShapes() {
  const shapes = {
    land: drawing("path", { class: "land", d: LAND }),
    borders: drawing("path", { class: "borders", d: BORDERS }),
    night: drawing("path", { class: "night" }),
    grid: drawing("path", { class: "grid" }),
    gridNames: drawing("g", { class: "grid-names" }),
    lines: drawing("path", { class: "ways" }),
    litLines: drawing("path", { class: "ways lit" }),
    dots: drawing("g"),
    home: drawing("circle", { class: "dot home", visibility: "hidden" }),
    texts: drawing("g", { class: "names" }),
    ring: drawing("circle", { class: "chosen", visibility: "hidden" }),
  };
  const svg = drawing(
    "svg",
    { "aria-hidden": "true", focusable: "false" },
    ...Object.values(shapes),
  );
  return { ...shapes, svg };
}

/** A map in an element of the page. */
export class WorldMap {
  view = { ...WORLD };
  /** @type {PlacedPoint[]} */
  shown = [];
  /** @type {Dot[]} */
  dots = [];
  /** @type {Dot | null} */
  chosen = null;
  /** @type {Point | null} */
  home = null;
  drawnUnit = 0;
  isDue = false;
  /** @type {Map<number, {clientX: number, clientY: number}>} pointers that are pressed */
  pointers = new Map();
  shapes = createShapes();
  /** @type {((view: MapView) => void) | null} called when the reader has moved or zoomed the map */
  onMoved = null;
  /**
   * @type {((place: Place) => void) | null} called with the place of a click, or with the middle of
   *   the map after Enter
   */
  onPlace = null;
  told = element("p", { class: "told", "aria-live": "polite" }, "\u00a0");

  /**
   * @param {string} label
   * @param {((points: MapPoint[]) => void) | null} choose called with the points of a dot
   */
  constructor(label, choose = null) {
    this.choose = choose;
    this.frame = element(
      "div",
      {
        class: "frame",
        role: "group",
        "aria-label": label,
        "aria-description": say(
          "Arrow keys move the map, plus and minus zoom, 0 shows all, N and P move between dots, Enter opens a dot.",
        ),
        tabindex: "0",
      },
      this.shapes.svg,
    );
    this.node = element("div", { class: "map" }, this.frame, this.createButtons(), this.told);
    this.followPointers();
    this.followKeys();
    new ResizeObserver(() => this.draw()).observe(this.frame);
  }
  createButtons() {
    /** @type {(d: string, name: string, action: () => void) => HTMLElement} */
    const button = (d, name, action) =>
      element(
        "button",
        { type: "button", "aria-label": say(name), title: say(name), click: action },
        drawing("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, drawing("path", { d })),
      );
    return element(
      "div",
      { class: "buttons" },
      button("M12 6v12M6 12h12", "Zoom in", () => this.zoom(0.7)),
      button("M6 12h12", "Zoom out", () => this.zoom(1 / 0.7)),
      button("M8 4H4v4M16 4h4v4M8 20H4v-4M16 20h4v-4", "Show all", () => {
        this.fitTo(viewOf);
        this.onMoved?.(this.view);
      }),
    );
  }

  /** Replaces the map's content. @param {Content} content */
  show({ points, lines, litLines = [], home }) {
    this.shown = points.map((point) => ({ ...point, ...project(point) }));
    this.home = home && project(home);
    this.shapes.lines.setAttribute("d", ways(lines));
    this.shapes.litLines.setAttribute("d", ways(litLines));
    const before = this.chosen;
    this.chosen = null;
    this.drawDots();
    this.chosen =
      before && (this.dots.find((dot) => dot.x === before.x && dot.y === before.y) ?? null);
    this.drawChosen();
    this.draw();
  }
  /** @param {string} path */
  showNight(path) {
    this.shapes.night.setAttribute("d", path);
  }
  /** Shows the part of the world that contains most of the content. */
  fit() {
    this.fitTo(firstViewOf);
  }
  /** @param {(points: Point[], ratio: number) => MapView} choose */
  fitTo(choose) {
    Object.assign(
      this.view,
      choose(this.home ? [...this.shown, this.home] : this.shown, this.ratio()),
    );
    this.draw();
  }
  /** @param {MapView} view a previous view */
  look(view) {
    Object.assign(this.view, view);
    this.draw();
  }
  /** @param {Place} place */
  goTo(place) {
    const at = project(place);
    const { view } = this;
    view.width = Math.min(view.width, 160);
    view.x = at.x - view.width / 2;
    view.y = at.y - view.width / this.ratio() / 2;
    this.drawNow();
    this.chooseAt(at);
  }

  ratio() {
    const { clientWidth, clientHeight } = this.shapes.svg;
    return clientWidth && clientHeight ? clientWidth / clientHeight : WORLD.width / WORLD.height;
  }
  unit() {
    return this.view.width / Math.max(1, this.shapes.svg.clientWidth);
  }
  /** @param {SVGCircleElement} circle @param {Point | null} at @param {number} px */
  setCircle(circle, at, px) {
    circle.setAttribute("visibility", at ? "visible" : "hidden");
    if (!at) return;
    setAttributes(circle, {
      cx: at.x.toFixed(2),
      cy: at.y.toFixed(2),
      r: (px * this.unit()).toFixed(3),
    });
  }
  /** @param {Point & {text: string}} at @param {number} px @param {string} kind */
  text(at, px, kind) {
    const size = (px * this.unit()).toFixed(3);
    const place = { x: at.x.toFixed(2), y: at.y.toFixed(2) };
    return drawing("text", { ...place, class: kind, "font-size": size }, at.text);
  }
  /** Returns an arc on the edge of a dot, for the confirmed part of its points. @param {Dot} dot */
  shareOf(dot) {
    const width = 2.5;
    const arc = drawing("circle", { class: "share", pathLength: 1 });
    this.setCircle(arc, dot, dot.radius - width / 2);
    setAttributes(arc, {
      "stroke-width": (width * this.unit()).toFixed(3),
      "stroke-dasharray": `${Math.max(0.1, dot.confirmed).toFixed(3)} 1`,
    });
    return arc;
  }
  drawDots() {
    const unit = this.unit();
    this.dots = dotsOf(this.shown, unit, this.home);
    this.shapes.dots.replaceChildren(
      ...this.dots.map((dot) => {
        const circle = drawing("circle", { class: `dot ${dot.kind}` });
        this.setCircle(circle, dot, dot.radius);
        return circle;
      }),
      ...this.dots.filter((dot) => dot.confirmed % 1).map((dot) => this.shareOf(dot)),
    );
    const counted = this.dots.filter((dot) => dot.points.length > 1);
    const named = this.dots
      .filter((dot) => dot.points.length === 1 && dot.points[0].name)
      .slice(-LABELS_MAX)
      .reverse()
      .map((dot) => ({ ...dot, text: dot.points[0].name ?? "" }));
    this.shapes.texts.replaceChildren(
      ...counted.map((dot) =>
        this.text({ ...dot, text: String(dot.points.length) }, 10, `count ${dot.kind}`),
      ),
      ...placeLabels(named, this.dots, unit).map((name) => this.text(name, 11, "dot-name")),
    );
    this.setCircle(this.shapes.home, this.home, HOME_PX);
    this.drawnUnit = unit;
  }
  drawChosen() {
    this.setCircle(this.shapes.ring, this.chosen, (this.chosen?.radius ?? 0) + 4);
    this.told.textContent = this.chosen ? plain(describe(this.chosen.points)) : "\u00a0";
  }
  drawNow() {
    const { view, shapes } = this;
    this.isDue = false;
    view.height = view.width / this.ratio();
    const room = { x: WORLD.width - view.width, y: WORLD.height - view.height };
    view.x = WORLD.x + (room.x < 0 ? room.x / 2 : clamp(view.x - WORLD.x, 0, room.x));
    view.y = WORLD.y + (room.y < 0 ? room.y / 2 : clamp(view.y - WORLD.y, 0, room.y));
    shapes.svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    this.frame.classList.toggle("near", view.width < WORLD.width);
    const { path, names } = gridOf(view, this.unit());
    shapes.grid.setAttribute("d", path);
    shapes.gridNames.replaceChildren(...names.map((name) => this.text(name, 10, "")));
    if (this.unit() !== this.drawnUnit) {
      this.drawDots();
      this.drawChosen();
    }
  }
  /** Draws once per frame, regardless of the number of pointer events. */
  draw() {
    if (!this.isDue) requestAnimationFrame(() => this.drawNow());
    this.isDue = true;
  }

  /**
   * @param {number} factor multiplies the visible width
   * @param {Point} about the point that stays in place
   */
  zoom(factor, about = this.middle()) {
    const { view } = this;
    const largest = Math.max(WORLD.width, WORLD.height * this.ratio());
    const width = clamp(view.width * factor, SMALLEST, largest);
    const change = width / view.width;
    view.x = about.x - (about.x - view.x) * change;
    view.y = about.y - (about.y - view.y) * change;
    view.width = width;
    this.draw();
    this.onMoved?.(view);
  }
  middle() {
    const { view } = this;
    return { x: view.x + view.width / 2, y: view.y + view.height / 2 };
  }
  /**
   * @param {number} x
   * @param {number} y
   */
  move(x, y) {
    this.view.x += x;
    this.view.y += y;
    this.draw();
    this.onMoved?.(this.view);
  }
  /** @param {{clientX: number, clientY: number}} event */
  place(event) {
    const box = this.shapes.svg.getBoundingClientRect();
    return {
      x: this.view.x + (event.clientX - box.left) * this.unit(),
      y: this.view.y + (event.clientY - box.top) * this.unit(),
    };
  }

  /** @param {Point} at */
  chooseAt(at) {
    /** @type {Dot | null} */
    let nearest = null;
    let reach = NEAR_PX * this.unit();
    for (const dot of this.dots) {
      const away = Math.hypot(dot.x - at.x, dot.y - at.y);
      if (away <= reach) [nearest, reach] = [dot, away];
    }
    if (nearest === this.chosen) return;
    this.chosen = nearest;
    this.drawChosen();
  }
  /** @param {Point} at */
  open(at) {
    if (this.chosen && this.choose) this.choose(this.chosen.points);
    this.onPlace?.(unproject(at));
  }
  /**
   * Selects the next older dot, or the next newer dot, and scrolls it into view.
   * @param {number} by 1: older; -1: newer
   */
  step(by) {
    const { dots, view } = this;
    if (!dots.length) return;
    const at = this.chosen ? dots.indexOf(this.chosen) : by > 0 ? dots.length : -1;
    const dot = dots[(at - by + dots.length) % dots.length];
    this.chosen = dot;
    const isSeen =
      dot.x > view.x &&
      dot.x < view.x + view.width &&
      dot.y > view.y &&
      dot.y < view.y + view.height;
    if (!isSeen) this.move(dot.x - this.middle().x, dot.y - this.middle().y);
    this.drawChosen();
  }

  followPointers() {
    const { frame } = this;
    let pressed = { x: 0, y: 0 };
    frame.addEventListener("pointerdown", (event) => {
      this.chooseAt(this.place(event));
      this.pointers.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY });
      pressed = { x: event.clientX, y: event.clientY };
      if (frame.classList.contains("near")) frame.setPointerCapture(event.pointerId);
    });
    frame.addEventListener("click", (event) => {
      const moved = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y);
      if (moved <= CLICK_PX) this.open(this.place(event));
    });
    frame.addEventListener("pointermove", (event) => this.followPointer(event));
    for (const end of /** @type {const} */ (["pointerup", "pointercancel", "pointerleave"]))
      frame.addEventListener(end, (event) => this.pointers.delete(event.pointerId));
    // Without Ctrl, the wheel scrolls the page as usual. Browsers report pinch gestures on
    // touchpads as wheel events with Ctrl.
    frame.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.place(event));
      },
      { passive: false },
    );
  }
  /** @param {PointerEvent} event */
  followPointer(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      this.chooseAt(this.place(event));
      return;
    }
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const was = Math.hypot(before.clientX - other.clientX, before.clientY - other.clientY);
      const is = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
      const middle = this.place({
        clientX: (event.clientX + other.clientX) / 2,
        clientY: (event.clientY + other.clientY) / 2,
      });
      if (was > 0 && is > 0) this.zoom(was / is, middle);
    } else {
      this.move(
        (before.clientX - event.clientX) * this.unit(),
        (before.clientY - event.clientY) * this.unit(),
      );
    }
    this.pointers.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY });
  }
  followKeys() {
    const { view } = this;
    /** @type {Record<string, () => void>} */
    const keys = {
      "+": () => this.zoom(0.7),
      "=": () => this.zoom(0.7),
      "-": () => this.zoom(1 / 0.7),
      0: () => this.fitTo(viewOf),
      ArrowLeft: () => this.move(-view.width / 8, 0),
      ArrowRight: () => this.move(view.width / 8, 0),
      ArrowUp: () => this.move(0, -view.height / 8),
      ArrowDown: () => this.move(0, view.height / 8),
      n: () => this.step(1),
      p: () => this.step(-1),
      Enter: () => this.open(this.middle()),
    };
    this.frame.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || !Object.hasOwn(keys, event.key)) return;
      event.preventDefault();
      keys[event.key]();
    });
  }
}
