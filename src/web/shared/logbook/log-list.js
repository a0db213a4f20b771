// Shows Logbook's list of QSOs, which is loaded page by page and can be printed. The filter selects
// the QSOs, and log-rows.js creates their rows.
import { element, find, number } from "../page.js";
import { popoverOf } from "../parts/chips.js";
import { formatQuery } from "../query.js";
import { chipsToRemove, describe, readFilter, readPart } from "./log-filter.js";
import { say } from "../language.js";
import { QsoRows } from "./log-rows.js";

/** @import { BookPage } from "../types.js" */
/** @import { Acts } from "./log-rows.js" */

const PRINTED_MAX = 1000;

export class QsoList {
  latest = 0; // number of the newest list; answers for older lists are dropped
  /**
   * @type {() => Promise<boolean>} loads further rows; resolves to false if the last row is loaded,
   *   or an error occurs
   */
  bringMore = async () => false;

  question = ""; // the filter of the shown rows
  reach = 0; // number of rows requested so far for the filter
  /** @type {(found: BookPage) => void} called for each part of a page */
  heard = () => {};

  more = element("button", { type: "button" }, say("Show more"));
  trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  none = element("div", { class: "lone", hidden: true });

  /** @param {Acts} acts */
  constructor(acts) {
    this.book = acts.book;
    this.rows = new QsoRows(say("QSOs"), acts);
    const files = document.getElementById("shown-files");
    if (files instanceof HTMLButtonElement) {
      popoverOf(files, /** @type {HTMLElement} */ (files.nextElementSibling));
      find("shown-print").addEventListener("click", () => this.print());
    }
    find("select-open").addEventListener("click", () => {
      if (this.rows.selected) return this.rows.select(null);
      this.rows.select([]);
      this.rows.focus(this.rows.stop);
    });
    this.more.addEventListener("click", () => this.bringMore());
  }
  /**
   * Shows the QSOs that match the filter. The current rows stay until these QSOs arrive. A renewed
   * list keeps about the same number of rows, the focus, and the open details of a QSO.
   */
  async show() {
    const mine = ++this.latest;
    const place = find("qsos");
    const { book, rows, more, trouble, none } = this;
    const wish = readFilter();
    const question = formatQuery(wish);
    const isAgain = question === this.question;
    const hasDays = /^-?time$/.test(wish.get("sort") ?? "time");
    let most = Math.min(isAgain ? Math.max(book.size, this.reach) : book.size, book.sizeMax);
    /** @type {string | null} */
    let after = null;
    const add = async () => {
      more.disabled = true;
      if (!isAgain) place.setAttribute("aria-busy", "true");
      let goesOn = false;
      try {
        const isFirst = after === null;
        for await (const found of book.search(wish, most, after)) {
          if (mine !== this.latest) return false;
          if (found.back && (isAgain || !isFirst)) continue; // the current rows stay until the end
          goesOn = found.next !== null;
          rows.showQsos(found.rows, { isFirst, isLast: !goesOn, hasDays });
          this.question = question;
          after = found.next;
          none.hidden = rows.kept.size > 0 || Boolean(found.back);
          if (!none.hidden) this.#tellNone();
          if (!rows.node.isConnected) place.replaceChildren(rows.node, none, trouble, more);
          this.heard(found);
        }
        this.reach = isFirst ? most : this.reach + most;
        most = book.size;
        more.hidden = !goesOn;
        trouble.hidden = true;
      } catch (refusal) {
        if (mine !== this.latest) return false;
        trouble.textContent = book.explain(refusal);
        trouble.hidden = false;
      }
      if (!trouble.isConnected) place.replaceChildren(rows.node, none, trouble, more);
      place.removeAttribute("aria-busy");
      more.disabled = false;
      return goesOn;
    };
    this.bringMore = add;
    await add();
  }
  /** Shows that no QSO matches, and the conditions of the filter, which can be removed. */
  #tellNone() {
    const chips = chipsToRemove();
    const all = element(
      "button",
      { type: "button", click: () => find("search-clear").click() },
      say("Show all"),
    );
    this.none.replaceChildren(
      element("h3", {}, chips.length ? say("No matching QSOs.") : say("Your logbook is empty")),
      element("p", { class: "buttons" }, ...chips),
      ...(chips.length ? [element("p", { class: "buttons" }, all)] : []),
    );
  }
  /** Loads the list's further rows, up to a limit, and then prints the list. */
  async print() {
    while (this.rows.kept.size < PRINTED_MAX && (await this.bringMore())) {
      /* continues with the next page */
    }
    window.print();
  }
}

/** Shows the filter in words. */
export function tellFilter() {
  find("shown-filter").textContent = describe();
  find("search-clear").hidden = readPart().size === 0;
}
/**
 * Shows how many QSOs match, and the total.
 * @param {number} count
 * @param {number} all
 */
export function tellShown(count, all) {
  find("shown").textContent = readPart().size
    ? say("{count} of {all} QSOs", {
        count: number(count),
        all: number(all),
      })
    : say("{count} QSOs", { count: number(all) });
}
