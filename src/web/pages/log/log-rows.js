// The rows of Logbook: converts QSOs to rows, and keeps the QSOs, so that a row can show its
// details.
import { element, number, typed } from "../../shared/page.js";
import { RowList } from "../../shared/parts/row.js";
import { country } from "../../shared/language.js";

/** @import { Child, Division, Qso, QsoPage } from "../types.js" */
/** @typedef {QsoPage["measures"][number]} Measures */
/** @typedef {{qso: Qso, measures: Measures}} Kept */
/**
 * @typedef {object} Adding
 * @property {boolean} isFirst whether the QSOs replace the current rows
 * @property {boolean} isLast whether no QSOs follow
 * @property {boolean} hasDays whether the QSOs are in the order of time
 * @property {(index: number) => Child} [below] returns content below a row
 */
/**
 * The functions that show or edit the QSO of a row.
 * @typedef {object} Acts
 * @property {(rows: QsoRows, id: string) => void} show
 * @property {(rows: QsoRows, id: string) => void} edit
 */

/** @type {Map<number, Division>} the divisions in the log */
const divisions = new Map();
/** @param {Division[]} rows */
export function knowDivisions(rows) {
  for (const row of rows) divisions.set(row.number, row);
}
/**
 * Returns the name of a division's country; null if unknown.
 * @param {number | null} division
 */
export function placeOf(division) {
  const row = division === null ? undefined : divisions.get(division);
  return row ? country(row.name, row.iso ?? "") : null;
}
/**
 * Returns the frequency or the channel, and the mode: "27.555 USB", "PMR 8 FM".
 * @param {Qso} qso
 */
export function tuningOf(qso) {
  const place =
    qso.band !== "PMR446"
      ? (qso.frequencyMhz ?? "11 m")
      : qso.channel === null
        ? "PMR446"
        : `PMR ${qso.channel}`;
  const mode = qso.mode ? typed(qso.mode) : null;
  return element("span", {}, element("b", {}, place), " ", mode);
}

/**
 * @param {Kept} kept
 * @param {Child} below
 */
function partsOf({ qso, measures: [division, km] }, below) {
  const reports = [qso.rstSent, qso.rstReceived].filter(Boolean).join(" / ");
  /** @type {"confirmed" | null} */
  const mark = qso.crossConfirmedAt ? "confirmed" : null;
  return {
    id: String(qso.id),
    callsign: qso.callsignWorked,
    at: String(qso.qsoAt),
    place: placeOf(division),
    tuning: tuningOf(qso),
    reports: reports ? typed(reports) : null,
    far: km === null ? null : `${number(km)} km`,
    mark,
    below,
  };
}

/** @type {Acts | null} */
let acts = null;
/**
 * Sets what the rows do.
 * @param {Acts} all
 */
export function onRow(all) {
  acts = all;
}

export class QsoRows extends RowList {
  /** @type {Map<string, Kept>} */
  kept = new Map();

  /** @param {string} name */
  constructor(name) {
    super({
      name,
      open: (id) => acts?.show(this, id),
      moved: (id) => this.chosen !== null && acts?.show(this, id),
      keys: { e: (id) => acts?.edit(this, id) },
    });
  }
  /**
   * Shows the QSOs of an answer, instead of the current rows or after them.
   * @param {Qso[]} items
   * @param {Measures[]} measures
   * @param {Adding} adding
   */
  showQsos(items, measures, { isFirst, isLast, hasDays, below }) {
    if (isFirst) this.kept.clear();
    const rows = items.map((qso, index) => {
      const kept = { qso, measures: measures[index] };
      this.kept.set(String(qso.id), kept);
      return partsOf(kept, below?.(index));
    });
    if (!isFirst) return this.add(rows, isLast);
    this.replace(rows, isLast, hasDays);
    if (this.chosen !== null) acts?.show(this, this.chosen);
  }
}
