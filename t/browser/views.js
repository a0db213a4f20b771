// Looks at each view on a desktop, a phone and a small phone, in English and German. Nothing is wider than the screen,
// no text is cut, and at most one button is filled. Targets are large enough, the focus is visible, and little moves
// while the view loads.
// QSOSYNC_SCREENSHOTS names a folder for a picture of each view in both schemes, and for sheets that show these pictures.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawn, isTooWide, is, ok, openByLink, origin, signIn, withBrowser } from "./browser.js";
import { APP, findCutTexts, findFilledButtons, findFocusUnseen, findSmallTargets, findUnderHead, findWrappedChips, GUEST, measureRows, MEMBER } from "./view-checks.js";

const SCREENS = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 }, small: { width: 360, height: 740 } };
const folder = process.env.QSOSYNC_SCREENSHOTS;
const pictures = [];

// Adds up how far the page's parts move without an act of the reader.
const watchShifts = () => {
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) window.shifts += value;
  }).observe({ type: "layout-shift", buffered: true });
};

async function take(page, name) {
  if (!folder) return;
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page.screenshot({ path: join(folder, `${name}-${scheme}.png`) });
    pictures.push(`${name}-${scheme}.png`);
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}
async function inspect(page, name, screen, isTouched) {
  await page.setViewportSize(SCREENS[screen]);
  await drawn(page);
  is(await page.evaluate(isTooWide), null, `${name} is not wider than the screen`);
  is(await page.evaluate(findCutTexts), [], `${name} cuts no text`);
  if (screen !== "desk") is(await page.evaluate(findWrappedChips), [], `${name} has chips in one line`);
  if (isTouched) is(await page.evaluate(findSmallTargets), [], `${name} has targets for a thumb`);
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
      is(await page.evaluate(findUnderHead), [], `${name} begins below the head`);
      const filled = await page.evaluate(findFilledButtons);
      ok(filled.length <= 1, `${name} has at most one filled button`, ...filled);
      await inspect(page, name, screen, language === "de");
      if (language === "en") is(await page.evaluate(findFocusUnseen), [], `${name} shows where the focus is`);
    }
    if (language === "de") await inspect(page, `${view}-${language}-small`, "small", true);
  }
}

// Checks how much of the log the Logbook's first screen shows.
async function checkFirstScreen(context) {
  const page = await context.newPage();
  for (const [screen, least] of [["desk", 11], ["phone", 8]]) {
    await open(page, MEMBER.logbook, screen);
    await page.waitForSelector(".rows > li");
    const { top, count } = await page.evaluate(measureRows);
    if (screen === "phone") ok(top <= 230, "the Logbook's first row is above 230 pixels on a phone", top);
    ok(count >= least, `the Logbook's first screen has at least ${least} rows on a ${screen}`, count);
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
    if (language === "en") await checkFirstScreen(context);
  }, { locale, allowed: [/404/], device: { hasTouch: language === "de" } });
}
for (const scheme of folder ? ["light", "dark"] : [])
  writeFileSync(join(folder, `sheet-${scheme}.html`), `<!DOCTYPE html><meta charset="utf-8"><title>Views, ${scheme}</title>
<style>body{font:13px sans-serif;display:flex;flex-wrap:wrap;gap:12px}figure{margin:0}img{height:420px;border:1px solid #888}</style>
${pictures.filter((name) => name.endsWith(`-${scheme}.png`)).map((name) => `<figure><img src="${name}" alt=""><figcaption>${name}</figcaption></figure>`).join("\n")}
`);
