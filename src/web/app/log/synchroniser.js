// Keeps this device's log in sync with the service while the app is open, and shows the state. The
// engine (qsosync-sync.js) decides what to send and what to store.
import { element, find, number } from "../../shared/page.js";
import { say } from "../../shared/language.js";

/** @import { App, Entry, Outcome } from "../types.js" */

const SYNC_MS = 5000;
const UNPACKING_PAUSE_MS = 10; // pause in which other work can run
const LONGEST_WAIT_MS = 60000;
const SKEW_MS = 30000;

/** @type {Record<Outcome | "not kept", string>} the text that is shown, by the outcome of a pass */
const OUTCOMES = {
  done: "",
  busy: "",
  stopped: "",
  "no key": "This device's key no longer works.",
  "read only": "This key is read-only, so nothing is sent.",
  "no answer": "Offline",
  failed: "The service is busy. Trying again soon.",
  limited: "The service is busy. Trying again soon.",
  "not kept":
    "This device is out of storage. Unsent QSOs stay here and are sent when there is space again.",
};

export class Synchroniser {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Outcome | "not kept" | ""} */
    this.outcome = "";
    this.isOnline = false;
    this.failures = 0;
    this.received = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.isRunning = false;
    this.isUnpacking = false;
    /**
     * @type {Map<string, Entry>} by key: entries that waited when the pass began, or that were
     *   written since
     */
    this.before = new Map();
    this.hasToldSkew = false;
    app.watch(() => {
      if (this.isRunning) this.note([...app.outbox.values()]);
      this.show();
    });
  }

  /** @returns {Promise<void>} */
  async run() {
    const { app } = this;
    const { line } = app;
    if (!line || this.isRunning) return;
    clearTimeout(this.timer);
    if (app.download.isStopped) {
      await app.download.show();
      if (app.download.isStopped) return;
    }
    this.isRunning = true;
    this.received = 0;
    const before = (this.before = new Map(app.outbox));
    try {
      this.outcome = await app.log.synchronise(line);
    } catch {
      this.outcome = "not kept";
    }
    this.isRunning = false;
    if (app.line !== line) return this.run(); // another tab changed the key during the pass
    this.isOnline = this.outcome === "done" || this.outcome === "busy";
    if (this.outcome === "no key") app.setup.showKeyTrouble();
    else this.timer = setTimeout(() => this.run(), this.#wait());
    if (this.outcome === "done") {
      document.getElementById("key-trouble")?.remove();
      app.setup.learn();
    }
    try {
      await app.refresh(this.received > 0);
      await app.download.show();
      this.#announce(before);
      await this.#showSkew();
    } catch {
      this.show(); // shows the outcome even if the storage cannot be read
    }
    if (this.outcome === "done") this.#unpack();
    if (this.received || app.outbox.size !== before.size) app.channel?.postMessage("changed");
  }
  /** Moves the QSOs from a first download to their own records while the log is already in use. */
  async #unpack() {
    if (this.isUnpacking) return;
    this.isUnpacking = true;
    try {
      do await new Promise((goOn) => setTimeout(goOn, UNPACKING_PAUSE_MS));
      while (await this.app.storage.unpack());
    } catch {
      // Waits before the next attempt, because the app reads all packs again after a change that
      // was not stored.
      await new Promise((goOn) => setTimeout(goOn, LONGEST_WAIT_MS));
    }
    this.isUnpacking = false;
  }
  #wait() {
    if (this.outcome === "done" || this.outcome === "busy") {
      this.failures = 0;
      return document.hidden ? LONGEST_WAIT_MS : SYNC_MS;
    }
    if (this.outcome === "limited") return (this.app.log.trouble?.waitSeconds ?? 60) * 1000;
    this.failures++;
    return Math.min(LONGEST_WAIT_MS, 1000 * 2 ** this.failures);
  }

  /** @param {Entry[]} entries entries of the outbox that the current pass can send */
  note(entries) {
    for (const entry of entries) if (!this.before.has(entry.key)) this.before.set(entry.key, entry);
  }
  /**
   * Announces to screen readers that an entry was rejected or, if no entry was rejected, how many
   * entries were sent.
   * @param {Map<string, Entry>} before
   */
  #announce(before) {
    const { app } = this;
    const sent = [...before.keys()].filter((key) => !app.outbox.has(key)).length;
    const refused = [...app.outbox.values()].find(
      ({ key, state }) => state === "refused" && before.get(key)?.state !== "refused",
    );
    if (refused) app.announceRefused(refused);
    else if (sent && this.isOnline)
      app.announce(say("{n} QSO was sent.|{n} QSOs were sent.", { n: sent }));
  }
  async #showSkew() {
    const state = await this.app.storage.state();
    const skew = state?.skewMs ?? 0;
    if (Math.abs(skew) < SKEW_MS || this.hasToldSkew) return;
    this.hasToldSkew = true;
    this.app.tell(
      say("This device's clock is off by {n} second.|This device's clock is off by {n} seconds.", {
        n: number(Math.round(Math.abs(skew) / 1000)),
      }),
      "warn",
    );
  }

  /**
   * @param {number} received
   * @param {number | null} total QSOs in the whole download; null: unknown, or only changes are
   *   downloaded
   */
  progress(received, total) {
    this.received += received;
    this.isOnline = true;
    if (total && received < total) this.app.download.showAt(received, total);
    else if (received > 0) this.app.download.show();
  }

  show() {
    const entries = [...this.app.outbox.values()];
    /** @type {(state: string) => number} */
    const count = (state) => entries.filter((entry) => entry.state === state).length;
    const [n, refused, twice] = ["waiting", "refused", "conflict"].map(count);
    /** @type {[string, string?][]} texts, each with the state by which its link filters the list */
    const parts = [];
    if (this.app.session) parts.push([navigator.onLine ? "" : say("Offline")]);
    else if (!this.app.line) parts.push([say("Not connected yet")]);
    else if (this.outcome && OUTCOMES[this.outcome]) parts.push([say(OUTCOMES[this.outcome])]);
    else if (this.outcome === "done" && !entries.length) parts.push([say("Up to date")]);
    if (n && this.outcome === "no answer")
      parts.push([say("Offline: {n} QSO not sent yet.|Offline: {n} QSOs not sent yet.", { n })]);
    else if (n) parts.push([say("{n} QSO not sent yet.|{n} QSOs not sent yet.", { n })]);
    if (refused)
      parts.push([say("{n} QSO was rejected.|{n} QSOs were rejected.", { n: refused }), "refused"]);
    if (twice)
      parts.push([
        say("{n} QSO has two versions.|{n} QSOs have two versions.", { n: twice }),
        "conflict",
      ]);
    const node = find("state");
    if (node.textContent !== parts.map(([text]) => text).join(" "))
      node.replaceChildren(
        ...parts.flatMap(([text, state], place) => [place ? " " : "", this.#part(text, state)]),
      );
    node.dataset.outcome = this.outcome;
  }
  /**
   * @param {string} text
   * @param {string} [state] of the QSOs that the link shows
   */
  #part(text, state) {
    return state ? element("a", { href: `#logbook?state=${state}` }, text) : text;
  }
}
