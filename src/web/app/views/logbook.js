// Shows the page Logbook: the shared list, filter and details of QSOs, with the log on this device.
// The code is loaded after the form can be used.
import { day, find } from "../../shared/page.js";
import { say } from "../../shared/language.js";
import { LogActs } from "../../shared/logbook/log-edit.js";
import {
  countChoices,
  offerChoices,
  startFilter,
  tellFound,
} from "../../shared/logbook/log-filter.js";
import { QsoList, tellFilter } from "../../shared/logbook/log-list.js";
import { closeSheet } from "../../shared/parts/sheet.js";
import { allCountries } from "../../shared/words/callsigns.js";
import { tellVersions, versionsOf } from "./versions.js";
import { belowOf } from "./waiting.js";

/** @import { App, BookPage, Qso } from "../types.js" */

/** The name of the page in the address. */
export const LOGBOOK = "logbook";

export class Logbook {
  /** @type {string | null} the QSO to open once the list contains it */
  wanted = null;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {LogActs} */
    this.acts = new LogActs(app.book, {
      section: find(LOGBOOK),
      toasts: find("notices"),
      openForm: async (qso) => this.#openForm(qso),
      formOf: async (qso, ended) => this.#formOf(qso, ended),
      buttonsOf: () => [],
      belowOf,
      sheetOf: (rows, row) => versionsOf(app, this.acts, rows, row),
    });
    this.list = new QsoList(this.acts);
    this.list.heard = (found) => this.#tell(found);
    startFilter(LOGBOOK, () => this.refresh());
    app.watch((isChanged) => {
      if (isChanged && !find(LOGBOOK).hidden) return this.refresh();
    });
  }

  /** Shows the page with the filter in the address. */
  async show() {
    await this.#offerChoices().catch(() => {}); // the list shows the reason
    await this.refresh();
  }
  /**
   * Opens both versions of a QSO. If the filter hides the QSO, changes the filter.
   * @param {string} key
   */
  #openVersions(key) {
    const { rows } = this.list;
    this.wanted = null;
    if (rows.kept.has(key)) {
      rows.find(key)?.scrollIntoView({ block: "nearest" });
      this.acts.show(rows, key);
    } else {
      this.wanted = key;
      location.hash = `#${LOGBOOK}?state=conflict`;
    }
  }
  /** Shows the QSOs again. Resolves when all rows are shown. */
  refresh() {
    tellFilter();
    this.refreshed = this.#refresh();
    return this.refreshed;
  }
  async #refresh() {
    await this.list.show();
    tellVersions(this.app, (key) => this.#openVersions(key));
    if (this.wanted && this.list.rows.kept.has(this.wanted)) this.#openVersions(this.wanted);
  }
  async #offerChoices() {
    const { outbox, session, storage } = this.app;
    if (session) {
      const all = await session.book.statistics(new Map());
      offerChoices(all);
      return countChoices(all);
    }
    const oldest = (await storage.qsos("at", null, 1)).map(({ qso }) => qso.qsoAt);
    const times = [...oldest, ...[...outbox.values()].map(({ qso }) => qso.qsoAt)];
    const last = new Date().getUTCFullYear();
    const first = Math.min(last, ...times.map((at) => Number(at.slice(0, 4))));
    const months = Array.from({ length: last - first + 1 }, (_, n) => ({ month: `${first + n}` }));
    offerChoices({ months, divisions: allCountries() });
  }
  /** @param {BookPage} found */
  #tell({ next, back }) {
    const n = this.list.rows.kept.size;
    const text = back
      ? say("Searched back to {day} …", { day: day(back) })
      : next
        ? say("Latest {n}", { n })
        : say("{n} QSO|{n} QSOs", { n });
    tellFound(back || next ? null : n);
    if (find("shown").textContent !== text) find("shown").textContent = text;
  }
  /**
   * Lends the app's form, unless the page Log shows it.
   * @param {Qso} qso
   * @param {() => void} ended
   */
  #formOf(qso, ended) {
    const { app } = this;
    const { form } = app.form;
    const place = form.parentElement;
    if (!place || find(LOGBOOK).hidden) return null;
    app.form.edit(qso);
    app.edited = ended;
    const takeBack = () => {
      app.edited = null;
      place.append(form);
      app.form.leave();
    };
    return { form: app.form, body: [form], takeBack };
  }
  /** @param {Qso | null} qso */
  #openForm(qso) {
    closeSheet(); // if the address is already #log, nothing else closes the sheet
    if (qso) this.app.form.edit(qso);
    location.hash = "#log";
  }
}
