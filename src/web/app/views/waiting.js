// Shows the reason for a rejection below the rejected QSO.
import { element } from "../../shared/page.js";
import { say } from "../../shared/language.js";
import { reasonOf } from "../../shared/words/words.js";

/** @import { BookRow } from "../types.js" */

/**
 * Returns the element that a row shows below its QSO; null: no element.
 * @param {BookRow} row
 */
export function belowOf({ entry }) {
  if (entry?.state !== "refused") return null;
  return element(
    "p",
    { class: "below note bad" },
    say("The service rejected this QSO: {reason}", { reason: reasonOf(entry.error ?? "") }),
  );
}
