// Finds the language of a page: the reader's choice in this browser, the browser's preference, or
// English, in this order. English texts, which pages show without JavaScript, are the keys of the
// translations in src/languages. At first, only the texts in the reader's language are loaded.
import { LANGUAGES } from "./languages.js";
export { LANGUAGES };

function choose() {
  /** @type {string | null} */
  let chosen = null;
  try {
    chosen = localStorage.getItem("qsosync-language");
  } catch {
    /* the browser does not allow storage */
  }
  const wishes = [...(chosen ? [chosen] : []), ...navigator.languages].map((wish) =>
    wish.slice(0, 2).toLowerCase(),
  );
  return wishes.find((wish) => Object.hasOwn(LANGUAGES, wish)) || "en";
}
/** @typedef {string | string[]} Row a text, or one text for each plural form of the language */
/** @typedef {{TEXTS: Record<string, Row>, form: (n: number) => number}} Texts */

/** @type {Texts} */
const ENGLISH = { TEXTS: {}, form: (n) => Number(n !== 1) };
/**
 * @param {string} wanted
 * @returns {Promise<Texts>}
 */
async function load(wanted) {
  try {
    return wanted === "en" ? ENGLISH : await import(`./texts-${wanted}.js`);
  } catch {
    return ENGLISH; // the page still works in English
  }
}
const wanted = choose();
const texts = await load(wanted);
// The language of the page; English if the texts could not be loaded.
export const language = texts === ENGLISH ? "en" : wanted;
// The first locale for this language that the browser lists, often with the reader's country;
// otherwise, the language. The locale determines the format of dates and numbers.
export const locale =
  navigator.languages.find((wish) => wish.slice(0, 2).toLowerCase() === language) || language;

/**
 * @param {Texts} texts
 * @param {string} text
 * @param {Record<string, string | number>} values
 * @param {string} where the locale for numbers
 */
function speak(texts, text, values, where) {
  const row = texts.TEXTS[text];
  const forms = row ? [row].flat() : text.split("|");
  const form = row ? texts.form : ENGLISH.form;
  const said = forms[forms.length > 1 ? form(Number(values.n)) : 0];
  // Small numbers are not formatted, because small numbers look the same in all supported
  // languages, and creating a number format is slow.
  /** @param {string | number} value */
  const written = (value) =>
    Number(value) === value && value > 999 ? value.toLocaleString(where) : String(value);
  return said.replace(/\{(\w+)\}/g, (all, name) => (name in values ? written(values[name]) : all));
}
/**
 * Returns the text in the reader's language, with placeholders such as {name} replaced, and numbers
 * formatted. If a text has plural forms, "one|more", the value n selects the form by the rules of
 * the language.
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export function say(text, values = {}) {
  return speak(texts, text, values, locale);
}
/**
 * Returns the text with its first letter in upper case, for example for a badge.
 * @param {string} text
 */
export const capital = (text) => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
/**
 * Returns a function like say() for another language, for texts that are sent to somebody else.
 * @param {string} code
 * @returns {Promise<typeof say>}
 */
export async function sayIn(code) {
  const other = code === language ? texts : await load(code);
  return (text, values = {}) => speak(other, text, values, code);
}

/**
 * @type {Intl.DisplayNames[]} names in English and in the reader's language; empty until the first
 * use
 */
let regions = [];
/**
 * Returns a country's name in the reader's language, if the service's name is the English name for
 * the code. Otherwise returns the service's name, for example for a part of a country.
 * @param {string} name
 * @param {string} code ISO 3166 code; empty: none
 */
export function country(name, code) {
  try {
    if (regions.length === 0)
      regions = ["en", language].map(
        (wanted) => new Intl.DisplayNames([wanted], { type: "region" }),
      );
    const [english, own] = regions.map((names) => names.of(code));
    return english === name && own ? own : name;
  } catch {
    return name; // an old browser, or an invalid code
  }
}

/**
 * Loads the texts that have this context in src/languages. These texts are separate, because few
 * readers need them.
 * @param {string} context
 */
export async function learn(context) {
  if (language === "en") return;
  try {
    Object.assign(texts.TEXTS, (await import(`./${context}-${language}.js`)).TEXTS);
  } catch {
    /* the texts stay English */
  }
}

/**
 * Translates a page, by attributes:
 * - data-say: the element contains an English text, or the attribute does; data-n is the value n.
 * - data-say-label, data-say-alt, data-say-name: aria-label, alt or data-name is an English text.
 * - data-title: the title starts with this English text.
 * - data-country: an ISO 3166 code; the small text inside ends with the name of this country.
 * @param {Document} root
 */
export function translate(root) {
  document.documentElement.lang = language;
  for (const node of root.querySelectorAll("[data-title]")) {
    const page = node.getAttribute("data-title") ?? "";
    node.textContent = say(page) + (node.textContent ?? "").slice(page.length);
  }
  for (const node of root.querySelectorAll("[data-say]")) {
    const { say: text = "", n = "" } = /** @type {HTMLElement} */ (node).dataset ?? {};
    node.textContent = say(text || (node.textContent ?? "").trim().replace(/\s+/g, " "), {
      n: Number(n),
    });
  }
  for (const node of root.querySelectorAll("[data-country] small > :last-child")) {
    const code = node.closest("[data-country]")?.getAttribute("data-country") ?? "";
    node.textContent = country(node.textContent ?? "", code);
  }
  for (const node of root.querySelectorAll("[data-say-name]"))
    node.setAttribute("data-name", say(node.getAttribute("data-name") ?? ""));
  for (const node of root.querySelectorAll("[data-say-alt]"))
    node.setAttribute("alt", say(node.getAttribute("alt") ?? ""));
  for (const node of root.querySelectorAll("[data-say-label]"))
    node.setAttribute("aria-label", say(node.getAttribute("aria-label") ?? ""));
}
