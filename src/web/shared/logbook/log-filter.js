// Reads the filter of Logbook from a form. Keeps the filter in the address, for example after
// "#log?", so that the filter can be bookmarked. This module creates the query, and a book applies
// the filter.
import { offerValues } from "../words/qso-words.js";
import { placesOf, readTyped } from "../words/search-language.js";
import { choice, element, find, input } from "../page.js";
import { Chip, chipOfSelect, choicesOf, textOf } from "../parts/chips.js";
import { formatQuery, parseQuery } from "../query.js";
import { country, say } from "../language.js";

/** @import { Place } from "../words/search-text.js" */
/** @import { Division, Query, Statistics } from "../types.js" */

const STATE = "state"; // the field for states such as "not sent yet", which only the app has
const CHOICES = [
  ...["band", "mode", "year", "confirmed", "qslSent", "qslReceived", "division", "sort"],
  ...(document.getElementById(`search-${STATE}`) ? [STATE] : []),
];
const INPUTS = ["text", "square", "callsign", "from", "to"];
/** @type {[string, string[]][]} the chips that have text fields, with the fields' names */
const GROUPS = [
  ["Locator", ["square"]],
  ["More", ["callsign", "from", "to"]],
];
const QSL = ["qslSent", "qslReceived"];
const INSTEAD = "doubles-chip"; // a button that shows possible duplicates instead of the list
const TYPING_MS = 120; // pause after a keystroke, so that fast typing causes only one request

/**
 * @type {[RegExp, string, string[]][]} the valid format of some fields, the message for other
 *   values, and the fields' names
 */
const FORMS = [
  [
    /^\d{4}(-\d\d(-\d\d)?)?$/,
    "Enter a day as 2026-05-17, a month as 2026-05, or a year as 2026.",
    ["from", "to"],
  ],
  [
    /^[A-R]{2}(\d\d([A-X]{2})?)?$/i,
    "A locator has 2, 4 or 6 characters, such as JO, JO59 or JO59jw.",
    ["square"],
  ],
];

/** @type {Chip[]} */
const chips = [];
let section = ""; // its name in the address
/** @param {string} name */
const field = (name) =>
  CHOICES.includes(name) ? choice(`search-${name}`) : input(`search-${name}`);

/**
 * Returns the value of a field. Several choices are separated by commas.
 * @param {string} name
 */
function readField(name) {
  const node = field(name);
  if (node instanceof HTMLInputElement || !node.multiple) return node.value.trim();
  const values = [...node.selectedOptions].map(({ value }) => value);
  return values.filter(Boolean).join(",");
}
/** @type {Query} the last valid content of the form */
let wanted = new Map();
function takeForm() {
  const all = [...CHOICES, ...INPUTS].map((name) => [name, readField(name)]);
  wanted = new Map(/** @type {[string, string][]} */ (all.filter(([, value]) => value)));
  for (const chip of chips) chip.refresh();
}

/** @type {Map<string, Map<string, number>>} QSOs by choice, by field */
let counts = new Map();
/**
 * @param {[name: string, qsos: number][]} rows
 * @returns {Map<string, number>}
 */
function countsOf(rows) {
  const sums = new Map();
  for (const [name, qsos] of rows) sums.set(name, (sums.get(name) ?? 0) + qsos);
  return sums;
}

/** @type {Place[]} the divisions in the log */
let places = [];
/** Returns the chosen filter as the service reads it, without empty fields. */
export function readFilter() {
  const wish = new Map(wanted);
  const text = wish.get("text");
  if (text) wish.set("text", readTyped(text, places));
  return wish;
}
/** Returns the chosen filter without the sort order, which does not affect counts. */
export function readPart() {
  const wish = readFilter();
  wish.delete("sort");
  return wish;
}
/**
 * Returns a condition of the filter in words: "Band: PMR446".
 * @param {string} name
 */
function describeField(name) {
  const node = field(name);
  const text = node instanceof HTMLSelectElement ? textOf(node) : wanted.get(name);
  return `${node.closest("label")?.querySelector("span")?.textContent}: ${text}`;
}
/** Returns the filter in words, for the page and for print: "Band: PMR446 · Year: 2026". */
export function describe() {
  return [...readPart().keys()].map(describeField).join(" · ");
}
/** Returns a button for each condition of the filter, which removes the condition. */
export function chipsToRemove() {
  return [...readPart().keys()].map((name) => {
    const click = () => {
      setField(name, "");
      field(name).dispatchEvent(new Event("input", { bubbles: true }));
    };
    const text = describeField(name);
    const label = say("Remove: {name}", { name: text });
    const button = { type: "button", class: "chip", "aria-label": label, click };
    return element("button", button, `${text} ×`);
  });
}

/**
 * Sets a field. If a value is not among the choices, adds the value, so that the service can answer
 * the query.
 * @param {string} name
 * @param {string} value
 */
function setField(name, value) {
  const node = field(name);
  if (node instanceof HTMLInputElement) return void (node.value = value);
  const values = node.multiple ? value.split(",") : [value];
  for (const one of values)
    if (one && ![...node.options].some((option) => option.value === one))
      node.append(element("option", { value: one }, one));
  for (const option of node.options) option.selected = values.includes(option.value);
}
/**
 * Returns the address of Logbook with a filter.
 * @param {string} query
 */
export const addressOf = (query) => `#${section}?${query}`;
function fromAddress() {
  return parseQuery(location.hash.split("?")[1] ?? "");
}
/** @param {Query} wish */
function fillForm(wish) {
  for (const name of [...CHOICES, ...INPUTS]) setField(name, wish.get(name) ?? "");
}
function writeAddress() {
  const wish = formatQuery(wanted);
  const address = `#${section}${wish ? `?${wish}` : ""}`;
  if (location.hash !== address) history.replaceState(null, "", address);
}

/** Shows a message for each invalid day or locator. Returns whether all fields are valid. */
function check() {
  let fault = "";
  for (const [form, sentence, names] of FORMS)
    for (const name of names) {
      const value = field(name).value.trim();
      const isWrong = value !== "" && !form.test(value);
      field(name).toggleAttribute("aria-invalid", isWrong);
      if (isWrong) fault = say(sentence);
    }
  const trouble = find("search-trouble");
  trouble.textContent = fault;
  trouble.hidden = !fault;
  return !fault;
}

/**
 * @param {string} name
 * @param {[string, string][]} rows value and text
 */
function offer(name, rows) {
  const node = choice(`search-${name}`);
  const value = readField(name);
  node.replaceChildren(
    node.options[0],
    ...rows.map(([key, text]) => element("option", { value: key }, text)),
  );
  setField(name, value);
}
/**
 * Offers the years and divisions of the log as choices. Searches then also find divisions by name.
 * @param {{months: {month: string}[], divisions: Pick<Division, "number" | "name" | "iso">[]}} all
 */
export function offerChoices({ months, divisions }) {
  const years = new Set(months.map(({ month }) => month.slice(0, 4)));
  offer(
    "year",
    [...years].reverse().map((year) => [year, year]),
  );
  places = placesOf(divisions);
  offer(
    "division",
    divisions.map((one) => [
      String(one.number),
      `${one.number} ${country(one.name, one.iso ?? "")}`,
    ]),
  );
  refreshChips();
}
/**
 * Shows the number of QSOs next to each choice.
 * @param {Statistics} all
 */
export function countChoices(all) {
  const modes = countsOf(all.modes.map(({ name, qsos }) => [name, qsos]));
  const hasMode = [...modes.values()].reduce((sum, qsos) => sum + qsos, 0);
  counts = new Map([
    ["band", countsOf(all.bands.map(({ name, qsos }) => [name, qsos]))],
    ["mode", modes.set("none", all.qsos - hasMode)],
    ["year", countsOf(all.months.map(({ month, qsos }) => [month.slice(0, 4), qsos]))],
    ["division", countsOf(all.divisions.map((one) => [String(one.number), one.qsos]))],
    [
      "confirmed",
      new Map([
        ["yes", all.confirmed],
        ["no", all.qsos - all.confirmed],
      ]),
    ],
  ]);
  for (const group of counts.values()) group.set("", all.qsos);
}
/** Shows the current values of the chips. */
export function refreshChips() {
  for (const chip of chips) chip.refresh();
}
/**
 * Shows the number of matching QSOs at the foot of the chips.
 * @param {number | null} count null: unknown
 */
export function tellFound(count) {
  for (const button of document.querySelectorAll("#chips .found"))
    button.textContent =
      count === null ? say("Show") : say("Show {n} QSO|Show {n} QSOs", { n: count });
}
/**
 * Returns the foot of a chip's popover.
 * @param {() => void} close
 * @param {() => void} clear
 */
function footOf(close, clear) {
  return element(
    "div",
    { class: "popover-foot" },
    element("button", { type: "button", class: "main found", click: close }, say("Show")),
    element("button", { type: "button", click: clear }, say("Clear")),
  );
}

/**
 * Returns a chip with some text fields.
 * @param {string} name
 * @param {string[]} fields
 */
function chipOfFields(name, fields) {
  const nodes = fields.map((one) => field(one));
  const isMore = nodes.length > 1;
  const other = isMore ? document.getElementById(INSTEAD) : null;
  const instead = other ? [other] : [];
  const clear = () => {
    for (const button of instead)
      if (button.getAttribute("aria-pressed") === "true") button.click();
    for (const node of nodes) node.value = "";
    nodes[0].dispatchEvent(new Event("input", { bubbles: true }));
  };
  const chip = new Chip({
    name,
    content: [
      ...nodes.flatMap((node) => node.closest("label") ?? []),
      ...(isMore ? [find("search-days")] : []),
      ...instead,
      footOf(() => chip.close(), clear),
    ],
    value: () => {
      const [start, ...days] = nodes.map(({ value }) => value.trim());
      return [
        start ? `${start}…` : "",
        days.some(Boolean) ? days.join(" – ") : "",
        ...instead
          .filter((one) => one.getAttribute("aria-pressed") === "true")
          .map(({ textContent }) => textContent),
      ]
        .filter(Boolean)
        .join(" · ");
    },
    clear,
  });
  for (const one of instead) one.addEventListener("click", () => chip.close());
  return chip;
}
/** Returns the chip for sent and received QSL cards. */
function chipOfCards() {
  const selects = QSL.map((name) => choice(`search-${name}`));
  /** @param {HTMLSelectElement} node */
  const titleOf = (node) => node.closest("label")?.querySelector("span")?.textContent ?? "";
  const parts = selects.map((node) => choicesOf(node, () => chip.close()));
  const clear = () => {
    for (const node of selects) node.value = "";
    selects[0].dispatchEvent(new Event("input", { bubbles: true }));
    for (const { fill } of parts) fill();
  };
  const chip = new Chip({
    name: say("QSL"),
    content: [
      ...parts.flatMap(({ nodes }, place) => [
        element("p", { class: "muted" }, titleOf(selects[place])),
        ...nodes,
      ]),
      footOf(() => chip.close(), clear),
    ],
    value: () =>
      selects
        .filter(({ value }) => value)
        .map((node) => `${titleOf(node)}: ${node.selectedOptions[0]?.textContent}`)
        .join(" · "),
    clear,
    opened: () => {
      for (const { fill } of parts) fill();
    },
  });
  return chip;
}
/**
 * Shows the chips for all fields except the search text. The chip for the sort order is last.
 */
function showChips() {
  /** @param {string} name */
  const selectOf = (name) => {
    const node = choice(`search-${name}`);
    const title = node.closest("label")?.querySelector("span")?.textContent ?? "";
    const count = (/** @type {string} */ value) =>
      counts.has(name) ? (counts.get(name)?.get(value) ?? 0) : null;
    return chipOfSelect(title, node, name === "sort" ? { isAlwaysSet: true } : { count, footOf });
  };
  chips.push(
    ...["band", "mode", "year", "confirmed", "division"].map(selectOf),
    ...GROUPS.map(([name, fields]) => chipOfFields(say(name), fields)),
    ...[STATE].filter((name) => CHOICES.includes(name)).map(selectOf),
  );
  chips.splice(6, 0, chipOfCards());
  const sort = selectOf("sort");
  const near = document.getElementById("near-chip");
  find("chips").append(...chips.map(({ node }) => node), ...(near ? [near] : []), sort.node);
  chips.push(sort);
}
/**
 * Fills the form from the address; `changed` is called when the filter changes.
 * @param {string} name of the section in the address
 * @param {() => void} changed
 */
export function startFilter(name, changed) {
  section = name;
  let timer = 0;
  const apply = () => {
    clearTimeout(timer);
    if (!check()) return;
    takeForm();
    writeAddress();
    changed();
  };
  for (const one of ["band", "mode"]) offerValues(choice(`search-${one}`), one);
  fillForm(fromAddress());
  if (check()) takeForm();
  showChips();
  input("search-text").placeholder = say("Callsign, place, note");
  const form = find("search");
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault(); // browsers submit a form with several fields only if it has a button
    apply();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    apply();
  });
  form.addEventListener("input", (event) => {
    clearTimeout(timer);
    if (event.target instanceof HTMLInputElement) timer = window.setTimeout(apply, TYPING_MS);
    else apply();
  });
  find("search-open").addEventListener("click", () => {
    if (form.classList.toggle("searching")) find("search-text").focus();
  });
  find("search-clear").addEventListener("click", () => {
    fillForm(new Map());
    apply();
    input("search-text").focus();
  });
  window.addEventListener("hashchange", () => {
    if (location.hash === `#${section}`)
      writeAddress(); // the reader has returned to this section, whose filter is still set
    else if (location.hash.startsWith(`#${section}?`)) {
      fillForm(fromAddress());
      apply();
    }
  });
}
