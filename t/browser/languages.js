// Tests which texts a page loads, when the page loads the texts, and the page's language if the texts cannot be loaded.
import { becomes, is, look, ok, origin, signIn, withBrowser } from "./browser.js";
import { Line } from "./line.js";

const PATHS = ["/", "/cluster/"];
const MS = 30000;

// Returns the translation files that a page requests.
function followTexts(page) {
  const names = [];
  page.on("request", (request) => {
    const [, name] = /\/(texts-[^/]*)$/.exec(new URL(request.url()).pathname) ?? [];
    if (name) names.push(name);
  });
  return names;
}
const isTranslated = () => document.querySelector("#language option") !== null;

await withBrowser(async (context) => {
  for (const path of PATHS) {
    const page = await context.newPage();
    const texts = followTexts(page);
    await page.goto(origin + path);
    await becomes(page, isTranslated, `${path} is shown to an English reader`);
    is(texts, [], `${path} loads no texts for an English reader`);
  }
});

// On a phone, in each language, the head of a page is one row, in which the language's name is not cut. The links are a
// bar at the bottom, whose words are not cut.
await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(`${origin}/cluster/`);
  await becomes(page, isTranslated, "the languages can be chosen on a phone");
  const places = () => page.evaluate(() => [...document.querySelectorAll(".places a")].filter((link) => link.checkVisibility()).map((link) => link.innerText));
  is(await places(), [], "a guest's head on a phone has no links");
  await page.setViewportSize({ width: 1024, height: 640 });
  is(await places(), ["Spots", "How to join", "Programs"], "a guest's head has the links for guests");
  await page.setViewportSize({ width: 360, height: 640 });
  await signIn(context, { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD });
  const codes = await page.evaluate(() => [...document.querySelectorAll("#language option")].map((option) => option.value));
  for (const code of codes) {
    await page.evaluate((value) => localStorage.setItem("qsosync-language", value), code);
    await page.reload();
    await becomes(page, (value) => document.documentElement.lang === value && document.querySelector(".language")?.dataset.code === value.toUpperCase(), `the head shows ${code}`, code);
    const height = await page.evaluate(() => document.querySelector(".top").offsetHeight);
    ok(height <= 60, `${code}: the head has one row`, height);
    const links = await page.evaluate(() => [...document.querySelectorAll(".places a:not(.of-guest)")].map((link) => {
      const { width, height, bottom } = link.getBoundingClientRect();
      return { width, height, bottom, cut: link.scrollWidth > link.clientWidth, lines: link.querySelector("span").offsetHeight };
    }));
    is(links.length, 5, `${code}: the bar has five links`);
    ok(links.every(({ width, height, bottom, cut, lines }) => width >= 44 && height >= 44 && bottom === 640 && !cut && lines < 20),
      `${code}: the bar's links are large enough, at the bottom, and each is one line`, JSON.stringify(links));
  }

  // An open keyboard makes the screen low. The bar is then at the end of the page.
  await page.setViewportSize({ width: 360, height: 400 });
  ok(await page.evaluate(() => document.querySelector(".top nav").getBoundingClientRect().top > innerHeight), "the bar does not cover a low screen");
  ok(await page.evaluate(() => {
    scrollTo(0, document.body.scrollHeight);
    return Math.abs(document.querySelector(".top nav").getBoundingClientRect().bottom - innerHeight) < 1;
  }), "the bar is at the end of the page on a low screen");
  await page.setViewportSize({ width: 1024, height: 400 });
  ok(await page.evaluate(() => document.querySelector(".top nav").getBoundingClientRect().bottom < 60), "the links are in the head of a wide screen");
});

await withBrowser(async (context) => {
  for (const path of PATHS) {
    const page = await context.newPage();
    const texts = followTexts(page);
    await page.goto(origin + path);
    await becomes(page, () => document.body.innerText.includes("Dokumentation"), `${path} is in German for a reader who prefers it`);
    is(texts, ["texts-de.js"], `${path} loads the texts of one language, once`);
  }

  for (const [path, title] of [["/cluster/list", "Liste der Spots"], ["/docs/", "Dokumentation"], ["/clusterx", "Diese Seite gibt es nicht"]]) {
    const page = await context.newPage();
    await page.goto(origin + path);
    await becomes(page, (wanted) => document.title.startsWith(wanted), `the title of ${path} is German`, title);
  }

  // There is a translated paper, and an English paper within a German page.
  const paper = await context.newPage();
  await paper.goto(`${origin}/docs/members`);
  await becomes(paper, () => document.querySelector("article")?.lang === "de" && document.querySelector("h1").textContent === "Für Mitglieder", "the members' paper is German");
  ok((await paper.innerText("article")).includes("Rufzeichen") && !(await paper.innerText("article")).includes(" the "), "the members' paper is entirely German");
  await look(paper, "paper");
  await paper.goto(`${origin}/docs/design`);
  await becomes(paper, () => document.querySelector("h1")?.textContent === "Wie es geht, und warum", "an untranslated paper has a German title");
  is(await paper.getAttribute("article", "lang"), "en", "an untranslated paper declares its text as English");

  // The page's script arrives only after the texts were requested.
  const page = await context.newPage();
  const asked = page.waitForRequest("**/pages/texts-de.js", { timeout: MS }).then(() => true, () => false);
  let wasAsked = false;
  await page.route("**/pages/cluster.js", async (route) => {
    wasAsked = await asked;
    await route.continue();
  });
  await page.goto(`${origin}/cluster/`);
  await becomes(page, isTranslated, "a page whose script arrives late is shown");
  ok(wasAsked, "a page requests its texts before its own script arrives");
}, { locale: "de-DE", allowed: [/status of 404 .*clusterx/] });

await withBrowser(async (context) => {
  for (const path of PATHS) {
    for (const [what, answer] of [
      ["are missing", { status: 404, contentType: "text/html", body: "<h1>404</h1>" }],
      ["are broken", { contentType: "text/javascript", body: "export const TEXTS = {" }],
    ]) {
      const page = await context.newPage();
      await page.route("**/pages/texts-de.js", (route) => route.fulfill(answer));
      await page.goto(origin + path);
      await becomes(page, isTranslated, `${path} is shown if its texts ${what}`);
      ok((await page.innerText("nav")).includes("How to join"), `${path} is in English if its texts ${what}`);
      is(await page.getAttribute("html", "lang"), "en", `${path} declares English if its texts ${what}`);
    }
  }
}, { locale: "de-DE", allowed: [/status of 404 .*texts-de/, /texts-de/] });

// The app is offline, in the browser's preferred language, and then in a language chosen later.
const keeps = async (code) => Boolean(navigator.serviceWorker?.controller) && (await caches.match(`${location.origin}/app/texts-${code}.js`)) !== undefined;
const line = new Line();
await line.start();
await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(`${line.address}/`);
  await becomes(page, isTranslated, "the front page is shown before the app");
  await page.goto(`${line.address}/app/`);
  await becomes(page, keeps, "the app's worker keeps the texts of the preferred language", "de");
  is(await page.evaluate(keeps, "it"), false, "the app's worker keeps no unused texts");
  await page.evaluate(() => localStorage.setItem("qsosync-language", "it"));
  await page.reload();
  await becomes(page, keeps, "the app's worker keeps the texts of a chosen language", "it");
  await line.stop();
  await page.reload();
  await becomes(page, () => document.documentElement.lang === "it" && document.getElementById("setup")?.hidden === false, "the app uses the chosen language offline");
  is(await page.innerText(".brand"), "Club 333", "the app shows the club's name offline");
  ok((await page.title()).endsWith(" - Club 333"), "the title of the app contains the club's name", await page.title());
}, { locale: "de-DE", allowed: [/ERR_CONNECTION|Failed to fetch|Failed to load resource|401/] });
