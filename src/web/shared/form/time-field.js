// Handles the time of a QSO in the form: the time on the device's clock, until somebody sets
// another time.

/** @import { Fields } from "../types.js" */

const MINUTES_MS = 60000;

// Dates and times are in ISO 8601, whereas a browser's own date and time fields follow the
// browser's language. Separators are optional, because some phones' numeric keyboards lack them.
// Any other text stays as typed.
/** @param {string} text 2026-05-17 or 20260517 */
function writeDate(text) {
  return text.trim().replace(/^(\d{4})-?(\d\d)-?(\d\d)$/, "$1-$2-$3");
}
/** @param {string} text 19:42:05, 194205, 19:42, 1942 or 942 */
function writeTime(text) {
  const parts = /^(\d{1,2}):?(\d\d)(?::?(\d\d))?$/.exec(text.trim());
  return parts ? `${parts[1].padStart(2, "0")}:${parts[2]}:${parts[3] ?? "00"}` : text.trim();
}

export class When {
  /**
   * @param {Fields} fields
   * @param {() => void} changed
   */
  constructor(fields, changed) {
    this.fields = fields;
    this.isLive = true;
    for (const id of ["date", "time"]) {
      fields.find(id).addEventListener("input", () => this.#stop());
      fields.find(id).addEventListener("change", () => {
        fields.set("date", writeDate(fields.get("date")));
        fields.set("time", writeTime(fields.get("time")));
        changed();
      });
    }
    fields.find("now").addEventListener("click", () => {
      this.set(null);
      changed();
    });
    fields.find("earlier").addEventListener("click", () => {
      this.set(this.ms() - 5 * MINUTES_MS);
      changed();
    });
    const tick = setInterval(() => {
      if (!fields.form.isConnected) clearInterval(tick);
      else if (this.isLive) this.set(null);
    }, 1000);
  }

  ms() {
    const at = Date.parse(this.read());
    return Number.isNaN(at) ? Date.now() : at;
  }
  /**
   * Returns the current time or, if somebody has set another time, the time in the fields, valid or
   * not.
   */
  read() {
    const { fields } = this;
    return this.isLive
      ? new Date().toISOString()
      : `${writeDate(fields.get("date"))}T${writeTime(fields.get("time"))}Z`;
  }
  /** @param {number | null} ms null: the time on the device's clock */
  set(ms) {
    const iso = new Date(ms ?? Date.now()).toISOString();
    this.fields.set("date", iso.slice(0, 10));
    this.fields.set("time", iso.slice(11, 19));
    if (ms === null) this.#show(true);
    else this.#stop();
  }
  /** Sets the time for the next QSO: now, unless somebody is entering QSOs from another day. */
  next() {
    const today = new Date().toISOString().slice(0, 10);
    if (this.isLive || this.fields.get("date") === today) this.set(null);
  }

  #stop() {
    this.#show(false);
  }
  /** @param {boolean} isLive */
  #show(isLive) {
    this.isLive = isLive;
    this.fields.find("now").hidden = isLive;
  }
}
