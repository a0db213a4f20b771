// What a contact would bring that the log has not: a division or a square that was never worked, or
// that no other member has confirmed. Knows no page; the rules are those of the service
// (src/qso/awards.h).
import { numberOf } from "./callsigns.js";
import { answerOf } from "./storage.js";

/** @typedef {import("./fields.js").Values} Values */
/** @typedef {import("./storage.js").BrowserStorage} BrowserStorage */
/** @typedef {import("./qsosync-storage.js").Entry} Entry */
/** @typedef {"new" | "unconfirmed" | ""} Standing empty: it is confirmed, or nothing is known */
/** @typedef {{division: Standing, square: Standing}} News */
/** @typedef {{division: number, square: string}} Worth 0 and empty: it has none */

const SOME = 50;
const LAST = "\uffff";

/**
 * The number of its division, and its square.
 * @param {string | null | undefined} callsign
 * @param {string | null | undefined} locator
 * @returns {Worth}
 */
export function worthOf(callsign, locator) {
  const square = (locator ?? "").trim().slice(0, 4).toUpperCase();
  return {
    division: numberOf(callsign),
    square: /^[A-R]{2}\d\d$/.test(square) ? square : "",
  };
}
/**
 * The locator of six characters at a place.
 * @param {number} lat
 * @param {number} lng
 */
export function locatorOf(lat, lng) {
  const [x, y] = [Math.min(359.999999, lng + 180), Math.min(179.999999, lat + 90)];
  /** @type {(value: number, first: string) => string} */
  const letter = (value, first) => String.fromCharCode(first.charCodeAt(0) + Math.floor(value));
  return [letter(x / 20, "A"), letter(y / 10, "A"), Math.floor((x % 20) / 2), Math.floor(y % 10)]
    .concat([letter((x % 2) * 12, "a"), letter((y % 1) * 24, "a")])
    .join("");
}
/**
 * @param {boolean} isWorked
 * @param {boolean} isConfirmed
 * @returns {Standing}
 */
export function standingOf(isWorked, isConfirmed) {
  if (!isWorked) return "new";
  return isConfirmed ? "" : "unconfirmed";
}

/**
 * By what the service tells of a log.
 * @param {Worth} worth
 * @param {import("../pages/answers.js").Worked | null} answer null: there was none
 * @returns {News}
 */
export function newsOf({ division, square }, answer) {
  if (!answer) return { division: "", square: "" };
  const { worked: rows } = answer;
  const isWorked = rows.some(({ divisions }) => divisions.includes(division));
  const isConfirmed = rows.some(({ confirmedDivisions }) => confirmedDivisions.includes(division));
  const isSquareWorked = rows.some(({ squares }) => squares.includes(square));
  const isSquareConfirmed = rows.some(({ confirmedSquares }) => confirmedSquares.includes(square));
  return {
    division: division ? standingOf(isWorked, isConfirmed) : "",
    square: square ? standingOf(isSquareWorked, isSquareConfirmed) : "",
  };
}

// -- the log of this device -----------------------------------------------------------------------

/**
 * Where callsigns of a division stand in the index: 26AT101, 026AT101 and 26/13SD1.
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

/** A station that was only heard is not worked.
 * @param {Values} qso
 * @param {Worth} worth one of the two
 */
function isWorkedBy(qso, worth) {
  const own = worthOf(qso.callsignWorked, qso.dxLocator);
  const isSame = worth.division ? own.division === worth.division : own.square === worth.square;
  return isSame && qso.qsoStatus !== "HRD";
}

export class LocalNews {
  /**
   * @param {BrowserStorage} storage
   * @param {Map<string, Entry>} outbox what is not sent yet, and stands in place of what is stored
   */
  constructor(storage, outbox) {
    this.storage = storage;
    this.outbox = outbox;
  }

  /**
   * @param {string} index
   * @param {IDBKeyRange} range
   * @param {(record: {key: string, qso: Values}) => boolean} fits
   */
  async #has(index, range, fits) {
    const qsos = this.storage.store("qsos").index(index);
    const some = await answerOf(qsos.getAll(range, SOME));
    if (some.some(fits)) return true;
    if (some.length < SOME) return false;
    const all = await answerOf(this.storage.store("qsos").index(index).getAll(range));
    return all.some(fits);
  }
  /**
   * @param {Worth} worth one of the two
   * @param {string} kind of index
   * @param {[string, string][]} bounds
   * @returns {Promise<Standing>}
   */
  async #standing(worth, kind, bounds) {
    const { outbox } = this;
    const isWaiting = [...outbox.values()].some(
      ({ kind: change, qso }) => change === "save" && isWorkedBy(qso, worth),
    );
    let [isWorked, isConfirmed] = [isWaiting, false];
    for (const [low, high] of bounds) {
      const range = IDBKeyRange.bound(low, high);
      isWorked ||= await this.#has(
        kind,
        range,
        ({ key, qso }) => !outbox.has(key) && isWorkedBy(qso, worth),
      );
      isConfirmed ||= await this.#has(
        `${kind} confirmed`,
        IDBKeyRange.bound([low], [high, LAST]),
        ({ key, qso }) => outbox.get(key)?.kind !== "delete" && isWorkedBy(qso, worth),
      );
    }
    return standingOf(isWorked, isConfirmed);
  }

  /**
   * @param {Worth} worth
   * @returns {Promise<News>}
   */
  async of({ division, square }) {
    /** @type {Promise<Standing> | Standing} */
    const nothing = "";
    const [ofDivision, ofSquare] = await Promise.all([
      division ? this.#standing({ division, square: "" }, "call", spellingsOf(division)) : nothing,
      square
        ? this.#standing({ division: 0, square }, "locator", [[square, square + LAST]])
        : nothing,
    ]);
    return { division: ofDivision, square: ofSquare };
  }
}
