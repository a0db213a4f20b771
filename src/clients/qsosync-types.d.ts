// Declares the types that the modules of the sync engine share: the storage's contract, and the
// records in a storage. The file is only for type checks; browsers do not load it. INTERNALS
// explains the terms.

import type { Qso } from "./qsosync.js";

export type { IdList, Log, Page, Qso } from "./qsosync.js";
export type { Field, Values } from "./qsosync-fields.js";

/**
 * Holds records in three stores, each record under its `key`. All changes in one piece of work are
 * stored, or none, even if the device stops meanwhile. Other work never sees only some of these
 * changes. The work must await only the methods of its records. Changes to data that can be
 * downloaded again may be "relaxed", which saves the wait for the disk. A power failure can lose a
 * relaxed change, together with all later changes.
 */
export interface Storage {
  change<Result>(
    work: (records: Records) => Promise<Result>,
    durability?: "strict" | "relaxed",
  ): Promise<Result>;
}
export type Store = "state" | "qsos" | "outbox";
export interface Records {
  /** Returns the record; undefined: the store lacks the record. */
  get(store: Store, key: string): Promise<any>;
  /**
   * Stores a record. Later reads in the same change return this record. If the record cannot be
   * stored, the whole change fails, perhaps only at its end.
   */
  put(store: Store, record: any): Promise<unknown>;
  remove(store: Store, key: string): Promise<unknown>;
  /** Returns at most `most` records whose keys are greater than `key`, sorted by key. */
  after(store: Store, key: string, most: number): Promise<any[]>;
}

/** The latest state of a QSO on the service that the device has received. */
export interface Copy {
  key: string;
  qso: Qso;
  round: number; // State.round when the copy was stored
  unseen?: boolean; // the service accepted the QSO, but no download has contained it so far
  late?: Late;
  againUntil?: string; // time (service's clock) until which another device can resend old states
}
/**
 * Sent states whose requests can still reach the service, because the answers were lost, or because
 * another tab overtook the sending tab. A state that was sent twice can even equal the copy.
 */
export interface Late {
  states: any[];
  isDeletion: boolean;
  until: string; // the time of the service's clock after which none of these requests arrives
}
/** A member's write, until the service has it. */
export interface Entry {
  key: string;
  kind: "save" | "delete";
  qso: any; // the QSO to store or to delete
  base: any; // the service's state of the QSO before the member's first write; null: no state
  sent: any[]; // sent states that could have arrived; a state that was sent again is listed twice
  isDeletionSent?: boolean; // whether a deletion was sent and could have arrived
  isAgain?: boolean; // whether the service had the QSO and lost it
  isDecided?: boolean; // whether the member chose this version in a conflict
  arrivesBy?: string; // the time of the service's clock after which no sent request arrives
  revision: number; // increases with each of the member's writes to the QSO
  order: number; // position in the order of sending
  notBefore?: number; // earliest time of sending, in ms
  state: "waiting" | "refused" | "conflict";
  error?: string; // the service's reason for the rejection
  theirs?: Qso | null; // in a conflict, the other program's version; null: a deletion
}
/** A download in progress. */
export interface Download {
  since: string | null; // beginning of the changes; null: the whole log
  cursor: string | null; // cursor of the next page
  epoch: string | null;
  serverTime: string;
  received: number;
  total?: number | null; // the number of QSOs in the log when the download began, if known
  deletionsKnown: boolean;
  isRestored: boolean; // whether the log was restored from a backup since the last download
  gone: string[]; // keys of the QSOs whose deletions the restored log reported
}
export interface State {
  key: "sync";
  run: string; // name of the pass that began last
  epoch: string | null;
  since: string | null; // serverTime of the last download; null: not downloaded yet
  deletionsKnown: boolean;
  etag: string | null; // ETag of the list with all ids
  round: number; // the number of whole downloads that have begun
  order: number; // the order of the latest entry
  skewMs: number | null; // the service's clock minus the device's clock
  download: Download | null;
  againUntil?: string; // the againUntil of copies that are sent soon after a restoration
  sweep: Sweep | null;
}
/** The progress in removing the copies that a whole download did not contain. */
export interface Sweep {
  after: string; // the last key that was swept
  gone: string[];
  isComplete: boolean; // whether the device had a whole copy before the restoration
}

/** The result of a pass. */
export type Outcome =
  "done" | "busy" | "stopped" | "no answer" | "limited" | "failed" | "no key" | "read only";
