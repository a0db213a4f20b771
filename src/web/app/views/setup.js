// Obtains the key for this device. The profile creates a key for the signed-in member, or somebody
// types a key. The app also reads a key from the link in the profile's QR code. If no log is on
// this device yet, the app uses such a key only after the member has accepted the key's log.
import { lastMember } from "../../shared/account.js";
import { choice, element, find, input, recall } from "../../shared/page.js";
import { say } from "../../shared/language.js";
import { formatQuery } from "../../shared/query.js";
import { lineOf, logOf } from "../log/early.js";
import { databaseOf } from "../../shared/app-database.js";
import { open, remember, station } from "../../shared/logs.js";
import { ServiceError } from "../../shared/qsosync.js";
import { BrowserStorage } from "../log/storage.js";

/** @import { App, Line } from "../types.js" */

// Android precedes Linux, because Android's browsers name both.
const SYSTEMS = ["Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux"];
/** Returns a name for the device; some browsers report the phone's model, such as Pixel 8. */
async function deviceName() {
  const system = SYSTEMS.find((name) => navigator.userAgent.includes(name));
  /** @type {{ getHighEntropyValues(wish: string[]): Promise<{ model?: string }> } | undefined} */
  const data = Reflect.get(navigator, "userAgentData");
  const known = await data?.getHighEntropyValues(["model"]).catch(() => null);
  return known?.model || `App, ${system || "browser"}`;
}

/** The fragment of this page's address. */
export const SETUP = "#setup";

const KEYS_MAX = 10;
const NAME_TAKEN = "PROFILE.NAME_TAKEN";
/** @type {Record<string, string>} */
const REFUSALS = {
  [NAME_TAKEN]: "This name is taken. Choose another name.",
  "PROFILE.TOO_MANY": "You already have ten, the maximum. Revoke one first.",
  "PROFILE.LOG_NOT_GRANTED": "You can't use this station's log now.",
};
/**
 * @param {string} name
 * @param {string} of the station whose log the key is for; empty: the member's own log
 * @returns {Promise<{status: number, code: string, key: string, number: number}>} an empty code:
 *   the key was created
 */
async function askForKey(name, of) {
  const answer = await fetch(`../profile/data/keys${of && `?${formatQuery({ log: of })}`}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ name, scope: "WRITE", app: "here" }),
  });
  const { status } = answer;
  const { key = "", number = 0, error } = await answer.json();
  return { status, code: answer.ok ? "" : String(error?.code), key, number };
}

/**
 * Returns the member who is signed in on this browser, according to a page of the service. If no
 * page can be loaded, returns the member who signed in last. Empty: nobody.
 */
export async function signedIn() {
  try {
    const answer = await fetch("../welcome/");
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return page.getElementById("account")?.dataset.member ?? lastMember();
  } catch {
    return lastMember();
  }
}

export class Setup {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.hasLearnt = false;
    this.suggested = "";
    find("setup-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#tell(() => this.#makeKey());
    });
    find("key-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#tell(() => this.#take(lineOf(input("key").value.trim())));
    });
  }

  /** @param {string} of the station whose log is offered first; empty: the member's own log */
  show(of = station) {
    this.app.hidePages();
    find("setup").hidden = false;
    const back = this.app.line ? "app/%23setup" : "app/";
    find("sign-in").setAttribute("href", `../sign-in?next=${back}`);
    this.#suggestName();
    // The profile stores in this browser whether the member operates stations. A member whose log
    // is on this device could have received permission for a station since the last visit to the
    // profile.
    if (recall("operates") || (this.app.line && lastMember()))
      import("../../shared/app-stations.js")
        .then((module) => module.offerStations(of))
        .catch(() => {}); // a key cannot be created while offline
  }
  /** @param {Line} line of a link */
  use(line) {
    this.show();
    return this.#tell(() => this.#take(line, true));
  }
  /** Opens the log on this device with its stored key. Resolves to whether a key is stored. */
  async resume() {
    const { storage } = this.app;
    const key = await storage.setting("key");
    if (!key) return false;
    const [callsign, locator] = [
      await storage.setting("callsign"),
      await storage.setting("locator"),
    ];
    await this.app.start(logOf(key), callsign ?? "", locator ?? "");
    return true;
  }
  /** Opens the log again if another tab has changed the key. */
  async renew() {
    const { app } = this;
    const key = await app.storage.setting("key");
    if (!key || key === app.line?.key) return;
    if (app.session) return app.endSession();
    document.getElementById("key-trouble")?.remove();
    await this.resume();
  }
  /**
   * Updates the callsign, the locator and the plan of channels, only once per page. They could have
   * changed since the key was created.
   */
  async learn() {
    const { app } = this;
    if (this.hasLearnt || !app.line) return;
    this.hasLearnt = true;
    try {
      const { callsign, locator, channelPlan } = (await app.line.request("/me")).body;
      remember("plan", channelPlan ?? "");
      await app.storage.set({ callsign, locator });
      Object.assign(app, { callsign, home: locator });
      app.form.showHome();
    } catch {
      this.hasLearnt = false;
    }
  }
  showKeyTrouble() {
    if (document.getElementById("key-trouble") || !find("setup").hidden) return;
    const note = this.app.tell(
      say(
        "This device was signed out, or its key was revoked. Unsent QSOs stay here. Send them with another key, or save them as ADIF in the settings.",
      ),
      "bad",
      say("Use another key"),
      () => (location.hash = SETUP),
    );
    note.id = "key-trouble";
  }

  /**
   * Begins to keep the member's log on this device.
   * @returns {Promise<string>} the fault in words
   */
  async keep() {
    await this.#suggestName();
    return this.#makeKey().catch(() => say("The service can't be reached. Please try again."));
  }

  async #suggestName() {
    this.suggested ||= await deviceName();
    input("device").value ||= this.suggested;
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
        : say("The service can't be reached. Please try again.");
    }
  }

  /**
   * Asks whether to use the log that a link opens. Otherwise, somebody else's link could make the
   * member unknowingly save QSOs in another log.
   * @param {string} callsign callsign of the log that the link opens
   * @returns {Promise<boolean>} whether the member wants that log
   */
  async #ask(callsign) {
    const member = await signedIn();
    find("setup-told").textContent = "";
    return new Promise((resolve) => {
      /** @type {(name: string, kind: string, isWanted: boolean) => HTMLElement} */
      const button = (name, kind, isWanted) => {
        const choose = () => {
          find("whose").hidden = true;
          resolve(isWanted);
        };
        return element("button", { type: "button", class: kind, click: choose }, name);
      };
      find("whose").replaceChildren(
        element(
          "p",
          {},
          say(
            "This link contains a key to the log of {callsign}. QSOs you log on this device go into that log.",
            { callsign },
          ),
        ),
        ...(member && member !== callsign
          ? [
              element(
                "p",
                { class: "note warn" },
                say(
                  "This browser is signed in as {member}. If someone else sent you the link, your QSOs would go into their log.",
                  { member },
                ),
              ),
            ]
          : []),
        element(
          "p",
          { class: "buttons" },
          button(say("Log for {callsign}", { callsign }), "main", true),
          button(say("Don't use this key"), "", false),
        ),
      );
      find("whose").hidden = false;
    });
  }

  /**
   * Begins to use a key, if its member's log is on this device, or if no log is on this device yet.
   * @param {Line} line
   * @param {boolean} [isFromLink]
   * @param {number | null} [number] of a key that was created for this device; sign-out uses the
   *   number to revoke the key
   * @param {string} [of] the station whose log the key is for; empty: the member's own log
   * @returns {Promise<string>} the fault in words; empty: no fault, or the member does not want the
   *   log
   */
  async #take({ log, asked }, isFromLink = false, number = null, of = station) {
    const isOpen = of === station;
    const storage = isOpen ? this.app.storage : await BrowserStorage.open(databaseOf(of));
    const { outbox } = this.app;
    const { body } = await asked;
    const { callsign, locator } = body;
    if (body.scope !== "WRITE") return say("This key is read-only.");
    const isNew = !(await storage.setting("callsign"));
    if (isFromLink && isNew && !(await this.#ask(callsign))) return "";
    const known = await storage.setting("callsign");
    if (isOpen && known && known !== callsign && outbox.size)
      return say("QSOs of {callsign} are waiting on this device. Send or save them first.", {
        callsign: known,
      });
    if (known && known !== callsign)
      return say("The log of {callsign} is on this device. Remove it first, in the settings.", {
        callsign: known,
      });
    await storage.set({ key: log.key, number, callsign, locator });
    if (!isOpen) {
      open(of);
      return "";
    }
    document.getElementById("key-trouble")?.remove();
    this.app.channel?.postMessage("changed");
    this.hasLearnt = true;
    remember("plan", body.channelPlan ?? "");
    if (location.hash === SETUP) history.replaceState(null, "", location.pathname);
    if (this.app.session) await this.app.endSession();
    else await this.app.start(log, callsign, locator);
    return "";
  }

  /**
   * Asks the profile for a key for the signed-in member. If the suggested name is already in use,
   * adds a number to the name.
   */
  async #makeKey() {
    const of = find("setup-log").hidden ? station : choice("setup-station").value;
    const name = input("device").value.trim();
    let made = await askForKey(name, of);
    for (let n = 2; n <= KEYS_MAX && made.code === NAME_TAKEN && name === this.suggested; n++)
      made = await askForKey(`${name} ${n}`, of);
    find("sign-in").hidden = made.status !== 401;
    if (made.status === 401) return say("You are not signed in.");
    if (made.code) return Object.hasOwn(REFUSALS, made.code) ? say(REFUSALS[made.code]) : made.code;
    return this.#take(lineOf(made.key), false, made.number, of);
  }
}
