// Converts the content of QSL cards and labels to shapes, in millimetres. The screen, print and
// files all show the same shapes. A design can be from another member and contain anything. Texts
// are made smaller or cut to fit. Words on a card are not translated, because they are standard on
// the air.
import { cut, lineOf, wrap } from "./card-text.js";
import { COLUMNS, DETAILS, FIELDS } from "./card-qsos.js";

/** @import { Qso } from "../types.js" */

/**
 * @typedef {object} Design
 * @property {string} background one of BACKGROUNDS, or PICTURE
 * @property {string} paper a colour
 * @property {string} ink
 * @property {string[]} lines
 * @property {string[]} fields some of FIELDS
 * @typedef {object} Card
 * @property {string} from callsign of the card's owner
 * @property {string} to
 * @property {boolean} isMine whether the QSOs are in the log of the card's owner
 * @property {Qso[]} qsos
 * @property {Design} design
 * @property {string | null} picture address of the picture
 */
/**
 * @typedef {object} Shape
 * @property {"rect" | "path" | "text" | "image"} kind
 * @property {number} x
 * @property {number} y the base line for texts
 * @property {number} [width] the line width for paths
 * @property {number} [height]
 * @property {string} [fill]
 * @property {number} [opacity]
 * @property {string} [d]
 * @property {string} [text]
 * @property {number} [size]
 * @property {boolean} [bold]
 * @property {"start" | "middle" | "end"} [anchor]
 * @property {string} [halo] colour around the letters
 */
/** @typedef {(text: string, bold: boolean) => number} Measure the width of a text at size 1 */

export const CARD = { width: 140, height: 90 };
export const CARD_QSOS = 3;
export const LINES = 3;
export const LINE_MAX = 60;
export const BACKGROUNDS = ["waves", "rings", "squares", "rays"];
export const PICTURE = "picture";
const MARGIN = 7;
const FONT_ROOM = 0.97; // share of the width that a text may fill, because fonts differ slightly
const CALLSIGN_MAX = 20;

/** @param {unknown} value @param {string} otherwise */
const colourOf = (value, otherwise) =>
  typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value) ? value : otherwise;
/** @param {unknown} value */
const listOf = (value) =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
/**
 * Reads a stored design. Older releases of the service accepted any object as a design. Never
 * throws. Converts no values to texts, because such a conversion can throw.
 * @param {unknown} stored
 * @returns {Design}
 */
export function readDesign(stored) {
  const given = /** @type {Record<string, unknown>} */ (
    stored && typeof stored === "object" ? stored : {}
  );
  return {
    background:
      [...BACKGROUNDS, PICTURE].find((name) => name === given.background) ?? BACKGROUNDS[0],
    paper: colourOf(given.paper, "#f3f7fb"),
    ink: colourOf(given.ink, "#123a5e"),
    lines: listOf(given.lines).slice(0, LINES),
    fields: Array.isArray(given.fields)
      ? listOf(given.fields).filter((field) => FIELDS.includes(field))
      : ["frequency", "mode", "report", "locator"],
  };
}

/**
 * Returns a text at a position, in the largest size from `least` to `size` that fits. Cuts the text
 * if even the size `least` does not fit.
 * @param {unknown} said
 * @param {number} x
 * @param {number} y
 * @param {{width: number, size: number, least: number, fill: string} & Partial<Shape>} form
 * @param {Measure} measure
 * @returns {Shape}
 */
function textAt(said, x, y, { width, size, least, bold = false, ...look }, measure) {
  const line = lineOf(said);
  const room = width * FONT_ROOM;
  const fitting = Math.max(least, Math.min(size, room / (measure(line, bold) || 1)));
  const text = cut(line, room / fitting + 0.001, bold, measure);
  return { kind: "text", x, y, text, size: Math.round(fitting * 100) / 100, bold, ...look };
}
/** @param {Shape} shape */
const isSeen = ({ kind, text }) => kind !== "text" || text !== "";
/** @type {Record<string, () => string>} paths of the patterns that cover a card */
const PATTERNS = {
  waves: () =>
    Array.from({ length: 9 }, (_, row) => {
      const waves = Array.from({ length: 7 }, () => "q 5 -6 10 0 t 10 0").join(" ");
      return `M ${-(row % 3) * 5} ${row * 11 + 4} ${waves} ${waves}`;
    }).join(" "),
  rings: () =>
    Array.from({ length: 11 }, (_, ring) => {
      const radius = 6 + ring * 12;
      return `M ${118 - radius} 20 a ${radius} ${radius} 0 1 0 ${2 * radius} 0 a ${radius} ${radius} 0 1 0 ${-2 * radius} 0`;
    }).join(" "),
  squares: () =>
    [
      ...Array.from({ length: 13 }, (_, column) => `M ${column * 10 + 10} 0 v 90`),
      ...Array.from({ length: 8 }, (_, row) => `M 0 ${row * 10 + 10} h 140`),
    ].join(" "),
  rays: () =>
    Array.from({ length: 19 }, (_, ray) => {
      const angle = (Math.PI * ray) / 18;
      return `M 70 96 l ${Math.round(Math.cos(angle) * 170)} ${-Math.round(Math.sin(angle) * 170)}`;
    }).join(" "),
};
/** @param {Card} card @returns {Shape[]} */
function backgroundOf({ design, picture }) {
  const { width, height } = CARD;
  const hasPicture = design.background === PICTURE && picture !== null;
  return [
    { kind: "rect", x: 0, y: 0, width, height, fill: design.paper },
    hasPicture
      ? { kind: "image", x: 0, y: 0, width, height }
      : {
          kind: "path",
          x: 0,
          y: 0,
          width: 1.6,
          d: (PATTERNS[design.background] ?? PATTERNS.waves)(),
          fill: design.ink,
          opacity: 0.16,
        },
  ];
}
/**
 * Returns a table of QSOs.
 * @param {Card} card
 * @param {{x: number, y: number, width: number, step: number, size: number, names: string[]}} form
 * @param {Measure} measure
 * @returns {Shape[]}
 */
function tableOf({ qsos, isMine, design }, { x, y, width, step, size, names }, measure) {
  const all = names.reduce((sum, name) => sum + COLUMNS[name][1], 0);
  const fitting = names.flatMap((name) =>
    qsos.map((qso) => {
      const [, share, valueOf] = COLUMNS[name];
      const room = (width * share) / all - size * 0.4;
      return (room * FONT_ROOM) / (measure(lineOf(valueOf(qso, isMine)), true) || 1);
    }),
  );
  const common = Math.min(size, ...fitting); // the text size for all rows
  let left = x;
  return names.flatMap((name) => {
    const [head, share, valueOf] = COLUMNS[name];
    const at = left;
    const room = { width: (width * share) / all - size * 0.4, fill: design.ink };
    left += (width * share) / all;
    return [
      textAt(head, at, y, { ...room, size: size * 0.75, least: size * 0.5 }, measure),
      ...qsos.map((qso, row) =>
        textAt(
          valueOf(qso, isMine),
          at,
          y + (row + 1) * step,
          { ...room, size: common, least: size * 0.5, bold: true },
          measure,
        ),
      ),
    ];
  });
}
/**
 * @param {Card} card
 * @param {Measure} measure
 * @returns {Shape[]}
 */
export function drawCard(card, measure) {
  const { design, qsos, isMine } = card;
  const { paper, ink } = design;
  const [middle, inner] = [CARD.width / 2, CARD.width - 2 * MARGIN - 6];
  /** @type {{fill: string, halo: string, anchor: "middle"}} */
  const over = { fill: ink, halo: paper, anchor: "middle" };
  const wide = { width: CARD.width - 2 * MARGIN, ...over };
  const panel = { x: MARGIN, y: 48, width: CARD.width - 2 * MARGIN, height: 36, fill: paper };
  const left = MARGIN + 3;
  const names = Object.keys(COLUMNS).filter(
    (name, place) => place < 2 || design.fields.includes(name),
  );
  const details = Object.entries(DETAILS)
    .filter(([name]) => isMine && design.fields.includes(name))
    .map(([, valueOf]) => lineOf(valueOf(qsos[0])))
    .filter(Boolean)
    .join(" · ");
  const below = 61 + qsos.length * 4.8;
  const rows = Math.floor((panel.y + panel.height - 1 - below) / 3.6);
  /** @type {Shape[]} */
  const shapes = [
    ...backgroundOf(card),
    textAt(card.from, middle, 23, { ...wide, size: 19, least: 4, bold: true }, measure),
    ...design.lines.map((line, row) =>
      textAt(line, middle, 31 + row * 5.8, { ...wide, size: 4.8, least: 3 }, measure),
    ),
    { kind: "rect", ...panel, opacity: 0.9 },
    textAt(
      `QSO with ${card.to.slice(0, 4 * CALLSIGN_MAX)}`,
      left,
      55,
      { width: inner, size: 5.4, least: 3, bold: true, fill: ink },
      measure,
    ),
    ...tableOf(card, { x: left, y: 60.5, width: inner, step: 4.8, size: 4, names }, measure),
    ...wrap(details, (inner * FONT_ROOM) / 2.8, Math.max(rows, 1), measure)
      .filter(Boolean)
      .map((text, row) => {
        const y = below + 3.2 + row * 3.6;
        return /** @type {Shape} */ ({ kind: "text", x: left, y, text, size: 2.8, fill: ink });
      }),
  ];
  return shapes.filter(isSeen);
}

const LABEL = { margin: 2.5, head: 9.5, step: 3.6 };
/** Returns the number of QSOs that fit on a label. */
/** @param {number} height */
export const labelQsos = (height) =>
  Math.max(1, Math.floor((height - 2 * LABEL.margin - LABEL.head - 1) / LABEL.step));
/**
 * Returns a label for the back of an existing card.
 * @param {Card} card
 * @param {{width: number, height: number}} size
 * @param {Measure} measure
 * @returns {Shape[]}
 */
export function drawLabel(card, { width, height }, measure) {
  const black = { ...card, design: { ...card.design, ink: "#000000" } };
  const room = { width: width - 2 * LABEL.margin, fill: "#000000" };
  const x = LABEL.margin;
  const names = ["date", "time", "frequency", "mode", "report"];
  const scale = Math.min(1, (height - 2 * LABEL.margin) / (LABEL.head + LABEL.step + 1));
  const shapes = [
    textAt(
      `To ${card.to.slice(0, 4 * CALLSIGN_MAX)}`,
      x,
      x + 4 * scale,
      { ...room, size: 5 * scale, least: 2 * scale, bold: true },
      measure,
    ),
    ...tableOf(
      black,
      {
        x,
        y: x + 7.6 * scale,
        width: room.width,
        step: LABEL.step * scale,
        size: 3 * scale,
        names,
      },
      measure,
    ),
    textAt(
      `73 de ${card.from.slice(0, 4 * CALLSIGN_MAX)}`,
      x,
      height - x + 0.6,
      { ...room, size: 2.6 * scale, least: 1.6 * scale },
      measure,
    ),
  ];
  return shapes.filter(isSeen);
}
