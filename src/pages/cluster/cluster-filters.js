// Which spots the visitor wants: the fields of the form, the address, which can be kept and sent
// to others, and what was chosen here before. The service does the filtering, but for what is new
// in the log of who is signed in: that the page knows.
import { offerValues } from "../log/qso-words.js";
import { choice, element, find, findAs, recall, remember } from "../site/page.js";
import { say } from "../site/language.js";
import { formatQuery, parseQuery } from "../site/query.js";

/** @typedef {import("../site/query.js").Query} Query */

/** The fields of the page, and the names in its address. */
const NAMES = ["band", "mode", "callsign", "division", "from", "to", "minutes", "new"];
const TYPING_MS = 350;

/** @param {string} name @returns {HTMLInputElement | HTMLSelectElement} */
function field(name) {
  const found = find(name);
  return found instanceof HTMLSelectElement ? found : findAs(name, HTMLInputElement);
}
/** @param {boolean} isMember has a log, in which something may be new */
export function offerNews(isMember) {
  find("for-log").hidden = !isMember;
  tell();
}
/** What is wanted, without what sets no bound and what is no value of its field. */
export function readFilters() {
  /** @type {Query} */
  const wanted = new Map();
  for (const name of NAMES) {
    const value = field(name).value.trim();
    const isThere = !field(name).closest("[hidden]");
    if (value && isThere && field(name).checkValidity()) wanted.set(name, value);
  }
  return wanted;
}
/** Which of it the service filters by: its names are those of the service's parameters. */
export function readServiceFilters() {
  const wanted = readFilters();
  wanted.delete("new");
  return wanted;
}
/** @returns {import("./cluster-needed.js").Wish} */
export function readWish() {
  const wish = readFilters().get("new");
  return wish === "new" || wish === "open" ? wish : "";
}
function keep() {
  const wanted = formatQuery(readFilters());
  remember("cluster-filters", wanted);
  history.replaceState(null, "", wanted ? `?${wanted}` : location.pathname);
}
function tell() {
  const count = readFilters().size;
  const toggle = find("filter-toggle");
  toggle.textContent = count ? say("Filters ({n})", { n: count }) : say("Filters");
  find("clear").hidden = count === 0;
}
/** @param {Query} wanted */
function fill(wanted) {
  for (const name of NAMES) {
    const node = field(name);
    const value = wanted.get(name) ?? "";
    // What was asked for by hand, such as 90 minutes, is a choice, too.
    if (node instanceof HTMLSelectElement && name === "minutes" && /^[1-9]\d{0,4}$/.test(value))
      if (![...node.options].some((option) => option.value === value))
        node.append(element("option", { value }, say("{n} minute|{n} minutes", { n: value })));
    node.value = value;
    if (node instanceof HTMLSelectElement && node.selectedIndex < 0) node.value = "";
  }
  tell();
}
/**
 * Fills the form from the address or, where that asks for nothing, with the choice of last time.
 * @param {() => void} changed is called when somebody wants others
 */
export function startFilters(changed) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let before = "";
  function take() {
    clearTimeout(timer);
    tell();
    const now = formatQuery(readFilters());
    if (now === before) return;
    before = now;
    keep();
    changed();
  }
  offerValues(choice("mode"), "mode");
  const asked = parseQuery(location.search);
  fill(NAMES.some((name) => asked.has(name)) ? asked : parseQuery(recall("cluster-filters") ?? ""));
  before = formatQuery(readFilters());
  keep();
  const form = find("filters");
  form.addEventListener("input", (event) => {
    clearTimeout(timer);
    timer = setTimeout(take, event.target instanceof HTMLSelectElement ? 0 : TYPING_MS);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    take();
  });
  find("clear").addEventListener("click", () => {
    fill(new Map());
    take();
    field("band").focus();
  });
  const toggle = find("filter-toggle");
  toggle.addEventListener("click", () => {
    const isOpen = form.classList.toggle("open");
    toggle.setAttribute("aria-expanded", String(isOpen));
  });
}

// -- stations that the reader does not want to see ------------------------------------------------

const HIDDEN = "cluster-hidden";
const hidden = new Set((recall(HIDDEN) ?? "").split(" ").filter(Boolean));

/** @param {import("../site/answers.js").Spot} spot */
export const isHidden = ({ spotted }) => hidden.size > 0 && hidden.has(spotted ?? "");

/**
 * @param {string | null} callsign null: none is hidden any more
 */
export function hide(callsign) {
  if (callsign === null) hidden.clear();
  else hidden.add(callsign);
  remember(HIDDEN, [...hidden].join(" "));
}
/** The button that ends the hiding says how many stations that are. */
export function tellHidden() {
  const n = hidden.size;
  find("unhide").hidden = n === 0;
  find("unhide").textContent = say("Show {n} hidden station|Show {n} hidden stations", { n });
  return n;
}
