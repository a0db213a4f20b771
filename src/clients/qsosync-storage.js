// The storage of a log on a device: its contract, its records, and a storage in memory, for tests
// and for pages without IndexedDB.

/** @typedef {import("./qsosync.js").Qso} Qso */

/**
 * Holds records in three stores (state, qsos, outbox), each under its `key`. The changes of one
 * piece of work are stored as a whole or not at all, even if the device stops meanwhile. No other
 * work sees half of them. The work must await only the methods it is given. Changes of data
 * that can be downloaded again may be "relaxed", which saves the wait for the disk. If the power
 * fails, such a change may be lost, together with all later ones.
 * @typedef {object} Storage
 * @property {<Result>(work: (records: Records) => Promise<Result>,
 *   durability?: "strict" | "relaxed") => Promise<Result>} change
 */
/** @typedef {"state" | "qsos" | "outbox"} Store */
/**
 * @typedef {object} Records
 * @property {(store: Store, key: string) => Promise<any>} get undefined if the store lacks it
 * @property {(store: Store, record: any) => Promise<unknown>} put later reads see the record; if it
 *   cannot be stored, the whole change fails, perhaps only at its end
 * @property {(store: Store, key: string) => Promise<unknown>} remove the same
 * @property {(store: Store, key: string, most: number) => Promise<any[]>} after the records with
 *   greater keys, in their order
 */

/**
 * @typedef {object} Copy A QSO as the service has it, as far as the device can tell.
 * @property {string} key
 * @property {Qso} qso
 * @property {number} round the number of the whole download that brought it
 * @property {boolean} [unseen] the service has stored it, but no download has brought it yet
 * @property {Late} [late]
 * @property {string} [againUntil] it was sent to a restored log: until this time of the service's
 *   clock, another device may send an older state again
 */
/**
 * @typedef {object} Late Requests without an answer, which may still arrive, for example from a tab
 *   that another one overtook. A state that was sent twice may even equal the copy.
 * @property {any[]} states
 * @property {boolean} isDeletion
 * @property {string} until by the service's clock; nothing arrives later
 */
/**
 * @typedef {object} Entry A member's write, until the service has it.
 * @property {string} key
 * @property {"save" | "delete"} kind
 * @property {any} qso the QSO to store or to delete
 * @property {any} base the service's state when the member began; null: none
 * @property {any[]} sent states that were sent and may have arrived; a state that was sent more
 *   than once is there twice
 * @property {boolean} [isDeletionSent] whether a deletion was sent and may have arrived
 * @property {boolean} [isAgain] whether the service had it and lost it
 * @property {boolean} [isDecided] whether the member chose it in a conflict
 * @property {string} [arrivesBy] the time of the service's clock after which no request still
 *   arrives
 * @property {number} revision increases with each write of the member
 * @property {number} order of sending
 * @property {number} [notBefore] ms; not sent until then
 * @property {"waiting" | "refused" | "conflict"} state
 * @property {string} [error] the service's reason for the rejection
 * @property {Qso | null} [theirs] in a conflict, the other program's version; null: a deletion
 */
/**
 * @typedef {object} Download in progress
 * @property {string | null} since null: of the whole log
 * @property {string | null} cursor of the next page
 * @property {string | null} epoch
 * @property {string} serverTime
 * @property {number} received
 * @property {number | null} [total] the QSOs of the whole log when it began, if known
 * @property {boolean} deletionsKnown
 * @property {boolean} isRestored whether the log was restored from a backup since the last one
 * @property {string[]} gone the deletions that the restored log reported
 */
/**
 * @typedef {object} State
 * @property {"sync"} key
 * @property {string} run identifies the pass that began last
 * @property {string | null} epoch
 * @property {string | null} since serverTime of the last download; null: not downloaded yet
 * @property {boolean} deletionsKnown
 * @property {string | null} etag of the ids
 * @property {number} round the number of whole downloads
 * @property {number} order the number of writes
 * @property {number | null} skewMs the service's clock minus the device's
 * @property {Download | null} download
 * @property {string} [againUntil] until this time after a restoration, sent copies get this mark
 * @property {{after: string, gone: string[], isComplete: boolean} | null} sweep removes copies that
 *   a whole download did not bring; isComplete: the device had a whole copy before
 */

/** @type {State} */
const NEW_STATE = {
  key: "sync",
  run: "",
  epoch: null,
  since: null,
  deletionsKnown: true,
  etag: null,
  round: 0,
  order: 0,
  skewMs: null,
  download: null,
  sweep: null,
};

/** A storage in the memory of this program, for tests and for pages without IndexedDB. */
export class MemoryStorage {
  #stores = { state: new Map(), qsos: new Map(), outbox: new Map() };
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();

  /**
   * @template Result
   * @param {(records: Records) => Promise<Result>} work
   * @returns {Promise<Result>}
   */
  change(work) {
    const result = this.#last.then(() => this.#work(work));
    this.#last = result.catch(() => {});
    return result;
  }

  /**
   * @template Result
   * @param {(records: Records) => Promise<Result>} work
   */
  async #work(work) {
    const stores = this.#stores;
    /** @type {[Map<string, any>, string, any][]} */
    const before = [];
    /** @type {(store: Store, key: string) => void} */
    const note = (store, key) => {
      before.push([stores[store], key, stores[store].get(key)]);
    };
    try {
      return await work({
        get: async (store, key) => structuredClone(stores[store].get(key)),
        put: async (store, record) => {
          note(store, record.key);
          stores[store].set(record.key, structuredClone(record));
        },
        remove: async (store, key) => {
          note(store, key);
          stores[store].delete(key);
        },
        after: async (store, key, most) =>
          [...stores[store].values()]
            .filter((record) => record.key > key)
            .sort((a, b) => (a.key < b.key ? -1 : 1))
            .slice(0, most)
            .map((record) => structuredClone(record)),
      });
    } catch (error) {
      for (const [map, key, value] of before.reverse())
        if (value === undefined) map.delete(key);
        else map.set(key, value);
      throw error;
    }
  }
}

/** @param {Records} records */
export async function readState(records) {
  /** @type {State} */
  const state = (await records.get("state", "sync")) ?? { ...NEW_STATE };
  return state;
}
