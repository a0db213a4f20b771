// Keeps a log in memory, for tests and for pages without IndexedDB, and reads the state of a log
// from any storage. The contract of a storage is in qsosync-types.d.ts.

/** @import { Records, State, Store } from "./qsosync-types.js" */

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
