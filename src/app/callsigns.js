// Callsigns as they are compared, and the divisions that they begin with. Knows no page.
import { DIVISIONS } from "./divisions.js";

/**
 * A callsign as it is compared: upper case, without spaces, hyphens and dots.
 * @param {string | null | undefined} callsign
 */
export function compact(callsign) {
  return (callsign ?? "").toUpperCase().replace(/[\s.-]/g, "");
}

/**
 * The number and name of the division in which a station is, 161 of 161/21SD333; null: none. The
 * rule is that of the service (src/qso/divisions.c).
 * @param {string} callsign
 * @param {string} locale of who reads the name
 */
export function divisionOf(callsign, locale) {
  const number = /^(\d{1,3})(?:[A-Z]|\/.*[A-Z])/.exec(compact(callsign))?.[1];
  const row = number ? DIVISIONS[Number(number)] : "";
  if (!number || !row) return null;
  const [name, country] = row.split("|");
  if (!country) return { number, name };
  // Some divisions are parts of a country: the English name tells them apart.
  const english = new Intl.DisplayNames("en", { type: "region" }).of(country);
  if (english !== name) return { number, name };
  return { number, name: new Intl.DisplayNames(locale, { type: "region" }).of(country) ?? name };
}
