// What takes long and can begin before the rest of the app starts: opening the log of this device,
// and, on a visit by a link with a key, asking whose key it is. Nothing else is asked for with it,
// and nothing is kept, before the member wants that log (setup.js).
import { Log } from "../qsosync.js";
import { parseQuery } from "../../pages/site/query.js";
import { BrowserStorage } from "./storage.js";

const ADDRESS = new URL("../api/v1", location.href).href;

/**
 * @typedef {object} Line the log of a key
 * @property {Log} log
 * @property {Promise<{body: any}>} asked whose it is
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
  asked.catch(() => {}); // it is told where it is awaited
  return { log, asked };
}

/** The log of a link to the app with a key; the address is rid of it at once. */
export function lineOfAddress() {
  const key = parseQuery(location.hash.slice(1)).get("key");
  if (!key) return null;
  history.replaceState(null, "", location.pathname);
  return lineOf(key);
}

export const opening = BrowserStorage.open();
export const fromAddress = lineOfAddress();
