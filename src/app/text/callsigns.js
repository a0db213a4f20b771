// Callsigns as they are compared, and the divisions that they begin with. Knows no page.
import { DIVISIONS } from "../divisions.js";

/**
 * Letters of every alphabet in upper case, put together, as the service compares callsigns
 * (src/base/letters.c). The dotless i is a letter of its own.
 * @param {string} text
 */
export function upperCase(text) {
  const parts = text.split("ı").map((part) => part.toLowerCase().toUpperCase());
  return parts.join("ı").normalize("NFC");
}
/**
 * A callsign as it is compared (src/qso/match.c): upper case, without spaces, hyphens and dots.
 * @param {string | null | undefined} callsign
 */
export function compact(callsign) {
  return upperCase(callsign ?? "").replace(/[ .-]/g, "");
}

/**
 * The number of the division in which a station is, 161 of 161/21SD333; 0: none. The rule is that
 * of the service (src/qso/divisions.c).
 * @param {string | null | undefined} callsign
 */
export function numberOf(callsign) {
  const compared = (callsign ?? "").replace(/[ .-]/g, ""); // letters beyond ASCII count for none
  const number = Number(/^(\d{1,3})(?:[A-Z]|\/.*[A-Z])/i.exec(compared)?.[1]);
  return DIVISIONS[number] ? number : 0;
}

/** @param {number} number of a division */
export function countryOf(number) {
  const [country, iso] = DIVISIONS[number].split("|");
  return { country, iso: iso || null };
}
/** @param {number} number of a division */
export function divisionOf(number) {
  const [country, , continent] = DIVISIONS[number].split("|");
  return { country, continent };
}
/** The numbers of the divisions that can still be worked. */
export function currentDivisions() {
  return DIVISIONS.flatMap((row, number) => (row && !row.endsWith("|abolished") ? [number] : []));
}
