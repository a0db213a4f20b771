// Shows the values of a filter as chips. A chip opens a popover with its choices or fields. A chip
// with a value shows the value, and a cross that removes the value. On a phone, the popover is at
// the bottom.
import { drawing, element, number } from "../page.js";
import { say } from "../language.js";

/**
 * @typedef {object} ChipOptions
 * @property {string} name
 * @property {Node[]} content of the popover
 * @property {() => string} value the value in words; empty: none
 * @property {() => number | null} [news] shown after the name; null: not known yet. The chip is lit
 *   if there are news
 * @property {() => void} [clear] removes the value; without this function, the chip has no cross
 * @property {() => void} [opened] called before the popover is shown
 */

const SEARCHED = 12; // a longer list of choices has a search

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
    close();
  });
  return close;
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
 * Returns a list of buttons for the choices of a select, with a search field for long lists. `fill`
 * creates the buttons for the current choices. `choose` sets the select's value, and dispatches the
 * select's event "input".
 * @param {HTMLSelectElement} select
 * @param {() => void} done called after a choice
 * @param {(value: string) => number | null} [count] returns the number of QSOs with a choice
 */
export function choicesOf(select, done, count = () => null) {
  const list = element("div", { class: "choices-of" });
  /** @param {string} value */
  const choose = (value) => {
    select.value = value;
    select.dispatchEvent(new Event("input", { bubbles: true }));
    done();
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
      ...[...select.options].map(({ value, textContent }) => {
        const times = count(value);
        return element(
          "button",
          {
            type: "button",
            "data-value": value,
            "aria-pressed": String(value === select.value),
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
 * @param {boolean} [isAlwaysSet] whether the chip always shows a choice, such as a sort order
 * @param {() => number | null} [news] as in ChipOptions
 * @param {(value: string) => number | null} [count] returns the number of QSOs with a choice
 */
export function chipOfSelect(
  name,
  select,
  isAlwaysSet = false,
  news = undefined,
  count = undefined,
) {
  const { nodes, fill, choose } = choicesOf(select, () => chip.close(), count);
  const chip = new Chip({
    name,
    news,
    content: nodes,
    value: () =>
      select.value || isAlwaysSet ? (select.selectedOptions[0]?.textContent ?? "") : "",
    ...(isAlwaysSet ? {} : { clear: () => choose("") }),
    opened: fill,
  });
  return chip;
}
