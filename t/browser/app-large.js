// Tests the app with a long log. The number of records that the app reads must not depend on the length of the log.
// This rule applies before the member can type, to searches, and while a callsign is typed. Memory must not grow.
// Times are printed, not checked. (QSOSYNC_TIMES=1 slows the processor down four times, to the speed of a phone.)
import { becomes, is, ok, qso, save, waitFor, withBrowser } from "./browser.js";
import { RETURN_MS, areUnpacked, isInStep } from "./device.js";
import { Line } from "./line.js";

const QSOS = Number(process.env.QSOSYNC_QSOS);
const CYCLES = Number(process.env.QSOSYNC_CYCLES);
const isTimed = Boolean(process.env.QSOSYNC_TIMES);
const MOST_BYTES = 85000; // bytes before the member can type
const MOST_REQUESTS = 11;
const MOST_AT_START = 12; // records that are read before the member can type: the last five QSOs, and the count of today
const FEW = 1000; // as in src/web/app/log/search.js
const tell = (text) => process.stdout.write(`# ${text}\n`);

// Counts the records read from the browser's database, and records when the member can type.
function watch() {
  window.work = { records: 0, typing: null };
  const count = (request) => {
    request.addEventListener("success", () => {
      const { result } = request;
      window.work.records += Array.isArray(result) ? result.length : typeof result === "number" ? result : Number(result !== undefined);
    });
    return request;
  };
  for (const kind of [IDBObjectStore, IDBIndex])
    for (const name of ["get", "getAll", "getAllKeys", "count", "openCursor", "openKeyCursor"]) {
      const real = kind.prototype[name];
      kind.prototype[name] = function (...values) { return count(real.apply(this, values)); };
    }
  document.addEventListener("focusin", ({ target }) => {
    if (target.id !== "callsignWorked") return;
    const files = ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind));
    window.work.typing ??= { at: performance.now(), records: window.work.records, files: files.map(({ name }) => name),
      bytes: files.reduce((sum, { transferSize }) => sum + transferSize, 0) };
  });
}
const canType = () => window.work?.typing;

async function open(context, address, rate = 1) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
  await page.addInitScript(watch);
  await page.goto(address, { waitUntil: "commit" });
  if (address.includes("#key=")) await page.locator("#whose .main").click();
  await waitFor(page, canType, null, 300000);
  return { page, session, started: await page.evaluate(() => window.work.typing) };
}
// Returns the number of records that a piece of work reads, and the time until its result is on the
// screen.
async function measure(page, work, value) {
  const before = await page.evaluate(() => window.work.records);
  const took = await page.evaluate(`(async () => {
    const start = performance.now();
    await (${work})(${JSON.stringify(value)});
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - start;
  })()`);
  return { took, read: await page.evaluate(() => window.work.records) - before };
}
async function weighMemory(session) {
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  const of = (name) => metrics.find((metric) => metric.name === name).value;
  return { heap: of("JSHeapUsedSize"), nodes: of("Nodes"), listeners: of("JSEventListeners") };
}

const typeIn = `async (call) => {
  document.getElementById("callsignWorked").value = call;
  await window.app.form.known.show("2026-01-01", null);
}`;
const seek = `async ([sought, state, band]) => {
  document.getElementById("search-text").value = sought;
  document.getElementById("search-confirmed").value = state === "confirmed" ? "yes" : "";
  document.getElementById("search-state").value = state === "confirmed" ? "" : state;
  document.getElementById("search-band").value = band;
  document.getElementById("search-band").dispatchEvent(new Event("input", { bubbles: true }));
  await window.app.logbook.refreshed;
}`;
// Searches, and resolves with the number of records that were read when the first rows are shown.
const seekFirst = `(search) => new Promise((resolve) => {
  const before = window.work.records;
  new MutationObserver((_, observer) => { observer.disconnect(); resolve(window.work.records - before); }).observe(document.getElementById("qsos"), { childList: true, subtree: true });
  (${seek})(search);
})`;
const rowsShown = (page) => page.evaluate(() => document.querySelectorAll("#qsos .rows li").length);
const clearFields = (page) => page.evaluate(() => { for (const id of ["search-text", "search-state", "search-band", "callsignWorked"]) document.getElementById(id).value = ""; });

await save(...["2005", "2020"].map((year) => qso({ callsignWorked: "1AT14", qsoAt: `${year}-05-17T12:00:00Z` })));
const line = new Line();
await line.start();
await withBrowser(async (context) => {
  // Tests the first visit, through the link in the profile. The progress texts are recorded from the start, because the
  // download can be short.
  await context.addInitScript(() => {
    if (!location.hash.startsWith("#key=")) return;
    window.told = [];
    window.observer = new MutationObserver(() => {
      const text = document.getElementById("download-text")?.textContent;
      if (text && text !== window.told.at(-1)) window.told.push(text);
    });
    window.observer.observe(document, { childList: true, subtree: true, characterData: true });
  });
  let goOn;
  const canComeIn = new Promise((resolve) => { goOn = resolve; });
  line.fate = ({ url }) => (/\/logs\?/.test(url) ? canComeIn.then(() => "pass") : "pass");
  const first = await open(context, `${line.address}/app/#key=${process.env.QSOSYNC_WRITE_KEY}`);
  ok(true, "the member can type before any part of the log has arrived");
  goOn();
  const { files, bytes } = first.started;
  ok(files.length <= MOST_REQUESTS, `a first visit loads at most ${MOST_REQUESTS} files before the member can type`, files.join(" "));
  ok(bytes > 0 && bytes <= MOST_BYTES, `a first visit loads at most ${MOST_BYTES} bytes before the member can type`, bytes);
  const start = Date.now();
  await becomes(first.page, isInStep, "the app downloads the whole log", null, 600000);
  tell(`first visit: ${files.length} requests, ${bytes} bytes; then ${QSOS} QSOs in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  is(await first.page.evaluate(() => window.app.storage.count()), QSOS + 2, "every QSO is on the device");
  const seen = await first.page.evaluate(() => { window.observer.disconnect(); return window.told; });
  const told = seen.map((text) => Number(/^([\d,]+) of /.exec(text)?.[1]?.replaceAll(",", ""))).filter(Boolean);
  ok(told.length > 2 && told.every((value, place) => !place || value >= told[place - 1]), "a first download shows its progress", seen.slice(0, 20).join("; "));
  await first.page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  await becomes(first.page, areUnpacked, "each QSO gets its own record", null, 600000);
  await first.page.goto(`${line.address}/app/#settings`);
  await becomes(first.page, () => /\d MB/.test(document.getElementById("facts").textContent), "the settings show how much storage the log uses");
  const { usage } = await first.page.evaluate(() => navigator.storage.estimate());
  tell(`storage: ${Math.round(usage / QSOS)} bytes per QSO`);
  await first.page.close();

  // Tests the second visit, offline.
  await line.stop();
  const { page, session, started } = await open(context, `${line.address}/app/`, isTimed ? 4 : 1);
  tell(`second visit, offline: typing after ${Math.round(started.at)} ms`);
  ok(started.records <= MOST_AT_START, "to open, the app reads only a few records of the log", started.records);
  await line.start();
  await becomes(page, isInStep, "back online, the app is up to date", null, RETURN_MS);

  // Types callsigns letter by letter: a common prefix, an unknown callsign, and a frequent callsign.
  let worst = { took: 0, read: 0 };
  const take = (measured) => { worst = { took: Math.max(worst.took, measured.took), read: Math.max(worst.read, measured.read) }; };
  for (const call of ["1AT101", "26AT101", "330AT999", "999XX"])
    for (let length = 1; length <= call.length; length++) take(await measure(page, typeIn, call.slice(0, length)));
  ok(worst.read <= 50, "few records are read while a callsign is typed", worst.read);
  tell(`a letter of a callsign: at most ${Math.round(worst.took)} ms, ${worst.read} records`);
  const known = await page.evaluate(() => window.app.worked("1AT14").then((qsos) => qsos.map((one) => `${one.callsignWorked} ${one.qsoAt.slice(0, 4)}`)));
  is(known.slice(0, 2), ["1AT14 2020", "1AT14 2005"], "the station's own QSOs come first, newest first");
  ok(known.length > 2 && known.slice(2).every((text) => /^1AT14\d /.test(text)), "QSOs with longer callsigns follow the station's own QSOs", known.join(", "));

  // Tests the list on a phone. A wide screen also shows figures, which count every QSO that matches.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${line.address}/app/#logbook`);
  // The view's first search replaces an earlier search that has not ended.
  await becomes(page, () => document.querySelectorAll("#qsos .rows li").length > 0, "Logbook shows the log");
  for (const [sought, state, band, expected] of [["", "", "", 50], ["26AT", "", "", null], ["1", "", "", 50], ["999XX", "", "", 0], ["", "confirmed", "", 50], ["", "spotted", "", 0],
    ["", "", "PMR446", 20], ["1AT", "confirmed", "", null], ["", "confirmed", "PMR446", null]]) {
    const found = await measure(page, seek, [sought, state, band]);
    const what = [sought, state, band].filter(Boolean).join(", ") || "all";
    if (!sought || expected > 0) ok(found.read <= 2 * FEW + 500, `a search reads a part of the log that does not grow with it: ${what}`, found.read);
    if (expected !== null) is(await rowsShown(page), expected, `a search finds every match: ${what}`);
    tell(`search for ${what}: ${Math.round(found.took)} ms, ${found.read} records`);
  }
  for (const sought of ["26AT", "999XX"])
    ok(await page.evaluate(`(${seekFirst})(${JSON.stringify([sought, "", ""])})`) <= FEW + 500, `the QSOs with a rare callsign are shown before the whole log is read: ${sought}`);
  const times = await page.evaluate(async () => {
    document.getElementById("search-text").value = "1";
    document.getElementById("search-text").dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((done) => setTimeout(done, 500)); // the filter waits for the end of the typing
    await window.app.logbook.refreshed;
    return [...document.querySelectorAll("#qsos .q > time")].map((time) => time.dateTime);
  });
  is(times, [...times].sort().reverse(), "search results are sorted, newest first");

  // Simulates hours of use: passes, searches, callsigns and pages.
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await session.send("Performance.enable");
  const use = async (cycles) => {
    for (let cycle = 0; cycle < cycles; cycle++)
      for (const [hash, work, value] of [["#log", typeIn, `${cycle % 300}AT10`], ["#logbook", seek, [`${cycle % 300}`, "", ""]], ["#settings", "async () => window.app.synchronise()"]]) {
        await page.evaluate((name) => { location.hash = name; }, hash);
        await measure(page, work, value);
      }
    await clearFields(page);
    await page.evaluate(() => { location.hash = "#log"; });
    await page.evaluate(typeIn.replace(/^/, "(").concat(`)("")`));
    return weighMemory(session);
  };
  await use(10);
  const early = await use(CYCLES);
  const late = await use(CYCLES);
  tell(`memory after ${CYCLES} and ${2 * CYCLES} rounds: ${JSON.stringify(early)} ${JSON.stringify(late)}`);
  ok(late.heap - early.heap < 200000, "hours of use do not increase the used memory", `${early.heap} ${late.heap}`);
  ok(late.nodes - early.nodes < 50 && late.listeners - early.listeners < 10, "hours of use leave no elements or listeners", JSON.stringify([early, late]));
}, { allowed: [/ERR_CONNECTION|ERR_EMPTY|Failed to fetch|Failed to load resource|net::ERR/, /Banner not shown/], isOwn: true });
await line.stop();
