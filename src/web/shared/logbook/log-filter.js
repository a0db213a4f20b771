// Reads the filter of Logbook from a form. Keeps the filter in the address, for example after
// "#log?", so that the filter can be bookmarked. This module creates the query, and a book applies
// the filter.
import { offerValues } from "../words/qso-words.js";
import { placesOf, readTyped } from "../words/search-language.js";
import { choice, element, find, input } from "../page.js";
import { Chip, chipOfSelect } from "../parts/chips.js";
import { formatQuery, parseQuery } from "../query.js";
import { country, say } from "../language.js";

/** @import { Place } from "../words/search-text.js" */
/** @import { Division, Query } from "../types.js" */

const STATE = "state"; // of QSOs that wait, which only a device has
const CHOICES = [
  ...["band", "mode", "year", "confirmed", "qslSent", "qslReceived", "division", "sort"],
  ...(document.getElementById(`search-${STATE}`) ? [STATE] : []),
];
const INPUTS = ["text", "square", "callsign", "from", "to"];
/** @type {[string, string[]][]} the chips that have text fields, with the fields' names */
const GROUPS = [
  ["Locator", ["square"]],
  ["Callsign", ["callsign"]],
  ["Days", ["from", "to"]],
];
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

/** @type {Query} the last valid content of the form */
let wanted = new Map();
function takeForm() {
  const all = [...CHOICES, ...INPUTS].map((name) => [name, field(name).value.trim()]);
  wanted = new Map(/** @type {[string, string][]} */ (all.filter(([, value]) => value)));
  for (const chip of chips) chip.refresh();
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
 * Returns the filter in words, for the page and for print: "Band: PMR446 · Year: 2026".
 * @param {Query} part
 */
export function describe(part) {
  return [...part]
    .map(([name, value]) => {
      const node = field(name);
      const chosen =
        node instanceof HTMLSelectElement && [...node.options].find((one) => one.value === value);
      const text = chosen ? chosen.textContent?.trim() : (wanted.get(name) ?? value);
      return `${node.closest("label")?.querySelector("span")?.textContent}: ${text}`;
    })
    .join(" · ");
}

/**
 * Sets a field. If a value is not among the choices, adds the value, so that the service can answer
 * the query.
 */
/**
 * @param {string} name
 * @param {string} value
 */
function setField(name, value) {
  const node = field(name);
  if (node instanceof HTMLSelectElement && value)
    if (![...node.options].some((option) => option.value === value))
      node.append(element("option", { value }, value));
  node.value = value;
}
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
  const { value } = node;
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
export function offerChoices(all) {
  const years = new Set(all.months.map(({ month }) => month.slice(0, 4)));
  offer(
    "year",
    [...years].reverse().map((year) => [year, year]),
  );
  const divisions = [...all.divisions].sort((a, b) => a.number - b.number);
  places = placesOf(divisions);
  offer(
    "division",
    divisions.map((one) => [
      String(one.number),
      `${one.number} ${country(one.name, one.iso ?? "")}`,
    ]),
  );
  for (const chip of chips) chip.refresh();
}

/**
 * Returns a chip with some text fields.
 * @param {string} name
 * @param {string[]} fields
 */
function chipOfFields(name, fields) {
  const nodes = fields.map((one) => field(one));
  const [first] = nodes;
  return new Chip({
    name,
    content: [
      ...nodes.flatMap((node) => node.closest("label") ?? []),
      ...(first.hasAttribute("aria-describedby") ? [find("search-days")] : []),
    ],
    value: () => {
      const values = nodes.map(({ value }) => value.trim());
      if (!values.some(Boolean)) return "";
      return nodes.length === 1 ? `${values[0]}…` : values.join(" – ");
    },
    clear: () => {
      for (const node of nodes) node.value = "";
      first.dispatchEvent(new Event("input", { bubbles: true }));
    },
  });
}
/**
 * Shows a chip for each field except the search text. The chip for the order of the QSOs is last.
 */
function showChips() {
  /** @param {string} name */
  const selectOf = (name) => {
    const node = choice(`search-${name}`);
    const title = node.closest("label")?.querySelector("span")?.textContent ?? "";
    return chipOfSelect(title, node, name === "sort");
  };
  chips.push(
    ...["band", "mode", "year", "confirmed", "division"].map(selectOf),
    ...GROUPS.map(([name, fields]) => chipOfFields(say(name), fields)),
    ...["qslSent", "qslReceived", STATE].filter((name) => CHOICES.includes(name)).map(selectOf),
  );
  const sort = selectOf("sort");
  const instead = ["near-chip", "doubles-chip"].flatMap((id) => document.getElementById(id) ?? []);
  find("chips").append(...chips.map(({ node }) => node), ...instead, sort.node);
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
