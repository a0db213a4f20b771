// What all pages share: elements made of texts that may be hostile, requests to the service, settings kept in the
// browser, and what every page does at its start. Data becomes text nodes and attributes here, never markup.
import { language, locale, say, translate } from "./language.js";
import { LANGUAGES } from "./languages.js";

// Controls that would reorder or hide what stands around a text are shown by their names.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
export function plain(text) {
  return String(text).replace(CONTROLS, (c) => `[U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);
}

// element("p", { class: "note" }, "text", otherElement): attributes that are null or false are left out, a function
// listens to the event of its name.
export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}
export function drawing(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined).map((child) => (child instanceof Node ? child : plain(child))));
  return node;
}

// A text that somebody typed, kept apart from the direction of what stands around it.
export function typed(text, attributes = {}) {
  return element("bdi", attributes, text);
}
export function find(id) {
  return document.getElementById(id);
}

// Settings of this browser. Where it stores nothing they are lost, which does no other harm.
export function remember(name, value) {
  try {
    localStorage.setItem(`qsosync-${name}`, value);
  } catch { /* as said */ }
}
export function recall(name) {
  try {
    return localStorage.getItem(`qsosync-${name}`);
  } catch {
    return null;
  }
}

// Copies a text and says so on the button.
export function copyButton(text, name = "Copy") {
  const button = element("button", { type: "button" }, say(name));
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "function" ? text() : text);
      button.textContent = say("Copied");
    } catch {
      button.textContent = say("Please copy it by hand");
    }
    setTimeout(() => { button.textContent = say(name); }, 3000);
  });
  return button;
}

// Numbers and times in the reader's language; days and hours are UTC everywhere.
export function number(value, digits = 0) {
  return new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}
export function day(iso) {
  return new Intl.DateTimeFormat(locale, { timeZone: "UTC", dateStyle: "medium" }).format(new Date(iso));
}
export function hour(iso) {
  return new Intl.DateTimeFormat(locale, { timeZone: "UTC", hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(new Date(iso));
}
const STEPS = [[60, "second"], [60, "minute"], [24, "hour"], [365, "day"], [Infinity, "year"]];
export function age(iso, now = Date.now()) {
  let value = Math.max(0, (now - new Date(iso).getTime()) / 1000);
  for (const [size, unit] of STEPS) {
    if (value < size) return new Intl.RelativeTimeFormat(locale, { style: "short", numeric: "auto" }).format(-Math.floor(value), unit);
    value /= size;
  }
  return "";
}

function start() {
  translate(document);
  const languages = find("language");
  if (!languages) return;
  languages.append(...Object.entries(LANGUAGES).map(([code, name]) => element("option", { value: code, lang: code }, name)));
  languages.value = language;
  languages.addEventListener("change", () => {
    remember("language", languages.value);
    location.reload();
  });
  languages.closest("[hidden]")?.removeAttribute("hidden");
}
start();
