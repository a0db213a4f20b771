// Shows the change of a value: the old value and the new value. Screen readers read "57 / 59
// becomes 59 / 59".
import { element } from "../page.js";
import { say } from "../language.js";

/** @import { Child } from "../types.js" */

/** @param {Child} value */
const orEmpty = (value) => ((value ?? "") === "" || value === "–" ? say("empty") : value);
/**
 * Returns a change. An empty value is shown as a word.
 * @param {Child} old
 * @param {Child} fresh
 */
export function changeOf(old, fresh) {
  return element(
    "span",
    { class: "change" },
    element("del", {}, orEmpty(old)),
    element("span", { class: "unseen" }, ` ${say("becomes")} `),
    element("ins", {}, orEmpty(fresh)),
  );
}
