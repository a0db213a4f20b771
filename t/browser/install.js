// Tests installing the app. The browser finds no missing requirement (only Chromium with windows can check this). Pages
// offer the installation, or explain how to install.
import { becomes, is, isAccessible, ok, openSection, origin, withBrowser } from "./browser.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const AGENTS = [
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1", "On an iPhone or iPad: open the app, then Share"],
  ["Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "In Firefox: open the app, then the menu"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox can't install apps on this system"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15", "then Add to Dock"],
  ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36", "Use the browser's menu to install the app"],
];
// Hides the browser's own event from the page, because the test fires the event itself.
const silence = () => window.addEventListener("beforeinstallprompt", (event) => event.isTrusted && event.stopImmediatePropagation());
const ask = () => {
  const event = new Event("beforeinstallprompt", { cancelable: true });
  event.prompt = () => { window.prompted = true; };
  window.dispatchEvent(event);
  return event.defaultPrevented;
};

await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.addInitScript(silence);
  const session = await context.newCDPSession(page);
  for (const path of ["/app/", "/", "/profile/"]) {
    await page.goto(origin + path);
    await page.waitForLoadState("networkidle");
    const { url, errors } = await session.send("Page.getAppManifest");
    is([url, errors], [`${origin}/app/manifest.webmanifest`, []], `${path} names the app's manifest, in which the browser finds no error`);
    const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
    is(installabilityErrors, [], `on ${path} the browser finds no obstacle to installing the app`);
  }
  const icons = await page.evaluate(async () => {
    const { icons } = await (await fetch("../app/manifest.webmanifest")).json();
    return Promise.all(icons.filter(({ type }) => type === "image/png").map(async ({ src, sizes, purpose }) => {
      const bitmap = await createImageBitmap(await (await fetch(`../app/${src}`)).blob());
      const drawn = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d", { willReadFrequently: true });
      drawn.drawImage(bitmap, 0, 0);
      const at = (x, y) => [...drawn.getImageData(x, y, 1, 1).data];
      return { purpose, isTrue: sizes === `${bitmap.width}x${bitmap.height}`, width: bitmap.width, corner: at(0, 0)[3], middle: at(bitmap.width / 2, bitmap.width * 0.46) };
    }));
  });
  const white = [255, 255, 255, 255];
  is(icons, [
    { purpose: "any", isTrue: true, width: 192, corner: 0, middle: white },
    { purpose: "any", isTrue: true, width: 512, corner: 0, middle: white },
    { purpose: "maskable", isTrue: true, width: 512, corner: 255, middle: white },
  ], "each icon has its declared size, and the maskable icon fills its square");

  await page.goto(`${origin}/`);
  await becomes(page, () => document.getElementById("install").innerText.startsWith("Use the browser's menu"), "the front page explains how to install the app");
  ok(await page.evaluate(ask), "the front page keeps the browser's prompt");
  await page.click("#install >> text=Install the app");
  ok(await page.evaluate(() => window.prompted), "the button on the front page opens the prompt");
  await isAccessible(page, "the front page with the button is accessible");

  await page.goto(`${origin}/profile/`);
  await page.waitForSelector("#view:not([hidden])");
  ok(await page.evaluate(ask), "the profile keeps the browser's prompt before its section is opened");
  await openSection(page, "profile/app");
  await page.click("#install >> text=Install the app");
  ok(await page.evaluate(() => window.prompted), "the button in the profile opens the prompt");
  await page.evaluate(() => window.dispatchEvent(new Event("appinstalled")));
  is(await page.innerText("#install"), "The app is installed.", "the profile reports that the app is installed");

  for (const [agent, sentence] of AGENTS) {
    await page.addInitScript((value) => Object.defineProperty(navigator, "userAgent", { get: () => value, configurable: true }), agent);
    await page.goto(`${origin}/`);
    await becomes(page, (text) => document.getElementById("install").innerText.includes(text), `the page gives each kind of browser its advice: ${sentence}`, sentence);
  }
  await page.addInitScript(() => Object.defineProperty(window, "isSecureContext", { get: () => false }));
  await page.goto(`${origin}/`);
  await becomes(page, () => document.getElementById("install").innerText.includes("only if its address starts with https"), "without TLS the page names the requirement");
}, { member, isOwn: true, device: { executablePath: "/usr/bin/chromium" } });
