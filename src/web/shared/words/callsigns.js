// Converts callsigns to the form for comparisons, and finds their divisions. Does not use the page.
import { DIVISIONS } from "../divisions.js";

/**
 * Converts a text to upper case and composed form, for letters of every alphabet, as the service
 * does to compare callsigns (src/base/letters.c). The dotless i is a separate letter.
 * @param {string} text
 */
export function upperCase(text) {
  const parts = text.split("ı").map((part) => part.toLowerCase().toUpperCase());
  return parts.join("ı").normalize("NFC");
}
/**
 * Returns a callsign in the form for comparisons (src/qso/match_callsign.c): upper case, without
 * spaces, hyphens and dots.
 * @param {string | null | undefined} callsign
 */
export function compact(callsign) {
  return upperCase(callsign ?? "").replace(/[ .-]/g, "");
}

/**
 * Returns the number of a station's division, such as 161 for 161/21SD333; 0: none. The service has
 * the same rule (src/qso/divisions.c).
 * @param {string | null | undefined} callsign
 */
export function numberOf(callsign) {
  const compared = (callsign ?? "").replace(/[ .-]/g, ""); // callsigns in other alphabets have no division
  const number = Number(/^(\d{1,3})(?:[A-Z]|\/.*[A-Z])/i.exec(compared)?.[1]);
  return DIVISIONS[number] ? number : 0;
}

// A whole callsign, unlike the parts of a callsign that somebody writes with spaces, 26 AT 101.
const WHOLE = /^(?:\d{1,3}\/)?\d{0,3}[a-z]{1,5}\d+[a-z]*(?:\/\w+)*$/i;
/**
 * Returns the callsigns in a text such as "26AT101, 14FR2 3AT7".
 * @param {string} text
 */
export function callsignsIn(text) {
  return text.split(/[,;]/).flatMap((piece) => {
    const words = piece.split(/\s+/).filter(Boolean);
    return words.every((word) => WHOLE.test(word)) ? words : piece.trim() || [];
  });
}

/** @param {number} number of a division */
export function countryOf(number) {
  const [country, iso] = DIVISIONS[number].split("|");
  return { country, iso: iso || null };
}
/** Returns the number, name and country code of each division. */
export function allCountries() {
  return DIVISIONS.flatMap((row, number) => {
    if (!row) return [];
    const { country: name, iso } = countryOf(number);
    return [{ number, name, iso }];
  });
}
/** @param {number} number of a division */
export function divisionOf(number) {
  const [country, , continent] = DIVISIONS[number].split("|");
  return { country, continent };
}
/** Returns the numbers of the divisions that can still be worked. */
export function currentDivisions() {
  return DIVISIONS.flatMap((row, number) => (row && !row.endsWith("|abolished") ? [number] : []));
}
