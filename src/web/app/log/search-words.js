// Compares QSOs with the words of a search, as the service does (src/qso/search.c). A word has one
// or more terms, separated by "|". A QSO must contain at least one term of each word.
import { FIELDS } from "../../shared/qsosync-fields.js";
import { compact, numberOf } from "../../shared/words/callsigns.js";

/** @import { LogQso as Qso } from "../types.js" */
/** @typedef {(qso: Qso, texts: string) => boolean} Term texts: the QSO's texts, folded */
/**
 * @typedef {object} Words
 * @property {Term[][]} terms of each word
 * @property {string} day day or month of all QSOs that are found; empty: any
 * @property {string} call the search in compact form, if it is a single term and not a date;
 *   otherwise empty
 */

const DAY = /^[\d?]{4}(-[\d?]{2}(-[\d?]{2})?)?$/;
const YEAR = "2026";
const NAMES = FIELDS.filter(({ kind }) =>
  ["text", "locator", "pattern", "frequency"].includes(kind),
).map(({ name }) => name);

/**
 * Returns a text in lower case, without accents.
 * @param {string} text
 */
function fold(text) {
  const lower = text.normalize("NFD").toUpperCase().toLowerCase().replaceAll("ς", "σ");
  return lower.normalize("NFD").replace(/\p{M}/gu, "");
}

/**
 * @param {string} text
 * @returns {Term}
 */
function readTerm(text) {
  const folded = fold(text);
  const dotted = /^\d+,\d+$/.test(text) ? text.replace(",", ".") : folded;
  const call = compact(text);
  const division = /^#\d{1,3}$/.test(text) ? Number(text.slice(1)) : 0;
  /** @type {Term} */
  const isThen = (qso) =>
    [...text].every((digit, place) => digit === "?" || digit === qso.qsoAt[place]);
  if (DAY.test(text) && text.length > YEAR.length) return isThen;
  return (qso, texts) =>
    texts.includes(folded) ||
    texts.includes(dotted) ||
    (call !== "" &&
      [qso.callsignWorked, qso.operatorCallsign].some((one) => compact(one).includes(call))) ||
    (DAY.test(text) && isThen(qso, texts)) ||
    (division > 0 && numberOf(qso.callsignWorked) === division);
}

/**
 * Reads the words of a search, separated by white space.
 * @param {string} text
 * @returns {Words}
 */
export function readWords(text) {
  const words = text
    .split(/[ \t\r\n\f\v]+/)
    .map((word) => word.split("|").filter((term) => fold(term) !== ""))
    .filter((terms) => terms.length > 0);
  const [day = ""] = words.find(([term, more]) => !more && /^\d{4}(-\d\d)+$/.test(term)) ?? [];
  const isOne = words.length === 1 && words[0].length === 1 && !DAY.test(words[0][0]);
  return {
    terms: words.map((word) => word.map(readTerm)),
    day,
    call: isOne ? compact(words[0][0]) : "",
  };
}

/**
 * Returns whether a QSO contains all words of a search.
 * @param {Words} words
 * @param {Qso} qso
 */
export function hasWords({ terms }, qso) {
  if (terms.length === 0) return true;
  const values = /** @type {Record<string, any>} */ (qso);
  const texts = fold(NAMES.map((name) => values[name] ?? "").join("\n"));
  return terms.every((word) => word.some((fits) => fits(qso, texts)));
}
