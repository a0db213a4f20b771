// Renews a section of the profile when the log has changed, here or elsewhere, while somebody sees
// it.
import { find } from "../site/page.js";
import { get } from "../site/service.js";

const CHANGES_MS = 1000; // many changes in a row renew a section once

export class Renewal {
  /** Of the log that is shown; empty: none is yet. */
  revision = "";
  timer = 0;

  /**
   * @param {string} name of the section
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
    // What src/pages/profile/profile.js of another tab sends.
    if ("BroadcastChannel" in window)
      new BroadcastChannel("qsosync-log").addEventListener("message", soon);
    document.addEventListener("visibilitychange", () => this.look());
    window.addEventListener("hashchange", soon);
  }
  /** Only where something was written, so that a reader's place and open rows stay. */
  async look() {
    if (!this.revision || document.hidden || this.section.hidden) return;
    try {
      const now = get("revision");
      if ((await now).revision !== this.revision) await this.renew(now);
    } catch {
      /* the next occasion tells */
    }
  }
}
