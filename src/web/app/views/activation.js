// Shows the page for activations, such as contests and field days. An activation has its own
// callsign and place, and a serial that increases automatically. The page shows the activation's
// QSOs, their hours and a map of their squares. The service does not store activations: each
// activation is a period, a callsign and a locator, stored only on this device.
import { choice, element, find, input, number, typed } from "../../shared/page.js";
import { recall, remember } from "../../shared/logs.js";
import { parseLocator } from "../../shared/map/geography.js";
import { say } from "../../shared/language.js";
import { normalise } from "../../shared/qsosync-fields.js";
import { compact, upperCase } from "../../shared/words/callsigns.js";
import { allOf } from "../log/all.js";
import { isSought } from "../log/search.js";
import { timeOf, tuningOf } from "../../shared/words/words.js";

/** @import { App, Values } from "../types.js" */
/**
 * @typedef {object} Trip
 * @property {string} from ISO time
 * @property {string} [to] ISO time of the end; absent while the activation continues
 * @property {string} station callsign; empty: the member's own callsign
 * @property {string} locator
 * @property {Values} before the form's values before the activation, which are restored at its end
 */

const TRIPS_MAX = 20;
const ROWS_MAX = 200;

/** Counts QSOs by key, in the order of the keys. @param {string[]} keys */
function countByKey(keys) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}

export class Outing {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.asked = 0;
    /** @type {Trip[]} the newest first */
    this.trips = JSON.parse(recall("outings") ?? "[]");
    this.shown = 0;
    find("outing-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#begin();
    });
    find("outing-end").addEventListener("click", () => this.#end());
    find("outing-of").addEventListener("input", () => {
      this.shown = Number(choice("outing-of").value);
      this.show();
    });
    this.showNow();
    app.watch((isChanged) => isChanged && !find("outing").hidden && this.show());
  }

  /** @returns {Trip | null} the current activation */
  get now() {
    const [newest] = this.trips;
    return newest && !newest.to ? newest : null;
  }
  #keep() {
    this.trips.length = Math.min(this.trips.length, TRIPS_MAX);
    remember("outings", JSON.stringify(this.trips));
    this.shown = 0;
    this.showNow();
    this.show();
  }

  #begin() {
    const { fields } = this.app.form;
    const [operatorCallsign, myLocator] = ["outing-station", "outing-locator"].map(
      (id) => upperCase(input(id).value.trim()) || null,
    );
    const place = normalise({ myLocator }).myLocator;
    if (place && !parseLocator(place)) {
      input("outing-locator").setAttribute("aria-invalid", "true");
      input("outing-locator").focus();
      return;
    }
    input("outing-locator").removeAttribute("aria-invalid");
    this.trips.unshift({
      from: new Date().toISOString(),
      station: operatorCallsign ?? "",
      locator: place ?? "",
      before: {
        operatorCallsign: fields.get("operatorCallsign"),
        myLocator: fields.get("myLocator"),
      },
    });
    const values = { operatorCallsign, ...(place && { myLocator: place }) };
    this.app.form.setOut(values, input("outing-counts").checked ? 1 : null);
    this.#keep();
    location.hash = "#log";
  }
  #end() {
    if (!this.now) return;
    this.now.to = new Date().toISOString();
    this.app.form.setOut(this.trips[0].before, null);
    this.#keep();
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
        say("Activation since {time}", { time: timeOf(now.from).slice(11) }),
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

  /** Returns the number of QSOs in the current activation; null without an activation. */
  async count() {
    return this.now && (await this.#qsosOf(this.now)).length;
  }

  /** @param {Trip} trip */
  async #qsosOf({ from, to, station }) {
    const sought = { from, ...(to && { to }), ...(station && { station: compact(station) }) };
    const days = Object.entries({ from, to }).map(([name, at]) => [name, at?.slice(0, 10) ?? ""]);
    const wish = new Map(/** @type {[string, string][]} */ (days.filter(([, day]) => day)));
    return (await allOf(this.app.book, wish)).filter((qso) => isSought(qso, sought));
  }

  show() {
    return this.#show().catch((error) => this.app.tell(String(error), "bad"));
  }
  async #show() {
    const asked = ++this.asked;
    const trip = this.trips[this.shown];
    find("outing-form").hidden = this.now !== null;
    find("outing-end").hidden = this.now === null || this.shown !== 0;
    find("outing-choice").hidden = this.trips.length < 2;
    find("outing-shown").hidden = !trip;
    if (!trip) return;
    find("outing-of").replaceChildren(
      ...this.trips.map(({ from, station }, place) =>
        element(
          "option",
          { value: place, selected: place === this.shown },
          `${timeOf(from)} ${station}`,
        ),
      ),
    );
    const qsos = await this.#qsosOf(trip);
    const map = qsos.length ? [await this.#map(trip, qsos)] : [];
    if (asked !== this.asked) return;
    find("outing-count").textContent = say("{n} QSO|{n} QSOs", { n: qsos.length });
    this.#showHours(qsos);
    find("outing-map").replaceChildren(...map);
    this.#showRows(qsos);
  }
  /** @param {Values[]} qsos */
  #showHours(qsos) {
    const hours = countByKey(qsos.map(({ qsoAt }) => qsoAt.slice(0, 13)));
    const most = Math.max(...hours.map(([, n]) => n));
    find("outing-hours").replaceChildren(
      ...hours.map(([hour, n]) => {
        const name = `${hour.slice(0, 10)} ${hour.slice(11)} UTC`;
        return element(
          "li",
          {},
          element("span", {}, name),
          element("meter", { max: most, value: n, "aria-label": name }),
          element("span", { class: "number" }, number(n)),
        );
      }),
    );
  }
  /**
   * @param {Trip} trip
   * @param {Values[]} qsos
   */
  async #map({ locator }, qsos) {
    const squares = countByKey(
      qsos.map(({ dxLocator }) => (dxLocator ?? "").slice(0, 4)).filter(Boolean),
    );
    const name = say("{n} square|{n} squares", { n: squares.length });
    const { mapOf } = await import("./squares.js");
    return element(
      "figure",
      {},
      await mapOf(
        squares.map(([square, n]) => ({ name: square, title: `${square}: ${n}` })),
        name,
        locator || this.app.home,
      ),
      element(
        "figcaption",
        {},
        `${name}: ${squares.map(([square, n]) => (n > 1 ? `${square} ×${n}` : square)).join(" ")}`,
      ),
    );
  }
  /** @param {Values[]} qsos */
  #showRows(qsos) {
    const change = (/** @type {Values} */ qso) => () => {
      this.app.form.edit(qso);
      location.hash = "#log";
    };
    find("outing-rows").replaceChildren(
      ...qsos
        .slice(0, ROWS_MAX)
        .map((qso) =>
          element(
            "li",
            {},
            element(
              "button",
              { type: "button", class: "entry", click: change(qso) },
              element("strong", {}, typed(qso.callsignWorked ?? "–")),
              ` ${timeOf(qso.qsoAt)} ${tuningOf(qso)} `,
              `${qso.rstSent ?? ""} ${qso.rstReceived ?? ""} ${qso.dxLocator ?? ""}`,
            ),
          ),
        ),
    );
  }
}
