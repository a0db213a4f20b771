// The language of a page: what the reader chose here before, else what the browser prefers, else
// English. The English text, which a page shows without JavaScript, is the name of a row in
// src/languages. Only the texts of the reader's language are loaded.
import { LANGUAGES } from "../languages.js";
export { LANGUAGES };

function choose() {
  /** @type {string | null} */
  let chosen = null;
  try {
    chosen = localStorage.getItem("qsosync-language");
  } catch {
    /* a browser that stores nothing */
  }
  const wishes = [...(chosen ? [chosen] : []), ...navigator.languages].map((wish) =>
    wish.slice(0, 2).toLowerCase(),
  );
  return wishes.find((wish) => Object.hasOwn(LANGUAGES, wish)) || "en";
}
/** @typedef {string | string[]} Row a text, or one for each form of the language */
/** @typedef {{TEXTS: Record<string, Row>, form: (n: number) => number}} Texts */

/** @type {Texts} */
const ENGLISH = { TEXTS: {}, form: (n) => Number(n !== 1) };
/**
 * @param {string} wanted
 * @returns {Promise<Texts>}
 */
async function load(wanted) {
  try {
    return wanted === "en" ? ENGLISH : await import(`../texts-${wanted}.js`);
  } catch {
    return ENGLISH; // better than no page
  }
}
const wanted = choose();
const texts = await load(wanted);
// What the page speaks: English where the texts could not be loaded.
export const language = texts === ENGLISH ? "en" : wanted;
// With the reader's country where the browser tells one of that language: it decides how days look.
export const locale =
  navigator.languages.find((wish) => wish.slice(0, 2).toLowerCase() === language) || language;

/**
 * @param {Texts} texts
 * @param {string} text
 * @param {Record<string, string | number>} values
 * @param {string} where the locale in which numbers are written
 */
function speak(texts, text, values, where) {
  const row = texts.TEXTS[text];
  const forms = row ? [row].flat() : text.split("|");
  const form = row ? texts.form : ENGLISH.form;
  const said = forms[forms.length > 1 ? form(Number(values.n)) : 0];
  // Below a thousand, numbers look the same everywhere, and a format takes long to make.
  /** @param {string | number} value */
  const written = (value) =>
    Number(value) === value && value > 999 ? value.toLocaleString(where) : String(value);
  return said.replace(/\{(\w+)\}/g, (all, name) => (name in values ? written(values[name]) : all));
}
/**
 * The text in the reader's language, with {name} replaced, numbers as the reader writes them. A
 * text of two forms, "one|more", takes the one that fits the value n, by the rules of its language.
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export function say(text, values = {}) {
  return speak(texts, text, values, locale);
}
/**
 * What say() is to the reader, in another language, for texts that go to somebody else.
 * @param {string} code
 * @returns {Promise<typeof say>}
 */
export async function sayIn(code) {
  const other = code === language ? texts : await load(code);
  return (text, values = {}) => speak(other, text, values, code);
}

/**
 * A country's name in the reader's language, where the service's name is the code's own English
 * one: of what has no code, or is a part of it, the English name stays.
 * @param {string} name
 * @param {string} code of ISO 3166; empty: none
 */
export function country(name, code) {
  try {
    const [english, own] = ["en", language].map((wanted) =>
      new Intl.DisplayNames([wanted], { type: "region" }).of(code),
    );
    return english === name && own ? own : name;
  } catch {
    return name; // an old browser, or a code that is none
  }
}

/**
 * Brings texts that few readers need, once they do: src/languages has them under this context.
 * @param {string} context
 */
export async function learn(context) {
  if (language === "en") return;
  try {
    Object.assign(texts.TEXTS, (await import(`../${context}-${language}.js`)).TEXTS);
  } catch {
    /* in English, then */
  }
}

/**
 * Elements marked data-say hold an English text, or name it there and its value in data-n;
 * data-say-label marks one whose aria-label is one, data-say-alt a picture whose text is one,
 * data-say-name one whose data-name is. The title begins with its data-title. Where data-country
 * has a code of ISO 3166, the small text inside ends with a country's name.
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
