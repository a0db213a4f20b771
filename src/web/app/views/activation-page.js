// Shows the page for activations: the form that starts an activation, the activation's figures, its
// QSOs over time, and a map of their squares.
import {
  day,
  element,
  figureOf,
  find,
  hour,
  input,
  number,
  plain,
  typed,
} from "../../shared/page.js";
import { askLocator } from "../../shared/awards/award-rules.js";
import { parseLocator } from "../../shared/map/geography.js";
import { say } from "../../shared/language.js";
import { normalise } from "../../shared/qsosync-fields.js";
import { barsOf } from "../../shared/parts/bars.js";
import { itemOf } from "../../shared/parts/item.js";
import { compact, upperCase } from "../../shared/words/callsigns.js";
import { saveAdif } from "../text/save-adif.js";

/** @import { BookRow, Outing, Trip } from "../types.js" */

const ROWS_MAX = 200;
const MS_PER_MINUTE = 60000;
const STEPS = [10, 60, 360, 1440]; // minutes that a bar can cover
const BARS_MAX = 40;
const LEAST_MINUTES = 10; // in a shorter period, the QSOs per hour are not significant

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

/**
 * Marks an input as valid or invalid. An invalid input takes the focus.
 * @param {string} id
 * @param {boolean} isValid
 */
function mark(id, isValid) {
  input(id).setAttribute("aria-invalid", String(!isValid));
  if (!isValid) input(id).focus();
  return isValid;
}
/** @param {(row: BookRow) => unknown} of @param {BookRow[]} rows */
const distinct = (of, rows) => new Set(rows.map(of).filter(Boolean)).size;
/** @param {BookRow[]} rows */
const divisionsOf = (rows) => distinct(({ division }) => division, rows);
/** @param {BookRow[]} rows */
const squaresOf = (rows) => distinct(({ qso }) => qso.dxLocator?.slice(0, 4), rows);
/** @param {BookRow[]} rows */
const farthestOf = (rows) => Math.max(0, ...rows.map(({ km }) => km ?? 0));
/** @param {[name: string, value: string][]} figures */
const drawFigures = (figures) => figures.map(([name, value]) => figureOf(name, value));

export class OutingPage {
  /** @param {Outing} outing */
  constructor(outing) {
    const { app } = outing;
    this.app = app;
    this.outing = outing;
    this.asked = 0;
    /** @type {number | undefined} the timer that renews the figures next to the form */
    this.ticking = undefined;
    /** @type {number | null} the place of the shown activation; null: the form is shown */
    this.shown = outing.now ? 0 : null;
    /** @type {BookRow[]} */
    this.shownRows = [];
    find("outing-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#begin();
    });
    find("outing-end").addEventListener("click", () => this.#end());
    find("outing-done").addEventListener("click", () => this.#open(null));
    find("outing-file").addEventListener("click", () => {
      const { from, station } = outing.trips[this.shown ?? 0];
      const name = `${station || app.callsign} ${from.slice(0, 10)}.adi`.replace(/\//g, "-");
      saveAdif(
        name,
        this.shownRows.map(({ qso }) => qso),
      );
    });
    input("outing-station").addEventListener("input", () => this.#nameStart());
    find("outing-here").addEventListener("click", () => this.#findMe());
    find("outing-share").addEventListener("click", () => this.#share());
    find("outing-stop").addEventListener("click", () => {
      this.#end();
      location.hash = "#outing";
    });
    this.rows = app.listOf(say("Activation"));
    find("outing-rows").append(this.rows.node);
  }

  #keep() {
    this.outing.keep();
    this.#open(0);
  }
  /**
   * Shows an activation; null: shows the form that starts an activation.
   * @param {number | null} place
   */
  #open(place) {
    this.shown = place;
    this.outing.show();
  }

  #begin() {
    const { fields } = this.app.form;
    const [operatorCallsign, myLocator] = ["outing-station", "outing-locator"].map(
      (id) => upperCase(input(id).value.trim()) || null,
    );
    const place = normalise({ myLocator }).myLocator;
    const power = input("outing-power").value.trim();
    const isPlace = mark("outing-locator", !place || parseLocator(place) !== null);
    const isPower = mark("outing-power", /^\d{0,5}$/.test(power));
    if (!isPlace || !isPower) return;
    this.outing.trips.unshift({
      from: new Date().toISOString(),
      name: input("outing-called").value.trim(),
      station: operatorCallsign ?? "",
      locator: place ?? "",
      before: {
        operatorCallsign: fields.get("operatorCallsign"),
        myLocator: fields.get("myLocator"),
        txPowerW: fields.get("txPowerW"),
      },
    });
    const values = { operatorCallsign, txPowerW: power, ...(place && { myLocator: place }) };
    this.app.form.setOut(values, input("outing-counts").checked ? 1 : null);
    this.#keep();
    location.hash = "#log";
  }
  #end() {
    const { now } = this.outing;
    if (!now) return;
    now.to = new Date().toISOString();
    clearInterval(this.ticking);
    this.app.form.setOut(this.outing.trips[0].before, null);
    this.#keep();
  }

  async show() {
    const asked = ++this.asked;
    const trip = this.shown === null ? null : this.outing.trips[this.shown];
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
    find("outing-again").hidden = !to || !station || this.outing.now !== null;
    find("outing-again").textContent = say("You log as {callsign} again.", {
      callsign: this.app.callsign,
    });
    const rows = await this.outing.rowsOf(trip);
    const map = rows.length ? [await this.#map(trip, rows)] : [];
    if (asked !== this.asked) return;
    this.shownRows = rows;
    this.#showFigures(rows);
    find("outing-bars").replaceChildren(...(rows.length ? [this.#bars(rows)] : []));
    find("outing-map").replaceChildren(...map);
    const shown = rows.slice(0, ROWS_MAX);
    this.rows.showQsos(shown, { isFirst: true, isLast: true, hasDays: true });
    find("outing-rows").hidden = rows.length === 0;
  }
  #nameStart() {
    const callsign = upperCase(input("outing-station").value.trim()) || this.app.callsign;
    find("outing-start").textContent = plain(say("Start as {callsign}", { callsign }));
  }
  /** Fills in the locator of the device's position. */
  #findMe() {
    askLocator(
      (locator) => {
        input("outing-locator").value = locator;
      },
      () => this.app.tell(say("This device doesn't share its location."), "warn"),
    );
  }
  /** Shares the figures of the activation, without the callsigns of the stations worked. */
  async #share() {
    const { name, from, station, locator } = this.outing.trips[this.shown ?? 0];
    const rows = this.shownRows;
    const km = farthestOf(rows);
    const figures = [
      say("{n} QSO|{n} QSOs", { n: rows.length }),
      say("{n} division|{n} divisions", { n: divisionsOf(rows) }),
      say("{n} square|{n} squares", { n: squaresOf(rows) }),
      km ? say("farthest {km} km", { km: number(km) }) : "",
    ];
    const who = [name, station || this.app.callsign, locator, day(from)].filter(Boolean).join(", ");
    const text = `${who}: ${figures.filter(Boolean).join(", ")}.`;
    try {
      if (navigator.share) return await navigator.share({ title: name || say("Activation"), text });
      await navigator.clipboard.writeText(text);
      this.app.tell(say("Copied"), "good");
    } catch (error) {
      // the member has closed the system's dialog
      if (!(error instanceof DOMException && error.name === "AbortError"))
        this.app.tell(String(error), "bad");
    }
  }
  /**
   * Shows the figures of the current activation next to the form.
   * @param {Trip} trip
   * @param {BookRow[]} rows
   */
  showBeside(trip, rows) {
    clearInterval(this.ticking);
    const show = () => {
      const minutes = Math.floor((Date.now() - Date.parse(trip.from)) / MS_PER_MINUTE);
      const running = `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
      const perHour = Math.round((rows.length * 60) / Math.max(LEAST_MINUTES, minutes));
      find("outing-beside")
        .querySelector("dl")
        ?.replaceChildren(
          ...drawFigures([
            [say("QSOs"), number(rows.length)],
            [say("Running"), running],
            [say("Per hour"), number(perHour)],
            [say("Divisions"), number(divisionsOf(rows))],
          ]),
        );
    };
    show();
    this.ticking = setInterval(show, MS_PER_MINUTE / 2);
  }
  /** Offers the previous activations next to the form. */
  #offer() {
    input("outing-power").value ||= this.app.form.fields.get("txPowerW");
    this.#nameStart();
    find("outing-last").hidden = this.outing.trips.length === 0;
    find("outing-trips").replaceChildren(
      ...this.outing.trips.map(({ name, from, station }, place) =>
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
    const hours = countByKey(rows.map(({ qso }) => qso.qsoAt.slice(0, 13)));
    /** @type {[string, string][]} */
    const figures = [
      [say("QSOs"), number(rows.length)],
      [say("Stations"), number(distinct(({ qso }) => compact(qso.callsignWorked), rows))],
      [say("Divisions"), number(divisionsOf(rows))],
      [say("Squares"), number(squaresOf(rows))],
      [say("Farthest"), `${number(farthestOf(rows))} km`],
      [say("Best hour"), number(Math.max(0, ...hours.map(([, n]) => n)))],
      [say("Confirmed"), number(rows.filter(({ qso }) => qso.crossConfirmedAt).length)],
    ];
    find("outing-figures").replaceChildren(...drawFigures(figures));
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
