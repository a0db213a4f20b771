// Uses the service's log through the member's session, on a device that does not keep the log.
import { rememberMember } from "../../shared/account.js";
import { ServerMemory, saveQso } from "../../shared/form/server-memory.js";
import { OWNER, forget } from "../../shared/logs.js";
import { ServerBook } from "../../shared/logbook/server-book.js";
import { find, recall, remember } from "../../shared/page.js";
import { say } from "../../shared/language.js";
import { formatQuery } from "../../shared/query.js";
import { change, get } from "../../shared/service.js";
import { allCountries, numberOf } from "../../shared/words/callsigns.js";
import { allOf } from "./all.js";
import { reasonOf } from "../../shared/words/words.js";

/** @import { App, Awards, Member, Query, Values } from "../types.js" */

const BATCH_MAX = 200; // the service's limit
const ASKED = "keep-asked"; // whether the member has declined to keep the log on this device

export class Session {
  revision = "";

  /** @param {Member} me */
  constructor({ callsign, locator, channelPlan }) {
    this.callsign = callsign;
    this.home = locator;
    this.book = new ServerBook("../profile/#history");
    this.book.knowDivisions(allCountries());
    this.memory = new ServerMemory();
    const last = recall(OWNER);
    if (last !== null && last !== callsign) forget(); // the last session ended without a sign-out
    remember(OWNER, callsign);
    remember("plan", channelPlan ?? "");
    rememberMember(callsign);
  }

  /** @param {App} app */
  begin(app) {
    const tabs = "BroadcastChannel" in window ? new BroadcastChannel("qsosync-log") : null;
    const renew = () => {
      this.memory = new ServerMemory();
      return app.refresh();
    };
    document.addEventListener("changed", () => {
      tabs?.postMessage("changed");
      renew();
    });
    tabs?.addEventListener("message", renew);
    document.addEventListener("visibilitychange", () => this.#look(renew));
    document.addEventListener("signed-out", () => {
      if (document.getElementById("signed-out")) return;
      const signIn = () => location.assign("../sign-in?next=app/");
      app.tell(say("You are no longer signed in."), "bad", say("Sign in"), signIn).id =
        "signed-out";
    });
    addEventListener("storage", ({ key, newValue }) => {
      if (key !== "qsosync-member" || newValue === this.callsign) return;
      // In another tab, the member has signed out, or another member has signed in.
      sessionStorage.clear();
      location.replace(location.pathname);
    });
    document.getElementById("search-state")?.closest("label")?.remove();
    this.#offer(app);
    this.#look(renew);
  }
  /**
   * Shows the log again if another program has changed the log.
   * @param {() => Promise<void>} renew
   */
  async #look(renew) {
    if (document.hidden) return;
    try {
      const { revision } = await get("revision");
      if (this.revision && revision !== this.revision) await renew();
      this.revision = revision;
    } catch {
      /* the next event causes another attempt */
    }
  }

  /**
   * Offers to keep the log on this device.
   * @param {App} app
   */
  #offer(app) {
    find("keep-log").hidden = recall(ASKED) !== null;
    const keep = async () => {
      const fault = await app.setup.keep();
      if (fault) app.tell(fault, "bad");
    };
    for (const id of ["keep", "keep-later"]) find(id).addEventListener("click", keep);
    find("keep-not").addEventListener("click", () => {
      remember(ASKED, "1");
      find("keep-log").hidden = true;
      app.form.fields.find("callsignWorked").focus();
    });
  }

  /**
   * Saves a QSO on the service. Resolves to the faults by field; empty: the QSO was saved.
   * @param {Values} values
   */
  async save(values) {
    const { id, faults } = await saveQso(values);
    if (!faults.size) this.#know(values, id);
    return faults;
  }
  /**
   * @param {Values} values of a stored QSO
   * @param {string | null} id
   */
  #know(values, id) {
    const qso = /** @type {any} */ ({ ...values, id });
    this.book.know(qso, numberOf(qso.callsignWorked) || null);
  }
  /** @param {Values[]} all */
  async saveAll(all) {
    for (let first = 0; first < all.length; first += BATCH_MAX) {
      const entries = all.slice(first, first + BATCH_MAX);
      const { results } = await change("qsos", { entries });
      const [fault] = results.flatMap(({ error }) => error ?? []);
      if (fault) throw new Error(reasonOf(fault));
      for (const [place, { id }] of results.entries()) this.#know(entries[place], id);
    }
  }
  /**
   * Reads QSOs that this page does not have in memory, so that the book can return them.
   * @param {[clientId: string, day: string | undefined][]} wanted
   */
  async recall(wanted) {
    /** @type {Set<string>} */
    const days = new Set();
    for (const [clientId, day] of wanted)
      if (day && !(await this.book.get(clientId))) days.add(day);
    const ids = new Set(wanted.map(([clientId]) => clientId));
    for (const day of days) {
      const found = await allOf(
        this.book,
        new Map([
          ["from", day],
          ["to", day],
        ]),
      );
      for (const { qso, division } of found)
        if (ids.has(String(qso.clientId))) this.book.know(qso, division);
    }
  }
  /**
   * @param {Query} filter
   * @returns {Promise<Awards>}
   */
  awards(filter) {
    return get(`awards?${formatQuery(filter)}`);
  }
}

/** Returns the session of the member who is signed in; null: nobody. */
export const findSession = () =>
  get("me").then(
    (me) => new Session(me),
    () => null,
  );
