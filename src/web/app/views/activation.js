// Manages activations, such as contests and field days. An activation has its own callsign and
// place, and a serial that increases automatically. The service does not store activations: only
// this device stores each activation's name, period, callsign and locator. The page for activations
// is loaded when the member opens the page.
import { element, find, hour, typed } from "../../shared/page.js";
import { recall, remember } from "../../shared/logs.js";
import { say } from "../../shared/language.js";
import { compact } from "../../shared/words/callsigns.js";
import { allOf } from "../log/all.js";
import { isSought } from "../log/search.js";

/** @import { App, LogQso, OutingPage, Values } from "../types.js" */
/**
 * @typedef {object} Trip
 * @property {string} from ISO time
 * @property {string} [to] ISO time of the end; absent while the activation continues
 * @property {string} [name]
 * @property {string} station callsign; empty: the member's own callsign
 * @property {string} locator
 * @property {Values} before the form's values before the activation, which are restored at its end
 */

const TRIPS_MAX = 20;

export class Outing {
  /** @type {OutingPage | null} */
  #page = null;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Trip[]} the newest first */
    this.trips = JSON.parse(recall("outings") ?? "[]");
    this.showNow();
    app.watch((isChanged) => isChanged && !find("outing").hidden && this.show());
  }

  /** @returns {Trip | null} the current activation */
  get now() {
    const [newest] = this.trips;
    return newest && !newest.to ? newest : null;
  }
  /** Stores the activations. */
  keep() {
    this.trips.length = Math.min(this.trips.length, TRIPS_MAX);
    remember("outings", JSON.stringify(this.trips));
    this.showNow();
  }

  /** Shows the current activation above the form. */
  showNow() {
    const { now } = this;
    this.#showStation(now?.station ?? "");
    find("outing-now").hidden = !now;
    if (!now) return;
    find("outing-now").replaceChildren(
      element(
        "a",
        { href: "#outing" },
        now.name || say("Activation since {time}", { time: hour(now.from) }),
      ),
      now.station ? " · " : "",
      typed(now.station),
    );
  }

  /**
   * Marks the head of all views while QSOs are logged as another station.
   * @param {string} station empty: the log's own
   */
  #showStation(station) {
    const { classList } = document.body;
    classList.toggle("as-station", station !== "");
    if (classList.contains("of-station")) return; // the head already names the station of the log
    find("whose-log").hidden = station === "";
    find("whose-log").replaceChildren(
      typed(station ? say("as {callsign}", { callsign: station }) : ""),
    );
  }

  /**
   * Shows the figures of the current activation next to the form. Returns the rows of its QSOs;
   * null: there is no activation.
   */
  async showBeside() {
    const { now } = this;
    find("outing-beside").hidden = !now;
    find("recent-title").textContent = now?.name || say(now ? "Activation" : "Today");
    if (!now) return null;
    const [rows, page] = await Promise.all([this.rowsOf(now), this.#load()]);
    page.showBeside(now, rows);
    return rows;
  }

  /**
   * Returns the rows of an activation's QSOs, the newest first.
   * @param {Trip} trip
   */
  async rowsOf({ from, to, station }) {
    const sought = { from, ...(to && { to }), ...(station && { station: compact(station) }) };
    const days = Object.entries({ from, to }).map(([name, at]) => [name, at?.slice(0, 10) ?? ""]);
    const wish = new Map(/** @type {[string, string][]} */ (days.filter(([, day]) => day)));
    return (await allOf(this.app.book, wish)).filter(({ qso }) =>
      isSought(/** @type {LogQso} */ (qso), sought),
    );
  }

  async #load() {
    const { OutingPage } = await import("./activation-page.js");
    return (this.#page ??= new OutingPage(this));
  }
  async show() {
    try {
      await (await this.#load()).show();
    } catch (error) {
      this.app.tell(String(error), "bad");
    }
  }
}
