// The log in the browser's own database: what qsosync-storage.js asks of a storage, and indexes for
// the questions of the list and the form (search.js). A record of a QSO has fields for these beside
// what the engine keeps in it.
import { compact } from "./callsigns.js";

/** @typedef {import("./qsosync.js").Qso} Qso */
/** @typedef {import("./qsosync-storage.js").Records} Records */
/** @typedef {import("./qsosync-storage.js").Store} Store */

const NAME = "qsosync-app";
const VERSION = 4;
/** @type {Store[]} */
const STORES = ["state", "qsos", "outbox"];
// Each by the fields of a record that it is sorted by; a QSO without one of them is not in it.
/** @type {Record<string, string | string[]>} */
const INDEXES = {
  at: "at",
  call: "call",
  "call confirmed": ["call", "qso.crossConfirmedAt"],
  "band call": ["qso.band", "call"],
  "band mode call": ["qso.band", "qso.mode", "call"],
  confirmed: "confirmed",
  spotted: "spotted",
  channel: "qso.channel", // of PMR446 alone
  locator: "qso.dxLocator",
  "locator confirmed": ["qso.dxLocator", "qso.crossConfirmedAt"],
};

/**
 * @template Result
 * @param {IDBRequest<Result>} request
 * @returns {Promise<Result>}
 */
export function answerOf(request) {
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
  opening.onupgradeneeded = (event) => {
    if (event.oldVersion === 0)
      for (const store of [...STORES, "settings"])
        opening.result.createObjectStore(store, { keyPath: "key" });
    const qsos = opening.transaction?.objectStore("qsos");
    for (const [name, fields] of Object.entries(INDEXES))
      if (!qsos?.indexNames.contains(name)) qsos?.createIndex(name, fields);
  };
  return answerOf(opening);
}

/**
 * Resolves once a transaction is kept.
 * @param {IDBTransaction} transaction
 * @returns {Promise<void>}
 */
function endOf(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("not kept"));
  });
}

/**
 * Nothing follows in this transaction: it need not wait until the page has heard of all requests.
 * @param {IDBTransaction} transaction
 */
function commit(transaction) {
  try {
    transaction.commit();
  } catch {
    /* it has ended */
  }
}

export class BrowserStorage {
  /** @param {IDBDatabase} database */
  constructor(database) {
    /** What the page does when a newer version of the app wants to change the database. */
    this.onOutdated = () => {};
    /** And when the browser has closed it, as where somebody cleared this site's data. */
    this.onReopened = () => {};
    this.database = this.#use(database);
  }
  static async open() {
    return new BrowserStorage(await openDatabase());
  }

  /** @param {IDBDatabase} database */
  #use(database) {
    database.onversionchange = ({ newVersion }) => {
      database.close();
      if (newVersion === null) this.#openAgain().catch(() => {});
      else this.onOutdated();
    };
    database.onclose = () => this.#openAgain().catch(() => {});
    return database;
  }
  async #openAgain() {
    const closed = this.database;
    closed.close();
    const database = await openDatabase();
    if (this.database !== closed) return database.close();
    this.database = this.#use(database);
    this.onReopened();
  }

  /**
   * @template Result
   * @param {(records: Records) => Promise<Result>} work
   * @param {"strict" | "relaxed"} [durability]
   * @returns {Promise<Result>}
   */
  async change(work, durability = "strict") {
    try {
      return await this.#changeOnce(work, durability);
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "InvalidStateError")) throw error;
      // Firefox: the first change after one that did not fit throws this, and the next one works.
      // In any browser: it has closed the database.
      if (!this.#isOpen()) await this.#openAgain();
      return this.#changeOnce(work, durability);
    }
  }
  #isOpen() {
    try {
      this.store("settings");
      return true;
    } catch {
      return false;
    }
  }

  /**
   * @template Result
   * @param {(records: Records) => Promise<Result>} work
   * @param {"strict" | "relaxed"} durability
   * @returns {Promise<Result>}
   */
  async #changeOnce(work, durability) {
    const transaction = this.database.transaction(STORES, "readwrite", { durability });
    const done = endOf(transaction);
    done.catch(() => {}); // the work itself may fail first
    /** @type {(store: Store) => IDBObjectStore} */
    const open = (store) => transaction.objectStore(store);
    try {
      const result = await work({
        get: (store, key) => answerOf(open(store).get(key)),
        // Nobody waits for each: what fails aborts the transaction.
        put: async (store, record) =>
          void open(store).put(store === "qsos" ? withIndexes(record) : record),
        remove: async (store, key) => void open(store).delete(key),
        after: (store, key, most) =>
          answerOf(
            open(store).getAll(
              IDBKeyRange.lowerBound(key, true),
              most < 2 ** 32 ? most : undefined,
            ),
          ),
      });
      commit(transaction);
      await done;
      return result;
    } catch (error) {
      try {
        transaction.abort();
      } catch {
        /* it has ended */
      }
      throw transaction.error ?? error; // what it did not keep, where that is why it has ended
    }
  }

  // -- questions ----------------------------------------------------------------------------------

  /**
   * @param {string} store
   * @param {IDBTransactionMode} [mode]
   */
  store(store, mode = "readonly") {
    return this.database.transaction(store, mode).objectStore(store);
  }

  /** @param {string} key */
  async setting(key) {
    return (await answerOf(this.store("settings").get(key)))?.value ?? null;
  }
  /**
   * @param {string} key
   * @param {any} value
   */
  async set(key, value) {
    const settings = this.store("settings", "readwrite");
    settings.put({ key, value });
    await endOf(settings.transaction);
  }

  /**
   * @param {string} key
   * @returns {Promise<Qso | null>}
   */
  async qso(key) {
    return (await answerOf(this.store("qsos").get(key)))?.qso ?? null;
  }
  /**
   * How the log and the service stand.
   * @returns {Promise<import("./qsosync-storage.js").State | undefined>}
   */
  async state() {
    return answerOf(this.store("state").get("sync"));
  }
  /** @returns {Promise<number>} */
  count() {
    return answerOf(this.store("qsos").count());
  }
  /** Everything of this log, but not the settings. */
  async clear() {
    const transaction = this.database.transaction(STORES, "readwrite");
    for (const store of STORES) transaction.objectStore(store).clear();
    await endOf(transaction);
  }
}
