// The spots page while it is left open: what it says where the network or the service is gone, an hour of news, and
// thousands of spots. What the service says is made here where it has to be much or nothing.
import { becomes, drawn, is, ok, origin, qso, save, waitFor, withBrowser } from "./browser.js";

const STATION = { entity: "England", flag: null, lat: "51.52", lng: "-0.12" };
let last = 0;
const spot = (id) => ({ id: String(id), spotter: "21SD333", spotted: `26AT${id}`, frequency: 27555, when: new Date().toISOString(), band: "11m", mode: "USB",
  channel: null, ctcssTone: null, dcsCode: null, spotterLocator: "JO59jw", spottedLocator: "IO91wm", dxcc_spotter: STATION, dxcc_spotted: STATION, special: null });
// As many as are asked for, newest first, of `last` spots.
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
  await becomes(page, isOn, "the page is live");
  // (The time of the page goes on between two steps of its clock, and what it says then may be gone when it is asked.)
  await page.evaluate(() => {
    const live = document.getElementById("live");
    window.said = [];
    new MutationObserver(() => window.said.push(`${live.textContent}${live.classList.contains("on") ? ", on" : ""}`)).observe(live, { childList: true });
  });

  // No answer comes, and none is refused.
  let held = [];
  await page.route("**/cluster/spots?*", (route) => { held.push(route); });
  await page.clock.runFor(7000);
  await becomes(page, () => window.said.includes("Waiting for the service"),
    "a page whose request gets no answer is live no longer");
  await page.clock.runFor(4000);
  await becomes(page, () => /can't be reached/.test(document.getElementById("live").textContent), "a request that gets no answer has an end");
  ok(/last update (9|\d\d) sec/.test(await page.innerText("#answered")), "the page says how old the last update is", await page.innerText("#answered"));
  const before = held.length;
  for (let count = 0; count < 200 && held.length === before; count++) {
    await page.clock.runFor(100);
    await page.waitForTimeout(50); // the browser's request takes its time
  }
  ok(held.length > before, "the page asks again by itself");
  await Promise.all(held.map((route) => route.abort().catch(() => {})));
  held = [];
  await page.unroute("**/cluster/spots?*");

  // Returning to the tab asks at once, whatever the timers say.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await becomes(page, isOn, "a page that is seen again asks at once");
  await context.setOffline(true);
  await becomes(page, () => document.getElementById("live").textContent === "Offline: trying again", "without a network the page says so at once");
  ok(!await page.evaluate(isOn), "without a network the page is not live");
  await context.setOffline(false);
  await becomes(page, isOn, "with a network again the page asks at once");

  // A new spot is marked, told, and moves nothing.
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await save(qso({ sendSpot: true, callsignWorked: "13HN7" }));
  await page.clock.runFor(2000);
  await page.waitForSelector("#spots tbody tr.new");
  ok(/^1 new spot: .*13HN7 · 27.555 MHz · USB · heard by 21SD333/.test(await page.innerText("#news")), "what is new is told in words", await page.innerText("#news"));
  is(await page.evaluate(() => document.getAnimations().length), 0, "a new row is marked without an animation");
  await page.clock.runFor(80000);
  await becomes(page, () => !document.querySelector("#spots tbody tr.new"), "a row is new for a minute");
}, { allowed: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_ABORTED/] });

await withBrowser(async (context) => {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await page.clock.install();
  await page.route("**/cluster/spots?*", answer);
  last = 300;
  await page.goto(`${origin}/cluster/`);
  await becomes(page, () => document.querySelectorAll("#spots tbody tr").length === 100, "the newest hundred are there");
  is(await page.innerText("#shown"), "the newest 100 spots", "the page says that there are more");
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
  ok(await page.locator("#spots tbody tr").count() <= 200, "an hour with 1,200 spots keeps no more than two hundred rows", await page.locator("#spots tbody tr").count());
  ok(late.Nodes <= early.Nodes * 1.2 && late.JSHeapUsedSize <= early.JSHeapUsedSize * 1.3 && late.JSEventListeners <= early.JSEventListeners * 1.2,
    "an hour with 1,200 spots takes no more memory than a quarter of it", JSON.stringify([early, late]));
  process.stdout.write(`# an hour: ${early.JSHeapUsedSize} to ${late.JSHeapUsedSize} bytes, ${early.Nodes} to ${late.Nodes} nodes\n`);

  // Older ones load while somebody reads on.
  last = 5000;
  await page.reload();
  await becomes(page, () => document.querySelectorAll("#spots tbody tr").length === 100, "the newest are there again");
  for (let count = 0; count < 60 && await page.locator("#spots tbody tr").count() < 2000; count++) {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.clock.runFor(100);
    await page.waitForTimeout(50);
  }
  ok(await page.locator("#spots tbody tr").count() >= 2000, "two thousand spots load while somebody reads on", await page.locator("#spots tbody tr").count());
  const ids = await page.evaluate(() => [...document.querySelectorAll("#spots tbody tr")].map((row) => Number(row.dataset.id)));
  ok(ids.every((id, index) => id === 5000 - index), "no spot between the pages is missing or twice");
  const drawn = await page.evaluate(() => [...document.querySelectorAll("#spots tbody tr")].filter((row) => row.firstElementChild.checkVisibility({ contentVisibilityAuto: true })).length);
  ok(drawn < 200, "rows that are not seen are not drawn", drawn);
  const blocks = await page.locator("#spots tbody").count();
  ok(blocks >= 2000 / 20 && blocks <= 2000 / 10 + 1, "of a block of rows, not of each row, the browser has to ask whether it is seen", blocks);
  await page.evaluate(() => scrollTo(0, 0));
  const first = await page.evaluate(() => document.querySelectorAll("#spots tbody tr")[499].dataset.id);
  last += 3;
  await page.clock.runFor(3000);
  await becomesQuietly(page, "26AT5003");
  is(await page.evaluate((id) => [...document.querySelectorAll("#spots tbody tr")].findIndex((row) => row.dataset.id === id), first), 502, "news keep what was loaded of the older ones");
  // More was missed than an answer holds: what is between is not left out silently.
  last += 400;
  await page.clock.runFor(3000);
  await becomesQuietly(page, `26AT${last}`);
  is([await page.locator("#spots tbody tr").count(), await page.innerText("#shown")], [100, "the newest 100 spots"], "after a gap the list begins anew");
});

// What is new to the member is marked; countries are named in the reader's language.
await withBrowser(async (context) => {
  const page = await context.newPage();
  await save(qso({ callsignWorked: "26AT500" }));
  const mine = qso({ sendSpot: true, callsignWorked: "3AT555", dxLocator: "GG66rr" });
  await save(qso({ sendSpot: true, callsignWorked: "26AT101" }), mine);
  await page.goto(`${origin}/profile/`);
  await page.goto(`${origin}/cluster/`);
  // The spots of this service are its one member's own QSOs: the log has worked them all, until it says otherwise.
  const row = (callsign) => page.locator("#spots tbody tr", { hasText: callsign });
  await row("3AT555").waitFor();
  await becomes(page, () => document.querySelector("#locator").value === "JO59jw", "a member's locator need not be typed");
  await becomes(page, () => document.querySelectorAll("#spots tbody tr").length > 1 && !document.querySelector("#spots tbody .tag"), "what the member has worked has no mark");
  await becomes(page, () => /^\d+ ?s/.test(document.querySelector("#spots tbody time").textContent) && /^\d\d:\d\d.* UTC$/.test(document.querySelector("#spots tbody time").title), "a row says how old the spot is, and its time on pointing",
    null);
  const divisions = [2, 13, 26, 30, 43, 161];
  const squares = ["FN31", "GG66", "IN80", "IO91", "JO59", "QF56"];
  await page.route("**/profile/data/worked", (route) => route.fulfill({ json: { locator: "JO59jw", divisions,
    worked: [{ band: "11m", mode: "USB", divisions, confirmedDivisions: divisions, squares, confirmedSquares: squares, special: [], confirmedSpecial: [] }] } }));
  await page.reload();
  await becomes(page, () => [...document.querySelectorAll("#spots tbody .tag")].filter((tag) => tag.textContent.includes("new division")).length === 1, "a division that the member has not worked is marked");
  is(await row("26AT101").locator(".tag").count(), 0, "and what is confirmed is not");
  ok(/new division/.test(await row("3AT555").innerText()), "the mark says what is new", await row("3AT555").innerText());
  const rows = () => document.querySelectorAll("#spots tbody tr").length;
  const all = await page.evaluate(rows);
  await page.selectOption("#new", "new");
  await becomes(page, () => document.querySelectorAll("#spots tbody tr").length === 1 && document.getElementById("spots").innerText.includes("3AT555") && document.getElementById("shown").textContent === "1 matching spot" && location.search === "?new=new",
    "a member sees and counts only what is new, and the address says so");
  await save(qso({ sendSpot: true, callsignWorked: "26AT102" }), qso({ sendSpot: true, callsignWorked: "35AT7" }));
  await becomes(page, () => document.querySelectorAll("#spots tbody tr").length === 2 && /^1 new spot: .*35AT7/.test(document.getElementById("news").textContent),
    "of the spots that come, only what is new is shown and told");
  await page.reload();
  await becomes(page, () => document.querySelectorAll("#spots tbody tr").length === 2 && document.getElementById("new").value === "new", "an address for what is new shows that alone");
  await page.unroute("**/profile/data/worked");
  await page.route("**/profile/data/revision", (route) => route.fulfill({ json: { revision: "another" } }));
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await becomes(page, () => document.body.innerText.includes("No matching spots"), "nothing is new any more once another program has logged the division");
  await page.selectOption("#new", "open");
  await becomes(page, () => !document.querySelector("#spots tbody .tag") && document.querySelectorAll("#spots tbody tr").length > 1 && location.search === "?new=open",
    "what nobody has confirmed can be seen, too");
  const size = page.viewportSize();
  for (const width of [360, 800, 1366]) {
    await page.setViewportSize({ width, height: 768 });
    await becomes(page, () => {
      const locator = document.querySelector("#spots tbody .where .locator");
      const { width: wide = 0, right = Infinity } = locator?.getBoundingClientRect() ?? {};
      return wide > 10 && right <= locator.parentElement.getBoundingClientRect().right + 1 && locator.scrollWidth <= locator.offsetWidth;
    }, `a locator is seen as a whole ${width} pixels wide`);
  }
  await page.setViewportSize(size);
  await row("3AT555").locator("button").click();
  await page.click("dialog >> text='Only this station'");
  await becomes(page, () => document.getElementById("callsign").value === "3AT555" && document.querySelectorAll("#spots tbody tr").length === 1, "a spot leads to those of its station alone");
  await page.click("#clear");
  await becomes(page, (count) => document.querySelectorAll("#spots tbody tr").length === count, "a button shows all spots again", all + 2);
  await row("3AT555").locator("button").click();
  await page.click("dialog >> text='Hide this station'");
  await becomes(page, () => !document.getElementById("spots").innerText.includes("3AT555") && document.getElementById("unhide").innerText === "Show 1 hidden station", "a station can be hidden");
  await page.reload();
  await becomes(page, () => document.querySelector("#spots tbody tr") && !document.getElementById("spots").innerText.includes("3AT555"), "it stays hidden");
  await page.click("#unhide");
  await becomes(page, (count) => document.querySelectorAll("#spots tbody tr").length === count && document.getElementById("unhide").hidden, "a button shows it again", all + 2);
  await page.route("**/profile/data/revision", (route) => route.fulfill({ status: 401, json: {} }));
  await page.goto(`${origin}/cluster/?new=new`);
  await becomes(page, (count) => document.querySelectorAll("#spots tbody tr").length === count && document.getElementById("for-log").hidden,
    "who is signed in no longer sees all spots", all + 2);
  await page.click(".menu summary");
  await page.selectOption("#language", "de");
  await becomes(page, () => /Brasilien/.test(document.getElementById("spots").innerText) && /England/.test(document.getElementById("spots").innerText), "countries are named in the reader's language, and divisions that are none stay");
  await page.setViewportSize({ width: 360, height: 640 });
  await drawn(page);
  ok(await page.evaluate(() => document.querySelector("#spots tbody").getBoundingClientRect().top + 8 * document.querySelector("#spots tbody tr").offsetHeight <= innerHeight), "a phone shows a member eight spots at once",
    await page.evaluate(() => [document.querySelector("#spots tbody").getBoundingClientRect().top, document.querySelector("#spots tbody tr").offsetHeight]));
  await page.setViewportSize({ width: 1366, height: 768 });
  await drawn(page);
  ok(await page.evaluate(() => document.querySelector("#spots tbody").getBoundingClientRect().top + 16 * document.querySelector("#spots tbody tr").offsetHeight <= innerHeight), "a laptop shows sixteen spots at once");
}, { member: { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD }, allowed: [/401 \(Unauthorized\).*data\/revision/] });

async function becomesQuietly(page, callsign) {
  await waitFor(page, (name) => document.querySelector("#spots tbody tr")?.textContent.includes(name), callsign);
}
