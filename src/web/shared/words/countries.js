// Names the countries of divisions in the reader's language.
import { country } from "../language.js";
import { countryOf } from "./callsigns.js";

/**
 * Returns the name of a division's country; empty: no division.
 * @param {number | null} division
 */
export function countryName(division) {
  if (!division) return "";
  const { country: name, iso } = countryOf(division);
  return country(name, iso ?? "");
}
