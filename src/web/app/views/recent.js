// Shows the newest QSOs next to the form, and the number of today's QSOs.
import { element, find } from "../../shared/page.js";
import { say } from "../../shared/language.js";
import { TOAST_MS, showToast } from "../../shared/toast.js";
import { tuningOf } from "../../shared/words/words.js";
import { allOf } from "../log/all.js";
import { belowOf } from "./waiting.js";

/** @import { App, BookRow, Qso, Values } from "../types.js" */

const RECENT = matchMedia("(min-width: 62rem)").matches ? 11 : 5; // QSOs next to or below the form

export class Recent {
  /** @type {HTMLElement | undefined} the message about the QSO that was just saved */
  told;
  /** @type {{clientId: string, isNew: boolean} | null} the QSO that was saved just now */
  fresh = null;
  asked = 0;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.rows = app.listOf(say("Today"), belowOf);
    find("recent").append(this.rows.node);
    // The list is not awaited: the form is ready without the list, even if the log cannot be read.
    app.watch((isChanged) => {
      if (isChanged) this.refresh().catch(() => {});
    });
  }

  /**
   * Briefly marks the QSO that was just saved, and offers to undo a new QSO.
   * @param {Values} qso
   * @param {boolean} isNew
   */
  mark(qso, isNew) {
    const fresh = { clientId: qso.clientId, isNew };
    this.fresh = fresh;
    this.#tell(qso, isNew);
    setTimeout(() => {
      if (this.fresh !== fresh) return;
      this.fresh = null;
      this.refresh().catch(() => {});
    }, TOAST_MS);
  }
  /**
   * Shows a message about the saved QSO, in place of the previous message. The form announces the
   * text to screen readers.
   * @param {Values} qso
   * @param {boolean} isNew
   */
  #tell(qso, isNew) {
    const text = say("Saved: {callsign}", { callsign: qso.callsignWorked ?? tuningOf(qso) });
    const undo = () => {
      this.told?.remove();
      this.#undo(qso);
    };
    this.told?.remove();
    this.told = element(
      "p",
      { class: "note saved" },
      element("span", { "aria-hidden": "true" }, text),
      isNew ? element("button", { type: "button", click: undo }, say("Undo")) : null,
    );
    showToast(this.told, TOAST_MS);
  }
  /**
   * Deletes a QSO that was just saved.
   * @param {Values} qso
   */
  async #undo(qso) {
    const row = (await this.app.book.get(qso.clientId)) ?? {
      key: qso.clientId,
      qso: /** @type {Qso} */ (qso),
      division: null,
      km: null,
    };
    const { acts } = await this.app.loadLogbook();
    acts.orTell(() => acts.delete(this.rows, [row]));
  }

  async refresh() {
    const asked = ++this.asked;
    const ofOuting = await this.app.outing.showBeside();
    let rows = ofOuting?.slice(0, RECENT) ?? (await this.#newest(asked));
    if (asked !== this.asked) return;
    rows = await this.#withFresh(rows);
    if (asked !== this.asked) return;
    this.rows.showQsos(rows, { isFirst: true, isLast: false, hasDays: true });
    const isToday = rows[0]?.qso.qsoAt.startsWith(new Date().toISOString().slice(0, 10));
    // The heading of today's QSOs is only for screen readers, because the list's title also says
    // "Today".
    this.rows.node.querySelector(".day")?.classList.toggle("unseen", isToday ?? false);
    const fresh = rows.find(({ qso }) => qso.clientId === this.fresh?.clientId);
    this.rows
      .find(fresh?.key ?? null)
      ?.querySelector(".q")
      ?.classList.add("fresh");
    const counts = await this.#count(ofOuting?.length ?? null);
    if (asked === this.asked) find("today").textContent = counts;
  }
  /** @param {number} asked */
  async #newest(asked) {
    /** @type {BookRow[]} */
    let rows = [];
    for await (const found of this.app.book.search(new Map(), RECENT, null)) {
      rows = found.rows;
      if (asked !== this.asked || !found.back || rows.length === RECENT) break;
    }
    return rows;
  }
  /**
   * Adds the QSO that was just saved, even if enough other QSOs are newer: the saved QSO can have a
   * time in the past.
   * @param {BookRow[]} rows
   */
  async #withFresh(rows) {
    const { clientId, isNew } = this.fresh ?? { clientId: "", isNew: false };
    if (!isNew || rows.some(({ qso }) => qso.clientId === clientId)) return rows;
    const row = await this.app.book.get(clientId);
    return row && row.entry?.kind !== "delete" ? [row, ...rows.slice(0, RECENT - 1)] : rows;
  }
  /** @param {number | null} inOuting QSOs in the current activation; null: no activation */
  async #count(inOuting) {
    const { book } = this.app;
    const day = new Date().toISOString().slice(0, 10);
    const today = new Map([
      ["from", day],
      ["to", day],
    ]);
    const n = (await allOf(book, today)).length;
    return [
      say("{n} QSO|{n} QSOs", { n }),
      inOuting === null
        ? ""
        : say("{n} in this activation|{n} in this activation", { n: inOuting }),
    ]
      .filter(Boolean)
      .join(" · ");
  }
}
