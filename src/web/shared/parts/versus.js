// Shows two versions of a QSO in two columns. The fields that differ are marked.
import { day, element, hour } from "../page.js";
import { say } from "../language.js";
import { fieldName, fieldValue } from "../words/qso-words.js";

/** @import { Values } from "../types.js" */

const FIRST = ["callsignWorked", "qsoAt"];

/** @param {unknown} value */
const orNull = (value) => (value === false || value === "" ? null : (value ?? null));
/**
 * Returns a value in words. A time has its seconds, unless they are zero.
 * @param {string} name of a field
 * @param {unknown} value
 */
function valueOf(name, value) {
  if (name !== "qsoAt" || typeof value !== "string") return fieldValue(name, orNull(value));
  const seconds = value.slice(16, 19);
  return `${day(value)}, ${hour(value)}${seconds === ":00" ? "" : seconds}`;
}
/**
 * Returns the table. A version that is null was deleted.
 * @param {Values | null} mine
 * @param {Values | null} theirs
 * @param {[mine: string, theirs: string]} origins where each version was written
 */
export function drawVersus(mine, theirs, origins) {
  const names = new Set([...FIRST, ...Object.keys(mine ?? {}), ...Object.keys(theirs ?? {})]);
  const rows = [...names].flatMap((name) => {
    const values = [mine, theirs].map((version) => orNull(version?.[name]));
    if (name === "clientId" || values.every((value) => value === null)) return [];
    const isDifferent = Boolean(mine && theirs) && values[0] !== values[1];
    return element(
      "tr",
      isDifferent ? { class: "differs" } : {},
      element("th", { scope: "row" }, fieldName(name)),
      ...values.map((value) => element("td", {}, valueOf(name, value))),
    );
  });
  const heads = [say("Mine"), say("Theirs")].map((head, place) =>
    element("th", { scope: "col" }, head, element("small", {}, origins[place])),
  );
  return element(
    "table",
    { class: "versus" },
    element("thead", {}, element("tr", {}, element("td"), ...heads)),
    element("tbody", {}, ...rows),
  );
}
