// The spots page: follows the spots that the visitor wants to see, shows them as a table and on a
// map, and says how fresh they are.
import { age, find, input, recall, remember } from "../site/page.js";
import { lastMember } from "../site/account.js";
import { parseLocator } from "../map/geography.js";
import { Follower, fetchInTime, readPage } from "./follow.js";
import {
  hide,
  offerNews,
  readFilters,
  readServiceFilters,
  readWish,
  startFilters,
  tellHidden,
} from "./cluster-filters.js";
import { alertOf, isAlerting, startAlerts } from "./cluster-alerts.js";
import { lineOf } from "./cluster-rows.js";
import { knowWorked } from "./cluster-news.js";
import {
  isNew,
  markNews,
  marksOf,
  measureFrom,
  showAges,
  showNews,
  showSpots,
  shownSpots,
  startTable,
} from "./cluster-table.js";
import { restartNetwork, startNetwork, withNetwork } from "./cluster-network.js";
import { openSpot } from "./cluster-spot.js";
import { say } from "../site/language.js";

const FIRST = 100; // spots that are followed
const MORE = 200; // older ones that a reader comes to
const MOST = 3000; // that are loaded by themselves
const AGES_MS = 15000;
const MEMBER_MS = 60000;
const AGAIN_MS = 4000; // after a failure
const JUST_NOW_MS = 5000;

/**
 * @typedef {import("../site/answers.js").Spot} Spot
 * @typedef {import("./follow.js").State} State
 */
let isFirst = true; // of these filters
let isLogRead = false; // so that it is known what is new in it
/** @type {Spot[]} of members, newest first */
let members = [];
/** @type {string | null} where older ones begin */
let next = null;
let kept = FIRST;
let isLoadingOlder = false;
/** @type {import("../map/geography.js").Place | null} */
let home = null;
/** @type {import("./cluster-map.js").SpotMap | null} */
let map = null;
/** @type {Follower | null} */
let list = null;
/** @type {{state: State, answeredAt: number | null}} */
let connection = { state: "loading", answeredAt: null };

// -- words ----------------------------------------------------------------------------------------

/** @type {Record<State, string>} */
const STATES = {
  loading: "Loading",
  live: "Live",
  late: "Waiting for the service",
  busy: "Too many requests: waiting",
  offline: "Offline: trying again",
  lost: "The service can't be reached: trying again",
};
function tellState() {
  const { state, answeredAt } = connection;
  const live = find("live");
  live.classList.toggle("on", state === "live");
  if (live.dataset.state !== state) {
    live.dataset.state = state;
    live.textContent = say(STATES[state]);
  }
  const text =
    answeredAt === null
      ? ""
      : state === "live" && Date.now() - answeredAt < JUST_NOW_MS
        ? say("just now")
        : say("last update {age}", { age: age(answeredAt) });
  if (find("answered").textContent !== text) find("answered").textContent = text;
}
/** @param {number} count */
function countText(count) {
  const isWish = [...readFilters()].length > 0;
  if (next === null)
    return isWish
      ? say("{n} matching spot|{n} matching spots", { n: count })
      : say("{n} spot|{n} spots", { n: count });
  return isWish
    ? say("the newest {n} matching spots", { n: count })
    : say("the newest {n} spots", { n: count });
}
/** @param {Spot[]} fresh */
function tellNews(fresh) {
  if (!fresh.length) return;
  const lines = fresh.slice(0, 2).map(lineOf).join("; ");
  find("news").textContent = say("{n} new spot: {lines}|{n} new spots: {lines}", {
    n: fresh.length,
    lines,
  });
}
function showAll() {
  const spots = shownSpots();
  const isLoading = isFirst || (readWish() !== "" && !isLogRead);
  const isWish = [...readFilters()].length + tellHidden() > 0;
  find("spots").hidden = spots.length === 0;
  find("empty").hidden = spots.length > 0 || isLoading;
  find("empty").textContent = isWish
    ? say("No matching spots. Try fewer filters.")
    : say("No spots yet. New ones appear here as they come.");
  find("older").hidden = next === null;
  find("shown").textContent = isLoading ? "" : countText(spots.length);
  find("list").classList.toggle("stale", isLoading);
  map?.show(spots, home);
}

// -- the list -------------------------------------------------------------------------------------

/** Returns those of members that were not there before. */
function show(wasFirst = false) {
  const fresh = showSpots(withNetwork(members, next !== null), wasFirst);
  showAll();
  return fresh;
}
/** @param {Spot | undefined} spot */
const numberOf = (spot) => (spot ? Number(spot.id) : 0);
/**
 * The newest ones have come: what was loaded of the older ones stays, unless spots between them
 * have been missed.
 * @param {import("./follow.js").Page} page
 */
function take(page) {
  const loaded = isFirst ? [] : members;
  const end = page.next === null ? 0 : Number(page.next);
  const older = end > numberOf(loaded[0]) ? [] : loaded.filter((spot) => numberOf(spot) < end);
  if (!older.length) {
    next = page.next;
    kept = FIRST;
  }
  members = [...page.spots, ...older];
  if (members.length > kept + FIRST) {
    members.length = kept;
    next = members[kept - 1].id;
  }
  const wasFirst = isFirst;
  isFirst = false;
  const fresh = show(wasFirst);
  tellNews(fresh);
  alertOf(fresh, isNew);
}
/** Whether there may be more. */
async function loadOlder() {
  if (isLoadingOlder || next === null || isFirst) return false;
  isLoadingOlder = true;
  let hasAnswer = false;
  const asked = address(MORE, next);
  try {
    const page = await fetchInTime(asked, {}, readPage);
    hasAnswer = true;
    if (next !== null && asked === address(MORE, next)) {
      next = page.next;
      members = [...members, ...page.spots];
      kept = members.length;
      show(true);
    }
  } catch {
    find("news").textContent = say("The service can't be reached. Please try again.");
  }
  isLoadingOlder = false;
  return hasAnswer && next !== null;
}
/**
 * @param {number} limit
 * @param {string | null} before
 */
function address(limit, before = null) {
  const wanted = readServiceFilters();
  wanted.set("limit", String(limit));
  if (before !== null) wanted.set("before", before);
  return `spots?${wanted}`;
}
function networkAddress() {
  return `spots/network?${readServiceFilters()}`;
}

// -- the visitor's wishes -------------------------------------------------------------------------

function readLocator() {
  const text = input("locator").value.trim();
  const place = text ? parseLocator(text) : null;
  const isWrong = text !== "" && !place;
  if (isWrong) find("locator").setAttribute("aria-invalid", "true");
  else find("locator").removeAttribute("aria-invalid");
  find("locator-state").textContent =
    isWrong && text.length >= 4
      ? say("A locator has 4 or 6 characters, such as JO59 or JO59jw.")
      : "";
  if (!isWrong) remember("locator", text);
  home = place;
  measureFrom(home);
  map?.show(shownSpots(), home);
}
let revision = ""; // of the member's log
/** @param {boolean} isMember is signed in, and has a log */
function offerLog(isMember) {
  offerNews(isMember);
  showNews(readWish());
  showAll();
}
/** What the member's log knows: what was worked, and the place. Asks only where it has changed. */
async function readMember() {
  if (!lastMember()) return;
  try {
    const read = async (/** @type {Response} */ response) => {
      if (response.status === 401) offerLog(false);
      if (!response.ok) throw new Error(String(response.status));
      return response.json();
    };
    const now = await fetchInTime("../profile/data/revision", {}, read);
    if (now.revision === revision) return;
    const answer = await fetchInTime("../profile/data/worked", {}, read);
    revision = now.revision;
    isLogRead = true;
    markNews(knowWorked(answer));
    showAll();
    if (!input("locator").value && answer.locator) {
      input("locator").value = answer.locator;
      readLocator();
    }
  } catch {
    // Nothing is marked. Who waits for what is new is not left waiting.
    if (readWish() && !isLogRead) setTimeout(readMember, AGAIN_MS);
  }
}
/** The map is loaded when it is seen first: a phone that shows the list needs none. */
async function showMap() {
  const isOn = input("with-map").checked;
  find("list").parentElement?.classList.toggle("with-map", isOn);
  find("map").hidden = !isOn;
  if (!isOn || map) return;
  const { SpotMap } = await import("./cluster-map.js");
  if (map) return;
  map = new SpotMap(openSpotHere);
  find("map").replaceChildren(map.node);
  map.show(shownSpots(), home);
}
/** @param {string} callsign */
function followStation(callsign) {
  input("callsign").value = callsign;
  input("callsign").dispatchEvent(new Event("input", { bubbles: true }));
}
/** @param {string | null} callsign null: all are shown again */
function hideStation(callsign) {
  hide(callsign);
  showNews(readWish());
  showAll();
}
/** @param {Spot} spot */
function openSpotHere(spot) {
  openSpot(spot, home, marksOf(spot), [
    ["Only this station", followStation],
    ["Hide this station", hideStation],
  ]);
}
function startMap() {
  const isWide = matchMedia("(min-width: 62rem)");
  const wish = () => recall(isWide.matches ? "cluster-map-beside" : "cluster-map");
  function follow() {
    input("with-map").checked = (wish() ?? (isWide.matches ? "1" : "")) === "1";
    showMap();
  }
  find("with-map").addEventListener("change", () => {
    remember(
      isWide.matches ? "cluster-map-beside" : "cluster-map",
      input("with-map").checked ? "1" : "",
    );
    showMap();
  });
  isWide.addEventListener("change", follow);
  follow();
}
function startOlder() {
  const older = find("older");
  older.addEventListener("click", loadOlder);
  const observer = new IntersectionObserver(
    async (seen) => {
      if (!seen.some((one) => one.isIntersecting) || members.length >= MOST) return;
      if (!(await loadOlder())) return;
      observer.unobserve(older); // to be told again where it is still in sight
      observer.observe(older);
    },
    { rootMargin: "600px" },
  );
  observer.observe(older);
}
function start() {
  find("view").hidden = false;
  input("locator").value = recall("locator") || "";
  startTable(openSpotHere);
  startAlerts();
  offerNews(lastMember() !== "");
  startFilters(() => {
    isFirst = true;
    showNews(readWish());
    next = null;
    find("news").textContent = "";
    list?.restart();
    restartNetwork();
    showAll();
  });
  showNews(readWish());
  readLocator();
  find("locator").addEventListener("input", readLocator);
  startMap();
  find("unhide").addEventListener("click", () => hideStation(null));
  list = new Follower(
    () => address(FIRST),
    take,
    (state, answeredAt) => {
      connection = { state, answeredAt };
      tellState();
    },
    isAlerting,
  );
  startNetwork(networkAddress, () => {
    if (!isFirst) show();
  });
  setInterval(() => {
    if (!document.hidden) tellState();
  }, 1000);
  setInterval(() => {
    if (document.hidden) return;
    showAges();
    map?.showNight();
  }, AGES_MS);
  startOlder();
  readMember();
  setInterval(() => {
    if (!document.hidden) readMember();
  }, MEMBER_MS);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) readMember();
  });
}
start();
