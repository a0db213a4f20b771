// Stores the log in the browser's own database (IndexedDB), as qsosync-types.d.ts requires. Indexes
// serve the queries of the list and the form (search.js). A QSO's record has fields for these
// indexes in addition to the engine's fields. At first, the QSOs of a first download are in packs
// (packs.js).
import { compact } from "../../shared/words/callsigns.js";
import { NAME } from "../../shared/logs.js";
import { Packs } from "./packs.js";
import { answerOf } from "../../shared/app-database.js";

/** @import { LogQso as Qso, Records, Store, SyncState } from "../types.js" */

const VERSION = 5;
/** @type {Store[]} */
const STORES = ["state", "qsos", "outbox"];
const PACKS = "packs";
const PACKED_MIN = 100; // if fewer QSOs arrive together, they become separate records
const UNPACKED = 100; // QSOs unpacked in one step; a longer step would delay the member's writes
// The fields by which each index sorts records. An index does not contain QSOs that lack one of its
// fields.
/** @type {Record<string, string | string[]>} */
const INDEXES = {
  at: "at",
  call: "call",
  "call confirmed": ["call", "qso.crossConfirmedAt"],
  "band call": ["qso.band", "call"],
  "band mode call": ["qso.band", "qso.mode", "call"],
  confirmed: "confirmed",
  spotted: "spotted",
  channel: "qso.channel", // only for PMR446
  locator: "qso.dxLocator",
  "locator confirmed": ["qso.dxLocator", "qso.crossConfirmedAt"],
};

/**
 * Returns a record with the fields of the indexes. A field without a value is omitted, so the
 * field's index does not contain the record.
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

/**
 * @param {string} name
 * @returns {Promise<IDBDatabase>}
 */
function openDatabase(name) {
  const opening = indexedDB.open(name, VERSION);
  opening.onupgradeneeded = (event) => {
    if (event.oldVersion === 0)
      for (const store of [...STORES, "settings"])
        opening.result.createObjectStore(store, { keyPath: "key" });
    if (!opening.result.objectStoreNames.contains(PACKS))
      opening.result.createObjectStore(PACKS, { autoIncrement: true });
    const qsos = opening.transaction?.objectStore("qsos");
    for (const [name, fields] of Object.entries(INDEXES))
      if (!qsos?.indexNames.contains(name)) qsos?.createIndex(name, fields);
  };
  return answerOf(opening);
}

/**
 * Resolves once a transaction is stored; rejects if the transaction is aborted.
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
 * Commits a transaction without waiting until the page has received all results. The caller sends
 * no further requests.
 * @param {IDBTransaction} transaction
 */
function commit(transaction) {
  try {
    transaction.commit();
  } catch {
    /* the transaction has already ended */
  }
}

/**
 * Collects the QSOs that a transaction changes. The changes are written before QSOs are listed, and
 * at the end of the transaction.
 */
class ChangedQsos {
  /**
   * @param {IDBTransaction} transaction
   * @param {Packs} packs
   */
  constructor(transaction, packs) {
    this.packs = packs;
    this.qsos = transaction.objectStore("qsos");
    this.packed = transaction.objectStore(PACKS);
    /** @type {Map<string, any>} by key; null: removed */
    this.changed = new Map();
    /** @type {Promise<void> | undefined} */
    this.following = undefined;
  }
  /**
   * Reads the packs only once, because no other transaction can change packs until this transaction
   * ends.
   */
  #follow() {
    this.following ??= this.packs.follow(this.packed);
    return this.following;
  }
  /** @param {string} key */
  async get(key) {
    if (this.changed.has(key)) return this.changed.get(key) ?? undefined;
    const own = await answerOf(this.qsos.get(key));
    if (own) return own;
    await this.#follow();
    return this.packs.get(key);
  }
  /**
   * @param {string} key
   * @param {number} most
   */
  async after(key, most) {
    await this.write(false);
    await this.#follow();
    const range = IDBKeyRange.lowerBound(key, true);
    const records = await answerOf(this.qsos.getAll(range, countOf(most)));
    return this.packs.merge(records, "key", range, most);
  }
  /** @param {boolean} mayPack */
  async write(mayPack) {
    const { packs, changed } = this;
    if (!changed.size) return;
    await this.#follow();
    await packs.remove(this.packed, changed.keys());
    if (mayPack && changed.size >= PACKED_MIN && (await this.#isFirst()))
      await packs.add(this.packed, [...changed.values()]);
    else
      for (const [key, record] of changed)
        if (record) this.qsos.put(record);
        else this.qsos.delete(key);
    changed.clear();
  }
  /** Returns whether no QSO has its own record yet, and no QSO is being removed. */
  async #isFirst() {
    const isRemoval = [...this.changed.values()].includes(null);
    return !isRemoval && (await answerOf(this.qsos.getAllKeys(null, 1))).length === 0;
  }
}

/** @param {number} most */
const countOf = (most) => (most < 2 ** 32 ? most : undefined);

/**
 * @param {IDBTransaction} transaction
 * @param {ChangedQsos} qsos
 * @returns {Records}
 */
function recordsOf(transaction, qsos) {
  /** @type {(store: Store) => IDBObjectStore} */
  const open = (store) => transaction.objectStore(store);
  return {
    get: (store, key) => (store === "qsos" ? qsos.get(key) : answerOf(open(store).get(key))),
    // Writes are not awaited, because a failed write aborts the transaction anyway.
    put: async (store, record) => {
      if (store === "qsos") qsos.changed.set(record.key, withIndexes(record));
      else open(store).put(record);
    },
    remove: async (store, key) => {
      if (store === "qsos") qsos.changed.set(key, null);
      else open(store).delete(key);
    },
    after: (store, key, most) =>
      store === "qsos"
        ? qsos.after(key, most)
        : answerOf(open(store).getAll(IDBKeyRange.lowerBound(key, true), countOf(most))),
  };
}

export class BrowserStorage {
  #packs = new Packs(INDEXES);

  /** @param {IDBDatabase} database */
  constructor(database) {
    /** Called when a newer version of the app needs to change the database. */
    this.onOutdated = () => {};
    /**
     * Called after the database was opened again because the browser had closed it, for example
     * when somebody cleared this site's data.
     */
    this.onReopened = () => {};
    this.database = this.#use(database);
  }
  /** @param {string} name of a log's database; by default the open log's database */
  static async open(name = NAME) {
    return new BrowserStorage(await openDatabase(name));
  }

  /** @param {IDBDatabase} database */
  #use(database) {
    database.onversionchange = ({ newVersion }) => {
      database.close();
      if (newVersion === null) this.#openAgain().catch(() => {});
      else this.onOutdated();
    };
    database.onclose = () => this.#openAgain().catch(() => {});
    this.#packs.forget(); // another database can use the same numbers for its packs
    return database;
  }
  async #openAgain() {
    const closed = this.database;
    closed.close();
    const database = await openDatabase(closed.name);
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
      // In Firefox, the first change after a change that exceeded the storage limit throws this
      // error, and the next change succeeds. In any browser, the error can also mean that the
      // browser has closed the database.
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
    const transaction = this.database.transaction([...STORES, PACKS], "readwrite", { durability });
    return this.#finish(transaction, async () => {
      const qsos = new ChangedQsos(transaction, this.#packs);
      const result = await work(recordsOf(transaction, qsos));
      await qsos.write(durability === "relaxed");
      return result;
    });
  }
  /**
   * Stores all changes that `work` makes or, if `work` fails, none of these changes.
   * @template Result
   * @param {IDBTransaction} transaction
   * @param {() => Promise<Result>} work
   * @returns {Promise<Result>}
   */
  async #finish(transaction, work) {
    const done = endOf(transaction);
    done.catch(() => {}); // if the work fails, nothing awaits this promise
    try {
      const result = await work();
      commit(transaction);
      await done;
      return result;
    } catch (error) {
      this.#packs.forget();
      try {
        transaction.abort();
      } catch {
        /* the transaction has ended */
      }
      throw transaction.error ?? error; // if the transaction was aborted, its error is the cause
    }
  }

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
  /** @param {Record<string, any>} values by key */
  async set(values) {
    const settings = this.store("settings", "readwrite");
    for (const [key, value] of Object.entries(values)) settings.put({ key, value });
    await endOf(settings.transaction);
  }

  /**
   * Queries all QSOs in one transaction: QSOs with their own records, and QSOs in packs.
   * @template Result
   * @param {(qsos: IDBObjectStore, packs: Packs) => Promise<Result>} ask awaits only requests to
   *   its arguments, because the transaction ends during any other wait
   * @returns {Promise<Result>}
   */
  async ask(ask) {
    const transaction = this.database.transaction(["qsos", PACKS]);
    await this.#packs.follow(transaction.objectStore(PACKS));
    return ask(transaction.objectStore("qsos"), this.#packs);
  }
  /**
   * Returns records of QSOs in the order of an index, or of their keys.
   * @param {string} index "key" or one of INDEXES
   * @param {IDBKeyRange | null} range
   * @param {number} [most]
   * @returns {Promise<any[]>}
   */
  async qsos(index, range, most) {
    return this.ask(async (qsos, packs) => {
      const source = index === "key" ? qsos : qsos.index(index);
      return packs.merge(await answerOf(source.getAll(range, most)), index, range, most);
    });
  }
  /**
   * @param {string} key
   * @returns {Promise<Qso | null>}
   */
  async qso(key) {
    const [record] = await this.qsos("key", IDBKeyRange.only(key), 1);
    return record?.qso ?? null;
  }
  /**
   * Returns the state of the log's synchronisation.
   * @returns {Promise<SyncState | undefined>}
   */
  async state() {
    return answerOf(this.store("state").get("sync"));
  }
  /** @returns {Promise<number>} */
  count() {
    return this.ask(async (qsos, packs) => (await answerOf(qsos.count())) + packs.size);
  }
  /** Removes all data about this log except the settings. */
  async clear() {
    const transaction = this.database.transaction([...STORES, PACKS], "readwrite");
    for (const store of [...STORES, PACKS]) transaction.objectStore(store).clear();
    await endOf(transaction);
  }
  /** Moves some QSOs from a pack to their own records. Resolves to false if there was no pack. */
  async unpack() {
    const transaction = this.database.transaction(["qsos", PACKS], "readwrite", {
      durability: "relaxed",
    });
    return this.#finish(transaction, async () => {
      const [qsos, packs] = [transaction.objectStore("qsos"), transaction.objectStore(PACKS)];
      await this.#packs.follow(packs);
      const some = this.#packs.some(UNPACKED);
      for (const record of some) qsos.put(record);
      await this.#packs.remove(
        packs,
        some.map(({ key }) => key),
      );
      return some.length > 0;
    });
  }
}
