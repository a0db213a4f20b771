// Unpacks the parts of a workbook, which is a ZIP file. All sizes are those of the content, because
// a file can state others.
import { BYTES_MAX, SheetRefusal } from "./sheet-rows.js";

const DIRECTORY_END = 0x06054b50;
const DIRECTORY_END_BYTES = 22;
const COMMENT_MAX = 65535;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
const DEFLATED = 8;

/**
 * A part of a ZIP file: how it is stored, where, and the size that the file states.
 * @typedef {{method: number, size: number, stated: number, at: number}} Entry
 */

/** @returns {never} */
function refuse() {
  throw new SheetRefusal("unreadable");
}

/** @param {Uint8Array} bytes */
export function isZip(bytes) {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

export class Zip {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.left = BYTES_MAX; // bytes that may still be unpacked
    /** @type {Map<string, Entry>} */
    this.entries = new Map();
    try {
      this.readDirectory();
    } catch {
      refuse(); // a position is outside the file
    }
  }

  readDirectory() {
    const { view } = this;
    let end = view.byteLength - DIRECTORY_END_BYTES;
    const first = Math.max(0, end - COMMENT_MAX);
    while (end >= first && view.getUint32(end, true) !== DIRECTORY_END) end--;
    if (end < first) refuse();
    const names = new TextDecoder();
    let at = view.getUint32(end + 16, true);
    for (let left = view.getUint16(end + 10, true); left; left--) {
      if (view.getUint32(at, true) !== ENTRY) refuse();
      const [name, extra, comment] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
      const start = at + ENTRY_BYTES;
      const isEncrypted = view.getUint16(at + 8, true) & 1;
      this.entries.set(names.decode(this.bytes.subarray(start, start + name)), {
        method: isEncrypted ? -1 : view.getUint16(at + 10, true),
        size: view.getUint32(at + 20, true),
        stated: view.getUint32(at + 24, true),
        at: view.getUint32(at + 42, true),
      });
      at = start + name + extra + comment;
    }
  }

  /** @param {string} name */
  has(name) {
    return this.entries.has(name);
  }

  /**
   * Throws if the parts together are too large, before any of them is unpacked.
   * @param {string[]} names
   */
  limit(names) {
    const sum = names.reduce((sum, name) => sum + (this.entries.get(name)?.stated ?? 0), 0);
    if (sum > this.left) throw new SheetRefusal("bytes", BYTES_MAX);
  }

  /**
   * Returns a part's text; null: the file lacks the part.
   * @param {string} name
   */
  async text(name) {
    const entry = this.entries.get(name);
    if (!entry) return null;
    const { view, bytes } = this;
    const { method, size, at } = entry;
    if (at + LOCAL_BYTES > bytes.length || view.getUint32(at, true) !== LOCAL) refuse();
    const start = at + LOCAL_BYTES + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
    if (start + size > bytes.length || (method !== 0 && method !== DEFLATED)) refuse();
    const part = /** @type {Uint8Array<ArrayBuffer>} */ (bytes.subarray(start, start + size));
    const packed = new Blob([part]).stream();
    const content = method ? packed.pipeThrough(new DecompressionStream("deflate-raw")) : packed;
    return this.decode(content.getReader());
  }

  /** @param {ReadableStreamDefaultReader<Uint8Array>} reader */
  async decode(reader) {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const parts = [];
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        this.left -= value.length;
        if (this.left < 0) break;
        parts.push(decoder.decode(value, { stream: true }));
      }
      if (this.left >= 0) return parts.join("") + decoder.decode();
    } catch {
      refuse(); // the content is damaged, or is not UTF-8
    }
    reader.cancel().catch(() => {}); // the rest is not needed
    throw new SheetRefusal("bytes", BYTES_MAX);
  }
}
