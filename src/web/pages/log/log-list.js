// The list of QSOs in Logbook, which is loaded on demand, and can be downloaded and printed. The
// filter selects the QSOs, and log-rows.js creates their rows.
import { element, find, number } from "../../shared/page.js";
import { formatQuery } from "../../shared/query.js";
import { describe, readFilter, readPart } from "./log-filter.js";
import { explain, get, inLog, QSOS_SHOWN } from "../../shared/service.js";
import { say } from "../../shared/language.js";
import { rowOf, tableOf } from "./log-rows.js";

/** @import { QsoPage } from "../types.js" */

const PAGE_MAX = 200;
const PRINTED_MAX = 1000;

/** @param {QsoPage} answer */
function rowsOf(answer) {
  return answer.items.map((qso, index) => rowOf(qso, answer.measures[index]));
}

/**
 * Opens the details of the QSOs whose details are open in the list that is replaced.
 * @param {HTMLElement} list
 * @param {HTMLTableSectionElement} body of the new list
 */
function keepDetailsOpen(list, body) {
  /** @param {Element | null} row */
  const idOf = (row) => row?.getAttribute("data-id");
  const folds = [...list.querySelectorAll("details[open]")];
  const open = new Set(folds.map((one) => idOf(one.closest("tr"))));
  for (const row of body.rows)
    row.querySelector("details")?.toggleAttribute("open", open.has(idOf(row)));
}

export class QsoList {
  latest = 0; // number of the newest list; answers for older lists are dropped
  /**
   * @type {() => Promise<boolean>} loads further rows; false: the last row is loaded, or an error
   */
  bringMore = async () => false;

  constructor() {
    find("shown-print").addEventListener("click", () => this.print());
  }
  /**
   * Shows the QSOs that match the filter. These QSOs replace the current list when the service's
   * answer has arrived. A renewed list keeps about the same number of rows, and the details of
   * QSOs that are shown.
   * @param {Promise<QsoPage> | null} newest the newest QSOs, if already requested
   */
  async show(newest = null) {
    const mine = ++this.latest;
    const place = find("qsos");
    const query = readFilter();
    const shown = place.querySelectorAll("tbody tr").length;
    let asked = shown || query.size ? null : newest;
    query.set("limit", String(Math.min(Math.max(QSOS_SHOWN, shown), PAGE_MAX)));
    const { body, table } = tableOf(say("QSOs"), say("Status"), [], true);
    const more = element("button", { type: "button" }, say("Show more"));
    const trouble = element("p", { class: "note bad", role: "alert", hidden: true });
    const add = async () => {
      more.disabled = true;
      place.setAttribute("aria-busy", "true");
      let goesOn = false;
      try {
        const coming = asked ?? get(`qsos?${formatQuery(query)}`);
        asked = null; // if this request fails, the next attempt sends another request
        const answer = await coming;
        if (mine !== this.latest) return false;
        body.append(...rowsOf(answer));
        goesOn = answer.nextCursor !== null;
        more.hidden = !goesOn;
        if (answer.nextCursor !== null) query.set("after", answer.nextCursor);
        trouble.hidden = true;
      } catch (refusal) {
        if (mine !== this.latest) return false;
        trouble.textContent = explain(refusal);
        trouble.hidden = false;
      }
      if (!table.isConnected) {
        keepDetailsOpen(place, body);
        place.replaceChildren(
          body.children.length || !trouble.hidden
            ? table
            : element("p", { class: "card" }, say("No matching QSOs.")),
          trouble,
          more,
        );
      }
      place.removeAttribute("aria-busy");
      more.disabled = false;
      query.set("limit", String(QSOS_SHOWN));
      return goesOn;
    };
    more.addEventListener("click", add);
    this.bringMore = add;
    await add();
  }
  /** Loads the list's further rows, up to a limit, and then prints the list. */
  async print() {
    const rows = () => find("qsos").querySelectorAll("tbody tr").length;
    while (rows() < PRINTED_MAX && (await this.bringMore())) {
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
    ? say("{count} of {all} QSOs", { count: number(count), all: number(all) })
    : say("{count} QSOs", { count: number(all) });
}
