// Defines sheets of paper for cards and labels, with the positions of the boxes, in millimetres.
import { CARD } from "./card-drawing.js";

/**
 * @typedef {object} Sheet in mm
 * @property {string} paper name of the paper in cards.css
 * @property {number} width
 * @property {number} height
 * @property {number} columns
 * @property {number} rows
 * @property {number} boxWidth
 * @property {number} boxHeight
 * @property {number} left
 * @property {number} top
 * @property {number} gapX
 * @property {number} gapY
 * @property {boolean} isLabels
 */
/** @type {Record<string, {width: number, height: number}>} */
export const PAPERS = {
  a4: { width: 210, height: 297 },
  "a4-landscape": { width: 297, height: 210 },
  letter: { width: 215.9, height: 279.4 },
  postcard: CARD,
};
/** @param {string} paper @param {number} columns @param {number} rows @returns {Sheet} */
function postcards(paper, columns, rows) {
  const { width, height } = PAPERS[paper];
  return {
    ...{ paper, width, height, columns, rows, boxWidth: CARD.width, boxHeight: CARD.height },
    left: (width - columns * CARD.width) / 2,
    top: (height - rows * CARD.height) / 2,
    ...{ gapX: 0, gapY: 0, isLabels: false },
  };
}
/** @param {number} rows @param {number} boxHeight @returns {Sheet} */
function labels(rows, boxHeight) {
  return {
    ...{ paper: "a4", ...PAPERS.a4, columns: 3, rows, boxWidth: 63.5, boxHeight },
    ...{ left: 7.25, top: (PAPERS.a4.height - rows * boxHeight) / 2 },
    ...{ gapX: 2.5, gapY: 0, isLabels: true },
  };
}
/** The sheets that the reader can choose, by the names in card-send.js. */
/** @type {Record<string, Sheet>} */
export const SHEETS = {
  "a4-landscape": postcards("a4-landscape", 2, 2),
  letter: postcards("letter", 1, 3),
  postcard: postcards("postcard", 1, 1),
  "labels-24": labels(8, 33.9),
  "labels-21": labels(7, 38.1),
};
/** Returns whether all boxes fit on the paper and are large enough. */
/** @param {Sheet} sheet */
export function isPossible(sheet) {
  const { columns, rows, boxWidth, boxHeight, left, top, gapX, gapY } = sheet;
  const right = left + columns * boxWidth + (columns - 1) * gapX;
  const bottom = top + rows * boxHeight + (rows - 1) * gapY;
  return (
    [columns, rows].every((count) => Number.isInteger(count) && count >= 1 && count <= 40) &&
    [left, top, gapX, gapY].every((value) => value >= 0) &&
    boxWidth >= 20 &&
    boxHeight >= 10 &&
    right <= sheet.width + 0.05 &&
    bottom <= sheet.height + 0.05
  );
}
/** @param {Sheet} sheet @param {number} place */
export function boxAt(sheet, place) {
  const [column, row] = [place % sheet.columns, Math.floor(place / sheet.columns)];
  return {
    x: sheet.left + column * (sheet.boxWidth + sheet.gapX),
    y: sheet.top + row * (sheet.boxHeight + sheet.gapY),
    width: sheet.boxWidth,
    height: sheet.boxHeight,
  };
}
/** Returns crop marks in the margins, in line with the edges of the boxes. */
/** @param {Sheet} sheet */
export function cropMarks({ columns, rows, boxWidth, boxHeight, left, top, width, height }) {
  const [reach, gap] = [4, 1];
  const marks = [];
  for (let column = 0; left > reach && column <= columns; column++) {
    const x = left + column * boxWidth;
    marks.push(`M ${x} ${top - gap} v ${-reach} M ${x} ${height - top + gap} v ${reach}`);
  }
  for (let row = 0; top > 0 && left > reach && row <= rows; row++) {
    const y = top + row * boxHeight;
    marks.push(`M ${left - gap} ${y} h ${-reach} M ${width - left + gap} ${y} h ${reach}`);
  }
  return marks.join(" ");
}
