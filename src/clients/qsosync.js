// A copy of a QSOsync log in a web page: reads, and never writes, because what a page holds is
// public. qsosync-clients(7) describes it. An ES module without dependencies, typed by comments:
//
//   import { listQsos, openLog, synchronise } from "./qsosync.js";
//   const log = await openLog("https://log.example.org/api/v1", "qsosync_...");
//   let copy = JSON.parse(localStorage.getItem("log") ?? "null");
//   copy = await synchronise(log, copy);
//   localStorage.setItem("log", JSON.stringify(copy));
//   for (const qso of listQsos(copy)) ...

/**
 * @typedef {object} Qso As the service gives it; fields without a value are null. The clientId is
 *   null for a few very old QSOs; times are UTC, such as 2026-05-17T19:42:00.000Z.
 * @fields are written here when the kit is built
 */

/**
 * @typedef {object} Copy Plain data, to be stored as a whole. Treat it as constant.
 * @property {string | null} epoch
 * @property {string} serverTime
 * @property {boolean} [deletionsKnown] whether items lacks all that was deleted up to serverTime
 * @property {string | null} etag
 * @property {Record<string, Qso>} items by clientId
 * @property {Record<string, Qso>} lost what the service lost, or has in an older state, since it
 *   was restored from a backup; until a program that may write has sent it again
 */

/** @typedef {{callsign: string, locator: string, scope: "READ" | "WRITE"}} Member */
/** @typedef {{id: string, clientId: string | null, deletedAt: string}} Deletion */
/**
 * The names deleted and deletedComplete are on the pages of a service that tells deletions.
 * @typedef {{items: Qso[], deleted?: Deletion[], deletedComplete?: boolean,
 *   nextCursor: string | null, serverTime: string}} Page
 */
/** @typedef {{items: {id: string, clientId: string | null}[]}} IdList */

const ATTEMPTS = 4;

/** A request that the service refused (status), or that had no answer (no status). */
export class ServiceError extends Error {
  /**
   * @param {string} message
   * @param {number} [status]
   * @param {number} [waitSeconds] how long to wait, where the service said so
   */
  constructor(message, status, waitSeconds) {
    super(message);
    this.name = "ServiceError";
    this.status = status;
    this.waitSeconds = waitSeconds;
  }
}

/**
 * The address of a page of a download.
 * @param {string | null} [updatedSince] the serverTime of an earlier download
 * @param {string | null} [cursor] of the page before
 */
export function pageAddress(updatedSince, cursor) {
  const query = new URLSearchParams({ limit: "500", includeDeleted: "true" });
  if (updatedSince) query.set("updatedSince", updatedSince);
  if (cursor) query.set("cursor", cursor);
  return `/logs?${query}`;
}

/**
 * The pages of a download: while one arrives, the next one is asked for as soon as the headers name
 * it. There are never more than these two on the way.
 * @template Answer
 */
export class Pages {
  /** @type {{cursor: string | null, next: string | null, follow: () => void,
   *   answer: Promise<Answer>} | null} */
  #ahead = null;

  /**
   * @param {(cursor: string | null, onHeaders: (headers: Headers) => void) => Promise<Answer>} ask
   */
  constructor(ask) {
    this.ask = ask;
  }
  /** @param {string | null} cursor */
  take(cursor) {
    const page = this.#ahead?.cursor === cursor ? this.#ahead : this.#begin(cursor);
    this.#ahead = null;
    page.follow = () => {
      if (page.next !== null) this.#ahead ??= this.#begin(page.next);
    };
    page.follow();
    return page.answer.finally(() => (page.follow = () => {}));
  }
  /** @param {string | null} cursor */
  #begin(cursor) {
    const page = { cursor, next: /** @type {string | null} */ (null), follow: () => {} };
    const answer = this.ask(cursor, (headers) => {
      const [, query] = /<\?([^>]*)>; rel="next"/.exec(headers.get("Link") ?? "") ?? [];
      page.next = new URLSearchParams(query).get("cursor");
      page.follow();
    });
    answer.catch(() => {}); // it is thrown where the page is taken
    return Object.assign(page, { answer });
  }
}

/** The part of the API that reads one log. A call waits as long as a request limit asks it to. */
export class Log {
  /**
   * @param {string} url ends with /api/v1
   * @param {string} key a READ key
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
  }

  /** @returns {Promise<Member>} */
  async me() {
    return (await this.#get("/me")).body;
  }

  /**
   * The pages of a download, each with the epoch of the log.
   * @param {string} [updatedSince] the serverTime of an earlier download
   * @returns {AsyncGenerator<{page: Page, epoch: string | null}>}
   */
  async *pages(updatedSince) {
    let cursor = null;
    /** @type {Pages<{body: any, headers: Headers}>} */
    const pages = new Pages((at, onHeaders) =>
      this.#get(pageAddress(updatedSince, at), {}, onHeaders),
    );
    do {
      const { body, headers } = await pages.take(cursor);
      yield { page: body, epoch: headers.get("X-Log-Epoch") };
      cursor = body.nextCursor;
    } while (cursor !== null);
  }

  /**
   * Every id of the log; null where it is as it was under the ETag.
   * @param {string | null} [etag]
   * @returns {Promise<{ids: IdList | null, etag: string | null, epoch: string | null}>}
   */
  async ids(etag) {
    const { body, headers } = await this.#get("/logs/ids", etag ? { "If-None-Match": etag } : {});
    return { ids: body, etag: headers.get("ETag"), epoch: headers.get("X-Log-Epoch") };
  }

  /**
   * One request, once: throws a ServiceError where it is refused or has no answer.
   * @param {string} path
   * @param {RequestInit & {onHeaders?: (headers: Headers) => void}} [options] onHeaders hears of
   *   the headers of a good answer before its body has arrived
   * @returns {Promise<{body: any, headers: Headers}>} body is null where the answer has none
   */
  async request(path, { headers, onHeaders, ...options } = {}) {
    let answer;
    let body = null;
    try {
      answer = await fetch(this.url + path, {
        headers: { Authorization: `Bearer ${this.key}`, ...headers },
        cache: "no-store",
        credentials: "omit",
        ...options,
      });
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
   */
  async #get(path, headers = {}, onHeaders = undefined) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.request(path, { headers, onHeaders });
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (error.status === 429) {
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
 * The log of a READ key. A WRITE key is refused: whoever sees the page could change the log.
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
 * Brings a copy in step with the log. The copy that was given stays as it is: store the new one in
 * its place, and nothing is lost whenever the page is closed.
 * @param {Log} log
 * @param {Copy | null} [copy] null or undefined: the first time
 * @returns {Promise<Copy>}
 */
export async function synchronise(log, copy) {
  for (;;) {
    const next = await download(log, copy ?? null);
    const complete = next && (await forgetDeleted(log, next));
    if (complete) return complete;
    // The log was restored from a backup meanwhile.
  }
}

/**
 * The QSOs of a copy, the newest first.
 * @param {Copy} copy
 * @returns {Qso[]}
 */
export function listQsos(copy) {
  return Object.values(copy.items).sort((a, b) =>
    a.qsoAt < b.qsoAt ? 1 : a.qsoAt > b.qsoAt ? -1 : 0,
  );
}

/** @param {{id: string, clientId: string | null}} qso a deletion or an id is enough */
export function keyOf(qso) {
  return qso.clientId ?? `id:${qso.id}`;
}

/**
 * @param {Log} log
 * @param {string} [since]
 * @returns {Promise<{items: Record<string, Qso>, gone: Set<string>, deletionsKnown: boolean,
 *   epoch: string | null, serverTime: string} | null>} gone are the keys of what was deleted; null
 *   where the epoch changed between two pages
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
 * @returns {Promise<Copy | null>} null where it has to begin again
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
 * The items that others lack or have in an older state.
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
 * Where not all deletions are known, as on a service that does not tell them, drops what is no
 * longer listed.
 * @param {Log} log
 * @param {Copy} copy
 * @returns {Promise<Copy | null>} null where it has to begin again
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
