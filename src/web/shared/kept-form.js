// Keeps the unsaved text of forms, and shows a notice when the text is restored.
import { lastMember } from "./account.js";
import { Drafts } from "./drafts.js";
import { element } from "./page.js";
import { say } from "./language.js";

/**
 * Shows a notice that a form contains earlier text, with a button that discards the text.
 * @param {HTMLElement} place
 * @param {() => void} discard
 */
export function showKept(place, discard) {
  const click = () => {
    place.replaceChildren();
    discard();
  };
  place.replaceChildren(
    element(
      "p",
      { class: "note" },
      say("Your earlier text is here. It is not saved yet."),
      " ",
      element("button", { type: "button", click }, say("Discard it")),
    ),
  );
}

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Control */
/** @param {Control} control */
function textOf(control) {
  if (!(control instanceof HTMLInputElement) || control.type !== "checkbox") return control.value;
  return control.checked ? "on" : "";
}
/** @param {Control} control @param {string} text */
function setText(control, text) {
  if (!(control instanceof HTMLInputElement) || control.type !== "checkbox") control.value = text;
  else control.checked = text === "on";
}

export class KeptForm {
  place = element("div", { role: "status" });
  /** @type {Record<string, string>} the initial values of the fields */
  first = {};

  /**
   * Restores unsaved text. The form must already show the stored values, and its fields must have
   * ids or names.
   * @param {HTMLFormElement} form
   * @param {string} name identifies the form on the page
   */
  constructor(form, name) {
    this.form = form;
    this.name = name;
    this.drafts = new Drafts(`${lastMember()} ${location.pathname}`);
    form.prepend(this.place);
    form.addEventListener("input", () => this.#keep());
    this.first = this.#read();
    const draft = this.drafts.read(name);
    if (!draft) return;
    this.#show(draft);
    showKept(this.place, () => {
      this.drafts.drop(name);
      this.#show(this.first);
    });
  }
  /** @returns {[string, Control][]} */
  #controls() {
    const controls = /** @type {Control[]} */ (
      [...this.form.elements].filter((node) => !(node instanceof HTMLButtonElement))
    );
    return controls.map((node) => [node.id || node.name, node]);
  }
  #read() {
    return Object.fromEntries(this.#controls().map(([id, node]) => [id, textOf(node)]));
  }
  /** @param {Record<string, string>} texts */
  #show(texts) {
    for (const [id, node] of this.#controls()) if (id in texts) setText(node, texts[id]);
  }
  #keep() {
    const typed = Object.entries(this.#read()).filter(([id, text]) => text !== this.first[id]);
    if (typed.length) this.drafts.keep(this.name, Object.fromEntries(typed));
    else this.drafts.drop(this.name);
  }
  /** Discards the draft. The page calls this function after the form was saved. */
  saved() {
    this.drafts.drop(this.name);
    this.first = this.#read();
    this.place.replaceChildren();
  }
}
