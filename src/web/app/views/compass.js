// The compass disc next to the form of a QSO.
import { find } from "../../shared/page.js";
import { parseLocator } from "../../shared/map/geography.js";
import { Disc } from "../../shared/parts/disc.js";

/** @import { Place } from "../types.js" */

export class Compass {
  constructor() {
    this.disc = new Disc({ isSmall: true });
  }
  /**
   * Points the needle at a station, or shows the world if the station's place is unknown. Without
   * the member's own locator, there is no disc.
   * @param {string} locator the member's
   * @param {Place | null} to
   * @param {boolean} isNew
   */
  aim(locator, to, isNew) {
    const home = parseLocator(locator);
    find("disc").replaceChildren(...(home ? [this.disc.node] : []));
    if (home) this.disc.show({ home, to, isNew });
  }
}
