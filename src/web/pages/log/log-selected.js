// Creates the buttons for selected QSOs in Logbook, in addition to Delete. The buttons mark QSL
// cards as sent or received, create cards, and download the QSOs.
import { element, oneAtATime } from "../../shared/page.js";
import { popoverOf } from "../../shared/parts/chips.js";
import { formatQuery } from "../../shared/query.js";
import { inLog } from "../../shared/service.js";
import { TOAST_MS } from "../../shared/toast.js";
import { learn, say } from "../../shared/language.js";

/** @import { BookRow, LogActs } from "../types.js" */

const EXPORT_MAX = 500;

/**
 * Marks the QSOs' cards as sent or received, and shows a message with a button that undoes the
 * marking.
 * @param {LogActs} acts
 * @param {BookRow[]} rows
 * @param {"qslSent" | "qslReceived"} field
 */
async function markCards(acts, rows, field) {
  const [{ write }] = await Promise.all([import("../profile/card-mark.js"), learn("cards")]);
  const qsos = rows.map(({ qso }) => qso).filter(({ clientId }) => clientId !== null);
  const before = new Map(qsos.map((qso) => [qso.id, qso[field]]));
  const marked = await write(qsos, () => ({ [field]: true }));
  const undo = async () => {
    note.remove();
    await write(marked, ({ id }) => ({ [field]: before.get(id) }));
    acts.tell("good", TOAST_MS, say("Restored."));
  };
  const note = acts.tell(
    "",
    TOAST_MS,
    field === "qslSent"
      ? say("{n} QSO is marked as sent.|{n} QSOs are marked as sent.", { n: marked.length })
      : say("{n} QSO is marked as received.|{n} QSOs are marked as received.", {
          n: marked.length,
        }),
    " ",
    element("button", { type: "button", click: () => acts.orTell(undo) }, say("Undo")),
  );
}
/**
 * @param {LogActs} acts
 * @param {BookRow[]} rows
 */
async function download(acts, rows) {
  if (rows.length > EXPORT_MAX) {
    acts.tell("bad", TOAST_MS, say("Select at most 500 QSOs to export them."));
    return;
  }
  const ids = rows.map(({ qso }) => qso.id);
  const href = `data/${inLog(`export.adi?${formatQuery({ ids: ids.join(" ") })}`)}`;
  element("a", { href, download: "" }).click();
}

/**
 * Returns the buttons for selected QSOs.
 * @param {() => BookRow[]} read returns the selected rows
 * @param {LogActs} acts
 */
export function buttonsOfSelection(read, acts) {
  /** @type {(text: string, work: () => Promise<void>) => HTMLButtonElement} */
  const button = (text, work) =>
    element("button", { type: "button", click: oneAtATime(() => acts.orTell(work)) }, text);
  const qsl = element("button", { type: "button" }, say("QSL"));
  /** @type {(text: string, field: "qslSent" | "qslReceived") => HTMLButtonElement} */
  const mark = (text, field) =>
    button(text, () => {
      close();
      return markCards(acts, read(), field);
    });
  const choices = element(
    "span",
    { class: "popover" },
    element(
      "span",
      { class: "choices-of" },
      mark(say("QSL sent"), "qslSent"),
      mark(say("QSL received"), "qslReceived"),
    ),
  );
  const place = element("span", { class: "chip-of" }, qsl, choices);
  const close = popoverOf(qsl, choices);
  return [
    place,
    button(say("Cards"), async () => {
      const { sendThese } = await import("../profile/card-send.js");
      await sendThese(read().map(({ qso }) => qso));
    }),
    button(say("Export"), () => download(acts, read())),
  ];
}
