// The key of this device: made by the profile in the name of who is signed in, typed, or taken out
// of the link that the profile shows as a QR code.
import { find, input } from "../pages/page.js";
import { say } from "../pages/language.js";
import { lineOf } from "./early.js";
import { ServiceError } from "./qsosync.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./early.js").Line} Line */

function deviceName() {
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(navigator.userAgent)?.[0] ?? "";
  return `App, ${system || "browser"}`;
}

export class Setup {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    find("setup-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#tell(() => this.#makeKey());
    });
    find("key-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#tell(() => this.#take(lineOf(input("key").value.trim())));
    });
  }

  show() {
    this.app.hidePages();
    find("setup").hidden = false;
    if (!input("device").value) input("device").value = deviceName();
  }
  /** @param {Line} line of a link */
  use(line) {
    this.show();
    return this.#tell(() => this.#take(line));
  }
  /** The log of this device with the key that it has; false: it has none. */
  async resume() {
    const { storage } = this.app;
    const key = await storage.setting("key");
    if (!key) return false;
    const [callsign, locator] = [
      await storage.setting("callsign"),
      await storage.setting("locator"),
    ];
    await this.app.start(lineOf(key), callsign ?? "", locator ?? "");
    return true;
  }
  /** Another tab may have taken another key into use. */
  async renew() {
    const key = await this.app.storage.setting("key");
    if (!key || key === this.app.line?.key) return;
    document.getElementById("key-trouble")?.remove();
    await this.resume();
  }
  showKeyTrouble() {
    if (document.getElementById("key-trouble")) return;
    const note = this.app.tell(
      say(
        "The key of this device was revoked. What was not sent stays here: send it with another key, or save it as ADIF in the settings.",
      ),
      "bad",
      say("Use another key"),
      () => this.show(),
    );
    note.id = "key-trouble";
  }

  /** @param {() => Promise<string>} work */
  async #tell(work) {
    const told = find("setup-told");
    told.textContent = say("Loading");
    try {
      told.textContent = await work();
    } catch (error) {
      const isWrong = error instanceof ServiceError && error.status === 401;
      told.textContent = isWrong
        ? say("This key does not work.")
        : say("No connection to the service. Please try again.");
    }
  }

  /**
   * Takes a key into use: that of the member whose log this is, or of the first one.
   * @param {Line} line
   * @returns {Promise<string>} what is wrong with it; empty: nothing
   */
  async #take(line) {
    const { storage, outbox } = this.app;
    const { body } = await line.request("/me");
    const known = await storage.setting("callsign");
    if (known || body.scope !== "WRITE") line.forgetEarly();
    if (body.scope !== "WRITE") return say("This key may only read.");
    if (known && known !== body.callsign && outbox.size)
      return say("QSOs of {callsign} wait on this device. Send or save them first.", {
        callsign: known,
      });
    if (known && known !== body.callsign)
      return say("The log of {callsign} is on this device. Remove it first, in the settings.", {
        callsign: known,
      });
    const { callsign, locator } = body;
    await storage.set({ key: line.key, callsign, locator });
    document.getElementById("key-trouble")?.remove();
    this.app.channel?.postMessage("changed");
    await this.app.start(line, callsign, locator);
    return "";
  }

  /** Asks the profile for a key, in the name of who is signed in. */
  async #makeKey() {
    const answer = await fetch("../profile/data/keys", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ name: input("device").value.trim(), scope: "WRITE" }),
    });
    find("sign-in").hidden = answer.status !== 401;
    if (answer.status === 401) return say("You are not signed in.");
    const body = await answer.json();
    if (!answer.ok)
      return body.error?.code === "PROFILE.TOO_MANY"
        ? say("There are ten already. Revoke one first.")
        : String(body.error?.code);
    return this.#take(lineOf(body.key));
  }
}
