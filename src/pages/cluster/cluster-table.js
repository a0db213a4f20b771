// The table of the spots page: the rows that are loaded, newest first, with distance and bearing
// from the visitor's place. Rows stand in blocks whose height the style sheet knows, so that a
// browser draws the few blocks that are seen, and has to ask of few whether they are.
import { age, day, element, findAs, hour, number, typed } from "../site/page.js";
import { bearing, distanceKm } from "../map/geography.js";
import {
  callsignOf,
  cell,
  channelOf,
  divisionOf,
  entityOf,
  frequencyOf,
  placeOf,
} from "./cluster-rows.js";
import { UNCONFIRMED, fitsWish, hasNew, newsOfSpot } from "./cluster-news.js";
import { isHidden } from "./cluster-filters.js";
import { locale, say } from "../site/language.js";

const NEW_MS = 60000; // how long a new row is marked
const DAY_MS = 86400000;
/** As "25s": the row has no more room. */
const SHORT = {
  /** @type {(value: number, unit: Intl.RelativeTimeFormatUnit) => string} */
  format: (value, unit) =>
    new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "narrow" }).format(-value),
};
const BLOCK = 20; // rows, as the style sheet has it

/**
 * @typedef {import("../site/answers.js").Spot} Spot
 * @typedef {import("../map/geography.js").Place} Place
 * @typedef {ReturnType<typeof createEntry>} Entry
 */
/** @type {Map<string, Entry>} by a spot's id */
const entries = new Map();
/** @type {Place | null} */
let home = null;
/** @type {import("./cluster-news.js").Known | null} what the member has worked */
let known = null;
/** @type {import("./cluster-news.js").Wish} */
let wish = "";
/** @type {HTMLElement | null} the one row that the key Tab comes to */
let current = null;

/** @param {Spot} spot */
function createEntry(spot) {
  const when = element("time", { datetime: spot.when, title: `${hour(spot.when)} UTC` });
  const distance = cell("far right");
  const towards = cell("towards right");
  const channel = channelOf(spot);
  const call = element(
    "button",
    { type: "button", class: spot.spotted ? "call" : "call muted", tabindex: "-1" },
    spot.spotted ? typed(spot.spotted) : callsignOf(spot),
  );
  const [entity, locator] = [entityOf(spot.dxcc_spotted), spot.spottedLocator];
  const tag = element("span", { class: "tag" });
  const row = element(
    "tr",
    { role: "row", "data-id": spot.id, class: spot.source ? "network" : "" },
    cell("when number", when),
    element("th", { role: "rowheader", scope: "row", class: "dx" }, call),
    cell(
      "where",
      entity ? element("small", {}, typed(entity)) : null,
      entity && locator ? " · " : null,
      locator ? element("small", { class: "locator" }, typed(locator)) : null,
    ),
    cell(
      channel ? "frequency right channel" : "frequency right",
      frequencyOf(spot),
      channel ? element("small", {}, " ", typed(channel)) : null,
    ),
    cell("mode", spot.mode),
    cell(
      "heard",
      element("span", { class: "by" }, say("by")),
      " ",
      typed(spot.spotter),
      " ",
      spot.source ? element("small", {}, typed(spot.source)) : null,
      spot.spotterLocator ? element("small", {}, typed(spot.spotterLocator)) : null,
    ),
    distance,
    towards,
  );
  return { spot, row, tag, call, when, distance, towards, newUntil: 0 };
}
/** @param {Node} node @param {string} text */
function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
/** @param {Entry} entry */
function measure({ spot, distance, towards }) {
  const there = placeOf(spot.dxcc_spotted);
  write(distance, home && there ? number(distanceKm(home, there)) : "");
  write(towards, home && there ? `${bearing(home, there)}°` : "");
}
/** @param {Spot} spot */
function newsOf(spot) {
  const square = (spot.spottedLocator ?? "").slice(0, 4).toUpperCase();
  const { special, band, mode } = spot;
  return newsOfSpot({ division: divisionOf(spot), square, special, band, mode }, known);
}
/**
 * What it would bring to the member's log, in words.
 * @param {Spot} spot
 */
export function marksOf(spot) {
  return newsOf(spot)
    .map((text) => say(text))
    .join(" · ");
}
/**
 * Whether the member has not worked its division or square.
 * @param {Spot} spot
 */
export function isNew(spot) {
  return hasNew(newsOf(spot));
}
/** @param {Entry} entry whether it has a row in the table */
const isShown = ({ spot }) => !isHidden(spot) && (!wish || fitsWish(newsOf(spot), wish));
/** The row has room for what counts most; the spot itself tells all. @param {Entry} entry */
function mark({ spot, tag, call }) {
  const [first = ""] = newsOf(spot).filter((one) => one !== UNCONFIRMED);
  const text = first && say(first);
  write(tag, text);
  tag.title = marksOf(spot);
  if (!text) tag.remove();
  else if (tag.previousSibling !== call) call.after(tag);
}
/**
 * Says how old it is, and ends the mark of a row that is new no longer.
 * @param {Entry} entry
 * @param {number} now
 */
function showAge({ spot, row, when, newUntil }, now) {
  const isOld = now - new Date(spot.when).getTime() > DAY_MS;
  write(when, isOld ? day(spot.when) : age(spot.when, now, SHORT));
  if (newUntil && newUntil < now) row.classList.remove("new");
}
/** The same of all rows, now and then. */
export function showAges() {
  const now = Date.now();
  for (const entry of entries.values()) showAge(entry, now);
}
/** @param {Place | null} place */
export function measureFrom(place) {
  home = place;
  table.classList.toggle("measured", home !== null);
  for (const entry of entries.values()) measure(entry);
}
/** @param {import("./cluster-news.js").Known} worked by the member */
export function markNews(worked) {
  known = worked;
  for (const entry of entries.values()) mark(entry);
  arrange();
}
/** @param {import("./cluster-news.js").Wish} wanted as far as it is known what is new */
export function showNews(wanted) {
  wish = wanted;
  arrange();
}
/** The spots that stand in the table. */
export function shownSpots() {
  return [...entries.values()].filter(isShown).map((entry) => entry.spot);
}
/** @param {string} id */
export function spotOf(id) {
  return entries.get(id)?.spot ?? null;
}

/** @param {HTMLElement | undefined} call the button of a row */
function makeCurrent(call) {
  if (!call || call === current) return;
  current?.setAttribute("tabindex", "-1");
  current = call;
  current.setAttribute("tabindex", "0");
}
const table = findAs("spots", HTMLTableElement);
/** @param {Element | null} row null: before the first one */
function rowAfter(row) {
  const block = row ? row.parentElement?.nextElementSibling : table.tBodies[0];
  return row?.nextElementSibling ?? block?.firstElementChild ?? null;
}
/** @param {HTMLElement} row */
function remove(row) {
  const block = row.parentElement;
  row.remove();
  if (!block?.firstElementChild) block?.remove();
}
/**
 * @param {HTMLElement} row
 * @param {HTMLElement | null} before the row after which it comes; null: it is the first
 */
function insert(row, before) {
  let block = before ? before.parentElement : table.tBodies[0];
  if (!block || (block.childElementCount >= BLOCK && !before?.nextElementSibling)) {
    const full = block;
    block = element("tbody", { role: "rowgroup" });
    if (before) full?.after(block);
    else table.insertBefore(block, full);
  }
  block.insertBefore(row, before ? before.nextElementSibling : block.firstElementChild);
}
/** Puts the rows into the order of the entries; those that are where they belong stay. */
function arrange() {
  /** @type {HTMLElement | null} */
  let before = null;
  for (const entry of entries.values()) {
    const { row } = entry;
    if (!isShown(entry)) {
      if (row.parentElement) remove(row);
      continue;
    }
    if (row !== rowAfter(before)) insert(row, before);
    before = row;
  }
  if (!current?.isConnected) makeCurrent([...entries.values()].find(isShown)?.call);
}
/**
 * Shows these spots, newest first. Those of members that were not there before are marked, unless
 * `isFirst`. Returns those of them that stand in the table.
 * @param {Spot[]} spots
 * @param {boolean} isFirst
 */
export function showSpots(spots, isFirst) {
  const before = new Map(entries);
  /** @type {Spot[]} */
  const fresh = [];
  entries.clear();
  for (const spot of spots) {
    let entry = before.get(spot.id);
    if (!entry) {
      entry = createEntry(spot);
      measure(entry);
      mark(entry);
      showAge(entry, Date.now());
      if (!isFirst && !spot.source) {
        if (isShown(entry)) fresh.push(spot);
        entry.row.classList.add("new");
        entry.newUntil = Date.now() + NEW_MS;
      }
    }
    entries.set(spot.id, entry);
  }
  for (const [id, { row }] of before) if (!entries.has(id) && row.parentElement) remove(row);
  arrange();
  return fresh;
}
/**
 * A row is opened where it is pressed, or by its button; keys go from row to row.
 * @param {(spot: Spot) => void} open
 */
export function startTable(open) {
  /** @param {EventTarget | null} target */
  const entryAt = (target) => {
    const row = target instanceof Element ? target.closest("tr") : null;
    return row ? entries.get(row.dataset.id ?? "") : undefined;
  };
  table.addEventListener("click", (event) => {
    const entry = entryAt(event.target);
    if (!entry || getSelection()?.type === "Range") return;
    makeCurrent(entry.call);
    open(entry.spot);
  });
  table.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const all = [...entries.values()].filter(isShown);
    const entry =
      step && all[all.findIndex(({ row }) => row === entryAt(event.target)?.row) + step];
    if (!entry) return;
    event.preventDefault();
    makeCurrent(entry.call);
    entry.call.focus();
  });
}
