// The app: opens the log of this device, keeps it in step while somebody looks, and shows one of
// four
// pages. It is a client of the public interface and nothing else; only its key may come from the
// profile, where the member is signed in.
import { element, find, input, number, recall, remember } from "../pages/page.js";
import { say } from "../pages/language.js";
import { Log, ServiceError } from "./qsosync.js";
import { makeClientId } from "./qsosync-fields.js";
import { LocalLog, readOutbox } from "./qsosync-sync.js";
import { BrowserStorage, compact } from "./storage.js";
import { formatAdif } from "./adif.js";
import { Form } from "./form.js";
import { List } from "./list.js";
import { Paper } from "./paper.js";
import { Spots } from "./spots.js";

/** @typedef {import("./qsosync-storage.js").Entry} Entry */
/** @typedef {import("./qsosync-sync.js").Outcome} Outcome */

const ADDRESS = new URL("../api/v1", location.href).href;
const SYNC_MS = 5000;
const LONGEST_WAIT_MS = 60000;
const SKEW_MS = 30000;
const PAGES = ["log", "list", "lines", "settings"];

export class App {
  /** @param {BrowserStorage} storage */
  constructor(storage) {
    this.storage = storage;
    this.makeId = makeClientId;
    this.log = new LocalLog(storage, {
      alone: async (work) =>
        navigator.locks
          ? navigator.locks.request("qsosync-app", { ifAvailable: true }, async (lock) =>
              lock ? work() : "busy",
            )
          : work(),
      progress: (received) => this.#progress(received),
    });
    /** @type {Log | null} */
    this.line = null;
    this.callsign = "";
    /** @type {Map<string, Entry>} */
    this.outbox = new Map();
    /** @type {Outcome | ""} */
    this.outcome = "";
    this.isOnline = false;
    this.failures = 0;
    this.received = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.isRunning = false;
    this.channel = "BroadcastChannel" in window ? new BroadcastChannel("qsosync-app") : null;
    if (this.channel) this.channel.onmessage = () => this.refresh();
    this.form = new Form(this);
    this.list = new List(this);
    this.paper = new Paper(this);
    this.spots = new Spots(this);
  }

  // -- what the pages ask -------------------------------------------------------------------------

  /**
   * QSOs with that station, the newest first.
   * @param {string} call compact
   */
  async worked(call) {
    const copies = (await this.storage.withCallsign(call, 20)).filter(
      ({ key }) => !this.outbox.has(key),
    );
    const waiting = [...this.outbox.values()].filter(
      ({ kind, qso }) => kind === "save" && compact(qso.callsignWorked).startsWith(call),
    );
    return [...waiting, ...copies]
      .map(({ qso }) => qso)
      .sort((a, b) => (a.qsoAt < b.qsoAt ? 1 : -1));
  }
  /** @param {string} number */
  async hasDivision(number) {
    const isOf = (/** @type {any} */ qso) =>
      /^(\d+)/.exec(compact(qso.callsignWorked))?.[1] === number;
    return (
      (await this.storage.hasDivision(number)) ||
      [...this.outbox.values()].some(({ kind, qso }) => kind === "save" && isOf(qso))
    );
  }

  /** Something was written: it is shown, told to other tabs, and sent. */
  async written() {
    this.channel?.postMessage("changed");
    await this.refresh();
    this.#persist();
    this.synchronise();
  }
  async refresh() {
    const entries = await readOutbox(this.storage);
    this.outbox = new Map(entries.map((entry) => [entry.key, entry]));
    this.showState();
    if (!find("list").hidden) await this.list.refresh();
  }
  #persist() {
    if (recall("persist")) return;
    remember("persist", "asked");
    navigator.storage?.persist?.().catch(() => {});
  }

  // -- messages -----------------------------------------------------------------------------------

  /** @param {string} text for who hears the page, and for who sees it */
  announce(text) {
    find("said").textContent = text;
  }
  /**
   * @param {string} text
   * @param {string} kind
   * @param {string} [name] of a button
   * @param {() => void} [act]
   */
  tell(text, kind, name, act) {
    const note = element("p", { class: `note ${kind}`, role: "status" }, text);
    const button = element("button", { type: "button" }, name ?? say("Close"));
    button.addEventListener("click", () => {
      note.remove();
      act?.();
    });
    note.append(button);
    find("notices").append(note);
    return note;
  }

  /** @param {number} received */
  #progress(received) {
    this.received += received;
    this.isOnline = true;
    if (received > 0) this.#showDownload(received);
  }
  /** @param {number} received */
  async #showDownload(received) {
    const state = await this.storage.change((records) => records.get("state", "sync"));
    if (state?.download?.since === null)
      find("state").textContent = say(
        "Downloading your log: {n} QSO|Downloading your log: {n} QSOs",
        { n: received },
      );
  }

  showState() {
    const entries = [...this.outbox.values()];
    const n = entries.filter(({ state }) => state === "waiting").length;
    const refused = entries.filter(({ state }) => state === "refused").length;
    const twice = entries.filter(({ state }) => state === "conflict").length;
    const parts = [];
    if (!this.line) parts.push(say("No key."));
    else if (this.outcome === "no key")
      parts.push(say("The key of this device does not work any more."));
    else if (this.outcome === "read only")
      parts.push(say("The key may only read: nothing is sent."));
    else if (this.outcome === "no answer") parts.push(say("No network."));
    else if (this.outcome === "failed" || this.outcome === "limited")
      parts.push(say("The service asks to wait."));
    else if (this.outcome === "done" && !entries.length) parts.push(say("All is in step."));
    if (n) parts.push(say("{n} QSO waits.|{n} QSOs wait.", { n }));
    if (refused) parts.push(say("{n} QSO was refused.|{n} QSOs were refused.", { n: refused }));
    if (twice)
      parts.push(say("{n} QSO was changed twice.|{n} QSOs were changed twice.", { n: twice }));
    const text = parts.join(" ");
    if (find("state").textContent !== text) find("state").textContent = text;
    find("state").dataset.outcome = this.outcome;
  }

  // -- keeping in step ----------------------------------------------------------------------------

  async synchronise() {
    if (!this.line || this.isRunning) return;
    clearTimeout(this.timer);
    this.isRunning = true;
    this.received = 0;
    const before = this.outbox.size;
    try {
      this.outcome = await this.log.synchronise(this.line);
    } catch (error) {
      this.outcome = "failed"; // such as a full storage
      this.tell(String(error), "bad");
    }
    this.isRunning = false;
    this.isOnline = this.outcome === "done" || this.outcome === "busy";
    await this.refresh();
    if (this.received || this.outbox.size !== before) this.channel?.postMessage("changed");
    if (this.outcome === "no key") this.#showKeyTrouble();
    else this.timer = setTimeout(() => this.synchronise(), this.#wait());
    await this.#showSkew();
  }
  #wait() {
    if (this.outcome === "done" || this.outcome === "busy") {
      this.failures = 0;
      return document.hidden ? LONGEST_WAIT_MS : SYNC_MS;
    }
    if (this.outcome === "limited") return (this.log.trouble?.waitSeconds ?? 60) * 1000;
    this.failures++;
    return Math.min(LONGEST_WAIT_MS, 1000 * 2 ** this.failures);
  }
  async #showSkew() {
    const state = await this.storage.change((records) => records.get("state", "sync"));
    const skew = state?.skewMs ?? 0;
    if (Math.abs(skew) < SKEW_MS || this.hasToldSkew) return;
    this.hasToldSkew = true;
    this.tell(
      say(
        "The clock of this device is wrong by {n} second.|The clock of this device is wrong by {n} seconds.",
        { n: number(Math.round(Math.abs(skew) / 1000)) },
      ),
      "warn",
    );
  }
  #showKeyTrouble() {
    if (document.getElementById("key-trouble")) return;
    const note = this.tell(
      say(
        "The key of this device was revoked. What was not sent stays here: send it with another key, or save it as ADIF in the settings.",
      ),
      "bad",
      say("Use another key"),
      () => this.showSetup(),
    );
    note.id = "key-trouble";
  }

  // -- pages --------------------------------------------------------------------------------------

  show() {
    if (!find("setup").hidden && !this.line) return;
    const wanted = location.hash.slice(1);
    const page = PAGES.includes(wanted) ? wanted : "log";
    find("setup").hidden = true;
    for (const name of PAGES) find(name).hidden = name !== page;
    for (const link of document.querySelectorAll("#views a"))
      if (link.getAttribute("href") === `#${page}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    if (page === "list") this.list.refresh();
    if (page === "lines") this.paper.show();
    if (page === "settings") this.showSettings();
    if (page === "log") find("callsignWorked").focus({ preventScroll: true });
  }
  showSetup() {
    for (const name of PAGES) find(name).hidden = true;
    find("setup").hidden = false;
    if (!input("device").value) input("device").value = deviceName();
  }

  async showSettings() {
    const { usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
    const isKept = await Promise.race([
      navigator.storage?.persisted?.() ?? false,
      new Promise((done) => setTimeout(done, 500, false)),
    ]);
    const facts = [
      [say("Callsign"), this.callsign],
      [say("QSOs on this device"), number(await this.storage.count())],
      [say("Storage"), `${number(usage / 1048576, 1)} MB`],
      [
        say("Kept when storage is short"),
        isKept ? say("yes") : say("the browser does not promise it"),
      ],
      [
        say("Without a network"),
        navigator.serviceWorker?.controller
          ? say("the app opens")
          : say("the app does not open in this browser"),
      ],
    ];
    find("facts").replaceChildren(
      ...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
    );
    input("frequencies").value = recall("calling") ?? "27.555 27.185 26.285";
  }
  export() {
    const qsos = [...this.outbox.values()]
      .filter(({ kind }) => kind === "save")
      .map(({ qso }) => qso);
    const url = URL.createObjectURL(new Blob([formatAdif(qsos)], { type: "text/plain" }));
    element("a", { href: url, download: "qsosync-waiting.adi" }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
  }

  // -- the key ------------------------------------------------------------------------------------

  /**
   * Takes a key into use: that of the member whose log this is, or of the first one.
   * @param {string} key
   * @returns {Promise<string>} what is wrong with it; empty: nothing
   */
  async takeKey(key) {
    const line = new Log(ADDRESS, key);
    const { body } = await line.request("/me");
    if (body.scope !== "WRITE") return say("This key may only read.");
    const known = await this.storage.setting("callsign");
    if (known && known !== body.callsign && this.outbox.size)
      return say("QSOs of {callsign} wait on this device. Send or save them first.", {
        callsign: known,
      });
    if (known && known !== body.callsign)
      return say("The log of {callsign} is on this device. Remove it first, in the settings.", {
        callsign: known,
      });
    await this.storage.set("key", key);
    await this.storage.set("callsign", body.callsign);
    document.getElementById("key-trouble")?.remove();
    await this.start(line, body.callsign);
    return "";
  }
  /**
   * @param {Log} line
   * @param {string} callsign
   */
  async start(line, callsign) {
    this.line = line;
    this.callsign = callsign;
    find("setup").hidden = true;
    find("views").hidden = false;
    this.show();
    await this.refresh();
    this.synchronise();
    this.spots.start();
  }

  /** Asks the profile for a key, in the name of who is signed in. */
  async makeKey() {
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
    return this.takeKey(body.key);
  }
}

function deviceName() {
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(navigator.userAgent)?.[0] ?? "";
  return `App, ${system || "browser"}`;
}

/** @param {() => Promise<string>} work */
async function tellSetup(work) {
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

/** The key of a link to the app; the address is rid of it at once. */
function takeKeyOutOfAddress() {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (key) history.replaceState(null, "", location.pathname);
  return key;
}

/**
 * @param {App} app
 * @param {string} key
 */
function useKeyOfAddress(app, key) {
  app.showSetup();
  return tellSetup(() => app.takeKey(key));
}

/** @param {App} app */
function listen(app) {
  addEventListener("hashchange", () => {
    const key = takeKeyOutOfAddress();
    if (key) useKeyOfAddress(app, key);
    else app.show();
  });
  addEventListener("online", () => app.synchronise());
  document.addEventListener("visibilitychange", () => app.synchronise());
  find("setup-form").addEventListener("submit", (event) => {
    event.preventDefault();
    tellSetup(() => app.makeKey());
  });
  find("key-form").addEventListener("submit", (event) => {
    event.preventDefault();
    tellSetup(() => app.takeKey(input("key").value.trim()));
  });
  find("settings-form").addEventListener("submit", (event) => {
    event.preventDefault();
    remember("calling", input("frequencies").value.trim());
    app.form.showCalling();
    app.announce(say("Kept"));
  });
  find("export").addEventListener("click", () => app.export());
  find("another").addEventListener("click", () => app.showSetup());
  find("forget").addEventListener("click", () => {
    const text = app.outbox.size
      ? say("{n} QSO would be lost that was not sent.|{n} QSOs would be lost that were not sent.", {
          n: app.outbox.size,
        })
      : say("The log stays on the service.");
    app.tell(text, "warn", say("Remove it all the same"), async () => {
      await app.storage.clear();
      await app.storage.set("key", null);
      await app.storage.set("callsign", null);
      location.reload();
    });
  });
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    find("install").hidden = false;
    find("install").onclick = () => /** @type {any} */ (event).prompt();
  });
}

/**
 * The worker that keeps the app's files. A new version takes over when nothing is being typed; what
 * is in the form outlives the page in any case.
 * @param {App} app
 */
async function startWorker(app) {
  if (!navigator.serviceWorker) return;
  const isUpdate = Boolean(navigator.serviceWorker.controller);
  navigator.serviceWorker.addEventListener("controllerchange", () => isUpdate && location.reload());
  const registration = await navigator.serviceWorker.register("worker.js");
  setInterval(() => {
    if (app.form.isEmpty() && !find("log").hidden) registration.waiting?.postMessage("take over");
  }, 2000);
  setInterval(() => registration.update().catch(() => {}), 3600000);
}

async function start() {
  const fromAddress = takeKeyOutOfAddress();
  /** @type {BrowserStorage} */
  let storage;
  try {
    storage = await BrowserStorage.open();
  } catch {
    find("state").textContent = say(
      "This browser keeps nothing here, as in a private window: the app cannot keep a log.",
    );
    return;
  }
  const app = new App(storage);
  Object.assign(window, { app });
  listen(app);
  await app.refresh();
  const key = await storage.setting("key");
  const callsign = await storage.setting("callsign");
  if (fromAddress) await useKeyOfAddress(app, fromAddress);
  else if (key) await app.start(new Log(ADDRESS, key), callsign ?? "");
  else app.showSetup();
  startWorker(app).catch(() => {});
}
start();
