// Remembers the stations whose spots the reader has hidden in this browser.
import { find, recall, remember } from "../../shared/page.js";
import { say } from "../../shared/language.js";

/** @import { Spot } from "../types.js" */

const HIDDEN = "cluster-hidden";
const hidden = new Set((recall(HIDDEN) ?? "").split(" ").filter(Boolean));

/** @param {Spot} spot */
export const isHidden = ({ spotted }) => hidden.size > 0 && hidden.has(spotted ?? "");

/** @param {string | null} callsign null: shows all stations again */
export function hide(callsign) {
  if (callsign === null) hidden.clear();
  else hidden.add(callsign);
  remember(HIDDEN, [...hidden].join(" "));
}
/**
 * Shows the number of hidden stations on the button that shows these stations again. Returns the
 * number.
 */
export function tellHidden() {
  const n = hidden.size;
  find("unhide").hidden = n === 0;
  find("unhide").textContent = say("Show {n} hidden station|Show {n} hidden stations", { n });
  return n;
}
