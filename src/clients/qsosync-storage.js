// The storage of a log on a device: what it must promise, the records in it, and a storage in
// memory, for tests and for pages without IndexedDB.

/** @typedef {import("./qsosync.js").Qso} Qso */

/**
 * Records of three stores (state, qsos, outbox), each under its `key`. What one piece of work
 * changes is kept as a whole or not at all, also when the device stops meanwhile, and no other work
 * sees half of it; the work must await only the methods it is given. What can be had from
 * the service again may be "relaxed": where the device loses its power, it may be lost with all
 * that was changed after it, which saves the wait for the disk.
 * @typedef {object} Storage
 * @property {<Result>(work: (records: Records) => Promise<Result>,
 *   durability?: "strict" | "relaxed") => Promise<Result>} change
 */
/** @typedef {"state" | "qsos" | "outbox"} Store */
/**
 * @typedef {object} Records
 * @property {(store: Store, key: string) => Promise<any>} get undefined where there is none
 * @property {(store: Store, record: any) => Promise<unknown>} put what is asked for afterwards sees
 *   it; where it cannot be kept, the whole change fails, maybe not before its end
 * @property {(store: Store, key: string) => Promise<unknown>} remove the same
 * @property {(store: Store, key: string, most: number) => Promise<any[]>} after those with a key
 *   above this one, in their order
 */

/**
 * @typedef {object} Copy What the service has, as far as the device knows.
 * @property {string} key
 * @property {Qso} qso
 * @property {number} round number of the whole download that brought it
 * @property {boolean} [unseen] the service took it, and no download has brought it back yet
 * @property {Late} [late]
 * @property {string} [againUntil] it was sent to a log that had been restored: until then, by the
 *   service's clock, what arrives in its place may be an older state that another device sent again
 */
/**
 * @typedef {object} Late What was sent up to now, without an answer: it may yet arrive, as from a
 *   tab that another one overtook, also where the copy is the same state, which was sent twice.
 * @property {any[]} states
 * @property {boolean} isDeletion
 * @property {string} until by the service's clock; nothing arrives later
 */
/**
 * @typedef {object} Entry What the member wrote, until the service has it.
 * @property {string} key
 * @property {"save" | "delete"} kind
 * @property {any} qso what is to be stored; of a deletion, what was deleted
 * @property {any} base what the service had when the member began; null: nothing
 * @property {any[]} sent what was sent, and nobody knows whether it arrived; a state that was sent
 *   more than once stands there twice
 * @property {boolean} [isDeletionSent] the same of a deletion
 * @property {boolean} [isAgain] the service had it, and lost it
 * @property {boolean} [isDecided] the member chose it where another program had written, too
 * @property {string} [arrivesBy] when all of it has arrived that will, by the service's clock
 * @property {number} revision rises with each thing that the member writes
 * @property {number} order in which entries are sent
 * @property {number} [notBefore] ms; not sent until then
 * @property {"waiting" | "refused" | "conflict"} state
 * @property {string} [error] why the service refused it
 * @property {Qso | null} [theirs] in a conflict, what another program wrote; null: it deleted it
 */
/**
 * @typedef {object} Download that was begun
 * @property {string | null} since null: of the whole log
 * @property {string | null} cursor of the next page
 * @property {string | null} epoch
 * @property {string} serverTime
 * @property {number} received
 * @property {number | null} [total] how many QSOs the whole log had when it began, where known
 * @property {boolean} deletionsKnown
 * @property {boolean} isRestored whether the log was restored from a backup since the last one
 * @property {string[]} gone what such a log told to be deleted
 */
/**
 * @typedef {object} State
 * @property {"sync"} key
 * @property {string} run of the pass that began last
 * @property {string | null} epoch
 * @property {string | null} since serverTime of the last download; null: there was none yet
 * @property {boolean} deletionsKnown
 * @property {string | null} etag of the ids
 * @property {number} round counts whole downloads
 * @property {number} order counts what was written
 * @property {number | null} skewMs the service's clock minus the device's
 * @property {Download | null} download
 * @property {string} [againUntil] so long after the log was restored, what is sent has that mark
 * @property {{after: string, gone: string[], isComplete: boolean} | null} sweep of copies that a
 *   whole download did not bring; isComplete: there was a whole copy before
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
