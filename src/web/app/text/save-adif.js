// Saves QSOs as an ADIF file. The app loads this module after its start.
import { formatAdif } from "./adif.js";
import { saveFile } from "./files.js";

/** @import { Values } from "../types.js" */

/**
 * Offers the member a file to save.
 * @param {string} name
 * @param {Values[]} qsos
 */
export function saveAdif(name, qsos) {
  saveFile(name, "text/plain", formatAdif(qsos));
}
