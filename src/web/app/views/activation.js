// Shows the page for activations, such as contests and field days. An activation has its own
// callsign and place, and a serial that increases automatically. The page shows the figures of the
// activation, its QSOs over time, and a map of their squares. The service does not store
// activations: each one is a period, a callsign and a locator, stored only on this device.
import { day, element, find, hour, input, number, typed } from "../../shared/page.js";
import { recall, remember } from "../../shared/logs.js";
import { parseLocator } from "../../shared/map/geography.js";
import { say } from "../../shared/language.js";
import { normalise } from "../../shared/qsosync-fields.js";
import { QsoRows } from "../../shared/logbook/log-rows.js";
import { barsOf } from "../../shared/parts/bars.js";
import { itemOf } from "../../shared/parts/item.js";
import { compact, upperCase } from "../../shared/words/callsigns.js";
import { allOf } from "../log/all.js";
import { isSought } from "../log/search.js";
import { formatAdif } from "../text/adif.js";
import { saveFile } from "../text/files.js";

/** @import { App, BookRow, LogQso, Values } from "../types.js" */
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
const ROWS_MAX = 200;
const MS_PER_MINUTE = 60000;
const STEPS = [10, 60, 360, 1440]; // minutes of a bar
const BARS_MAX = 40;

/**
 * Counts QSOs by key, in the order of the keys.
 * @param {string[]} keys
 */
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
    /** @type {number | null} the place of the shown activation; null: none, but the form */
    this.shown = this.now ? 0 : null;
    /** @type {Values[]} the shown QSOs */
    this.qsos = [];
    find("outing-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#begin();
    });
    find("outing-end").addEventListener("click", () => this.#end());
    find("outing-done").addEventListener("click", () => this.#open(null));
    find("outing-file").addEventListener("click", () => {
      const { from, station } = this.trips[this.shown ?? 0];
      const name = `${station || app.callsign} ${from.slice(0, 10)}.adi`.replace(/\//g, "-");
      saveFile(name, "text/plain", formatAdif(this.qsos));
    });
    const acts = async () => (await app.loadLogbook()).acts;
    this.rows = new QsoRows(say("Activation"), {
      book: app.book,
      show: async (rows, key) => (await acts()).show(rows, key),
      edit: async (rows, key) => (await acts()).edit(rows, key),
      remove: async (rows, key) => (await acts()).remove(rows, key),
      renew: (rows, key) => app.logbook?.acts.renew(rows, key),
      select: async (rows, keys) => (await acts()).select(rows, keys),
    });
    find("outing-rows").append(this.rows.node);
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
    this.showNow();
    this.#open(0);
  }
  /**
   * Shows an activation; null: the form that starts one.
   * @param {number | null} place
   */
  #open(place) {
    this.shown = place;
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
      name: input("outing-called").value.trim(),
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

  /** Returns the number of QSOs in the current activation; null without an activation. */
  async count() {
    return this.now && (await this.#rowsOf(this.now)).length;
  }

  /** @param {Trip} trip */
  async #rowsOf({ from, to, station }) {
    const sought = { from, ...(to && { to }), ...(station && { station: compact(station) }) };
    const days = Object.entries({ from, to }).map(([name, at]) => [name, at?.slice(0, 10) ?? ""]);
    const wish = new Map(/** @type {[string, string][]} */ (days.filter(([, day]) => day)));
    return (await allOf(this.app.book, wish)).filter(({ qso }) =>
      isSought(/** @type {LogQso} */ (qso), sought),
    );
  }

  show() {
    return this.#show().catch((error) => this.app.tell(String(error), "bad"));
  }
  async #show() {
    const asked = ++this.asked;
    const trip = this.shown === null ? null : this.trips[this.shown];
    find("outing-form").hidden = Boolean(trip);
    find("outing-shown").hidden = !trip;
    if (!trip) return this.#offer();
    const { from, to, station, locator, name } = trip;
    find("outing-end").hidden = Boolean(to);
    find("outing-done").hidden = !to;
    find("outing-name").textContent = name || say("Activation");
    const who = [station || this.app.callsign, locator].filter(Boolean).join(", ");
    const when = to
      ? `${hour(from)}–${hour(to)} UTC`
      : say("since {time} UTC", { time: hour(from) });
    find("outing-when").replaceChildren(typed(who), ` · ${day(from)}, ${when}`);
    find("outing-again").hidden = !to || !station || this.now !== null;
    find("outing-again").textContent = say("You log as {callsign} again.", {
      callsign: this.app.callsign,
    });
    const rows = await this.#rowsOf(trip);
    const map = rows.length ? [await this.#map(trip, rows)] : [];
    if (asked !== this.asked) return;
    this.qsos = rows.map(({ qso }) => qso);
    this.#showFigures(rows);
    find("outing-bars").replaceChildren(...(rows.length ? [this.#bars(rows)] : []));
    find("outing-map").replaceChildren(...map);
    const shown = rows.slice(0, ROWS_MAX);
    this.rows.showQsos(shown, { isFirst: true, isLast: true, hasDays: true });
    find("outing-rows").hidden = rows.length === 0;
  }
  /** Offers the previous activations next to the form. */
  #offer() {
    find("outing-last").hidden = this.trips.length === 0;
    find("outing-trips").replaceChildren(
      ...this.trips.map(({ name, from, station }, place) =>
        itemOf({
          name: name || station || this.app.callsign,
          line: [day(from), name ? station : ""],
          open: () => this.#open(place),
        }),
      ),
    );
  }
  /** @param {BookRow[]} rows */
  #showFigures(rows) {
    const distinct = (/** @type {(row: BookRow) => unknown} */ of) =>
      new Set(rows.map(of).filter(Boolean)).size;
    const farthest = Math.max(0, ...rows.map(({ km }) => km ?? 0));
    const hours = countByKey(rows.map(({ qso }) => qso.qsoAt.slice(0, 13)));
    /** @type {[string, string][]} */
    const figures = [
      [say("QSOs"), number(rows.length)],
      [say("Stations"), number(distinct(({ qso }) => compact(qso.callsignWorked)))],
      [say("Divisions"), number(distinct(({ division }) => division))],
      [say("Squares"), number(distinct(({ qso }) => qso.dxLocator?.slice(0, 4)))],
      [say("Farthest"), `${number(farthest)} km`],
      [say("Best hour"), number(Math.max(0, ...hours.map(([, n]) => n)))],
      [say("Confirmed"), number(rows.filter(({ qso }) => qso.crossConfirmedAt).length)],
    ];
    find("outing-figures").replaceChildren(
      ...figures.map(([name, value]) =>
        element("div", {}, element("dt", {}, name), element("dd", {}, value)),
      ),
    );
  }
  /** Returns a chart of the QSOs over time. @param {BookRow[]} rows newest first */
  #bars(rows) {
    const minutes = rows.map(({ qso }) => Math.floor(Date.parse(qso.qsoAt) / MS_PER_MINUTE));
    const [last, first] = [minutes[0], minutes[minutes.length - 1]];
    const step = STEPS.find((one) => (last - first) / one < BARS_MAX) ?? STEPS[STEPS.length - 1];
    const begin = Math.floor(first / step);
    const count = Math.min(BARS_MAX, Math.floor(last / step) - begin + 1);
    const bars = Array.from({ length: count }, (_, place) => {
      const at = (begin + place) * step * MS_PER_MINUTE;
      const name = step < 1440 ? hour(at) : day(at);
      const below = place % 6 ? undefined : name;
      return { name: `${day(at)}, ${hour(at)}`, below, qsos: 0, confirmed: 0 };
    });
    for (const [index, { qso }] of rows.entries()) {
      const bar = bars[Math.floor(minutes[index] / step) - begin];
      if (!bar) continue;
      bar.qsos++;
      if (qso.crossConfirmedAt) bar.confirmed++;
    }
    return barsOf(say("Time"), bars);
  }
  /**
   * @param {Trip} trip
   * @param {BookRow[]} rows
   */
  async #map({ locator }, rows) {
    const squares = countByKey(
      rows.map(({ qso }) => (qso.dxLocator ?? "").slice(0, 4)).filter(Boolean),
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
}
