// Tests pages in a language whose texts are the longest translation, or 40 % longer than English. On a screen of 320
// pixels no text may be cut.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { becomes, is, isTooWide, origin, withBrowser } from "./browser.js";

const WIDTH = 320;
const me = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };

// Lengthens each word by repeating its letters, so that lines break as in a real language. {names} stay unchanged.
function lengthen(text) {
  return text.replace(/\{\w+\}|[\p{L}\p{N}]{2,}/gu, (word) => (word[0] === "{" ? word : word + word.slice(0, Math.ceil(word.length * 0.4)).toLowerCase()));
}
// Returns, for each English text, the longest translation or the lengthened English text.
function textsOf() {
  const rows = {};
  const ENTRY = /^msgid "((?:[^"\\]|\\.)+)"\n(?:msgid_plural "((?:[^"\\]|\\.)+)"\n)?((?:msgstr(?:\[\d\])? "(?:[^"\\]|\\.)*"\n?)+)/gm;
  const parse = (quoted) => quoted && JSON.parse(`"${quoted}"`);
  const longest = (texts) => texts.reduce((one, other) => (other.length > one.length ? other : one));
  for (const file of readdirSync(process.env.QSOSYNC_LANGUAGES).filter((name) => name.endsWith(".po"))) {
    for (const [, one, more, translated] of readFileSync(join(process.env.QSOSYNC_LANGUAGES, file), "utf8").matchAll(ENTRY)) {
      const [first, second] = [one, more].map(parse);
      const forms = [...translated.matchAll(/^msgstr(?:\[\d\])? "(.*)"$/gm)].map(([, text]) => parse(text));
      const name = second ? `${first}|${second}` : first;
      rows[name] ??= second ? [lengthen(first), lengthen(second)] : lengthen(first);
      rows[name] = second ? [rows[name][0], longest([rows[name][1], ...forms])] : longest([rows[name], ...forms]);
    }
  }
  return `export const form = (n) => Number(n !== 1);\nexport const TEXTS = ${JSON.stringify(rows)};\n`;
}

// Returns the faults of a layout: text that a box hides, a label that exceeds its button, a choice longer than its
// field.
const findCut = () => {
  const found = [];
  const tell = (node, what) => found.push(`${what}: <${node.tagName.toLowerCase()} class="${node.className}" id="${node.id}"> ${node.textContent.trim().replace(/\s+/g, " ").slice(0, 60)}`);
  const pen = document.createElement("canvas").getContext("2d");
  // Returns whether a text is only for screen readers.
  const isUnseen = (node) => node !== document.body && (getComputedStyle(node).clipPath !== "none" || isUnseen(node.parentElement));
  for (const node of document.querySelectorAll("body *")) {
    const style = getComputedStyle(node);
    if (!node.checkVisibility({ checkVisibilityCSS: true }) || node.closest("svg, canvas, .skip") || isUnseen(node)) continue;
    const hides = (axis) => ["hidden", "clip"].includes(axis);
    const hasText = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
    const hasBadge = node.matches(".badge + *"); // the place next to a badge can end in an ellipsis
    if (hides(style.overflowX) && !hasBadge && node.scrollWidth > node.clientWidth + 1 && style.display !== "inline" && hasText) tell(node, "cut at its side");
    if (hides(style.overflowY) && node.scrollHeight > node.clientHeight + 1 && style.display !== "inline" && hasText) tell(node, "cut below");
    if (node.matches("button, a.button, summary") && node.scrollWidth > node.clientWidth + 1 && style.display !== "inline") tell(node, "longer than its button");
    if (node.matches("select") && style.opacity !== "0" && node.selectedOptions.length) {
      pen.font = style.font;
      const room = node.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      if (pen.measureText(node.selectedOptions[0].textContent.trim()).width > room + 1) tell(node, `${Math.round(pen.measureText(node.selectedOptions[0].textContent.trim()).width - room)} pixels longer than its field`);
    }
  }
  return found;
};

async function isWhole(page, name) {
  await page.evaluate(() => document.fonts.ready);
  is(await page.evaluate(isTooWide), null, `${name} is not wider than ${WIDTH} pixels with texts 40 % longer`);
  is(await page.evaluate(findCut), [], `${name} cuts no text at ${WIDTH} pixels with texts 40 % longer`);
}

const PAGES = [
  ["/", () => document.querySelector("#spots tr, #spots") !== null],
  ["/sign-in", () => document.querySelector("main form") !== null],
  ["/welcome/", () => document.querySelector("main form") !== null],
  ["/clusterx", () => document.querySelector("h1") !== null],
  ["/cluster/", () => document.querySelectorAll(".spots-table tbody tr").length >= 3],
  ["/cluster/list", () => document.querySelectorAll("tbody tr").length >= 3],
  ["/docs/", () => document.querySelector(".doors li") !== null],
  ["/docs/members", () => document.querySelector("article")?.lang === "de"],
];
const SECTIONS = [
  ["/profile/#log", () => document.querySelectorAll("#qsos .rows li").length >= 3],
  ["/profile/#profile", () => document.getElementById("state-deleted").textContent !== ""],
  ...["keys", "uploads", "clusters", "clubs", "import", "history", "deleted", "download", "locator", "language", "password", "passkeys", "devices",
    "another", "app", "delete"].map((name) => [`/profile/#profile/${name}`, () => document.querySelector("section:not([hidden]) .back") !== null]),
  ["/operator/#members", () => document.querySelectorAll("#members .rows li").length === 2],
  ["/operator/#health", () => document.querySelectorAll("#section-health li, #section-health dt").length > 0],
  ["/operator/#switches", () => document.querySelectorAll("#section-switches button").length > 0],
  ["/operator/#log", () => document.querySelectorAll("#acts li").length > 0],
];

const isTranslated = () => document.documentElement.lang === "de" && document.querySelector("#language option") !== null;
async function visit(context, pages) {
  for (const [path, question] of pages) {
    const page = await context.newPage();
    await page.setViewportSize({ width: WIDTH, height: 640 });
    await page.goto(origin + path);
    await becomes(page, isTranslated, `${path} is translated`);
    await becomes(page, question, `${path} is shown with long texts`);
    await isWhole(page, path);
  }
}

const options = { locale: "de-DE", allowed: [/status of 404 .*clusterx/, /status of 401/] };
const long = textsOf();
async function speakLong(context) {
  const answer = (route) => route.fulfill({ contentType: "text/javascript", body: long });
  await context.route("**/texts-de.js", answer);
  await context.route("**/papers-de.js", answer);
}
await withBrowser(async (context) => {
  await speakLong(context);
  await visit(context, PAGES);
}, options);
await withBrowser(async (context) => {
  await speakLong(context);
  await visit(context, SECTIONS);

  // The app is tested without a key and with a key.
  const page = await context.newPage();
  await page.setViewportSize({ width: WIDTH, height: 640 });
  await page.goto(`${origin}/app/`);
  await becomes(page, () => document.documentElement.lang === "de" && document.getElementById("keep-log")?.checkVisibility(), "the app asks whether to keep the log");
  await isWhole(page, "/app/");
  await page.evaluate(() => { location.hash = "setup"; });
  await becomes(page, () => document.getElementById("setup")?.hidden === false, "the app asks for a key");
  await isWhole(page, "/app/#setup");
  await page.locator("#setup button.main").first().click();
  await becomes(page, () => window.app?.line && document.getElementById("log")?.hidden === false, "the app has a key");
  for (const section of ["log", "logbook", "lines", "outing", "settings"]) {
    await page.evaluate((name) => { location.hash = name; }, section);
    await becomes(page, (name) => document.getElementById(name)?.hidden === false, `the app shows ${section}`, section);
    await isWhole(page, `/app/#${section}`);
  }
}, { ...options, member: me });
