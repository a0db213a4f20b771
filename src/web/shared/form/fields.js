// Reads and shows the values of the form's fields, and shows faults next to the fields. The form is
// in the app and in a dialog of the profile. Fields are looked up only inside the form, so other
// elements of the page can have the same ids.
import { element } from "../page.js";
import { say } from "../language.js";
import { fieldName, fieldValue } from "../words/qso-words.js";
import { FIELDS } from "../qsosync-fields.js";
import { upperCase } from "../words/callsigns.js";
import { readFrequency } from "../words/frequency.js";
import { reasonOf } from "../words/words.js";

/** @import { Field } from "../types.js" */

/** @typedef {Record<string, any>} Values of a QSO, by the service's names */
/** @typedef {HTMLInputElement | HTMLSelectElement} Control */

// Fields with special code in the form.
const OTHERS = ["clientId", "band", "qsoAt", "sendSpot"];
const OF_FORM = FIELDS.filter(({ name }) => !OTHERS.includes(name));
/**
 * The names of the service's fields that the form handles without special code. Each is also the id
 * of the field's control.
 */
export const NAMES_OF_FIELDS = OF_FORM.map(({ name }) => name);

/**
 * Returns the value of a field, from the text of its control.
 * @param {Field} field
 * @param {string} text
 */
function valueOf({ kind }, text) {
  if (kind === "boolean") return text === "on";
  if (text.trim() === "") return null;
  const value = Number(text.trim().replace(",", "."));
  return ["integer", "real"].includes(kind) && !Number.isNaN(value) ? value : text.trim();
}

/**
 * Replaces the fault among the descriptions of a field.
 * @param {Element} node
 * @param {string | null} fault id of the element with the fault; null: no fault
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
    for (const field of OF_FORM) this.#complete(field);
  }
  /**
   * Completes the form for a field of the service. If the page lacks the field, adds the field
   * below the rarely changed fields. Adds missing choices after the other choices.
   * @param {Field} field
   */
  #complete({ name, kind, choices = [] }) {
    const isCheck = kind === "boolean";
    if (!this.form.querySelector(`#${name}`))
      this.find("rest").append(
        element(
          "label",
          { class: isCheck && "check" },
          element("span", {}, fieldName(name)),
          " ",
          choices.length
            ? element("select", { id: name }, element("option", { value: "" }, say("None")))
            : element("input", { id: name, type: isCheck && "checkbox", autocomplete: "off" }),
        ),
      );
    const control = this.find(name);
    for (const choice of control instanceof HTMLSelectElement ? choices : [])
      if (!control.querySelector(`[value="${choice}"]`))
        control.append(element("option", { value: choice }, fieldValue(name, choice)));
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
   * Returns the value of a field, as text.
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
  /** Shows only the controls of the chosen band. */
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

  /** Returns the QSO without its time. */
  read() {
    /** @type {Values} */
    const values = { band: this.band };
    for (const field of OF_FORM) {
      const isOfBand = field.bands?.includes(this.band) ?? true;
      values[field.name] = isOfBand ? valueOf(field, this.get(field.name)) : null;
    }
    values.frequencyMhz = readFrequency(values.frequencyMhz ?? "") ?? values.frequencyMhz;
    values.callsignWorked &&= upperCase(values.callsignWorked);
    return values;
  }
  /** @param {Values} values of a QSO or a spot; fields that the values lack stay unchanged */
  show(values) {
    this.band = values.band ?? this.band;
    for (const { name, kind } of OF_FORM)
      if (name in values)
        this.set(
          name,
          kind === "boolean" ? (values[name] ? "on" : "") : String(values[name] ?? ""),
        );
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
