// Keeps a member's writes on the device, in the outbox, until the service has the writes. Each
// function except readOutbox is part of one change to a storage.
import { isSame, normalise } from "./qsosync-fields.js";
import { readState } from "./qsosync-storage.js";

/** @import { Copy, Entry, Records, Storage } from "./qsosync-types.js" */

/**
 * Returns all entries in the outbox, in the order in which they are sent.
 * @param {Storage} storage
 * @returns {Promise<Entry[]>}
 */
export async function readOutbox(storage) {
  const entries = await storage.change((records) => records.after("outbox", "", Infinity));
  return entries.sort((a, b) => a.order - b.order);
}

/** @param {Entry} entry */
function isSent(entry) {
  return entry.sent.length > 0 || entry.isDeletionSent;
}

/** @param {Entry} entry */
function forgetTrouble(entry) {
  delete entry.error;
  delete entry.theirs;
  entry.state = "waiting";
}

/**
 * Stores a member's write to one QSO.
 * @param {Records} records
 * @param {string} key
 * @param {"save" | "delete"} kind
 * @param {any} qso
 * @param {number} [notBefore] earliest time of sending, in ms
 * @returns {Promise<number | null>} the entry's order; null: the service already has this state
 */
export async function writeEntry(records, key, kind, qso, notBefore) {
  /** @type {Copy | undefined} */
  const copy = await records.get("qsos", key);
  /** @type {Entry | undefined} */
  const before = await records.get("outbox", key);
  const base = before ? before.base : copy ? normalise(copy.qso) : null;
  const isAsBefore =
    kind === "save" ? base && isSame(base, qso) && !qso.sendSpot : !base && !before?.theirs;
  if (isAsBefore && !(before && isSent(before))) {
    await records.remove("outbox", key);
    return null;
  }
  const state = await readState(records);
  state.order++;
  await records.put("state", state);
  /** @type {Entry} */
  const entry = {
    key,
    kind,
    qso,
    base,
    sent: before?.sent ?? [],
    isDeletionSent: before?.isDeletionSent ?? false,
    ...(before?.arrivesBy && { arrivesBy: before.arrivesBy }),
    ...(before?.isAgain && { isAgain: true }),
    revision: (before?.revision ?? 0) + 1,
    order: state.order,
    state: before?.state === "conflict" ? "conflict" : "waiting",
  };
  if (entry.state === "conflict") entry.theirs = before?.theirs;
  if (notBefore) entry.notBefore = notBefore;
  await records.put("outbox", entry);
  return entry.order;
}

/**
 * Undoes the last write while its entry is in the outbox. If there was no entry before the write,
 * only an unsent write is undone.
 * @param {Records} records
 * @param {string} key
 * @param {number} order of the write
 * @param {Entry | undefined} before the entry before the write
 * @returns {Promise<boolean>} whether the write was undone
 */
export async function takeEntryBack(records, key, order, before) {
  /** @type {Entry | undefined} */
  const entry = await records.get("outbox", key);
  if (entry?.order !== order || (!before && isSent(entry))) return false;
  // If the log was restored in the meantime and has an older state, the deleted QSO is sent again.
  const isLost = entry.state === "waiting" && entry.base && !isSame(entry.base, entry.qso);
  if (!before && !isLost) await records.remove("outbox", key);
  else {
    const { kind, qso, notBefore } = before ?? { kind: "save", qso: entry.qso };
    const revision = entry.revision + 1;
    await records.put("outbox", { ...entry, kind, qso, notBefore, revision });
  }
  return true;
}

/**
 * Ends a conflict: keeps the member's version or the other program's version.
 * @param {Records} records
 * @param {string} key
 * @param {"mine" | "theirs"} choice
 * @param {Entry} [shown] the entry with the versions that the member compared; if either version
 *   has changed since, the conflict does not end
 * @returns {Promise<boolean>} whether the conflict ended
 */
export async function resolveEntry(records, key, choice, shown) {
  /** @type {Entry | undefined} */
  const entry = await records.get("outbox", key);
  if (entry?.state !== "conflict") return false;
  const hasChanged = (/** @type {Entry} */ { revision, theirs }) =>
    revision !== entry.revision || theirs?.syncedAt !== entry.theirs?.syncedAt;
  if (shown && hasChanged(shown)) return false;
  if (choice === "theirs") {
    await records.remove("outbox", key);
    return true;
  }
  entry.base = entry.theirs ? normalise(entry.theirs) : null;
  entry.sent = [];
  entry.isDeletionSent = false;
  delete entry.isAgain;
  entry.isDecided = true;
  forgetTrouble(entry);
  if (entry.kind === "delete" && !entry.base) await records.remove("outbox", key);
  else await records.put("outbox", entry);
  return true;
}

/**
 * Restores entries that a storage lost, for example because a browser's data was cleared while a
 * page was open.
 * @param {Records} records
 * @param {Entry[]} entries
 * @returns {Promise<boolean>} whether the storage was empty
 */
export async function keepEntriesAgain(records, entries) {
  if (await records.get("state", "sync")) return false;
  const state = await readState(records);
  for (const entry of entries) {
    state.order = Math.max(state.order, entry.order);
    await records.put("outbox", entry);
  }
  await records.put("state", state);
  return true;
}

/**
 * Records that a state is being sent. Two records of one state are enough: if the state was sent
 * several times and has arrived once, the second record shows that the state can still arrive
 * again.
 * @param {Entry} entry
 */
function noteSent(entry) {
  const same = entry.sent.filter((sent) => isSame(sent, entry.qso));
  if (same.length < 2) entry.sent.push(entry.qso);
}

/**
 * Returns the next entries to send together: one deletion, or saves up to the next deletion.
 * Records the entries as sent before they are sent, because the engine cannot find out whether an
 * unanswered request arrived.
 * @param {Records} records
 * @param {{now: number, most: number, tried: Set<string>, arrivesBy: string}} pass tried: keys to
 *   skip; arrivesBy: the time after which these requests no longer arrive
 * @returns {Promise<Entry[]>}
 */
export async function takeDueEntries(records, { now, most, tried, arrivesBy }) {
  /** @type {Entry[]} */
  const all = await records.after("outbox", "", Infinity);
  const due = all
    .filter((entry) => entry.state === "waiting" && !tried.has(entry.key))
    .filter((entry) => (entry.notBefore ?? 0) <= now)
    .sort((a, b) => a.order - b.order);
  const isDeletion = due[0]?.kind === "delete";
  const end = due.findIndex((entry) => (entry.kind === "delete") !== isDeletion);
  const entries = due.slice(0, isDeletion ? 1 : Math.min(most, end < 0 ? Infinity : end));
  for (const entry of entries) {
    entry.arrivesBy = arrivesBy;
    if (entry.kind === "delete") entry.isDeletionSent = true;
    else noteSent(entry);
    await records.put("outbox", entry);
  }
  return entries;
}
