// Shows two versions of a QSO in two columns. The fields that differ are marked.
import { day, element, hour } from "../page.js";
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
 * @typedef {object} Version
 * @property {Values | null} qso null: deleted
 * @property {string} name
 * @property {string} origin where or when the version was written
 */
/**
 * Returns the table.
 * @param {[Version, Version]} versions
 */
export function drawVersus(versions) {
  const names = new Set([...FIRST, ...versions.flatMap(({ qso }) => Object.keys(qso ?? {}))]);
  const areStored = versions.every(({ qso }) => qso);
  const rows = [...names].flatMap((name) => {
    const values = versions.map(({ qso }) => orNull(qso?.[name]));
    if (name === "clientId" || values.every((value) => value === null)) return [];
    const isDifferent = areStored && values[0] !== values[1];
    return element(
      "tr",
      isDifferent ? { class: "differs" } : {},
      element("th", { scope: "row" }, fieldName(name)),
      ...values.map((value) => element("td", {}, valueOf(name, value))),
    );
  });
  const heads = versions.map(({ name, origin }) =>
    element("th", { scope: "col" }, name, element("small", {}, origin)),
  );
  return element(
    "table",
    { class: "versus" },
    element("thead", {}, element("tr", {}, element("td"), ...heads)),
    element("tbody", {}, ...rows),
  );
}
