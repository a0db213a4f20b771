// Undoes writes to a log, and restores deleted QSOs: shows a preview, and then a button for the
// action. The member's page lists QSOs; the operator's page only counts them.
import { day, element, hour, number, typed } from "../../shared/page.js";
import { itemOf } from "../../shared/parts/item.js";
import { callsignOf } from "../../shared/parts/row.js";
import { shortChange, writerName } from "./changes.js";
import { say } from "../../shared/language.js";

/** @import { Change, Child, LeftCause, UndoAnswer } from "../types.js" */
/**
 * @typedef {object} Undoing
 * @property {(path: "undo" | "undo/preview", wish: object) => Promise<UndoAnswer>} ask
 * @property {(refusal: unknown) => string} explain
 * @property {Record<string, unknown>} wish identifies the changes to undo; `deleted` restores
 *   deleted QSOs
 * @property {string} title
 * @property {Child[]} [before] shown above the preview
 * @property {() => Promise<Change[]>} [read] reads the first changes to undo
 * @property {() => Promise<boolean>} [confirm] asks for confirmation
 * @property {(parts: {title: Child[], body: Child[], foot: HTMLElement[]}) => void} show
 * @property {() => void} close called when the reader cancels
 * @property {(outcome: string, answer: UndoAnswer) => Promise<void>} done shows the new state
 */

const SHOWN = 3; // QSOs shown per group until the reader asks for more

/**
 * Runs all steps of one undo, and shows the progress.
 * @param {Undoing["ask"]} ask
 * @param {"undo" | "undo/preview"} path
 * @param {object} wish
 * @param {HTMLElement} place
 */
async function run(ask, path, wish, place = element("div")) {
  const bar = element("progress", { max: "1", value: "0" });
  const text = element("span");
  place.replaceChildren(element("p", { role: "status" }, element("label", {}, text, " ", bar)));
  /** @type {NonNullable<UndoAnswer["leftItems"]>} */
  const left = [];
  /** @type {string | null} */
  let state = null;
  /** @type {LeftCause[]} */
  const causes = [];
  for (;;) {
    /** @type {UndoAnswer} */
    const answer = await ask(path, { ...wish, ...(state === null ? {} : { state }) });
    left.push(...(answer.leftItems ?? []));
    causes.push(...(answer.leftCauses ?? []));
    bar.max = answer.total || 1;
    bar.value = answer.done;
    text.textContent = say("{done} of {all}", {
      done: number(answer.done),
      all: number(answer.total),
    });
    state = answer.state;
    if (state === null) return { ...answer, leftItems: left, leftCauses: causes };
  }
}
/** @param {UndoAnswer} answer */
function outcomeOf({ restored, deleted, left }) {
  const parts = [
    restored ? say("{count} restored", { count: number(restored) }) : null,
    deleted ? say("{count} deleted", { count: number(deleted) }) : null,
    left
      ? say("{count} skipped because someone else changed them later", {
          count: number(left),
        })
      : null,
  ].filter(Boolean);
  return parts.length ? `${say("Done:")} ${parts.join(", ")}.` : say("Nothing left to undo.");
}
/** @param {LeftCause} cause */
function causeOf({ reason, writer }) {
  return reason === "CLIENT_ID_IN_USE"
    ? say("another QSO now has its ID")
    : say("changed later by {name}", { name: writerName(writer) });
}
/** @param {{qsoAt: string}} qso */
const when = ({ qsoAt }) => `${day(qsoAt)}, ${hour(qsoAt)}`;
/**
 * Returns a button that looks like a link.
 * @param {string} text
 * @param {(button: HTMLButtonElement) => void} press
 */
function linkOf(text, press) {
  const button = element("button", { type: "button", class: "link" }, text);
  button.addEventListener("click", () => press(button));
  return button;
}
/**
 * Returns a group of QSOs with a heading. Without rows, only the heading is shown.
 * @param {string} title
 * @param {HTMLElement[]} rows
 * @param {number} total
 * @param {HTMLElement | null} end
 */
function groupOf(title, rows, total, end = null) {
  const list = element("ul", { class: "items" });
  const show = (/** @type {number} */ count) => {
    list.replaceChildren(...rows.slice(0, count));
    const rest = total - Math.min(count, rows.length);
    if (count > SHOWN && rest)
      list.append(element("li", { class: "muted" }, say("and {n} more", { n: rest })));
  };
  show(SHOWN);
  const more =
    rows.length > SHOWN
      ? linkOf(say("Show them"), (button) => {
          show(rows.length);
          button.remove();
        })
      : null;
  return element(
    "section",
    { class: "group" },
    element("div", { class: "row" }, element("h3", {}, title), end ?? more),
    list,
  );
}
/**
 * Returns the groups of QSOs that the undo deletes or changes back.
 * @param {UndoAnswer} preview
 * @param {Change[]} changes the first changes to undo
 * @param {boolean} isOfDeleted
 */
function groupsOf({ restored, deleted, leftItems = [] }, changes, isOfDeleted) {
  const staying = new Set(leftItems.map(({ id }) => id));
  const rowOf = (/** @type {Change} */ one) =>
    itemOf({
      name: callsignOf(one.callsignWorked),
      line: [when(one)],
      end: one.kind === "CHANGED" && one.fields.length ? [shortChange(one.fields, true)] : [],
    });
  const rowsOf = (/** @type {boolean} */ isNew) =>
    changes.filter(({ id, kind }) => !staying.has(id) && (kind === "CREATED") === isNew).map(rowOf);
  const [gone, back] = [rowsOf(true), rowsOf(false)];
  return [
    deleted
      ? groupOf(
          say("{n} QSO will be deleted|{n} QSOs will be deleted", { n: deleted }),
          gone,
          deleted,
        )
      : null,
    restored
      ? groupOf(
          isOfDeleted
            ? say("{n} QSO will be restored|{n} QSOs will be restored", { n: restored })
            : say("{n} QSO will get its old values back|{n} QSOs will get their old values back", {
                n: restored,
              }),
          back,
          restored,
        )
      : null,
  ];
}
/**
 * The QSOs that the undo skips, unless the reader chooses them: somebody else changed the QSO
 * later, or another QSO now has its ID.
 */
class Staying {
  isAll = false;
  /** @type {Set<string>} */
  ids = new Set();

  /**
   * @param {UndoAnswer} preview
   * @param {() => void} changed
   */
  constructor({ left, leftItems = [], leftCauses = [] }, changed) {
    this.left = left;
    this.changed = changed;
    const rows = leftItems.length
      ? leftItems.map((item) => this.#rowOf(item))
      : this.#countsOf(leftCauses);
    const all = linkOf(say("Undo all of them, too"), (button) => {
      this.isAll = !this.isAll;
      this.#press(button, this.isAll);
      for (const one of this.node?.querySelectorAll(".end") ?? [])
        one.toggleAttribute("hidden", this.isAll);
      changed();
    });
    /** @type {HTMLElement | null} */
    this.node = left
      ? groupOf(
          say("{n} QSO stays|{n} QSOs stay", { n: left }),
          rows,
          left,
          left > 1 || !leftItems.length ? all : null,
        )
      : null;
    if (rows.length > SHOWN) this.node?.querySelector("ul")?.replaceChildren(...rows);
  }
  /** @param {HTMLButtonElement} button @param {boolean} isOn */
  #press(button, isOn) {
    button.setAttribute("aria-pressed", String(isOn));
  }
  /** @param {NonNullable<UndoAnswer["leftItems"]>[number] & Partial<LeftCause>} item */
  #rowOf(item) {
    const { id, reason = "CHANGED", writer } = item;
    return itemOf({
      name: callsignOf(item.callsignWorked),
      line: [when(item), causeOf({ reason, writer })],
      end: [
        linkOf(say("Undo it, too"), (button) => {
          if (!this.ids.delete(id)) this.ids.add(id);
          this.#press(button, this.ids.has(id));
          this.changed();
        }),
      ],
    });
  }
  /** @param {LeftCause[]} causes */
  #countsOf(causes) {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const cause of causes) {
      const text = causeOf(cause);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    return [...counts].map(([text, count]) => itemOf({ name: typed(text), end: [number(count)] }));
  }
  get count() {
    return this.isAll ? this.left : this.ids.size;
  }
  get include() {
    return this.isAll ? "all" : [...this.ids].join(" ");
  }
}
/**
 * Undoes a change without showing the preview, if exactly one QSO is affected and nobody else has
 * changed it later. Returns whether the change was undone.
 * @param {Undoing} undoing
 */
export async function undoSingle({ ask, wish, done }) {
  const preview = await run(ask, "undo/preview", wish);
  if (preview.left || preview.restored + preview.deleted !== 1) return false;
  const answer = await run(ask, "undo", { ...wish, through: preview.through });
  await done(outcomeOf(answer), answer);
  return true;
}
/**
 * Shows a preview, and then a button for the action.
 * @param {Undoing} undoing
 */
export async function offerUndo(undoing) {
  const { ask, explain, wish, before = [], read, confirm, show, close, done } = undoing;
  /** @param {unknown} refusal */
  const troubleOf = (refusal) =>
    element("p", { class: "note bad", role: "alert" }, explain(refusal));
  const title = [undoing.title];
  const progress = element("div");
  const cancel = element("button", { type: "button", click: close }, say("Cancel"));
  show({ title, body: [progress], foot: [cancel] });
  try {
    const [preview, changes] = await Promise.all([
      run(ask, "undo/preview", wish, progress),
      read?.() ?? [],
    ]);
    const certain = preview.restored + preview.deleted;
    if (!certain && !preview.left) {
      const nothing = wish.deleted ? say("No deleted QSOs") : say("Nothing left to undo.");
      return show({ title, body: [element("p", {}, nothing)], foot: [cancel] });
    }
    const start = element("button", { type: "button", class: "main" });
    const name = () => {
      const n = certain + staying.count;
      start.disabled = !n;
      start.textContent = wish.deleted
        ? say("Restore {n} QSO|Restore {n} QSOs", { n })
        : say("Undo {n} change|Undo {n} changes", { n });
    };
    const staying = new Staying(preview, name);
    name();
    start.addEventListener("click", async () => {
      if (confirm && !(await confirm())) return;
      const { include } = staying;
      start.disabled = cancel.disabled = true;
      try {
        const { through } = preview;
        const all = { ...wish, through, ...(include ? { include } : {}) };
        const answer = await run(ask, "undo", all, progress);
        await done(outcomeOf(answer), answer);
      } catch (refusal) {
        progress.replaceChildren(
          troubleOf(refusal),
          element("p", {}, say("The changes undone so far are in the list.")),
        );
        start.disabled = cancel.disabled = false;
      }
    });
    progress.replaceChildren();
    const groups = groupsOf(preview, changes, Boolean(wish.deleted));
    show({
      title,
      body: [...before, ...groups, staying.node, progress],
      foot: [start, cancel],
    });
  } catch (refusal) {
    show({ title, body: [troubleOf(refusal)], foot: [cancel] });
  }
}
