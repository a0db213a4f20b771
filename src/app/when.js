// The time of a QSO in the form: the device's, going on, until somebody sets another one.

/** @typedef {import("./fields.js").Fields} Fields */

const MINUTES_MS = 60000;

export class When {
  /**
   * @param {Fields} fields
   * @param {() => void} changed
   */
  constructor(fields, changed) {
    this.fields = fields;
    this.isLive = true;
    for (const id of ["date", "time"])
      fields.find(id).addEventListener("input", () => this.#stop());
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
    const { fields } = this;
    const at = this.isLive
      ? Date.now()
      : Date.parse(`${fields.get("date")}T${fields.get("time")}Z`);
    return Number.isNaN(at) ? Date.now() : at;
  }
  /** As the fields say it, right or wrong. */
  read() {
    const { fields } = this;
    const time = fields.get("time");
    return this.isLive
      ? new Date().toISOString()
      : `${fields.get("date")}T${time.length === 5 ? `${time}:00` : time}Z`;
  }
  /** @param {number | null} ms null: now, and going on */
  set(ms) {
    const iso = new Date(ms ?? Date.now()).toISOString();
    this.fields.set("date", iso.slice(0, 10));
    this.fields.set("time", iso.slice(11, 19));
    if (ms === null) this.#show(true);
    else this.#stop();
  }
  /** For the next QSO: who writes down those of another day goes on there. */
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
    this.fields.find("time").classList.toggle("still", !isLive);
  }
}
