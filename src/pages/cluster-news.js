// What a spot would bring that the member's log has not. Pure; the rules are those of the service
// (src/qso/awards.h).

/** @typedef {import("./answers.js").Worked} Worked */
/** @typedef {{division: number, square: string, band: string}} SpotWorth 0 and empty: none */
/** @typedef {ReturnType<typeof knowWorked>} Known */
/** @typedef {"" | "new" | "open"} Wish all spots, those with something new, or not confirmed too */

export const UNCONFIRMED = "not yet confirmed";

/** @param {string[]} news */
export const hasNew = (news) => news.some((text) => text !== UNCONFIRMED);
/**
 * @param {string[]} news of a spot
 * @param {Wish} wish
 */
export function fitsWish(news, wish) {
  return wish === "open" ? news.length > 0 : wish === "" || hasNew(news);
}

/**
 * What the service tells of a log, so that thousands of spots are held against it in no time.
 * @param {Worked} answer
 */
export function knowWorked({ divisions, worked: rows }) {
  /** @type {Record<string, Set<number>>} */
  const onBand = {};
  for (const { band, divisions: numbers } of rows)
    onBand[band] = new Set([...(onBand[band] ?? []), ...numbers]);
  return {
    divisions: new Set(divisions),
    onBand,
    confirmedDivisions: new Set(rows.flatMap((row) => row.confirmedDivisions)),
    squares: new Set(rows.flatMap((row) => row.squares)),
    confirmedSquares: new Set(rows.flatMap((row) => row.confirmedSquares)),
  };
}

/**
 * The texts of the marks, what counts most first; none where all is confirmed.
 * @param {SpotWorth} worth
 * @param {Known | null} known null: nobody is signed in
 */
export function newsOfSpot({ division, square, band }, known) {
  /** @type {string[]} */
  const news = [];
  if (!known) return news;
  if (division && !known.divisions.has(division)) news.push("new division");
  else if (division && !known.onBand[band]?.has(division)) news.push("new on this band");
  if (square && !known.squares.has(square)) news.push("new square");
  const isOpen =
    (division && !known.confirmedDivisions.has(division)) ||
    (square && !known.confirmedSquares.has(square));
  return news.length || !isOpen ? news : [UNCONFIRMED];
}
