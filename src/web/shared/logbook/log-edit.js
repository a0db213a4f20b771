// Changes and deletes QSOs in Logbook: one QSO, or several selected QSOs. The details of a QSO are
// in log-details.js, and the page opens the form.
import { confirmed } from "../dialog.js";
import { element, input, oneAtATime } from "../page.js";
import { detailsOf, showDetails } from "./log-details.js";
import { SelectBar } from "../parts/select-bar.js";
import { callsignOf } from "../parts/row.js";
import { closeSheet, openSheet } from "../parts/sheet.js";
import { DELETED_MS, TOAST_MS, showToast } from "../toast.js";
import { say } from "../language.js";
import { watchKeys } from "./log-keys.js";

/** @import { Book, BookRow, Child, Form, LogbookPage } from "../types.js" */
/** @import { DetailsActs } from "./log-details.js" */
/** @import { QsoRows } from "./log-rows.js" */

/**
 * Returns the row that takes the place of deleted rows; null: no row is left.
 * @param {QsoRows} rows
 * @param {BookRow[]} deleted
 */
function followerOf(rows, deleted) {
  const gone = new Set(deleted.map(({ key }) => key));
  const keys = rows.items.map(({ dataset }) => dataset.id ?? "");
  const last = keys.map((key) => gone.has(key)).lastIndexOf(true);
  const isLeft = (/** @type {string} */ key) => !gone.has(key);
  return keys.slice(last + 1).find(isLeft) ?? keys.slice(0, last).reverse().find(isLeft) ?? null;
}

/**
 * Asks whether to discard the changes in the form, if there are any. Resolves to whether the form
 * can be closed.
 * @param {Form} form
 */
export async function mayLeave(form) {
  if (!Object.keys(form.typed()).length) return true;
  const question = say("Discard your changes?");
  const isDiscarded = await confirmed(
    question,
    [say("Your changes are not saved yet.")],
    say("Discard them"),
  );
  if (isDiscarded) form.clear();
  return isDiscarded;
}

/** Carries out the acts of Logbook's rows and keys. */
export class LogActs {
  /** @type {Map<HTMLElement, () => void>} functions that undo a deletion, by its message */
  undos = new Map();
  isEditing = false; // whether the sheet contains the form

  /**
   * @param {Book} book
   * @param {LogbookPage} page
   */
  constructor(book, page) {
    this.book = book;
    this.page = page;
    this.bar = new SelectBar(page.toasts);
    this.belowOf = page.belowOf;
    this.#watchUndo();
    watchKeys(page.section, {
      "/": () => input("search-text").focus(),
      n: () => this.orTell(() => page.openForm(null)),
    });
  }

  /**
   * Shows a message for a while.
   * @param {string} kind a class
   * @param {number} ms
   * @param {...Child} children
   */
  tell(kind, ms, ...children) {
    const note = element("p", { class: `note ${kind}` }, ...children);
    showToast(note, ms);
    return note;
  }
  /**
   * Does some work. If the work fails, shows the reason.
   * @param {() => Promise<unknown>} work
   */
  async orTell(work) {
    try {
      await work();
    } catch (refusal) {
      this.tell("bad", TOAST_MS, this.book.explain(refusal));
    }
  }

  /**
   * Shows the details of a row.
   * @param {QsoRows} rows
   * @param {string} key
   */
  show(rows, key) {
    const usual = (/** @type {BookRow} */ row) =>
      detailsOf(this.book, row, this.#actsOf(rows, row));
    showDetails(rows, key, (row) => this.page.sheetOf?.(rows, row) ?? usual(row));
  }
  /**
   * Shows the details of a row again after the rows were renewed. A sheet with the form, or with an
   * open menu of a row that still exists, stays unchanged.
   * @param {QsoRows} rows
   * @param {string} key
   */
  renew(rows, key) {
    const isMenuOpen = document.querySelector(".sheet .popover:not([hidden])") !== null;
    if (!this.isEditing && !(isMenuOpen && rows.kept.has(key))) this.show(rows, key);
  }
  /**
   * Opens a row in the form.
   * @param {QsoRows} rows
   * @param {string} key
   */
  edit(rows, key) {
    const row = rows.kept.get(key);
    if (row && row.qso.clientId !== null) this.orTell(() => this.#edit(rows, row));
  }
  /**
   * @param {QsoRows} rows
   * @param {BookRow} row
   */
  async #edit(rows, row) {
    const { key, qso } = row;
    const { chosen } = rows;
    const shown = await this.page.formOf(qso, () => this.show(rows, key));
    if (!shown) return this.page.openForm(qso);
    // The reader has meanwhile opened another row, or closed the details.
    if (rows.chosen !== chosen) return shown.takeBack?.();
    openSheet({
      title: [
        callsignOf(qso.callsignWorked),
        element("small", { class: "muted" }, say("Edit QSO")),
      ],
      body: shown.body,
      mayClose: () => mayLeave(shown.form),
      closed: (hadFocus) => {
        this.isEditing = false;
        shown.takeBack?.();
        rows.choose(null);
        if (hadFocus) rows.focus(key);
      },
    });
    this.isEditing = true;
    rows.choose(key);
  }
  /**
   * Deletes the QSO of a row.
   * @param {QsoRows} rows
   * @param {string} key
   */
  remove(rows, key) {
    const row = rows.kept.get(key);
    if (row) this.orTell(() => this.delete(rows, [row]));
  }
  /**
   * Shows the bar for the selected rows; null: removes the bar.
   * @param {QsoRows} rows
   * @param {string[] | null} keys
   */
  select(rows, keys) {
    if (!keys) return this.bar.hide();
    closeSheet();
    if (!this.bar.isShown) {
      const read = () => [...(rows.selected ?? [])].flatMap((key) => rows.kept.get(key) ?? []);
      const click = oneAtATime(() => this.orTell(() => this.delete(rows, read())));
      const remove = element("button", { type: "button", click }, say("Delete"));
      this.bar.show([...(this.page.buttonsOfSelection?.(read, this) ?? []), remove], () => {
        const focused = rows.node.contains(document.activeElement) || !this.bar.hasFocus;
        rows.select(null);
        if (!focused) rows.focus(rows.stop);
      });
    }
    this.bar.tell(keys.length);
  }
  /**
   * Deletes QSOs. Their rows leave the list, the focus moves to the row that takes their place, and
   * a toast offers to undo the deletion.
   * @param {QsoRows} rows
   * @param {BookRow[]} all
   */
  async delete(rows, all) {
    /**
     * @type {(() => Promise<unknown>)[]} functions that restore the QSOs, beginning with the QSO
     *   that was deleted last
     */
    const restores = [];
    // Without a clientId, the page cannot identify the QSO in its requests.
    const deleted = all.filter(({ qso }) => qso.clientId !== null);
    const next = followerOf(rows, deleted);
    for (const row of deleted) {
      const restore = await this.book.remove(row);
      const { back } = rows.take(row.key); // has no effect if the book has already renewed the rows
      restores.unshift(async () => {
        await restore();
        back();
      });
    }
    if (rows.selected) rows.select(null);
    closeSheet();
    rows.focus(next);
    if (!deleted.length) return;
    const takeBack = async () => {
      note.remove();
      for (const restore of restores) await restore();
      rows.focus(deleted[0].key);
      this.tell("good", TOAST_MS, say("Restored."));
    };
    const undo = () => this.orTell(takeBack);
    const note = this.tell(
      "",
      DELETED_MS,
      deleted.length > 1
        ? say("Deleted {n} QSO|Deleted {n} QSOs", { n: deleted.length })
        : say("Deleted: {callsign}", { callsign: deleted[0].qso.callsignWorked ?? "–" }),
      " ",
      element("button", { type: "button", click: undo }, say("Undo")),
      " ",
      element("a", { href: this.book.undoAddress }, say("Undo later in the history")),
    );
    this.undos.set(note, undo);
  }
  /** Undoes with Ctrl+Z the deletion whose message is shown. */
  #watchUndo() {
    document.addEventListener("keydown", (event) => {
      const { key, target } = event;
      if (key !== "z" || !(event.ctrlKey || event.metaKey)) return;
      if (!(target instanceof Element) || target.matches("input, select, textarea")) return;
      const undo = [...this.undos].find(([note]) => note.isConnected)?.[1];
      if (!undo) return;
      event.preventDefault();
      undo();
    });
  }
  /**
   * Returns the acts that are possible for a QSO.
   * @param {QsoRows} rows
   * @param {BookRow} row
   * @returns {DetailsActs}
   */
  #actsOf(rows, row) {
    const { page } = this;
    const { qso } = row;
    const { historyOf } = page;
    // Without a clientId, the page cannot identify the QSO in its requests.
    if (qso.clientId === null) return { foot: [], further: [], keys: {}, historyOf };
    /** @type {(kind: string, work: () => Promise<void>, ...text: Child[]) => HTMLElement} */
    const button = (kind, work, ...text) => {
      const click = oneAtATime(() => this.orTell(work));
      return element("button", { type: "button", class: kind, click }, ...text);
    };
    const edit = () => this.#edit(rows, row);
    const key = element("kbd", { "aria-hidden": "true" }, "E");
    const [card, ...further] = page.buttonsOf(qso).filter((one) => one !== null);
    return {
      foot: [button("main", edit, say("Edit"), " ", key), card],
      further: [...further, button("bad", () => this.delete(rows, [row]), say("Delete"))],
      keys: { e: () => void this.orTell(edit) },
      historyOf,
    };
  }
}
