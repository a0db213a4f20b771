// Keeps a log in a file, for programs in Node. Each line is one change, in JSON, so a change is
// in the file completely or not at all. The contract of a storage is in qsosync-types.d.ts.
import { Buffer } from "node:buffer";
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import process from "node:process";
import { MemoryStorage } from "./qsosync-storage.js";

/** @import { Store } from "./qsosync-types.js" */

// A file of at most this many bytes is not worth rewriting.
const REWRITTEN_MIN = 1 << 20;
/** @type {Set<string>} the files that this program has open */
const OPEN = new Set();

/** A storage in a file that only one program uses at a time. The file is private to its user. */
export class FileStorage extends MemoryStorage {
  #path;
  #file;
  #size = 0;
  #sizeRewritten = 0;

  /**
   * Opens or creates the file. Throws an error if another program uses the file.
   * @param {string} path
   */
  constructor(path) {
    super();
    this.#path = resolve(path);
    this.#lock();
    try {
      if (existsSync(this.#path)) this.#read();
      this.#file = openSync(this.#path, "a", 0o600);
      // A torn line is cut off, so that the next change begins a line.
      ftruncateSync(this.#file, this.#size);
      this.#syncFolder();
    } catch (error) {
      this.#unlock();
      throw error;
    }
  }

  /** Lets other programs use the file. */
  close() {
    closeSync(this.#file);
    this.#unlock();
  }

  /**
   * @param {[Store, string][]} changed
   * @param {"strict" | "relaxed"} durability
   */
  keep(changed, durability) {
    if (!changed.length) return;
    const line = lineOf(changed.map(([store, key]) => [store, key, this.stores[store].get(key)]));
    try {
      writeAll(this.#file, line);
      if (durability === "strict") fsyncSync(this.#file);
    } catch (error) {
      ftruncateSync(this.#file, this.#size); // for example, the disk is full
      throw error;
    }
    this.#size += line.length;
    if (this.#size > REWRITTEN_MIN && this.#size > 4 * this.#sizeRewritten) this.#rewrite();
  }

  /** Writes the lock file, which contains the process id, so that a killed program's lock ends. */
  #lock() {
    const lock = `${this.#path}.lock`;
    const owner = existsSync(lock) ? Number(readFileSync(lock, "utf8")) : 0;
    if (OPEN.has(this.#path) || (owner && owner !== process.pid && isRunning(owner)))
      throw new Error(`another program is using ${this.#path}`);
    if (existsSync(lock)) unlinkSync(lock);
    const file = openSync(lock, "wx", 0o600); // fails if another program locks the file just now
    writeAll(file, Buffer.from(String(process.pid)));
    closeSync(file);
    OPEN.add(this.#path);
  }

  #unlock() {
    unlinkSync(`${this.#path}.lock`);
    OPEN.delete(this.#path);
  }

  /**
   * Reads all changes up to the first line that is not complete. A power failure can leave only the
   * last changes incomplete; a file with whole lines after such a line is kept as FILE.damaged.
   */
  #read() {
    const data = readFileSync(this.#path);
    for (let end; (end = data.indexOf(10, this.#size)) >= 0; this.#size = end + 1)
      try {
        const changes = JSON.parse(data.toString("utf8", this.#size, end));
        for (const [store, key, record] of changes) this.#put(store, key, record);
      } catch {
        copyFileSync(this.#path, `${this.#path}.damaged`);
        return;
      }
  }

  /**
   * @param {Store} store
   * @param {string} key
   * @param {any} record null: removed
   */
  #put(store, key, record) {
    if (record === null) this.stores[store].delete(key);
    else this.stores[store].set(key, record);
  }

  /** Replaces the file with a file that has only the present records. */
  #rewrite() {
    const beside = `${this.#path}.new`;
    const file = openSync(beside, "w", 0o600);
    let size = 0;
    for (const store of /** @type {Store[]} */ (Object.keys(this.stores)))
      for (const [key, record] of this.stores[store]) {
        const line = lineOf([[store, key, record]]);
        writeAll(file, line);
        size += line.length;
      }
    fsyncSync(file);
    closeSync(file);
    renameSync(beside, this.#path);
    this.#syncFolder();
    closeSync(this.#file);
    this.#file = openSync(this.#path, "a", 0o600);
    this.#size = this.#sizeRewritten = size;
  }

  #syncFolder() {
    if (process.platform === "win32") return; // Windows cannot open a folder
    const folder = openSync(dirname(this.#path), "r");
    fsyncSync(folder);
    closeSync(folder);
  }
}

/** @param {[Store, string, any][]} changes */
function lineOf(changes) {
  const values = changes.map(([store, key, record]) => [store, key, record ?? null]);
  return Buffer.from(JSON.stringify(values) + "\n");
}

/**
 * @param {number} file
 * @param {Uint8Array} data
 */
function writeAll(file, data) {
  for (let at = 0; at < data.length;) at += writeSync(file, data, at);
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {{code?: string}} */ (error).code === "EPERM";
  }
}
