// Shows the newest spots. A tap on a spot fills in the form.
import { element, find, number, typed } from "../../shared/page.js";
import { parseQuery } from "../../shared/query.js";
import { isNew } from "../../shared/awards/cluster-needed.js";
import { capital, say } from "../../shared/language.js";
import { bearing, distanceKm, parseLocator } from "../../shared/map/geography.js";
import { RowList, arrowOf, drawTuning, shortAge } from "../../shared/parts/row.js";
import { countryName } from "../../shared/words/countries.js";
import { qsoOfSpot } from "../../shared/words/spot-qso.js";
import { BANDS } from "../text/tables.js";
import { worthOf } from "../../shared/awards/award-rules.js";
import { placeOf } from "./compass.js";

/** @import { Disc } from "../../shared/parts/disc.js" */
/** @import { App, DialMark, Form, Heard, Spot, Values } from "../types.js" */

const ASK_MS = 15000;
const LOG_MS = 60000; // interval while only the page Log, with its disc and dial, shows the spots
const SHOWN = 20;
const DESK = matchMedia("(min-width: 62rem)"); // where the disc is next to the list
const FRESH_MS = 60000; // time for which a new row is marked
// Fields that are filled in from a spot. A field that the spot lacks becomes empty.
const NO_SPOT = {
  ...{ frequencyMhz: null, channel: null, ctcssTone: null, dcsCode: null, mode: null },
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

/**
 * Returns the distance and the direction of a station; null: one of the two places is unknown.
 * @param {Heard} heard
 * @param {string} home the member's locator
 */
function wayOf(heard, home) {
  const [from, to] = [parseLocator(home), placeOf(heard)];
  if (!from || !to) return null;
  const angle = bearing(from, to);
  const towards = element("span", { class: "towards" }, " ", arrowOf(angle), ` ${angle}°`);
  return element("span", {}, `${number(distanceKm(from, to))} km`, towards);
}

export class Spots {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Spot[]} */
    this.spots = [];
    /** @type {Map<string, Heard>} the shown spots, by their ids */
    this.heard = new Map();
    /** @type {Disc | null} null: not yet loaded */
    this.disc = null;
    this.list = new RowList({ name: say("Spots"), open: (id) => this.#take(id) });
    find("spot-rows").append(this.list.node);
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
  async ask() {
    this.#showAges();
    if (!navigator.onLine) this.#tellNone();
    if (document.hidden || !navigator.onLine || !this.app.isOpen) return;
    const isLog = !find("log").hidden && Date.now() - this.asking >= LOG_MS;
    if (find("spots").hidden && !isLog) return;
    this.#showDisc().catch(() => {}); // the page can have been opened since the last answer
    this.asking = Date.now();
    try {
      /** @type {Record<string, string>} */
      const headers = this.tag ? { "If-None-Match": this.tag } : {};
      const answer = await fetch("../cluster/spots", { cache: "no-store", headers });
      if (!answer.ok) return;
      this.tag = answer.headers.get("ETag");
      this.spots = await answer.json();
      this.show();
    } catch {
      /* while the device is offline, the last spots stay on the page */
    } finally {
      this.#tellNone();
    }
  }
  #tellNone() {
    const none = find("no-spots");
    none.hidden = this.spots.length > 0;
    none.textContent = navigator.onLine
      ? say("No spots yet. New spots appear here automatically.")
      : say("None on this device.");
  }
  async show() {
    const asked = ++this.asked;
    const qsos = this.spots.slice(0, SHOWN).map((spot) => ({ spot, qso: qsoOfSpot(spot) }));
    const news = await Promise.all(qsos.map(({ qso }) => this.app.news(worthOf(qso))));
    if (asked !== this.asked) return; // newer spots are already shown
    const heard = qsos.map((one, place) => ({ ...one, news: news[place] }));
    this.app.compass.hear(heard);
    this.app.form.dial.mark(heard.flatMap(markOf).reverse());
    this.heard = new Map(heard.map((one) => [one.spot.id, one]));
    const rows = heard.map((one) => this.#rowOf(one));
    this.list.replace(rows, true, false);
    this.#showAges();
    this.#showDisc().catch(() => {}); // the list is complete without the disc
  }
  /** Shows the stations on a disc next to the list, where there is room for the disc. */
  async #showDisc() {
    const { compass } = this.app;
    const home = parseLocator(compass.locator);
    if (!DESK.matches || find("spots").hidden || !home) return;
    if (!this.disc) {
      const { Disc } = await import("../../shared/parts/disc.js");
      this.disc ??= new Disc({ label: say("Map of spots"), scale: 1.27 });
      find("spots-disc").firstElementChild?.replaceChildren(this.disc.node);
    }
    this.disc.show({ home, points: compass.points(true) });
    find("spots-disc").hidden = false;
  }
  /** @param {Heard} heard */
  #rowOf(heard) {
    const { spot, qso, news } = heard;
    const best = news.find(isNew);
    return {
      id: spot.id,
      callsign: qso.callsignWorked,
      at: spot.when,
      age: shortAge(spot.when),
      badge: best ? ["new", capital(say(best))] : null,
      place: countryName(worthOf(qso).division),
      tuning: drawTuning(qso),
      reports: typed(spot.spotter),
      far: wayOf(heard, this.app.compass.locator),
    };
  }
  #showAges() {
    for (const [id, { spot }] of this.heard) {
      const row = this.list.find(id);
      for (const place of row?.querySelectorAll(".age") ?? [])
        place.textContent = shortAge(spot.when);
      const isFresh = Date.now() - Date.parse(spot.when) < FRESH_MS;
      row?.querySelector(".q")?.classList.toggle("fresh", isFresh);
    }
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
