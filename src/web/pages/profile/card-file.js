// Draws a card on a canvas, and converts the canvas to a picture file. Draws the shapes directly,
// because the pages' security policy forbids images with the address "data:" or "blob:".
import { CARD, FRAME_LINE, drawCard } from "./card-drawing.js";
import { HALO, MEASURED, fontOf, measure } from "./card-paint.js";

/** @import { Card, Shape } from "../types.js" */

const DOTS = 12; // pixels per mm in a file

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
  else if (kind === "area") context.fill(new Path2D(shape.d));
  else if (kind === "frame") {
    context.strokeStyle = fill;
    context.lineWidth = FRAME_LINE;
    context.strokeRect(x, y, width, height);
  } else if (kind === "image" && picture) cover(context, picture, { x, y, width, height });
  else if (kind === "path") {
    context.strokeStyle = fill;
    context.lineWidth = width;
    context.stroke(new Path2D(shape.d));
  } else if (kind === "text") {
    // Browsers round small font sizes, so texts are drawn large and scaled down.
    context.save();
    context.translate(x, y);
    context.scale(size / MEASURED, size / MEASURED);
    context.font = `${shape.bold ? 700 : 400} ${MEASURED}px ${fontOf(shape.serif)}`;
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
/** Returns the card as a PNG file. */
/** @param {Card} card */
export async function cardAsPng(card) {
  const canvas = document.createElement("canvas");
  canvas.width = CARD.width * DOTS;
  canvas.height = CARD.height * DOTS;
  const wantsPicture = card.design.background === "picture" && card.picture !== null;
  paintCard(canvas, card, wantsPicture ? await load(card.picture ?? "") : null);
  return fileOf(canvas, "image/png");
}
