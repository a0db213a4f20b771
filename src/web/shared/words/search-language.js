// Reads searches in the reader's language and in English.
import { country, locale } from "../language.js";
import { once } from "../page.js";
import { readMonths, readSearch } from "./search-text.js";

/** @import { Place } from "./search-text.js" */

const months = once(() => readMonths(["en", locale]));

/**
 * Returns divisions as places, each with its English name and its name in the reader's language.
 * @param {{number: number, name: string, iso: string | null}[]} divisions
 * @returns {Place[]}
 */
export function placesOf(divisions) {
  return divisions.map(({ number, name, iso }) => ({
    number,
    names: [name, country(name, iso ?? "")],
  }));
}

/**
 * Returns the words of a search, as readSearch does.
 * @param {string} typed
 * @param {Place[]} places
 */
export function readTyped(typed, places) {
  return readSearch(typed, months(), places);
}
