// Keeps a log in a browser's own database (IndexedDB), for pages that write. The contract of a
// storage is in qsosync-types.d.ts.

/** @import { Records, Store } from "./qsosync-types.js" */

/** @type {Store[]} */
const STORES = ["state", "qsos", "outbox"];

/**
 * @template Result
 * @param {IDBRequest<Result>} request
 * @returns {Promise<Result>}
 */
function answerOf(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * @param {IDBTransaction} transaction
 * @returns {Records}
 */
function recordsOf(transaction) {
  return {
    get: (store, key) => answerOf(transaction.objectStore(store).get(key)),
    put: (store, record) => answerOf(transaction.objectStore(store).put(record)),
    remove: (store, key) => answerOf(transaction.objectStore(store).delete(key)),
    after: (store, key, most) => {
      const count = most < 2 ** 32 ? most : undefined;
      return answerOf(
        transaction.objectStore(store).getAll(IDBKeyRange.lowerBound(key, true), count),
      );
    },
  };
}

/** A storage in the database of this name. */
export class IndexedDbStorage {
  /** @param {IDBDatabase} database */
  constructor(database) {
    this.database = database;
  }

  /**
   * Opens or creates the database.
   * @param {string} name
   */
  static async open(name) {
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => {
      for (const store of STORES) opening.result.createObjectStore(store, { keyPath: "key" });
    };
    const database = await answerOf(opening);
    database.onversionchange = () => database.close();
    return new IndexedDbStorage(database);
  }

  /**
   * @template Result
   * @param {(records: Records) => Promise<Result>} work
   * @param {"strict" | "relaxed"} [durability]
   * @returns {Promise<Result>}
   */
  async change(work, durability = "strict") {
    const transaction = this.database.transaction(STORES, "readwrite", { durability });
    const ended = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error ?? new Error("nothing was stored"));
    });
    ended.catch(() => {}); // if the work fails, its error is thrown
    try {
      const result = await work(recordsOf(transaction));
      await ended;
      return result;
    } catch (error) {
      try {
        transaction.abort();
      } catch {
        /* the transaction has already ended */
      }
      throw error;
    }
  }
}
