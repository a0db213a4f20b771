// The fields of the form: what they hold, the QSO that it makes, and what is wrong with it, said at
// each. The same form stands in the app and in a dialog of the profile: fields are looked for in
// it alone.
import { element } from "../pages/page.js";
import { upperCase } from "./callsigns.js";
import * as channels from "./channels.js";
import { reasonOf } from "./words.js";

/** @typedef {Record<string, any>} Values of a QSO, by the names of the service */
/** @typedef {HTMLInputElement | HTMLSelectElement} Control */

const TEXTS = [
  ...["frequencyMhz", "ctcssTone", "dcsCode", "callsignWorked", "operatorCallsign", "dxLocator"],
  ...["myLocator", "rstSent", "rstReceived", "notes", "radio", "antenna"],
];
const NUMBERS = ["channel", "txPowerW", "splitKhz", "dxLat", "dxLng"];
const CHOICES = ["mode", "path", "qsoStatus", "qslVia"];
const CHECKS = ["qslSent", "qslReceived"];
/** Those that the service knows; the others are the form's own. */
export const NAMES_OF_FIELDS = [...TEXTS, ...NUMBERS, ...CHOICES, ...CHECKS];
const OF_PMR = ["channel", "ctcssTone", "dcsCode"];

/**
 * Names what is wrong with a field beside what describes it anyway.
 * @param {Element} node
 * @param {string | null} fault
 */
function describe(node, fault) {
  const others = (node.getAttribute("aria-describedby") ?? "")
    .split(" ")
    .filter((id) => id && !id.startsWith("fault-"));
  const ids = [...others, ...(fault ? [fault] : [])];
  if (ids.length) node.setAttribute("aria-describedby", ids.join(" "));
  else node.removeAttribute("aria-describedby");
}

export class Fields {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
  }

  /** @param {string} id */
  find(id) {
    const found = this.form.querySelector(`#${id}`);
    if (!(found instanceof HTMLElement)) throw new Error(`the form lacks ${id}`);
    return found;
  }
  /** @param {string} id */
  control(id) {
    return /** @type {Control} */ (this.find(id));
  }
  /**
   * What a field holds, as text.
   * @param {string} id
   */
  get(id) {
    const node = this.control(id);
    if (node instanceof HTMLInputElement && node.type === "checkbox")
      return node.checked ? "on" : "";
    return node.value;
  }
  /**
   * @param {string} id
   * @param {string} value
   */
  set(id, value) {
    const node = this.control(id);
    if (node instanceof HTMLInputElement && node.type === "checkbox") node.checked = value === "on";
    else node.value = value;
  }

  get band() {
    const chosen = this.form.querySelector("[name=band]:checked");
    return /** @type {HTMLInputElement} */ (chosen).value;
  }
  set band(value) {
    const radio = this.form.querySelector(`[name=band][value=${value}]`);
    if (radio instanceof HTMLInputElement) radio.checked = true;
    this.showBand();
  }
  /** What the chosen band has, and nothing else. */
  showBand() {
    const isPmr = this.band === "PMR446";
    this.showOnly("only-eleven", !isPmr);
    this.showOnly("only-pmr", isPmr);
  }
  /**
   * @param {string} kind a class
   * @param {boolean} isShown
   */
  showOnly(kind, isShown) {
    for (const node of this.form.querySelectorAll(`.${kind}`))
      node.toggleAttribute("hidden", !isShown);
  }

  /** The QSO without its time. */
  read() {
    /** @type {Values} */
    const values = { band: this.band };
    for (const id of [...TEXTS, ...CHOICES]) values[id] = this.get(id).trim() || null;
    for (const id of NUMBERS) {
      const text = this.get(id).trim().replace(",", ".");
      values[id] = text === "" ? null : Number.isNaN(Number(text)) ? text : Number(text);
    }
    for (const id of CHECKS) values[id] = this.get(id) === "on";
    for (const id of this.band === "PMR446" ? ["frequencyMhz"] : OF_PMR) values[id] = null;
    values.frequencyMhz = channels.readFrequency(values.frequencyMhz ?? "") ?? values.frequencyMhz;
    values.callsignWorked &&= upperCase(values.callsignWorked);
    return values;
  }
  /** @param {Values} values of a QSO, or of a spot; fields that are not in it stay */
  show(values) {
    this.band = values.band ?? this.band;
    for (const id of [...TEXTS, ...NUMBERS, ...CHOICES])
      if (id in values) this.set(id, String(values[id] ?? ""));
    for (const id of CHECKS) if (id in values) this.set(id, values[id] ? "on" : "");
    this.showChannel();
  }
  showChannel() {
    this.set("cb", String(channels.channelOfFrequency(this.get("frequencyMhz")) ?? ""));
  }

  /** @param {Map<string, string>} faults by field */
  showFaults(faults) {
    for (const node of this.form.querySelectorAll(".fault")) node.remove();
    for (const node of this.form.querySelectorAll("[aria-invalid]")) {
      node.removeAttribute("aria-invalid");
      describe(node, null);
    }
    let isFirst = true;
    for (const [name, reason] of faults) {
      const node = this.form.querySelector(`#${name === "qsoAt" ? "date" : name}`);
      if (!(node instanceof HTMLElement)) continue;
      const id = `fault-${name}`;
      node.setAttribute("aria-invalid", "true");
      describe(node, id);
      node.after(element("span", { class: "fault", id, role: "alert" }, reasonOf(reason)));
      const details = node.closest("details");
      if (details) details.open = true;
      if (isFirst) node.focus();
      isFirst = false;
    }
  }
}
