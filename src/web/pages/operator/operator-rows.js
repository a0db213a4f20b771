// Creates rows of members: callsign, place, QSOs, QSOs per week as a line, last use, and a badge.
// Also draws the lights of findings.
import { drawing, element, number } from "../../shared/page.js";
import { badgeOf, callsignOf, daysSince, lastSeen } from "../../shared/parts/row.js";
import { weekLineOf } from "../../shared/parts/weeks.js";
import { numberOf } from "../../shared/words/callsigns.js";
import { countryName } from "../../shared/words/countries.js";
import { say } from "../../shared/language.js";

/** @import { OperatorMember as Member } from "../types.js" */

const QUIET_DAYS = 28;

/**
 * Returns the numbers of QSOs per week, the oldest week first.
 * @param {Member} member
 */
export const weeksOf = (member) => (member.weeks ?? "").split(" ").filter(Boolean).map(Number);

/**
 * Returns the country of a callsign; empty: unknown.
 * @param {string} callsign
 */
export function placeOf(callsign) {
  return countryName(numberOf(callsign));
}
/**
 * Returns the kind and the text of a member's badge; null: no badge.
 * @param {Member} member
 * @returns {[string, string] | null}
 */
export function noteOf(member) {
  if (!member.active) return ["bad", say("disabled")];
  if (member.station) return ["", say("station")];
  if (!member.lastUsedOn && member.invitedUntil) return ["wait", say("invited")];
  if (!member.lastUsedOn && member.invitationExpiredAt) return ["bad", say("link expired")];
  if (member.operator) return ["", say("operator")];
  if (member.lastUsedOn && daysSince(member.lastUsedOn) >= QUIET_DAYS)
    return ["wait", say("quiet")];
  return null;
}
/** @type {Record<string, string>} */
const SHAPES = {
  ok: "M6 0a6 6 0 1 0 0 12 6 6 0 0 0 0-12z",
  warning: "M1 1h10v10H1z",
  trouble: "M6 0l6 6-6 6-6-6z",
};
/** @type {Record<string, string>} */
const KINDS = { ok: "", warning: "warn", trouble: "bad" };
/** Returns the light of a finding, with its meaning in words. @param {string} level */
export function lightOf(level) {
  return element(
    "span",
    {},
    drawing(
      "svg",
      { class: `light ${KINDS[level] ?? "bad"}`, viewBox: "0 0 12 12", "aria-hidden": "true" },
      drawing("path", { d: SHAPES[level] ?? SHAPES.trouble }),
    ),
    element("span", { class: "unseen" }, say(level === "ok" ? "All is well" : "Needs attention")),
  );
}
/** @param {Member} member */
export function itemOfMember(member) {
  const note = noteOf(member);
  const place = placeOf(member.callsign);
  return element(
    "li",
    { "data-id": member.number },
    element(
      "button",
      { type: "button", class: "q m", tabindex: -1 },
      callsignOf(member.callsign),
      " ",
      note && badgeOf(...note),
      " ",
      element(
        "span",
        { class: "place" },
        place || member.locator,
        place ? element("span", { class: "locator" }, ` · ${member.locator}`) : null,
        element("span", { class: "few" }, ` · ${say("{n} QSO|{n} QSOs", { n: member.qsos })}`),
      ),
      " ",
      element("span", { class: "num" }, number(member.qsos)),
      " ",
      weekLineOf(weeksOf(member)),
      " ",
      element("span", { class: "far" }, lastSeen(member.lastUsedOn)),
    ),
  );
}
