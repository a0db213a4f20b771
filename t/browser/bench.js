// Measures times in a browser for make bench. With QSOSYNC_LINE (the address of a line), measures the app's first
// download over that line, in ms. The time is from opening the page until the log is up to date, including the tap that
// accepts the log. Without QSOSYNC_LINE, measures a member's log over slow 3G with an empty cache. The results are the
// times until the first paint, and until the newest QSOs are shown.
import { ok, openByLink, origin, waitFor, withBrowser } from "./browser.js";
import { isInStep } from "./device.js";

const MOST_MS = 500000;
const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const SLOW = { offline: false, latency: 400, downloadThroughput: 50000, uploadThroughput: 50000 }; // 400 kbit per second

async function download(context) {
  const page = await context.newPage();
  const start = Date.now();
  await openByLink(page, process.env.QSOSYNC_WRITE_KEY, process.env.QSOSYNC_LINE);
  await waitFor(page, isInStep, null, MOST_MS);
  const took = Date.now() - start;
  const count = await page.evaluate(() => window.app.storage.count());
  ok(count === Number(process.env.QSOSYNC_QSOS), "the whole log is on the device", count);
  process.stdout.write(`downloaded in ${took} ms\n`);
}

// Records the time at which the first QSOs are shown.
function watch() {
  const note = () => {
    if (!document.querySelector("#qsos .rows li")) return requestAnimationFrame(note);
    window.usable = performance.now();
  };
  note();
}

async function view(context) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await session.send("Network.emulateNetworkConditions", SLOW);
  await page.addInitScript(watch);
  await page.goto(`${origin}/profile/#log`, { waitUntil: "commit" });
  await waitFor(page, () => window.usable);
  const painted = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0);
  process.stdout.write(`painted after ${Math.round(painted)} ms, usable after ${Math.round(await page.evaluate(() => window.usable))} ms\n`);
}

if (process.env.QSOSYNC_LINE) await withBrowser(download, { isOwn: true });
else await withBrowser(view, { member, allowed: [/ERR_|Failed to load resource|preload/], isOwn: true });
