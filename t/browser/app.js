// Tests the app: a member logs, changes and deletes QSOs online and offline. The test can cut the line between the
// browser and the service, because the app's worker is offline only if the server does not answer.
import { join } from "node:path";
import { becomes, contentOf, download, fromMenu, HOSTILE, is, isStored, logIt, look, ok, save, waitFor, withBrowser } from "./browser.js";
import { RETURN_MS, admin, isInStep, killTab } from "./device.js";
import { Line } from "./line.js";

const { QSOSYNC_COOKIE, QSOSYNC_FOLDER } = process.env;

const line = new Line();
await line.start();

async function isOpen(page, rule) {
  await becomes(page, () => !document.getElementById("log").hidden && document.activeElement?.id === "callsignWorked", rule);
}
async function open(context, hash = "") {
  const page = await context.newPage();
  await page.goto(`${line.address}/app/${hash}`);
  return page;
}
// Types a QSO, using only the keyboard.
async function type(page, callsign, notes = "") {
  await page.locator("#callsignWorked").focus();
  await page.keyboard.type(callsign);
  if (notes) {
    await page.locator("#notes").focus();
    await page.keyboard.type(notes);
  }
  else await page.keyboard.press("Enter"); // moves to the report
  await page.keyboard.press("Enter");
  await waitFor(page, (call) => document.getElementById("said").textContent.includes(call), callsign);
}
const calls = (qsos) => qsos.map((one) => one.callsignWorked).sort();

const allowed = [/ERR_CONNECTION|ERR_EMPTY|Failed to fetch|Failed to load resource|401|net::ERR/];
await withBrowser(async (context) => {
  const first = await open(context);
  await becomes(first, () => !document.getElementById("setup").hidden, "the app asks for a key if it has none");
  await look(first, "app-setup");
  await first.getByRole("button", { name: "Use my account" }).click();
  await becomes(first, () => !document.getElementById("sign-in").hidden, "a member without a session is redirected to the sign-in page");
  const [name, value] = QSOSYNC_COOKIE.split(/=(.*)/s);
  await context.addCookies([{ name, value, url: line.address, httpOnly: true, sameSite: "Strict" }]);
  await first.getByRole("button", { name: "Use my account" }).click();
  await isOpen(first, "a signed-in member gets a key at once, with the cursor in the callsign");
  ok(/WRITE +App, Linux|App, Linux.*WRITE/.test(admin("key", "list", "21SD333")), "the key has the name of the device");
  await becomes(first, isInStep, "an empty log is up to date");
  await first.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  process.stdout.write(`# the app took ${line.bytes} bytes\n`);
  await type(first, "26AT101", "by keyboard");
  await becomes(first, isInStep, "a QSO is sent");
  const [sent] = await download();
  is([sent.callsignWorked, sent.notes, sent.band, sent.frequencyMhz, sent.mode, sent.rstSent],
    ["26AT101", "by keyboard", "ELEVEN_METERS", "27.555", "USB", "59"], "the typed and the remembered values are stored");

  // The member works offline, in tabs that are killed.
  await becomes(first, () => navigator.serviceWorker.controller !== null, "the worker controls the app");
  await line.stop();
  let page = first;
  for (let number = 1; number <= 10; number++) {
    await type(page, `13SD${String(number).padStart(3, "0")}`);
    if (number % 5 === 0) {
      await killTab(context, page);
      page = await context.newPage();
      await page.goto(`${line.address}/app/`);
      await isOpen(page, `the app opens again offline after tab ${number / 5} was killed`);
    }
  }
  await page.locator("#callsignWorked").focus();
  await page.keyboard.type("19DX");
  await page.reload();
  await isOpen(page, "the form is ready after a reload");
  is(await page.locator("#callsignWorked").inputValue(), "19DX", "a half-typed QSO survives a reload");
  await page.locator("#callsignWorked").fill("");
  await becomes(page, () => window.app.outbox.size === 10, "all QSOs wait");
  await becomes(page, () => {
    const marks = [...document.querySelectorAll("#recent .mark")].slice(0, 2);
    return marks.length === 2 && marks.every((one) => one.textContent === "not sent yet" && one.querySelector(".wait"));
  }, "a dashed ring marks QSOs that wait");
  await page.goto(`${line.address}/app/#logbook`);
  await becomes(page, () => document.querySelectorAll("#qsos .rows li").length === 11, "waiting QSOs are listed next to sent QSOs");
  await becomes(page, () => /Offline|Kein Netz/.test(document.getElementById("state").textContent), "the app shows that it is offline");
  let loses = 2; // number of answers to batches that are lost
  line.fate = ({ method }) => (method === "POST" && loses-- > 0 ? "cut" : "pass");
  await line.start();
  await becomes(page, isInStep, "waiting QSOs are sent when the network is back, although answers are lost", null, RETURN_MS);
  const stored = await download();
  is([stored.length, new Set(calls(stored)).size], [11, 11], "each QSO is stored once");

  // A QSO is opened, changed, deleted and restored.
  await page.locator("#search-text").fill("26at");
  await becomes(page, () => document.querySelectorAll("#qsos .rows li").length === 1, "the start of a callsign finds its QSO");
  await page.locator("#qsos .q").click();
  await page.getByRole("button", { name: "Edit" }).click();
  await becomes(page, () => document.getElementById("callsignWorked").value === "26AT101" && !document.getElementById("editing").hidden, "a click opens the QSO in the form");
  await page.locator("#notes").fill("changed");
  await page.locator("#notes").press("Enter");
  await isStored((qsos) => qsos.find((one) => one.callsignWorked === "26AT101").notes, "changed", "the service stores a change");
  await page.goto(`${line.address}/app/#logbook`);
  await page.locator("#search-text").fill("13SD007");
  await becomes(page, () => document.querySelectorAll("#qsos .rows li").length === 1 && /13SD007/.test(document.getElementById("qsos").innerText), "the list shows the search result");
  await page.locator("#qsos .q").click();
  await (await fromMenu(page, "Delete")).click();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await becomes(page, () => window.app.outbox.size === 0, "a deletion can be undone");
  is((await download()).length, 11, "an undone deletion did not reach the service");
  await page.locator("#qsos .q").click();
  await (await fromMenu(page, "Delete")).click();
  await isStored((qsos) => qsos.length, 10, "the service deletes the QSO after the time for Undo");

  // A value that the service would reject is reported next to its field. A QSO that the service has rejected is
  // reported in the list.
  await page.goto(`${line.address}/app/#log`);
  await page.locator("#frequencyMhz").fill("29,1");
  await page.locator("#callsignWorked").fill("26AT102");
  await logIt(page);
  await becomes(page, () => /26.000/.test(document.querySelector("#form .fault")?.textContent), "a frequency outside the band is reported at its field, in words");
  is(await page.locator("#frequencyMhz").getAttribute("aria-invalid"), "true", "the invalid field is marked");
  await page.locator("#frequencyMhz").fill("27.185");
  await page.locator("#frequencyMhz").press("Tab");
  is(await page.locator("#cb").inputValue(), "19", "a frequency shows its CB channel");
  await logIt(page);
  await becomes(page, isInStep, "the corrected QSO is sent");
  const refusedId = crypto.randomUUID();
  await page.evaluate((clientId) => window.app.log.save({ clientId, band: "ELEVEN_METERS", qsoAt: "2026-05-17T19:00Z", frequencyMhz: "29.000", callsignWorked: "1AT999" }).then(() => window.app.written()), refusedId);
  await page.goto(`${line.address}/app/#logbook`);
  await page.locator("#search-text").fill("1AT999");
  await becomes(page, () => /26.000/.test(document.querySelector("#qsos .note.bad")?.textContent), "a rejected QSO is listed with the reason");
  await page.locator("#qsos .q").click();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.locator("#frequencyMhz").fill("27.555");
  await page.locator("#frequencyMhz").press("Enter");
  await becomes(page, isInStep, "a rejected QSO is sent after its correction");

  // Another program changes a QSO that waits on this device.
  const mine = (await download()).find((one) => one.callsignWorked === "26AT102");
  await line.stop();
  await page.evaluate((values) => window.app.log.save({ ...values, notes: "on the device" }).then(() => window.app.written()), mine);
  await save({ ...mine, notes: HOSTILE });
  await line.start();
  await page.goto(`${line.address}/app/#logbook`);
  await page.locator("#search-text").fill("26AT102");
  await becomes(page, () => document.querySelectorAll("#qsos .rows li").length === 1, "the list shows the QSO that changed twice");
  await becomes(page, () => /1 QSO has two versions/.test(document.getElementById("versions").innerText), "Logbook counts the QSOs with two versions");
  await page.getByRole("button", { name: "Show both" }).click();
  await becomes(page, () => document.querySelector(".versus"), "the button of the notice opens both versions");
  const versions = () => page.locator(".versus .differs").allInnerTexts();
  is((await versions()).map((text) => text.replace(/\s+/g, " ")), [`Notes on the device ${HOSTILE.replace("\u202e", "[U+202E]").replace("\u202c", "[U+202C]")}`], "a QSO that was changed twice shows the values that differ in both versions");
  await look(page, "app-conflict");
  const chosen = (qsos) => qsos.find((one) => one.clientId === mine.clientId).notes;
  // Another device writes a third version, which this page has not shown yet.
  await page.evaluate(() => window.app.storage.change(async (records) => {
    const [entry] = await records.after("outbox", "", 1);
    await records.put("outbox", { ...entry, theirs: { ...entry.theirs, notes: "third", syncedAt: "2026-05-18T00:00:00.000Z" } });
  }));
  await page.getByRole("button", { name: "Keep mine" }).click();
  await becomes(page, () => /third/.test(document.querySelector(".versus")?.innerText), "a choice between old versions shows the newer version instead of dropping it");
  is(await page.evaluate(() => [...window.app.outbox.values()].map(({ state }) => state)), ["conflict"], "both versions stay until the member has seen them");
  await page.getByRole("button", { name: "Take theirs" }).click();
  await becomes(page, () => window.app.outbox.size === 0 && document.getElementById("versions").hidden, "the chosen version of the service ends the conflict");
  await page.getByRole("button", { name: "Undo" }).click();
  await isStored(chosen, "on the device", "Undo restores the version that the member did not choose");

  // Two tabs use a service that was restored from a backup.
  const other = await open(context);
  await isOpen(other, "a second tab shows the form");
  // Imitates a page over http in a home network, where crypto.randomUUID is missing.
  await other.evaluate(() => { delete Crypto.prototype.randomUUID; });
  admin("backup", join(QSOSYNC_FOLDER, "app-backup.db"));
  await Promise.all([type(page.url().includes("#logbook") ? (await page.goto(`${line.address}/app/#log`), page) : page, "14FR001"), type(other, "14FR002")]);
  await becomes(other, isInStep, "the second tab is up to date after both tabs have logged");
  await isStored((qsos) => qsos.filter((one) => /^14FR/.test(one.callsignWorked)).length, 2, "QSOs of two tabs are stored once, even if the browser creates no ids");
  admin("restore", join(QSOSYNC_FOLDER, "app-backup.db"));
  await becomes(page, () => window.app.storage.change((records) => records.get("state", "sync")).then((state) => state.round > 1 && window.app.outbox.size === 0), "after a restore the log is downloaded again");
  await becomes(page, isInStep, "QSOs that the restore lost are sent again");
  await isStored((qsos) => qsos.filter((one) => /^14FR/.test(one.callsignWorked)).length, 2, "a restore loses no QSO");

  // Lines from paper are logged.
  await page.goto(`${line.address}/app/#lines`);
  await page.locator("#typed").fill("date 2026-05-17\n27.555 usb\n1930 26at103 57 55 jn61 strong\n35 1at5\nnothing");
  await page.locator("#save-lines").click();
  await becomes(page, () => document.getElementById("typed").value === "nothing", "an invalid line waits for its correction");
  await page.locator("#typed").fill("");
  await isStored((qsos) => qsos.filter((one) => one.qsoAt.startsWith("2026-05-17T19:3")).map((one) => [one.callsignWorked, one.qsoAt.slice(11, 16), one.rstSent, one.rstReceived, one.dxLocator, one.notes]).sort(),
    [["1AT5", "19:35", null, null, null, null], ["26AT103", "19:30", "57", "55", "JN61", "strong"]], "lines from paper are stored as they were written");

  for (const name of ["log", "logbook", "lines", "settings"]) {
    await page.goto(`${line.address}/app/#${name}`);
    await look(page, `app-${name}`);
  }

  // The key is revoked.
  admin("key", "revoke", "21SD333", admin("key", "list", "21SD333").match(/^(\d+) .*App, Linux/m)[1]);
  await page.goto(`${line.address}/app/#log`);
  await type(page, "26AT110");
  await becomes(page, () => document.getElementById("key-trouble"), "a revoked key is reported");
  await becomes(page, () => window.app.outbox.size === 1, "an unsent QSO is kept");
  await page.goto(`${line.address}/app/#settings`);
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator("#export").click()]);
  ok(/<CALL:7>26AT110/.test(await contentOf(file)), "an unsent QSO can be saved as ADIF");
  const key = admin("key", "add", "21SD333", "--name", "again", "--scope", "WRITE").trim();
  await page.goto(`${line.address}/app/#key=${key}`);
  await waitFor(page, () => !location.hash.includes("key"));
  is(new URL(page.url()).hash, "", "a key in the address disappears at once");
  await isStored((qsos) => qsos.filter((one) => one.callsignWorked === "26AT110").length, 1, "a new key sends the QSO");
}, { allowed, isOwn: true });
await line.stop();
