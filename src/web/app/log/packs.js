// Stores QSOs in packs: a first download stores each page of QSOs as one record. A browser stores a
// record with a hundred QSOs nearly as quickly as a record with one QSO. Afterwards, each QSO is
// moved to its own record, which is in the indexes (storage.js). Until then, queries combine the
// records in the indexes with the packs, which are also in memory. Each pack is sorted separately,
// because sorting one pack is quick and sorting a whole log is not. A QSO is in a pack or has its
// own record, never both.
import { answerOf } from "../../shared/app-database.js";

/** @typedef {{key: string, qso: any, [field: string]: any}} Stored a record of a QSO */
/** @typedef {[sortedBy: string, record: Stored]} Place */

/**
 * Converts a key of an index to a text that sorts like the key.
 * @param {any} key
 */
function textOf(key) {
  return Array.isArray(key) ? key.join("\0") : String(key);
}
/**
 * Compares two places in the order of an index. Records with equal values are in the order of their
 * keys.
 * @param {Place} a
 * @param {Place} b
 */
function compare([a, { key: first }], [b, { key: second }]) {
  if (a !== b) return a < b ? -1 : 1;
  return first < second ? -1 : Number(first > second);
}
/**
 * Returns the number of places before a text, or up to and including the text if isAfter is true.
 * @param {Place[]} places
 * @param {string} text
 * @param {boolean} isAfter
 */
function placeOf(places, text, isAfter) {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [other] = places[middle];
    if (other < text || (isAfter && other === text)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class Packs {
  /**
   * @param {Record<string, string | string[]>} indexes by name: the fields of a record by which the
   *   index sorts
   */
  constructor(indexes) {
    /** @type {Record<string, string | string[]>} */
    this.indexes = { ...indexes, key: "key" };
    /** @type {Map<number, Stored[]>} by the number of the pack */
    this.packs = new Map();
    /** @type {Map<string, number>} the number of a QSO's pack */
    this.numbers = new Map();
    /** @type {Map<string, Place[]>} by the number of the pack and the name of an index */
    this.sorted = new Map();
  }
  /** Drops the packs from memory, for example after a change that was not stored. */
  forget() {
    for (const known of [this.packs, this.numbers, this.sorted]) known.clear();
  }
  get size() {
    return this.numbers.size;
  }

  /**
   * Reads new packs into memory, and drops removed packs from memory. The database uses each number
   * only once, and a pack never changes.
   * @param {IDBObjectStore} store
   */
  async follow(store) {
    const numbers = /** @type {number[]} */ (await answerOf(store.getAllKeys()));
    const are = new Set(numbers);
    for (const number of this.packs.keys()) if (!are.has(number)) this.#drop(number);
    for (const number of numbers)
      if (!this.packs.has(number)) this.#note(number, await answerOf(store.get(number)));
  }
  /**
   * @param {IDBObjectStore} store
   * @param {Stored[]} records of QSOs that have neither their own record nor another pack
   */
  async add(store, records) {
    this.#note(Number(await answerOf(store.put(records))), records);
  }
  /**
   * Removes QSOs from their packs. The caller stores the QSOs in their own records, unless the QSOs
   * are deleted.
   * @param {IDBObjectStore} store
   * @param {Iterable<string>} keys keys that are not in a pack are ignored
   */
  async remove(store, keys) {
    const gone = new Set([...keys].filter((key) => this.numbers.has(key)));
    for (const number of new Set([...gone].map((key) => this.numbers.get(key) ?? 0))) {
      const rest = this.packs.get(number)?.filter(({ key }) => !gone.has(key)) ?? [];
      store.delete(number);
      this.#drop(number);
      if (rest.length) await this.add(store, rest);
    }
  }
  /**
   * @param {number} number
   * @param {Stored[]} records
   */
  #note(number, records) {
    this.packs.set(number, records);
    for (const { key } of records) this.numbers.set(key, number);
  }
  /** @param {number} number */
  #drop(number) {
    for (const { key } of this.packs.get(number) ?? [])
      if (this.numbers.get(key) === number) this.numbers.delete(key);
    this.packs.delete(number);
    for (const index of Object.keys(this.indexes)) this.sorted.delete(`${number} ${index}`);
  }

  /**
   * Returns at most `most` records from the first pack in memory; empty if there are no packs.
   * @param {number} most
   */
  some(most) {
    const [records = []] = this.packs.values();
    return records.slice(0, most);
  }
  /** @param {string} key */
  get(key) {
    const number = this.numbers.get(key);
    return number === undefined
      ? undefined
      : this.packs.get(number)?.find((one) => one.key === key);
  }
  /**
   * Returns the key of a record in an index; null: the index lacks the record.
   * @param {string} index
   * @param {Stored} record
   */
  #keyIn(index, record) {
    /** @type {(field: string) => any} */
    const read = (field) => (field.startsWith("qso.") ? record.qso[field.slice(4)] : record[field]);
    const keys = [this.indexes[index]].flat().map(read);
    return keys.some((key) => key === undefined || key === null) ? null : textOf(keys);
  }
  /**
   * @param {number} number of a pack
   * @param {string} index
   * @returns {Place[]} in the order of the index
   */
  #placesIn(number, index) {
    const name = `${number} ${index}`;
    let places = this.sorted.get(name);
    if (places) return places;
    places = [];
    for (const record of this.packs.get(number) ?? []) {
      const key = this.#keyIn(index, record);
      if (key !== null) places.push([key, record]);
    }
    places.sort(compare);
    this.sorted.set(name, places);
    return places;
  }
  /**
   * Returns the places in a range of an index: the first places in order, or the last places in
   * reverse order.
   * @param {string} index
   * @param {IDBKeyRange | null} range null: the whole index
   * @param {number} [most]
   * @param {boolean} [isFromEnd]
   */
  #in(index, range, most = Infinity, isFromEnd = false) {
    const { lower, upper, lowerOpen, upperOpen } = range ?? /** @type {any} */ ({});
    /** @type {(one?: Place, other?: Place) => boolean} */
    const isBefore = (one, other) =>
      one !== undefined && (other === undefined || compare(one, other) > 0 === isFromEnd);
    const runs = [...this.packs.keys()].map((number) => {
      const places = this.#placesIn(number, index);
      const from = lower === undefined ? 0 : placeOf(places, textOf(lower), lowerOpen);
      const to = upper === undefined ? places.length : placeOf(places, textOf(upper), !upperOpen);
      return isFromEnd
        ? places.slice(Math.max(from, to - most), to)
        : places.slice(from, Math.min(from + most, to)).reverse();
    });
    /** @type {Place[]} */
    const found = [];
    while (found.length < most) {
      let [next] = runs;
      for (const run of runs) if (isBefore(run.at(-1), next.at(-1))) next = run;
      const place = next?.pop();
      if (!place) break;
      found.push(place);
    }
    return found;
  }
  /**
   * Merges the QSOs in packs into records from the index, in the index's order.
   * @param {Stored[]} records from the same range of the index, at most `most`
   * @param {string} index
   * @param {IDBKeyRange | null} range
   * @param {number} [most]
   */
  merge(records, index, range, most) {
    if (!this.size) return records;
    /** @type {(record: Stored) => Place} */
    const place = (record) => [this.#keyIn(index, record) ?? "", record];
    return [...records.map(place), ...this.#in(index, range, most)]
      .sort(compare)
      .slice(0, most)
      .map(([, record]) => record);
  }
  /**
   * Returns the key of the packed QSO at place `most` from the end of an index's range, as a text;
   * null: the range contains fewer packed QSOs.
   * @param {string} index
   * @param {IDBKeyRange} range
   * @param {number} most at least 1
   */
  keyFromEnd(index, range, most) {
    return this.#in(index, range, most, true)[most - 1]?.[0] ?? null;
  }
}
