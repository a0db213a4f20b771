// Bands, modes and thresholds of awards. The build fills them in from the tables in schema: add new
// ones only there.
import { FIELDS } from "../qsosync-fields.js";

/** @param {string} name of a field */
const valuesOf = (name) => FIELDS.find((field) => field.name === name)?.choices ?? [];
export const BANDS = valuesOf("band");
export const MODES = valuesOf("mode");
/** @type {Record<string, string[]>} by our mode: ADIF's mode, and the submode if needed */
export const MODES_OF_ADIF = {
  // @adif-modes
};
/** @type {Record<string, number[]>} numbers of items that members aim at, by subject */
export const THRESHOLDS = {
  // @award-thresholds
};
