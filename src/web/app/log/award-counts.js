// Counts awards from the log on this device. The result has the same format as the service's answer
// to the profile (/profile/data/awards). Applies the rules in src/qso/awards.h and match.h. Does
// not use the page or the storage.
import { compact, countryOf, currentDivisions } from "../../shared/words/callsigns.js";
import { BANDS, MODES, THRESHOLDS } from "../text/tables.js";
import { isCounted, worthOf } from "../../shared/awards/award-rules.js";

/** @import { Award, AwardQso, AwardSubject, Awards, Values } from "../types.js" */

/**
 * Totals for the QSOs with one division, square or station.
 * @typedef {object} Part
 * @property {number} qsos
 * @property {Set<string>} bands
 * @property {Set<string | null>} modes null stands for QSOs without a mode
 * @property {Set<string>} years
 * @property {AwardQso | null} first
 */
/** @typedef {{name: string, worked: Part, confirmed: Part, confirmedAt: string}} Item */
/** @typedef {Map<string, Item>} List by name */

/** @type {AwardSubject[]} */
export const SUBJECTS = ["divisions", "squares", "special"];
const UNKNOWN_SHOWN = 100;

/** @returns {Part} */
function beginPart() {
  return { qsos: 0, bands: new Set(), modes: new Set(), years: new Set(), first: null };
}
/**
 * Returns whether QSO `a` is earlier than QSO `b`, or `b` is null. QSOs with the same time are
 * compared by id; unsent QSOs have no id, and count as later than QSOs with an id.
 * @param {AwardQso} a
 * @param {AwardQso | null} b
 */
function isEarlier(a, b) {
  if (!b || a.qsoAt !== b.qsoAt) return !b || a.qsoAt < b.qsoAt;
  return Number(a.id || Infinity) < Number(b.id || Infinity);
}
/**
 * @param {Part} part
 * @param {Values} qso
 */
function addToPart(part, { id, qsoAt, callsignWorked, band, mode }) {
  part.qsos++;
  part.bands.add(band);
  part.modes.add(mode ?? null);
  part.years.add(qsoAt.slice(0, 4));
  const moment = { id: String(id ?? ""), qsoAt, callsign: compact(callsignWorked) || null };
  if (isEarlier(moment, part.first)) part.first = moment;
}
/**
 * @type {<Value>(choices: Value[], has: Set<Value | null>) => Value[]} returns the choices that the
 *   set contains, in the order of the choices
 */
const chosen = (choices, has) => choices.filter((choice) => has.has(choice));
/** @type {(a: {name: string}, b: {name: string}) => number} */
const byName = (a, b) => (a.name < b.name ? -1 : 1);

export class Counts {
  constructor() {
    this.qsos = this.confirmed = this.unknownQsos = this.withoutNumber = 0;
    /** @type {Record<AwardSubject | "unknown", List>} */
    this.lists = {
      divisions: new Map(),
      squares: new Map(),
      special: new Map(),
      unknown: new Map(),
    };
    /** @type {Map<string, number>} QSOs by year */
    this.years = new Map();
  }

  /**
   * Adds a QSO, unless its station was only heard.
   * @param {Values} qso
   */
  add(qso) {
    if (!isCounted(qso)) return;
    const { division, square, special } = worthOf(qso);
    const call = compact(qso.callsignWorked);
    const year = qso.qsoAt.slice(0, 4);
    const isUnknown = !division && /^\d/.test(call);
    this.qsos++;
    this.years.set(year, (this.years.get(year) ?? 0) + 1);
    if (qso.crossConfirmedAt) this.confirmed++;
    if (isUnknown) this.unknownQsos++;
    if (!division && !isUnknown) this.withoutNumber++;
    if (division) this.#addTo("divisions", String(division), qso);
    if (square) this.#addTo("squares", square, qso);
    if (special) this.#addTo("special", special, qso);
    if (isUnknown) this.#addTo("unknown", call, qso);
  }
  /**
   * @param {AwardSubject | "unknown"} subject
   * @param {string} name
   * @param {Values} qso
   */
  #addTo(subject, name, qso) {
    const item = this.lists[subject].get(name) ?? {
      ...{ name, worked: beginPart(), confirmed: beginPart(), confirmedAt: "" },
    };
    this.lists[subject].set(name, item);
    addToPart(item.worked, qso);
    const at = qso.crossConfirmedAt;
    if (!at) return;
    addToPart(item.confirmed, qso);
    if (!item.confirmedAt || at < item.confirmedAt) item.confirmedAt = at;
  }

  /**
   * @param {AwardSubject} subject
   * @param {(part: Part) => boolean} counts
   */
  #pair(subject, counts) {
    const items = [...this.lists[subject].values()];
    return {
      worked: items.filter(({ worked }) => counts(worked)).length,
      confirmed: items.filter(({ confirmed }) => counts(confirmed)).length,
    };
  }
  /** @param {(part: Part) => boolean} counts */
  #pairs(counts) {
    return {
      divisions: this.#pair("divisions", counts),
      squares: this.#pair("squares", counts),
      special: this.#pair("special", counts),
    };
  }
  /** @param {string} year */
  #year(year) {
    /** @param {AwardSubject} subject */
    const of = (subject) => ({
      ...this.#pair(subject, ({ years }) => years.has(year)),
      first: [...this.lists[subject].values()].filter(({ worked }) =>
        worked.first?.qsoAt.startsWith(year),
      ).length,
    });
    return {
      year: Number(year),
      qsos: this.years.get(year) ?? 0,
      ...{ divisions: of("divisions"), squares: of("squares"), special: of("special") },
    };
  }
  /** @param {AwardSubject} subject */
  #thresholds(subject) {
    const items = [...this.lists[subject].values()];
    const worked = items.map((item) => item.worked.first?.qsoAt ?? "").sort();
    const confirmed = items.map((item) => item.confirmedAt).filter(Boolean);
    confirmed.sort();
    return THRESHOLDS[subject].map((items) => ({
      subject,
      items,
      workedAt: worked[items - 1] ?? null,
      confirmedAt: confirmed[items - 1] ?? null,
    }));
  }
  /** @param {AwardSubject | "unknown"} subject */
  #items(subject) {
    const all = [...this.lists[subject].values()].map(asAward);
    if (subject !== "divisions") return all.sort(byName);
    return all
      .sort((a, b) => Number(a.name) - Number(b.name))
      .map((award) => ({ ...award, ...countryOf(Number(award.name)) }));
  }

  /** @returns {Awards} */
  end() {
    const { qsos, confirmed, unknownQsos, withoutNumber } = this;
    return {
      ...{ qsos, confirmed, unknownQsos, withoutNumber },
      totals: this.#pairs((part) => part.qsos > 0),
      bands: BANDS.map((band) => ({ band, ...this.#pairs(({ bands }) => bands.has(band)) })),
      modes: [null, ...MODES].map((mode) => ({
        mode,
        ...this.#pairs(({ modes }) => modes.has(mode)),
      })),
      years: [...this.years.keys()]
        .sort()
        .reverse()
        .map((year) => this.#year(year)),
      thresholds: SUBJECTS.flatMap((subject) => this.#thresholds(subject)),
      divisions: this.#items("divisions"),
      squares: this.#items("squares"),
      special: this.#items("special"),
      unknown: this.#items("unknown").slice(0, UNKNOWN_SHOWN),
      missing: currentDivisions()
        .filter((number) => !this.lists.divisions.has(String(number)))
        .map((number) => ({ number, ...countryOf(number) })),
    };
  }
}

/**
 * @param {Item} item
 * @returns {Award}
 */
function asAward({ name, worked, confirmed, confirmedAt }) {
  const first = /** @type {AwardQso} */ (worked.first);
  const award = {
    name,
    ...{ qsos: worked.qsos, confirmed: confirmed.qsos, first },
    ...{ bands: chosen(BANDS, worked.bands), modes: chosen(MODES, worked.modes) },
  };
  if (!confirmed.first) return award;
  return {
    ...award,
    confirmedBands: chosen(BANDS, confirmed.bands),
    confirmedModes: chosen(MODES, confirmed.modes),
    ...{ firstConfirmed: confirmed.first, confirmedAt },
  };
}
