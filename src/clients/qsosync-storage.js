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
  /** @type {Record<Store, Map<string, any>>} */
  stores = { state: new Map(), qsos: new Map(), outbox: new Map() };
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();

  /**
   * @template Result
   * @param {(records: Records) => Promise<Result>} work
   * @param {"strict" | "relaxed"} [durability]
   * @returns {Promise<Result>}
   */
  change(work, durability = "strict") {
    const result = this.#last.then(() => this.#work(work, durability));
    this.#last = result.catch(() => {});
    return result;
  }

  /**
   * Writes a finished change to the disk, if the storage has a disk. An error undoes the change.
   * @param {[Store, string][]} changed the records that were stored or removed
   * @param {"strict" | "relaxed"} durability
   */
  keep(changed, durability) {
    void [changed, durability];
  }

  /**
   * @template Result
   * @param {(records: Records) => Promise<Result>} work
   * @param {"strict" | "relaxed"} durability
   */
  async #work(work, durability) {
    const { stores } = this;
    /** @type {[Store, string, any][]} */
    const before = [];
    /** @type {(store: Store, key: string) => void} */
    const note = (store, key) => {
      before.push([store, key, stores[store].get(key)]);
    };
    try {
      const result = await work({
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
      this.keep(
        before.map(([store, key]) => [store, key]),
        durability,
      );
      return result;
    } catch (error) {
      for (const [store, key, value] of before.reverse())
        if (value === undefined) stores[store].delete(key);
        else stores[store].set(key, value);
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
