// Manages the filters for spots: chips, an address that can be bookmarked and shared, and the
// previous choice in this browser. The service applies the filters, except the filter for spots
// that are new to the member's log, which the page applies.
import { offerValues } from "../../shared/words/qso-words.js";
import { Chip, chipOfSelect } from "../../shared/parts/chips.js";
import { choice, element, find, findAs, input, recall, remember } from "../../shared/page.js";
import { say } from "../../shared/language.js";
import { formatQuery, parseQuery } from "../../shared/query.js";

/** @import { Query, Wish } from "../types.js" */

/** The names of the fields in the form and in the address. */
const NAMES = ["band", "mode", "callsign", "division", "from", "to", "minutes", "new"];
const TYPING_MS = 350;

/** @param {string} name @returns {HTMLInputElement | HTMLSelectElement} */
function field(name) {
  const found = find(name);
  return found instanceof HTMLSelectElement ? found : findAs(name, HTMLInputElement);
}
/** @type {Chip[]} the chip for spots that are new is first */
let chips = [];
let hasLog = false;
/** @type {number | null} loaded spots that are new; null: not known yet */
let news = null;
/** @param {number | null} count of loaded spots that are new to the member; null: not known yet */
export function tellNew(count) {
  news = count;
  chips[0]?.refresh();
}
/**
 * @param {boolean} isMember whether the reader is a member, whose log can be compared with spots
 */
export function offerNews(isMember) {
  hasLog = isMember;
  tellFilters();
}
/** Returns the chosen filters, without empty fields and invalid values. */
export function readFilters() {
  /** @type {Query} */
  const wanted = new Map();
  for (const name of NAMES) {
    const value = field(name).value.trim();
    const isThere = name !== "new" || hasLog;
    if (value && isThere && field(name).checkValidity()) wanted.set(name, value);
  }
  return wanted;
}
/** Returns the filters that the service applies; the service's parameters have the same names. */
export function readServiceFilters() {
  const wanted = readFilters();
  wanted.delete("new");
  return wanted;
}
/** @returns {Wish} */
export function readWish() {
  const wish = readFilters().get("new");
  return wish === "new" || wish === "open" ? wish : "";
}
/** Shows the chosen filters in the address, and returns them. */
function showAddress() {
  const wanted = formatQuery(readFilters());
  history.replaceState(null, "", wanted ? `?${wanted}` : location.pathname);
  return wanted;
}
/** Shows the values of the fields on the chips. */
export function tellFilters() {
  for (const chip of chips) chip.refresh();
  if (chips.length) chips[0].node.hidden = !hasLog;
  find("clear").hidden = readFilters().size === 0;
}
/**
 * Returns a chip with text fields, and the text below them.
 * @param {string} name
 * @param {string[]} fields
 * @param {Node[]} [below]
 */
function chipOfFields(name, fields, below = []) {
  const nodes = fields.map(input);
  return new Chip({
    name,
    content: [...nodes.flatMap((node) => node.closest("label") ?? []), ...below],
    value: () => {
      const values = nodes.map((node) => node.value.trim());
      return values.some(Boolean) ? values.join(" – ") : "";
    },
    clear: () => {
      for (const node of nodes) node.value = "";
      nodes[0].dispatchEvent(new Event("input", { bubbles: true }));
    },
  });
}
function createChips() {
  const selects = ["new", "band", "mode", "minutes"].map((name) => {
    const title = choice(name).closest("label")?.querySelector("span")?.textContent ?? "";
    return chipOfSelect(title, choice(name), name === "new" ? { news: () => news } : {});
  });
  selects[0].node.id = "for-log";
  const home = chipOfFields(say("My locator"), ["locator"], [find("locator-state")]);
  home.node.id = "from-home";
  const alerts = [input("sound"), input("notify")];
  return [
    ...selects,
    chipOfFields(say("Division"), ["division"]),
    chipOfFields(say("Callsign"), ["callsign"]),
    chipOfFields("kHz", ["from", "to"]),
    home,
    new Chip({
      name: say("Alerts"),
      content: alerts.flatMap((node) => node.closest("label") ?? []),
      value: () => "",
    }),
  ];
}
/** @param {Query} wanted */
function fill(wanted) {
  for (const name of NAMES) {
    const node = field(name);
    const value = wanted.get(name) ?? "";
    // A value that was typed into the address, such as 90 minutes, is added as a choice.
    if (node instanceof HTMLSelectElement && name === "minutes" && /^[1-9]\d{0,4}$/.test(value))
      if (![...node.options].some((option) => option.value === value))
        node.append(element("option", { value }, say("{n} minute|{n} minutes", { n: value })));
    node.value = value;
    if (node instanceof HTMLSelectElement && node.selectedIndex < 0) node.value = "";
  }
  tellFilters();
}
/**
 * Fills the form from the address or, if the address contains no filters, with the previous choice.
 * Filters that come from a link, such as a link in an alert, do not replace the previous choice.
 * @param {() => void} changed called when the filters change
 */
export function startFilters(changed) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let before = "";
  function take() {
    clearTimeout(timer);
    tellFilters();
    const now = formatQuery(readFilters());
    if (now === before) return;
    before = now;
    remember("cluster-filters", showAddress());
    changed();
  }
  offerValues(choice("mode"), "mode");
  const asked = parseQuery(location.search);
  fill(NAMES.some((name) => asked.has(name)) ? asked : parseQuery(recall("cluster-filters") ?? ""));
  before = showAddress();
  chips = createChips();
  find("clear").before(...chips.map(({ node }) => node));
  tellFilters();
  const form = find("filters");
  form.addEventListener("input", (event) => {
    clearTimeout(timer);
    timer = setTimeout(take, event.target instanceof HTMLSelectElement ? 0 : TYPING_MS);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault(); // otherwise some browsers submit the form
    take();
  });
  find("clear").addEventListener("click", () => {
    fill(new Map());
    take();
    chips[1].button.focus();
  });
}
