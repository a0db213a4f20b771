// The sections for changes and for deleted QSOs: who wrote to the log, and what each act changed.
// Offers undo, which undo.js carries out.
import { day, element, find, findAs, typed } from "../../shared/page.js";
import { itemOf } from "../../shared/lists.js";
import { showPages } from "../../shared/pager.js";
import { change, explain, get } from "../../shared/service.js";
import { actName, changeItem, hours, qsoName, span, undoButtons, writerName } from "./changes.js";
import { offerUndo } from "./undo.js";
import { say } from "../../shared/language.js";

/** @import { Act, Child, RemovedQso } from "../types.js" */

/** @param {unknown} refusal */
function troubleOf(refusal) {
  return element("p", { class: "note bad", role: "alert" }, explain(refusal));
}

/** @type {Record<string, string>} */
const REVOKED_AT = { KEY: "keys", TOKEN: "tokens" };
/**
 * Offers to revoke the writer's key or token, because the program could send its own version of the
 * QSOs again.
 * @param {Act} act
 */
function offerRevocation({ writer }) {
  if (!writer || writer.revoked || !Object.hasOwn(REVOKED_AT, writer.kind)) return null;
  const place = element("div", { class: "note warn" });
  const button = element("button", { type: "button", class: "danger" }, say("Revoke it first"));
  place.append(
    element(
      "p",
      {},
      say("The program can still write and may send its version again:"),
      " ",
      typed(writerName(writer)),
    ),
    button,
  );
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await change(`${REVOKED_AT[writer.kind]}/${writer.number}/revoke`);
      place.replaceChildren(say("It is revoked."));
    } catch (refusal) {
      place.append(troubleOf(refusal));
      button.disabled = false;
    }
  });
  return place;
}

/**
 * @param {HTMLElement} place
 * @param {object} wish
 * @param {typeof HISTORY} list the list that contains the place
 * @param {Child} [before] shown above the preview
 */
function offer(place, wish, list, before) {
  return offerUndo(place, {
    ask: change,
    explain,
    wish,
    before,
    done: async (outcome) => {
      await list.show();
      find(`${list.section}-done`).textContent =
        `${outcome} ${say("You can undo this, too. It is now under Changes and undo.")}`;
      find(`${list.section}-title`).focus();
    },
  });
}

/** @param {Act} act */
function actItem(act) {
  const place = element("div", { class: "undo" });
  const changes = element("div");
  const { ofAct, ofWriter } = undoButtons(act, (wish) =>
    offer(place, wish, HISTORY, offerRevocation(act)),
  );
  const details = element(
    "details",
    {},
    element("summary", {}, say("What changed")),
    element("div", { class: "buttons" }, ofWriter),
    changes,
  );
  details.addEventListener("toggle", () => {
    if (!details.open || changes.children.length) return;
    const read = async (/** @type {string} */ query) => {
      const page = await get(`history/${act.number}?${query}`);
      return { ...page, items: page.items.map((one) => changeItem(one, qsoName(one))) };
    };
    showPages(changes, say("It is no longer kept."), read, explain);
  });
  const parts = [hours(act.beganAt, act.endedAt), act.tooOld ? say("Too old to undo.") : ""];
  return itemOf(actName(act), parts, ofAct, details, place);
}
/** Returns a function that converts an act to list items, with a heading for each new day. */
function byDay() {
  let last = "";
  return (/** @type {Act} */ act) => {
    const name = day(act.endedAt);
    const heading = name === last ? [] : [element("li", { class: "day" }, element("h3", {}, name))];
    last = name;
    return [...heading, actItem(act)];
  };
}
/** @param {RemovedQso} removed */
function removedItem({ qso, deletedAt, writer, undone }) {
  const place = element("div", { class: "undo" });
  const text = say("Restore");
  return itemOf(
    qsoName(qso),
    [
      undone
        ? say("undone by {name}", { name: writerName(writer) })
        : say("deleted by {name}", { name: writerName(writer) }),
      span(deletedAt, deletedAt),
    ],
    element(
      "button",
      {
        type: "button",
        "aria-label": `${text}: ${qso.callsignWorked ?? ""} ${qso.qsoAt}`,
        click: () => offer(place, { deleted: true, ids: String(qso.id) }, DELETED),
      },
      text,
    ),
    place,
  );
}

/** @param {string} query */
async function readActs(query) {
  const page = await get(`history?${query}`);
  find("history-days").textContent = page.days
    ? say("Changes and deletions are kept for {n} days.", { n: page.days })
    : say("The operator has switched history off.");
  return page;
}
/** Shows the current history. Can be called repeatedly. */
export async function showHistory() {
  find("history-done").textContent = "";
  const items = byDay();
  await showPages(
    find("acts"),
    say("Nothing has changed since history began."),
    async (query) => {
      const page = await readActs(query);
      return { ...page, items: page.items.flatMap(items) };
    },
    explain,
  );
}
/** Shows the deleted QSOs. Can be called repeatedly. */
export async function showDeleted() {
  find("deleted-done").textContent = "";
  find("undo-deleted").replaceChildren();
  findAs("bring-all-back", HTMLButtonElement).onclick = () =>
    offer(find("undo-deleted"), { deleted: true }, DELETED);
  await showPages(
    find("deleted-qsos"),
    say("No deleted QSOs"),
    async (query) => {
      const page = await get(`deleted?${query}`);
      find("bring-all").hidden = page.deleted === 0;
      return { ...page, items: page.items.map(removedItem) };
    },
    explain,
  );
}
const HISTORY = { section: "history", show: showHistory };
const DELETED = { section: "deleted", show: showDeleted };
