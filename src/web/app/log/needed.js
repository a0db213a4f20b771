// Finds the marks for a QSO that is not logged yet: what the QSO would add to the log on this
// device. src/web/shared/awards/cluster-needed.js defines the marks, which spots and the form show.
// Does not use the page.
import { familyOf, neededOfSpot } from "../../shared/awards/cluster-needed.js";
import { compact } from "../../shared/words/callsigns.js";
import { MODES } from "../text/tables.js";
import { LAST } from "./search.js";
import { asItWaits, isCounted, worthOf } from "../../shared/awards/award-rules.js";

/**
 * @import {
 *   BrowserStorage, Entry, SpotWorth as Worth, Values
 * } from "../types.js"
 */
/** @typedef {{key: string, qso: Values}} Stored */
/**
 * The ranges of an index that contain the QSOs for one mark, and a test that decides which of these
 * QSOs count.
 * @typedef {object} Part
 * @property {string} index
 * @property {[any, any][]} ranges of the index
 * @property {(qso: Values) => boolean} fits
 */

// Limits for successive reads of a range, each from its first record; undefined: no limit. The
// first record usually counts, unless its station was only heard or its QSO has an unsent change.
const STEPS = [1, 50, undefined];

/**
 * Returns the ranges of the index that contain all callsigns of a division, such as 26AT101,
 * 026AT101 and 26/13SD1.
 * @param {number} number
 * @returns {[string, string][]}
 */
function spellingsOf(number) {
  const written = new Set([1, 2, 3].map((length) => String(number).padStart(length, "0")));
  return [...written].flatMap((digits) => [
    /** @type {[string, string]} */ ([`${digits}A`, `${digits}Z${LAST}`]),
    /** @type {[string, string]} */ ([`${digits}/`, `${digits}/${LAST}`]),
  ]);
}
/**
 * Returns the given mode, and then the other modes that count as the same mode.
 * @param {string} mode
 */
function modesLike(mode) {
  const isLike = (/** @type {string} */ other) => familyOf(other) === familyOf(mode);
  return [mode, ...MODES.filter((other) => other !== mode && isLike(other))];
}

/** @param {Worth} worth */
function partsOf({ division, square, special, band, mode }) {
  const spellings = division ? spellingsOf(division) : [];
  /** @param {string[][]} places values that precede the callsign in an index */
  const within = (places) =>
    places.flatMap((place) =>
      spellings.map(
        ([low, high]) =>
          /** @type {[any, any]} */ ([
            [...place, low],
            [...place, high],
          ]),
      ),
    );
  /** @param {Values} qso */
  const isOfDivision = (qso) => worthOf(qso).division === division;
  /** @type {Record<string, Part>} */
  const parts = {
    division: { index: "call", ranges: spellings, fits: isOfDivision },
    band: {
      index: "band call",
      ranges: within([[band]]),
      fits: (qso) => qso.band === band && isOfDivision(qso),
    },
    mode: {
      index: "band mode call",
      ranges: mode ? within(modesLike(mode).map((like) => [band, like])) : [],
      fits: (qso) =>
        qso.band === band && familyOf(qso.mode) === familyOf(mode) && isOfDivision(qso),
    },
    square: {
      index: "locator",
      ranges: square ? [[square, square + LAST]] : [],
      fits: (qso) => worthOf(qso).square === square,
    },
    special: {
      index: "call",
      ranges: special ? [[special, special]] : [],
      fits: (qso) => compact(qso.callsignWorked) === special,
    },
  };
  return parts;
}

export class LocalNews {
  /**
   * @param {BrowserStorage} storage
   * @param {Map<string, Entry>} outbox unsent changes, which replace stored QSOs
   */
  constructor(storage, outbox) {
    this.storage = storage;
    this.outbox = outbox;
  }

  /**
   * @param {string} index
   * @param {IDBKeyRange} range
   * @param {(record: Stored) => boolean} fits
   */
  async #has(index, range, fits) {
    for (const most of STEPS) {
      /** @type {Stored[]} */
      const records = await this.storage.qsos(index, range, most);
      if (records.some(fits)) return true;
      if (most && records.length < most) return false;
    }
    return false;
  }
  /** @param {Part} part */
  async #isWorked({ index, ranges, fits }) {
    const { outbox } = this;
    if (!ranges.length) return false;
    for (const { kind, qso } of outbox.values())
      if (kind === "save" && isCounted(qso) && fits(qso)) return true;
    /** @param {Stored} record */
    const counts = ({ key, qso }) => !outbox.has(key) && isCounted(qso) && fits(qso);
    for (const [low, high] of ranges)
      if (await this.#has(index, IDBKeyRange.bound(low, high), counts)) return true;
    return false;
  }
  /** @param {Part} part */
  async #isConfirmed({ index, ranges, fits }) {
    /** @param {Stored} record */
    const counts = ({ key, qso }) => {
      const own = asItWaits(qso, this.outbox.get(key));
      return Boolean(own?.crossConfirmedAt) && isCounted(own ?? {}) && fits(own ?? {});
    };
    for (const [low, high] of ranges)
      if (await this.#has(`${index} confirmed`, IDBKeyRange.bound([low], [high, LAST]), counts))
        return true;
    return false;
  }

  /**
   * Returns the texts of the marks for a QSO, the most important mark first.
   * @param {Worth} worth
   */
  async of(worth) {
    const { division, square, special, band, mode } = worth;
    const parts = partsOf(worth);
    const isWorked = await this.#isWorked(parts.division);
    const [onBand, inMode, ofSquare, ofSpecial] = await Promise.all([
      isWorked && this.#isWorked(parts.band),
      isWorked && this.#isWorked(parts.mode),
      this.#isWorked(parts.square),
      this.#isWorked(parts.special),
    ]);
    /** @type {<Value>(is: boolean, value: Value) => Set<Value>} */
    const only = (is, value) => new Set(is ? [value] : []);
    /**
     * @param {boolean[]} confirmed whether the division, the square and the special station are
     *   confirmed
     */
    const marks = ([ofDivision, squareToo, specialToo]) =>
      neededOfSpot(worth, {
        divisions: only(isWorked, division),
        confirmedDivisions: only(ofDivision, division),
        places: {
          [band]: only(onBand, division),
          [`${band} ${familyOf(mode)}`]: only(inMode, division),
        },
        squares: only(ofSquare, square),
        confirmedSquares: only(squareToo, square),
        special: only(ofSpecial, special ?? ""),
        confirmedSpecial: only(specialToo, special ?? ""),
      });
    // Confirmations are looked up only if nothing is new.
    const news = marks([true, true, true]);
    if (news.length) return news;
    const { division: ofDivision, square: squares, special: stations } = parts;
    return marks(
      await Promise.all([ofDivision, squares, stations].map((part) => this.#isConfirmed(part))),
    );
  }
}
