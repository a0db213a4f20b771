// Creates items: rows for everything that is not a QSO or a spot, such as keys, devices and
// changes.
import { element } from "../page.js";

/** @import { Child } from "../types.js" */
/**
 * @typedef {object} ItemParts
 * @property {Child} [lead] a time or an icon, at the left
 * @property {Child} name
 * @property {Child} [badge] a label after the name
 * @property {Child[]} [line] facts below the name; empty facts are omitted
 * @property {Child[]} [end] a value, or a button or a link, at the right
 * @property {Child[]} [below]
 * @property {() => void} [open] called when the reader chooses the row
 */

/**
 * Returns an item of a list with the class "items".
 * @param {ItemParts} parts
 */
export function itemOf({ lead, name, badge, line = [], end = [], below = [], open }) {
  const facts = line
    .filter((fact) => (fact ?? "") !== "")
    .flatMap((fact, index) => [index ? " · " : null, element("span", {}, fact)]);
  const title = open
    ? element("button", { type: "button", class: "opens", click: open }, name)
    : name;
  return element(
    "li",
    {},
    element(
      "div",
      { class: "item" },
      lead === undefined ? null : element("span", { class: "lead" }, lead),
      element(
        "div",
        { class: "what" },
        element("b", {}, title),
        badge,
        facts.length ? element("small", {}, ...facts) : null,
      ),
      end.length ? element("div", { class: "end" }, ...end) : null,
    ),
    ...below,
  );
}
/**
 * Returns the heading of a group of items, with a number or a button at its end.
 * @param {Child} name
 * @param {...Child} end
 */
export function dayOf(name, ...end) {
  return element("li", { class: "day" }, element("h3", {}, name), ...end);
}
