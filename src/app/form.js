// The form that logs a QSO, and changes one: values that stay from one to the next, what the
// service
// would refuse said at its field, and a draft that outlives the page.
import { choice, element, find, number, recall, remember } from "../pages/page.js";
import { bearing, distanceKm, parseLocator } from "../pages/geography.js";
import { say } from "../pages/language.js";
import { findFaults } from "./qsosync-fields.js";
import * as channels from "./channels.js";
import { compact } from "./storage.js";
import { divisionOf, reasonOf, timeOf, tuningOf } from "./words.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {Record<string, any>} Values */

const TEXTS = ["frequencyMhz", "ctcssTone", "dcsCode", "callsignWorked", "operatorCallsign"].concat(
  ["dxLocator", "myLocator", "rstSent", "rstReceived", "notes", "radio", "antenna"],
);
const NUMBERS = ["channel", "txPowerW", "splitKhz", "dxLat", "dxLng"];
const CHOICES = ["mode", "path", "qsoStatus", "qslVia"];
const CHECKS = ["qslSent", "qslReceived"];
// What stays from one QSO to the next.
const STAYING = ["frequencyMhz", "channel", "ctcssTone", "dcsCode", "mode", "txPowerW"].concat([
  "radio",
  "antenna",
  "myLocator",
  "operatorCallsign",
  "serial",
  "sendSpot",
]);
const OTHERS = ["serial", "sendSpot", "date", "time"];
const ALL = [...TEXTS, ...NUMBERS, ...CHOICES, ...CHECKS, ...OTHERS];
const KNOWN_SHOWN = 3;
const MINUTES_MS = 60000;

/** @param {string} id */
function control(id) {
  return /** @type {HTMLInputElement | HTMLSelectElement} */ (find(id));
}
/**
 * What a field holds, as text.
 * @param {string} id
 */
function get(id) {
  const node = control(id);
  return node instanceof HTMLInputElement && node.type === "checkbox"
    ? node.checked
      ? "on"
      : ""
    : node.value;
}
/**
 * @param {string} id
 * @param {string} value
 */
function set(id, value) {
  const node = control(id);
  if (node instanceof HTMLInputElement && node.type === "checkbox") node.checked = value === "on";
  else node.value = value;
}
function band() {
  return /** @type {HTMLInputElement} */ (document.querySelector("[name=band]:checked")).value;
}
/** @param {string} value */
function setBand(value) {
  const radio = document.querySelector(`[name=band][value=${value}]`);
  if (radio instanceof HTMLInputElement) radio.checked = true;
  const isPmr = value === "PMR446";
  for (const node of document.querySelectorAll(".only-eleven"))
    node.toggleAttribute("hidden", isPmr);
  for (const node of document.querySelectorAll(".only-pmr")) node.toggleAttribute("hidden", !isPmr);
}

export class Form {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {string | null} clientId of the QSO that is changed */
    this.editing = null;
    this.isLive = true;
    this.asked = 0;
    this.#fillChoices();
    this.#listen();
    this.#restore();
  }

  #fillChoices() {
    choice("mode").append(
      ...channels.MODES.map((mode) => element("option", { value: mode }, mode)),
    );
    find("tones").append(...channels.TONES_HZ.map((tone) => element("option", { value: tone })));
    this.showCalling();
  }
  showCalling() {
    const frequencies = (recall("calling") ?? channels.CALLING_MHZ.join(" ")).split(/\s+/);
    find("calling").replaceChildren(
      ...frequencies.filter(channels.readFrequency).map((text) => {
        const mhz = channels.readFrequency(text) ?? "";
        return element("button", { type: "button", click: () => this.tune(mhz) }, mhz);
      }),
    );
  }

  #listen() {
    const form = find("form");
    form.addEventListener("input", () => this.#changed());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.save();
    });
    for (const radio of document.querySelectorAll("[name=band]"))
      radio.addEventListener("change", () => setBand(band()));
    for (const button of document.querySelectorAll("[data-step]"))
      button.addEventListener("click", () => {
        const khz = Number(button.getAttribute("data-step"));
        this.tune(channels.stepFrequency(get("frequencyMhz"), khz));
      });
    control("frequencyMhz").addEventListener("change", () =>
      this.tune(channels.readFrequency(get("frequencyMhz")) ?? get("frequencyMhz")),
    );
    control("cb").addEventListener("input", () => {
      const mhz = channels.frequencyOfChannel(Number(get("cb")));
      if (mhz) set("frequencyMhz", mhz);
    });
    control("callsignWorked").addEventListener("input", () => this.showKnown());
    for (const id of ["dxLocator", "myLocator"])
      control(id).addEventListener("input", () => this.showWay());
    for (const id of ["date", "time"])
      control(id).addEventListener("input", () => {
        this.isLive = false;
      });
    find("now").addEventListener("click", () => this.#setTime(null));
    find("earlier").addEventListener("click", () => this.#setTime(this.#time() - 5 * MINUTES_MS));
    find("here").addEventListener("click", () => this.#findMe());
    find("leave").addEventListener("click", () => this.clear());
    const more = /** @type {HTMLDetailsElement} */ (find("more"));
    more.open = recall("more") === "open";
    more.addEventListener("toggle", () => remember("more", more.open ? "open" : "closed"));
    setInterval(() => this.isLive && this.#setTime(null), 1000);
  }

  // -- values -------------------------------------------------------------------------------------

  /** @param {string} mhz */
  tune(mhz) {
    set("frequencyMhz", mhz);
    set("cb", String(channels.channelOfFrequency(mhz) ?? ""));
    this.#changed();
  }
  #time() {
    const at = this.isLive ? Date.now() : Date.parse(`${get("date")}T${get("time")}Z`);
    return Number.isNaN(at) ? Date.now() : at;
  }
  /** @param {number | null} ms null: now, and going on */
  #setTime(ms) {
    this.isLive = ms === null;
    const iso = new Date(ms ?? Date.now()).toISOString();
    set("date", iso.slice(0, 10));
    set("time", iso.slice(11, 19));
  }

  /** The whole QSO as the fields say it. */
  read() {
    /** @type {Values} */
    const values = { band: band() };
    const isPmr = values.band === "PMR446";
    for (const id of [...TEXTS, ...CHOICES]) values[id] = get(id).trim() || null;
    for (const id of NUMBERS) {
      const text = get(id).trim().replace(",", ".");
      values[id] = text === "" ? null : Number.isNaN(Number(text)) ? text : Number(text);
    }
    for (const id of CHECKS) values[id] = get(id) === "on";
    for (const id of isPmr ? ["frequencyMhz"] : ["channel", "ctcssTone", "dcsCode"])
      values[id] = null;
    values.frequencyMhz = channels.readFrequency(values.frequencyMhz ?? "") ?? values.frequencyMhz;
    values.callsignWorked = values.callsignWorked?.toUpperCase() ?? null;
    const [time, serial] = [get("time"), get("serial").trim()];
    const typedAt = `${get("date")}T${time.length === 5 ? `${time}:00` : time}Z`;
    values.qsoAt = this.isLive ? new Date().toISOString() : typedAt;
    if (serial && !this.editing)
      values.rstSent = `${values.rstSent ?? "59"} ${serial.padStart(3, "0")}`;
    if (get("sendSpot") === "on" && this.isLive && !this.editing && this.app.isOnline)
      values.sendSpot = true;
    return values;
  }

  /** @param {Values} values of a QSO, or of a spot */
  show(values) {
    setBand(values.band ?? band());
    for (const id of [...TEXTS, ...NUMBERS, ...CHOICES])
      if (id in values) set(id, String(values[id] ?? ""));
    for (const id of CHECKS) if (id in values) set(id, values[id] ? "on" : "");
    set("cb", String(channels.channelOfFrequency(get("frequencyMhz")) ?? ""));
    this.showKnown();
    this.showWay();
    this.#changed();
  }

  /** @param {Values} qso that is in the log */
  edit(qso) {
    this.editing = qso.clientId;
    this.editedAt = qso.qsoAt;
    this.show(qso);
    this.#setTime(Date.parse(qso.qsoAt));
    this.#showEditing();
    this.#changed();
  }
  #showEditing() {
    find("editing").hidden = this.editing === null;
    find("log-title").textContent = this.editing ? say("Change a QSO") : say("Log a QSO");
  }

  isEmpty() {
    return !this.editing && !["callsignWorked", "dxLocator", "notes"].some((id) => get(id).trim());
  }

  /** For the next QSO. */
  clear() {
    const wasEditing = this.editing !== null;
    this.editing = null;
    const stay = wasEditing ? JSON.parse(recall("staying") ?? "{}") : null;
    for (const id of [...TEXTS, ...NUMBERS, ...CHOICES, ...CHECKS]) {
      if (!STAYING.includes(id)) set(id, "");
      else if (stay) set(id, stay[id] ?? "");
    }
    if (stay?.band) setBand(stay.band);
    this.#setDefaults();
    this.#setTime(null);
    this.#showFaults(new Map());
    this.#showEditing();
    this.showKnown();
    this.showWay();
    this.#changed();
    control("callsignWorked").focus();
  }
  #setDefaults() {
    for (const id of ["rstSent", "rstReceived"]) if (!get(id)) set(id, "59");
    set("cb", String(channels.channelOfFrequency(get("frequencyMhz")) ?? ""));
  }

  // -- the draft ----------------------------------------------------------------------------------

  #changed() {
    const draft = { band: band(), isLive: this.isLive, editing: this.editing, values: {} };
    const values = /** @type {Values} */ (draft.values);
    for (const id of ALL) values[id] = get(id);
    const text = JSON.stringify(draft);
    remember("draft", text);
    try {
      sessionStorage.setItem("qsosync-draft", text);
    } catch {
      /* as remember() */
    }
    if (!this.editing) remember("staying", JSON.stringify({ band: band(), ...values }));
  }
  #restore() {
    let text = recall("draft");
    try {
      text = sessionStorage.getItem("qsosync-draft") ?? text;
    } catch {
      /* as recall() */
    }
    const draft = JSON.parse(text ?? "null");
    setBand(draft?.band ?? "ELEVEN_METERS");
    if (!draft) set("mode", "USB");
    if (!draft) set("frequencyMhz", channels.CALLING_MHZ[0]);
    for (const id of ALL) if (draft?.values[id]) set(id, draft.values[id]);
    this.editing = draft?.editing ?? null;
    this.isLive = draft?.isLive ?? true;
    if (this.isLive || this.isEmpty()) this.#setTime(null);
    this.#setDefaults();
    this.#showEditing();
    this.showWay();
  }

  // -- saving -------------------------------------------------------------------------------------

  async save() {
    const values = this.read();
    const clientId = this.editing ?? this.app.makeId();
    const faults = findFaults({ ...values, clientId });
    if (this.isEmpty()) faults.set("callsignWorked", say("There is nothing to save yet."));
    this.#showFaults(faults);
    if (faults.size) return;
    try {
      await this.app.log.save({ ...values, clientId });
    } catch (error) {
      this.app.tell(
        say("This device did not keep the QSO: {reason}", { reason: String(error) }),
        "bad",
      );
      return;
    }
    const serial = Number(get("serial"));
    if (serial && !this.editing) set("serial", String(serial + 1));
    this.app.announce(
      say("Saved: {callsign}", { callsign: values.callsignWorked ?? tuningOf(values) }),
    );
    this.clear();
    this.app.written();
  }

  /** @param {Map<string, string>} faults by field */
  #showFaults(faults) {
    for (const node of document.querySelectorAll("#form .fault")) node.remove();
    for (const node of document.querySelectorAll("#form [aria-invalid]")) {
      node.removeAttribute("aria-invalid");
      if (node.getAttribute("aria-describedby")?.startsWith("fault-"))
        node.removeAttribute("aria-describedby");
    }
    let isFirst = true;
    for (const [name, reason] of faults) {
      const node = find(name === "qsoAt" ? "date" : name);
      node.setAttribute("aria-invalid", "true");
      const id = `fault-${name}`;
      if (!node.hasAttribute("aria-describedby")) node.setAttribute("aria-describedby", id);
      node.after(element("span", { class: "fault", id, role: "alert" }, reasonOf(reason)));
      const more = /** @type {HTMLDetailsElement} */ (find("more"));
      if (more.contains(node)) more.open = true;
      if (isFirst) node.focus();
      isFirst = false;
    }
  }

  // -- what is known of the other station ---------------------------------------------------------

  async showKnown() {
    const asked = ++this.asked;
    const call = compact(get("callsignWorked"));
    const known = call.length < 3 ? [] : await this.app.worked(call);
    const division = divisionOf(call);
    const isNew = division && !(await this.app.hasDivision(division.number));
    if (asked !== this.asked) return; // somebody typed on
    const today = new Date().toISOString().slice(0, 10);
    const isDuplicate = known.some(
      (qso) =>
        compact(qso.callsignWorked) === call &&
        qso.qsoAt.startsWith(today) &&
        qso.clientId !== this.editing,
    );
    const place = known.find((qso) => qso.dxLocator && compact(qso.callsignWorked) === call);
    find("known").replaceChildren(
      ...(division
        ? [
            element(
              "p",
              {},
              `${division.number} ${division.name}`,
              isNew ? " · " : null,
              isNew ? element("strong", {}, say("new division")) : null,
            ),
          ]
        : []),
      ...(isDuplicate ? [element("p", { class: "note warn" }, say("Worked today already."))] : []),
      ...known
        .slice(0, KNOWN_SHOWN)
        .map((qso) =>
          element(
            "p",
            {},
            element("bdi", {}, qso.callsignWorked),
            ` ${timeOf(qso.qsoAt)} ${tuningOf(qso)} `,
            element("bdi", { class: "muted" }, (qso.notes ?? "").slice(0, 60)),
          ),
        ),
      ...(place && !get("dxLocator")
        ? [
            element(
              "button",
              { type: "button", click: () => this.show({ dxLocator: place.dxLocator }) },
              say("Take its locator, {locator}", { locator: place.dxLocator }),
            ),
          ]
        : []),
    );
  }

  showWay() {
    const [from, to] = [parseLocator(get("myLocator")), parseLocator(get("dxLocator"))];
    find("way").textContent =
      from && to ? `${number(distanceKm(from, to))} km, ${bearing(from, to)}°` : "";
  }

  #findMe() {
    if (!navigator.geolocation)
      return this.app.tell(say("This device does not tell where it is."), "warn");
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => this.show({ myLocator: locatorOf(coords.latitude, coords.longitude) }),
      () => this.app.tell(say("This device does not tell where it is."), "warn"),
      { timeout: 20000, maximumAge: 600000 },
    );
  }
}

/**
 * The locator of six characters at a place.
 * @param {number} lat
 * @param {number} lng
 */
export function locatorOf(lat, lng) {
  const [x, y] = [Math.min(359.999999, lng + 180), Math.min(179.999999, lat + 90)];
  /** @type {(value: number, first: string) => string} */
  const letter = (value, first) => String.fromCharCode(first.charCodeAt(0) + Math.floor(value));
  return [letter(x / 20, "A"), letter(y / 10, "A"), Math.floor((x % 20) / 2), Math.floor(y % 10)]
    .concat([letter((x % 2) * 12, "a"), letter((y % 1) * 24, "a")])
    .join("");
}
