// Converts the names and values of a QSO's fields to the words that schema/fields.json defines. A
// field without a label keeps its API name.
import { day, element, hour, typed } from "../page.js";
import { say } from "../language.js";

/** @type {Record<string, string>} */
const NAMES = {
  // @labels
};
/** @type {Record<string, Record<string, string>>} */
const CHOICES = {
  // @words
};
/** @type {string[]} fields that only the service sets */
const READ_ONLY = [
  // @read-only
];
/** @type {string[]} the tones of PMR446 in Hz: the tone with the number n has the index n - 1 */
const TONES_HZ = [
  // @tones
];
/**
 * Returns the fields of a QSO that members write, without the fields that only the service sets.
 * @param {object} qso
 */
export const writtenOf = (qso) =>
  Object.fromEntries(Object.entries(qso).filter(([name]) => !READ_ONLY.includes(name)));
/** @type {(field: string) => [string, string][]} the choices of a field, with their words */
export const choicesOf = (field) =>
  Object.entries(CHOICES[field]).map(([value, word]) => [value, say(word)]);
/**
 * Adds the choices of a field to a select, after its first option.
 * @param {HTMLSelectElement} node
 * @param {string} field
 */
export function offerValues(node, field) {
  const options = choicesOf(field).map(([value, word]) => element("option", { value }, word));
  node.options[0].after(...options);
}
/**
 * Returns a tone, with the number under which radios show it: 12 (100.0 Hz); null: none.
 * @param {{ctcssTone?: string | null, dcsCode?: string | null}} values of a QSO or a spot
 */
export function toneOf({ ctcssTone, dcsCode }) {
  if (!ctcssTone) return dcsCode ?? null;
  const number = TONES_HZ.indexOf(ctcssTone) + 1;
  return number ? `${number} (${ctcssTone} Hz)` : `${ctcssTone} Hz`;
}
/** @param {string} field */
export function fieldName(field) {
  return NAMES[field] ? say(NAMES[field]) : field;
}
/**
 * @param {string} field
 * @param {unknown} value
 */
export function fieldValue(field, value) {
  if ((value ?? "") === "") return "–";
  if (typeof value === "boolean") return say(value ? "yes" : "no");
  if (field.endsWith("At") && typeof value === "string") return `${day(value)}, ${hour(value)}`;
  if (field === "ctcssTone") return `${toneOf({ ctcssTone: String(value) })}`;
  const word = CHOICES[field]?.[String(value)];
  return word ? say(word) : typed(value);
}
