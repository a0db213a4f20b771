// Shows the progress of a log's first download, with a button that pauses the download, for metered
// connections. Received QSOs are kept, and the download continues after these QSOs.
import { find, findAs, number } from "../../shared/page.js";
import { recall, remember } from "../../shared/logs.js";
import { say } from "../../shared/language.js";

/** @import { App } from "../types.js" */

const STOPPED = "download-stopped"; // shared by all tabs, and kept after the tabs are closed

export class Download {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.button = findAs("download-button", HTMLButtonElement);
    this.button.addEventListener("click", () => (this.isStopped ? this.#goOn() : this.#stop()));
  }

  get isStopped() {
    return recall(STOPPED) === "1";
  }

  #stop() {
    remember(STOPPED, "1");
    this.app.log.stop();
    this.show();
  }
  #goOn() {
    remember(STOPPED, "");
    this.show();
    this.app.synchroniser.run();
  }

  /** Shows the progress if the whole log is being downloaded. */
  async show() {
    // The synchroniser reports storage failures.
    const state = await this.app.storage.state().catch(() => null);
    if (state === null) return;
    const download = state?.download;
    const isWhole = download?.since === null && download.received > 0;
    if (!isWhole && this.isStopped) remember(STOPPED, ""); // for example, after the log was removed
    if (isWhole && this.app.line) this.showAt(download.received, download.total ?? null);
    else find("download").hidden = true;
  }
  /**
   * Shows the given progress.
   * @param {number} received
   * @param {number | null} total null: unknown
   */
  showAt(received, total) {
    find("download").hidden = false;
    const all = total === null ? null : Math.max(total, received);
    const share = all === null ? null : Math.floor((100 * received) / all);
    const sentence = all === null ? "{n} QSOs so far" : "{n} of {all} QSOs, {share} %";
    find("download-text").textContent = say(sentence, {
      n: number(received),
      all: number(all ?? 0),
      share: number(share ?? 0),
    });
    const bar = findAs("download-progress", HTMLProgressElement);
    if (share !== null) bar.value = share;
    const name = this.isStopped
      ? say("The download of your log has stopped. New QSOs wait until it continues.")
      : say("Downloading your log.");
    if (find("download-name").textContent !== name) find("download-name").textContent = name;
    this.button.textContent = this.isStopped ? say("Continue") : say("Stop");
  }
}
