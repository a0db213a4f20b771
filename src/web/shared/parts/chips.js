// Shows the values of a filter as chips. A chip opens a popover with its choices or fields. A chip
// with a value shows the value, and a cross that removes the value. On a phone, the popover is at
// the bottom.
import { drawing, element, number } from "../page.js";
import { say } from "../language.js";

/** @import { Child } from "../types.js" */
/**
 * @typedef {object} ChipOptions
 * @property {string} name
 * @property {Node[]} content of the popover
 * @property {() => string} value the value in words; empty: no value
 * @property {() => number | null} [news] number shown after the name; null: not known yet. The chip
 *   is highlighted if the number is positive
 * @property {() => void} [clear] removes the value; without this function, the chip has no cross
 * @property {() => void} [opened] called before the popover is shown
 */

const SEARCHED = 12; // a longer list of choices has a search
const SHOWN = 2; // if more choices are set, a chip shows the first one and the number of others

/** @type {(() => void) | null} closes the open popover */
let closeOpen = null;
document.addEventListener("click", ({ target }) => {
  if (target instanceof Element && target.isConnected && !target.closest(".chip-of")) closeOpen?.();
});

/**
 * Makes a button open and close a popover, which follows the button in the document. Returns a
 * function that closes the popover, and moves the focus back to the button.
 * @param {HTMLButtonElement} button
 * @param {HTMLElement} popover
 * @param {() => void} [opened]
 */
export function popoverOf(button, popover, opened = () => {}) {
  const close = () => {
    const hadFocus = popover.contains(document.activeElement);
    popover.hidden = true;
    button.setAttribute("aria-expanded", "false");
    closeOpen = null;
    if (hadFocus) button.focus();
  };
  popover.hidden = true;
  button.setAttribute("aria-expanded", "false");
  button.addEventListener("click", () => {
    const isOpen = !popover.hidden;
    closeOpen?.();
    if (isOpen) return;
    opened();
    popover.hidden = false;
    popover.classList.toggle("ends", button.getBoundingClientRect().left > innerWidth / 2);
    button.setAttribute("aria-expanded", "true");
    closeOpen = close;
    /** @type {HTMLElement | null} */ (
      popover.querySelector("[aria-pressed='true']") ?? popover.querySelector("input, button, a")
    )?.focus();
  });
  popover.parentElement?.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || popover.hidden) return;
    event.stopPropagation();
    event.preventDefault(); // otherwise, the browser also closes the sheet around the popover
    close();
  });
  return close;
}
/**
 * Returns a button with three dots that opens a menu with rare acts.
 * @param {Child[]} acts
 */
export function moreOf(acts) {
  const dots = element(
    "button",
    { type: "button", class: "glyph", "aria-label": say("More") },
    drawing(
      "svg",
      { viewBox: "0 0 18 18", "aria-hidden": "true" },
      drawing("path", { d: "M3.5 9h.01M9 9h.01M14.5 9h.01" }),
    ),
  );
  const menu = element("div", { class: "popover choices-of" }, ...acts);
  const node = element("div", { class: "chip-of" }, dots, menu);
  menu.addEventListener("click", popoverOf(dots, menu));
  return node;
}

export class Chip {
  /** @param {ChipOptions} options */
  constructor(options) {
    this.options = options;
    this.button = element("button", { type: "button", class: "chip" });
    this.cross = element(
      "button",
      {
        type: "button",
        class: "chip-x",
        "aria-label": say("Remove: {name}", { name: options.name }),
      },
      drawing(
        "svg",
        { viewBox: "0 0 18 18", "aria-hidden": "true" },
        drawing("path", { d: "M4 4l10 10M14 4L4 14" }),
      ),
    );
    this.cross.addEventListener("click", () => {
      options.clear?.();
      this.button.focus();
    });
    const popover = element(
      "div",
      { class: "popover", role: "group", "aria-label": options.name },
      ...options.content,
    );
    this.node = element("span", { class: "chip-of" }, this.button, this.cross, popover);
    this.close = popoverOf(this.button, popover, options.opened);
    this.refresh();
  }
  /** Shows the current value. */
  refresh() {
    const { name, value, news, clear } = this.options;
    const text = value();
    const count = news?.() ?? null;
    const extra = news ? ` · ${count === null ? "–" : number(count)}` : "";
    this.button.textContent = text || name + extra;
    this.node.classList.toggle("lit", Boolean(count));
    if (text) this.button.setAttribute("aria-label", `${name}: ${text}`);
    else this.button.removeAttribute("aria-label");
    this.cross.hidden = !text || !clear;
    this.node.classList.toggle("on", Boolean(text && clear));
  }
}

/**
 * Returns the texts of a select's choices as the value of a chip: "USB, FM" or "USB +2".
 * @param {HTMLSelectElement} select
 * @param {boolean} [isAlwaysSet] whether the choice without a value counts
 */
export function textOf({ selectedOptions }, isAlwaysSet = false) {
  const texts = [...selectedOptions]
    .filter(({ value }) => value || isAlwaysSet)
    .map(({ textContent }) => textContent ?? "");
  return texts.length > SHOWN ? `${texts[0]} +${texts.length - 1}` : texts.join(", ");
}
/**
 * Returns a list of buttons for the choices of a select, with a search field for long lists. `fill`
 * creates the buttons for the current choices. `choose` sets the select's value, or adds or removes
 * a choice if there can be several, and dispatches the select's event "input".
 * @param {HTMLSelectElement} select
 * @param {() => void} done called after a choice, if there is only one
 * @param {(value: string) => number | null} [count] returns the number of QSOs with a choice
 */
export function choicesOf(select, done, count = () => null) {
  const { multiple } = select;
  const list = element("div", { class: multiple ? "choices-of selecting" : "choices-of" });
  const options = () => [...select.options].filter(({ value }) => value || !multiple);
  /** @param {string} value */
  const choose = (value) => {
    const option = options().find((one) => one.value === value);
    if (multiple && option) option.selected = !option.selected;
    else select.value = value;
    select.dispatchEvent(new Event("input", { bubbles: true }));
    if (!multiple) return done();
    for (const [place, one] of options().entries())
      list.children[place]?.setAttribute("aria-pressed", String(one.selected));
  };
  const label = say("Search");
  const sought = element("input", { type: "search", "aria-label": label, placeholder: label });
  const visible = () =>
    /** @type {HTMLElement[]} */ ([...list.children]).filter((one) => !one.hidden);
  sought.addEventListener("input", (event) => {
    event.stopPropagation(); // the text is not a part of the filter
    const text = sought.value.trim().toLowerCase();
    for (const one of /** @type {HTMLElement[]} */ ([...list.children]))
      one.hidden = !one.firstChild?.textContent?.toLowerCase().includes(text);
  });
  sought.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    visible()[0]?.click();
  });
  const fill = () => {
    sought.value = "";
    sought.hidden = select.options.length <= SEARCHED;
    list.replaceChildren(
      ...options().map(({ selected, value, textContent }) => {
        const times = count(value);
        return element(
          "button",
          {
            type: "button",
            "data-value": value,
            "aria-pressed": String(selected),
            click: () => choose(value),
          },
          textContent,
          times === null ? null : element("small", {}, number(times)),
        );
      }),
    );
  };
  return { nodes: [sought, list], fill, choose };
}
/**
 * Returns a chip for a select, which keeps the value and is not shown.
 * @param {string} name
 * @param {HTMLSelectElement} select
 * @param {object} [options]
 * @param {boolean} [options.isAlwaysSet] whether the chip always shows a choice, such as a sort
 *   order
 * @param {() => number | null} [options.news] as in ChipOptions
 * @param {(value: string) => number | null} [options.count] returns the number of QSOs with a
 *   choice
 * @param {(close: () => void, clear: () => void) => Node} [options.footOf] returns the foot of the
 *   popover
 */
export function chipOfSelect(name, select, { isAlwaysSet = false, news, count, footOf } = {}) {
  const close = () => chip.close();
  const { nodes, fill } = choicesOf(select, close, count);
  const clear = () => {
    select.value = "";
    select.dispatchEvent(new Event("input", { bubbles: true }));
    fill();
  };
  const chip = new Chip({
    name,
    news,
    content: [...nodes, ...(footOf ? [footOf(close, clear)] : [])],
    value: () => textOf(select, isAlwaysSet),
    ...(isAlwaysSet ? {} : { clear }),
    opened: fill,
  });
  return chip;
}
