// Searches the QSOs on this device, newest first. The work per step is bounded, however long the
// log is. An index is used if it has few matches; otherwise QSOs are read by time, in steps.
import { compact, numberOf } from "../../shared/words/callsigns.js";
import { hasWords, readWords } from "./search-words.js";
import { answerOf } from "../../shared/app-database.js";
import { locatorOf } from "../../shared/awards/award-rules.js";
import { distanceKm, parseLocator } from "../../shared/map/geography.js";

/** @import { BrowserStorage, LogQso as Qso, Place, Query } from "../types.js" */
/** @import { Words } from "./search-words.js" */
/** @typedef {{key: string, qso: Qso}} Found */
/**
 * @typedef {object} Sought the criteria of a search; empty: every QSO
 * @property {string} [call] beginning of a callsign, compact
 * @property {Words} [words]
 * @property {string} [day] day, month or year
 * @property {string[]} [years]
 * @property {string[]} [bands]
 * @property {string[]} [modes] none: without a mode
 * @property {number[]} [divisions]
 * @property {string} [square] beginning of the station's locator, in upper case
 * @property {boolean} [confirmed]
 * @property {boolean} [qslSent]
 * @property {boolean} [qslReceived]
 * @property {boolean} [isSpotted]
 * @property {string} [station] own callsign in an activation, compact
 * @property {string} [from] ISO time
 * @property {string} [to] ISO time, exclusive
 */

// If an index has at least this many matches, reading by time is quicker. In a log of 100,000 QSOs,
// this is at least one in a hundred QSOs.
const FEW = 1000;
const AT_ONCE = 100;
const MOST_AT_ONCE = 800;
/**
 * A character that sorts after every other character: the upper end of texts with a common
 * beginning.
 */
export const LAST = "\uffff";

/**
 * @param {string | undefined} text
 * @returns {boolean | undefined}
 */
const yesOrNo = (text) => (text ? text === "yes" : undefined);
/** @type {(texts: (string | undefined)[]) => string[]} */
const known = (texts) => texts.flatMap((text) => text || []);
/** @type {(text: string | undefined) => string[]} */
const several = (text) => (text ? text.split(",") : []);

/**
 * Returns the criteria of a filter.
 * @param {Query} wish
 * @returns {Sought}
 */
export function soughtOf(wish) {
  const words = readWords(wish.get("text") ?? "");
  const years = several(wish.get("year")).sort();
  const [from = ""] = known([wish.get("from"), years[0]])
    .sort()
    .reverse();
  const [to = ""] = known([wish.get("to"), years.at(-1)])
    .map((text) => text + LAST)
    .sort();
  return {
    words,
    day: words.day,
    from,
    ...(to && { to }),
    years,
    bands: several(wish.get("band")),
    modes: several(wish.get("mode")),
    call: compact(wish.get("callsign")),
    square: (wish.get("square") ?? "").toUpperCase(),
    divisions: several(wish.get("division")).map(Number),
    confirmed: yesOrNo(wish.get("confirmed")),
    qslSent: yesOrNo(wish.get("qslSent")),
    qslReceived: yesOrNo(wish.get("qslReceived")),
    isSpotted: wish.get("state") === "spotted",
  };
}
/**
 * Returns the exact place of a QSO's station. The coordinates 0, 0 do not count, because programs
 * without coordinates send them.
 * @param {Record<string, any>} qso
 * @returns {Place | null}
 */
export function exactPlace({ dxLat: lat, dxLng: lng }) {
  return typeof lat === "number" && typeof lng === "number" && (lat || lng) ? { lat, lng } : null;
}
/**
 * Returns the place of a QSO's station; null if unknown.
 * @param {Record<string, any>} qso
 */
export const placeOfStation = (qso) => exactPlace(qso) ?? parseLocator(qso.dxLocator ?? "");
/**
 * Returns the locator of a QSO's station, in upper case; empty if unknown.
 * @param {Record<string, any>} qso
 */
export function locatorOfStation(qso) {
  const place = exactPlace(qso);
  return (qso.dxLocator ?? (place ? locatorOf(place.lat, place.lng) : "")).toUpperCase();
}
/**
 * Returns the distance to the station, in km; null if unknown.
 * @param {Record<string, any>} qso
 * @param {string} home the member's locator
 */
export function kmOf(qso, home) {
  const from = parseLocator(String(qso.myLocator ?? "")) ?? parseLocator(home);
  const to = placeOfStation(qso);
  return from && to ? distanceKm(from, to) : null;
}

/** @type {<Value>(wanted: Value[] | undefined, value: Value) => boolean} */
const isAmong = (wanted, value) => !wanted?.length || wanted.includes(value);
/** @type {(wanted: boolean | undefined, value: unknown) => boolean} */
const fits = (wanted, value) => wanted === undefined || wanted === Boolean(value);

/**
 * Returns whether a QSO meets all criteria. The service applies the same rules
 * (src/qso/log_filter.c).
 * @param {Qso} qso
 * @param {Sought} sought
 */
export function isSought(qso, sought) {
  const { call, words, day, square, station, from, to } = sought;
  return (
    (!call || compact(qso.callsignWorked).startsWith(call)) &&
    (!day || qso.qsoAt.startsWith(day)) &&
    isAmong(sought.years, qso.qsoAt.slice(0, 4)) &&
    isAmong(sought.bands, qso.band) &&
    isAmong(sought.modes, qso.mode ?? "none") &&
    (!sought.divisions?.length || sought.divisions.includes(numberOf(qso.callsignWorked) ?? 0)) &&
    (!square || locatorOfStation(qso).startsWith(square)) &&
    (!station || compact(qso.operatorCallsign) === station) &&
    (!from || qso.qsoAt >= from) &&
    (!to || qso.qsoAt < to) &&
    fits(sought.confirmed, qso.crossConfirmedAt) &&
    fits(sought.qslSent, qso.qslSent) &&
    fits(sought.qslReceived, qso.qslReceived) &&
    (!sought.isSpotted || Boolean(qso.spottedAt)) &&
    (!words || hasWords(words, qso))
  );
}

/** @param {string} start */
function startingWith(start) {
  return IDBKeyRange.bound(start, start + LAST);
}
/** @type {(a: Found, b: Found) => number} */
const newestFirst = (a, b) => (a.qso.qsoAt < b.qso.qsoAt ? 1 : -1);

/**
 * Returns the indexes that contain every match, each with its range.
 * @param {Sought} sought
 * @returns {[string, IDBKeyRange | null][]}
 */
function indexesOf({ call, day, bands = [], confirmed, isSpotted }) {
  /** @type {[string, IDBKeyRange | null][]} */
  const indexes = [];
  if (call) indexes.push(["call", startingWith(call)]);
  const ofDay = day ? startingWith(day) : null;
  if (confirmed) indexes.push(["confirmed", ofDay]);
  if (isSpotted) indexes.push(["spotted", ofDay]);
  if (bands.join() === "PMR446") indexes.push(["channel", null]);
  return indexes;
}

/**
 * Returns the next records before `end`, newest last, and the time before which older records
 * remain.
 * @param {BrowserStorage} storage
 * @param {string} start
 * @param {string} end
 * @param {number} most limit for records in the store, and also for records in packs; exceeded only
 *   by records with equal times
 * @returns {Promise<{records: Found[], end: string | null}>} end is null if no older records remain
 */
function readBefore(storage, start, end, most) {
  return storage.ask(async (qsos, packs) => {
    const range = IDBKeyRange.bound(start, end, false, true);
    const index = qsos.index("at");
    const [own, packed] = [
      await keyFromEnd(index, range, most),
      packs.keyFromEnd("at", range, most),
    ];
    const from = own && packed && own < packed ? packed : (own ?? packed);
    const rest = IDBKeyRange.bound(from ?? start, end, false, true);
    return { records: packs.merge(await answerOf(index.getAll(rest)), "at", rest), end: from };
  });
}
/**
 * Returns the time of the record at place `most` from the end of a range in an index by time; null:
 * the range contains fewer records.
 * @param {IDBIndex} index
 * @param {IDBKeyRange} range
 * @param {number} most
 * @returns {Promise<string | null>}
 */
function keyFromEnd(index, range, most) {
  return new Promise((resolve, reject) => {
    const request = index.openKeyCursor(range, "prev");
    let isFirst = true;
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const cursor = request.result;
      if (cursor && isFirst && most > 1) {
        isFirst = false;
        cursor.advance(most - 1);
      } else resolve(cursor && String(cursor.key));
    };
  });
}

/**
 * Yields the matches in steps, newest first, until all QSOs have been read. A step can be without a
 * match. A caller with enough matches stops iterating. Reading a long log for a rare word takes
 * seconds. So the first step for a single word contains the QSOs whose callsigns begin with the
 * word, if there are few such QSOs.
 * @param {BrowserStorage} storage
 * @param {Sought} sought
 * @param {number} [first] limit of the first read by time
 * @returns {AsyncGenerator<{found: Found[], back: string}>} back: the time back to which the log
 *   was read; empty: the search is complete. The QSOs of the first step can be older.
 */
export async function* search(storage, sought, first = AT_ONCE) {
  /** @type {Set<string>} keys */
  const known = new Set();
  /** @type {(records: Found[]) => Found[]} */
  const choose = (records) =>
    records.filter(({ key, qso }) => !known.has(key) && isSought(qso, sought)).sort(newestFirst);
  for (const [name, range] of indexesOf(sought)) {
    const records = await storage.qsos(name, range, FEW);
    if (records.length === FEW) continue;
    yield { found: choose(records), back: "" };
    return;
  }
  const { words, day = "", from = "", to = LAST } = sought;
  if (words?.call) {
    const records = await storage.qsos("call", startingWith(words.call), FEW);
    const found = records.length < FEW ? choose(records) : [];
    for (const { key } of found) known.add(key);
    yield { found, back: new Date().toISOString() };
  }
  const start = from > day ? from : day;
  /** @type {string | null} */
  let end = to < day + LAST ? to : day + LAST;
  if (start >= end) return;
  for (let most = first; end !== null; most = Math.min(2 * most, MOST_AT_ONCE)) {
    /** @type {Awaited<ReturnType<typeof readBefore>>} */
    const read = await readBefore(storage, start, end, most);
    end = read.end;
    yield { found: choose(read.records), back: end ?? "" };
  }
}

/**
 * Returns QSOs with a station, newest first. If these are fewer than `most`, some QSOs with longer
 * callsigns that begin with the station's callsign follow.
 * @param {BrowserStorage} storage
 * @param {string} call compact
 * @param {number} most sufficient number; the result can contain more QSOs with the station
 * @returns {Promise<Found[]>}
 */
export async function worked(storage, call, most) {
  const longer = IDBKeyRange.bound(call, call + LAST, true);
  const [few, others] = await Promise.all([
    storage.qsos("call", IDBKeyRange.only(call), FEW),
    storage.qsos("call", longer, most),
  ]);
  /** @type {Found[]} */
  const own = few.length < FEW ? few : [];
  if (few.length === FEW)
    for await (const { found } of search(storage, { call })) {
      own.push(...found.filter(({ qso }) => compact(qso.callsignWorked) === call));
      if (own.length >= most) break;
    }
  return [...own.sort(newestFirst), ...others.slice(0, Math.max(0, most - own.length))];
}
