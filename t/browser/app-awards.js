// Tests the app's Awards section, which counts the log on the device, online and offline.
import { HOSTILE, becomes, contentOf, is, isTooWide, logIt, look, ok, openByLink, openChip, qso, save, withBrowser } from "./browser.js";
import { fillsOf, isInStep } from "./device.js";

const shows = (texts) => texts.join() === [...document.querySelectorAll("#awards-figures > div")].map((one) => `${parseInt(one.querySelector("svg").getAttribute("aria-label"))}:${parseInt(one.querySelector("span").textContent) || 0}`).join()
  && document.querySelector("#awards").getAttribute("aria-busy") === null;
// Opens a tile, and returns its details.
async function detailsOf(page, name) {
  await page.click(`#awards-wall [data-name="${name}"] button`);
  return page.innerText("dialog");
}
const recordsOf = (page) => page.evaluate(() => new Promise((done) => {
  const request = window.app.storage.store("qsos").getAll(null, 100);
  request.onsuccess = () => done(request.result.map(({ key, qso }) => [qso.callsignWorked, key]));
}));

await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.addInitScript(() => {
    // The largest number of QSOs that the app reads from the database at once.
    window.most = 0;
    const real = IDBObjectStore.prototype.getAll;
    IDBObjectStore.prototype.getAll = function (range, count) {
      if (this.name === "qsos") window.most = Math.max(window.most, count ?? Infinity);
      return real.call(this, range, count);
    };
  });
  await openByLink(page, process.env.QSOSYNC_WRITE_KEY);
  await becomes(page, isInStep, "the app is up to date");
  await becomes(page, () => navigator.serviceWorker.controller !== null, "the worker controls the app");
  await page.locator('#views a[href="#awards"]').click();
  await becomes(page, shows, "an empty log has no awards", ["0:0", "0:0", "0:0"]);
  const isEmpty = () => document.getElementById("first-qso").checkVisibility() && !document.getElementById("log-view").checkVisibility();
  await page.locator('#views a[href="#logbook"]').click();
  await becomes(page, isEmpty, "Logbook shows how to begin an empty log");
  await becomes(page, () => document.querySelector("#first-qso .disc .land")?.getAttribute("d"), "the disc shows the world as seen from the member's locator");
  await look(page, "app-empty");

  // Other programs log these QSOs while the section is open. The first QSO is also in the other member's log.
  await save(qso({ callsignWorked: "26AT101", qsoAt: "2025-05-17T19:42:00Z", dxLocator: "IO91wm" }),
    qso({ callsignWorked: "104AT/DX", dxLocator: null, qsoAt: "2024-05-17T19:42:00Z" }),
    qso({ callsignWorked: "3AT1", dxLocator: "GG87", qsoStatus: "HRD" }),
    qso({ callsignWorked: `1AT/${HOSTILE.slice(0, 10)}`, dxLocator: null }),
    qso({ callsignWorked: "999AT1", dxLocator: null }));
  await page.locator('#views a[href="#awards"]').click();
  await page.evaluate(() => window.app.synchronise());
  await becomes(page, shows, "a QSO that arrives while the section is open is counted", ["3:1", "1:1", "1:0"]);
  await page.locator('#views a[href="#logbook"]').click();
  await becomes(page, () => document.querySelectorAll("#qsos .q").length === 5 && !document.getElementById("first-qso").checkVisibility(), "the first QSOs replace the empty log");
  await page.goto(page.url().replace(/#.*/, "#logbook?mode=CW"));
  await becomes(page, () => document.querySelector("#qsos .lone")?.checkVisibility() && !document.getElementById("first-qso").checkVisibility(), "a filter without a QSO does not show an empty log");
  await page.locator('#views a[href="#awards"]').click();
  ok((await page.innerText("#awards-unknown")).includes("Unknown divisions: 1 QSO"), "Awards lists an unknown division as unknown");

  // Offline, the app counts the log on the device, including a waiting QSO.
  await context.setOffline(true);
  await page.locator('#views a[href="#log"]').click();
  await page.locator("[name=band][value=PMR446]").check();
  await page.evaluate(() => window.app.form.show({ callsignWorked: "13HN1", dxLocator: "JO31", channel: 8 }));
  await logIt(page);
  await becomes(page, () => window.app?.outbox.size === 1, "a QSO waits");
  await page.evaluate(() => { location.hash = "#awards"; });
  await becomes(page, shows, "a waiting QSO counts as worked", ["4:1", "2:1", "1:0"]);
  is(await page.evaluate(() => [...document.querySelectorAll("#awards-wall li:is(.worked, .confirmed)")].map((one) => `${one.textContent} ${one.className}`)),
    ["1 worked", "13 worked", "26 confirmed", "104 worked"], "each worked division has a tile, in the order of the numbers");
  const england = await detailsOf(page, 26);
  ok(["England", "17 May 2025 26AT101", "11 m ✓", "USB ✓"].every((text) => england.includes(text)), "a tile shows bands, modes and the first QSO", england);
  await page.keyboard.press("Escape");
  ok((await page.innerText("#awards-goals")).replace(/\s+/g, " ").includes("25 divisions 21 to go"), "Awards shows the next milestone", await page.innerText("#awards-goals"));
  is(await page.evaluate(() => [...document.querySelectorAll("#awards-map rect")].map((one) => `${one.textContent} ${one.getAttribute("class")}`)),
    ["IO91 · 1 QSO square confirmed", "JO31 · 1 QSO square open"], "the map has a dot for each worked square");
  const fills = await fillsOf(page, "#awards-map", ".land", ".confirmed", ".open");
  ok(new Set(fills).size === 3 && !fills.includes("black"), "land and squares have the colours of a map, even offline", fills);
  await look(page, "app-awards");
  for (const [width, height] of [[360, 740], [800, 1100], [1366, 768]]) {
    await page.setViewportSize({ width, height });
    is(await page.evaluate(isTooWide), null, `app-awards is not wider than ${width} pixels`);
  }

  // A part of the awards is saved as a file.
  await openChip(page, "Band", "PMR446", "#awards-filter");
  await becomes(page, shows, "each band is counted separately", ["1:0", "1:0", "0:0"]);
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#awards-csv")]);
  const table = (await contentOf(file)).split("\r\n");
  ok(table.some((line) => /^division,13,Germany,1,0,PMR446,.*,worked$/.test(line)) && table.filter((line) => line.endsWith(",missing")).length === 340,
    "the file has the divisions that are shown, and the missing divisions", table.slice(0, 3).join("\n"));
  await page.click("#awards-filter .on .chip-x");
  await openChip(page, "Year", "2024", "#awards-filter");
  await becomes(page, shows, "each year is counted separately", ["1:0", "0:0", "1:0"]);
  await page.click("#awards-filter .on .chip-x");

  // The log changes.
  const [, key] = (await recordsOf(page)).find(([callsign]) => callsign === "104AT/DX");
  await page.evaluate(async (id) => { await window.app.log.delete(id); await window.app.written(); }, key);
  await becomes(page, shows, "a QSO that is being deleted does not count", ["3:1", "2:1", "0:0"]);
  await context.setOffline(false);
  await page.evaluate(() => window.app.synchronise());
  await becomes(page, () => window.app?.outbox.size === 0, "the waiting QSO is sent");
  await becomes(page, shows, "the counts stay the same after the QSOs are sent", ["3:1", "2:1", "0:0"]);
  ok(await page.evaluate(() => window.most) <= 500, "Awards reads at most 500 QSOs at once", await page.evaluate(() => window.most));

  // A link opens the QSO that counts first.
  await detailsOf(page, 26);
  await page.click("dialog dd a >> nth=0");
  await becomes(page, () => document.querySelector("#logbook")?.hidden === false && document.querySelectorAll("#qsos .rows li").length === 1
    && document.querySelector("#qsos .rows li").textContent.includes("26AT101"), "a link in a tile opens the first QSO of its division");
}, { allowed: [/ERR_/] });
