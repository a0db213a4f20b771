// For make bench: a member's log over slow 3G with nothing in the cache: when something is seen, and when the newest
// QSOs stand there and can be searched, in ms from the moment in which the page is opened.
import { origin, waitFor, withBrowser } from "./browser.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const SLOW = { offline: false, latency: 400, downloadThroughput: 50000, uploadThroughput: 50000 }; // 400 kbit a second

// Notes the moment in which the first QSOs are shown.
function watch() {
  const note = () => {
    if (!document.querySelector("#qsos tbody tr")) return requestAnimationFrame(note);
    window.usable = performance.now();
  };
  note();
}

await withBrowser(async (context) => {
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
}, { member, allowed: [/ERR_|Failed to load resource|preload/] });
