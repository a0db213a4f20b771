// Shows a wall of tiles in groups, for example divisions by continent. A tile opens its details.
// The Tab key stops at only one tile of the wall, and arrow keys move between the tiles.
import { element, number } from "../page.js";
import { say } from "../language.js";
import { drawRing } from "./rings.js";

/**
 * @typedef {object} Tile
 * @property {string} name
 * @property {string} title the tile in words, without its state
 * @property {"" | "worked" | "confirmed"} state empty: missing
 * @typedef {object} TileGroup
 * @property {string} title empty: the group has no heading
 * @property {Tile[]} tiles
 * @property {boolean} isWhole whether phones also show the missing tiles
 */
const STATES = { "": "missing", worked: "worked", confirmed: "confirmed" };

/** @param {Tile} tile */
function tileOf({ name, title, state }) {
  const label = `${title} · ${say(STATES[state])}`;
  return element(
    "li",
    { class: state, "data-name": name },
    element("button", { type: "button", tabindex: "-1", title, "aria-label": label }, name),
  );
}
/**
 * @param {TileGroup} group
 * @param {"h2" | "h3"} heading
 */
function groupOf({ title, tiles, isWhole }, heading) {
  const worked = tiles.filter(({ state }) => state).length;
  const confirmed = tiles.filter(({ state }) => state === "confirmed").length;
  const goal = tiles.length;
  const counts = say("{n} of {all}", { n: number(worked), all: number(goal) });
  const more = element("button", { type: "button" }, `+${number(goal - worked)}`);
  const node = element(
    "div",
    { class: isWhole ? "tile-group whole" : "tile-group" },
    title
      ? element(
          "div",
          { class: "tile-head" },
          worked < goal ? drawRing({ worked, confirmed, goal }, { ticks: 24 }) : null,
          element(heading, {}, title),
          element("span", { class: "muted" }, worked < goal ? counts : number(goal)),
        )
      : null,
    element(
      "ul",
      { class: "tiles", "aria-label": title || null },
      ...tiles.map(tileOf),
      worked < goal ? element("li", { class: "rest" }, more) : null,
    ),
  );
  more.setAttribute("aria-label", `${more.textContent} · ${say("Show all")}`);
  more.addEventListener("click", () => {
    node.classList.add("whole");
    node.querySelector("button")?.focus();
  });
  return node;
}

/** Returns the legend of the tiles' colours. */
export function tileKey() {
  /** @type {[string, string][]} */
  const rows = [
    ["confirmed", say("confirmed")],
    ["worked", say("worked")],
    ["on-air", say("missing, on the air now")],
    ["", say("missing")],
  ];
  return element(
    "ul",
    { class: "tile-key" },
    ...rows.map(([kind, text]) => element("li", { class: kind }, text)),
  );
}

export class Wall {
  /**
   * @param {HTMLElement} place
   * @param {"h2" | "h3"} heading element of the groups' headings
   * @param {(name: string) => void} open shows the details of a tile
   */
  constructor(place, heading, open) {
    this.place = place;
    this.heading = heading;
    this.open = open;
    /** @type {string | null} the tile whose details are shown */
    this.chosen = null;
    /** @type {Set<string>} names of tiles that are on the air */
    this.onAir = new Set();
    place.addEventListener("click", ({ target }) => {
      const tile = target instanceof Element ? target.closest("li[data-name]") : null;
      if (tile instanceof HTMLElement) open(tile.dataset.name ?? "");
    });
    place.addEventListener("keydown", (event) => this.#move(event));
    place.addEventListener("focusin", ({ target }) => this.#stopAt(target));
  }
  /** @param {TileGroup[]} groups */
  show(groups) {
    this.place.replaceChildren(
      ...groups.filter(({ tiles }) => tiles.length).map((group) => groupOf(group, this.heading)),
    );
    this.#stopAt(this.place.querySelector("[data-name] button"));
    this.mark(this.onAir);
  }
  /**
   * Marks missing tiles that are on the air now.
   * @param {Set<string>} names
   */
  mark(names) {
    this.onAir = names;
    for (const button of this.place.querySelectorAll("li:not(.worked, .confirmed) > [title]")) {
      const isOnAir = names.has(button.textContent ?? "");
      button.parentElement?.classList.toggle("on-air", isOnAir);
      const state = say(isOnAir ? "missing, on the air now" : "missing");
      button.setAttribute("aria-label", `${button.getAttribute("title")} · ${state}`);
    }
  }

  /**
   * Returns the visible tile before or after a tile; null: none.
   * @param {string} name
   * @param {number} by 1 or -1
   */
  neighbour(name, by) {
    const all = this.#tiles();
    const at = all.findIndex(({ textContent }) => textContent === name);
    return (at < 0 ? null : all[at + by]?.textContent) ?? null;
  }
  /**
   * Marks the tile whose details are shown.
   * @param {string | null} name
   */
  choose(name) {
    this.chosen = name;
    for (const tile of this.#tiles())
      if (tile.textContent === name) tile.setAttribute("aria-current", "true");
      else tile.removeAttribute("aria-current");
  }
  /**
   * Moves the focus to a tile.
   * @param {string} name
   */
  focus(name) {
    this.#tiles()
      .find(({ textContent }) => textContent === name)
      ?.focus();
  }
  /** @returns {HTMLElement[]} the visible tiles */
  #tiles() {
    return [
      .../** @type {NodeListOf<HTMLElement>} */ (
        this.place.querySelectorAll("[data-name] > button")
      ),
    ].filter((tile) => tile.offsetParent);
  }

  /**
   * Lets the key Tab stop only at this tile.
   * @param {EventTarget | null} tile
   */
  #stopAt(tile) {
    for (const other of this.place.querySelectorAll('[data-name] [tabindex="0"]'))
      other.setAttribute("tabindex", "-1");
    if (tile instanceof Element && tile.closest("[data-name]")) tile.setAttribute("tabindex", "0");
  }
  /** @param {KeyboardEvent} event */
  #move(event) {
    const tiles = [...this.place.querySelectorAll("button")].filter((tile) => tile.offsetParent);
    const at = tiles.findIndex((tile) => tile === event.target);
    const next = {
      ArrowRight: () => tiles[at + 1],
      ArrowLeft: () => tiles[at - 1],
      ArrowDown: () => this.#nearest(tiles, tiles[at], 1),
      ArrowUp: () => this.#nearest(tiles, tiles[at], -1),
      Home: () => tiles[0],
      End: () => tiles[tiles.length - 1],
    }[event.key];
    if (at < 0 || !next) return;
    event.preventDefault();
    const tile = next();
    tile?.focus();
    if (tile && this.chosen !== null) this.open(tile.textContent ?? "");
  }
  /**
   * Returns the nearest tile in the rows below or above a tile.
   * @param {HTMLElement[]} tiles
   * @param {HTMLElement} from
   * @param {1 | -1} way
   */
  #nearest(tiles, from, way) {
    const own = from.getBoundingClientRect();
    const rows = tiles
      .map((tile) => ({ tile, box: tile.getBoundingClientRect() }))
      .map(({ tile, box }) => ({ tile, down: way * (box.y - own.y), right: box.x - own.x }))
      .filter(({ down }) => down > own.height / 2)
      .sort((a, b) => 3 * a.down + Math.abs(a.right) - 3 * b.down - Math.abs(b.right));
    return rows[0]?.tile;
  }
}
