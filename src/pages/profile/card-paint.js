// Draws the shapes of card-drawing.js: as SVG for the page and print, and on a canvas for files. A
// canvas needs no address that the pages' security policy would have to allow.
import { drawing } from "../site/page.js";
import { CARD, drawCard, drawLabel } from "./card-drawing.js";
import { boxAt, cropMarks } from "./card-sheets.js";

/** @import { Attributes, Card, MeasureText, Shape, Sheet } from "../site/types.js" */

const FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif";
const DOTS = 12; // pixels per mm in a file
const HALO = 0.12; // in multiples of the text size
const MEASURED = 100;

// One canvas for each weight: changing the font takes longer than measuring a text.
const [plainMeter, boldMeter] = [400, 700].map((weight) => {
  const meter = document.createElement("canvas").getContext("2d");
  if (meter) meter.font = `${weight} ${MEASURED}px ${FONT}`;
  return meter;
});
/** @type {MeasureText} */
export function measure(text, bold) {
  const meter = bold ? boldMeter : plainMeter;
  return meter ? meter.measureText(text).width / MEASURED : text.length * 0.6;
}

// -- SVG ------------------------------------------------------------------------------------------

/** @param {Shape} shape @param {string | null} picture */
function nodeOf(shape, picture) {
  const { kind, x, y, width, height, fill, opacity, d, text, size, bold, anchor, halo } = shape;
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
      ...{ x, y, fill, "font-family": FONT, "font-size": size, "text-anchor": anchor },
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
 * A sheet of paper with cards or labels.
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

// -- a file ---------------------------------------------------------------------------------------

/** @param {string} address */
async function load(address) {
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  return picture;
}
/**
 * @param {CanvasRenderingContext2D} context
 * @param {CanvasImageSource & {width: number, height: number}} picture
 * @param {{x: number, y: number, width: number, height: number}} box the area to cover
 */
function cover(context, picture, { x, y, width, height }) {
  const scale = Math.max(width / picture.width, height / picture.height);
  const [w, h] = [width / scale, height / scale];
  const [left, top] = [(picture.width - w) / 2, (picture.height - h) / 2];
  context.drawImage(picture, left, top, w, h, x, y, width, height);
}
/**
 * @param {CanvasRenderingContext2D} context
 * @param {Shape} shape
 * @param {(CanvasImageSource & {width: number, height: number}) | null} picture
 */
function paint(context, shape, picture) {
  const { kind, x, y, width = 0, height = 0, fill = "", opacity = 1, size = 0 } = shape;
  context.globalAlpha = opacity;
  context.fillStyle = fill;
  if (kind === "rect") context.fillRect(x, y, width, height);
  else if (kind === "image" && picture) cover(context, picture, { x, y, width, height });
  else if (kind === "path") {
    context.strokeStyle = fill;
    context.lineWidth = width;
    context.stroke(new Path2D(shape.d));
  } else if (kind === "text") {
    // Browsers round small font sizes, so texts are drawn large and scaled down.
    context.save();
    context.translate(x, y);
    context.scale(size / MEASURED, size / MEASURED);
    context.font = `${shape.bold ? 700 : 400} ${MEASURED}px ${FONT}`;
    context.textAlign = shape.anchor === "middle" ? "center" : (shape.anchor ?? "start");
    if (shape.halo) {
      context.strokeStyle = shape.halo;
      context.lineWidth = MEASURED * HALO;
      context.lineJoin = "round";
      context.strokeText(shape.text ?? "", 0, 0);
    }
    context.fillText(shape.text ?? "", 0, 0);
    context.restore();
  }
}
/**
 * Paints a card over a whole canvas.
 * @param {HTMLCanvasElement} canvas
 * @param {Card} card
 * @param {(CanvasImageSource & {width: number, height: number}) | null} picture
 */
export function paintCard(canvas, card, picture) {
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  context.setTransform(canvas.width / CARD.width, 0, 0, canvas.height / CARD.height, 0, 0);
  for (const shape of drawCard(card, measure)) paint(context, shape, picture);
}
/**
 * @param {HTMLCanvasElement} canvas
 * @param {string} type
 * @param {number} [quality]
 * @returns {Promise<Blob>}
 */
export function fileOf(canvas, type, quality) {
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no file"))), type, quality),
  );
}
/** The card as a PNG file. */
/** @param {Card} card */
export async function cardAsPng(card) {
  const canvas = document.createElement("canvas");
  canvas.width = CARD.width * DOTS;
  canvas.height = CARD.height * DOTS;
  const wantsPicture = card.design.background === "picture" && card.picture !== null;
  paintCard(canvas, card, wantsPicture ? await load(card.picture ?? "") : null);
  return fileOf(canvas, "image/png");
}
