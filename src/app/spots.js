// The newest spots under the form: one touch fills it.
import { age, element, find, typed } from "../pages/page.js";
import { marksOf } from "./known.js";
import { tuningOf } from "./words.js";
import { worthOf } from "./worth.js";

/** @typedef {import("./app.js").App} App */

const ASK_MS = 15000;
const SHOWN = 8;
const BANDS = ["ELEVEN_METERS", "PMR446"];
// A spot fills these, and empties them where it does not say.
const NO_SPOT = {
  ...{ frequencyMhz: null, channel: null, ctcssTone: null, dcsCode: null, mode: null },
  ...{ callsignWorked: null, dxLocator: null },
};

/** @param {any} spot */
function asQso(spot) {
  const isPmr = spot.band === "pmr446";
  return {
    band: isPmr ? "PMR446" : "ELEVEN_METERS",
    frequencyMhz: isPmr || spot.frequency === null ? null : (spot.frequency / 1000).toFixed(3),
    channel: spot.channel ?? null,
    ctcssTone: spot.ctcssTone ?? null,
    dcsCode: spot.dcsCode ?? null,
    mode: spot.mode ?? null,
    callsignWorked: spot.spotted ?? null,
    dxLocator: spot.spottedLocator ?? null,
  };
}

/**
 * A link of another page that brings a spot: #spot= and the fields of the QSO, as in a query.
 * @param {import("./form.js").Form} form which it fills
 */
export function takeSpotOutOfAddress(form) {
  if (!location.hash.startsWith("#spot=")) return;
  const values = Object.fromEntries(new URLSearchParams(location.hash.slice("#spot=".length)));
  history.replaceState(null, "", "#log");
  if (BANDS.includes(values.band)) form.take({ ...NO_SPOT, ...values });
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
    for (const radio of document.querySelectorAll("[name=band]"))
      radio.addEventListener("change", () => this.show());
    // Marks change with what another program has logged.
    app.watch((isChanged) => {
      if (isChanged && app.line) this.show().catch(() => {});
    });
  }

  start() {
    if (this.timer) return;
    this.timer = setInterval(() => this.ask(), ASK_MS);
    this.ask();
  }
  async ask() {
    if (document.hidden || find("log").hidden) return;
    try {
      /** @type {Record<string, string>} */
      const headers = this.tag ? { "If-None-Match": this.tag } : {};
      const answer = await fetch("../cluster/spots", { cache: "no-store", headers });
      if (!answer.ok) return;
      this.tag = answer.headers.get("ETag");
      this.spots = await answer.json();
      this.show();
    } catch {
      /* without a network the last ones stay */
    }
  }
  async show() {
    const asked = ++this.asked;
    const { band } = this.app.form.fields;
    const qsos = this.spots
      .map((spot) => ({ spot, qso: asQso(spot) }))
      .filter(({ qso }) => qso.band === band)
      .slice(0, SHOWN);
    const news = await Promise.all(qsos.map(({ qso }) => this.app.news(worthOf(qso))));
    if (asked !== this.asked) return; // others are shown by now
    find("no-spots").hidden = qsos.length > 0;
    find("spots").replaceChildren(
      ...qsos.map(({ spot, qso }, place) => {
        /** @param {MouseEvent} event */
        const take = (event) => {
          this.app.form.take(qso);
          // By keyboard, Enter saves it then; a thumb finds the button uncovered.
          if (event.detail === 0) find("callsignWorked").focus();
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
            ...marksOf(news[place]).flatMap((mark) => [" ", mark]),
          ),
        );
      }),
    );
  }
}
