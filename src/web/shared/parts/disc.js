// Draws the compass disc: the world as seen from a locator, with the directions on the rim. A
// needle points at a station. Without a station, the disc shows places, such as those of spots.
import { landOf, pointOf, radiusAt, RADIUS, rangeOf, wayOf } from "../map/azimuth.js";
import { distanceKm, exactBearing } from "../map/geography.js";
import { placeLabels } from "../map/labels.js";
import { say } from "../language.js";
import { drawing, number } from "../page.js";

/** @import { Place, Point } from "../types.js" */
/**
 * @typedef {object} DiscPoint
 * @property {Place} place
 * @property {Place} [from] beginning of the path to the place; by default the centre
 * @property {boolean} [isNew] whether the place is new for the member
 * @property {string} [name]
 */
/**
 * @typedef {object} Shown
 * @property {Place} home the centre
 * @property {Place | null} [to] target of the needle
 * @property {boolean} [isNew] whether that place is new for the member
 * @property {DiscPoint[]} [points] later points are above earlier points
 * @property {number} [reach] distance in km that the disc shows, if there are no places
 */
/**
 * @typedef {object} Look
 * @property {boolean} [isSmall] for at most 208 pixels, with large letters and dots
 * @property {number} [scale] of dots and names; 1: for about 600 pixels
 * @property {string} [label] the disc in words; omitted if a text next to the disc has this content
 */

/** Distance of the letters from the centre; letters of small discs are larger. */
const [LETTER, LETTER_SMALL] = [115, 128];
// Dots this near to the centre have no name: about 300 km, if the disc shows 10,000 km.
const CROWDED = 11;
const NAME = 5.2; // font size of a name; labels.js assumes a font size of 11 pixels
let discs = 0;

/**
 * Returns the ticks on the rim, as an SVG path.
 * @param {number} step degrees
 * @param {number} length
 * @param {(angle: number) => boolean} [isShown]
 */
function ticks(step, length, isShown = () => true) {
  let path = "";
  for (let angle = 0; angle < 360; angle += step) {
    if (!isShown(angle)) continue;
    const [x, y] = [Math.sin((angle * Math.PI) / 180), -Math.cos((angle * Math.PI) / 180)];
    const [from, to] = [100, 100 + length].map(
      (r) => `${(x * r).toFixed(2)} ${(y * r).toFixed(2)}`,
    );
    path += `M${from}L${to}`;
  }
  return path;
}

export class Disc {
  /** @param {Look} look */
  constructor({ isSmall = false, scale = 1, label } = {}) {
    const clip = `disc-${++discs}`;
    this.isSmall = isSmall;
    this.scale = scale;
    this.range = rangeOf(Infinity);
    this.turned = 0;
    this.land = drawing("path", { class: "land", "fill-rule": "evenodd" });
    this.rings = drawing("g");
    this.points = drawing("g");
    this.names = drawing("g", { "font-size": NAME * scale });
    this.aim = drawing("g", { class: "aim" });
    const far = isSmall ? LETTER_SMALL : LETTER;
    const pad = isSmall ? far + 10 : far + 4;
    const letters = [
      [say("N"), 0, -far],
      [say("E"), far, 0],
      [say("S"), 0, far],
      [say("W"), -far, 0],
    ];
    this.node = drawing(
      "svg",
      {
        class: `disc${isSmall ? " small" : ""}`,
        viewBox: `-${pad} -${pad} ${2 * pad} ${2 * pad}`,
        role: label ? "img" : null,
        "aria-label": label,
        "aria-hidden": label ? null : "true",
      },
      drawing("clipPath", { id: clip }, drawing("circle", { r: RADIUS })),
      drawing(
        "g",
        { "clip-path": `url(#${clip})` },
        drawing("circle", { class: "sea", r: RADIUS }),
        this.land,
        this.rings,
        drawing("path", { class: "cross", d: "M0-96V96M-96 0H96" }),
        this.points,
      ),
      this.names,
      drawing("path", {
        class: "ticks",
        d: ticks(isSmall ? 10 : 5, 4.5, (angle) => angle % 30 !== 0),
      }),
      drawing("path", { class: "ticks long", d: ticks(30, 8) }),
      ...letters.map(([letter, x, y], index) =>
        drawing("text", { class: index ? "letter" : "letter north", x, y }, letter),
      ),
      this.aim,
      drawing("circle", { class: "home", r: isSmall ? 6 : 3.4 }),
    );
  }

  /** @param {Shown} shown */
  show({ home, to = null, isNew = false, points = [], reach = Infinity }) {
    const places = to ? [to] : points.flatMap(({ place, from }) => [place, from ?? place]);
    const far = places.map((place) => distanceKm(home, place));
    this.range = rangeOf(far.length ? Math.max(...far) : reach);
    this.land.setAttribute("d", landOf(home, this.range));
    this.rings.replaceChildren(...this.#rings());
    this.#showPoints(home, points);
    this.#turn(home, to, isNew);
  }
  #rings() {
    return this.range.rings.flatMap((km, index) => {
      const r = radiusAt(km, this.range);
      const [x, y] = [r * 0.5, r * 0.866].map((value) => value.toFixed(1));
      return [
        drawing("circle", { class: "range", r: r.toFixed(1) }),
        ...(index ? [drawing("text", { class: "km", x, y }, number(km))] : []),
      ];
    });
  }
  /**
   * @param {Place} home
   * @param {DiscPoint[]} points
   */
  #showPoints(home, points) {
    const radius = this.isSmall ? 4.5 : 2 * this.scale;
    const dots = points.map((point) => ({ ...point, ...pointOf(home, point.place, this.range) }));
    const named = dots.filter(({ name, x, y }) => name && Math.hypot(x, y) > CROWDED).reverse();
    const unit = (NAME * this.scale) / 11;
    const sized = (/** @type {Point} */ { x, y }) => ({ x, y, radius: radius / unit });
    const labels = placeLabels(
      named.map((dot) => ({ ...sized(dot), text: dot.name ?? "" })),
      [...dots, { x: 0, y: 0 }].map(sized),
      unit,
      RADIUS,
    );
    const ways = points.map(({ place, from, isNew }) =>
      drawing("path", {
        class: isNew ? "way new" : "way",
        "stroke-opacity": from ? 0.4 : null,
        d: wayOf(home, from ?? home, place, this.range),
      }),
    );
    const spotters = points.flatMap(({ from }) => {
      if (!from) return [];
      const { x, y } = pointOf(home, from, this.range);
      return [drawing("circle", { class: "home", cx: x.toFixed(1), cy: y.toFixed(1), r: 1.3 })];
    });
    this.points.replaceChildren(
      ...ways,
      ...spotters,
      ...dots.flatMap(({ x, y, isNew }) => dot(x, y, radius, isNew ?? false)),
    );
    this.names.replaceChildren(
      ...labels.map(({ x, y, text }) =>
        drawing("text", { class: "dot-name", x: x.toFixed(1), y: y.toFixed(1) }, text),
      ),
    );
  }
  /**
   * Turns the needle to a place, the short way round.
   * @param {Place} home
   * @param {Place | null} to
   * @param {boolean} isNew
   */
  #turn(home, to, isNew) {
    this.aim.toggleAttribute("hidden", !to);
    if (!to) return;
    const far = Math.min(radiusAt(distanceKm(home, to), this.range), RADIUS);
    const turn = exactBearing(home, to) - this.turned;
    this.turned += turn - 360 * Math.round(turn / 360);
    this.aim.setAttribute("class", isNew ? "aim new" : "aim");
    this.aim.setAttribute("transform", `rotate(${this.turned.toFixed(1)})`);
    this.aim.replaceChildren(
      drawing("path", { class: "needle", d: `M0 0V${(-far).toFixed(1)}` }),
      ...dot(0, -far, this.isSmall ? 7 : 4.6, isNew),
      drawing("path", {
        class: "pointer",
        d: this.isSmall ? "M0-97l9-15h-18z" : "M0-97l6-11h-12z",
      }),
    );
  }
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {boolean} isNew
 */
function dot(x, y, r, isNew) {
  const at = { cx: x.toFixed(1), cy: y.toFixed(1) };
  return [
    ...(isNew ? [drawing("circle", { class: "halo", ...at, r: 2 * r })] : []),
    drawing("circle", { class: isNew ? "dot new" : "dot", ...at, r }),
  ];
}
