// Starts the worker that stores the app's files. A new version takes over when nobody is typing in
// any tab. Every tab is then reloaded, so that no tab uses the files of one version with the
// database of another version.
import { input, recall, remember } from "../shared/page.js";
import { language, say } from "../shared/language.js";

/** @import { App } from "./types.js" */

const LOOK_MS = 2000;
const UPDATE_MS = 3600000;
const WAIT_MS = 10000;
const STEP_MS = 500;
const TYPING = "qsosync-typing";

/**
 * Loads the newer version of the app that created this device's database, and reloads the page.
 * Resolves without a reload if such a version does not exist.
 */
export async function renew() {
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener("controllerchange", () => location.reload());
  const registration = await serviceWorker.register("worker.js");
  setInterval(() => registration.waiting?.postMessage("take over"), LOOK_MS);
  await registration.update();
  const coming = registration.installing ?? registration.waiting;
  while (coming && coming.state !== "activated" && coming.state !== "redundant")
    await new Promise((resolve) => {
      coming.addEventListener("statechange", resolve, { once: true });
    });
}

export class Takeover {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.isHolding = false;
    this.letGo = () => {};
    app.storage.onOutdated = () => location.reload();
  }

  async start() {
    const { serviceWorker } = navigator;
    if (!serviceWorker) {
      if (!recall("no-worker"))
        this.app.tell(
          say("The app can't open offline in this browser. QSOs that you log are still kept."),
          "warn",
        );
      remember("no-worker", "told");
      return;
    }
    let isKept = Boolean(serviceWorker.controller);
    serviceWorker.addEventListener("controllerchange", () => {
      // If the controller is missing, somebody has cleared the site's data. The device could be
      // offline, so the page is not reloaded.
      if (!serviceWorker.controller) return;
      if (isKept) location.reload();
      isKept = true;
      // The worker stores a language's texts when a page requests them, but this page loaded its
      // texts before the worker was active.
      if (language !== "en") fetch(`texts-${language}.js`).catch(() => {});
    });
    addEventListener("input", () => this.#hold());
    // Waits for a first download, which uses the whole bandwidth. The wait is limited, because the
    // app must also be cached.
    for (let ms = 0; ms < WAIT_MS && this.app.synchroniser.isRunning; ms += STEP_MS)
      await new Promise((goOn) => setTimeout(goOn, STEP_MS));
    const register = () => serviceWorker.register("worker.js");
    let registration = await register();
    setInterval(() => this.#look(registration), LOOK_MS);
    setInterval(async () => {
      registration = await register().catch(() => registration);
      registration.update().catch(() => {});
    }, UPDATE_MS);
  }

  #isTyping() {
    const { form, paper } = this.app;
    const isPaper = paper !== null && (paper.text.value.trim() !== "" || paper.queue.length > 0);
    return !form.isEmpty() || isPaper || input("key").value !== "";
  }
  /**
   * Shares a lock with other tabs that contain unsaved text. The tab that takes over requests the
   * lock exclusively.
   */
  #hold() {
    if (this.isHolding || !navigator.locks || !this.#isTyping()) return;
    this.isHolding = true;
    navigator.locks.request(TYPING, { mode: "shared" }, () =>
      this.#isTyping() ? new Promise((done) => (this.letGo = () => done(null))) : null,
    );
  }
  /** @param {ServiceWorkerRegistration} registration */
  #look(registration) {
    if (this.#isTyping()) return this.#hold();
    this.letGo();
    this.isHolding = false;
    const { waiting } = registration;
    if (!waiting) return;
    const takeOver = () => waiting.postMessage("take over");
    if (!navigator.locks) takeOver();
    else navigator.locks.request(TYPING, { ifAvailable: true }, (lock) => lock && takeOver());
  }
}
