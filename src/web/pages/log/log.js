// Shows the section Logbook: figures, the QSOs with their filter, the map, a chart, and almost
// confirmed QSOs. A phone shows the list, the map or the figures. The section is renewed when the
// log changes, in this browser or elsewhere.
import { breathe, drawing, element, find, oneAtATime, typed } from "../../shared/page.js";
import { formatQuery } from "../../shared/query.js";
import { explain, get, inLog } from "../../shared/service.js";
import { LogActs } from "../../shared/logbook/log-edit.js";
import {
  countChoices,
  offerChoices,
  readFilter,
  readPart,
  refreshChips,
  startFilter,
  tellFound,
} from "../../shared/logbook/log-filter.js";
import { QsoList, tellFilter, tellShown } from "../../shared/logbook/log-list.js";
import { LogBeside } from "../../shared/logbook/log-beside.js";
import { say } from "../../shared/language.js";
import { formOf, openForm } from "./log-form.js";
import { buttonsOfSelection } from "./log-selected.js";
import { ServerBook } from "../../shared/logbook/server-book.js";
import { TOAST_MS } from "../../shared/toast.js";
import { showNear } from "./log-near.js";
import { Renewal } from "./renewal.js";

/** @import { Qso, QsoPage, Statistics } from "../types.js" */
/**
 * @typedef {object} LogAnswers answers to requests that were already sent
 * @property {Promise<{revision: string}>} revision
 * @property {Promise<Statistics>} statistics as new as the revision, or newer
 * @property {Promise<QsoPage>} [newest] the newest QSOs, unfiltered
 */

/** @param {unknown} refusal */
function tellTrouble(refusal) {
  const trouble = find("search-trouble");
  trouble.textContent = explain(refusal);
  trouble.hidden = false;
}

/**
 * @param {string} name
 * @param {string} kind a class
 * @param {() => Promise<unknown>} work
 */
function buttonOf(name, kind, work) {
  const click = oneAtATime(() => acts.orTell(work));
  return element("button", { type: "button", class: kind, click }, say(name));
}
/**
 * Returns the buttons for the cards of a QSO.
 * @param {Qso} qso
 */
function cardButtonsOf(qso) {
  const card = async () => (await import("../profile/cards.js")).openReceived(String(qso.id));
  const send = async () => (await import("../profile/card-send.js")).sendThese([qso]);
  return [
    qso.crossConfirmedAt ? buttonOf("QSL card", "", card) : null,
    buttonOf("Send a card", "", send),
  ];
}
/** @param {Qso} qso */
async function historyOf(qso) {
  const [{ changeItem, span, writerName }, { items }] = await Promise.all([
    import("./changes.js"),
    get(`qsos/${qso.id}/history`),
  ]);
  return items.map((one) =>
    changeItem(one, typed(writerName(one.writer)), element("small", {}, span(one.at, one.at))),
  );
}
/** Adds the buttons that log a QSO and send cards; called once. */
function showButtons() {
  find("log-actions").append(
    element(
      "button",
      {
        type: "button",
        class: "glyph",
        "aria-label": say("Log a QSO"),
        click: () => acts.orTell(openForm),
      },
      drawing(
        "svg",
        { viewBox: "0 0 18 18", "aria-hidden": "true" },
        drawing("path", { d: "M9 3.5v11M3.5 9h11" }),
      ),
    ),
  );
  const sendCards = async () =>
    (await import("../profile/card-send.js")).sendFiltered(readFilter());
  find("shown-print").after(buttonOf("Cards", "", sendCards));
}
/** Sets the addresses of the download links for the current filter. */
function offerFiles() {
  const part = formatQuery(readPart());
  for (const [id, file] of [
    ["shown-csv", "export.csv"],
    ["shown-xlsx", "export.xlsx"],
    ["shown-adif", "export.adi"],
    ["shown-adx", "export.adx"],
  ])
    find(id).setAttribute("href", `data/${inLog(`${file}?${part}`)}`);
}

const book = new ServerBook();
const acts = new LogActs(book, {
  section: find("section-log"),
  toasts: find("section-log"),
  openForm,
  formOf: (qso, ended) => formOf(qso, ended, (text) => acts.tell("good", TOAST_MS, text)),
  buttonsOf: cardButtonsOf,
  buttonsOfSelection,
  historyOf,
});

/** @type {[chip: string, place: string][]} the lists that replace the QSOs, by chip */
const INSTEAD = [
  ["doubles-chip", "doubles"],
  ["near-chip", "near"],
];

class MyLog {
  beside = new LogBeside(book, () => import("../../shared/logbook/log-map.js"), tellTrouble);
  list = new QsoList(acts);
  renewals = 0; // older renewals are dropped
  renewal = new Renewal("log", (revision) =>
    this.renew({ revision, statistics: get("statistics") }),
  );

  constructor() {
    showButtons();
    startFilter("log", () => {
      this.showInstead(null);
      return this.showPart();
    });
    for (const [chip] of INSTEAD)
      find(chip).addEventListener("click", () => {
        const isOn = find(chip).getAttribute("aria-pressed") === "true";
        this.showInstead(isOn ? null : chip).catch(tellTrouble);
      });
  }

  /**
   * Shows possible duplicates or almost confirmed QSOs instead of the QSOs, regardless of the
   * filter, or shows the QSOs again.
   * @param {string | null} shown id of the chip
   */
  async showInstead(shown) {
    for (const [chip, place] of INSTEAD) {
      find(chip).setAttribute("aria-pressed", String(chip === shown));
      find(place).hidden = chip !== shown;
    }
    find("qsos").hidden = shown !== null;
    refreshChips();
    if (shown === "doubles-chip") await (await import("./log-doubles.js")).showDoubles();
  }

  /** Shows the statistics of the QSOs that match the filter. */
  showNumbers() {
    return this.beside.showNumbers((shown, whole) => {
      tellShown(shown.qsos, whole.qsos);
      tellFound(shown.qsos);
    });
  }
  // Shows the QSOs that match the filter, their statistics and the map. The rows are requested
  // first, because readers wait for the rows. The statistics follow, because they require a scan of
  // the whole log.
  async showPart() {
    tellFilter();
    offerFiles();
    await this.list.show();
    await Promise.all([this.showNumbers(), this.beside.showMapOnceSeen()]).catch(tellTrouble);
  }
  /**
   * Shows the newest QSOs of an unfiltered log before the statistics arrive, because the statistics
   * require a scan of the whole log. Returns whether the QSOs are shown.
   * @param {Promise<QsoPage>} newest
   */
  async showNewest(newest) {
    if (readFilter().size || !(await newest.catch(() => null))?.items.length) return false;
    book.newest = newest;
    find("log-view").hidden = false;
    tellFilter();
    offerFiles();
    await this.list.show();
    await breathe(); // the rows are drawn first
    return true;
  }
  /**
   * Shows the whole section, with the statistics in the answers.
   * @param {LogAnswers} answers
   */
  async renew(answers) {
    const mine = ++this.renewals;
    const isShown = answers.newest ? await this.showNewest(answers.newest) : false;
    const [{ revision }, all] = await Promise.all([answers.revision, answers.statistics]);
    if (mine !== this.renewals) return;
    this.renewal.revision = revision;
    this.beside.whole = all;
    const isEmpty = all.qsos === 0;
    find("first-steps").hidden = !isEmpty;
    find("log-view").hidden = isEmpty;
    if (isEmpty) return;
    book.knowDivisions(all.divisions);
    book.knowNews(all.news);
    if (isShown) this.list.rows.showPlaces();
    offerChoices(all);
    countChoices(all);
    tellFilter();
    offerFiles();
    await Promise.all([isShown || this.list.show(), this.showNumbers()]);
    const [near] = await Promise.all([get("near-matches"), this.beside.showMapOnceSeen()]);
    if (mine === this.renewals) showNear(acts, near.items);
  }
}
const log = new MyLog();

/**
 * Shows the current log. Can be called repeatedly.
 * @param {LogAnswers} answers
 */
export const showLog = (answers) => log.renew(answers);
