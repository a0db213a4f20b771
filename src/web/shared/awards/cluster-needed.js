// Finds what a spot would add to the member's log. The functions are pure, and apply the service's
// rules (src/qso/awards.h).

/** @import { Worked } from "../types.js" */
/**
 * @typedef {object} SpotWorth
 * @property {number} division 0: unknown
 * @property {string} square empty: unknown
 * @property {string | null} special the callsign of a special station; null: not a special station
 * @property {string} band
 * @property {string | null} mode
 */
/** @typedef {ReturnType<typeof knowWorked>} Known */
/** @typedef {"" | "new" | "open"} Wish "": all spots; "open": new and unconfirmed spots */

export const UNCONFIRMED = "not confirmed yet";

/** @param {string} text of a mark */
export const isNew = (text) => text !== UNCONFIRMED;
/** @param {string[]} news */
export const hasNew = (news) => news.some(isNew);
/**
 * @param {string[]} news texts of the spot's marks
 * @param {Wish} wish
 */
export function fitsQuery(news, wish) {
  return wish === "open" ? news.length > 0 : wish === "" || hasNew(news);
}

/**
 * Returns the name under which a mode counts: SSB, USB and LSB count as one mode.
 * @param {string | null} mode
 */
export const familyOf = (mode) => (mode === "USB" || mode === "LSB" ? "SSB" : mode);

/**
 * Returns the worked divisions, squares and special stations as sets, for fast comparison with
 * thousands of spots.
 * @param {Worked} answer
 */
export function knowWorked({ divisions, worked: rows }) {
  /** @type {Record<string, Set<number>>} by band, and by band and mode */
  const places = {};
  for (const { band, mode, divisions: numbers } of rows)
    for (const place of [band, `${band} ${familyOf(mode)}`])
      places[place] = new Set([...(places[place] ?? []), ...numbers]);
  return {
    places,
    divisions: new Set(divisions),
    confirmedDivisions: new Set(rows.flatMap((row) => row.confirmedDivisions)),
    squares: new Set(rows.flatMap((row) => row.squares)),
    confirmedSquares: new Set(rows.flatMap((row) => row.confirmedSquares)),
    special: new Set(rows.flatMap((row) => row.special)),
    confirmedSpecial: new Set(rows.flatMap((row) => row.confirmedSpecial)),
  };
}

/**
 * Returns the texts of a spot's marks, the most important mark first. If everything is confirmed,
 * there are no marks. Bands and modes count only for divisions.
 * @param {SpotWorth} worth
 * @param {Known | null} known null: unknown, for example because nobody is signed in
 */
export function neededOfSpot({ division, square, special, band, mode }, known) {
  /** @type {string[]} */
  const news = [];
  if (!known) return news;
  const isWorked = division !== 0 && known.divisions.has(division);
  if (division && !isWorked) news.push("new division");
  if (special && !known.special.has(special)) news.push("new special station");
  if (square && !known.squares.has(square)) news.push("new square");
  if (isWorked && !known.places[band]?.has(division)) news.push("new on this band");
  else if (isWorked && mode && !known.places[`${band} ${familyOf(mode)}`]?.has(division))
    news.push("new in this mode");
  const isOpen =
    (division && !known.confirmedDivisions.has(division)) ||
    (special && !known.confirmedSpecial.has(special)) ||
    (square && !known.confirmedSquares.has(square));
  return news.length || !isOpen ? news : [UNCONFIRMED];
}
