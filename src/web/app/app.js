// Opens the log on this device or, if the device keeps no log, the signed-in member's log on the
// service. Shows one of the app's pages. A log on the device is synchronised through the public
// API; session.js uses the requests of the profile.
import { fromAddress, lineOfAddress, opening } from "./log/early.js";
import { Drafts } from "../shared/drafts.js";
import { isOperator, lastMember } from "../shared/account.js";
import { element, find, findAs, typed } from "../shared/page.js";
import { say } from "../shared/language.js";
import { makeClientId } from "../shared/qsosync-fields.js";
import { keepEntriesAgain } from "../shared/qsosync-outbox.js";
import { LocalLog, readOutbox } from "../shared/qsosync-sync.js";
import { compact } from "../shared/words/callsigns.js";
import { Download } from "./views/download.js";
import { worked } from "./log/search.js";
import { Compass } from "./views/compass.js";
import { Form, NEW } from "../shared/form/form.js";
import { LocalBook } from "./log/local-book.js";
import { Recent } from "./views/recent.js";
import { NAME, OWNER, forget, offered, recall, remember, station } from "../shared/logs.js";
import { LocalNews } from "./log/needed.js";
import { Outing } from "./views/activation.js";
import { QsoRows } from "../shared/logbook/log-rows.js";
import { closeSheet } from "../shared/parts/sheet.js";
import { Settings } from "./views/settings.js";
import { SETUP, Setup, signedIn } from "./views/setup.js";
import { Spots, takeQsoOutOfAddress } from "./views/spots.js";
import { Synchroniser } from "./log/synchroniser.js";
import { Takeover, renew } from "./takeover.js";
import { reasonOf } from "../shared/words/words.js";

/**
 * @import {
 *   AwardsView, Book, BookRow, BrowserStorage, Child, Entry, Log as Line, Logbook, Paper, Place,
 *   Session, SpotWorth, Values
 * } from "./types.js"
 */

const SAID_MS = 10000;
const EDITING = "editing"; // name of the draft that contains the edited QSO
const SAVING_MS = 100; // interval between checks whether a QSO has been saved
const PAGES = ["log", "logbook", "spots", "lines", "outing", "awards", "settings"];
/** @type {Record<string, string>} the page whose link in the bar also represents the named page */
const UPPER = { lines: "log", outing: "log" };

/** @param {Entry[]} entries */
function tellApart(entries) {
  return entries.map(({ key, revision, state }) => `${key} ${revision} ${state}`).join();
}

export class App {
  /** @type {((isChanged: boolean) => unknown)[]} functions that show the log again */
  #watchers = [];

  /**
   * @param {BrowserStorage} storage
   * @param {Session | null} session null: the log is on this device, or nobody is signed in
   */
  constructor(storage, session = null) {
    this.storage = storage;
    this.session = session;
    this.makeId = makeClientId;
    this.drafts = session ? new Drafts(`${session.callsign} app`) : draftsHere();
    this.has = session ? undefined : (/** @type {string} */ clientId) => this.#has(clientId);
    this.synchroniser = new Synchroniser(this);
    this.log = new LocalLog(storage, {
      alone: async (work) =>
        navigator.locks
          ? navigator.locks.request(NAME, { ifAvailable: true }, async (lock) =>
              lock ? work() : "busy",
            )
          : work(),
      progress: (received, total) => this.synchroniser.progress(received, total),
    });
    /** @type {Line | null} */
    this.line = null;
    this.callsign = session?.callsign ?? "";
    this.home = session?.home ?? "";
    /** @type {Map<string, Entry>} */
    this.outbox = new Map();
    this.channel = "BroadcastChannel" in window ? new BroadcastChannel(NAME) : null;
    if (this.channel) this.channel.onmessage = ({ data }) => this.#hear(data);
    storage.onReopened = () => this.#keepAgain();
    this.download = new Download(this);
    this.setup = new Setup(this);
    this.compass = new Compass();
    const editing = this.drafts.read(EDITING);
    this.form = new Form(findAs("form", HTMLFormElement), this);
    if (editing) {
      this.form.edit(editing);
      // the form was in the sheet of Logbook before the page was loaded again
      if (location.hash.startsWith("#logbook")) history.replaceState(null, "", "#log");
    }
    /** @type {Book} */
    this.book = session?.book ?? new LocalBook(this);
    /** @type {Logbook | null} */
    this.logbook = null;
    /** @type {(() => void) | null} called once the edited QSO is saved, or its changes discarded */
    this.edited = null;
    this.recent = new Recent(this);
    /** @type {Paper | null} */
    this.paper = null;
    this.outing = new Outing(this);
    /** @type {AwardsView | null} */
    this.awards = null;
    this.spots = new Spots(this);
    this.settings = new Settings(this);
    this.watch((isChanged) => {
      this.form.showSpot();
      if (isChanged && this.isOpen) this.form.showKnown().catch(() => {});
    });
  }

  /** Whether the views show a log. */
  get isOpen() {
    return this.line !== null || this.session !== null;
  }

  /**
   * Returns QSOs with the station, newest first, followed by some QSOs with longer callsigns that
   * begin with the station's callsign.
   * @param {string} call compact
   */
  async worked(call) {
    if (this.session) return this.session.memory.worked(call);
    const copies = (await worked(this.storage, call, 20)).filter(
      ({ key }) => !this.outbox.has(key),
    );
    const waiting = [...this.outbox.values()].filter(
      ({ kind, qso }) => kind === "save" && compact(qso.callsignWorked).startsWith(call),
    );
    const isOther = (/** @type {any} */ qso) => Number(compact(qso.callsignWorked) !== call);
    return [...waiting, ...copies]
      .map(({ qso }) => qso)
      .sort((a, b) => isOther(a) - isOther(b) || (a.qsoAt < b.qsoAt ? 1 : -1));
  }
  /**
   * Returns the texts of marks; none if the log cannot be read, because the form and the spots also
   * work without marks.
   * @param {SpotWorth} worth
   * @returns {Promise<string[]>}
   */
  news(worth) {
    const { storage, outbox, session } = this;
    if (session) return session.memory.news(worth);
    return new LocalNews(storage, outbox).of(worth).catch(() => []);
  }

  /**
   * @param {string} home the member's locator
   * @param {Place | null} to the other station's place
   * @param {boolean} isNew
   */
  aim(home, to, isNew) {
    this.compass.aim(home, to, isNew);
  }

  /** Code of the member's plan of CB channels; empty: none. */
  get plan() {
    return recall("plan") ?? "";
  }
  get isOnline() {
    return this.session ? navigator.onLine : this.synchroniser.isOnline;
  }
  synchronise() {
    return this.synchroniser.run();
  }
  /** @param {string} clientId */
  async #has(clientId) {
    const of = (/** @type {"outbox" | "qsos"} */ store) =>
      this.storage.change((records) => records.get(store, clientId));
    return Boolean((await of("outbox")) ?? (await of("qsos")));
  }
  /**
   * @param {Values} values the whole QSO, which is stored on this device or on the service at once
   * @param {boolean} isNew
   * @param {Values | null} changes
   */
  async keep(values, isNew, changes) {
    if (this.session) {
      const faults = await this.session.save(values);
      if (faults.size) return faults;
    } else {
      await this.log.save(values, isNew, changes);
      await this.#readOutbox();
    }
    this.recent.mark(values, isNew);
    this.written();
    return new Map();
  }
  /** @param {Values[]} qsos */
  async store(qsos) {
    if (this.session) await this.session.saveAll(qsos);
    else {
      for (const qso of qsos) await this.log.save(qso);
      await this.#readOutbox();
    }
  }
  /**
   * Reads the unsent QSOs into memory, from which they are stored again if the browser clears this
   * site's data. No QSO is reported as saved before that.
   */
  async #readOutbox() {
    const entries = await readOutbox(this.storage);
    this.outbox = new Map(entries.map((entry) => [entry.key, entry]));
  }
  /** Shows what was just written, informs other tabs, and begins to send the outbox. */
  async written() {
    this.channel?.postMessage("changed");
    await this.refresh();
    if (this.line) this.#persist();
    this.synchronise();
  }
  /**
   * Registers a function to call each time the outbox has been read. `isChanged` is true if the log
   * could have changed.
   * @param {(isChanged: boolean) => unknown} show
   */
  watch(show) {
    this.#watchers.push(show);
  }
  /** @param {boolean} [hasCome] whether QSOs could have arrived since the list was shown */
  async refresh(hasCome = true) {
    const before = tellApart([...this.outbox.values()]);
    await this.#readOutbox();
    const isChanged = hasCome || tellApart([...this.outbox.values()]) !== before;
    await Promise.all(this.#watchers.map((show) => show(isChanged)));
  }
  #persist() {
    if (recall("persist")) return;
    remember("persist", "asked");
    navigator.storage?.persist?.().catch(() => {});
  }

  /** @param {string} message from another tab */
  async #hear(message) {
    if (message === "forgotten") {
      sessionStorage.clear();
      // The member could be about to sign out, so the page does not use the session.
      history.replaceState(null, "", SETUP);
      return location.reload();
    }
    await this.refresh();
    await this.setup.renew();
  }
  /** Stores the unsent QSOs again, after somebody has cleared this site's data. */
  async #keepAgain() {
    const entries = [...this.outbox.values()];
    const isCleared = await this.storage.change((records) => keepEntriesAgain(records, entries));
    if (!isCleared || !this.line) return;
    await this.storage.set({ callsign: this.callsign });
    this.tell(
      say("The browser cleared this site's data. Unsent QSOs are still here, but the key is gone."),
      "warn",
    );
  }

  /**
   * Announces a text to screen readers. The previous announcement stays in the page for a moment,
   * because its removal would otherwise interrupt a screen reader.
   * @param {string} text
   */
  announce(text) {
    const line = element("p", {}, text);
    find("said").append(line);
    setTimeout(() => line.remove(), SAID_MS);
  }
  /** @param {Entry} entry */
  announceRefused({ qso, error }) {
    const values = { callsign: qso.callsignWorked ?? "–", reason: reasonOf(error ?? "") };
    this.announce(say("{callsign} was rejected: {reason}", values));
  }
  /**
   * @param {string} text
   * @param {string} kind
   * @param {string} [name] of a button
   * @param {() => void} [act]
   */
  tell(text, kind, name, act) {
    const note = element("p", { class: `note ${kind}`, role: "status" }, text);
    const button = element("button", { type: "button" }, name ?? say("Close"));
    button.addEventListener("click", () => {
      note.remove();
      act?.();
    });
    note.append(button);
    find("notices").append(note);
    return note;
  }

  /** @param {Values | null} qso */
  edits(qso) {
    this.drafts.keep(EDITING, qso);
    find("log-title").textContent = qso ? say("Edit QSO") : say("Log a QSO");
    if (qso) return;
    const { edited } = this;
    this.edited = null;
    edited?.();
  }

  hidePages() {
    document.body.dataset.page = "";
    for (const name of PAGES) find(name).hidden = true;
  }
  show() {
    if (!find("setup").hidden && !this.isOpen) return;
    if (location.hash === SETUP) return this.setup.show();
    takeQsoOutOfAddress(this.form);
    replaceOldAddress();
    closeSheet();
    const [wanted, sought] = location.hash.slice(1).split(/[=?]/);
    const page = PAGES.includes(wanted) ? wanted : "log";
    find("setup").hidden = true;
    this.hidePages();
    find(page).hidden = page === "lines" && !this.paper; // shown when its code has been loaded
    document.body.dataset.page = page;
    for (const link of document.querySelectorAll(".top a"))
      if ([`#${page}`, `#${UPPER[page]}`].includes(link.getAttribute("href") ?? ""))
        link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    document.querySelector(".menu")?.removeAttribute("open");
    scrollTo(0, 0); // otherwise, browsers would scroll to the section that the address names
    if (page === "logbook") this.loadLogbook().then((logbook) => logbook.show());
    if (page === "spots" || page === "log") this.spots.ask();
    if (page === "lines") this.#showPaper();
    if (page === "outing") this.outing.show();
    if (page === "awards") this.#showAwards(sought);
    if (page === "settings") this.settings.show();
    if (page === "log") find("callsignWorked").focus({ preventScroll: true });
    if (this.synchroniser.outcome === "no key") this.setup.showKeyTrouble();
  }
  /** Loads the code of the page Logbook, which also shows the details of the newest QSOs. */
  async loadLogbook() {
    const { Logbook } = await import("./views/logbook.js");
    this.logbook ??= new Logbook(this);
    return this.logbook;
  }
  /**
   * Returns an empty list with the acts of Logbook, whose code is loaded with the first act.
   * @param {string} name
   * @param {(row: BookRow) => Child} [belowOf] returns content below a row
   */
  listOf(name, belowOf) {
    const acts = async () => (await this.loadLogbook()).acts;
    return new QsoRows(name, {
      book: this.book,
      show: async (rows, key) => (await acts()).show(rows, key),
      edit: async (rows, key) => (await acts()).edit(rows, key),
      remove: async (rows, key) => (await acts()).remove(rows, key),
      renew: (rows, key) => this.logbook?.acts.renew(rows, key),
      select: async (rows, keys) => (await acts()).select(rows, keys),
      belowOf,
    });
  }
  /** Shows the page Paper log, whose code is loaded only when a member opens the page. */
  async #showPaper() {
    const { Paper } = await import("./views/paper.js");
    this.paper ??= new Paper(this);
    find("lines").hidden = document.body.dataset.page !== "lines";
    if (!find("lines").hidden) this.paper.show();
  }
  /**
   * Shows the page Awards, whose code is loaded only when a member opens the page.
   * @param {string} [part]
   */
  async #showAwards(part = "divisions") {
    const { Awards } = await import("./views/awards.js");
    this.awards ??= new Awards(this);
    this.awards.show(part);
  }
  /**
   * @param {Line} line
   * @param {string} callsign
   * @param {string} home
   */
  async start(line, callsign, home) {
    Object.assign(this, { line, callsign, home });
    this.form.showHome();
    this.synchronise();
    await this.open();
  }
  /** Shows the views of the log. */
  async open() {
    find("setup").hidden = true;
    find("views").hidden = false;
    showWhose(this.callsign);
    this.show();
    await this.refresh();
    // The form also works without the disc and the details of QSOs.
    Promise.all([this.compass.load(), this.loadLogbook()]).catch(() => {});
    import("./text/save-adif.js").catch(() => {}); // the settings' export also works offline
    this.spots.start();
  }
  /** Reloads the app to use a log on this device, not the session. Keeps the text in the form. */
  async endSession() {
    while (this.form.isSaving) await new Promise((goOn) => setTimeout(goOn, SAVING_MS));
    const { editing, stored } = this.form;
    const typed = this.drafts.read(NEW);
    this.drafts = draftsHere();
    this.drafts.keep(NEW, typed);
    this.drafts.keep(EDITING, editing === null ? null : stored);
    this.form.changed();
    location.reload();
  }
}

/** Returns the drafts that belong to the log on this device. */
const draftsHere = () => new Drafts(`app:${station}`);

/**
 * Shows whose log is open, in the menu, and also next to the clock if the log is a station's. Links
 * to the operator's page if the member is an operator.
 * @param {string} callsign
 */
function showWhose(callsign) {
  find("menu-name").replaceChildren(typed(callsign));
  find("club").hidden = !isOperator() || callsign !== lastMember();
  if (!station) return;
  document.body.classList.add("of-station");
  find("whose-log").hidden = false;
  find("whose-log").replaceChildren(typed(callsign));
}
/** Replaces an old address of Logbook, which earlier versions of the app called "list". */
function replaceOldAddress() {
  const [isOld, text] = /^#list(?:=(.*))?$/.exec(location.hash) ?? [];
  if (isOld !== undefined)
    history.replaceState(null, "", text ? `#logbook?text=${text}` : "#logbook");
}
/** @param {App} app */
function listen(app) {
  history.scrollRestoration = "manual"; // each page begins at its top
  addEventListener("hashchange", () => {
    const line = lineOfAddress();
    if (line) app.setup.use(line);
    else app.show();
  });
  addEventListener("online", () => app.synchronise());
  for (const name of ["online", "offline"]) addEventListener(name, () => app.synchroniser.show());
  document.addEventListener("visibilitychange", () => app.synchronise());
}

/**
 * Loads the newer version of the app that created the database. Shows a message if the service does
 * not have that version, for example because the version was withdrawn.
 */
async function renewOlder() {
  const state = find("state");
  state.textContent = say("Loading");
  await renew().catch(() => {});
  const button = element("button", { type: "button" }, say("Reload"));
  button.addEventListener("click", () => location.reload());
  state.replaceChildren(
    say(
      "A newer version of the app stored the log on this device. Nothing is lost, and unsent QSOs are sent later. Reload when you are online. If this message stays, tell the operator.",
    ),
    " ",
    button,
  );
}

/**
 * Returns the signed-in member's session. Returns null if a log is on this device, or if the
 * address asks to keep a log here.
 * @param {BrowserStorage} storage
 */
async function sessionFor(storage) {
  if (fromAddress || station || offered || location.hash === SETUP) return null;
  const isHere = (await storage.setting("key")) ?? (await storage.setting("callsign"));
  if (isHere || (await readOutbox(storage)).length) return null;
  if (!lastMember() && !(await signedIn())) {
    if (recall(OWNER) !== null) forget();
    return null;
  }
  return (await import("./log/session.js")).findSession();
}

async function start() {
  /** @type {BrowserStorage} */
  let storage;
  try {
    storage = await opening;
  } catch (error) {
    const isOlder = error instanceof DOMException && error.name === "VersionError";
    if (isOlder) return renewOlder();
    find("state").textContent = say(
      "This browser doesn't store data here, perhaps because this is a private window. The app can't keep a log.",
    );
    return;
  }
  const session = await sessionFor(storage).catch(() => null);
  const app = new App(storage, session);
  Object.assign(window, { app });
  const takeover = new Takeover(app);
  listen(app);
  if (!session) await app.refresh();
  if (fromAddress) await app.setup.use(fromAddress);
  else if (session) {
    session.begin(app);
    await app.open();
  } else if (!(await app.setup.resume()) || offered) app.setup.show(offered || station);
  takeover.start().catch(() => {});
}
start();
