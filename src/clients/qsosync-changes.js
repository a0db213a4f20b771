// Merges data from the service into the local log: downloaded pages, deletions, a restored log, and
// results of sent entries. Each function is part of one change to a storage.
import { keyOf } from "./qsosync.js";
import { isSame, normalise } from "./qsosync-fields.js";

/** @import { Copy, Download, Entry, Late, Page, Qso, Records, State } from "./qsosync-types.js" */

const RECORDS_AT_ONCE = 500;
const ENTRIES_AT_ONCE = 50; // an outbox with fewer entries is read as a whole
// The period after one device has resent the QSOs that a restored log lost. In this period, another
// device can still send older states, because that device has not received the resent states yet.
const AGAIN_MS = 600000;

/**
 * Records the beginning of a download of the changes since a time, or of the whole log.
 * @param {State} state
 * @param {string | null} since null: the whole log
 * @param {string[]} gone keys of the QSOs whose deletions a restored log reported
 */
export function beginDownload(state, since, gone) {
  if (since === null) state.round++;
  state.download = {
    since,
    cursor: null,
    epoch: null,
    serverTime: "",
    received: 0,
    deletionsKnown: true,
    isRestored: since === null && state.round > 1,
    gone,
  };
}

/**
 * Merges a page of the current download, and records in the state how the download continues.
 * @param {Records} records
 * @param {State} state is changed; the caller stores it
 * @param {Page} page
 * @param {string | null} epoch
 */
export async function arrivePage(records, state, page, epoch) {
  const download = /** @type {Download} */ (state.download);
  if (download.cursor === null) Object.assign(download, { epoch, serverTime: page.serverTime });
  const deleted = page.deleted ?? [];
  download.received += page.items.length;
  download.deletionsKnown &&= page.deletedComplete ?? false;
  download.cursor = page.nextCursor;
  if (download.since === null) {
    if (epoch !== download.epoch) return beginDownload(state, null, download.gone);
    await arriveQsos(records, state, page.items);
  } else if (epoch !== state.epoch || download.isRestored) {
    // The log was restored from a backup, so this download of changes is replaced with a download
    // of the whole log. Only the reported deletions are kept for the sweep.
    download.isRestored = true;
    download.gone.push(...deleted.map(keyOf));
    if (page.nextCursor === null) beginDownload(state, null, download.gone);
    return;
  } else {
    await arriveQsos(records, state, page.items);
    for (const deletion of deleted)
      await arriveDeletion(records, state, keyOf(deletion), deletion.deletedAt);
  }
  if (page.nextCursor === null) endDownload(state, download);
}

/**
 * @param {State} state
 * @param {Download} download
 */
function endDownload(state, download) {
  const isWhole = download.since === null;
  // If the device never had a whole copy before (isComplete is false), the sweep assumes that QSOs
  // missing from this download were deleted, not lost.
  if (download.isRestored) {
    state.sweep = { after: "", gone: download.gone, isComplete: state.epoch !== null };
    state.againUntil = againAfter(download.serverTime);
  }
  state.deletionsKnown = download.deletionsKnown && (isWhole || state.deletionsKnown);
  state.epoch = download.epoch;
  state.since = download.serverTime;
  if (isWhole) state.etag = null;
  state.download = null;
}

/**
 * Returns whether the device has a later state of a QSO than the given state, for example because
 * the log was restored.
 * @param {Copy} copy
 * @param {Qso} qso
 */
function isLater(copy, qso) {
  return copy.qso.syncedAt > qso.syncedAt || (copy.unseen && copy.qso.syncedAt === qso.syncedAt);
}

/**
 * Returns the sent states that can still arrive at the service after one state has arrived. Each
 * request arrives at most once, so the arrived state is left out.
 * @param {Entry | undefined} entry
 * @param {Copy | undefined} copy
 * @param {any} arrived the state that has arrived; null: no state
 * @param {State} state
 * @returns {{late?: Late}}
 */
function lateOf(entry, copy, arrived, state) {
  const before = copy?.late && copy.late.until > (state.since ?? "") ? copy.late : null;
  const states = [...(entry?.sent ?? []), ...(before?.states ?? [])];
  const place = arrived ? states.findIndex((qso) => isSame(qso, arrived)) : -1;
  if (place >= 0) states.splice(place, 1);
  const isDeletion = Boolean(entry?.isDeletionSent || before?.isDeletion);
  if (!states.length && !isDeletion) return {};
  return { late: { states, isDeletion, until: entry?.arrivesBy ?? before?.until ?? "" } };
}

/**
 * Returns the copy's late states, if a state written at that time can be among these states.
 * @param {Copy | undefined} copy
 * @param {string} at
 * @returns {Late | null}
 */
function lateAt(copy, at) {
  return copy?.late && at <= copy.late.until ? copy.late : null;
}

/** @param {string} at ISO time */
function againAfter(at) {
  return new Date(Date.parse(at) + AGAIN_MS).toISOString();
}

/**
 * Returns againUntil for a copy whose QSO was sent since the log was restored, whether the QSO was
 * resent or newly written.
 * @param {Entry | undefined} entry
 * @param {Copy | undefined} copy
 * @param {State} state
 * @returns {{againUntil?: string}}
 */
function againOf(entry, copy, state) {
  if (entry?.isAgain && entry.arrivesBy) return { againUntil: againAfter(entry.arrivesBy) };
  if (entry && !entry.isDecided && state.againUntil && state.againUntil > (state.since ?? ""))
    return { againUntil: state.againUntil };
  const isOpen = copy?.againUntil && copy.againUntil > (state.since ?? "");
  return isOpen ? { againUntil: copy.againUntil } : {};
}

/**
 * Returns the outbox's entry for each key; undefined: no entry. Reads a small outbox as a whole.
 * Otherwise requests all keys at once, because a storage answers simultaneous requests sooner than
 * successive requests.
 * @param {Records} records
 * @param {string[]} keys
 * @returns {Promise<(Entry | undefined)[]>}
 */
async function readEntries(records, keys) {
  const few = await records.after("outbox", "", ENTRIES_AT_ONCE);
  if (few.length === ENTRIES_AT_ONCE)
    return Promise.all(keys.map((key) => records.get("outbox", key)));
  const entries = new Map(few.map((entry) => [entry.key, entry]));
  return keys.map((key) => entries.get(key));
}

/**
 * @param {Records} records
 * @param {State} state
 * @param {Qso[]} qsos of one page, each once
 */
async function arriveQsos(records, state, qsos) {
  const keys = qsos.map(keyOf);
  const entries = await readEntries(records, keys);
  // Nothing is sent before the first download has ended, so all copies are from this download and
  // need not be compared.
  const isFirst = state.download?.since === null && state.round === 1;
  /** @type {(Copy | undefined)[]} */
  const copies = isFirst ? [] : await Promise.all(keys.map((key) => records.get("qsos", key)));
  for (const [place, qso] of qsos.entries()) {
    const [key, copy, entry] = [keys[place], copies[place], entries[place]];
    if (copy || entry) await arriveQso(records, state, qso, copy, entry);
    else await records.put("qsos", { key, qso, round: state.round });
  }
}

/**
 * Stores a downloaded QSO for which the device already has a copy, or an entry in the outbox.
 * @param {Records} records
 * @param {State} state
 * @param {Qso} qso
 * @param {Copy | undefined} copy
 * @param {Entry | undefined} entry
 */
async function arriveQso(records, state, qso, copy, entry) {
  const key = keyOf(qso);
  const isRestored = state.download?.isRestored && copy && copy.round < state.round;
  const isLost = Boolean(isRestored && isLater(copy, qso));
  if (copy && !isRestored && copy.qso.syncedAt > qso.syncedAt) return;
  const arrived = normalise(qso);
  const isKnown = Boolean(copy && isSame(copy.qso, arrived));
  const late = lateAt(copy, qso.syncedAt);
  const isLate = Boolean(!isKnown && late?.states.some((sent) => isSame(sent, arrived)));
  const isAgain = Boolean(!isLate && copy?.againUntil && qso.syncedAt <= copy.againUntil);
  if (entry) await meet(records, entry, qso, isLost || isLate);
  else if (copy && (isRestored || isAgain) && !isKnown) {
    const again = await queueAgain(records, state, copy, arrived);
    // A later write to the restored log is a change, or an older state that another device sent
    // again, so the member decides.
    if (again && !isLost)
      await records.put("outbox", { ...again, base: again.qso, state: "conflict", theirs: qso });
  } else if (copy && late && isLate) await queueLate(records, state, copy, late, arrived);
  const isOurs = isKnown || (entry && isSame(entry.qso, arrived));
  await records.put("qsos", {
    key,
    qso,
    round: state.round,
    ...((isOurs || isLate) && lateOf(entry, copy, isKnown ? null : arrived, state)),
    ...((isOurs || isLate) && againOf(entry, copy, state)),
  });
}

/**
 * Merges a downloaded QSO with its entry in the outbox.
 * @param {Records} records
 * @param {Entry} entry
 * @param {Qso} qso
 * @param {boolean} isOlder whether the downloaded state is older than the device's copy
 */
async function meet(records, entry, qso, isOlder) {
  const arrived = normalise(qso);
  if (entry.kind === "save" && isSame(entry.qso, arrived))
    return records.remove("outbox", entry.key);
  const isOurs = entry.sent.some((sent) => isSame(sent, arrived));
  if (isOurs || isOlder) entry.base = arrived;
  const isKnown = entry.base !== null && isSame(entry.base, arrived);
  if (isKnown && entry.state === "conflict") entry.state = "waiting";
  if (isKnown) delete entry.theirs;
  else Object.assign(entry, { state: "conflict", theirs: qso });
  return records.put("outbox", entry);
}

/**
 * @param {Records} records
 * @param {State} state
 * @param {string} key
 * @param {string} deletedAt
 */
async function arriveDeletion(records, state, key, deletedAt) {
  /** @type {Copy | undefined} */
  const copy = await records.get("qsos", key);
  if (copy && copy.qso.syncedAt > deletedAt) return;
  await forget(records, state, key, deletedAt);
}

/**
 * @param {Entry} entry
 * @returns {Entry} a duplicate of the entry, as if the service had never had the QSO
 */
function withoutBase(entry) {
  return { ...entry, base: null, sent: [], isDeletionSent: false };
}

/**
 * Removes a QSO that the service no longer has.
 * @param {Records} records
 * @param {State} state
 * @param {string} key
 * @param {string} [at] time at which the QSO was deleted, or a later time
 */
async function forget(records, state, key, at = state.since ?? "") {
  /** @type {Entry | undefined} */
  const entry = await records.get("outbox", key);
  /** @type {Copy | undefined} */
  const copy = await records.get("qsos", key);
  const late = lateAt(copy, at);
  if (entry?.kind === "delete") await records.remove("outbox", key);
  else if (copy && !entry && late?.isDeletion) await queueLate(records, state, copy, late, null);
  else if (entry && (entry.isDeletionSent || late?.isDeletion))
    await records.put("outbox", withoutBase(entry));
  else if (entry && (entry.base || entry.sent.length))
    await records.put("outbox", { ...withoutBase(entry), state: "conflict", theirs: null });
  await records.remove("qsos", key);
}

/**
 * Adds a copy's QSO to the outbox, because the service lost the QSO or has an earlier state.
 * Returns the entry; null: the QSO has no clientId, so it cannot be sent.
 * @param {Records} records
 * @param {State} state
 * @param {Copy} copy
 * @param {any} base
 */
async function queueAgain(records, state, copy, base) {
  if (copy.qso.clientId === null) return null;
  state.order++;
  /** @type {Entry} */
  const entry = {
    key: copy.key,
    kind: "save",
    qso: normalise(copy.qso),
    base,
    sent: [],
    isAgain: true,
    revision: 1,
    order: state.order,
    state: "waiting",
  };
  await records.put("outbox", entry);
  return entry;
}

/**
 * Adds the copy to the outbox again after an earlier sent state has arrived late and replaced the
 * copy's state on the service.
 * @param {Records} records
 * @param {State} state
 * @param {Copy} copy
 * @param {Late} late
 * @param {any} base
 */
async function queueLate(records, state, copy, late, base) {
  const again = await queueAgain(records, state, copy, base);
  const { states, isDeletion, until } = late;
  if (again)
    await records.put("outbox", {
      ...again,
      sent: base ? states : [],
      isAgain: false,
      isDeletionSent: Boolean(base) && isDeletion,
      arrivesBy: until,
    });
}

/**
 * Removes the copies that the whole download of a restored log did not contain. If the service lost
 * a QSO, adds it to the outbox. Handles at most RECORDS_AT_ONCE copies per call.
 * @param {Records} records
 * @param {State} state is changed; the caller stores it
 */
export async function sweepSome(records, state) {
  const sweep = /** @type {NonNullable<State["sweep"]>} */ (state.sweep);
  const copies = await records.after("qsos", sweep.after, RECORDS_AT_ONCE);
  for (const copy of copies) {
    sweep.after = copy.key;
    if (copy.round >= state.round) continue;
    /** @type {Entry | undefined} */
    const entry = await records.get("outbox", copy.key);
    if (!sweep.isComplete || sweep.gone.includes(copy.key)) await forget(records, state, copy.key);
    else if (entry?.kind === "delete") await records.remove("outbox", copy.key);
    else if (entry) await records.put("outbox", withoutBase(entry));
    else await queueAgain(records, state, copy, null);
    await records.remove("qsos", copy.key);
  }
  if (copies.length < RECORDS_AT_ONCE) state.sweep = null;
}

/**
 * Removes copies whose keys the service's list lacks, for a service that does not report all
 * deletions. Handles at most RECORDS_AT_ONCE copies per call.
 * @param {Records} records
 * @param {State} state
 * @param {Set<string>} listed keys
 * @param {string} after
 * @returns {Promise<string | null>} the key after which to continue; null: done
 */
export async function forgetUnlisted(records, state, listed, after) {
  const copies = await records.after("qsos", after, RECORDS_AT_ONCE);
  for (const { key } of copies) if (!listed.has(key)) await forget(records, state, key);
  return copies.length < RECORDS_AT_ONCE ? null : copies[copies.length - 1].key;
}

/**
 * Records that the service stored an entry as it was sent.
 * @param {Records} records
 * @param {State} state
 * @param {Entry} sent
 * @param {{id: string, spottedAt: string | null}} result
 */
export async function acceptEntry(records, state, sent, { id, spottedAt }) {
  /** @type {Entry | undefined} */
  const entry = await records.get("outbox", sent.key);
  if (entry?.revision === sent.revision) await records.remove("outbox", sent.key);
  else if (entry)
    await records.put("outbox", { ...entry, base: sent.qso, sent: [], isDeletionSent: false });
  /** @type {Copy | undefined} */
  const copy = await records.get("qsos", sent.key);
  const late = lateOf(entry, copy, sent.qso, state);
  const { createdAt = "", syncedAt = "", crossConfirmedAt = null } = copy?.qso ?? {};
  const { sendSpot, ...qso } = sent.qso; // eslint-disable-line no-unused-vars
  await records.put("qsos", {
    key: sent.key,
    qso: { ...qso, id, spottedAt, createdAt, syncedAt, crossConfirmedAt },
    round: state.round,
    unseen: true,
    ...late,
    ...againOf(entry, copy, state),
  });
}

/**
 * Records that the service rejected an entry permanently.
 * @param {Records} records
 * @param {Entry} sent
 * @param {string} error
 * @param {() => string} makeId
 */
export async function rejectEntry(records, sent, error, makeId) {
  /** @type {Entry | undefined} */
  const entry = await records.get("outbox", sent.key);
  if (!entry) return;
  entry.sent = entry.sent.filter((qso) => !isSame(qso, sent.qso));
  if (error === "CLIENT_ID_CONFLICT" && !entry.base) {
    // Another member has a QSO with this clientId, so this QSO gets a new clientId.
    await records.remove("outbox", entry.key);
    entry.key = makeId();
    entry.qso = { ...entry.qso, clientId: entry.key };
    entry.sent = [];
  } else if (entry.revision === sent.revision) Object.assign(entry, { state: "refused", error });
  await records.put("outbox", entry);
}
