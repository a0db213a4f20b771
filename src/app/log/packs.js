// Packs: a first download stores a page of QSOs as one record, because a browser takes as long for
// a record with one QSO as for a record with a hundred. Afterwards each QSO gets a record of its
// own, which the indexes know (storage.js); until then questions are answered from both, of packs
// in memory, each of which is sorted on its own: while packs come and go, one is soon sorted, where
// a whole log is not. A QSO is in a pack or has its own record, never both.

/** @typedef {{key: string, qso: any, [field: string]: any}} Stored a record of a QSO */
/** @typedef {[sortedBy: string, record: Stored]} Place */

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

/**
 * A key of an index as a text that is sorted as the key is.
 * @param {any} key
 */
function textOf(key) {
  return Array.isArray(key) ? key.join("\0") : String(key);
}
/**
 * As an index sorts: what is equal in it by the keys of the records.
 * @param {Place} a
 * @param {Place} b
 */
function compare([a, { key: first }], [b, { key: second }]) {
  if (a !== b) return a < b ? -1 : 1;
  return first < second ? -1 : Number(first > second);
}
/**
 * The number of places before a text, or before what is after it.
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
  /** @param {Record<string, string | string[]>} indexes the fields of a record that they sort by */
  constructor(indexes) {
    /** @type {Record<string, string | string[]>} */
    this.indexes = { ...indexes, key: "key" };
    /** @type {Map<number, Stored[]>} by the number of the pack */
    this.packs = new Map();
    /** @type {Map<string, number>} the number of the pack of a QSO */
    this.numbers = new Map();
    /** @type {Map<string, Place[]>} by the number of the pack and the name of an index */
    this.sorted = new Map();
  }
  /** Nothing is known of them any more, such as after a change that was not kept. */
  forget() {
    for (const known of [this.packs, this.numbers, this.sorted]) known.clear();
  }
  get size() {
    return this.numbers.size;
  }

  // -- in a transaction ---------------------------------------------------------------------------

  /**
   * Knows them as the transaction does. Numbers are used once, and what is in a pack never changes.
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
   * @param {Stored[]} records that have none of their own, and are in no other pack
   */
  async add(store, records) {
    this.#note(Number(await answerOf(store.put(records))), records);
  }
  /**
   * Takes QSOs out, which get other records, or none.
   * @param {IDBObjectStore} store
   * @param {Iterable<string>} keys some are in no pack
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

  // -- questions ----------------------------------------------------------------------------------

  /**
   * Some of them, of the oldest pack.
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
   * The key of a record in an index; null: it stands in none.
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
   * Those of a part of an index, in its order or from its end.
   * @param {string} index
   * @param {IDBKeyRange | null} range null: all
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
   * Puts what packs have between the records that the index has.
   * @param {Stored[]} records of the same part of the index, at most as many
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
   * The key of the last but so many of a part of an index; null: there are not so many.
   * @param {string} index
   * @param {IDBKeyRange} range
   * @param {number} most at least 1
   */
  keyFromEnd(index, range, most) {
    return this.#in(index, range, most, true)[most - 1]?.[0] ?? null;
  }
}
