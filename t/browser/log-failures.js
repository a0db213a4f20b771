// My log when a question to the service fails: it is told, and asked again on the next try.
import { becomes, is, origin, qso, save, withBrowser } from "./browser.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const refused = { status: 500, json: { error: { code: "SERVER.INTERNAL" } } };

await save(...Array.from({ length: 60 }, (_, place) => qso({ callsignWorked: `26AT${100 + place}`, qsoAt: new Date(Date.now() - place * 60000).toISOString() })));

await withBrowser(async (context) => {
  // What the section cannot do without.
  for (const question of ["statistics", "revision"]) {
    const page = await context.newPage();
    await page.route(`**/data/${question}`, (route) => route.fulfill(refused));
    await page.goto(`${origin}/profile/#log`);
    await becomes(page, () => !document.getElementById("trouble").hidden && document.getElementById("trouble").innerText.includes("SERVER.INTERNAL"), `a failure of ${question} is told`);
    await page.unroute(`**/data/${question}`);
    await page.click(".tabs >> text=Data");
    await page.click(".tabs >> text=My log");
    await becomes(page, () => document.querySelectorAll("#qsos tbody tr").length === 50, `after a failure of ${question} the log is asked for again`);
    is(await page.evaluate(() => document.getElementById("trouble").hidden), true, "nothing is told then");
    is(await page.locator("#log-actions button").count(), 1, "one button logs a QSO");
    await page.click("#qsos tbody tr >> nth=0 >> summary");
    is(await page.locator("#qsos tbody tr >> nth=0 >> button:visible").evaluateAll((all) => all.length - new Set(all.map((one) => one.innerText)).size), 0, "a row has each of its buttons once");
    const asked = [];
    page.on("request", (request) => { if (request.url().includes("/data/qsos?")) asked.push(request.url()); });
    await page.selectOption("#search select >> nth=0", { index: 1 });
    await becomes(page, () => document.getElementById("qsos").getAttribute("aria-busy") === null && !document.getElementById("search-clear").hidden, "a filter is followed");
    is(asked.length, 1, "and asks for its QSOs once");
  }

  const page = await context.newPage();
  await page.route("**/data/qsos?*", (route) => route.fulfill(refused));
  await page.goto(`${origin}/profile/#log`);
  await becomes(page, () => document.querySelector("#qsos [role=alert]:not([hidden])")?.innerText.includes("SERVER.INTERNAL"), "a failure of the newest QSOs is told in their place");
  await page.unroute("**/data/qsos?*");
  await page.click("#qsos >> text=Show more");
  await becomes(page, () => document.querySelectorAll("#qsos tbody tr").length === 50 && document.querySelector("#qsos [role=alert]").hidden, "the next try asks for them again");

  // Another section before the first one has come.
  const hasty = await context.newPage();
  const held = [];
  await hasty.route("**/data/me", (route) => { held.push(route); });
  await hasty.goto(`${origin}/profile/#log`);
  await hasty.evaluate(() => { location.hash = "#history"; });
  await Promise.all(held.map((route) => route.continue()));
  await hasty.unroute("**/data/me");
  await becomes(hasty, () => document.getElementById("section-log").hidden && document.querySelector("#section-history .items li"), "the section that was wanted last is shown");
  await hasty.click(".tabs >> text=My log");
  await becomes(hasty, () => document.querySelectorAll("#qsos tbody tr").length === 50, "the other one comes when it is wanted");
}, { member, allowed: [/status of 500 .*data\/(statistics|revision|qsos)/] });
