// Starts every page, and contains functions that all pages share. Texts can be hostile, so elements
// are built from text nodes and attributes, and never from markup.
import { NAMELESS } from "./account.js";
import { LANGUAGES, language, locale, translate } from "./language.js";

// Control characters, which are replaced by their codes because they could reorder or hide nearby
// text.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
/** @param {unknown} text */
export function plain(text) {
  return String(text).replace(
    CONTROLS,
    (c) => `[U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`,
  );
}

/**
 * Attributes that are null, undefined or false are omitted. A function becomes a listener for the
 * event that the attribute names.
 * @typedef {string | number | boolean | null | undefined | ((event: any) => void)} Attribute
 * @typedef {Record<string, Attribute>} Attributes
 */
/** @typedef {Node | string | number | null | undefined} Child null: omitted */

/**
 * Creates an element: element("p", { class: "note" }, "text", otherElement)
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} attributes
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}
/**
 * Creates an SVG element.
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} attributes
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[Name]}
 */
export function drawing(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}
/**
 * @template {Element} Kind
 * @param {Kind} node
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false)
      node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(
    ...children
      .filter((child) => child !== null && child !== undefined)
      .map((child) => (child instanceof Node ? child : plain(child))),
  );
  return node;
}

/**
 * Returns a text that somebody typed, isolated so that its direction does not affect the text
 * around it.
 * @param {unknown} text
 * @param {Attributes} attributes
 */
export function typed(text, attributes = {}) {
  return element("bdi", attributes, plain(text));
}
/**
 * Returns the element with the given id, which must exist.
 * @param {string} id
 */
export function find(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page lacks ${id}`);
  return found;
}
/**
 * Returns the element with the given id, after checking its class.
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 */
export function findAs(id, kind) {
  const found = find(id);
  if (!(found instanceof kind)) throw new Error(`${id} is no ${kind.name}`);
  return found;
}
/**
 * Returns an input field.
 * @param {string} id
 */
export function input(id) {
  return findAs(id, HTMLInputElement);
}
/**
 * Returns a figure with its name, as a group of a description list.
 * @param {string} name
 * @param {string} value
 */
export const figureOf = (name, value) =>
  element("div", {}, element("dt", {}, name), element("dd", {}, value));
/**
 * Returns a select element.
 * @param {string} id
 */
export function choice(id) {
  return findAs(id, HTMLSelectElement);
}

/**
 * Returns a function that does some work. Until the work has ended, further calls have no effect,
 * so that a double click sends one request.
 * @param {() => unknown} work
 */
export function oneAtATime(work) {
  let isBusy = false;
  return async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      await work();
    } finally {
      isBusy = false;
    }
  };
}
/** Yields, so that the browser can render and react to input before the work continues. */
export const breathe = () => new Promise((done) => setTimeout(done));

/**
 * Moves the focus to the outcome of an action, unless the reader has moved the focus meanwhile.
 * @param {HTMLElement | null} target
 * @param {Element} from the element that had the focus
 */
export function moveFocus(target, from = document.body) {
  const { activeElement } = document;
  if (activeElement === document.body || activeElement === from) target?.focus();
}

// True if passkeys can be used. Passkeys need a browser that supports them, and an address with a
// host name.
export const hasPasskeys =
  "PublicKeyCredential" in globalThis && !/^[\d.]+$|:/.test(location.hostname);

// Settings in this browser. If the browser does not allow storage, the settings are lost, without
// further effects.
/**
 * @param {string} name
 * @param {string} value
 */
export function remember(name, value) {
  try {
    localStorage.setItem(`qsosync-${name}`, value);
  } catch {
    /* the setting is lost */
  }
}
/** @param {string} name */
export function recall(name) {
  try {
    return localStorage.getItem(`qsosync-${name}`);
  } catch {
    return null;
  }
}

// Numbers and times are in the reader's language; days and hours are always UTC. Creating a format
// takes a hundred times as long as using it, and the first format takes many milliseconds. So
// formats are created on first use.
/**
 * Returns a function that returns the result of `make`. The result is computed once, on first use.
 * @template Kind
 * @param {() => Kind} make
 */
export function once(make) {
  /** @type {Kind | undefined} */
  let made;
  return () => (made ??= make());
}
/** @type {Record<number, Intl.NumberFormat>} by the number of digits */
const NUMBERS = {};
/**
 * @param {number} value
 * @param {number} digits after the decimal point
 */
export function number(value, digits = 0) {
  NUMBERS[digits] ??= new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return NUMBERS[digits].format(value);
}
/** @param {Intl.DateTimeFormatOptions} options */
export const timeFormat = (options) =>
  once(() => new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options }));
const days = timeFormat({ dateStyle: "medium" });
const hours = timeFormat({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const ages = once(() => new Intl.RelativeTimeFormat(locale, { style: "short", numeric: "auto" }));
/** @param {string | number} iso */
export function day(iso) {
  return days().format(new Date(iso));
}
/** @param {string | number} iso */
export function hour(iso) {
  return hours().format(new Date(iso));
}
/** @type {[number, Intl.RelativeTimeFormatUnit][]} */
const STEPS = [
  [60, "second"],
  [60, "minute"],
  [24, "hour"],
  [365, "day"],
  [Infinity, "year"],
];
/**
 * Returns the time since `iso` in words.
 * @param {string | number} iso
 * @param {number} [now]
 * @param {{format: (value: number, unit: Intl.RelativeTimeFormatUnit) => string}} [format] receives
 *   a negative number
 */
export function age(iso, now = Date.now(), format = ages()) {
  let value = Math.max(0, (now - new Date(iso).getTime()) / 1000);
  for (const [size, unit] of STEPS) {
    if (value < size) return format.format(-Math.floor(value), unit);
    value /= size;
  }
  return "";
}

/** Shows the club's name on a page without the name, if this browser remembers the name. */
function showClub() {
  const club = recall("club");
  const shown = document.querySelector(".brand bdi");
  if (!club || shown?.textContent !== NAMELESS) return;
  shown.textContent = plain(club);
  document.title = document.title.replace(new RegExp(` - ${NAMELESS}$`), () => ` - ${club}`);
}
function start() {
  const { dataset } = document.documentElement;
  dataset.accent ??= recall("accent") ?? "";
  translate(document);
  showClub();
  if (!document.getElementById("language")) return;
  const languages = choice("language");
  languages.append(
    ...Object.entries(LANGUAGES).map(([code, name]) =>
      element("option", { value: code, lang: code }, name),
    ),
  );
  languages.value = language;
  languages.addEventListener("change", () => {
    remember("language", languages.value);
    location.reload();
  });
  const label = languages.closest("label");
  label?.setAttribute("data-code", language.toUpperCase());
  label?.removeAttribute("hidden");
}
start();
