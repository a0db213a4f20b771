// Shows the app's form in Logbook: in a dialog for new QSOs, and in the sheet for a stored QSO. The
// form is loaded when it is first needed.
import { lastMember } from "../../shared/account.js";
import { closeSheet } from "../../shared/parts/sheet.js";
import { element, oneAtATime } from "../../shared/page.js";
import { get } from "../../shared/service.js";
import { say, translate } from "../../shared/language.js";
import { loadSheet } from "../site/sections.js";

/** @import { FormPage, Qso, Values } from "../types.js" */

const APP = new URL("../app/", import.meta.url);

/** Loads the form from the app's page, in the reader's language. */
async function loadForm() {
  const [{ Form }, { makeClientId }, answer] = await Promise.all([
    import("../../shared/form/form.js"),
    import("../../shared/qsosync-fields.js"),
    fetch(new URL("index.html", APP)),
  ]);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  translate(page);
  const form = page.querySelector("#form");
  if (!(form instanceof HTMLFormElement)) throw new Error("the app's page has no form");
  return { Form, makeClientId, form: document.adoptNode(form) };
}
/**
 * Prepares the form, with its messages, in a new element.
 * @param {(text: string) => void} announce called when a QSO was saved
 * @param {(stored: Values | null) => void} edits as in FormPage
 */
async function prepareForm(announce, edits) {
  const [{ Drafts }, { showKept }, { ServerMemory, saveQso }, { Form, makeClientId, form }, me] =
    await Promise.all([
      import("../../shared/drafts.js"),
      import("../../shared/kept-form.js"),
      import("../../shared/form/server-memory.js"),
      loadForm(),
      get("me"),
      loadSheet("./form.css"),
    ]);
  const before = element("div", { role: "status" });
  const told = element("div", { role: "log" });
  const memory = new ServerMemory();
  const drafts = new Drafts(`${lastMember()} log ${me.callsign}`);
  /** @type {FormPage} */
  const page = {
    worked: (call) => memory.worked(call),
    news: (worth) => memory.news(worth),
    callsign: me.callsign,
    home: me.locator,
    plan: me.channelPlan ?? "",
    isOnline: true,
    drafts,
    makeId: makeClientId,
    keep: async (values) => (await saveQso(values)).faults,
    announce: (text) => {
      told.replaceChildren();
      announce(text);
    },
    tell: (text, kind) => told.replaceChildren(element("p", { class: `note ${kind}` }, text)),
    edits,
  };
  return {
    form: new Form(form, page),
    body: [before, element("div", { class: "app" }, form), told],
    drafts,
    told,
    /** @param {() => void} discard */
    showKept: (discard) => showKept(before, discard),
  };
}
/** Opens the form for new QSOs in a dialog, until the reader closes the dialog. */
export const openForm = oneAtATime(async () => {
  closeSheet(); // a page has only one form
  const [{ openDialog }, { body, form, told, showKept }] = await Promise.all([
    import("../../shared/dialog.js"),
    prepareForm(
      (text) => told.append(element("p", { class: "good" }, text)),
      () => {},
    ),
  ]);
  if (!form.isEmpty()) showKept(() => form.clear());
  await openDialog(
    say("Log a QSO"),
    (close) => {
      form.form
        .querySelector(".keep")
        ?.append(element("button", { type: "button", click: () => close("") }, say("Close")));
      queueMicrotask(() => form.fields.find("callsignWorked").focus());
      return body;
    },
    "wide",
  );
});
/**
 * Prepares the form for a stored QSO, to be shown in the sheet.
 * @param {Qso} qso
 * @param {() => void} ended called when the QSO is saved, or the changes are discarded
 * @param {(text: string) => void} announce called when the QSO was saved
 */
export async function formOf(qso, ended, announce) {
  let isEditing = false;
  const { body, drafts, form, showKept } = await prepareForm(announce, (stored) => {
    const hasEnded = isEditing && !stored;
    isEditing = stored !== null;
    if (hasEnded) ended();
  });
  form.edit(qso);
  if (Object.keys(form.typed()).length)
    showKept(() => {
      drafts.drop(String(qso.clientId));
      form.edit(qso);
    });
  return { form, body };
}
