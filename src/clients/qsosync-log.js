// Exports everything that a program needs to keep a log and to write to the log; see
// qsosync-clients(7). The storages are in qsosync-file.js and qsosync-indexeddb.js.
import { listQsos } from "./qsosync.js";
import { readOutbox } from "./qsosync-outbox.js";

export { Log, ServiceError, listQsos, openLog, synchronise } from "./qsosync.js";
export { findFaults } from "./qsosync-fields.js";
export { readOutbox } from "./qsosync-outbox.js";
export { MemoryStorage } from "./qsosync-storage.js";
export { LocalLog } from "./qsosync-sync.js";

/** @import { Copy, Qso, Storage } from "./qsosync-types.js" */

/**
 * Returns the QSOs of a local log as its member sees them, newest first: with writes that the
 * service does not have yet, and without QSOs that were deleted here.
 * @param {Storage} storage
 * @returns {Promise<Qso[]>}
 */
export async function readLog(storage) {
  /** @type {Copy[]} */
  const copies = await storage.change((records) => records.after("qsos", "", Infinity));
  const items = Object.fromEntries(copies.map(({ key, qso }) => [key, qso]));
  for (const { key, kind, qso } of await readOutbox(storage))
    if (kind === "delete") delete items[key];
    else items[key] = { ...items[key], ...qso };
  return listQsos({ epoch: null, serverTime: "", etag: null, items, lost: {} });
}
