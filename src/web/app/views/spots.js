// Follows the newest spots for the page Spots, and for the disc and the dial of Log. A tap on a
// spot fills in the form.
import { find } from "../../shared/page.js";
import { parseQuery } from "../../shared/query.js";
import { isNew } from "../../shared/awards/cluster-needed.js";
import { qsoOfSpot } from "../../shared/words/spot-qso.js";
import { BANDS } from "../text/tables.js";
import { worthOf } from "../../shared/awards/award-rules.js";

/** @import { SpotsView } from "./spots-view.js" */
/** @import { App, DialMark, Form, Heard, Spot, Values } from "../types.js" */

const ASK_MS = 15000;
const LOG_MS = 60000; // interval while only the page Log, with its disc and dial, shows the spots
const DESK = matchMedia("(min-width: 62rem)"); // where new stations are listed next to the form
const SHOWN = 50; // newest spots that are compared with the log
// Fields that are filled in from a spot. A field that the spot lacks becomes empty.
const NO_SPOT = {
  ...{
    frequencyMhz: null,
    channel: null,
    ctcssTone: null,
    dcsCode: null,
    mode: null,
  },
  ...{ callsignWorked: null, dxLocator: null },
};

/**
 * Reads a link that fills in the form, such as /app/?callsign=14AT777&frequencyMhz=27.555&mode=USB,
 * with the API's field names, and `callsign` for the station worked. Links from the spots page have
 * the same values after #spot=.
 * @param {Form} form to fill
 */
export function takeQsoOutOfAddress(form) {
  const isSpot = location.hash.startsWith("#spot=");
  const text = isSpot ? location.hash.slice("#spot=".length) : location.search;
  const given = parseQuery(text);
  const callsign = given.get("callsign");
  if (callsign) given.set("callsignWorked", callsign);
  const names = [...Object.keys(NO_SPOT), "band"].filter((name) => given.has(name));
  if (isSpot || names.length) history.replaceState(null, "", `${location.pathname}#log`);
  if (!names.length) return;
  const values = Object.fromEntries(names.map((name) => [name, given.get(name)]));
  values.band ??= values.channel ? "PMR446" : "ELEVEN_METERS";
  if (BANDS.includes(values.band)) form.take({ ...NO_SPOT, ...values });
}

/**
 * Returns a spot's mark on the dial; empty: the spot has no frequency.
 * @param {{qso: Values, news: string[]}} heard
 * @returns {DialMark[]}
 */
function markOf({ qso, news }) {
  const { callsignWorked, frequencyMhz: mhz, mode } = qso;
  return mhz ? [{ mhz, mode, isNew: news.some(isNew), name: callsignWorked ?? "" }] : [];
}

export class Spots {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Spot[]} */
    this.spots = [];
    /** @type {Map<string, Heard>} the spots that are compared with the log, by their ids */
    this.heard = new Map();
    /** @type {Promise<SpotsView> | null} null: not yet loaded */
    this.view = null;
    /** @type {"loading" | "live" | "offline" | "lost"} */
    this.state = "loading";
    /** @type {string | null} */
    this.tag = null;
    this.asked = 0;
    this.asking = 0; // time of the last request
    // The marks can change when another program has logged QSOs.
    app.watch((isChanged) => {
      if (isChanged && app.isOpen) this.show().catch(() => {});
    });
  }

  start() {
    if (this.timer) return;
    this.timer = setInterval(() => this.ask(), ASK_MS);
    this.ask();
  }
  /**
   * Loads the code of the page and of the list next to the form, once one of them is in sight.
   * Returns null before that.
   */
  async #load() {
    if (!this.view && !DESK.matches && find("spots").hidden) return null;
    const { openSpots } = await import("./spots-view.js");
    return (this.view ??= openSpots(
      () => this.app.compass.locator,
      (id) => this.#take(id),
    ));
  }
  async #renew() {
    if (find("spots").hidden) return;
    const isFirst = !this.view;
    const view = await this.#load();
    if (isFirst) this.#showIn(view);
    view?.renew(this.state);
  }
  async ask() {
    if (!navigator.onLine) this.state = "offline";
    this.#renew().catch(() => {});
    if (document.hidden || !navigator.onLine || !this.app.isOpen) return;
    const isLog = !find("log").hidden && Date.now() - this.asking >= LOG_MS;
    if (find("spots").hidden && !isLog) return;
    this.asking = Date.now();
    try {
      /** @type {Record<string, string>} */
      const headers = this.tag ? { "If-None-Match": this.tag } : {};
      const answer = await fetch("../cluster/spots", {
        cache: "no-store",
        headers,
      });
      if (!answer.ok && answer.status !== 304) throw new Error(String(answer.status));
      if (answer.ok) {
        this.tag = answer.headers.get("ETag");
        this.spots = await answer.json();
        await this.show();
      }
      this.state = "live";
    } catch {
      // While the service cannot be reached, the last spots stay on the page.
      this.state = navigator.onLine ? "lost" : "offline";
    }
    this.#renew().catch(() => {});
  }
  async show() {
    const asked = ++this.asked;
    /** @type {Map<string, Promise<string[]>>} by what a spot would add to the log */
    const known = new Map();
    const newsOf = (/** @type {Values} */ qso) => {
      const worth = worthOf(qso);
      const key = JSON.stringify(worth);
      const news = known.get(key) ?? this.app.news(worth);
      known.set(key, news);
      return news;
    };
    const heard = await Promise.all(
      this.spots.slice(0, SHOWN).map(async (spot) => {
        const qso = qsoOfSpot(spot);
        return { spot, qso, news: await newsOf(qso) };
      }),
    );
    if (asked !== this.asked) return; // newer spots are already shown
    this.app.compass.hear(heard);
    this.app.form.dial.mark(heard.flatMap(markOf).reverse());
    this.heard = new Map(heard.map((one) => [one.spot.id, one]));
    const news = this.#news;
    const link = /** @type {HTMLElement | null} */ (document.querySelector(".top [href='#spots']"));
    if (news.length && link) link.dataset.new = String(news.length);
    else delete link?.dataset.new;
    this.#showIn(await this.#load());
  }
  /** The stations on the air that are new for the member. */
  get #news() {
    return this.app.compass.heard.filter((one) => one.news.some(isNew));
  }
  /** @param {SpotsView | null} view */
  #showIn(view) {
    view?.show([...this.heard.values()], this.#news);
  }
  /**
   * Fills in the form from a spot.
   * @param {string} id
   */
  #take(id) {
    const heard = this.heard.get(id);
    if (!heard) return;
    this.app.form.take(heard.qso);
    location.hash = "#log";
  }
}
