// Moves records that could describe the same QSO into one slice, because the service decides about
// these records together. The service returns keys for each record: records with a common key
// belong together, wherever they are in the file.
import { fillSlice, isRecord } from "./adif-slices.js";

const RECORDS_MAX = 2000; // a slice with this many pieces receives no further records

/** @import { AdifSlice as Slice } from "../types.js" */
/**
 * A record's number in its slice, starting at 1, and a key that the service returned for the
 * record.
 * @typedef {[number, string]} Key
 */

/** Sets of keys. A record with several keys joins the sets of these keys. */
class Groups {
  constructor() {
    /** @type {Map<string, string>} */
    this.parents = new Map();
  }

  /**
   * Returns the key that represents the set of a key.
   * @param {string} key
   */
  find(key) {
    let root = key;
    for (let next = this.parents.get(root); next !== undefined; next = this.parents.get(root))
      root = next;
    if (key !== root) this.parents.set(key, root);
    return root;
  }

  /**
   * @param {string} one
   * @param {string} other
   */
  join(one, other) {
    const [a, b] = [this.find(one), this.find(other)];
    if (a !== b) this.parents.set(b, a);
  }
}

/**
 * Returns the keys of each record in a slice.
 * @param {Key[]} list
 */
function keysByRecord(list) {
  /** @type {Map<number, string[]>} */
  const keys = new Map();
  for (const [record, key] of list) keys.set(record, [...(keys.get(record) ?? []), key]);
  return keys;
}

/**
 * Moves each record into the first slice that has a record from the same set. Returns the changed
 * slices.
 * @param {Slice[]} slices
 * @param {Key[][]} keys for each slice
 * @returns {Set<Slice>}
 */
export function gather(slices, keys) {
  const groups = new Groups();
  const known = keys.map(keysByRecord);
  for (const map of known)
    for (const [first, ...others] of map.values())
      for (const key of others) groups.join(first, key);
  /** @type {Map<string, Slice>} */
  const homes = new Map();
  /** @type {Set<Slice>} */
  const changed = new Set();
  slices.forEach((slice, index) => {
    let number = 0;
    for (const piece of [...slice.pieces]) {
      if (!isRecord(piece)) continue;
      const [key] = known[index].get(++number) ?? [];
      if (key === undefined) continue;
      const root = groups.find(key);
      const home = homes.get(root) ?? slice;
      homes.set(root, home);
      if (home === slice || home.pieces.length >= RECORDS_MAX) continue;
      slice.pieces.splice(slice.pieces.indexOf(piece), 1);
      home.pieces.push(piece);
      changed.add(slice).add(home);
    }
  });
  for (const slice of changed) {
    slice.pieces.sort((a, b) => a.place - b.place);
    fillSlice(slice);
  }
  return changed;
}
