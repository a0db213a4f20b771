// Adds, changes and deletes QSOs in Logbook. The form is in log-form.js.
import { element, find } from "../../shared/page.js";
import { change, explain, remove } from "../../shared/service.js";
import { readFilter } from "./log-filter.js";
import { onRow } from "./log-rows.js";
import { showToast, UNDO_MS } from "../../shared/toast.js";
import { say } from "../../shared/language.js";
import { openForm } from "./log-form.js";

/** @import { Child, Qso } from "../types.js" */

/**
 * @param {string} kind a class
 * @param {...Child} children
 */
function tell(kind, ...children) {
  const note = element("p", { class: `note ${kind}` }, ...children);
  showToast(find("section-log"), note, UNDO_MS);
  return note;
}
/** @param {() => Promise<void>} work */
async function orTell(work) {
  try {
    await work();
  } catch (refusal) {
    tell("bad", explain(refusal));
  }
}

/** @param {Qso} qso */
async function deleteQso(qso) {
  await remove(`qsos/${qso.clientId}`);
  document.dispatchEvent(new Event("changed"));
  const takeBack = async () => {
    note.remove();
    await change("undo", { deleted: true, ids: qso.id });
    tell("good", say("Restored."));
  };
  const button = element("button", { type: "button", click: () => orTell(takeBack) }, say("Undo"));
  const note = tell(
    "",
    say("Deleted: {callsign}", { callsign: qso.callsignWorked ?? "–" }),
    " ",
    button,
    " ",
    element("a", { href: "#history" }, say("Undo later in the history")),
  );
  button.focus();
}
/** @param {Qso} qso */
function buttonsOf(qso) {
  // without a clientId, only the old program that sent the QSO can identify it
  if (qso.clientId === null) return [];
  /** @type {(name: string, kind: string, work: () => Promise<void>) => HTMLElement} */
  const button = (name, kind, work) =>
    element("button", { type: "button", class: kind, click: () => orTell(work) }, say(name));
  return [
    ...(qso.crossConfirmedAt
      ? [button("Card", "", async () => (await import("../profile/cards.js")).openReceived(qso))]
      : []),
    button("Send a card", "", async () => (await import("../profile/card-send.js")).sendOne(qso)),
    button("Edit", "", () => openForm(qso)),
    button("Delete", "danger", () => deleteQso(qso)),
  ];
}

/** Adds the editing buttons to the section; called once. */
export function showEditing() {
  onRow(buttonsOf);
  find("log-actions").append(
    element(
      "button",
      { type: "button", class: "main", click: () => orTell(() => openForm(null)) },
      say("Log a QSO"),
    ),
  );
  const sendCards = async () =>
    (await import("../profile/card-send.js")).sendFiltered(readFilter());
  find("shown-csv").before(
    element("button", { type: "button", click: () => orTell(sendCards) }, say("Cards")),
  );
}
