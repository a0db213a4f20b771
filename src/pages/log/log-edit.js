// Adds, changes and deletes QSOs in My log, with the app's form in a dialog. The form is loaded
// when it is first needed.
import { lastMember } from "../site/account.js";
import { element, find } from "../site/page.js";
import { formatQuery } from "../site/query.js";
import { change, explain, get, remove } from "../site/service.js";
import { readFilter } from "./log-filter.js";
import { onRow } from "./log-list.js";
import { loadSheet } from "../site/sections.js";
import { UNDO_MS, showToast } from "../site/toast.js";
import { spotBandOf } from "../cluster/spot-qso.js";
import { say, translate } from "../site/language.js";

/** @import { Child, FormPage, Qso, SpotWorth, Values } from "../site/types.js" */

const APP = new URL("../app/", import.meta.url);

// -- the app's form -------------------------------------------------------------------------------

/** Loads the form from the app's page, in the reader's language. */
async function loadForm() {
  const [{ Form }, { makeClientId }, answer] = await Promise.all([
    import("../../app/views/form.js"),
    import("../../app/qsosync-fields.js"),
    fetch(new URL("index.html", APP)),
  ]);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  translate(page);
  const form = page.querySelector("#form");
  if (!(form instanceof HTMLFormElement)) throw new Error("the app's page has no form");
  loadSheet("../app/app.css");
  return { Form, makeClientId, form: document.adoptNode(form) };
}
/**
 * The field that a rejection names, and the reason. Sentences from the service begin with the
 * field.
 * @param {string} error
 */
async function faultOf(error) {
  const { REJECTIONS } = await import("./rejections.js");
  const named = REJECTIONS[error]?.[0]?.split(" ")[0];
  const [first, ...rest] = error.split(" ");
  return /** @type {[string, string]} */ (
    Object.hasOwn(REJECTIONS, error) ? [named ?? "", error] : [first, rest.join(" ")]
  );
}
/** @param {Values} values */
async function keep(values) {
  const { results } = await change("qsos", { entries: [values] });
  if (!results[0].error) return new Map();
  const [field, reason] = await faultOf(results[0].error);
  if (!Object.hasOwn(values, field)) throw new Error(results[0].error);
  return new Map([[field, reason]]);
}
/** Lookups for the form while somebody types; the form works even without an answer. */
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
        import("../cluster/cluster-needed.js"),
        asked,
      ]);
      const band = spotBandOf(worth.band);
      return neededOfSpot({ ...worth, band }, answer && knowWorked(answer));
    },
  };
}

// -- the dialog -----------------------------------------------------------------------------------

/** @param {Qso | null} qso null: new QSOs, until the reader closes the dialog */
async function openForm(qso) {
  const [{ openDialog }, { Drafts }, { showKept }, { Form, makeClientId, form }, me] =
    await Promise.all([
      import("../site/dialog.js"),
      import("../site/drafts.js"),
      import("../site/kept-form.js"),
      loadForm(),
      get("me"),
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

// -- actions on a QSO -----------------------------------------------------------------------------

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
  // a QSO from an early version; only programs of that time can identify it
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
