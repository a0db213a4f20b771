// The language of a page: what the reader chose here before, else what the browser prefers, else English. The
// English text is the name of a row of texts.js, and what a page shows without JavaScript.
import { TEXTS } from "./texts.js";

const LANGUAGES = ["en", "de", "nl"];

function choose() {
  let chosen = null;
  try {
    chosen = localStorage.getItem("qsosync-language");
  } catch { /* a browser that stores nothing */ }
  const wishes = [chosen, ...navigator.languages].filter(Boolean).map((wish) => wish.slice(0, 2).toLowerCase());
  return wishes.find((wish) => LANGUAGES.includes(wish)) || "en";
}
export const language = choose();
// With the reader's country where the browser tells one of that language: it decides how days look.
export const locale = navigator.languages.find((wish) => wish.slice(0, 2).toLowerCase() === language) || language;

// The text in the reader's language, with {name} replaced. A text of two forms, "one|more", takes the one that
// fits the value n.
export function say(text, values = {}) {
  const row = TEXTS[text];
  const said = (language === "en" || !row ? text : row[LANGUAGES.indexOf(language) - 1]).split("|");
  const form = said.length > 1 && new Intl.PluralRules(language).select(values.n) !== "one" ? said[1] : said[0];
  return form.replace(/\{(\w+)\}/g, (all, name) => (name in values ? values[name] : all));
}

// Elements marked data-say hold an English text; data-say-label marks one whose aria-label is one.
export function translate(root) {
  document.documentElement.lang = language;
  for (const node of root.querySelectorAll("[data-say]")) node.textContent = say(node.textContent.trim().replace(/\s+/g, " "));
  for (const node of root.querySelectorAll("[data-say-label]")) node.setAttribute("aria-label", say(node.getAttribute("aria-label")));
}
