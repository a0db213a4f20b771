// Logbook in the app has the figures, the year, the map and the chart of Logbook in the profile. The app computes these
// views from the log on the device, even offline.
import { becomes, is, look, ok, openByLink, origin, qso, save, signIn, waitFor, withBrowser } from "./browser.js";
import { isInStep } from "./device.js";

const { QSOSYNC_CALLSIGN: callsign, QSOSYNC_PASSWORD: password, QSOSYNC_WRITE_KEY: key } = process.env;
const at = (day, time) => `2026-${day}T${time}:00Z`;
await save(
  qso({ callsignWorked: "19DX1", qsoAt: at("05-17", "19:42"), dxLocator: "IO91wm" }), qso({ callsignWorked: "19DX1", qsoAt: at("05-18", "03:10"), dxLocator: "IO91wm" }),
  qso({ callsignWorked: "1AT5", qsoAt: at("06-02", "07:00"), dxLocator: "JN61", mode: "AM" }), qso({ callsignWorked: "43SD2", qsoAt: at("07-09", "12:00"), dxLocator: "QF22" }),
  qso({ callsignWorked: "13HN1", qsoAt: at("07-09", "13:00"), dxLocator: null }), qso({ callsignWorked: "14FR7", qsoAt: "2024-01-02T13:00:00Z", dxLocator: "JN18", myLocator: null }));

// Returns what a reader can see of the figures.
const shown = () => ({
  stats: [...document.querySelectorAll("#figures dd")].map((one) => one.innerText.trim()),
  days: [...document.querySelectorAll("#year rect:not(.l0) title")].map((one) => one.textContent),
  charts: ["hours", "months", "distances"].map((id) => [...document.querySelectorAll(`#${id} title, #${id} td, #${id} [aria-label]`)].map((one) => one.textContent || one.getAttribute("aria-label"))),
  points: [...document.querySelectorAll("#log-map svg title")].map((one) => one.textContent).sort(),
});
const hasAll = () => document.querySelectorAll("#figures dd").length === 6 && document.querySelector("#year rect") && document.querySelector("#hours .bars svg") && document.querySelector("#log-map svg");
async function read(page, address) {
  await page.goto(address);
  await waitFor(page, hasAll);
  return page.evaluate(shown);
}
const goTo = (page, hash) => page.evaluate((name) => { location.hash = name; }, hash);

await withBrowser(async (context) => {
  await signIn(context, { callsign, password });
  const profile = await context.newPage();
  const app = await context.newPage();
  await openByLink(app, key);
  await becomes(app, isInStep, "the app has the log");
  for (const [rule, query] of [["the whole log", ""], ["one day", "?from=2026-07-09&to=2026-07-09"], ["one mode", "?mode=AM"], ["one year", "?year=2024"], ["a word", "?text=19dx"]]) {
    const expected = await read(profile, `${origin}/profile/#log${query}`);
    await profile.goto("about:blank");
    ok(expected.stats.length === 6 && expected.days.length > 0 && expected.charts[0].length > 0, `${rule}: the profile shows figures`, JSON.stringify(expected));
    is(await read(app, `${origin}/app/#logbook${query}`), expected, `${rule}: the app and the profile show the same figures, days, charts and places`);
    await app.goto("about:blank");
  }

  await app.addInitScript(() => {
    window.moved = [];
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries())
        window.moved.push(...sources.flatMap(({ node }) => (node instanceof Element ? (node.closest("#logbook [id]")?.id ?? []) : [])));
    }).observe({ type: "layout-shift", buffered: true });
  });
  await app.goto(`${origin}/app/#logbook`);
  await waitFor(app, hasAll);
  await app.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  is(await app.evaluate(() => window.moved), [], "nothing in Logbook moves while its rows and figures arrive");
  await look(app, "app-figures");
  await becomes(app, () => navigator.serviceWorker.controller !== null, "the worker controls the app");
  await context.setOffline(true);
  await app.reload();
  await becomes(app, hasAll, "the app shows the figures offline");
  is((await app.evaluate(shown)).stats[0], "6", "the figures count the whole log offline");
  await goTo(app, "#log");
  await app.fill("#callsignWorked", "26AT9");
  await app.press("#notes", "Enter");
  await goTo(app, "#logbook");
  await becomes(app, () => document.querySelector("#figures dd")?.innerText.trim() === "7", "the figures count a QSO that waits");
  await app.click("#figures a[href*='confirmed=yes']");
  await becomes(app, () => location.hash === "#logbook?confirmed=yes" && document.querySelector("#figures dd").innerText.trim() === "0", "a figure filters the list, and the figures follow the filter");
  await context.setOffline(false);
  await becomes(app, isInStep, "the QSO is sent");
}, { allowed: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/], isOwn: true });

// A phone shows one part at a time, and counts only when a part is chosen.
await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  await openByLink(page, key);
  await becomes(page, isInStep, "the app has the log");
  await goTo(page, "#logbook");
  await becomes(page, () => document.querySelectorAll("#qsos .q").length === 7, "a phone shows the list first");
  ok(await page.evaluate(() => document.querySelector("#qsos .q").getBoundingClientRect().top < 260 && !document.querySelector("#figures dd")), "the first QSO is near the top, and nothing is counted yet");
  await page.locator("#log-parts").getByText("Figures").click();
  await becomes(page, () => document.querySelector("#figures dd")?.innerText.trim() === "7" && !document.getElementById("qsos").checkVisibility(), "the second part on a phone is the figures");
  await look(page, "app-figures-phone");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator("#log-parts").getByText("Map").click();
  await becomes(page, () => document.querySelector("#log-map svg")?.checkVisibility(), "the third part on a phone is the map");
  ok(await page.evaluate(() => getComputedStyle(document.querySelector("#log-map .land")).fill !== "rgb(0, 0, 0)"), "the map of a phone has its colours");
  if (process.env.QSOSYNC_SCREENSHOTS) await page.screenshot({ path: `${process.env.QSOSYNC_SCREENSHOTS}/app-figures-map.png` });
});

// A device that does not keep the log shows the same views.
await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(`${origin}/app/#logbook`);
  await becomes(page, () => document.querySelector("#figures dd")?.innerText.trim() === "7" && document.querySelector("#log-map svg"), "the service counts the figures for a session");
}, { member: { callsign, password } });
