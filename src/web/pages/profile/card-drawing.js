// Converts the content of QSL cards and labels to shapes, in millimetres. The screen, print and
// files all show the same shapes. A design can be from another member and contain anything. Texts
// are made smaller or cut to fit. Words on a card are not translated, because they are standard on
// the air.
import { BACKGROUNDS, DESIGNS, INKS, drawArt, layoutOf } from "./card-art.js";
import { cut, lineOf, wrap } from "./card-text.js";
import { COLUMNS, DETAILS, FIELDS } from "./card-qsos.js";

/** @import { CardLayout as Layout, Qso } from "../types.js" */

/**
 * @typedef {object} Design
 * @property {string} background one of BACKGROUNDS, or PICTURE
 * @property {string} paper a colour
 * @property {string} ink
 * @property {string} accent a second ink
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
 * @property {"rect" | "frame" | "path" | "area" | "text" | "image"} kind area: a filled path
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
 * @property {boolean} [serif]
 * @property {"start" | "middle" | "end"} [anchor]
 * @property {string} [halo] colour around the letters
 */
/**
 * Returns the width of a text at size 1.
 * @typedef {(text: string, bold: boolean, serif?: boolean) => number} Measure
 */

export const CARD = { width: 140, height: 90 };
export const CARD_QSOS = 3;
export const LINES = 3;
export const LINE_MAX = 60;
export const PICTURE = "picture";
export const FRAME_LINE = 0.32;
export { BACKGROUNDS };
const MARGIN = 8.75;
const FONT_ROOM = 0.97; // share of the width that a text may fill, because fonts differ slightly
const CALLSIGN_MAX = 20;
const HEAD = 0.66; // size of headings, as a part of the size of values
// The space between columns and the largest width of a column, as multiples of the text size.
const [SPACE, COLUMN_MAX] = [0.9, 20];

/** @param {unknown} value @param {string} otherwise */
const colourOf = (value, otherwise) =>
  typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value) ? value : otherwise;
/** @param {unknown} value */
const listOf = (value) =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
/**
 * Reads a stored design, which can be any object, because older releases of the service accepted
 * any object. Never throws. Does not convert values to texts, because such a conversion can throw.
 * For a member who has not chosen a design, returns a design that depends on the callsign.
 * @param {unknown} stored
 * @param {string} [callsign]
 * @returns {Design}
 */
export function readDesign(stored, callsign = "") {
  const given = /** @type {Record<string, unknown>} */ (
    stored && typeof stored === "object" ? stored : {}
  );
  const own = [...callsign].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % INKS.length;
  const background = [...BACKGROUNDS, PICTURE].find((name) => name === given.background);
  const inks = INKS[background ? 0 : own];
  const ink = colourOf(given.ink, inks.ink);
  return {
    background: background ?? DESIGNS[own],
    paper: colourOf(given.paper, inks.paper),
    ink,
    accent: colourOf(given.accent, ink === inks.ink ? inks.accent : ink),
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
  /** @type {Measure} */
  const own = (one, isBold) => measure(one, isBold, look.serif);
  const fitting = Math.max(least, Math.min(size, room / (own(line, bold) || 1)));
  const text = cut(line, room / fitting + 0.001, bold, own);
  return { kind: "text", x, y, text, size: Math.round(fitting * 100) / 100, bold, ...look };
}
/** @param {Shape} shape */
const isSeen = ({ kind, text }) => kind !== "text" || text !== "";
/** @param {Card} card @returns {Shape[]} */
function backgroundOf({ design, picture }) {
  const { width, height } = CARD;
  const { background } = design;
  if (background === PICTURE && picture !== null)
    return [{ kind: "image", x: 0, y: 0, width, height }];
  return [
    { kind: "rect", x: 0, y: 0, width, height, fill: design.paper },
    ...drawArt(background === PICTURE ? DESIGNS[0] : background, design),
  ];
}
/**
 * Returns a table of QSOs. The columns share the table's width in proportion to the widths of their
 * texts. If `to` is given, the first column contains this callsign.
 * @param {Card} card
 * @param {{x: number, y: number, width: number, step: number, size: number, names: string[],
 *   gap?: number, to?: string}} form gap: additional distance below the headings
 * @param {Measure} measure
 * @returns {Shape[]}
 */
function tableOf(
  { qsos, isMine, design },
  { x, y, width, step, size, names, gap = 0, to },
  measure,
) {
  const columns = [
    ...(to === undefined ? [] : [{ head: "To", values: [to] }]),
    ...names.map((name) => {
      const [head, valueOf] = COLUMNS[name];
      return { head, values: qsos.map((qso) => lineOf(valueOf(qso, isMine))) };
    }),
  ];
  const widths = columns.map(({ head, values }) =>
    Math.min(
      COLUMN_MAX,
      SPACE + Math.max(measure(head, false) * HEAD, ...values.map((one) => measure(one, true))),
    ),
  );
  const all = widths.reduce((sum, one) => sum + one, 0);
  const common = Math.max(size * 0.36, Math.min(size, width / all)); // text size of all rows
  let left = x;
  return columns.flatMap(({ head, values }, place) => {
    const at = left;
    const own = (width * widths[place]) / all;
    left += own;
    const room = { width: own - common * SPACE * 0.5, fill: design.ink };
    const small = { size: common * HEAD, least: common * 0.3, opacity: 0.8 };
    return [
      textAt(head, at, y, { ...room, ...small }, measure),
      ...values.map((value, row) => {
        const look = { ...room, size: common, least: common * 0.9, bold: true };
        return textAt(value, at, y + gap + (row + 1) * step, look, measure);
      }),
    ];
  });
}
/**
 * Returns the callsign and the lines of a card, and the height at which these texts end.
 * @param {Card} card
 * @param {Layout} layout
 * @param {Measure} measure
 */
function headOf({ from, design }, { right, top = 28.75, isAtRight }, measure) {
  const isPicture = design.background === PICTURE;
  const x = isAtRight ? right : MARGIN;
  const look = {
    ...{ width: right - MARGIN - (isAtRight ? 41 : 0), fill: design.ink, serif: true },
    ...(isAtRight && { anchor: /** @type {const} */ ("end") }),
    ...(isPicture && { halo: design.paper }),
  };
  const lines = design.lines.filter((line) => lineOf(line));
  const shapes = [
    textAt(from, x, top, { ...look, size: 16.9, least: 3, bold: true }, measure),
    ...lines.map((line, row) =>
      textAt(line, x, top + 8 + row * 5.6, { ...look, size: 4.7, least: 2.6 }, measure),
    ),
  ];
  return { shapes, end: top + (lines.length ? 4 + lines.length * 5.6 : 3) };
}
/**
 * @param {Card} card
 * @param {Measure} measure
 * @returns {Shape[]}
 */
export function drawCard(card, measure) {
  const { design, qsos, isMine } = card;
  const { paper, ink } = design;
  const layout = layoutOf(design.background);
  const head = headOf(card, layout, measure);
  const width = layout.wide ?? CARD.width - 2 * MARGIN;
  const [x, inner] = [MARGIN + 3.75, width - 7.5];
  const names = Object.keys(COLUMNS).filter(
    (name, place) => place < 2 || design.fields.includes(name),
  );
  const details = Object.entries(DETAILS)
    .filter(([name]) => isMine && design.fields.includes(name))
    .map(([, valueOf]) => lineOf(valueOf(qsos[0])))
    .filter(Boolean)
    .join(" · ");
  // The frame grows upward to the texts, and then downward over the drawing.
  const table = 13.75 + (qsos.length - 1) * 4.8;
  const most = Math.max(1, Math.floor((CARD.height - 3 - head.end - table) / 3.6));
  const rows = wrap(details, (inner * FONT_ROOM) / 2.8, most, measure).filter(Boolean);
  const height = table + rows.length * 3.6;
  const y = Math.min(Math.max(layout.bottom - height, head.end), CARD.height - 3 - height);
  const to = lineOf(card.to.slice(0, 4 * CALLSIGN_MAX));
  const frame = { x: MARGIN, y, width, height };
  /** @type {Shape[]} */
  const shapes = [
    ...backgroundOf(card),
    ...head.shapes,
    { kind: "rect", ...frame, fill: paper, opacity: 0.94 },
    { kind: "frame", ...frame, fill: ink },
    ...tableOf(
      card,
      { x, y: y + 4.7, width: inner, step: 4.8, size: 4.06, names, gap: 1.1, to },
      measure,
    ),
    ...rows.map((text, row) => {
      const at = y + table + 0.6 + row * 3.6;
      return /** @type {Shape} */ ({ kind: "text", x, y: at, text, size: 2.8, fill: ink });
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
