// Looks at each view on a desk, a phone and a small phone, in English and German: nothing is wider than the screen, no
// text is cut, at most one button is filled, and little moves while the view loads.
// QSOSYNC_SCREENSHOTS names a folder for a picture of each view in both schemes, and for sheets that show these pictures.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawn, isTooWide, is, ok, openByLink, origin, signIn, withBrowser } from "./browser.js";

const SCREENS = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 }, small: { width: 360, height: 740 } };
const GUEST = { front: "/", spots: "/cluster/", "sign-in": "/sign-in", station: "/log/21SD333", documentation: "/docs/",
  "not-found": "/profile/nothing" };
const MEMBER = { logbook: "/profile/#log", awards: "/profile/#awards", squares: "/profile/#awards?part=squares", cards: "/profile/#cards",
  "spots-member": "/cluster/", profile: "/profile/#profile",
  ...Object.fromEntries(["locator", "language", "passkeys", "password", "devices", "another", "keys", "uploads", "clusters", "clubs",
    "import", "download", "history", "deleted", "delete"].map((name) => [name, `/profile/#profile/${name}`])),
  members: "/operator/#members", stations: "/operator/#stations", peers: "/operator/#peers", service: "/operator/#health" };
const APP = { log: "/app/#log", qsos: "/app/#logbook", "awards-app": "/app/#awards", "spots-app": "/app/#spots",
  paper: "/app/#lines", activation: "/app/#outing", settings: "/app/#settings" };
const folder = process.env.QSOSYNC_SCREENSHOTS;
const pictures = [];

// Adds up how far the page's parts move without an act of the reader.
const watchShifts = () => {
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) window.shifts += value;
  }).observe({ type: "layout-shift", buffered: true });
};

const isShown = `(node) => node.checkVisibility({ visibilityProperty: true }) && node.getClientRects().length > 0 && !node.closest(".unseen")`;
// Returns the places whose text is cut. An ellipsis is intended, and texts for screen readers are one pixel wide.
const cutTexts = `[...document.querySelectorAll("body *")].filter((node) => {
  const { overflowX, textOverflow } = getComputedStyle(node);
  return overflowX !== "visible" && overflowX !== "auto" && overflowX !== "scroll" && textOverflow !== "ellipsis" && node.clientWidth > 2
    && node.scrollWidth > node.clientWidth + 1 && [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim())
    && (${isShown})(node);
}).map((node) => node.tagName + "." + node.className + " " + node.textContent.trim().slice(0, 40))`;
const filledButtons = `[...document.querySelectorAll(".main, button.primary")].filter((node) => node.matches("a, button, input"))
  .filter(${isShown}).map((node) => node.textContent.trim())`;

async function take(page, name) {
  if (!folder) return;
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page.screenshot({ path: join(folder, `${name}-${scheme}.png`) });
    pictures.push(`${name}-${scheme}.png`);
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}
async function inspect(page, name, screen) {
  await page.setViewportSize(SCREENS[screen]);
  await drawn(page);
  is(await page.evaluate(isTooWide), null, `${name} is not wider than the screen`);
  is(await page.evaluate(cutTexts), [], `${name} cuts no text`);
  await take(page, name);
}
async function open(page, path, screen) {
  await page.setViewportSize(SCREENS[screen]);
  await page.goto("about:blank");
  await page.goto(origin + path, { waitUntil: "networkidle" });
}
async function visit(context, views, language) {
  const page = await context.newPage();
  await page.addInitScript(watchShifts);
  for (const [view, path] of Object.entries(views)) {
    for (const screen of language === "en" ? ["desk", "phone"] : ["phone"]) {
      await open(page, path, screen);
      const name = `${view}-${language}-${screen}`;
      const shifts = await page.evaluate(() => window.shifts);
      ok(shifts < 0.02, `${name} does not move while it loads`, shifts);
      const filled = await page.evaluate(filledButtons);
      ok(filled.length <= 1, `${name} has at most one filled button`, ...filled);
      await inspect(page, name, screen);
    }
    if (language === "de") await inspect(page, `${view}-${language}-small`, "small");
  }
}

if (folder) mkdirSync(folder, { recursive: true });
const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
for (const locale of ["en-GB", "de-DE"]) {
  const language = locale.slice(0, 2);
  await withBrowser(async (context) => {
    await visit(context, GUEST, language);
    await signIn(context, member);
    await visit(context, MEMBER, language);
    const page = await context.newPage();
    await openByLink(page, process.env.QSOSYNC_WRITE_KEY);
    await page.waitForFunction(() => document.getElementById("state").textContent.includes("2"), null, { polling: 500 }).catch(() => {});
    await page.close();
    await visit(context, APP, language);
  }, { locale, allowed: [/404/] });
}
for (const scheme of folder ? ["light", "dark"] : [])
  writeFileSync(join(folder, `sheet-${scheme}.html`), `<!DOCTYPE html><meta charset="utf-8"><title>Views, ${scheme}</title>
<style>body{font:13px sans-serif;display:flex;flex-wrap:wrap;gap:12px}figure{margin:0}img{height:420px;border:1px solid #888}</style>
${pictures.filter((name) => name.endsWith(`-${scheme}.png`)).map((name) => `<figure><img src="${name}" alt=""><figcaption>${name}</figcaption></figure>`).join("\n")}
`);
