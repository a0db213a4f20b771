// Begins slow work before the rest of the app starts. Opens the log on this device. If a link
// contains a key, also asks the service to which member the key belongs. Until views/setup.js
// accepts the key, the app does not store the key or use the key for anything else.
import { Log } from "../../shared/qsosync.js";
import { parseQuery } from "../../shared/query.js";
import { BrowserStorage } from "./storage.js";

const ADDRESS = new URL("../api/v1", location.href).href;

/**
 * @typedef {object} Line a key's connection to its log
 * @property {Log} log
 * @property {Promise<{body: any}>} asked the answer to /me, which names the member
 */

/** @param {string} key */
export const logOf = (key) => new Log(ADDRESS, key);
/**
 * @param {string} key
 * @returns {Line}
 */
export function lineOf(key) {
  const log = logOf(key);
  const asked = log.request("/me");
  asked.catch(() => {}); // the caller that awaits the answer reports the error
  return { log, asked };
}

/**
 * Returns the connection for the key in the page's address, and removes the key from the address.
 * Returns null if the address contains no key.
 */
export function lineOfAddress() {
  const key = parseQuery(location.hash.slice(1)).get("key");
  if (!key) return null;
  history.replaceState(null, "", location.pathname);
  return lineOf(key);
}

export const opening = BrowserStorage.open();
export const fromAddress = lineOfAddress();
