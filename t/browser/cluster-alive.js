// Tests the spots page while the page stays open: without the network or the service, during an hour of spots, and with
// thousands of spots. The test answers instead of the service if very many spots, or no spots, are needed.
import { becomes, drawn, is, ok, openChip, origin, qso, save, waitFor, withBrowser } from "./browser.js";

const STATION = { entity: "England", flag: null, lat: "51.52", lng: "-0.12" };
let last = 0;
const spot = (id) => ({ id: String(id), spotter: "21SD333", spotted: `26AT${id}`, frequency: 27555, when: new Date().toISOString(), band: "11m", mode: "USB",
  channel: null, ctcssTone: null, dcsCode: null, spotterLocator: "JO59jw", spottedLocator: "IO91wm", dxcc_spotter: STATION, dxcc_spotted: STATION, special: null });
// Answers with the requested number of spots, newest first, up to spot `last`.
async function answer(route) {
  const query = new URL(route.request().url()).searchParams;
  const top = query.has("before") ? Number(query.get("before")) - 1 : last;
  const end = Math.max(0, top - Number(query.get("limit")));
  const spots = Array.from({ length: top - end }, (_, index) => spot(top - index));
  await route.fulfill({ json: spots, headers: { ETag: `"${last}"`, ...(end ? { "X-Next-Before": String(end + 1) } : {}) } });
}
const isOn = () => document.getElementById("live").classList.contains("on");

await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`${origin}/cluster/`);
  await becomes(page, isOn, "an open page is live");
  // The page's time continues between two steps of the test's clock, so a text can disappear before the test reads the
  // text.
  await page.evaluate(() => {
    const live = document.getElementById("live");
    window.said = [];
    new MutationObserver(() => window.said.push(`${live.textContent}${live.classList.contains("on") ? ", on" : ""}`)).observe(live, { childList: true });
  });

  // Requests get neither an answer nor an error.
  let held = [];
  await page.route("**/cluster/spots?*", (route) => { held.push(route); });
  await page.clock.runFor(7000);
  await becomes(page, () => window.said.includes("Waiting for the service"),
    "a page whose request gets no answer stops being live");
  await page.clock.runFor(4000);
  await becomes(page, () => /can't be reached/.test(document.getElementById("live").textContent), "a request without an answer ends after a time limit");
  ok(/last update (9|\d\d) sec/.test(await page.innerText("#answered")), "the page shows the age of the last update", await page.innerText("#answered"));
  const before = held.length;
  for (let count = 0; count < 200 && held.length === before; count++) {
    await page.clock.runFor(100);
    await page.waitForTimeout(50); // the browser's request takes time
  }
  ok(held.length > before, "the page repeats a failed request automatically");
  await Promise.all(held.map((route) => route.abort().catch(() => {})));
  held = [];
  await page.unroute("**/cluster/spots?*");

  // The page sends a request as soon as the reader returns to the tab, whatever the timers are.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await becomes(page, isOn, "a page that becomes visible sends a request at once");
  await context.setOffline(true);
  await becomes(page, () => document.getElementById("live").textContent === "Offline: trying again", "an offline page reports at once that it is offline");
  ok(!await page.evaluate(isOn), "an offline page is not live");
  await context.setOffline(false);
  await becomes(page, isOn, "a page that is online again sends a request at once");

  // A new spot is marked and announced, and does not move other rows.
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await save(qso({ sendSpot: true, callsignWorked: "13HN7" }));
  await page.clock.runFor(2000);
  await page.waitForSelector("#spots tbody tr.new");
  ok(/^1 new spot: .*13HN7 · 27.555 MHz · USB · heard by 21SD333/.test(await page.innerText("#news")), "new spots are announced in words", await page.innerText("#news"));
  is(await page.evaluate(() => document.getAnimations().length), 0, "a new row is marked without an animation");
  await page.clock.runFor(80000);
  await becomes(page, () => !document.querySelector("#spots tbody tr.new"), "a row is marked as new for a minute");
}, { allowed: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_ABORTED/] });

await withBrowser(async (context) => {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await page.clock.install();
  await page.route("**/cluster/spots?*", answer);
  last = 300;
  await page.goto(`${origin}/cluster/`);
  await becomes(page, () => document.querySelectorAll("#spots tbody tr").length === 100, "the newest hundred spots are shown");
  is(await page.innerText("#shown"), "the newest 100 spots", "the page shows that older spots exist");
  const weigh = async () => {
    await session.send("HeapProfiler.collectGarbage");
    const { metrics } = await session.send("Performance.getMetrics");
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  };
  await session.send("Performance.enable");
  const minutes = async (count) => {
    for (let minute = 0; minute < count; minute += 3) {
      last += 60;
      await page.clock.runFor(3000);
      await becomesQuietly(page, `26AT${last}`);
      await page.clock.fastForward(177000);
    }
  };
  await minutes(15);
  const early = await weigh();
  await minutes(45);
  const late = await weigh();
  ok(await page.locator("#spots tbody tr").count() <= 200, "after an hour with 1,200 spots, the page has at most 200 rows", await page.locator("#spots tbody tr").count());
  ok(late.Nodes <= early.Nodes * 1.2 && late.JSHeapUsedSize <= early.JSHeapUsedSize * 1.3 && late.JSEventListeners <= early.JSEventListeners * 1.2,
    "an hour with 1,200 spots uses no more memory than its first quarter", JSON.stringify([early, late]));
  process.stdout.write(`# an hour: ${early.JSHeapUsedSize} to ${late.JSHeapUsedSize} bytes, ${early.Nodes} to ${late.Nodes} nodes\n`);

  // Older spots load while the reader scrolls.
  last = 5000;
  await page.reload();
  await becomes(page, () => document.querySelectorAll("#spots tbody tr").length === 100, "the newest spots are shown after a reload");
  for (let count = 0; count < 60 && await page.locator("#spots tbody tr").count() < 2000; count++) {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.clock.runFor(100);
    await page.waitForTimeout(50);
  }
  ok(await page.locator("#spots tbody tr").count() >= 2000, "two thousand spots load while the reader scrolls", await page.locator("#spots tbody tr").count());
  const ids = await page.evaluate(() => [...document.querySelectorAll("#spots tbody tr")].map((row) => Number(row.dataset.id)));
  ok(ids.every((id, index) => id === 5000 - index), "no spot between two pages is missing or repeated");
  const drawn = await page.evaluate(() => [...document.querySelectorAll("#spots tbody tr")].filter((row) => row.firstElementChild.checkVisibility({ contentVisibilityAuto: true })).length);
  ok(drawn < 200, "rows outside the view are not drawn", drawn);
  const blocks = await page.locator("#spots tbody").count();
  ok(blocks >= 2000 / 20 && blocks <= 2000 / 10 + 1, "the browser checks visibility per block of rows, not per row", blocks);
  // New spots wait while the reader is further down in the list.
  const place = () => document.querySelectorAll("#spots tbody tr")[1990].getBoundingClientRect().top;
  const top = await page.evaluate(place);
  last += 3;
  await page.clock.runFor(3000);
  await becomes(page, () => document.getElementById("fresh").innerText === "3 new spots", "a pill announces new spots to a reader further down in the list");
  const now = await page.evaluate(place);
  ok(Math.abs(now - top) < 1, "new spots do not move the list", now, top);
  await page.click("#fresh");
  await becomesQuietly(page, "26AT5003");
  is(await page.evaluate(() => [scrollY, document.activeElement.textContent, document.getElementById("fresh").hidden]), [0, "26AT5003", true], "a click on the pill shows the new spots");
  const first = await page.evaluate(() => document.querySelectorAll("#spots tbody tr")[499].dataset.id);
  last += 3;
  await page.clock.runFor(3000);
  await becomesQuietly(page, "26AT5006");
  is(await page.evaluate((id) => [...document.querySelectorAll("#spots tbody tr")].findIndex((row) => row.dataset.id === id), first), 502, "new spots keep the older spots that were loaded");
  // If more spots were missed than an answer holds, the list must not hide the gap.
  last += 400;
  await page.clock.runFor(3000);
  await becomesQuietly(page, `26AT${last}`);
  is([await page.locator("#spots tbody tr").count(), await page.innerText("#shown")], [100, "the newest 100 spots"], "after a gap, the list contains only the newest spots");
});

// Spots that the member needs are marked, and countries are named in the reader's language.
await withBrowser(async (context) => {
  const page = await context.newPage();
  await save(qso({ callsignWorked: "26AT500" }));
  const mine = qso({ sendSpot: true, callsignWorked: "3AT555", dxLocator: "GG66rr" });
  await save(qso({ sendSpot: true, callsignWorked: "26AT101" }), mine);
  await page.goto(`${origin}/profile/`);
  await page.goto(`${origin}/cluster/`);
  // The only member logged all spots of this service, so the member has worked all spots until the test answers instead
  // of the service.
  const row = (callsign) => page.locator("#spots tbody tr", { hasText: callsign });
  await row("3AT555").waitFor();
  await becomes(page, () => document.querySelector("#locator").value === "JO59jw", "the page measures distances from the member's locator");
  await becomes(page, () => document.querySelectorAll("#spots tbody tr").length > 1 && !document.querySelector("#spots tbody .badge"), "a spot that the member has worked has no mark");
  await becomes(page, () => /^(now|\d+ min)$/.test(document.querySelector("#spots tbody time").textContent) && /^\d\d:\d\d.* UTC$/.test(document.querySelector("#spots tbody time").title), "a row shows the age of the spot, and its time in a tooltip",
    null);
  const divisions = [2, 13, 26, 30, 43, 161];
  const squares = ["FN31", "GG66", "IN80", "IO91", "JO59", "QF56"];
  await page.route("**/profile/data/worked", (route) => route.fulfill({ json: { locator: "JO59jw", divisions,
    worked: [{ band: "11m", mode: "USB", divisions, confirmedDivisions: divisions, squares, confirmedSquares: squares, special: [], confirmedSpecial: [] }] } }));
  await page.reload();
  await becomes(page, () => [...document.querySelectorAll("#spots tbody .badge")].filter((badge) => badge.textContent === "New division").length === 1, "a division that the member has not worked is marked");
  is(await row("26AT101").locator(".badge").count(), 0, "a confirmed division is not marked");
  ok(/New division/.test(await row("3AT555").innerText()), "the mark names the new part", await row("3AT555").innerText());
  const rows = () => document.querySelectorAll("#spots tbody tr").length;
  const all = await page.evaluate(rows);
  await openChip(page, "New for me", "new");
  await becomes(page, () => document.querySelectorAll("#spots tbody tr").length === 1 && document.getElementById("spots").innerText.includes("3AT555") && document.getElementById("shown").textContent === "1 matching spot" && location.search === "?new=new",
    "the filter shows and counts only spots that are new to the member, and is in the address");
  await save(qso({ sendSpot: true, callsignWorked: "26AT102" }), qso({ sendSpot: true, callsignWorked: "35AT7" }));
  await becomes(page, () => document.querySelectorAll("#spots tbody tr").length === 2 && /^1 new spot: .*35AT7/.test(document.getElementById("news").textContent),
    "new spots are shown and announced only if they pass the filter");
  await page.reload();
  await becomes(page, () => document.querySelectorAll("#spots tbody tr").length === 2 && document.getElementById("new").value === "new", "an address with the filter shows only spots that are new to the member");
  await page.unroute("**/profile/data/worked");
  await page.route("**/profile/data/revision", (route) => route.fulfill({ json: { revision: "another" } }));
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await becomes(page, () => document.body.innerText.includes("No matching spots"), "a spot stops being new once another program has logged its division");
  await openChip(page, "New for me", "open");
  await becomes(page, () => !document.querySelector("#spots tbody .badge") && document.querySelectorAll("#spots tbody tr").length > 1 && location.search === "?new=open",
    "a filter shows unconfirmed spots");
  const size = page.viewportSize();
  for (const width of [360, 800, 1366]) {
    await page.setViewportSize({ width, height: 768 });
    await becomes(page, () => {
      const locator = document.querySelector("#spots tbody .where .locator");
      const { width: wide = 0, right = Infinity } = locator?.getBoundingClientRect() ?? {};
      return wide > 10 && right <= locator.parentElement.getBoundingClientRect().right + 1 && locator.scrollWidth <= locator.offsetWidth;
    }, `a locator is fully visible at ${width} pixels`);
  }
  await page.setViewportSize(size);
  await row("3AT555").locator("button").click();
  await page.click(".sheet >> text='Only this station'");
  await becomes(page, () => document.getElementById("callsign").value === "3AT555" && document.querySelectorAll("#spots tbody tr").length === 1, "a spot has a button that shows only its station's spots");
  await page.click("#clear");
  await becomes(page, (count) => document.querySelectorAll("#spots tbody tr").length === count, "a button shows all spots again", all + 2);
  await row("3AT555").locator("button").click();
  await page.click(".sheet >> text='Hide this station'");
  await becomes(page, () => !document.getElementById("spots").innerText.includes("3AT555") && document.getElementById("unhide").innerText === "Show 1 hidden station", "a station can be hidden");
  await page.reload();
  await becomes(page, () => document.querySelector("#spots tbody tr") && !document.getElementById("spots").innerText.includes("3AT555"), "a hidden station stays hidden after a reload");
  await page.click("#unhide");
  await becomes(page, (count) => document.querySelectorAll("#spots tbody tr").length === count && document.getElementById("unhide").hidden, "a button shows the hidden station again", all + 2);
  await page.route("**/profile/data/revision", (route) => route.fulfill({ status: 401, json: {} }));
  await page.goto(`${origin}/cluster/?new=new`);
  await becomes(page, (count) => document.querySelectorAll("#spots tbody tr").length === count && document.getElementById("for-log").hidden,
    "a member whose session has ended sees all spots", all + 2);
  await page.click(".menu summary");
  await page.selectOption("#language", "de");
  await becomes(page, () => /Brasilien/.test(document.getElementById("spots").innerText) && /England/.test(document.getElementById("spots").innerText), "countries are named in the reader's language, and divisions without a country keep their text");
  await page.setViewportSize({ width: 360, height: 844 });
  await drawn(page);
  ok(await page.evaluate(() => document.querySelector("#spots tbody").getBoundingClientRect().top + 8 * document.querySelector("#spots tbody tr").offsetHeight <= innerHeight), "a phone shows a member eight spots at once",
    await page.evaluate(() => [document.querySelector("#spots tbody").getBoundingClientRect().top, document.querySelector("#spots tbody tr").offsetHeight]));
  await page.setViewportSize({ width: 1366, height: 768 });
  await drawn(page);
  ok(await page.evaluate(() => document.querySelector("#spots tbody").getBoundingClientRect().top + 12 * document.querySelector("#spots tbody tr").offsetHeight <= innerHeight), "a laptop shows twelve spots at once",
    await page.evaluate(() => [document.querySelector("#spots tbody").getBoundingClientRect().top, document.querySelector("#spots tbody tr").offsetHeight]));
}, { member: { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD }, allowed: [/401 \(Unauthorized\).*data\/revision/] });

async function becomesQuietly(page, callsign) {
  await waitFor(page, (name) => document.querySelector("#spots tbody tr")?.textContent.includes(name), callsign);
}
