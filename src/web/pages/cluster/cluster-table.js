// Shows the table on the spots page: the loaded spots, newest first, with distance and bearing from
// the visitor's place. Rows are grouped in blocks of a fixed height from the style sheet. So the
// browser draws only visible blocks, and checks only a few blocks for visibility.
import { element, hour, number, timeFormat, typed } from "../../shared/page.js";
import { bearing, distanceKm } from "../../shared/map/geography.js";
import { cell, divisionOf, entityOf, frequencyOf, placeOf } from "./cluster-rows.js";
import {
  UNCONFIRMED,
  fitsQuery,
  hasNew,
  neededOfSpot,
} from "../../shared/awards/cluster-needed.js";
import { isHidden } from "./cluster-hidden.js";
import { arrowOf, badgeOf, callsignOf, shortAge } from "../../shared/parts/row.js";
import { capital, say } from "../../shared/language.js";
import { toneOf } from "../../shared/words/qso-words.js";

const NEW_MS = 60000; // time for which a new row is marked
const DAY_MS = 86400000;
const dates = timeFormat({ day: "numeric", month: "short" });
const BLOCK = 20; // rows per block, as in the style sheet

/** @import { KnownWorth, Place, Spot, Wish } from "../types.js" */
/**
 * @typedef {ReturnType<typeof createEntry>} Entry
 */
/** @param {Spot} spot */
function createEntry(spot) {
  const when = element("time", { datetime: spot.when, title: `${hour(spot.when)} UTC` });
  const distance = element("span", { class: "km" });
  const ageOnPhone = element("span", { class: "age", "aria-hidden": "true" });
  const towards = cell("towards right");
  const isChannel = spot.band === "pmr446" && spot.channel !== null;
  const tone = toneOf(spot);
  const call = element(
    "button",
    { type: "button", class: "call", tabindex: "-1" },
    callsignOf(spot.spotted),
  );
  const [entity, locator] = [entityOf(spot.dxcc_spotted), spot.spottedLocator];
  const tag = badgeOf("new", "");
  const where = cell(
    "where",
    entity ? element("small", {}, typed(entity)) : null,
    locator ? element("small", { class: "locator" }, entity ? " · " : "", typed(locator)) : null,
  );
  const row = element(
    "tr",
    { role: "row", "data-id": spot.id, class: spot.source ? "network" : "" },
    cell("when number", when),
    element("th", { role: "rowheader", scope: "row", class: "dx" }, call),
    where,
    cell(
      "frequency",
      element("strong", {}, isChannel ? `PMR ${spot.channel}` : frequencyOf(spot)),
      " ",
      spot.mode,
      tone ? element("small", {}, " ", typed(tone)) : null,
    ),
    cell(
      "heard",
      typed(spot.spotter),
      " ",
      spot.source ? element("small", {}, typed(spot.source)) : null,
      spot.spotterLocator ? element("small", {}, typed(spot.spotterLocator)) : null,
    ),
    cell("far right", distance, ageOnPhone),
    towards,
  );
  return {
    ...{ spot, row, tag, where, call, when, ageOnPhone, distance, towards },
    newUntil: 0,
    isHeld: false, // whether the row waits until the reader returns to the top
  };
}
/** @param {Node} node @param {string} text */
function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
/**
 * Updates the age of a spot, and removes the mark of a new row after NEW_MS.
 * @param {Entry} entry
 * @param {number} now
 */
function showAge({ spot, row, when, ageOnPhone, newUntil }, now) {
  const isOld = now - new Date(spot.when).getTime() > DAY_MS;
  const text = isOld ? dates().format(new Date(spot.when)) : shortAge(spot.when, now);
  write(when, text);
  write(ageOnPhone, text);
  if (newUntil && newUntil < now) row.classList.remove("new");
}
/** @param {HTMLElement} row */
function remove(row) {
  const block = row.parentElement;
  row.remove();
  if (!block?.firstElementChild) block?.remove();
}

export class SpotTable {
  /** @type {Map<string, Entry>} by a spot's id */
  entries = new Map();
  /** @type {Place | null} */
  home = null;
  isMember = false;
  /** @type {KnownWorth | null} the stations, squares and divisions that the member has worked */
  known = null;
  /** @type {Wish} */
  wish = "";
  /** @type {HTMLElement | undefined} the row whose details are shown */
  chosen;
  /** @type {HTMLElement | null} the button in the only row that the Tab key reaches */
  current = null;

  /**
   * Opens the spot of a clicked row, and moves between rows with arrow keys.
   * @param {HTMLTableElement} table
   * @param {(spot: Spot) => void} open
   */
  constructor(table, open) {
    this.table = table;
    /** @param {EventTarget | null} target */
    const entryAt = (target) => {
      const row = target instanceof Element ? target.closest("tr") : null;
      return row ? this.entries.get(row.dataset.id ?? "") : undefined;
    };
    table.addEventListener("click", (event) => {
      const entry = entryAt(event.target);
      if (!entry || getSelection()?.type === "Range") return;
      this.#makeCurrent(entry.call);
      open(entry.spot);
    });
    table.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const all = this.#shown();
      const entry =
        step && all[all.findIndex(({ row }) => row === entryAt(event.target)?.row) + step];
      if (!entry) return;
      event.preventDefault();
      this.#makeCurrent(entry.call);
      entry.call.focus();
    });
  }

  /** @param {Entry} entry */
  #measure({ spot, distance, towards }) {
    const there = placeOf(spot.dxcc_spotted);
    const angle = this.home && there ? bearing(this.home, there) : null;
    write(distance, this.home && there ? `${number(distanceKm(this.home, there))} km` : "");
    towards.replaceChildren(...(angle === null ? [] : [arrowOf(angle), ` ${angle}°`]));
  }
  /** @param {Spot} spot */
  #neededOf(spot) {
    const square = (spot.spottedLocator ?? "").slice(0, 4).toUpperCase();
    const { special, band, mode } = spot;
    return neededOfSpot({ division: divisionOf(spot), square, special, band, mode }, this.known);
  }
  /**
   * Returns, in words, what a spot would add to the member's log, the most important part first.
   * @param {Spot} spot
   */
  marksOf(spot) {
    return this.#neededOf(spot)
      .filter((one) => one !== UNCONFIRMED)
      .map((text) => say(text));
  }
  /**
   * Returns whether the spot would add something new to the member's log.
   * @param {Spot} spot
   */
  isNew(spot) {
    return hasNew(this.#neededOf(spot));
  }
  /**
   * Shows only the most important mark, because a row has no room for other marks. The sheet shows
   * all marks.
   * @param {Entry} entry
   */
  #mark({ spot, row, tag, where }) {
    const marks = this.marksOf(spot);
    const text = capital(marks[0] ?? "");
    write(tag, text);
    tag.title = marks.join(" · ");
    row.classList.toggle("needed", text !== "");
    if (!text) tag.remove();
    else if (tag.parentElement !== where) where.prepend(tag);
  }
  /**
   * Reserves space for what the member's log adds: distances, and badges in front of places. Places
   * stay invisible until the badges are known, so that no visible place moves.
   * @param {boolean} isMember
   */
  expectMember(isMember) {
    this.isMember = isMember;
    this.table.classList.toggle("measured", isMember || this.home !== null);
    this.table.classList.toggle("unmarked", isMember && !this.known);
  }
  showPlaces() {
    this.table.classList.remove("unmarked");
  }
  /** Updates the ages of all spots. The page calls this function at intervals. */
  showAges() {
    const now = Date.now();
    for (const entry of this.entries.values()) showAge(entry, now);
  }
  /** @param {Place | null} place */
  measureFrom(place) {
    this.home = place;
    this.table.classList.toggle("measured", this.isMember || place !== null);
    for (const entry of this.entries.values()) this.#measure(entry);
  }
  /** @param {KnownWorth} worked the stations, squares and divisions that the member has worked */
  markNews(worked) {
    this.known = worked;
    this.showPlaces();
    for (const entry of this.entries.values()) this.#mark(entry);
    this.#arrange();
  }

  /**
   * @param {Wish} wanted the choice of spots; until `markNews` is called, the table is empty unless
   *   all spots are chosen
   */
  showNews(wanted) {
    this.wish = wanted;
    this.#arrange();
  }
  /** Returns whether the spot has a row in the table. @param {Entry} entry */
  #isShown(entry) {
    return !entry.isHeld && this.#fits(entry);
  }
  /** @param {Entry} entry */
  #fits({ spot }) {
    return !isHidden(spot) && (!this.wish || fitsQuery(this.#neededOf(spot), this.wish));
  }
  #shown() {
    return [...this.entries.values()].filter((entry) => this.#isShown(entry));
  }
  /** Returns the number of matching new spots that wait for `release`. */
  held() {
    return [...this.entries.values()].filter((entry) => entry.isHeld && this.#fits(entry)).length;
  }
  /** Moves the focus to the first row. */
  focus() {
    const [first] = this.#shown();
    this.#makeCurrent(first?.call);
    first?.call.focus();
  }
  /** Shows the spots that were held. */
  release() {
    for (const entry of this.entries.values()) entry.isHeld = false;
    this.#arrange();
  }
  /** Returns the number of spots that are new to the member's log. */
  countNew() {
    return [...this.entries.values()].filter(({ spot }) => !isHidden(spot) && this.isNew(spot))
      .length;
  }
  /**
   * Marks the row whose details are shown.
   * @param {string | null} id
   */
  choose(id) {
    this.chosen?.removeAttribute("aria-current");
    this.chosen = this.entries.get(id ?? "")?.row;
    this.chosen?.setAttribute("aria-current", "true");
  }
  /**
   * Returns the spot in the row before or after a row, and scrolls to that row.
   * @param {string} id
   * @param {number} by 1 or -1
   */
  neighbour(id, by) {
    const all = this.#shown();
    const place = all.findIndex(({ spot }) => spot.id === id);
    const next = place < 0 ? undefined : all[place + by];
    next?.row.scrollIntoView({ block: "nearest" });
    return next?.spot ?? null;
  }
  /**
   * Moves the focus to a row.
   * @param {string} id
   */
  focusOn(id) {
    const call = this.entries.get(id)?.call;
    this.#makeCurrent(call);
    call?.focus();
  }
  /** Returns the spots that have a row in the table. */
  spots() {
    return this.#shown().map((entry) => entry.spot);
  }
  /** @param {HTMLElement | undefined} call the button of a row */
  #makeCurrent(call) {
    if (!call || call === this.current) return;
    this.current?.setAttribute("tabindex", "-1");
    this.current = call;
    call.setAttribute("tabindex", "0");
  }
  /** @param {Element | null} row null: returns the first row */
  #rowAfter(row) {
    const block = row ? row.parentElement?.nextElementSibling : this.table.tBodies[0];
    return row?.nextElementSibling ?? block?.firstElementChild ?? null;
  }
  /**
   * @param {HTMLElement} row
   * @param {HTMLElement | null} before the preceding row; null: inserts the first row
   */
  #insert(row, before) {
    let block = before ? before.parentElement : this.table.tBodies[0];
    if (!block || (block.childElementCount >= BLOCK && !before?.nextElementSibling)) {
      const full = block;
      block = element("tbody", { role: "rowgroup" });
      if (before) full?.after(block);
      else this.table.insertBefore(block, full);
    }
    block.insertBefore(row, before ? before.nextElementSibling : block.firstElementChild);
  }
  /** Sorts the rows in the order of the entries. Rows that are already in place are not moved. */
  #arrange() {
    /** @type {HTMLElement | null} */
    let before = null;
    for (const entry of this.entries.values()) {
      const { row } = entry;
      if (!this.#isShown(entry)) {
        if (row.parentElement) remove(row);
        continue;
      }
      if (row !== this.#rowAfter(before)) this.#insert(row, before);
      before = row;
    }
    if (!this.current?.isConnected) this.#makeCurrent(this.#shown()[0]?.call);
  }
  /**
   * Shows the given spots, newest first. Marks members' new spots, unless `isFirst` is true.
   * Returns the new spots that have a row, or will have a row after `release`.
   * @param {Spot[]} spots
   * @param {boolean} isFirst
   * @param {boolean} isRead whether the reader has scrolled; if so, members' new spots are held
   */
  show(spots, isFirst, isRead = false) {
    const before = this.entries;
    /** @type {Spot[]} */
    const fresh = [];
    this.entries = new Map();
    for (const spot of spots) {
      let entry = before.get(spot.id);
      if (!entry) {
        entry = createEntry(spot);
        this.#measure(entry);
        this.#mark(entry);
        showAge(entry, Date.now());
        if (!isFirst && !spot.source) {
          if (this.#fits(entry)) fresh.push(spot);
          entry.isHeld = isRead;
          entry.row.classList.add("new");
          entry.newUntil = Date.now() + NEW_MS;
        }
      }
      this.entries.set(spot.id, entry);
    }
    for (const [id, { row }] of before) if (!this.entries.has(id) && row.parentElement) remove(row);
    this.#arrange();
    return fresh;
  }
}
