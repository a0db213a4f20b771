// The log in the browser's own database: what qsosync-storage.js asks of a storage, and the
// questions of the list and the form, answered by indexes. A record of a QSO has fields for these
// beside what the engine keeps in it.
import { compact } from "./callsigns.js";

/** @typedef {import("./qsosync.js").Qso} Qso */
/** @typedef {import("./qsosync-storage.js").Records} Records */
/** @typedef {import("./qsosync-storage.js").Store} Store */
/** @typedef {"at" | "call" | "confirmed" | "spotted"} Index */

const NAME = "qsosync-app";
const VERSION = 1;
/** @type {Store[]} */
const STORES = ["state", "qsos", "outbox"];
/** @type {Index[]} */
const INDEXES = ["at", "call", "confirmed", "spotted"];
const ROWS_AT_ONCE = 200;

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

/** What the indexes know of a QSO; what is null stands in no index.
 * @param {any} record
 */
function withIndexes(record) {
  /** @type {Qso} */
  const qso = record.qso;
  const call = compact(qso.callsignWorked);
  return {
    ...record,
    at: qso.qsoAt,
    ...(call && { call }),
    ...(qso.crossConfirmedAt && { confirmed: qso.qsoAt }),
    ...(qso.spottedAt && { spotted: qso.qsoAt }),
  };
}

/** @returns {Promise<IDBDatabase>} */
function openDatabase() {
  const opening = indexedDB.open(NAME, VERSION);
  opening.onupgradeneeded = () => {
    for (const store of [...STORES, "settings"])
      opening.result.createObjectStore(store, { keyPath: "key" });
    const qsos = opening.transaction?.objectStore("qsos");
    for (const index of INDEXES) qsos?.createIndex(index, index);
  };
  return answerOf(opening);
}

export class BrowserStorage {
  /** @param {IDBDatabase} database */
  constructor(database) {
    this.database = database;
    // A newer version of the app in another tab, or somebody who clears this site's data.
    database.onversionchange = () => database.close();
  }
  static async open() {
    return new BrowserStorage(await openDatabase());
  }

  /**
   * @template Result
   * @param {(records: Records) => Promise<Result>} work
   * @returns {Promise<Result>}
   */
  async change(work) {
    try {
      return await this.#changeOnce(work);
    } catch (error) {
      // Firefox: the first change after one that did not fit throws this, and the next one works.
      if (!(error instanceof DOMException && error.name === "InvalidStateError")) throw error;
      return this.#changeOnce(work);
    }
  }

  /**
   * @template Result
   * @param {(records: Records) => Promise<Result>} work
   * @returns {Promise<Result>}
   */
  async #changeOnce(work) {
    const transaction = this.database.transaction(STORES, "readwrite", { durability: "strict" });
    /** @type {Promise<void>} */
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error("not kept"));
    });
    done.catch(() => {}); // the work itself may fail first
    /** @type {(store: Store) => IDBObjectStore} */
    const open = (store) => transaction.objectStore(store);
    try {
      const result = await work({
        get: (store, key) => answerOf(open(store).get(key)),
        put: (store, record) =>
          answerOf(open(store).put(store === "qsos" ? withIndexes(record) : record)),
        remove: (store, key) => answerOf(open(store).delete(key)),
        after: (store, key, most) =>
          answerOf(
            open(store).getAll(
              IDBKeyRange.lowerBound(key, true),
              most < 2 ** 32 ? most : undefined,
            ),
          ),
      });
      await done;
      return result;
    } catch (error) {
      try {
        transaction.abort();
      } catch {
        /* it has ended */
      }
      throw error;
    }
  }

  // -- questions ----------------------------------------------------------------------------------

  /**
   * @param {string} store
   * @param {IDBTransactionMode} [mode]
   */
  #store(store, mode = "readonly") {
    return this.database.transaction(store, mode).objectStore(store);
  }

  /** @param {string} key */
  async setting(key) {
    return (await answerOf(this.#store("settings").get(key)))?.value ?? null;
  }
  /**
   * @param {string} key
   * @param {any} value
   */
  async set(key, value) {
    await answerOf(this.#store("settings", "readwrite").put({ key, value }));
  }

  /**
   * @param {string} key
   * @returns {Promise<Qso | null>}
   */
  async qso(key) {
    return (await answerOf(this.#store("qsos").get(key)))?.qso ?? null;
  }
  /** @returns {Promise<number>} */
  count() {
    return answerOf(this.#store("qsos").count());
  }
  /** Everything of this log, but not the settings. */
  async clear() {
    const transaction = this.database.transaction(STORES, "readwrite");
    await Promise.all(STORES.map((store) => answerOf(transaction.objectStore(store).clear())));
  }

  /**
   * Copies by one index, the highest first, until enough of them fit.
   * @param {Index} index
   * @param {IDBKeyRange | null} range
   * @param {number} most
   * @param {(qso: Qso) => boolean} fits
   * @returns {Promise<{key: string, qso: Qso}[]>}
   */
  async find(index, range, most, fits) {
    /** @type {{key: string, qso: Qso}[]} */
    const found = [];
    const request = this.#store("qsos").index(index).openCursor(range, "prev");
    return new Promise((resolve, reject) => {
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const cursor = request.result;
        if (cursor && fits(cursor.value.qso)) found.push(cursor.value);
        if (!cursor || found.length >= most) resolve(found);
        else cursor.continue();
      };
    });
  }

  /**
   * The newest QSOs that fit.
   * @param {number} most
   * @param {(qso: Qso) => boolean} fits
   * @param {{before?: string, day?: string, index?: Index}} [where]
   */
  newest(most, fits, { before = "\uffff", day = "", index = "at" } = {}) {
    const end = day && `${day}\uffff` < before ? `${day}\uffff` : before;
    return this.find(index, IDBKeyRange.bound(day, end, false, true), most, fits);
  }

  /**
   * QSOs with callsigns that begin so, the newest first.
   * @param {string} start compact
   * @param {number} most
   * @param {(qso: Qso) => boolean} [fits]
   */
  async withCallsign(start, most, fits = () => true) {
    const range = IDBKeyRange.bound(start, `${start}\uffff`);
    const records = await answerOf(this.#store("qsos").index("call").getAll(range, ROWS_AT_ONCE));
    // So many that the newest may not be among them: those are found sooner by their times.
    if (records.length === ROWS_AT_ONCE)
      return this.newest(most, (qso) => compact(qso.callsignWorked).startsWith(start) && fits(qso));
    return records
      .filter(({ qso }) => fits(qso))
      .sort((a, b) => (a.at < b.at ? 1 : -1))
      .slice(0, most);
  }

  /**
   * Whether there is a callsign with the number of that division.
   * @param {string} number
   */
  async hasDivision(number) {
    const range = IDBKeyRange.bound(`${number}A`, `${number}Z\uffff`);
    return (await answerOf(this.#store("qsos").index("call").getKey(range))) !== undefined;
  }
}
