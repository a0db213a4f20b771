// Shows facts about the other station in the sheet of a QSO or a spot: where the station is, and
// earlier QSOs with the station.
import { bearing } from "../map/geography.js";
import { day, element, number } from "../page.js";
import { say } from "../language.js";
import { drawTuning } from "./row.js";

/** @import { Child, Place, Values } from "../types.js" */
/**
 * @typedef {object} Where
 * @property {Place | null} home
 * @property {Place | null} to
 * @property {string | null} [place] such as a country
 * @property {number} [division] 0: unknown
 * @property {number | null} [km]
 * @property {boolean} [isNew] whether the place is new for the member
 * @property {Child} [note]
 */

const EARLIER = 6;

/** @param {[Child, Child][]} rows */
export function drawFacts(rows) {
  return element(
    "dl",
    { class: "facts" },
    ...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
  );
}
/**
 * Returns an element that shows where a station is, with a compass disc if both places are known;
 * null: unknown.
 * @param {Where} where
 */
export function drawWhere({ home, to, place, division, km = null, isNew = false, note }) {
  if (!place && km === null) return null;
  const disc = element("div", { class: "disc-of" });
  if (home && to)
    import("./disc.js").then(({ Disc }) => {
      const made = new Disc({ isSmall: true });
      made.show({ home, to, isNew });
      disc.append(made.node);
    });
  const far =
    home && to
      ? say("{km} km at {bearing}°", { km: number(km ?? 0), bearing: bearing(home, to) })
      : `${number(km ?? 0)} km`;
  return element(
    "div",
    { class: "where-of" },
    home && to ? disc : null,
    element(
      "p",
      {},
      place
        ? element(
            "strong",
            {},
            `${place} `,
            division ? element("small", {}, say("division {n}", { n: division })) : null,
          )
        : null,
      km === null ? null : element("span", { class: "large" }, far),
      note ? element("small", {}, note) : null,
    ),
  );
}
/**
 * Returns an element that lists the QSOs with a station before a time, newest first. The list is
 * filled in when the QSOs have been read.
 * @param {string | null} callsign
 * @param {string} before in ISO 8601
 * @param {AsyncIterable<Values[]>} lists of QSOs, including all with the callsign
 */
export function drawEarlier(callsign, before, lists) {
  const place = element("div");
  if (!callsign) return place;
  const show = async () => {
    const { compact } = await import("../words/callsigns.js");
    for await (const qsos of lists) {
      const others = qsos
        .filter(({ callsignWorked }) => compact(callsignWorked) === compact(callsign))
        .filter(({ qsoAt }) => Date.parse(qsoAt) < Date.parse(before));
      if (!others.length) continue;
      place.replaceChildren(
        element("h3", {}, say("Earlier with {callsign}", { callsign })),
        drawFacts(others.slice(0, EARLIER).map((one) => [day(one.qsoAt), drawTuning(one)])),
      );
    }
  };
  show().catch(() => {}); // the details are useful without the earlier QSOs
  return place;
}
