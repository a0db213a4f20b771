// The fields of a QSO and their values in words, where a reader looks at all of them. A field that
// stands in no row keeps the API's name. Names and words stand in schema/fields.json.
import { day, hour, typed } from "./page.js";
import { say } from "./language.js";

/** @type {Record<string, string>} */
const NAMES = {
  // @labels
};
const TIMES = new Set(["qsoAt", "spottedAt", "crossConfirmedAt"]);
/** @type {Record<string, Record<string, string>>} */
const CHOICES = {
  // @words
};
const UNTRANSLATED = new Set(["11 m", "eQSL"]);
/** @param {string} field */
export function fieldName(field) {
  return Object.hasOwn(NAMES, field) ? say(NAMES[field]) : field;
}
/**
 * @param {string} field
 * @param {unknown} value
 */
export function fieldValue(field, value) {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return say(value ? "yes" : "no");
  if (TIMES.has(field) && typeof value === "string") return `${day(value)}, ${hour(value)}`;
  const word = CHOICES[field]?.[String(value)];
  if (!word) return typed(value);
  return UNTRANSLATED.has(word) ? word : say(word);
}
