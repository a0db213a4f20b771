// The section Awards: what the log is worth, by band, mode and year; as tables, as a map of
// squares, as a file and on paper. The service counts; the filter is kept in the address behind
// "#awards?".
import { offerYears, readFilter, showCounts, showTables, showWall } from "./awards-tables.js";
import { choice, day, element, find, input, typed } from "../site/page.js";
import { say } from "../site/language.js";
import { explain, get, inLog } from "../site/service.js";

/**
 * @typedef {import("../site/answers.js").Award} Award
 * @typedef {import("../site/answers.js").Awards} Awards
 */

const CHANGES_MS = 1000; // many changes in a row renew the counts once

/** @type {Awards | null} what is shown */
let shown = null;
let revision = "";
let wish = 0; // the number of the newest: what an older one brings is not shown
/** @type {string[]} of the whole log, as far as it has been seen */
let years = [];

// -- filter ---------------------------------------------------------------------------------------

function writeAddress() {
  const query = readFilter().toString();
  history.replaceState(null, "", `#awards${query ? `?${query}` : ""}`);
}
function readAddress() {
  const query = new URLSearchParams(location.hash.split("?")[1] ?? "");
  choice("awards-band").value = query.get("band") ?? "";
  choice("awards-mode").value = query.get("mode") ?? "";
  offerYears(years, query.get("year") ?? "");
}

// -- what is shown --------------------------------------------------------------------------------

/** @type {{show: (awards: Award[]) => void} | null} */
let map = null;
/** @param {Award[]} squares */
async function showMap(squares) {
  if (!map) {
    const { createSquares } = await import("./awards-map.js");
    map = createSquares(find("awards-map"));
  }
  map.show(squares);
}
/** @param {Awards} awards */
async function showAll(awards) {
  shown = awards;
  if (!readFilter().has("year")) {
    years = awards.years.map(({ year }) => String(year).padStart(4, "0"));
    offerYears(years, "");
  }
  const query = readFilter();
  find("awards-csv").setAttribute(
    "href",
    `data/${inLog(`awards.csv${query.size ? `?${query}` : ""}`)}`,
  );
  showCounts(awards, undefined, certify);
  import("../../app/text/callsigns.js").then(({ divisionOf }) => showWall(awards, divisionOf));
  await showMap(awards.squares);
}

/** @param {unknown} refusal null: none */
function tellTrouble(refusal) {
  const trouble = find("awards-trouble");
  trouble.hidden = refusal === null;
  trouble.textContent = refusal === null ? "" : explain(refusal);
}
/** Everything as it is now. */
async function renew() {
  const mine = ++wish;
  const [now, awards] = await Promise.all([get("revision"), get(`awards?${readFilter()}`)]);
  if (mine !== wish) return;
  revision = now.revision;
  tellTrouble(null);
  await showAll(awards);
}

/**
 * A page to print, with what the filter leaves of the log.
 * @param {string} milestone
 * @param {string} at
 * @param {boolean} isConfirmed
 */
async function certify(milestone, at, isConfirmed) {
  const [{ openDialog }, { callsign, club }] = await Promise.all([
    import("../site/dialog.js"),
    get("me"),
  ]);
  const filter = [...readFilter().keys()].map((name) => choice(`awards-${name}`));
  openDialog(say("Certificate"), (close) => [
    element(
      "div",
      { class: "certificate" },
      element("p", {}, typed(club)),
      element("p", { class: "callsign" }, typed(callsign)),
      element(
        "p",
        {},
        isConfirmed
          ? say("{milestone} worked and confirmed", { milestone })
          : say("{milestone} worked", { milestone }),
      ),
      element("p", {}, filter.map((node) => node.selectedOptions[0]?.textContent).join(" · ")),
      element("p", {}, element("time", { datetime: at }, day(at))),
    ),
    element(
      "div",
      { class: "buttons" },
      element("button", { type: "button", click: () => close("") }, say("Close")),
      element(
        "button",
        { type: "button", class: "main", click: () => window.print() },
        say("Print"),
      ),
    ),
  ]);
}

// -- when something has changed -------------------------------------------------------------------

// What src/pages/profile/profile.js of another tab sends.
const channel = "BroadcastChannel" in window ? new BroadcastChannel("qsosync-log") : null;
let timer = 0;
const isSeen = () => !document.hidden && !find("section-awards").hidden;
async function renewIfChanged() {
  if (!shown || !isSeen()) return;
  try {
    if ((await get("revision")).revision !== revision) await renew();
  } catch {
    /* the next occasion tells */
  }
}
function renewSoon() {
  clearTimeout(timer);
  timer = window.setTimeout(renewIfChanged, CHANGES_MS);
}
/** On paper is all that is on the page, and what is missing. */
function print() {
  const section = find("section-awards");
  for (const button of section.querySelectorAll("button"))
    button.dispatchEvent(new Event("all-rows"));
  for (const details of section.querySelectorAll("details")) details.open = true;
  window.print();
}
function listen() {
  const form = find("awards-filter");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", ({ target }) => {
    if (target === input("awards-open")) {
      if (shown) showTables(shown);
      return;
    }
    writeAddress();
    renew().catch(tellTrouble);
  });
  find("awards-print").addEventListener("click", print);
  window.addEventListener("hashchange", () => {
    if (location.hash === "#awards")
      writeAddress(); // the tab: its filter is still there
    else if (location.hash.startsWith("#awards?")) {
      readAddress();
      renew().catch(tellTrouble);
      return;
    }
    renewSoon();
  });
  document.addEventListener("changed", renewSoon);
  channel?.addEventListener("message", renewSoon);
  document.addEventListener("visibilitychange", renewIfChanged);
}

let isListening = false;
/** Shows what the log is worth now; may be called again. */
export async function showAwards() {
  if (!isListening) {
    readAddress();
    listen();
    isListening = true;
  }
  await renew();
}
