// Renews a visible section of the profile when the log has changed, in this browser or elsewhere.
import { find } from "../../shared/page.js";
import { get } from "../../shared/service.js";

const CHANGES_MS = 1000; // delay, so that several changes in quick succession cause one renewal

export class Renewal {
  /** Revision of the shown log; empty: nothing is shown yet. */
  revision = "";
  timer = 0;

  /**
   * @param {string} name name of the section
   * @param {(now: Promise<{revision: string}>) => Promise<void>} renew
   */
  constructor(name, renew) {
    this.section = find(`section-${name}`);
    this.renew = renew;
    const soon = () => {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.look(), CHANGES_MS);
    };
    document.addEventListener("changed", soon);
    // Receives messages from src/web/pages/profile/profile.js in another tab.
    if ("BroadcastChannel" in window)
      new BroadcastChannel("qsosync-log").addEventListener("message", soon);
    document.addEventListener("visibilitychange", () => this.look());
    window.addEventListener("hashchange", soon);
  }
  /** Renews the section only after a change, so that the reader's place and open rows are kept. */
  async look() {
    if (!this.revision || document.hidden || this.section.hidden) return;
    try {
      const now = get("revision");
      if ((await now).revision !== this.revision) await this.renew(now);
    } catch {
      /* the next event causes another attempt */
    }
  }
}
