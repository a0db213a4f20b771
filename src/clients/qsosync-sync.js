// Keeps a log on a device that can be offline for days: a copy of the service's log, and an outbox
// with the member's writes. Each call to synchronise exchanges changes with the service; see
// qsosync-clients(7) and INTERNALS. The storage decides where data is kept. The program decides
// when to synchronise, and what to show.
import { Pages, ServiceError, keyOf, pageAddress } from "./qsosync.js";
import {
  acceptEntry,
  arrivePage,
  beginDownload,
  forgetUnlisted,
  rejectEntry,
  sweepSome,
} from "./qsosync-changes.js";
import { makeClientId, normalise } from "./qsosync-fields.js";
import {
  readOutbox,
  resolveEntry,
  takeDueEntries,
  takeEntryBack,
  writeEntry,
} from "./qsosync-outbox.js";
import { readState } from "./qsosync-storage.js";

export { readOutbox };

/** @import { Entry, Log, Outcome, Records, State, Storage, Values } from "./qsosync-types.js" */

const BATCH = 200;
const ANSWER_MS = 120000;
// The maximum age of a QSO that is sent as a live spot.
const SPOT_MS = 600000;

/** @type {Record<number, Outcome>} by the status of a refused request; 0: no answer */
const OUTCOMES = {
  0: "no answer",
  401: "no key",
  403: "read only",
  429: "limited",
  503: "limited",
};

/**
 * Reports that another pass has begun since this pass began, for example in a second tab that could
 * not be locked out.
 */
class Overtaken extends Error {}

/**
 * Begins a download of the changes since the last download, unless a download is in progress.
 * @param {State} state
 */
function goOnDownloading(state) {
  if (!state.download) beginDownload(state, state.since, []);
}

/** A log on this device. */
export class LocalLog {
  /**
   * @param {Storage} storage
   * @param {object} [options]
   * @param {() => number} [options.now] ms
   * @param {() => string} [options.makeId]
   * @param {(work: () => Promise<Outcome>) => Promise<Outcome>} [options.alone] runs the work, or
   *   resolves with "busy" if another tab is synchronising
   * @param {(received: number, total: number | null) => void} [options.progress] reports a
   *   download's progress: the QSOs received so far, and the total, which is null if it is unknown
   *   or only changes are downloaded
   */
  constructor(storage, { now, makeId, alone, progress } = {}) {
    this.storage = storage;
    this.now = now ?? Date.now;
    this.makeId = makeId ?? makeClientId;
    this.alone = alone ?? ((work) => work());
    this.progress = progress ?? (() => {});
    this.batch = BATCH;
    /** @type {ServiceError | null} the error that ended the last pass early */
    this.trouble = null;
    /** @type {Set<AbortController>} the controllers of the requests that wait for their answers */
    this.requests = new Set();
    this.isStopped = false;
  }

  /**
   * Queues a QSO to be sent. A QSO without a clientId is new.
   * @param {Values} values the whole QSO
   * @param {boolean} [isNew] the QSO gets a new clientId if another QSO already has its clientId,
   *   for example because two tabs began with the same draft
   * @param {Values | null} [changes] all changes that the member made to a stored QSO; its other
   *   fields keep their current values, which can be newer than the given QSO
   * @returns {Promise<string>} the QSO's clientId, once the QSO is stored
   */
  save(values, isNew = false, changes = null) {
    const clientId = String(values.clientId ?? this.makeId());
    return this.storage.change(async (records) => {
      const of = (/** @type {"outbox" | "qsos"} */ store) => records.get(store, clientId);
      const kept = ((await of("outbox")) ?? (await of("qsos")))?.qso;
      const qso = normalise({ ...(kept && changes ? { ...kept, ...changes } : values), clientId });
      if (isNew && kept) qso.clientId = this.makeId();
      await writeEntry(records, qso.clientId, "save", qso);
      return qso.clientId;
    });
  }

  /**
   * Deletes a QSO. The deletion is not sent before the given time.
   * @param {string} key the QSO's clientId
   * @param {number} [notBefore] earliest time of sending, in ms
   * @returns {Promise<number | null>} the number with which takeBack undoes the deletion; null: no
   *   deletion is sent, because the QSO is unknown or the service never had it
   */
  delete(key, notBefore) {
    return this.storage.change(async (records) => {
      const qso = (await records.get("outbox", key))?.qso ?? (await records.get("qsos", key))?.qso;
      return qso ? writeEntry(records, key, "delete", normalise(qso), notBefore) : null;
    });
  }

  /**
   * Undoes the last write while its entry is in the outbox. If there was no entry before the write,
   * only an unsent write is undone.
   * @param {string} key
   * @param {number} order the result of delete
   * @param {Entry | undefined} before the entry of the outbox before the write
   * @returns {Promise<boolean>} whether the write was undone
   */
  takeBack(key, order, before) {
    return this.storage.change((records) => takeEntryBack(records, key, order, before));
  }

  /**
   * Ends a conflict: keeps the member's version or the other program's version.
   * @param {string} key
   * @param {"mine" | "theirs"} choice
   * @param {Entry} [shown] the entry with the versions that the member compared; if either version
   *   has changed since, the conflict does not end
   * @returns {Promise<boolean>} whether the conflict ended
   */
  resolve(key, choice, shown) {
    return this.storage.change((records) => resolveEntry(records, key, choice, shown));
  }

  /**
   * Ends the current pass, at once if the pass waits for an answer. The next pass continues with
   * the following page, even in another program on the same storage.
   */
  stop() {
    this.isStopped = true;
    for (const request of this.requests) request.abort();
  }

  /**
   * Synchronises once. Downloads other programs' changes before it sends waiting entries, so that
   * conflicts are found.
   * @param {Log} log
   * @returns {Promise<Outcome>} "done" or the reason for the failure; nothing is lost in either
   *   case
   */
  synchronise(log) {
    return this.alone(async () => {
      this.trouble = null;
      this.isStopped = false;
      try {
        const run = this.makeId();
        // The change may be relaxed: if a crash loses it, all later changes of this pass are lost,
        // too.
        const state = await this.storage.change(async (records) => {
          const begun = { ...(await readState(records)), run };
          goOnDownloading(begun);
          await records.put("state", begun);
          return begun;
        }, "relaxed");
        await this.#pull(log, run, state);
        if (await this.#push(log, run)) {
          const pushed = await this.#change(run, async (sent) => goOnDownloading(sent));
          await this.#pull(log, run, pushed);
        }
        return "done";
      } catch (error) {
        if (error instanceof Overtaken) return "busy";
        if (!(error instanceof ServiceError)) throw error;
        if (this.isStopped) return "stopped";
        this.trouble = error;
        return OUTCOMES[error.status ?? 0] ?? "failed";
      } finally {
        for (const request of this.requests) request.abort(); // requests for later pages
      }
    });
  }

  /**
   * @param {Log} log
   * @param {string} path
   * @param {RequestInit & {onHeaders?: (headers: Headers) => void}} [options]
   */
  async #ask(log, path, options = {}) {
    if (this.isStopped) throw new ServiceError("stopped");
    const ending = new AbortController();
    this.requests.add(ending);
    const timer = setTimeout(() => ending.abort(), ANSWER_MS);
    try {
      return await log.request(path, { ...options, signal: ending.signal });
    } finally {
      clearTimeout(timer);
      this.requests.delete(ending);
    }
  }

  /**
   * Changes records without storing the state, if no other pass has begun since this pass.
   * Otherwise rejects with Overtaken.
   * @template Result
   * @param {string} run
   * @param {(state: State, records: Records) => Promise<Result>} work
   * @param {"strict" | "relaxed"} [durability]
   */
  #changeBeside(run, work, durability) {
    return this.storage.change(async (records) => {
      const state = await readState(records);
      if (state.run !== run) throw new Overtaken();
      return work(state, records);
    }, durability);
  }
  /**
   * Changes records and the state, if no other pass has begun since this pass. Resolves with the
   * stored state.
   * @param {string} run
   * @param {(state: State, records: Records) => Promise<unknown>} work
   * @param {"strict" | "relaxed"} [durability]
   */
  #change(run, work, durability) {
    const changeState = async (/** @type {State} */ state, /** @type {Records} */ records) => {
      await work(state, records);
      await records.put("state", state);
      return state;
    };
    return this.#changeBeside(run, changeState, durability);
  }

  /**
   * @param {Log} log
   * @param {string} path
   * @param {(headers: Headers) => void} onHeaders
   */
  async #askPage(log, path, onHeaders) {
    const asked = this.now();
    /** @type {number | undefined} */
    let heard;
    const answer = await this.#ask(log, path, {
      onHeaders: (headers) => {
        heard = this.now();
        onHeaders(headers);
      },
    });
    return { ...answer, between: (asked + (heard ?? this.now())) / 2 };
  }

  /**
   * @param {Log} log
   * @param {string} run
   * @param {State} state with a current download
   */
  async #pull(log, run, state) {
    let isAgain = false;
    let received = 0;
    /** @type {number | null} */
    let total = null;
    /** @type {string | null} */
    let from = null;
    const pages = new Pages(
      (at, ahead, onHeaders) => this.#askPage(log, pageAddress(from, at, ahead), onHeaders),
      this.now,
    );
    while (state.download) {
      const { since, cursor } = state.download;
      from = since;
      if (this.isStopped) throw new ServiceError("stopped"); // even if the page has arrived
      const answer = await pages.take(cursor).catch((error) => {
        // If the service no longer accepts the cursor, the download begins again, but only once.
        if (error.status !== 400 || !cursor || isAgain) throw error;
        isAgain = true;
        return null;
      });
      /** @type {(state: State, records: Records) => Promise<void>} */
      const arrive = async (now, records) => {
        received = (now.download?.received ?? 0) + (answer?.body.items.length ?? 0);
        total = now.download?.total ?? null;
        if (answer && !since && !cursor) total = Number(answer.headers.get("X-Log-Count")) || null;
        if (!answer) {
          now.download = null;
          return goOnDownloading(now);
        }
        // The service's clock is compared with the time halfway between the request and the answer.
        now.skewMs = Date.parse(answer.body.serverTime) - answer.between;
        await arrivePage(records, now, answer.body, answer.headers.get("X-Log-Epoch"));
        if (now.download && !since) now.download.total = total;
      };
      // A download of the whole log has many pages and can be repeated, so its changes may be
      // relaxed.
      state = await this.#change(run, arrive, since === null ? "relaxed" : "strict");
      this.progress(received, total);
    }
    while (state.sweep) state = await this.#change(run, (now, records) => sweepSome(records, now));
    await this.#forgetUnlisted(log, run, state);
  }

  /**
   * Requests the list of all ids, and removes the copies that the list lacks, if not all deletions
   * are known. For example, an old service does not report deletions.
   * @param {Log} log
   * @param {string} run
   * @param {State} state
   */
  async #forgetUnlisted(log, run, { etag, epoch, deletionsKnown }) {
    if (deletionsKnown) return;
    /** @type {Record<string, string>} */
    const headers = etag ? { "If-None-Match": etag } : {};
    const answer = await this.#ask(log, "/logs/ids", { headers });
    if (answer.headers.get("X-Log-Epoch") !== epoch) return; // the next pass sees the new epoch
    if (answer.body) {
      const listed = new Set(answer.body.items.map(keyOf));
      /** @type {string | null} */
      let after = "";
      while (after !== null) {
        /** @type {string} */
        const from = after;
        await this.#change(run, async (state, records) => {
          after = await forgetUnlisted(records, state, listed, from);
        });
      }
    }
    await this.#change(run, async (state) => {
      state.etag = answer.headers.get("ETag");
      state.deletionsKnown = true;
    });
  }

  /**
   * @param {Log} log
   * @param {string} run
   * @returns {Promise<boolean>} whether anything was sent
   */
  async #push(log, run) {
    /** @type {Set<string>} keys that this pass has tried */
    const tried = new Set();
    for (;;) {
      const entries = await this.#take(run, tried);
      if (!entries.length) return tried.size > 0;
      const isDeletion = entries[0].kind === "delete";
      try {
        if (isDeletion) await this.#sendDeletion(log, run, entries[0]);
        else await this.#sendBatch(log, run, entries);
        this.batch = Math.min(BATCH, this.batch * 2);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        // Halves the batch. On a slow connection, a smaller batch arrives in time. If the service
        // cannot read one of the entries, halving finds this entry.
        this.batch = Math.max(1, entries.length >> 1);
        if (error.status !== 400 && error.status !== 413) throw error;
        if (entries.length === 1) await this.#refuse(run, entries[0], error.message);
        else for (const { key } of entries) tried.delete(key);
      }
    }
  }

  /**
   * Returns the next entries to send together, after recording them as sent.
   * @param {string} run
   * @param {Set<string>} tried
   */
  async #take(run, tried) {
    return this.#changeBeside(run, async (state, records) => {
      const now = this.now();
      const arrivesBy = new Date(now + (state.skewMs ?? 0) + ANSWER_MS).toISOString();
      const entries = await takeDueEntries(records, { now, most: this.batch, tried, arrivesBy });
      for (const { key } of entries) tried.add(key);
      return entries;
    });
  }

  /**
   * @param {Log} log
   * @param {string} run
   * @param {Entry[]} entries
   */
  async #sendBatch(log, run, entries) {
    const now = this.now();
    const qsos = entries.map(({ qso: { sendSpot, ...qso } }) =>
      sendSpot && now - Date.parse(qso.qsoAt) < SPOT_MS ? { ...qso, sendSpot } : qso,
    );
    const { body } = await this.#ask(log, "/logs/batch", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ entries: qsos }),
    });
    await this.#changeBeside(run, async (state, records) => {
      for (const [place, entry] of entries.entries()) {
        const result = body.results[place];
        if (result.id !== null) await acceptEntry(records, state, entry, result);
        else if (result.permanent) await rejectEntry(records, entry, result.error, this.makeId);
      }
    });
  }

  /**
   * @param {string} run
   * @param {Entry} sent
   * @param {string} error
   */
  #refuse(run, sent, error) {
    return this.#changeBeside(run, (_, records) => rejectEntry(records, sent, error, this.makeId));
  }

  /**
   * @param {Log} log
   * @param {string} run
   * @param {Entry} sent
   */
  async #sendDeletion(log, run, sent) {
    await this.#ask(log, `/logs/${sent.key}`, { method: "DELETE" }).catch((error) => {
      if (error.status !== 404) throw error; // the QSO was already deleted
    });
    await this.#changeBeside(run, async (_, records) => {
      /** @type {Entry | undefined} */
      const entry = await records.get("outbox", sent.key);
      if (entry?.revision === sent.revision) await records.remove("outbox", sent.key);
      else if (entry)
        await records.put("outbox", { ...entry, base: null, sent: [], isDeletionSent: false });
      await records.remove("qsos", sent.key);
    });
  }
}
