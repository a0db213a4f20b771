// Adds, changes and deletes QSOs in Logbook. The form is in log-form.js, and the details of a QSO
// are in log-details.js.
import { element, find, input } from "../../shared/page.js";
import { change, explain, remove } from "../../shared/service.js";
import { readFilter } from "./log-filter.js";
import { showDetails } from "./log-details.js";
import { onRow } from "./log-rows.js";
import { closeSheet } from "../../shared/parts/sheet.js";
import { showToast, UNDO_MS } from "../../shared/toast.js";
import { say } from "../../shared/language.js";
import { openForm } from "./log-form.js";
import { watchKeys } from "./log-keys.js";

/** @import { Child, Qso } from "../types.js" */
/** @import { DetailsActs } from "./log-details.js" */
/** @import { QsoRows } from "./log-rows.js" */

const UNDO_DELETE_MS = 30000;
/** @type {{note: HTMLElement, takeBack: () => void} | null} the last deletion */
let last = null;

/**
 * @param {string} kind a class
 * @param {number} ms
 * @param {...Child} children
 */
function tell(kind, ms, ...children) {
  const note = element("p", { class: `note ${kind}` }, ...children);
  showToast(find("section-log"), note, ms);
  return note;
}
/** @param {() => Promise<void>} work */
async function orTell(work) {
  try {
    await work();
  } catch (refusal) {
    tell("bad", UNDO_MS, explain(refusal));
  }
}

/**
 * Deletes a QSO. Its row leaves the list, the focus moves to the row that takes its place, and a
 * toast offers to undo the deletion.
 * @param {QsoRows} rows
 * @param {Qso} qso
 */
async function deleteQso(rows, qso) {
  await remove(`qsos/${qso.clientId}`);
  const { next, back } = rows.take(String(qso.id));
  closeSheet();
  rows.focus(next);
  document.dispatchEvent(new Event("changed"));
  const takeBack = async () => {
    note.remove();
    await change("undo", { deleted: true, ids: qso.id });
    back();
    rows.focus(String(qso.id));
    tell("good", UNDO_MS, say("Restored."));
  };
  const note = tell(
    "",
    UNDO_DELETE_MS,
    say("Deleted: {callsign}", { callsign: qso.callsignWorked ?? "–" }),
    " ",
    element("button", { type: "button", click: () => orTell(takeBack) }, say("Undo")),
    " ",
    element("a", { href: "#history" }, say("Undo later in the history")),
  );
  last = { note, takeBack: () => orTell(takeBack) };
}
/** Undoes the last deletion with Ctrl+Z, as long as its message is shown. */
function watchUndo() {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (key !== "z" || !(event.ctrlKey || event.metaKey) || !last?.note.isConnected) return;
    if (!(target instanceof Element) || target.matches("input, select, textarea")) return;
    event.preventDefault();
    last.takeBack();
  });
}
/**
 * Returns what can be done with a QSO.
 * @param {QsoRows} rows
 * @param {Qso} qso
 * @returns {DetailsActs}
 */
function actsOf(rows, qso) {
  // without a clientId, only the old program that sent the QSO can identify it
  if (qso.clientId === null) return { foot: [], further: [], keys: {} };
  /** @type {(name: string, kind: string, work: () => Promise<void>) => HTMLElement} */
  const button = (name, kind, work) =>
    element("button", { type: "button", class: kind, click: () => orTell(work) }, say(name));
  const edit = () => openForm(qso);
  return {
    foot: [button("Edit", "main", edit), button("Delete", "danger", () => deleteQso(rows, qso))],
    further: [
      ...(qso.crossConfirmedAt
        ? [button("Card", "", async () => (await import("../profile/cards.js")).openReceived(qso))]
        : []),
      button("Send a card", "", async () => (await import("../profile/card-send.js")).sendOne(qso)),
    ],
    keys: { e: () => void orTell(edit) },
  };
}

/** Adds the editing buttons to the section; called once. */
export function showEditing() {
  onRow({
    show: (rows, id) => showDetails(rows, id, (qso) => actsOf(rows, qso)),
    edit: (rows, id) => {
      const kept = rows.kept.get(id);
      if (kept && kept.qso.clientId !== null) orTell(() => openForm(kept.qso));
    },
  });
  find("log-actions").append(
    element(
      "button",
      {
        type: "button",
        class: "main",
        click: () => orTell(() => openForm(null)),
      },
      say("Log a QSO"),
    ),
  );
  watchUndo();
  watchKeys({
    "/": () => input("search-text").focus(),
    n: () => orTell(() => openForm(null)),
  });
  const sendCards = async () =>
    (await import("../profile/card-send.js")).sendFiltered(readFilter());
  find("shown-files").parentElement?.before(
    element("button", { type: "button", click: () => orTell(sendCards) }, say("Cards")),
  );
}
