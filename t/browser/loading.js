// Loads each page over a slow line. Visible parts must not move. Files and bytes are counted.
import { ok, origin, qso, save, withBrowser } from "./browser.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const SLOW = { offline: false, latency: 400, downloadThroughput: 50000, uploadThroughput: 50000 }; // 400 kbit per second
const MOST_SHIFT = 0.02;
// Bytes of a first visit. Pages with a world map or a log need more bytes.
const PAGES = { "": 60000, "cluster/": 58000, "docs/": 49000, "app/": 126500, "profile/": 85000, "profile/#profile": 60000,
  "profile/#profile/keys": 66000, "profile/#profile/history": 75000, "profile/#profile/import": 75000, "operator/": 70000 };

function watch() {
  window.shift = { sum: 0, what: [] };
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      window.shift.sum += value;
      window.shift.what.push(`${value.toFixed(3)} ${sources.map(({ node }) => (node?.id ? `#${node.id}` : `${node?.nodeName}.${node?.className ?? ""}`)).join(" ")}`);
    }
  }).observe({ type: "layout-shift", buffered: true });
}

async function load(context, path, width) {
  const page = await context.newPage();
  await page.setViewportSize({ width, height: width < 500 ? 780 : 768 });
  const session = await context.newCDPSession(page);
  let [bytes, files] = [0, 0];
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await session.send("Network.emulateNetworkConditions", SLOW);
  session.on("Network.loadingFinished", ({ encodedDataLength }) => { bytes += encodedDataLength; files++; });
  await page.addInitScript(watch);
  await page.goto(`${origin}/${path}`, { waitUntil: "load" });
  for (let before = -1; before !== files; ) {
    before = files;
    await page.waitForTimeout(1500);
  }
  const { sum, what } = await page.evaluate(() => window.shift);
  await page.close();
  return { bytes, files, sum, what };
}

await save(...Array.from({ length: 60 }, (_, place) => qso({ callsignWorked: `26AT${100 + place}`, qsoAt: new Date(Date.now() - place * 60000).toISOString(), sendSpot: place < 20 })));
async function judge(context, pages) {
  for (const [path, most] of Object.entries(pages)) {
    const [phone, laptop] = [await load(context, path, 360), await load(context, path, 1366)];
    ok(phone.sum <= MOST_SHIFT && laptop.sum <= MOST_SHIFT, `/${path} does not move while it loads`, phone.sum, ...phone.what, "laptop", laptop.sum, ...laptop.what);
    ok(phone.bytes <= most, `/${path} loads at most ${most} bytes`, phone.bytes);
    process.stdout.write(`# /${path}: ${phone.bytes} bytes, ${phone.files} requests, moved ${phone.sum.toFixed(3)} on a phone and ${laptop.sum.toFixed(3)} on a laptop\n`);
  }
}
const allowed = [/ERR_|Failed to load resource|preload/];
await withBrowser((context) => judge(context, PAGES), { member, allowed });
await withBrowser((context) => judge(context, { "sign-in": 32000 }), { allowed });
