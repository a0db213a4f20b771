// Shows the reason for a rejection below the rejected QSO, or both versions of a QSO that another
// program also changed.
import { element } from "../../shared/page.js";
import { say } from "../../shared/language.js";
import { fieldName } from "../../shared/words/qso-words.js";
import { fieldsOf, reasonOf, valueOf } from "../../shared/words/words.js";

/** @import { App, BookRow, Entry, Values } from "../types.js" */

/**
 * @param {App} app
 * @param {Entry} entry
 */
function conflictOf(app, entry) {
  const theirs = /** @type {Values | null} */ (entry.theirs ?? null);
  const mine = entry.kind === "delete" ? null : entry.qso;
  const names = fieldsOf(mine ?? {}, theirs ?? {}).filter(
    (name) => !mine || !theirs || (mine[name] ?? null) !== (theirs[name] ?? null),
  );
  /** @type {(choice: "mine" | "theirs") => () => Promise<void>} */
  const resolve = (choice) => async () => {
    await app.log.resolve(entry.key, choice);
    app.written();
  };
  return element(
    "div",
    { class: "below note warn" },
    element(
      "p",
      {},
      theirs
        ? say("Another program also changed this QSO. Which version do you want to keep?")
        : say("Another program deleted this QSO. Do you want to keep it?"),
    ),
    mine && theirs
      ? element(
          "dl",
          { class: "both" },
          ...names.flatMap((name) => [
            element("dt", {}, fieldName(name)),
            element("dd", {}, valueOf(name, mine[name])),
            element("dd", {}, valueOf(name, theirs[name])),
          ]),
        )
      : null,
    element(
      "p",
      { class: "buttons" },
      element(
        "button",
        { type: "button", click: resolve("mine") },
        mine ? say("This device's version") : say("Delete"),
      ),
      element(
        "button",
        { type: "button", click: resolve("theirs") },
        theirs ? say("The other version") : say("Also delete it here"),
      ),
    ),
  );
}
/**
 * Returns the element that a row shows below its QSO; null: the row shows nothing there.
 * @param {App} app
 * @param {BookRow} row
 */
export function belowOf(app, { entry }) {
  if (entry?.state === "conflict") return conflictOf(app, entry);
  if (entry?.state !== "refused") return null;
  return element(
    "p",
    { class: "below note bad" },
    say("The service rejected it: {reason}", { reason: reasonOf(entry.error ?? "") }),
  );
}
