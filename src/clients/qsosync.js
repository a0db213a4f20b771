// Keeps a copy of a QSOsync log in a web page. This module only reads, because everything in a page
// is public. qsosync-clients(7) describes the module. It is an ES module without dependencies,
// typed by comments:
//
//   import { listQsos, openLog, synchronise } from "./qsosync.js";
//   const log = await openLog("https://log.example.org/api/v1", "qsosync_...");
//   let copy = JSON.parse(localStorage.getItem("log") ?? "null");
//   copy = await synchronise(log, copy);
//   localStorage.setItem("log", JSON.stringify(copy));
//   for (const qso of listQsos(copy)) ...

/**
 * @typedef {object} Qso As the service returns it; fields without a value are null. The clientId is
 *   null for a few very old QSOs; times are UTC, such as 2026-05-17T19:42:00.000Z.
 * @fields
 */

/**
 * @typedef {object} Copy Plain data. Store a copy as a whole, and do not change it.
 * @property {string | null} epoch
 * @property {string} serverTime
 * @property {boolean} [deletionsKnown] whether all QSOs deleted up to serverTime are missing from
 *   items
 * @property {string | null} etag
 * @property {Record<string, Qso>} items by clientId
 * @property {Record<string, Qso>} lost QSOs that a restored service lacks or has in an older state,
 *   until a program that may write sends them again
 */

/** @typedef {{callsign: string, locator: string, scope: "READ" | "WRITE"}} Member */
/** @typedef {{id: string, clientId: string | null, deletedAt: string}} Deletion */
/**
 * Pages of a service that reports deletions also have deleted and deletedComplete.
 * @typedef {{items: Qso[], deleted?: Deletion[], deletedComplete?: boolean,
 *   nextCursor: string | null, serverTime: string}} Page
 */
/** @typedef {{items: {id: string, clientId: string | null}[]}} IdList */

const ATTEMPTS = 4;
const AHEAD = 8; // number of pages that an answer should name

/**
 * The failure of a request that the service refused (with status), or that received no answer
 * (without status).
 */
export class ServiceError extends Error {
  /**
   * @param {string} message
   * @param {number} [status]
   * @param {number} [waitSeconds] seconds to wait, if the service states them
   */
  constructor(message, status, waitSeconds) {
    super(message);
    this.name = "ServiceError";
    this.status = status;
    this.waitSeconds = waitSeconds;
  }
}

/**
 * Returns the address of a page in a download.
 * @param {string | null} [updatedSince] the serverTime of an earlier download
 * @param {string | null} [cursor] of the previous page
 * @param {number} [ahead] the number of following pages that the answer should name
 */
export function pageAddress(updatedSince, cursor, ahead) {
  const query = new URLSearchParams({ limit: "500", includeDeleted: "true" });
  if (updatedSince) query.set("updatedSince", updatedSince);
  if (cursor) query.set("cursor", cursor);
  if (ahead) query.set("ahead", String(ahead));
  return `/logs?${query}`;
}

/**
 * Requests the pages of a download. While one page is read, requests for following pages are in
 * flight. The headers of each page name following pages, which are then requested ahead. A page
 * that was requested ahead is used only if the previous page names it, because the log can change
 * meanwhile.
 *
 * If a page takes less than a second, six pages are in flight, which is a browser's number of
 * connections. On a slow line, two pages are in flight: they keep the line busy, and each arrives
 * before the client gives up. After a limited or failed request, only one page is in flight. Pages
 * in flight share the line and arrive at about the same time, so some wait until they are read.
 * @template Answer
 */
export class Pages {
  /** @type {{cursor: string | null, answer?: Promise<Answer>}[]} from the page that is read next */
  #pages = [];
  #begun = 0;
  #onTheWay = 0;
  #most = 2;

  /**
   * @param {(cursor: string | null, ahead: number, onHeaders: (headers: Headers) => void) =>
   *   Promise<Answer>} ask ahead: the number of pages to name
   * @param {() => number} [now] ms
   */
  constructor(ask, now = () => performance.now()) {
    this.ask = ask;
    this.now = now;
  }

  /** @param {string | null} cursor */
  async take(cursor) {
    if (this.#pages[0]?.cursor !== cursor) this.#pages = [{ cursor }];
    const answer = this.#pages[0].answer ?? this.#begin(this.#pages[0]);
    this.#fill();
    await answer;
    this.#pages.shift();
    this.#fill();
    return answer;
  }

  /** Limits the requests in flight to one, after a request was refused or failed. */
  hinder = () => void (this.#most = 1);

  #fill() {
    for (const page of this.#pages.slice(0, 2 * this.#most - 1))
      if (!page.answer && this.#onTheWay < this.#most) this.#begin(page);
  }

  /** @param {{cursor: string | null, answer?: Promise<Answer>}} page */
  #begin(page) {
    // Not every request asks for the names of following pages, because most of these names would
    // repeat names in the previous answer.
    const ahead = page === this.#pages.at(-1) || this.#begun % 3 === 0 ? AHEAD : 0;
    const begun = this.now();
    const answer = this.ask(page.cursor, ahead, (headers) => this.#hear(page, headers));
    page.answer = answer;
    this.#begun++;
    this.#onTheWay++;
    const end = () => {
      const ms = this.now() - begun;
      if (this.#most > 1) this.#most = ms < 1000 ? 6 : ms > 10000 ? 2 : this.#most;
      this.#onTheWay--;
      this.#fill();
    };
    answer.catch(this.hinder).then(end); // take() rethrows the error
    return answer;
  }

  /**
   * @param {object} page
   * @param {Headers} headers
   */
  #hear(page, headers) {
    const links = (headers.get("Link") ?? "").matchAll(/<\?([^>]*)>; rel="(?:next|section)"/g);
    const named = [...links].map(([, query]) => new URLSearchParams(query).get("cursor"));
    const place = this.#pages.findIndex((one) => one === page) + 1;
    if (!place) return; // the page is no longer needed
    const known = this.#pages.slice(place).map(({ cursor }) => cursor);
    if (known[0] !== named[0]) {
      known.length = 0;
      this.#pages.length = place;
    }
    if (known.every((cursor, at) => at >= named.length || cursor === named[at]))
      this.#pages.push(...named.slice(known.length).map((cursor) => ({ cursor })));
    this.#fill();
  }
}

/**
 * Requests data of one log through the API. If the request limit is exceeded, me, pages and ids
 * wait as long as the service demands.
 */
export class Log {
  /**
   * @param {string} url ends with /api/v1
   * @param {string} key a key of the log's member
   * @param {(seconds: number) => Promise<void>} [wait]
   */
  constructor(
    url,
    key,
    wait = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000)),
  ) {
    this.url = url.replace(/\/+$/, "");
    this.key = key;
    this.wait = wait;
    /**
     * The name and version of the program, which the member sees next to the key: "my-logger/1.0".
     * A page leaves the text empty, because browsers send their own name and version.
     */
    this.agent = "";
  }

  /** @returns {Promise<Member>} */
  async me() {
    return (await this.#get("/me")).body;
  }

  /**
   * Yields the pages of a download, each with the epoch of the log.
   * @param {string} [updatedSince] the serverTime of an earlier download
   * @returns {AsyncGenerator<{page: Page, epoch: string | null}>}
   */
  async *pages(updatedSince) {
    let cursor = null;
    /** @type {Pages<{body: any, headers: Headers}>} */
    const pages = new Pages((at, ahead, onHeaders) =>
      this.#get(pageAddress(updatedSince, at, ahead), {}, onHeaders, pages.hinder),
    );
    do {
      const { body, headers } = await pages.take(cursor);
      yield { page: body, epoch: headers.get("X-Log-Epoch") };
      cursor = body.nextCursor;
    } while (cursor !== null);
  }

  /**
   * Returns all ids in the log; ids is null if the list is unchanged since the answer with this
   * ETag.
   * @param {string | null} [etag]
   * @returns {Promise<{ids: IdList | null, etag: string | null, epoch: string | null}>}
   */
  async ids(etag) {
    const { body, headers } = await this.#get("/logs/ids", etag ? { "If-None-Match": etag } : {});
    return { ids: body, etag: headers.get("ETag"), epoch: headers.get("X-Log-Epoch") };
  }

  /**
   * Sends a request with the key, and returns the answer, as fetch does.
   * @param {string} path
   * @param {RequestInit} [options]
   */
  send(path, { headers, ...options } = {}) {
    return fetch(this.url + path, {
      headers: {
        Authorization: `Bearer ${this.key}`,
        ...(this.agent && { "User-Agent": this.agent }),
        ...headers,
      },
      cache: "no-store",
      credentials: "omit",
      ...options,
    });
  }

  /**
   * Sends a request once, without repetitions. Throws a ServiceError if the request is refused or
   * receives no answer.
   * @param {string} path
   * @param {RequestInit & {onHeaders?: (headers: Headers) => void}} [options] onHeaders receives
   *   the headers of a successful answer before its body arrives
   * @returns {Promise<{body: any, headers: Headers}>} body is null if the answer has no body
   */
  async request(path, { onHeaders, ...options } = {}) {
    let answer;
    let body = null;
    try {
      answer = await this.send(path, options);
      if (answer.ok) onHeaders?.(answer.headers);
      if (answer.status !== 204 && answer.status !== 304) body = await answer.json();
    } catch (error) {
      throw new ServiceError(`no answer from ${this.url}: ${error}`);
    }
    if (answer.ok || answer.status === 304) return { body, headers: answer.headers };
    throw new ServiceError(
      `the service answered ${answer.status} ${body?.error?.code ?? ""}`,
      answer.status,
      Number(answer.headers.get("Retry-After")) || undefined,
    );
  }

  /**
   * @param {string} path
   * @param {Record<string, string>} [headers]
   * @param {(headers: Headers) => void} [onHeaders]
   * @param {() => void} [onRefusal] called after each failed attempt
   */
  async #get(path, headers = {}, onHeaders = undefined, onRefusal = () => {}) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.request(path, { headers, onHeaders });
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        onRefusal();
        if (error.status === 429 || (error.status === 503 && error.waitSeconds)) {
          await this.wait(error.waitSeconds || 60);
          attempt--;
          continue;
        }
        if ((error.status ?? 500) < 500 || attempt === ATTEMPTS) throw error;
        await this.wait(attempt);
      }
    }
  }
}

/**
 * Opens the log of the member to whom a READ key belongs. Rejects a WRITE key, because anybody who
 * sees the page could change the log.
 * @param {string} url
 * @param {string} key
 * @returns {Promise<Log>}
 */
export async function openLog(url, key) {
  const log = new Log(url, key);
  const { scope } = await log.me();
  if (scope !== "READ") throw new ServiceError("a page must hold a READ key only; revoke this one");
  return log;
}

/**
 * Synchronises a copy with the log. Returns a new copy, and leaves the given copy unchanged. Store
 * the new copy in place of the old copy. If the page is closed before that, nothing is lost.
 * @param {Log} log
 * @param {Copy | null} [copy] null or undefined: the first time
 * @returns {Promise<Copy>}
 */
export async function synchronise(log, copy) {
  for (;;) {
    const next = await download(log, copy ?? null);
    const complete = next && (await forgetDeleted(log, next));
    if (complete) return complete;
    // The log was restored from a backup meanwhile, so the download begins again.
  }
}

/**
 * Returns the QSOs in a copy, newest first.
 * @param {Copy} copy
 * @returns {Qso[]}
 */
export function listQsos(copy) {
  return Object.values(copy.items).sort((a, b) =>
    a.qsoAt < b.qsoAt ? 1 : a.qsoAt > b.qsoAt ? -1 : 0,
  );
}

/**
 * Returns the key of a QSO in a copy.
 * @param {{id: string, clientId: string | null}} qso a QSO, a deletion or an entry of a list of ids
 */
export function keyOf(qso) {
  return qso.clientId ?? `id:${qso.id}`;
}

/**
 * @param {Log} log
 * @param {string} [since]
 * @returns {Promise<{items: Record<string, Qso>, gone: Set<string>, deletionsKnown: boolean, epoch:
 *   string | null, serverTime: string} | null>} gone: keys of deleted QSOs; null: the epoch changed
 *   between two pages
 */
async function readPages(log, since) {
  /** @type {Record<string, Qso>} */
  const items = {};
  /** @type {Set<string>} */
  const gone = new Set();
  let deletionsKnown = true;
  /** @type {{epoch: string | null, serverTime: string} | null} */
  let first = null;
  for await (const { page, epoch } of log.pages(since)) {
    first ??= { epoch, serverTime: page.serverTime };
    if (epoch !== first.epoch) return null;
    for (const qso of page.items) {
      items[keyOf(qso)] = qso;
      gone.delete(keyOf(qso));
    }
    for (const deletion of page.deleted ?? []) {
      delete items[keyOf(deletion)];
      gone.add(keyOf(deletion));
    }
    deletionsKnown &&= page.deletedComplete ?? false;
  }
  return first && { items, gone, deletionsKnown, ...first };
}

/**
 * @param {Log} log
 * @param {Copy | null} copy
 * @returns {Promise<Copy | null>} null: the download must begin again
 */
async function download(log, copy) {
  const read = await readPages(log, copy?.serverTime);
  if (!read) return null;
  const { gone, ...changes } = read;
  if (!copy || changes.epoch === copy.epoch)
    return {
      ...changes,
      deletionsKnown: changes.deletionsKnown && (copy?.deletionsKnown ?? !copy),
      etag: copy?.etag ?? null,
      items: { ...without(copy?.items ?? {}, gone), ...changes.items },
      lost: newerThan(copy?.lost ?? {}, changes.items),
    };
  const all = await readPages(log);
  if (!all) return null;
  const { epoch, serverTime, items } = all;
  return {
    epoch,
    serverTime,
    items,
    etag: null,
    lost: newerThan({ ...copy.lost, ...copy.items }, items),
  };
}

/**
 * @param {Record<string, Qso>} items
 * @param {Set<string>} gone
 * @returns {Record<string, Qso>}
 */
function without(items, gone) {
  return Object.fromEntries(Object.entries(items).filter(([key]) => !gone.has(key)));
}

/**
 * Returns the items that others lack or have in an older state.
 * @param {Record<string, Qso>} items
 * @param {Record<string, Qso>} others
 * @returns {Record<string, Qso>}
 */
function newerThan(items, others) {
  const entries = Object.entries(items);
  return Object.fromEntries(
    entries.filter(([key, qso]) => !(key in others) || qso.syncedAt > others[key].syncedAt),
  );
}

/**
 * Removes QSOs that the service's list lacks, if the service does not report all deletions.
 * @param {Log} log
 * @param {Copy} copy
 * @returns {Promise<Copy | null>} null: the download must begin again
 */
async function forgetDeleted(log, copy) {
  if (copy.deletionsKnown) return copy;
  const { ids, etag, epoch } = await log.ids(copy.etag);
  if (epoch !== copy.epoch) return null;
  if (!ids) return { ...copy, deletionsKnown: true };
  const listed = new Set(ids.items.map(keyOf));
  const items = Object.fromEntries(Object.entries(copy.items).filter(([key]) => listed.has(key)));
  return { ...copy, items, etag, deletionsKnown: true };
}
