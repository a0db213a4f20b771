// Queries of addresses, written and read in one way. The service percent-decodes what it reads, and
// a plus sign is itself there: forms write a space so, and the service would not find it.

/** @typedef {Map<string, string>} Query */

/** An emoji of which a field's length left only a half has no encoding. */
const HALVES = /[\ud800-\udfff]/gu;

/**
 * "name=value&name=value", of values in the order in which they are given.
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
 * What a query says. In addresses that people kept from earlier versions, a plus sign is a space.
 * @param {string} text without its question mark
 * @returns {Query}
 */
export function parseQuery(text) {
  return new Map(new URLSearchParams(text));
}
