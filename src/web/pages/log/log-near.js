// Shows almost confirmed QSOs in Logbook: each QSO, the rule that prevents the confirmation, and
// what to do.
import { element, find } from "../../shared/page.js";
import { QsoRows } from "../../shared/logbook/log-rows.js";
import { say } from "../../shared/language.js";
import { rowOf } from "./server-book.js";

/** @import { LogActs, Qso } from "../types.js" */

/** @type {Record<string, [string, string]>} the rule, and how to fix the QSO */
const REASONS = {
  TIME: [
    "The times are more than 15 minutes apart.",
    "Compare your times. Whoever had the wrong clock or time zone should correct the QSO.",
  ],
  BAND: ["The bands differ.", "Agree on the band. Whoever is wrong should correct the QSO."],
  MODE: ["The modes differ.", "Agree on the mode. Whoever is wrong should correct or clear it."],
  CHANNEL: [
    "The channels differ.",
    "Agree on the channel. Whoever is wrong should correct the QSO.",
  ],
  CALLSIGN: [
    "The callsigns differ by a prefix or a suffix.",
    "21SD333, 161/21SD333 and 21SD333/P are three different stations. Compare how each of you wrote the two callsigns. Whoever is wrong should correct the QSO.",
  ],
};

/** @param {string} reason */
function advice(reason) {
  const known = REASONS[reason];
  return known
    ? element("p", { class: "below" }, say(known[0]), " ", element("small", {}, say(known[1])))
    : element("p", { class: "below" }, reason);
}
/** @type {QsoRows | undefined} */
let rows;
/**
 * @param {LogActs} acts
 * @param {{qso: Qso, reason: string}[]} items
 */
export function showNear(acts, items) {
  if (!items.length) {
    find("near").replaceChildren(element("p", { class: "card" }, say("None.")));
    return;
  }
  rows ??= new QsoRows(say("Almost confirmed"), acts);
  rows.showQsos(
    items.map(({ qso }) => rowOf(qso, [null, null])),
    {
      isFirst: true,
      isLast: true,
      hasDays: false,
      below: (index) => advice(items[index].reason),
    },
  );
  const note =
    "Another member logged these QSOs almost the same way. A single difference keeps each one unconfirmed.";
  find("near").replaceChildren(element("p", { class: "muted" }, say(note)), rows.node);
}
