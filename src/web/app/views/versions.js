// Shows both versions of a QSO that was changed on this device and elsewhere, and stores the
// member's choice. Until then, the device keeps both versions.
import { day, drawing, element, find, hour } from "../../shared/page.js";
import { say } from "../../shared/language.js";
import { normalise } from "../../shared/qsosync-fields.js";
import { badgeOf, callsignOf } from "../../shared/parts/row.js";
import { closeSheet } from "../../shared/parts/sheet.js";
import { drawVersus } from "../../shared/parts/versus.js";
import { DELETED_MS } from "../../shared/toast.js";

/** @import { App, BookRow, DetailsSheet, Entry, LogActs, Values } from "../types.js" */
/** @import { QsoRows } from "../../shared/logbook/log-rows.js" */

/** @param {Entry} entry */
const mineOf = ({ kind, qso }) => (kind === "delete" ? null : normalise(qso));
/** @param {Entry} entry */
const theirsOf = ({ theirs }) => (theirs ? normalise(theirs) : null);

/**
 * Undoes a choice: the other version becomes the newest version.
 * @param {App} app
 * @param {string} key
 * @param {Values | null} other null: a deletion
 */
async function takeBack(app, key, other) {
  await (other ? app.log.save({ ...other, clientId: key }) : app.log.delete(key));
  await app.written();
}
/**
 * Stores the choice, if the sheet showed both current versions.
 * @param {App} app
 * @param {LogActs} acts
 * @param {QsoRows} rows
 * @param {Entry} entry
 * @param {"mine" | "theirs"} choice
 */
async function choose(app, acts, rows, entry, choice) {
  const { key } = entry;
  if (!(await app.log.resolve(key, choice, entry))) {
    await app.refresh(); // shows the newer versions
    return acts.tell("", DELETED_MS, say("This QSO has changed again. Compare both versions."));
  }
  const [mine, theirs] = [mineOf(entry), theirsOf(entry)];
  const [kept, other] = choice === "mine" ? [mine, theirs] : [theirs, mine];
  closeSheet();
  if (!kept) rows.focus(rows.take(key).next);
  await app.written();
  const undo = async () => {
    note.remove();
    await takeBack(app, key, other);
    rows.focus(key);
  };
  const note = acts.tell(
    "",
    DELETED_MS,
    choice === "mine" ? say("Your version is kept.") : say("The other version is kept."),
    " ",
    element("button", { type: "button", click: () => acts.orTell(undo) }, say("Undo")),
  );
}
/**
 * @param {Values | null} mine
 * @param {Values | null} theirs
 */
function questionOf(mine, theirs) {
  if (!mine)
    return say("You deleted this QSO on this device, but it was changed elsewhere meanwhile.");
  return theirs
    ? say("This QSO was changed on this device and elsewhere. Choose a version, or edit one.")
    : say("You changed this QSO on this device, but it was deleted elsewhere meanwhile.");
}
/**
 * Returns the sheet of a QSO with two versions; null: the QSO has one version.
 * @param {App} app
 * @param {LogActs} acts
 * @param {QsoRows} rows
 * @param {BookRow} row
 * @returns {DetailsSheet | null}
 */
export function versionsOf(app, acts, rows, { key, entry }) {
  if (entry?.state !== "conflict") return null;
  const [mine, theirs] = [mineOf(entry), theirsOf(entry)];
  const at = entry.theirs?.syncedAt;
  /** @type {(name: string, choice: "mine" | "theirs") => HTMLElement} */
  const button = (name, choice) => {
    const work = () => acts.orTell(() => choose(app, acts, rows, entry, choice));
    const kind = choice === "mine" ? "main" : "";
    return element("button", { type: "button", class: kind, click: work }, name);
  };
  const edit = () => acts.edit(rows, key);
  const pencil = element(
    "button",
    { type: "button", class: "glyph", "aria-label": say("Edit"), click: edit },
    drawing(
      "svg",
      { viewBox: "0 0 24 24", "aria-hidden": "true" },
      drawing("path", { d: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4" }),
    ),
  );
  return {
    title: [callsignOf(entry.qso.callsignWorked), badgeOf("wait", say("two versions"))],
    body: [
      element("p", {}, questionOf(mine, theirs)),
      drawVersus([
        { qso: mine, name: say("Mine"), origin: mine ? say("on this device") : say("deleted") },
        {
          qso: theirs,
          name: say("Theirs"),
          origin: at
            ? say("elsewhere, {time}", { time: `${day(at)}, ${hour(at)}` })
            : say("deleted"),
        },
      ]),
    ],
    foot: [
      button(mine ? say("Keep mine") : say("Delete"), "mine"),
      button(theirs ? say("Take theirs") : say("Also delete it here"), "theirs"),
      ...(mine ? [pencil] : []),
    ],
    keys: mine ? { e: edit } : {},
  };
}

/**
 * Shows the number of QSOs with two versions above Logbook, with a button that opens the next QSO.
 * @param {App} app
 * @param {(key: string) => void} open
 */
export function tellVersions(app, open) {
  const keys = [...app.outbox.values()].flatMap(({ key, state }) =>
    state === "conflict" ? key : [],
  );
  const place = find("versions");
  const n = keys.length;
  place.hidden = n === 0;
  if (n === 0) return;
  place.replaceChildren(
    element(
      "p",
      {},
      element("b", {}, say("{n} QSO has two versions.|{n} QSOs have two versions.", { n })),
      " ",
      say("The changes were made on two devices at the same time."),
    ),
    element(
      "button",
      { type: "button", click: () => open(keys[0]) },
      n > 1 ? say("Show the next") : say("Show both"),
    ),
  );
}
