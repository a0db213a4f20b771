// Which texts a page loads, when, and what it says where they cannot be loaded.
import { becomes, is, look, ok, origin, withBrowser } from "./browser.js";
import { Line } from "./line.js";

const PATHS = ["/", "/cluster/"];
const MS = 30000;

// The files of texts that a page asks for.
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

// On a phone the head of a page has two rows in each language, and the name of a language is not cut.
await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(`${origin}/cluster/`);
  await becomes(page, isTranslated, "the languages can be chosen on a phone");
  const codes = await page.evaluate(() => [...document.querySelectorAll("#language option")].map((option) => option.value));
  for (const code of codes) {
    await page.evaluate((value) => localStorage.setItem("qsosync-language", value), code);
    await page.reload();
    await becomes(page, (value) => document.documentElement.lang === value && document.querySelector(".language")?.dataset.code === value.toUpperCase(), `the head says ${code}`, code);
    const height = await page.evaluate(() => document.querySelector(".top").offsetHeight);
    ok(height <= 110, `${code}: the head has two rows`, height);
  }
});

await withBrowser(async (context) => {
  for (const path of PATHS) {
    const page = await context.newPage();
    const texts = followTexts(page);
    await page.goto(origin + path);
    await becomes(page, () => document.body.innerText.includes("Dokumentation"), `${path} speaks German to who prefers it`);
    is(texts, ["texts-de.js"], `${path} loads the texts of one language, once`);
  }

  for (const [path, title] of [["/cluster/list", "Liste der Spots"], ["/docs/", "Dokumentation"], ["/clusterx", "Diese Seite gibt es nicht"]]) {
    const page = await context.newPage();
    await page.goto(origin + path);
    await becomes(page, (wanted) => document.title.startsWith(wanted), `the title of ${path} is German`, title);
  }

  // Papers: one that is translated, and one in English within a German page.
  const paper = await context.newPage();
  await paper.goto(`${origin}/docs/members`);
  await becomes(paper, () => document.querySelector("article")?.lang === "de" && document.querySelector("h1").textContent === "Für Mitglieder", "the members' paper is German");
  ok((await paper.innerText("article")).includes("Rufzeichen") && !(await paper.innerText("article")).includes(" the "), "from its first line to its last");
  await look(paper, "paper");
  await paper.goto(`${origin}/docs/design`);
  await becomes(paper, () => document.querySelector("h1")?.textContent === "Wie es geht, und warum", "a paper that is not translated has a German title");
  is(await paper.getAttribute("article", "lang"), "en", "and says that its text is English");

  // Its script arrives when the texts were asked for, or late.
  const page = await context.newPage();
  const asked = page.waitForRequest("**/pages/texts-de.js", { timeout: MS }).then(() => true, () => false);
  let wasAsked = false;
  await page.route("**/pages/cluster.js", async (route) => {
    wasAsked = await asked;
    await route.continue();
  });
  await page.goto(`${origin}/cluster/`);
  await becomes(page, isTranslated, "a page whose script comes late is shown");
  ok(wasAsked, "a page asks for its texts before its own script has come");
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
      await becomes(page, isTranslated, `${path} is shown where its texts ${what}`);
      ok((await page.innerText("nav")).includes("My log"), `${path} speaks English where its texts ${what}`);
      is(await page.getAttribute("html", "lang"), "en", `${path} tells screen readers so where its texts ${what}`);
    }
  }
}, { locale: "de-DE", allowed: [/status of 404 .*texts-de/, /texts-de/] });

// The app without a network: what the browser prefers, and what was chosen since.
const keeps = async (code) => Boolean(navigator.serviceWorker?.controller) && (await caches.match(`${location.origin}/app/texts-${code}.js`)) !== undefined;
const line = new Line();
await line.start();
await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(`${line.address}/app/`);
  await becomes(page, keeps, "the app's worker keeps the texts that the browser prefers", "de");
  is(await page.evaluate(keeps, "it"), false, "and none that nobody uses");
  await page.evaluate(() => localStorage.setItem("qsosync-language", "it"));
  await page.reload();
  await becomes(page, keeps, "it keeps those of a language that was chosen", "it");
  await line.stop();
  await page.reload();
  await becomes(page, () => document.documentElement.lang === "it" && document.getElementById("setup")?.hidden === false, "and the app speaks it without a network");
}, { locale: "de-DE", allowed: [/ERR_CONNECTION|Failed to fetch|Failed to load resource|401/] });
