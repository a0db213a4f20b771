// Shows the settings: the state of this device's log and storage, and the actions for both.
import { element, find, input, number } from "../../shared/page.js";
import { say } from "../../shared/language.js";
import { SETUP } from "./setup.js";
import { forget, open, recall, remember, station, stations } from "../../shared/logs.js";

/** @import { App } from "../types.js" */

export class Settings {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    find("settings-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      remember("calling", input("frequencies").value.trim());
      app.form.showCalling();
      const { setPlan } = await import("../log/plan.js");
      await setPlan(app);
    });
    find("export").addEventListener("click", () => this.#export());
    find("another").addEventListener("click", () => {
      location.hash = SETUP;
    });
    find("forget").addEventListener("click", () => this.#askToForget());
    addEventListener("beforeinstallprompt", (event) => {
      event.preventDefault();
      find("install").hidden = false;
      find("install").onclick = () => /** @type {any} */ (event).prompt();
    });
  }

  /** Lists the other logs on this device: stations' logs, and the member's own log. */
  #showLogs() {
    find("logs").replaceChildren(
      ...["", ...stations()]
        .filter((of) => of !== station)
        .map((of) =>
          element(
            "button",
            { type: "button", click: () => open(of) },
            of ? say("Open the log of {callsign}", { callsign: of }) : say("Open my log"),
          ),
        ),
    );
  }

  async show() {
    this.#showLogs();
    input("frequencies").value = recall("calling") ?? "";
    import("../log/plan.js").then(
      ({ showPlan }) => showPlan(this.app),
      () => {}, // offline without the tables
    );
    await this.#showFacts().finally(() => find("settings").classList.remove("filling"));
  }
  async #showFacts() {
    const { app } = this;
    find("keep-later").hidden = !app.session;
    for (const id of ["export", "forget"]) find(id).hidden = Boolean(app.session);
    const { usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
    const isKept = await Promise.race([
      navigator.storage?.persisted?.() ?? false,
      new Promise((done) => setTimeout(done, 500, false)),
    ]);
    const facts = [
      [say("Callsign"), app.callsign],
      [say("QSOs on this device"), number(await app.storage.count())],
      [say("Storage"), `${number(usage / 1048576, 1)} MB`],
      [
        say("Kept if storage runs low"),
        isKept ? say("yes") : say("the browser doesn't guarantee it"),
      ],
      [
        say("Offline use"),
        navigator.serviceWorker?.controller
          ? say("the app opens")
          : say("the app doesn't open in this browser"),
      ],
    ];
    find("facts").replaceChildren(
      ...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
    );
  }

  async #export() {
    const { saveAdif } = await import("../text/save-adif.js");
    const qsos = [...this.app.outbox.values()]
      .filter(({ kind }) => kind === "save")
      .map(({ qso }) => qso);
    saveAdif("qsosync-waiting.adi", qsos);
  }
  #askToForget() {
    const { app } = this;
    const text = app.outbox.size
      ? say("{n} unsent QSO would be lost.|{n} unsent QSOs would be lost.", {
          n: app.outbox.size,
        })
      : say("The log stays on the service.");
    app.tell(text, "warn", say("Remove anyway"), async () => {
      await app.storage.clear();
      await app.storage.set({ key: null, callsign: null });
      forget();
      app.channel?.postMessage("forgotten");
      location.reload();
    });
  }
}
