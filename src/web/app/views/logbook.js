// Shows the page Logbook: the shared list, filter and details of QSOs, for the log that the app has
// opened. The code is loaded after the form can be used.
import { day, element, find } from "../../shared/page.js";
import { say } from "../../shared/language.js";
import { formatQuery } from "../../shared/query.js";
import { LogActs } from "../../shared/logbook/log-edit.js";
import {
  countChoices,
  offerChoices,
  readPart,
  startFilter,
  tellFound,
} from "../../shared/logbook/log-filter.js";
import { QsoList, tellFilter } from "../../shared/logbook/log-list.js";
import { closeSheet } from "../../shared/parts/sheet.js";
import { parseLocator } from "../../shared/map/geography.js";
import { allCountries } from "../../shared/words/callsigns.js";
import { loadLook } from "./look.js";
import { tellVersions, versionsOf } from "./versions.js";
import { belowOf } from "./waiting.js";

/** @import { App, BookPage, Qso, Statistics } from "../types.js" */
/** @import { LocalBook } from "../log/local-book.js" */
/** @import { LogBeside } from "../../shared/logbook/log-beside.js" */

const DESK = matchMedia("(min-width: 62rem)"); // where the figures are next to the list

/** The name of the page in the address. */
export const LOGBOOK = "logbook";

/**
 * Returns the link to the card that the other station sent, or to the sending of the member's own
 * card; null: the service has not stored the QSO, or the QSO has no callsign.
 * @param {Qso} qso
 */
function cardLinkOf({ id, callsignWorked, crossConfirmedAt, qsoAt }) {
  const on = qsoAt.slice(0, 10);
  if (!id || !callsignWorked) return null;
  const asked = crossConfirmedAt ? { qso: id } : { from: on, to: on, callsign: callsignWorked };
  return element(
    "a",
    { class: "button", href: `../profile/#cards?${formatQuery(asked)}` },
    crossConfirmedAt ? say("QSL card") : say("Send a card"),
  );
}

export class Logbook {
  /** @type {string | null} the QSO to open once the list contains it */
  wanted = null;
  /** @type {LogBeside | null} */
  #beside = null;
  /** @type {Promise<LogBeside> | null} */
  #loading = null;
  #counted = 0; // number of the newest count of the whole log

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {LogActs} */
    this.acts = new LogActs(app.book, {
      section: find(LOGBOOK),
      toasts: find("notices"),
      openForm: async (qso) => this.#openForm(qso),
      formOf: async (qso, ended) => this.#formOf(qso, ended),
      buttonsOf: (qso) => [cardLinkOf(qso)],
      belowOf,
      sheetOf: (rows, row) => versionsOf(app, this.acts, rows, row),
    });
    this.list = new QsoList(this.acts);
    this.list.heard = (found) => this.#tell(found);
    startFilter(LOGBOOK, () => this.refresh());
    app.watch((isChanged) => {
      if (!isChanged) return;
      this.#counted++;
      if (this.#beside) this.#beside.whole = undefined;
      if (!find(LOGBOOK).hidden) return this.refresh();
    });
  }

  /** Shows the page with the filter in the address. */
  async show() {
    await this.#offerChoices().catch(() => {}); // the list shows the reason
    await this.refresh();
  }
  /** Shows the QSOs again, and then the figures. Resolves when all rows are shown. */
  refresh() {
    tellFilter();
    this.refreshed = this.#refresh();
    this.refreshed.then(() => this.#showBeside()).catch((error) => this.#tellTrouble(error));
    return this.refreshed;
  }
  /** @param {unknown} error */
  #tellTrouble(error) {
    this.app.tell(String(error), "bad");
  }
  /** Loads the figures and the map. */
  async #loadBeside() {
    const { app } = this;
    const loading = Promise.all([import("./figures-of-log.js"), loadLook("map")]);
    const [{ LocalFigures, LogBeside, showMap }] = await loading;
    const book = app.session?.book ?? new LocalFigures(app, /** @type {LocalBook} */ (app.book));
    this.#beside = new LogBeside(
      book,
      async () => ({ showMap }),
      (error) => this.#tellTrouble(error),
      () => this.#showBeside().catch((error) => this.#tellTrouble(error)),
    );
    return this.#beside;
  }
  /**
   * Shows the figures and the map. On a phone, nothing is counted until the member chooses one of
   * these parts.
   */
  async #showBeside() {
    const beside = await (this.#loading ??= this.#loadBeside());
    if (find(LOGBOOK).hidden || (!DESK.matches && beside.part === "list")) return;
    const mine = this.#counted;
    if (!beside.whole) {
      const whole = await beside.book.statistics(new Map());
      if (mine !== this.#counted) return;
      beside.whole = whole;
      countChoices(whole);
      this.#knowNews(whole);
    }
    await beside.showNumbers((shown) => tellFound(shown.qsos));
    await beside.showMapOnceSeen();
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
  /** Shows how to begin a log, with the member's own disc, in place of an empty list. */
  async #showWhetherEmpty() {
    const { list, app } = this;
    const isEmpty = !list.none.hidden && readPart().size === 0 && find("download").hidden;
    find("first-qso").hidden = !isEmpty;
    find("log-view").hidden = isEmpty;
    const home = parseLocator(app.home);
    const place = find("first-qso").querySelector(".disc-of");
    if (!isEmpty || !home || !place || place.firstChild) return;
    const { Disc } = await import("../../shared/parts/disc.js");
    const disc = new Disc({ isSmall: true });
    disc.show({ home });
    place.replaceChildren(disc.node);
  }
  async #refresh() {
    await this.list.show();
    this.#showWhetherEmpty().catch(() => {}); // the texts are complete without the disc
    tellVersions(this.app, (key) => this.#openVersions(key));
    if (this.wanted && this.list.rows.kept.has(this.wanted)) this.#openVersions(this.wanted);
  }
  async #offerChoices() {
    const { outbox, session, storage } = this.app;
    if (session) {
      const all = await session.book.statistics(new Map());
      this.#knowNews(all);
      return offerChoices(all);
    }
    const oldest = (await storage.qsos("at", null, 1)).map(({ qso }) => qso.qsoAt);
    const times = [...oldest, ...[...outbox.values()].map(({ qso }) => qso.qsoAt)];
    const last = new Date().getUTCFullYear();
    const first = Math.min(last, ...times.map((at) => Number(at.slice(0, 4))));
    const months = Array.from({ length: last - first + 1 }, (_, n) => ({ month: `${first + n}` }));
    offerChoices({ months, divisions: allCountries() });
  }
  /**
   * Shows which QSOs were new for the log, once the whole log has been counted.
   * @param {Statistics} whole of the whole log
   */
  #knowNews(whole) {
    this.app.session?.book.knowNews(whole.news);
    this.list.rows.showPlaces();
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
   * Returns the app's form for the sheet; null: the page Logbook is hidden.
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
