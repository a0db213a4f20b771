// Shows the sections for changes and for deleted QSOs: the acts with their writers and changes, and
// the QSOs that can be restored. Offers undo, which undo.js carries out.
import { day, element, find, findAs, hour, number, typed } from "../../shared/page.js";
import {
  changeItem,
  actFacts,
  actTitle,
  qsoName,
  span,
  totalOf,
  wishSince,
  writerName,
} from "./changes.js";
import { actOf } from "../../shared/lists.js";
import { dayOf, itemOf } from "../../shared/parts/item.js";
import { callsignOf, dayName } from "../../shared/parts/row.js";
import { closeSheet, openSheet } from "../../shared/parts/sheet.js";
import { showPages } from "../../shared/pager.js";
import { formatQuery } from "../../shared/query.js";
import { change, explain, get } from "../../shared/service.js";
import { showToast, TOAST_MS } from "../../shared/toast.js";
import { offerUndo, undoSingle } from "./undo.js";
import { say } from "../../shared/language.js";

/** @import { Act, Member, RemovedQso, Writer } from "../types.js" */
/** @import { Undoing } from "./undo.js" */

const EXAMPLES = 4; // changes that the service adds to each act
const MANY = 200; // changes that a preview can list
let session = ""; // number of this browser's session

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
  const button = element(
    "button",
    { type: "button", class: "danger" },
    writer.kind === "KEY" ? say("Revoke its key first") : say("Revoke its token first"),
  );
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
      place.replaceChildren(say("The program's access is revoked."));
    } catch (refusal) {
      place.append(troubleOf(refusal));
      button.disabled = false;
    }
  });
  return place;
}

/**
 * Marks the row whose details the sheet shows.
 * @param {Element | null} row
 */
function mark(row) {
  for (const one of document.querySelectorAll(".item.chosen")) one.classList.remove("chosen");
  row?.querySelector(".item")?.classList.add("chosen");
}
/**
 * Returns the options for undo.js: the given request and texts, and functions that show the preview
 * for a row of a list.
 * @param {typeof HISTORY} list
 * @param {HTMLElement | null} row
 * @param {Pick<Undoing, "wish" | "title" | "before" | "read">} what
 * @returns {Undoing}
 */
function undoingOf(list, row, what) {
  const closed = (/** @type {boolean} */ hadFocus) => {
    mark(null);
    if (!hadFocus) return;
    const back = row?.isConnected ? row.querySelector("button") : find(`${list.section}-title`);
    back?.focus();
  };
  return {
    ...what,
    ask: change,
    explain,
    show: (parts) => {
      openSheet({ ...parts, closed });
      mark(row);
    },
    close: closeSheet,
    done: async (outcome, { number: act }) => {
      closeSheet();
      await list.show();
      find(`${list.section}-title`).focus();
      tell(outcome, list, act);
    },
  };
}
/**
 * Shows the outcome of an undo, with a button that undoes the undo.
 * @param {string} outcome
 * @param {typeof HISTORY} list
 * @param {string | null} act the number of the undo's act
 */
function tell(outcome, list, act) {
  const again = async () => {
    note.remove();
    const what = { wish: { act }, title: say("Undo these changes?") };
    await orTell(list, undoingOf(list, null, what));
  };
  const note = element(
    "p",
    { class: "note" },
    outcome,
    " ",
    act === null ? null : element("button", { type: "button", click: again }, say("Undo")),
  );
  showToast(note, TOAST_MS);
}
/**
 * Undoes a single change at once, or else shows a preview. If this fails, shows the reason.
 * @param {typeof HISTORY} list
 * @param {Undoing} undoing
 */
async function orTell(list, undoing) {
  try {
    if (!(await undoSingle(undoing))) await offerUndo(undoing);
  } catch (refusal) {
    tell(explain(refusal), list, null);
  }
}

/** @param {Writer | null} writer */
const deviceName = (writer) =>
  writer?.kind === "SESSION" && writer.number === session ? say("this device") : writerName(writer);
/**
 * Returns the options for undoing an act, or everything that its writer has written since then.
 * @param {Act} act
 * @param {HTMLElement | null} row
 * @param {Record<string, unknown>} wish
 * @param {typeof HISTORY} list
 */
function undoingOfAct(act, row, wish, list) {
  const isAct = "act" in wish;
  const where = `${actTitle(act)}, ${span(act.beganAt, act.endedAt)}`;
  return undoingOf(list, row, {
    wish,
    title: act.work === "IMPORT" && isAct ? say("Undo the import?") : say("Undo these changes?"),
    before: [
      element("p", { class: "muted" }, isAct ? typed(where) : typed(writerName(act.writer))),
      offerRevocation(act),
    ],
    ...(isAct && {
      read: async () => (await get(`history/${act.number}?limit=${MANY}`)).items,
    }),
  });
}
/**
 * Shows the preview of an act's undo.
 * @param {Act} act
 * @param {typeof HISTORY} list the section, with a function that shows its content after the undo
 */
export const undoAct = (act, list) => offerUndo(undoingOfAct(act, null, { act: act.number }, list));
/**
 * Shows all changes of an act in the sheet.
 * @param {Act} act
 * @param {HTMLElement | null} row
 * @param {typeof HISTORY} list the section, with a function that shows its content after an undo
 */
export function showAct(act, row, list) {
  const changes = element("div");
  const since = act.tooOld ? null : wishSince(act);
  const button = (
    /** @type {string} */ name,
    /** @type {string} */ kind,
    /** @type {Record<string, unknown>} */ wish,
  ) =>
    element(
      "button",
      { type: "button", class: kind, click: () => offerUndo(undoingOfAct(act, row, wish, list)) },
      name,
    );
  const read = async (/** @type {string} */ query) => {
    const page = await get(`history/${act.number}?${query}`);
    return { ...page, items: page.items.map((one) => changeItem(one, qsoName(one))) };
  };
  const facts = [span(act.beganAt, act.endedAt), deviceName(act.writer)];
  openSheet({
    title: [typed(actTitle(act))],
    body: [
      element("p", { class: "muted" }, typed(facts.join(" · "))),
      changes,
      since && button(say("Undo everything this program has done since then"), "", since),
      list === HISTORY && act.writer
        ? element(
            "p",
            {},
            element(
              "a",
              { href: `${PLACE}?${formatQuery(ofWriter(act.writer))}` },
              say("All changes by this program"),
            ),
          )
        : null,
    ],
    foot: act.tooOld ? [] : [button(say("Undo"), "main", { act: act.number })],
    closed: (hadFocus) => {
      mark(null);
      if (hadFocus) row?.querySelector("button")?.focus();
    },
  });
  mark(row);
  showPages(changes, say("These changes are no longer kept."), read, explain);
}
/** @param {Act} act */
function actItem(act) {
  const title = actTitle(act);
  const undo = () => {
    const undoing = undoingOfAct(act, row, { act: act.number }, HISTORY);
    return totalOf(act) === 1 ? orTell(HISTORY, undoing) : offerUndo(undoing);
  };
  const name = `${title}, ${span(act.beganAt, act.endedAt)}`;
  const row = itemOf({
    lead: element("time", { datetime: act.endedAt }, hour(act.endedAt)),
    name: typed(title),
    line: [...actFacts(act), act.tooOld ? say("Too old to undo.") : null],
    end: [
      element("span", { class: "device" }, typed(deviceName(act.writer))),
      act.tooOld ? null : actOf(say("Undo"), name, undo),
    ],
    open: () => showAct(act, row, HISTORY),
  });
  return row;
}
/**
 * Returns a function that converts a page of acts to list items, with a heading for each new day.
 * The heading shows the number of acts once no further acts of that day can follow.
 */
function byDay() {
  let last = { name: "", count: 0, place: element("span") };
  const end = () => void (last.place.textContent = number(last.count));
  return (/** @type {Act[]} */ acts, /** @type {boolean} */ isLast) => {
    const items = acts.flatMap((act) => {
      const name = dayName(act.endedAt);
      const isNew = name !== last.name;
      if (isNew) {
        end();
        last = { name, count: 0, place: element("span") };
      }
      last.count++;
      return [...(isNew ? [dayOf(name, last.place)] : []), actItem(act)];
    });
    if (isLast) end();
    return items;
  };
}
/** @param {RemovedQso} removed */
function removedItem({ qso, deletedAt, writer, undone }) {
  const name = writerName(writer);
  const restore = () =>
    orTell(
      DELETED,
      undoingOf(DELETED, row, {
        wish: { deleted: true, ids: String(qso.id) },
        title: say("Restore"),
      }),
    );
  const row = itemOf({
    name: callsignOf(qso.callsignWorked),
    line: [
      `${day(qso.qsoAt)}, ${hour(qso.qsoAt)}`,
      undone ? say("undone by {name}", { name }) : say("deleted by {name}", { name }),
      dayName(deletedAt),
    ],
    end: [actOf(say("Restore"), `${qso.callsignWorked ?? ""} ${qso.qsoAt}`, restore)],
  });
  return row;
}

const PLACE = "#profile/history";
/** @param {Writer} writer */
const ofWriter = ({ kind, number }) => ({ writer: kind, ...(number && { number }) });
/** Returns the filter in the address, as the service's parameters. */
const filterInAddress = () => location.hash.split("?")[1] ?? "";
/**
 * Shows the filters as links, so that a filter survives a reload. A writer that is not this device
 * has a link only while the filter is set.
 * @param {Writer | null | undefined} writer the writer of the first act
 */
function showKinds(writer) {
  const filter = filterInAddress();
  const own = session && formatQuery({ writer: "SESSION", number: session });
  const isOther = filter.includes("writer=") && filter !== own;
  /** @type {[query: string, name: string][]} */
  const kinds = [
    ["", say("All")],
    ["kind=created", say("Logged")],
    ["kind=changed", say("Changed")],
    ["kind=deleted", say("Deleted")],
    ["kind=imports", say("Imports")],
    ...(own ? [/** @type {[string, string]} */ ([own, say("This device")])] : []),
    ...(isOther ? [/** @type {[string, string]} */ ([filter, writerName(writer ?? null)])] : []),
  ];
  find("history-kinds").replaceChildren(
    ...kinds.map(([query, name]) =>
      element(
        "a",
        {
          class: "chip",
          href: query ? `${PLACE}?${query}` : PLACE,
          "aria-current": query === filter ? "true" : null,
        },
        typed(name),
      ),
    ),
  );
}
/**
 * Shows the history again after the filter in the address has changed.
 * @param {HashChangeEvent} event
 */
async function followFilter({ oldURL, newURL }) {
  if (![oldURL, newURL].every((url) => new URL(url).hash.split("?")[0] === PLACE)) return;
  closeSheet();
  await showHistory();
  /** @type {HTMLElement | null} */ (
    find("history-kinds").querySelector("[aria-current]")
  )?.focus();
}
/** @param {string} query */
async function readActs(query) {
  const page = await get(
    `history?${[`examples=${EXAMPLES}`, query, filterInAddress()].filter(Boolean).join("&")}`,
  );
  showKinds(page.items[0]?.writer);
  find("history-days").textContent = page.days
    ? say("Kept for {n} day|Kept for {n} days", { n: page.days })
    : say("The operator has switched history off.");
  return page;
}
/**
 * Shows the current history. Can be called repeatedly.
 * @param {Member} [member] given when the section is first shown
 */
export async function showHistory(member) {
  if (member && !session) {
    ({ session } = member);
    window.addEventListener("hashchange", followFilter);
  }
  const itemsOf = byDay();
  showKinds(undefined);
  await showPages(
    find("acts"),
    filterInAddress()
      ? say("No changes of this kind are kept.")
      : say("Nothing has changed since history began."),
    async (query) => {
      const page = await readActs(query);
      return { ...page, items: itemsOf(page.items, page.nextCursor === null) };
    },
    explain,
  );
}
/** Shows the deleted QSOs. Can be called repeatedly. */
export async function showDeleted() {
  findAs("bring-all-back", HTMLButtonElement).onclick = () =>
    offerUndo(undoingOf(DELETED, null, { wish: { deleted: true }, title: say("Restore all") }));
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
const HISTORY = { section: "history", show: () => showHistory() };
const DELETED = { section: "deleted", show: showDeleted };
