// What takes long and can begin before the rest of the app starts: opening the log of this device,
// and, on a first visit by a link with a key, asking whose key it is and for the log's beginning.
import { Log, Pages, pageAddress } from "./qsosync.js";
import { BrowserStorage } from "./storage.js";

const ADDRESS = new URL("../api/v1", location.href).href;
const MOST_MS = 5000; // an answer tells what time it is: an older one is asked for again

/** A log of which something may have been asked for early; whoever asks for it then gets that. */
export class Line extends Log {
  /** @type {Map<string, {answer: Promise<Response>, ending: AbortController}>} by path */
  #early = new Map();
  /** Pages are asked for early, until somebody asks for one. */
  #pages = new Pages((cursor, ahead, onHeaders) =>
    this.#ask(pageAddress(null, cursor, ahead), onHeaders),
  );

  askEarly() {
    for (const asked of [this.#ask("/me"), this.#pages.take(null)]) asked.catch(() => {});
    setTimeout(() => this.forgetEarly(), MOST_MS);
  }
  forgetEarly() {
    this.#pages.hinder();
    for (const { ending } of this.#early.values()) ending.abort();
    this.#early.clear();
  }

  /**
   * @param {string} path
   * @param {(headers: Headers) => void} [onHeaders]
   */
  async #ask(path, onHeaders) {
    const ending = new AbortController();
    const answer = super.send(path, { signal: ending.signal });
    this.#early.set(nameOf(path), { answer, ending });
    const { ok, headers } = await answer;
    if (!ok) throw new Error("refused");
    onHeaders?.(headers);
  }
  /**
   * @param {string} path
   * @param {RequestInit} [options]
   */
  send(path, options) {
    const early = this.#early.get(nameOf(path));
    if (!early) return super.send(path, options);
    this.#early.delete(nameOf(path));
    if (path !== "/me") this.#pages.hinder();
    options?.signal?.addEventListener("abort", () => early.ending.abort());
    return early.answer;
  }
}
/** @param {string} path of a page, however many others it names */
const nameOf = (path) => path.replace(/&ahead=.*/, "");

/** @param {string} key */
export const lineOf = (key) => new Line(ADDRESS, key);

/** The log of a link to the app with a key; the address is rid of it at once. */
export function lineOfAddress() {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (!key) return null;
  history.replaceState(null, "", location.pathname);
  const line = lineOf(key);
  line.askEarly();
  return line;
}

export const opening = BrowserStorage.open();
export const fromAddress = lineOfAddress();
