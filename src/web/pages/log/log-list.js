// The list of QSOs in Logbook, which is loaded on demand, and can be downloaded and printed. The
// filter selects the QSOs, and log-rows.js creates their rows.
import { element, find, findAs, number } from "../../shared/page.js";
import { popoverOf } from "../../shared/parts/chips.js";
import { formatQuery } from "../../shared/query.js";
import { describe, readFilter, readPart } from "./log-filter.js";
import { explain, get, inLog, QSOS_SHOWN } from "../../shared/service.js";
import { say } from "../../shared/language.js";
import { QsoRows } from "./log-rows.js";

/** @import { QsoPage } from "../types.js" */

const PAGE_MAX = 200;
const PRINTED_MAX = 1000;

export class QsoList {
  latest = 0; // number of the newest list; answers for older lists are dropped
  /**
   * @type {() => Promise<boolean>} loads further rows; false: the last row is loaded, or an error
   */
  bringMore = async () => false;

  rows = new QsoRows(say("QSOs"));
  more = element("button", { type: "button" }, say("Show more"));
  trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  none = element("p", { class: "card", hidden: true }, say("No matching QSOs."));

  constructor() {
    const files = findAs("shown-files", HTMLButtonElement);
    popoverOf(files, /** @type {HTMLElement} */ (files.nextElementSibling));
    find("shown-print").addEventListener("click", () => this.print());
    this.more.addEventListener("click", () => this.bringMore());
  }
  /**
   * Shows the QSOs that match the filter. These QSOs replace the current rows when the service's
   * answer has arrived. A renewed list keeps about the same number of rows, the focus, and the
   * details of a QSO that are open.
   * @param {Promise<QsoPage> | null} newest the newest QSOs, if already requested
   */
  async show(newest = null) {
    const mine = ++this.latest;
    const place = find("qsos");
    const query = readFilter();
    const hasDays = /^-?time$/.test(query.get("sort") ?? "time");
    const shown = this.rows.items.length;
    let isFirst = true;
    let asked = shown || query.size ? null : newest;
    query.set("limit", String(Math.min(Math.max(QSOS_SHOWN, shown), PAGE_MAX)));
    const { rows, more, trouble, none } = this;
    const add = async () => {
      more.disabled = true;
      place.setAttribute("aria-busy", "true");
      let goesOn = false;
      try {
        const coming = asked ?? get(`qsos?${formatQuery(query)}`);
        asked = null; // if this request fails, the next attempt sends another request
        const { items, measures, nextCursor } = await coming;
        if (mine !== this.latest) return false;
        goesOn = nextCursor !== null;
        rows.showQsos(items, measures, {
          isFirst,
          isLast: !goesOn,
          hasDays,
        });
        isFirst = false;
        more.hidden = !goesOn;
        none.hidden = rows.kept.size > 0;
        if (nextCursor !== null) query.set("after", nextCursor);
        trouble.hidden = true;
      } catch (refusal) {
        if (mine !== this.latest) return false;
        trouble.textContent = explain(refusal);
        trouble.hidden = false;
      }
      if (!rows.node.isConnected) place.replaceChildren(rows.node, none, trouble, more);
      place.removeAttribute("aria-busy");
      more.disabled = false;
      query.set("limit", String(QSOS_SHOWN));
      return goesOn;
    };
    this.bringMore = add;
    await add();
  }
  /** Loads the list's further rows, up to a limit, and then prints the list. */
  async print() {
    while (this.rows.kept.size < PRINTED_MAX && (await this.bringMore())) {
      /* continues with the next page */
    }
    window.print();
  }
}

/** Shows the filter in words, and sets the download links to the same filter. */
export function tellFilter() {
  const part = readPart();
  find("shown-filter").textContent = describe(part);
  find("search-clear").hidden = part.size === 0;
  for (const [id, file] of [
    ["shown-csv", "export.csv"],
    ["shown-adif", "export.adi"],
  ])
    find(id).setAttribute("href", `data/${inLog(`${file}?${formatQuery(part)}`)}`);
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
