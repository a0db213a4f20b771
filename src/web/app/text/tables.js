// Bands, modes, thresholds for awards, and the standard fields of ADIF. The build fills in these
// values from the tables in schema. Add new values only to these tables.
import { FIELDS } from "../../shared/qsosync-fields.js";

/** @param {string} name of a field */
const valuesOf = (name) => FIELDS.find((field) => field.name === name)?.choices ?? [];
export const BANDS = valuesOf("band");
export const MODES = valuesOf("mode");
/**
 * @type {Record<string, string[]>} ADIF's mode, and the submode if needed, by the service's mode
 */
export const MODES_OF_ADIF = {
  // @adif-modes
};
/**
 * @type {[standard: string, field: string, form: string, letters: string][]} the standard field of
 *   ADIF for one of the service's fields, the form of its value and, for a choice, ADIF's letters
 *   in the order of the service's values
 */
export const ADIF_ROWS = [
  // @adif-rows
];
/** @type {Record<string, number[]>} numbers of items that members aim at, by subject */
export const THRESHOLDS = {
  // @award-thresholds
};
