// Parts that the dialogs of the operator's page share.
import { element } from "../site/page.js";
import { say } from "../site/language.js";

/** @import { OperatorMember as Member } from "../site/types.js" */

/**
 * @param {string} name
 * @param {() => void} step
 * @param {string} kind
 */
export function buttonOf(name, step, kind = "") {
  return element("button", { type: "button", class: kind || null, click: step }, say(name));
}

/**
 * @param {Member} member
 * @returns {`members/${string}`}
 */
export function baseOf(member) {
  return `members/${member.number}`;
}
