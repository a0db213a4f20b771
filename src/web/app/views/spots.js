// Shows the newest spots. A tap on a spot fills in the form.
import { age, element, find, typed } from "../../shared/page.js";
import { parseQuery } from "../../shared/query.js";
import { isNew } from "../../shared/awards/cluster-needed.js";
import { qsoOfSpot } from "../../shared/words/spot-qso.js";
import { marksOf } from "../../shared/form/station-info.js";
import { BANDS } from "../text/tables.js";
import { tuningOf } from "../../shared/words/words.js";
import { worthOf } from "../../shared/awards/award-rules.js";

/** @import { App, DialMark, Form, Values } from "../types.js" */

const ASK_MS = 15000;
const LOG_MS = 60000; // interval while only the page Log, with its disc and dial, shows the spots
const SHOWN = 20;
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

export class Spots {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {any[]} */
    this.spots = [];
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
    if (!navigator.onLine) find("no-spots").hidden = this.spots.length > 0;
    if (document.hidden || !navigator.onLine || !this.app.isOpen) return;
    const isLog = !find("log").hidden && Date.now() - this.asking >= LOG_MS;
    if (find("spots").hidden && !isLog) return;
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
      find("no-spots").hidden = this.spots.length > 0;
    }
  }
  async show() {
    const asked = ++this.asked;
    const qsos = this.spots.slice(0, SHOWN).map((spot) => ({ spot, qso: qsoOfSpot(spot) }));
    const news = await Promise.all(qsos.map(({ qso }) => this.app.news(worthOf(qso))));
    if (asked !== this.asked) return; // newer spots are already shown
    const heard = qsos.map((one, place) => ({ ...one, news: news[place] }));
    this.app.compass.hear(heard);
    this.app.form.dial.mark(heard.flatMap(markOf).reverse());
    find("spot-rows").replaceChildren(
      ...qsos.map(({ spot, qso }, place) => {
        const take = () => {
          this.app.form.take(qso);
          location.hash = "#log";
        };
        return element(
          "li",
          {},
          element(
            "button",
            { type: "button", class: "entry", click: take },
            element("strong", {}, typed(qso.callsignWorked ?? "–")),
            ` ${tuningOf(qso)} `,
            element("span", { class: "muted" }, age(spot.when)),
            ...marksOf(news[place].filter(isNew)).flatMap((mark) => [" ", mark]),
          ),
        );
      }),
    );
  }
}
