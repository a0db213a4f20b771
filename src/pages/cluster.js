// The spots page: asks for the spots while somebody looks, and shows those that the visitor wants
// to see. What is asked for is a small list with an entity tag; a list that has not changed costs
// next to nothing.
import {
  age,
  choice,
  element,
  find,
  hour,
  input,
  number,
  recall,
  remember,
  typed,
} from "./page.js";
import { bearing, distanceKm, parseLocator } from "./geography.js";
import { createMap } from "./map.js";
import { say } from "./language.js";

const POLL_MS = 1200;
const POLL_WHERE_SHARED_MS = 5000; // others use up the address's requests, too
const POLL_AFTER_FAILURE_MS = 10000;
const AGES_MS = 15000;

/**
 * @typedef {import("./answers.js").Spot} Spot
 * @typedef {import("./answers.js").SpotStation} SpotStation
 * @typedef {ReturnType<typeof createRow>} Entry
 */
/** @type {Map<string, Entry>} by a spot's id */
const rows = new Map();
/** @type {string | null} */
let tag = null;
/** @type {number | null} */
let timer = null;
let isAsking = false;
let isFirst = true;
/** @type {import("./geography.js").Place | null} */
let home = null;
/** @type {ReturnType<typeof createMap> | null} */
let map = null;

// -- one spot -------------------------------------------------------------------------------------

/** @param {SpotStation} station */
function placeOf(station) {
  return station.lat === null || station.lng === null
    ? null
    : { lat: Number(station.lat), lng: Number(station.lng) };
}
/** @param {Spot} spot */
function frequencyOf(spot) {
  return spot.frequency === null
    ? null
    : number(spot.frequency / 1000, spot.band === "pmr446" ? 5 : 3);
}
/**
 * @param {string} kind
 * @param {string | null} name
 * @param {...import("./page.js").Child} children
 */
function cell(kind, name, ...children) {
  return element("td", { role: "cell", class: kind, "data-name": name }, ...children);
}
/**
 * @param {string | null} callsign
 * @param {string | null} locator
 * @param {string | null} entity
 */
function station(callsign, locator, entity) {
  const place = [locator, entity].filter(Boolean).join(" · ");
  return [
    callsign
      ? typed(callsign, { class: "call" })
      : element("span", { class: "muted" }, say("no callsign")),
    place ? element("small", {}, typed(place)) : null,
  ];
}
/** @param {Spot} spot */
function frequencyCell(spot) {
  const frequency = frequencyOf(spot);
  const channel = spot.channel === null ? null : say("channel {n}", { n: spot.channel });
  const tone = [channel, spot.ctcssTone, spot.dcsCode].filter(Boolean).join(" · ");
  return cell(
    "number",
    null,
    frequency ? `${frequency} MHz` : null,
    tone ? element("small", {}, typed(tone)) : null,
  );
}
/** @param {Spot} spot */
function createRow(spot) {
  const when = element("small");
  const distance = cell("place right far", null);
  const towards = cell("place right", null);
  const row = element(
    "tr",
    { role: "row" },
    element(
      "th",
      { role: "rowheader", scope: "row", class: "dx" },
      ...station(spot.spotted, spot.spottedLocator, spot.dxcc_spotted.entity),
    ),
    cell("when number", null, element("time", { datetime: spot.when }, hour(spot.when)), when),
    frequencyCell(spot),
    cell("mode", null, spot.mode ? typed(spot.mode) : null),
    cell(
      "wide",
      say("Heard by"),
      ...station(spot.spotter, spot.spotterLocator, spot.dxcc_spotter.entity),
    ),
    distance,
    towards,
  );
  return { spot, row, when, distance, towards };
}
/** @param {Entry} entry */
function measure({ spot, distance, towards }) {
  const there = placeOf(spot.dxcc_spotted);
  distance.textContent = home && there ? `${number(distanceKm(home, there))} km` : "";
  towards.textContent = home && there ? `${bearing(home, there)}°` : "";
}

// -- the list -------------------------------------------------------------------------------------

/** @param {Spot} spot */
function isWanted(spot) {
  const minutes = Number(choice("oldest").value);
  return (
    (!choice("band").value || spot.band === choice("band").value) &&
    (!minutes || Date.now() - new Date(spot.when).getTime() <= minutes * 60000)
  );
}
function showAges() {
  for (const { spot, when } of rows.values()) when.textContent = age(spot.when);
}
/** @param {Spot} spot */
function lineOf(spot) {
  return [
    hour(spot.when),
    spot.spotted || say("no callsign"),
    spot.frequency === null ? null : `${frequencyOf(spot)} MHz`,
    spot.mode,
    say("heard by {spotter}", { spotter: spot.spotter }),
  ]
    .filter(Boolean)
    .join(" · ");
}
/** @param {Spot[]} spots */
function showMap(spots) {
  if (!map) return;
  /** @type {import("./map.js").MapPoint[]} */
  const points = [];
  /** @type {import("./map.js").Way[]} */
  const lines = [];
  for (const spot of spots) {
    const [from, to] = [placeOf(spot.dxcc_spotter), placeOf(spot.dxcc_spotted)];
    if (from) points.push({ ...from, kind: "spotter", label: lineOf(spot) });
    if (to) points.push({ ...to, kind: "spotted", label: lineOf(spot) });
    if (from && to) lines.push([from, to]);
  }
  map.show({ points, lines, home });
}
function show() {
  /** @type {Spot[]} */
  const wanted = [];
  for (const entry of rows.values()) {
    entry.row.hidden = !isWanted(entry.spot);
    if (!entry.row.hidden) wanted.push(entry.spot);
    measure(entry);
  }
  const count = wanted.length;
  find("spots").hidden = count === 0;
  find("spots").classList.toggle("measured", home !== null);
  find("empty").hidden = count > 0;
  find("empty").textContent = rows.size
    ? say("No spot fits. Another band or age may show some.")
    : say("No spots yet. They appear here by themselves.");
  find("shown").textContent =
    count === rows.size
      ? say("{n} spot|{n} spots", { n: count })
      : say("{n} of {all} spots", { n: count, all: rows.size });
  showAges();
  showMap(wanted);
}
/** @param {Spot[]} spots */
function take(spots) {
  const before = new Map(rows);
  rows.clear();
  let fresh = 0;
  for (const spot of spots) {
    const known = before.get(spot.id);
    const entry = known || createRow(spot);
    if (!known && !isFirst) {
      entry.row.classList.add("new");
      if (isWanted(spot)) fresh++;
    }
    rows.set(spot.id, entry);
  }
  const body = find("rows");
  for (const [id, { row }] of before) if (!rows.has(id)) row.remove();
  let at = body.firstChild;
  for (const { row } of rows.values()) {
    if (row === at) at = row.nextSibling;
    else body.insertBefore(row, at);
  }
  if (fresh) find("news").textContent = say("{n} new spot|{n} new spots", { n: fresh });
  isFirst = false;
  show();
}

// -- asking ---------------------------------------------------------------------------------------

/**
 * @param {boolean} isLive
 * @param {string} text
 */
function tellState(isLive, text) {
  const live = find("live");
  live.classList.toggle("on", isLive);
  if (live.textContent !== text) live.textContent = text;
}
/** How long to wait until the next question. */
async function ask() {
  const response = await fetch("spots", {
    cache: "no-store",
    headers: tag ? { "If-None-Match": tag } : {},
  });
  if (response.status === 429) {
    tellState(false, say("Too many requests: waiting"));
    return Math.max(1, Number(response.headers.get("Retry-After")) || 10) * 1000;
  }
  if (response.status !== 304) {
    if (!response.ok) throw new Error(String(response.status));
    const spots = await response.json();
    tag = response.headers.get("ETag");
    take(spots);
  }
  tellState(true, say("New spots appear by themselves"));
  const left = Number(response.headers.get("RateLimit-Remaining") ?? Infinity);
  return left < Number(response.headers.get("RateLimit-Limit")) / 2
    ? POLL_WHERE_SHARED_MS
    : POLL_MS;
}
async function poll() {
  timer = null;
  isAsking = true;
  let wait;
  try {
    wait = await ask();
  } catch {
    tellState(false, say("No connection to the service: trying again"));
    wait = POLL_AFTER_FAILURE_MS;
  }
  isAsking = false;
  if (!document.hidden) timer = setTimeout(poll, wait);
}
function followVisibility() {
  if (document.hidden) {
    clearTimeout(timer ?? undefined);
    timer = null;
  } else if (timer === null && !isAsking) {
    timer = setTimeout(poll, 0);
  }
}

// -- the visitor's wishes -------------------------------------------------------------------------

function readLocator() {
  const text = input("locator").value.trim();
  home = text ? parseLocator(text) : null;
  const isWrong = text !== "" && !home;
  if (isWrong) find("locator").setAttribute("aria-invalid", "true");
  else find("locator").removeAttribute("aria-invalid");
  find("locator-state").textContent =
    isWrong && text.length >= 4
      ? say("A locator has 4 or 6 characters, such as JO59 or JO59jw.")
      : home
        ? say("Distance and bearing are from your locator. It stays in this browser.")
        : say("With your locator, the list shows distance and bearing.");
  if (!isWrong) remember("locator", text);
}
function toggleMap() {
  const isOn = input("with-map").checked;
  remember("cluster-map", isOn ? "1" : "");
  if (isOn && !map) {
    map = createMap(say("Map of the spots"));
    find("map").append(map.node);
    show();
    map.fit();
  }
  find("map").hidden = !isOn;
}
function start() {
  find("view").hidden = false;
  tellState(false, say("Loading"));
  input("locator").value = recall("locator") || "";
  for (const id of ["band", "oldest"]) {
    choice(id).value = recall(`cluster-${id}`) || "";
    find(id).addEventListener("change", () => {
      remember(`cluster-${id}`, choice(id).value);
      show();
    });
  }
  input("with-map").checked = recall("cluster-map") === "1";
  find("with-map").addEventListener("change", toggleMap);
  find("locator").addEventListener("input", () => {
    readLocator();
    show();
  });
  find("filters").addEventListener("submit", (event) => event.preventDefault());
  readLocator();
  toggleMap();
  setInterval(() => {
    if (!document.hidden && rows.size) show();
  }, AGES_MS);
  document.addEventListener("visibilitychange", followVisibility);
  followVisibility();
}
start();
