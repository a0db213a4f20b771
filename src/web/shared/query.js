// Formats and parses queries in addresses. The service decodes percent-encoded characters, but
// leaves plus signs as they are. A browser's form would write a space as a plus sign, and the
// service would search for that sign.

/** @typedef {Map<string, string>} Query */

/**
 * Unpaired surrogates, for which encodeURIComponent throws an error. A field's length limit can cut
 * an emoji in half.
 */
const HALVES = /[\ud800-\udfff]/gu;

/**
 * Formats "name=value&name=value" in the order of the values.
 * @param {Iterable<[string, unknown]> | Record<string, unknown>} values
 */
export function formatQuery(values) {
  const pairs = Symbol.iterator in values ? [...values] : Object.entries(values);
  return pairs
    .map(([name, value]) => {
      const text = String(value).replace(HALVES, "\ufffd");
      return `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;
    })
    .join("&");
}
/**
 * Parses a query. A plus sign is read as a space, because old bookmarks contain such plus signs.
 * @param {string} text without the question mark
 * @returns {Query}
 */
export function parseQuery(text) {
  return new Map(new URLSearchParams(text));
}
