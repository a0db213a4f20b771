// Creates elements that the tables and lists in the profile and on the operator's page share.
import { drawing, element, oneAtATime } from "./page.js";
import { say } from "./language.js";

/** @import { Child } from "./types.js" */

/**
 * Returns the head of a table, from the names of its columns, or from complete cells.
 * @param {(string | HTMLTableCellElement)[]} columns
 */
export function headOf(columns) {
  return element(
    "thead",
    { role: "rowgroup" },
    element(
      "tr",
      { role: "row" },
      ...columns.map((column) =>
        typeof column === "string"
          ? element("th", { role: "columnheader", scope: "col" }, column)
          : column,
      ),
    ),
  );
}
/**
 * Returns folded content that is built only when the reader unfolds it, because building all
 * content at once would block a phone.
 * @param {Child} name
 * @param {() => (Node | string)[]} make
 */
export function fold(name, make) {
  const folded = element("details", {}, element("summary", {}, name));
  folded.addEventListener("toggle", () => folded.append(...make()), { once: true });
  return folded;
}
/**
 * Returns the legend of a drawing.
 * @param {[string, string][]} rows class and name
 */
export function legend(rows) {
  return element(
    "ul",
    { class: "legend" },
    ...rows.map(([kind, name]) =>
      element(
        "li",
        {},
        drawing(
          "svg",
          { viewBox: "0 0 12 12", "aria-hidden": "true" },
          drawing("rect", { class: `${kind} sign`, x: 1, y: 1, width: 10, height: 10, rx: 3 }),
        ),
        name,
      ),
    ),
  );
}

/**
 * Returns a button that copies a text, and then confirms that the text was copied.
 * @param {string | (() => string)} text
 * @param {string} name
 * @param {() => void} copied
 */
export function copyButton(text, name = "Copy", copied = () => {}) {
  const button = element("button", { type: "button" }, say(name));
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "function" ? text() : text);
      button.textContent = say("Copied");
      copied();
    } catch {
      button.textContent = say("Select the text and copy it yourself");
    }
    setTimeout(() => {
      button.textContent = say(name);
    }, 3000);
  });
  return button;
}

/**
 * Returns a button with a translated name.
 * @param {string} name
 * @param {() => void} step
 * @param {string} kind a class
 */
export function buttonOf(name, step, kind = "") {
  const click = oneAtATime(step);
  return element("button", { type: "button", class: kind || null, click }, say(name));
}
/**
 * Returns a button that looks like a link, for one of several items. Screen readers also read
 * the item's name.
 * @param {string} act
 * @param {string} name
 * @param {() => void} work
 */
export function actOf(act, name, work) {
  const [label, click] = [`${act}: ${name}`, oneAtATime(work)];
  return element("button", { type: "button", class: "link", "aria-label": label, click }, act);
}
