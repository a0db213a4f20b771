// Lists the parts of the awards, and creates the links to these parts and to the QSL cards.
import { element } from "../page.js";
import { say } from "../language.js";

/** @import { AwardSubject } from "../types.js" */

/** @type {AwardSubject[]} */
export const SUBJECTS = ["divisions", "squares", "special"];

/**
 * Returns the part that an address names; by default, the divisions.
 * @param {string | undefined} name
 * @returns {AwardSubject}
 */
export const partOf = (name) => SUBJECTS.find((subject) => subject === name) ?? "divisions";

/**
 * Returns links to the parts of the awards and to the QSL cards.
 * @param {AwardSubject | "cards"} current
 * @param {{part: (part: AwardSubject) => string, cards: string}} host
 */
export function segmentsOf(current, { part, cards }) {
  /** @param {string} name @param {string} href @param {string} text */
  const link = (name, href, text) =>
    element("a", { href, "aria-current": name === current ? "true" : null }, text);
  return element(
    "nav",
    { class: "segments", "aria-label": say("Awards") },
    link("divisions", part("divisions"), say("Divisions")),
    link("squares", part("squares"), say("Squares")),
    link("special", part("special"), say("Special")),
    link("cards", cards, say("QSL cards")),
  );
}
