// Draws the shapes of card-drawing.js as SVG, for the page and for print. card-file.js draws the
// shapes for files.
import { drawing } from "../../shared/page.js";
import { CARD, FRAME_LINE, drawCard, drawLabel } from "./card-drawing.js";
import { boxAt, cropMarks } from "./card-sheets.js";

/** @import { Attributes, Card, MeasureText, Shape, Sheet } from "../types.js" */

const FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif";
const SERIF = "Rockwell, 'Roboto Slab', 'DejaVu Serif', Georgia, serif";
/** @param {boolean} [serif] */
export const fontOf = (serif) => (serif ? SERIF : FONT);
export const HALO = 0.12; // width of the halo around letters, as a multiple of the text size
export const MEASURED = 100;

// One canvas for each font, because changing the font takes longer than measuring a text.
const METERS = [false, true].map((serif) =>
  [400, 700].map((weight) => {
    const meter = document.createElement("canvas").getContext("2d");
    if (meter) meter.font = `${weight} ${MEASURED}px ${fontOf(serif)}`;
    return meter;
  }),
);
/** @type {MeasureText} */
export function measure(text, bold, serif = false) {
  const meter = METERS[Number(serif)][Number(bold)];
  return meter ? meter.measureText(text).width / MEASURED : text.length * 0.6;
}

/** @param {Shape} shape @param {string | null} picture */
function nodeOf(shape, picture) {
  const { kind, x, y, width, height, fill, opacity, d, text, size, bold, anchor, halo } = shape;
  if (kind === "area") return drawing("path", { d, opacity, fill });
  if (kind === "frame")
    return drawing("rect", {
      ...{ x, y, width, height, rx: 0.9, fill: "none" },
      ...{ stroke: fill, "stroke-width": FRAME_LINE },
    });
  if (kind === "rect") return drawing("rect", { x, y, width, height, fill, opacity });
  if (kind === "image")
    return drawing("image", {
      ...{ x, y, width, height, href: picture },
      preserveAspectRatio: "xMidYMid slice",
    });
  if (kind === "path")
    return drawing("path", {
      ...{ d, opacity, fill: "none", stroke: fill, "stroke-width": width },
    });
  return drawing(
    "text",
    {
      ...{ x, y, fill, opacity, "font-family": fontOf(shape.serif) },
      ...{ "font-size": size, "text-anchor": anchor },
      "font-weight": bold ? 700 : 400,
      ...(halo && { stroke: halo, "stroke-width": (size ?? 0) * HALO }),
      ...(halo && { "paint-order": "stroke", "stroke-linejoin": "round" }),
    },
    text,
  );
}
/**
 * @param {Shape[]} shapes
 * @param {{width: number, height: number}} size
 * @param {string | null} picture
 * @param {Attributes} attributes
 */
function svgOf(shapes, { width, height }, picture, attributes) {
  return drawing(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, ...attributes },
    ...shapes.map((shape) => nodeOf(shape, picture)),
  );
}
/** @param {Card} card */
export function cardAsSvg(card) {
  const shapes = drawCard(card, measure);
  const texts = shapes.map(({ text }) => text).filter(Boolean);
  const look = { class: "qsl", role: "img", "aria-label": texts.join(" ") };
  return svgOf(shapes, CARD, card.picture, look);
}
/**
 * Returns a sheet of paper with cards or labels.
 * @param {Sheet} sheet
 * @param {(Card | null)[]} cards null: an empty box
 * @param {boolean} hasEdges whether to draw outlines of labels
 */
export function sheetAsSvg(sheet, cards, hasEdges) {
  const { width, height, isLabels } = sheet;
  const marks = isLabels ? "" : cropMarks(sheet);
  const line = { fill: "none", stroke: "#000000", "stroke-width": 0.1 };
  const svg = drawing("svg", {
    ...{ viewBox: `0 0 ${width} ${height}`, width: `${width}mm`, height: `${height}mm` },
    "aria-hidden": "true",
  });
  cards.forEach((card, place) => {
    const box = boxAt(sheet, place);
    svg.append(drawing("rect", { ...box, ...line, "stroke-width": hasEdges ? 0.1 : 0 }));
    if (!card) return;
    const shapes = isLabels ? drawLabel(card, box, measure) : drawCard(card, measure);
    svg.append(svgOf(shapes, box, card.picture, box));
  });
  if (marks) svg.append(drawing("path", { d: marks, ...line }));
  return svg;
}
