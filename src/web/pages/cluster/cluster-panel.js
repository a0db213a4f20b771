// Shows the panel next to the list of spots: the stations on a compass disc or on a map. On a
// phone, the panel is above the list, or hidden.
import { drawing, element, find, once, recall, remember } from "../../shared/page.js";
import { centreOf, placeOf } from "./cluster-rows.js";
import { say } from "../../shared/language.js";

const STATIONS = 40; // stations on the disc
const NAMES = 8; // newest stations that the disc names, in addition to all needed stations
const DESK = matchMedia("(min-width: 62rem)");

/** @import { Place, Spot, SpotMap } from "../types.js" */

/** @type {(kind: string, name: string) => HTMLElement} */
const signOf = (kind, name) =>
  element(
    "li",
    {},
    drawing(
      "svg",
      { viewBox: "0 0 12 12", "aria-hidden": "true" },
      kind === "night"
        ? drawing("rect", { class: kind, width: 12, height: 12 })
        : drawing("circle", { class: `dot ${kind}`, cx: 6, cy: 6, r: 4.5 }),
    ),
    name,
  );
/**
 * Returns a point for each of the newest stations whose place is known. Needed stations are last,
 * so that they are above the others. Within each group, the newest station is last.
 * @param {Spot[]} spots newest first
 * @param {(spot: Spot) => boolean} isNew
 */
function pointsOf(spots, isNew) {
  const named = new Set();
  const points = [];
  for (const spot of spots) {
    const place = placeOf(spot.dxcc_spotted);
    const name = spot.spotted ?? spot.id;
    if (!place || named.has(name) || points.length === STATIONS) continue;
    const isLit = isNew(spot);
    points.push({ place, isNew: isLit, name: isLit || named.size < NAMES ? name : "" });
    named.add(name);
  }
  return points.reverse().sort((a, b) => Number(a.isNew) - Number(b.isNew));
}
/**
 * Marks one of two segments as chosen.
 * @param {[string, string]} ids
 * @param {boolean} isSecond
 */
function choose(ids, isSecond) {
  for (const [index, id] of ids.entries())
    if (isSecond === (index === 1)) find(id).setAttribute("aria-current", "true");
    else find(id).removeAttribute("aria-current");
}

export class Panel {
  /** @type {Spot[]} */
  spots = [];
  /** @type {Place | null} */
  home = null;
  /** @type {SpotMap | null} */
  map = null;
  isMap = recall("cluster-panel") === "map";
  isOnPhone = recall("cluster-map") === "1";
  /** Loads the disc on first use, because its module imports the large outlines of all land. */
  #disc = once(async () => {
    const { Disc } = await import("../../shared/parts/disc.js");
    const disc = new Disc({ label: say("Map of spots"), scale: DESK.matches ? 1.27 : 1.55 });
    find("compass").replaceChildren(disc.node);
    return disc;
  });
  #loadMap = once(async () => {
    const { SpotMap } = await import("./cluster-map.js");
    this.map = new SpotMap(this.open);
    find("map").replaceChildren(this.map.node);
  });

  /**
   * @param {(spot: Spot) => void} open
   * @param {(spot: Spot) => boolean} isNew
   */
  constructor(open, isNew) {
    this.open = open;
    this.isNew = isNew;
    const onPhone = (/** @type {boolean} */ is) => () => {
      this.isOnPhone = is;
      remember("cluster-map", is ? "1" : "");
      this.#draw();
    };
    find("show-list").addEventListener("click", onPhone(false));
    find("show-panel").addEventListener("click", onPhone(true));
    find("with-compass").addEventListener("click", () => this.#choose(false));
    find("with-map").addEventListener("click", () => this.#choose(true));
    DESK.addEventListener("change", () => this.#draw());
    this.#draw();
  }
  /** @param {boolean} isMap */
  #choose(isMap) {
    this.isMap = isMap;
    remember("cluster-panel", isMap ? "map" : "");
    return this.#draw();
  }
  async #draw() {
    const { isMap, isOnPhone } = this;
    choose(["show-list", "show-panel"], isOnPhone);
    choose(["with-compass", "with-map"], isMap);
    find("panel").parentElement?.classList.toggle("with-panel", isOnPhone);
    find("compass").hidden = isMap;
    find("map").hidden = !isMap;
    this.#drawLegend();
    if (!DESK.matches && !isOnPhone) return;
    if (isMap) {
      await this.#loadMap();
      this.map?.show(this.spots, this.home, this.isNew);
    } else {
      const disc = await this.#disc();
      const { spots, home } = this;
      disc.show({ home: home ?? centreOf(spots), points: pointsOf(spots, this.isNew) });
    }
  }
  #drawLegend() {
    const isLit = this.spots.some(this.isNew);
    find("legend").replaceChildren(
      ...(isLit ? [signOf("needed", say("new for you"))] : []),
      signOf("spotted", say("heard")),
      ...(this.isMap
        ? [
            signOf("spotter", say("heard by")),
            signOf("home", say("my location")),
            signOf("night", say("night")),
          ]
        : []),
    );
  }
  /**
   * @param {Spot[]} spots newest first
   * @param {Place | null} home
   */
  show(spots, home) {
    Object.assign(this, { spots, home });
    this.#draw();
  }
  showNight() {
    if (!find("map").hidden) this.map?.showNight();
  }
  /**
   * Shows a place on the map.
   * @param {Place} place
   */
  async goTo(place) {
    this.isOnPhone = true;
    await this.#choose(true);
    find("panel").scrollIntoView({ block: "nearest" });
    this.map?.goTo(place);
  }
}
