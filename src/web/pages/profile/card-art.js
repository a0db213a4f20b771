// Contains the drawings of QSL cards: eight designs, each in three inks (paper, ink, accent).
// Numbers in the drawings are in units; a card is 448 units wide.

/** @import { Shape } from "../types.js" */
/** @typedef {{paper: string, ink: string, accent: string}} Inks */
/**
 * @typedef {object} Layout the room for texts in a design, in millimetres
 * @property {number} right end of the callsign
 * @property {number} [top] base line of the callsign
 * @property {boolean} [isAtRight] whether the texts end at `right`
 * @property {number} bottom of the frame
 * @property {number} [wide] width of the frame
 */

const UNIT = 140 / 448; // millimetres
/** @param {number} units */
const mm = (units) => Number((units * UNIT).toFixed(2));
/**
 * Converts the numbers of a path without arcs from units to millimetres.
 * @param {string} d
 */
const scaled = (d) => d.replace(/-?\d+(\.\d+)?/g, (units) => String(mm(Number(units))));
/**
 * @param {"path" | "area"} kind
 * @param {string} d in units
 * @param {string} fill
 * @param {number} [width] units
 * @param {number} [opacity]
 * @returns {Shape}
 */
const shape = (kind, d, fill, width = 1, opacity = 1) => ({
  ...{ kind, x: 0, y: 0, d: scaled(d), fill, width: mm(width), opacity },
});
/**
 * Returns a circle as a path of four curves.
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
function circle(x, y, r) {
  const k = r * 0.5523;
  const curve = (/** @type {number[]} */ ...at) => `C${at.map((n) => n.toFixed(1)).join(" ")}`;
  return [
    `M${x - r} ${y}`,
    curve(x - r, y - k, x - k, y - r, x, y - r),
    curve(x + k, y - r, x + r, y - k, x + r, y),
    curve(x + r, y + k, x + k, y + r, x, y + r),
    curve(x - k, y + r, x - r, y + k, x - r, y),
  ].join("");
}
/** @param {number} count @param {(index: number) => string} path */
const paths = (count, path) => Array.from({ length: count }, (_, index) => path(index)).join("");

/** @type {Record<string, (inks: Inks) => Shape[]>} */
const DRAWINGS = {
  waves: ({ ink, accent }) => {
    const wave = (/** @type {number} */ i) =>
      `M-10 ${250 + i * 3}Q${150 + i * 9} ${40 + i * 9} 460 ${70 + i * 12}`;
    const isLit = (/** @type {number} */ i) => i % 7 === 3;
    return [
      shape(
        "path",
        paths(22, (i) => (isLit(i) ? "" : wave(i))),
        ink,
        0.8,
        0.38,
      ),
      shape(
        "path",
        paths(22, (i) => (isLit(i) ? wave(i) : "")),
        accent,
        2,
      ),
    ];
  },
  compass: ({ ink, accent }) => {
    const tick = (/** @type {number} */ i, /** @type {number} */ to) =>
      [84, to]
        .map((r) => [
          352 + r * Math.cos((i * Math.PI) / 36),
          112 + r * Math.sin((i * Math.PI) / 36),
        ])
        .map(([x, y], place) => `${place ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`)
        .join("");
    return [
      shape(
        "path",
        paths(72, (i) => (i % 6 ? tick(i, 90) : "")),
        ink,
        0.8,
        0.6,
      ),
      shape(
        "path",
        paths(12, (i) => tick(i * 6, 99)),
        ink,
        1.8,
        0.6,
      ),
      shape(
        "path",
        paths(3, (i) => circle(352, 112, 21 * (i + 1))),
        ink,
        1,
        0.28,
      ),
      shape("path", "M352 112L402 64", accent, 3),
      shape("area", circle(402, 64, 6), accent),
    ];
  },
  coast: ({ paper, ink, accent }) =>
    [ink, paper, ink, accent].map((colour, i) => {
      const [low, high] = [196 + i * 17, 176 + i * 17];
      const crest = `M0 ${low}Q56 ${high} 112 ${low}Q168 ${2 * low - high} 224 ${low}`;
      const rest = `Q280 ${high} 336 ${low}Q392 ${2 * low - high} 448 ${low}`;
      return shape("area", `${crest}${rest}V288H0Z`, colour);
    }),
  stripes: ({ ink, accent }) => [
    shape("area", "M0 0H150L0 150Z", accent),
    shape("area", "M150 0H196L0 196V150ZM214 0H230L0 230V214Z", ink),
  ],
  mountain: ({ paper, ink, accent }) => [
    shape("area", "M0 230L80 170L140 205L235 110L300 180L350 150L448 215V288H0Z", ink),
    shape("area", "M235 110L262 139L240 146L222 160L205 140Z", paper),
    shape("area", circle(388, 62, 27), accent),
  ],
  squares: ({ ink, accent }) => [
    shape(
      "path",
      paths(19, (i) => `M${i * 25} 0V288M0 ${i * 16}H448`),
      ink,
      0.6,
      0.18,
    ),
    shape("area", "M350 112H375V128H350Z", accent),
    shape("area", "M375 128H400V144H375Z", accent, 0, 0.75),
    shape("area", "M300 144H325V160H300ZM400 96H425V112H400Z", accent, 0, 0.55),
  ],
  tower: ({ ink, accent }) => [
    shape("area", "M0 232H448V242H0ZM0 250H448V254H0Z", accent),
    shape(
      "path",
      "M392 232V60M392 70L358 232M392 70L426 232M369 180H415M376 145H408M382 112H402",
      ink,
      2,
    ),
    shape("path", "M376 50Q392 36 408 50M366 40Q392 15 418 40", accent, 2.5),
  ],
  dial: ({ ink, accent }) => {
    const tick = (/** @type {number} */ i) =>
      `M${12 + i * 7.2} ${i % 10 ? (i % 5 ? 246 : 240) : 234}V258`;
    return [
      shape(
        "path",
        paths(60, (i) => (i % 10 ? tick(i) : "")),
        ink,
        0.8,
      ),
      shape(
        "path",
        paths(60, (i) => (i % 10 ? "" : tick(i))),
        ink,
        2,
      ),
      shape("path", "M268 222V262", accent, 4),
    ];
  },
};
/** @type {Record<string, Layout>} */
const LAYOUTS = {
  waves: { right: mm(420), bottom: mm(264) },
  compass: { right: mm(246), bottom: mm(264) },
  coast: { right: mm(420), bottom: mm(206) },
  stripes: { right: mm(420), top: mm(112), isAtRight: true, bottom: mm(264) },
  mountain: { right: mm(350), bottom: mm(218) },
  squares: { right: mm(420), bottom: mm(264) },
  tower: { right: mm(348), bottom: mm(224), wide: mm(306) },
  dial: { right: mm(420), bottom: mm(218) },
  picture: { right: mm(420), bottom: mm(272) },
};
/** Designs of earlier versions, and their successors. */
const SUCCESSORS = { rings: "compass", rays: "stripes" };

/** The names of the designs. */
export const DESIGNS = Object.keys(DRAWINGS);
/** The words that the service accepts as a design. */
export const BACKGROUNDS = [...DESIGNS, ...Object.keys(SUCCESSORS)];
/** @type {Inks[]} the inks of each design */
export const INKS = [
  { paper: "#f4ead2", ink: "#17315c", accent: "#b8402a" },
  { paper: "#12294d", ink: "#f3ead6", accent: "#e3a23c" },
  { paper: "#e9efe6", ink: "#1e4d3b", accent: "#c4532d" },
  { paper: "#f2e3c9", ink: "#7a1f1f", accent: "#1d3d5f" },
  { paper: "#d9e4ea", ink: "#14324a", accent: "#c8472e" },
  { paper: "#243b34", ink: "#efe6cf", accent: "#d98f3a" },
  { paper: "#f5f1e6", ink: "#222222", accent: "#2c67a8" },
  { paper: "#e8d9b5", ink: "#3b2a1a", accent: "#2f6b4f" },
];
/**
 * Returns the name of a design, for a word that the service accepts.
 * @param {string} background
 */
export const designOf = (background) =>
  new Map(Object.entries(SUCCESSORS)).get(background) ?? background;
/** @param {string} background @param {Inks} inks */
export const drawArt = (background, inks) => DRAWINGS[designOf(background)](inks);
/** @param {string} background */
export const layoutOf = (background) => LAYOUTS[designOf(background)];
