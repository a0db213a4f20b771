// Bands, modes and thresholds of awards, filled in from the tables in schema: a new one is added
// only there.
import { FIELDS } from "../qsosync-fields.js";

/** @param {string} name of a field */
const valuesOf = (name) => FIELDS.find((field) => field.name === name)?.choices ?? [];
export const BANDS = valuesOf("band");
export const MODES = valuesOf("mode");
/** @type {Record<string, string[]>} ADIF's mode for each mode of ours, and the submode if needed */
export const MODES_OF_ADIF = {
  // @adif-modes
};
/** @type {Record<string, number[]>} numbers of items that members aim at, by subject */
export const THRESHOLDS = {
  // @award-thresholds
};
