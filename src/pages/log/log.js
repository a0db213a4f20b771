// The section My log: figures, then the QSOs with their filter, then what is almost confirmed, the
// statistics and the map. It renews itself when the log has changed, here or elsewhere.
import { find } from "../site/page.js";
import { explain, get } from "../site/service.js";
import { showEditing } from "./log-edit.js";
import { offerChoices, readPart, startFilter } from "./log-filter.js";
import { knowDivisions, showList, tellFilter, tellShown } from "./log-list.js";
import { showFigures, showStatistics, showSyncs } from "./log-statistics.js";
import { showNear } from "./log-near.js";

/**
 * @typedef {import("../site/answers.js").QsoPage} QsoPage
 * @typedef {import("../site/answers.js").Statistics} Statistics
 * @typedef {object} LogAnswers what was asked for already
 * @property {Promise<{revision: string}>} revision
 * @property {Promise<Statistics>} statistics not before it
 * @property {Promise<QsoPage>} [newest] QSOs, without a filter
 */

const CHANGES_MS = 1000; // many changes in a row renew the log once

/** @type {Statistics | undefined} of the whole log */
let whole;
let revision = "";
let isListening = false;
let wish = 0; // the number of the newest: what an older one brings is not shown

/** The numbers of what the filter wants. */
async function showNumbers() {
  const mine = ++wish;
  const part = readPart();
  const statistics = part.size && whole ? await get(`statistics?${part}`) : whole;
  if (mine !== wish || !statistics || !whole) return;
  showFigures(statistics);
  tellShown(statistics.qsos, whole.qsos);
  showStatistics(statistics);
}
/** @param {unknown} refusal */
function tellTrouble(refusal) {
  const trouble = find("search-trouble");
  trouble.textContent = explain(refusal);
  trouble.hidden = false;
}
// The rows are what a reader waits for: the numbers, which take a walk over the whole log, follow.
async function showPart() {
  tellFilter();
  await showList();
  await showNumbers().catch(tellTrouble);
}

/**
 * Everything as it is now.
 * @param {LogAnswers} answers
 */
async function renew(answers) {
  const [now, all] = await Promise.all([answers.revision, answers.statistics]);
  revision = now.revision;
  whole = all;
  const isEmpty = all.qsos === 0;
  find("first-steps").hidden = !isEmpty;
  find("log-view").hidden = isEmpty;
  if (isEmpty) return;
  offerChoices(all);
  knowDivisions(all.divisions);
  tellFilter();
  await Promise.all([showList(answers.newest), showNumbers()]);
  const [near, keys] = await Promise.all([get("near-matches"), get("keys")]);
  showSyncs(all, keys.items);
  showNear(near.items);
  await showMapOnceSeen();
}

// -- the map, which is heavy, and below all else --------------------------------------------------

let isMapSeen = !("IntersectionObserver" in window);
async function showMapOnceSeen() {
  if (!isMapSeen) return;
  const [{ showMap }, places] = await Promise.all([import("./log-map.js"), get("map")]);
  showMap(places);
}
function watchMap() {
  if (isMapSeen) return;
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      isMapSeen = true;
      if (whole) showMapOnceSeen().catch(tellTrouble);
    },
    { rootMargin: "400px" },
  );
  observer.observe(find("log-map"));
}

// -- when it has changed --------------------------------------------------------------------------

// What src/pages/profile/profile.js of another tab sends.
const channel = "BroadcastChannel" in window ? new BroadcastChannel("qsosync-log") : null;
let timer = 0;
const isSeen = () => !document.hidden && !find("section-log").hidden;

/** Only where something was written, so that a reader's place and open rows stay. */
async function renewIfChanged() {
  if (!whole || !isSeen()) return;
  try {
    const now = get("revision");
    if ((await now).revision !== revision)
      await renew({ revision: now, statistics: get("statistics") });
  } catch {
    /* the next occasion tells */
  }
}
function renewSoon() {
  clearTimeout(timer);
  timer = window.setTimeout(renewIfChanged, CHANGES_MS);
}
function listen() {
  showEditing();
  startFilter(showPart);
  watchMap();
  document.addEventListener("changed", renewSoon);
  channel?.addEventListener("message", renewSoon);
  document.addEventListener("visibilitychange", renewIfChanged);
  window.addEventListener("hashchange", renewSoon);
}

/**
 * Shows the log as it is now; may be called again.
 * @param {LogAnswers} answers
 */
export async function showLog(answers) {
  if (!isListening) {
    listen();
    isListening = true;
  }
  await renew(answers);
}
