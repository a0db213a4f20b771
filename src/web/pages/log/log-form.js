// Shows the app's form in a dialog of Logbook. The form is loaded when it is first needed.
import { lastMember } from "../../shared/account.js";
import { element } from "../../shared/page.js";
import { formatQuery } from "../../shared/query.js";
import { change, get } from "../../shared/service.js";
import { spotBandOf } from "../../shared/words/spot-qso.js";
import { say, translate } from "../../shared/language.js";
import { loadSheet } from "../site/sections.js";

/** @import { FormPage, Qso, SpotWorth, Values } from "../types.js" */

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
 * Saves a QSO. Resolves to the invalid field with its fault (a code or a sentence); empty: the QSO
 * was saved.
 * @param {Values} values
 */
async function keep(values) {
  const { results } = await change("qsos", { entries: [values] });
  const { error, field } = results[0];
  if (!error) return new Map();
  if (!field || !Object.hasOwn(values, field)) throw new Error(error);
  // A sentence begins with the field's name, which the form shows anyway.
  return new Map([[field, error.startsWith(`${field} `) ? error.slice(field.length + 1) : error]]);
}
/**
 * Returns the functions with which the form looks up data while somebody types. The form works even
 * without answers.
 */
function createMemory() {
  const asked = get("worked").catch(() => null);
  return {
    /** @param {string} call */
    worked: (call) =>
      get(`qsos?${formatQuery({ limit: 50, callsign: call, sort: "callsign" })}`).then(
        ({ items }) => items,
        () => [],
      ),
    /** @param {SpotWorth} worth */
    news: async (worth) => {
      const [{ knowWorked, neededOfSpot }, answer] = await Promise.all([
        import("../../shared/awards/cluster-needed.js"),
        asked,
      ]);
      const band = spotBandOf(worth.band);
      return neededOfSpot({ ...worth, band }, answer && knowWorked(answer));
    },
  };
}

/** @param {Qso | null} qso null: new QSOs, until the reader closes the dialog */
export async function openForm(qso) {
  const [{ openDialog }, { Drafts }, { showKept }, { Form, makeClientId, form }, me] =
    await Promise.all([
      import("../../shared/dialog.js"),
      import("../../shared/drafts.js"),
      import("../../shared/kept-form.js"),
      loadForm(),
      get("me"),
      loadSheet("./form.css"),
    ]);
  const told = element("div", { role: "log" });
  const before = element("div", { role: "status" });
  const title = element("span");
  const drafts = new Drafts(`${lastMember()} log ${me.callsign}`);
  let isOpened = false;
  await openDialog([title], (close) => {
    form
      .querySelector(".keep")
      ?.append(element("button", { type: "button", click: () => close("") }, say("Close")));
    /** @type {FormPage} */
    const page = {
      ...createMemory(),
      home: me.locator,
      isOnline: true,
      drafts,
      makeId: makeClientId,
      keep,
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
