// Runs the spots page. Follows the chosen spots, shows the spots in a list and a panel, and shows
// the age of the service's last answer.
import { age, find, findAs, input, recall, remember } from "../../shared/page.js";
import { lastMember } from "../../shared/account.js";
import { parseLocator } from "../../shared/map/geography.js";
import { AGAIN_MS, Follower, fetchInTime, readPage } from "./follow.js";
import {
  offerNews,
  readFilters,
  readServiceFilters,
  readWish,
  startFilters,
  tellFilters,
  tellNew,
} from "./cluster-filters.js";
import { hide, tellHidden } from "./cluster-hidden.js";
import { Alerts } from "./cluster-alerts.js";
import { lineOf, placeOf } from "./cluster-rows.js";
import { knowWorked } from "../../shared/awards/cluster-needed.js";
import { SpotTable } from "./cluster-table.js";
import { NetworkSpots } from "./cluster-network.js";
import { Panel } from "./cluster-panel.js";
import { Scope } from "../../shared/parts/scope.js";
import { say } from "../../shared/language.js";
import { formatQuery } from "../../shared/query.js";

const FIRST = 100; // number of newest spots, for which the page polls
const MORE = 200; // older spots per request
const MOST = 3000; // maximum number of spots that are loaded while the reader scrolls
const AGES_MS = 15000;
const MEMBER_MS = 60000;
const JUST_NOW_MS = 5000;

/** @import { FollowState as State, Place, Spot, SpotPage } from "../types.js" */
/** @type {Record<State, string>} */
const STATES = {
  loading: "Loading",
  live: "Live",
  late: "Waiting for the service",
  busy: "Too many requests: waiting",
  offline: "Offline: trying again",
  lost: "The service can't be reached: trying again",
};
/** Returns whether the top of the list has scrolled out of view. */
const isRead = () => find("list").getBoundingClientRect().top < 0;

/** @param {Spot[]} fresh */
function tellNews(fresh) {
  if (!fresh.length) return;
  const lines = fresh.slice(0, 2).map(lineOf).join("; ");
  find("news").textContent = say("{n} new spot: {lines}|{n} new spots: {lines}", {
    n: fresh.length,
    lines,
  });
}
/**
 * @param {number} limit
 * @param {string | null} before
 */
function address(limit, before = null) {
  const wanted = readServiceFilters();
  wanted.set("limit", String(limit));
  if (before !== null) wanted.set("before", before);
  return `spots?${formatQuery(wanted)}`;
}
function networkAddress() {
  return `spots/network?${formatQuery(readServiceFilters())}`;
}

/** @param {string} callsign */
function followStation(callsign) {
  input("callsign").value = callsign;
  input("callsign").dispatchEvent(new Event("input", { bubbles: true }));
}
/** @param {number} khz */
function followFrequency(khz) {
  input("from").value = String(khz - 2);
  input("to").value = String(khz + 2);
  input("from").dispatchEvent(new Event("input", { bubbles: true }));
}
/** The loaded spots from members, newest first. */
class Loaded {
  /** @type {Spot[]} */
  spots = [];
  /**
   * @type {string | null} spots that are not loaded yet have ids below this id; null: all spots are
   *   loaded
   */
  next = null;
  kept = FIRST;
  isFirst = true; // whether no spots with these filters have arrived so far

  /** Starts again after the filters have changed. */
  begin() {
    this.isFirst = true;
    this.next = null;
  }
  /**
   * Adds the newest spots. Keeps the older spots already loaded, unless spots between the older and
   * the newest spots were missed.
   * @param {SpotPage} page
   */
  take(page) {
    const end = Number(page.next); // 0: there is no older page
    const isGap = this.isFirst || end > Number(this.spots[0]?.id ?? 0);
    const older = isGap ? [] : this.spots.filter((spot) => Number(spot.id) < end);
    if (!older.length) {
      this.next = page.next;
      this.kept = FIRST;
    }
    this.spots = [...page.spots, ...older];
    if (this.spots.length > this.kept + FIRST) {
      this.spots.length = this.kept;
      this.next = this.spots[this.kept - 1].id;
    }
    this.isFirst = false;
  }
  /** @param {SpotPage} page older spots */
  append(page) {
    this.next = page.next;
    this.spots = [...this.spots, ...page.spots];
    this.kept = this.spots.length;
  }
}

class SpotsPage {
  members = new Loaded();
  scope = new Scope(followFrequency);
  isLoadingOlder = false;
  revision = ""; // revision of the member's log
  isLogRead = false; // whether new spots can be marked
  /** @type {Place | null} */
  home = null;
  /** @type {{state: State, answeredAt: number | null}} */
  connection = { state: "loading", answeredAt: null };
  table = new SpotTable(findAs("spots", HTMLTableElement), (spot) => this.open(spot));
  panel = new Panel(
    (spot) => this.open(spot),
    (spot) => this.table.isNew(spot),
  );
  alerts = new Alerts();

  constructor() {
    find("view").hidden = false;
    this.table.expectMember(lastMember() !== "");
    input("locator").value = recall("locator") || "";
    offerNews(lastMember() !== "");
    startFilters(() => {
      this.members.begin();
      find("news").textContent = "";
      this.list.restart();
      this.network.restart();
      this.showNews();
    });
    this.table.showNews(readWish());
    this.readLocator();
    find("locator").addEventListener("input", () => this.readLocator());
    find("unhide").addEventListener("click", () => this.hideStation(null));
    this.list = new Follower(
      () => address(FIRST),
      (page) => this.take(page),
      (state, answeredAt) => {
        this.connection = { state, answeredAt };
        this.tellState();
      },
      () => this.alerts.areOn(),
    );
    this.network = new NetworkSpots(networkAddress, () => {
      if (!this.members.isFirst) this.show();
    });
    find("scope").append(this.scope.node);
    this.startOlder();
    this.startFresh();
    this.readMember();
    const inSight = (/** @type {() => void} */ work) => () => document.hidden || work();
    const readMember = inSight(() => this.readMember());
    document.addEventListener("visibilitychange", readMember);
    setInterval(readMember, MEMBER_MS);
    setInterval(
      inSight(() => this.tellState()),
      1000,
    );
    setInterval(
      inSight(() => {
        this.table.showAges();
        this.panel.showNight();
      }),
      AGES_MS,
    );
  }

  tellState() {
    const { state, answeredAt } = this.connection;
    const live = find("live");
    live.classList.toggle("on", state === "live");
    live.classList.toggle("loading", state === "loading");
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
  /** @param {number} n */
  countText(n) {
    const isWish = readFilters().size > 0;
    if (this.members.next === null)
      return isWish
        ? say("{n} matching spot|{n} matching spots", { n })
        : say("{n} spot|{n} spots", { n });
    return isWish
      ? say("the newest {n} matching spots", { n })
      : say("the newest {n} spots", { n });
  }
  showAll() {
    const spots = this.table.spots();
    const isLoading = this.members.isFirst || (readWish() !== "" && !this.isLogRead);
    const isWish = readFilters().size + tellHidden() > 0;
    find("spots").hidden = spots.length === 0;
    find("empty").hidden = spots.length > 0 || isLoading;
    find("empty").textContent = isWish
      ? say("No matching spots. Try fewer filters.")
      : say("No spots yet. New spots appear here automatically.");
    find("older").hidden = this.members.next === null;
    const n = this.table.held();
    find("fresh").hidden = n === 0;
    find("fresh").textContent = say("{n} new spot|{n} new spots", { n });
    find("shown").textContent = isLoading ? "" : this.countText(spots.length);
    find("list").classList.toggle("stale", isLoading);
    this.panel.show(spots, this.home);
    tellNew(this.isLogRead ? this.table.countNew() : null);
    const isLit = (/** @type {Spot} */ spot) =>
      lastMember() ? this.table.isNew(spot) : spot === spots[0];
    this.scope.show(spots, isLit);
    find("scope").hidden = readFilters().get("band") === "pmr446";
  }

  /** Shows the loaded spots. Returns the members' new spots. */
  show(wasFirst = false) {
    const { spots, next } = this.members;
    const all = this.network.among(spots, next !== null);
    const fresh = this.table.show(all, wasFirst, isRead());
    this.showAll();
    return fresh;
  }
  /** @param {SpotPage} page */
  take(page) {
    const wasFirst = this.members.isFirst;
    this.members.take(page);
    const fresh = this.show(wasFirst);
    tellNews(fresh);
    this.alerts.tell(fresh, (spot) => this.table.isNew(spot));
  }
  /** Loads older spots. Resolves to whether the service has further older spots. */
  async loadOlder() {
    const { members } = this;
    if (this.isLoadingOlder || members.next === null || members.isFirst) return false;
    this.isLoadingOlder = true;
    let hasAnswer = false;
    const asked = address(MORE, members.next);
    try {
      const page = await fetchInTime(asked, {}, readPage);
      hasAnswer = true;
      if (members.next !== null && asked === address(MORE, members.next)) {
        members.append(page);
        this.show(true);
      }
    } catch {
      find("news").textContent = say("The service can't be reached. Please try again.");
    }
    this.isLoadingOlder = false;
    return hasAnswer && members.next !== null;
  }

  readLocator() {
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
    this.home = place;
    this.table.measureFrom(place);
    this.panel.show(this.table.spots(), place);
  }
  /** Applies the filter for new spots to the table, the panel and the counts. */
  showNews() {
    this.table.showNews(readWish());
    this.showAll();
  }
  /** If the log has changed, loads the locator and the stations, squares and divisions worked. */
  async readMember() {
    if (!lastMember()) return;
    try {
      const read = async (/** @type {Response} */ response) => {
        if (response.status === 401) {
          offerNews(false);
          this.table.expectMember(false);
          this.showNews();
        }
        if (!response.ok) throw new Error(String(response.status));
        return response.json();
      };
      const now = await fetchInTime("../profile/data/revision", {}, read);
      if (now.revision === this.revision) return;
      const answer = await fetchInTime("../profile/data/worked", { cache: "no-cache" }, read);
      this.revision = now.revision;
      this.isLogRead = true;
      this.table.markNews(knowWorked(answer));
      this.showAll();
      if (!input("locator").value && answer.locator) {
        input("locator").value = answer.locator;
        tellFilters();
        this.readLocator();
      }
    } catch {
      // Until the first answer, no spot is marked. If the filters depend on marks, the page soon
      // tries again.
      if (readWish() && !this.isLogRead) setTimeout(() => this.readMember(), AGAIN_MS);
      this.table.showPlaces();
    }
  }
  /** @param {string | null} callsign null: shows all stations again */
  hideStation(callsign) {
    hide(callsign);
    this.showNews();
  }
  /**
   * Shows a spot in the sheet, whose code is loaded when it is first needed.
   * @param {Spot} spot
   */
  async open(spot) {
    const { id } = spot;
    const there = placeOf(spot.dxcc_spotted);
    this.table.choose(id);
    const { openSpot } = await import("./cluster-spot.js");
    openSpot(spot, {
      home: this.home,
      root: "../",
      marks: this.table.marksOf(spot),
      acts: [
        ["Only this station", followStation],
        ["Hide this station", (callsign) => this.hideStation(callsign)],
      ],
      showOnMap: there && (() => this.panel.goTo(there)),
      step: (by) => {
        const next = this.table.neighbour(id, by);
        if (next) this.open(next);
      },
      closed: (hadFocus) => {
        this.table.choose(null);
        if (hadFocus) this.table.focusOn(id);
      },
    });
    this.table.choose(id);
  }
  /**
   * Shows the spots that arrived while the reader was further down, once the reader presses the
   * button or returns to the top.
   */
  startFresh() {
    const release = () => {
      this.table.release();
      this.showAll();
    };
    find("fresh").addEventListener("click", () => {
      release();
      scrollTo(0, 0);
      this.table.focus();
    });
    addEventListener("scroll", () => find("fresh").hidden || isRead() || release(), {
      passive: true,
    });
  }
  startOlder() {
    const older = find("older");
    older.addEventListener("click", () => this.loadOlder());
    const observer = new IntersectionObserver(
      async (seen) => {
        if (!seen.some((one) => one.isIntersecting) || this.members.spots.length >= MOST) return;
        if (!(await this.loadOlder())) return;
        observer.unobserve(older); // the observer then reports a button that is still in sight
        observer.observe(older);
      },
      { rootMargin: "600px" },
    );
    observer.observe(older);
  }
}
new SpotsPage();
