// Opens a link with a key on a device without a log: the app names the log's owner, and asks for agreement. Then tests
// the first download, which shows its progress, is stopped, remains stopped when the app is opened again, and continues
// with the next page.
import { api, becomes, is, look, ok, openByLink, origin, qso, save, withBrowser } from "./browser.js";

const QSOS = 2300; // in pages of 500
const key = process.env.QSOSYNC_WRITE_KEY;

// Forwards two pages, or the number of pages in "most", keeps the next page waiting, and records the requested pages.
const holdPages = () => {
  if (location.protocol === "about:") return;
  const { fetch } = window;
  const most = Number(sessionStorage.getItem("most") ?? 2);
  window.asked = [];
  window.fetch = async (address, options) => {
    if (/\/logs\?/.test(address) && window.asked.push(address) > most)
      await new Promise((_, reject) => { options.signal.addEventListener("abort", () => reject(options.signal.reason)); });
    return fetch(address, options);
  };
};
const copies = () => window.app.storage.count();
const kept = async () => {
  const { storage } = window.app;
  return [await storage.count(), await storage.state() ?? null, await storage.setting("key"), await storage.setting("callsign")];
};
const shown = (text) => !document.getElementById("download").hidden && document.getElementById("download").innerText.includes(text);

await withBrowser(async (context) => {
  for (let start = 0; start < QSOS; start += 100)
    await save(...Array.from({ length: 100 }, (_, index) => qso({ callsignWorked: `19AT${start + index}`, notes: "before" })));
  const page = await context.newPage();
  for (const [other, told] of [[process.env.QSOSYNC_READ_KEY, "This key is read-only."], ["qsosync_wrong", "This key does not work."]]) {
    await page.goto("about:blank");
    await page.goto(`${origin}/app/#key=${other}`);
    await becomes(page, (text) => document.getElementById("setup-told").textContent === text, `a link with an unsuitable key explains why: ${told}`, told);
    is(await page.evaluate(kept), [0, null, null, null], "no part of an unsuitable key is stored");
  }
  await page.addInitScript(holdPages);
  const asks = () => document.querySelector("#whose:not([hidden])")?.innerText ?? "";
  const isAsked = (text) => document.querySelector("#whose:not([hidden])")?.innerText.includes(text);
  const isUntouched = async (rule) => is([await page.evaluate(() => window.asked.length), ...await page.evaluate(kept)], [0, 0, null, null, null], rule);
  await page.goto("about:blank");
  await page.goto(`${origin}/app/#key=${key}`);
  await becomes(page, isAsked, "a link names the owner of its log", "21SD333");
  ok(!/signed in/.test(await page.evaluate(asks)), "a browser without a session shows no warning");
  is(new URL(page.url()).hash, "", "the key disappears from the address at once");
  await isUntouched("before the member agrees, the app stores no key and requests no log");
  await look(page, "app-whose");
  await page.click("#whose >> text=Don't use this key");
  await becomes(page, () => document.getElementById("whose").hidden && !document.getElementById("setup").hidden, "a member who declines can set up another log");
  await isUntouched("nothing is stored after the member declines");

  // Another member signs in, through a link to the sign-in form, which then redirects to the app.
  await page.goto(`${origin}/sign-in?next=app/#key=${key}`);
  await page.fill("[name=callsign]", process.env.QSOSYNC_OTHER);
  await page.fill("[name=password]", process.env.QSOSYNC_PASSWORD);
  await page.click("main form button");
  await becomes(page, isAsked, "a link that passes the sign-in page also asks for agreement", "21SD333");
  ok((await page.evaluate(asks)).includes(`is signed in as ${process.env.QSOSYNC_OTHER}`), "the app warns that the key belongs to another member's log", await page.evaluate(asks));
  await isUntouched("nothing is stored before the answer");

  await page.goto("about:blank");
  await openByLink(page, key);
  await becomes(page, shown, "the app shows the progress of the download", "1,000 of 2,300 QSOs, 43 %");
  is(await page.evaluate(() => document.getElementById("download-progress").value), 43, "a bar shows the progress as a percentage");
  await look(page, "app-download");
  await page.click("#download >> text=Stop");
  await becomes(page, shown, "a button stops the download", "The download of your log has stopped.");
  is(await page.evaluate(copies), 1000, "the downloaded QSOs are kept");
  is(await page.evaluate(() => new Set(window.asked).size), await page.evaluate(() => window.asked.length), "the app requests each page once");
  await becomes(page, () => navigator.serviceWorker.controller !== null, "the worker controls the app although the download is incomplete");

  await page.evaluate(() => sessionStorage.setItem("most", "1000"));
  await page.reload();
  await becomes(page, shown, "the download remains stopped when the app is opened again", "1,000 of 2,300 QSOs, 43 %");
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await page.waitForTimeout(500);
  is(await page.evaluate(() => window.asked.length), 0, "until the member continues, nothing is requested");
  const { items } = await (await api("GET", "/logs?limit=500", null)).json();
  const changed = { ...items[7], notes: "changed meanwhile" };
  for (const name of ["id", "crossConfirmedAt", "createdAt", "syncedAt", "spottedAt"]) delete changed[name];
  await save(changed, qso({ callsignWorked: "26AT101" }));
  await api("DELETE", `/logs/${items[9].clientId}`, null);

  await page.click('#download >> text="Continue"');
  await becomes(page, () => document.getElementById("download").hidden && document.getElementById("state").innerText.includes("Up to date"), "the download continues until it is complete");
  ok(/[?&]cursor=/.test(await page.evaluate(() => window.asked[0])), "the download continues with the next page", await page.evaluate(() => window.asked.join("\n")));
  await becomes(page, async ([count, id, gone]) => {
    const { storage } = window.app;
    return await storage.count() === count && (await storage.qso(id)).notes === "changed meanwhile" && !await storage.qso(gone);
  }, "the device has the whole log, with QSOs that were written, changed and deleted meanwhile", [QSOS, changed.clientId, items[9].clientId]);
}, { allowed: [/401/], isOwn: true });
