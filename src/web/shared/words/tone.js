// Formats the tones of PMR446.
import { TONES_HZ } from "../tones.js";

/**
 * Returns a tone, with the number under which radios show it: 12 (100.0 Hz); null: none.
 * @param {{ctcssTone?: string | null, dcsCode?: string | null}} values of a QSO or a spot
 */
export function toneOf({ ctcssTone, dcsCode }) {
  if (!ctcssTone) return dcsCode ?? null;
  const number = TONES_HZ.indexOf(ctcssTone) + 1;
  return number ? `${number} (${ctcssTone} Hz)` : `${ctcssTone} Hz`;
}
