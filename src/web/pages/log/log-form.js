// Shows the app's form in a dialog of Logbook. The form is loaded when it is first needed.
import { lastMember } from "../../shared/account.js";
import { element } from "../../shared/page.js";
import { get } from "../../shared/service.js";
import { say, translate } from "../../shared/language.js";
import { loadSheet } from "../site/sections.js";

/** @import { FormPage, Qso } from "../types.js" */

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
/** @param {Qso | null} qso null: new QSOs, until the reader closes the dialog */
export async function openForm(qso) {
  const [{ openDialog }, { Drafts }, { showKept }, { ServerMemory, saveQso }, loaded, me] =
    await Promise.all([
      import("../../shared/dialog.js"),
      import("../../shared/drafts.js"),
      import("../../shared/kept-form.js"),
      import("../../shared/form/server-memory.js"),
      loadForm(),
      get("me"),
      loadSheet("./form.css"),
    ]);
  const { Form, makeClientId, form } = loaded;
  const told = element("div", { role: "log" });
  const before = element("div", { role: "status" });
  const title = element("span");
  const memory = new ServerMemory();
  const drafts = new Drafts(`${lastMember()} log ${me.callsign}`);
  let isOpened = false;
  await openDialog([title], (close) => {
    form
      .querySelector(".keep")
      ?.append(element("button", { type: "button", click: () => close("") }, say("Close")));
    /** @type {FormPage} */
    const page = {
      worked: (call) => memory.worked(call),
      news: (worth) => memory.news(worth),
      home: me.locator,
      isOnline: true,
      drafts,
      makeId: makeClientId,
      keep: async (values) => (await saveQso(values)).faults,
      announce: (text) => told.replaceChildren(element("p", { class: "good" }, text)),
      tell: (text, kind) => told.replaceChildren(element("p", { class: `note ${kind}` }, text)),
      edits: (stored) => {
        title.textContent = stored ? say("Edit QSO") : say("Log a QSO");
        if (isOpened && qso && !stored) close("yes");
      },
    };
    queueMicrotask(() => {
      const shown = new Form(form, page);
      if (qso) shown.edit(qso);
      isOpened = true;
      if (qso ? Object.keys(shown.typed()).length : !shown.isEmpty())
        showKept(before, () => {
          if (!qso) return shown.clear();
          drafts.drop(String(qso.clientId));
          shown.edit(qso);
        });
      form.closest("dialog")?.classList.add("wide");
      shown.fields.find("callsignWorked").focus();
    });
    return [before, element("div", { class: "app" }, form), told];
  });
}
