// Tests the app without browser features that it needs: with a full, cleared or missing database, and without a worker,
// a secure context or settings. The key must appear only in the Authorization header of the app's own requests.
import { becomes, is, logIt, ok, waitFor } from "./browser.js";
import { Device, RETURN_MS, admin, isInStep, launch, newKey, revoke } from "./device.js";
import { Line } from "./line.js";

const line = new Line();
await line.start();
const callsign = "21SD700";
admin("member", "add", callsign, "--locator", "JO59jw");
const browser = await launch(["--host-resolver-rules=MAP home.test 127.0.0.1"]);
const saysSaved = (call) => document.getElementById("said").textContent.includes(call);
async function type(page, call) {
  await page.bringToFront();
  await page.locator("#callsignWorked").fill(call);
  await logIt(page);
}
async function logs(page, call, rule) {
  await type(page, call);
  await becomes(page, saysSaved, rule, call);
}

const device = new Device(browser, line);
const key = newKey(callsign, "first");
device.context = await browser.newContext({ locale: "en-GB" });
const addresses = [];
device.context.on("request", (request) => addresses.push(request.url()));
await device.context.addInitScript(() => {
  window.durabilities = [];
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function putOrNot(...values) {
    if (window.isFull) throw new DOMException("the test fills the storage", "QuotaExceededError");
    if (this.name === "outbox") window.durabilities.push(this.transaction.durability);
    return put.apply(this, values);
  };
  // Imitates headless Firefox, which asks the user and waits for an answer that never comes.
  window.asked = 0;
  StorageManager.prototype.persist = () => { window.asked++; return new Promise(() => {}); };
  StorageManager.prototype.persisted = () => new Promise(() => {});
});
const page = await device.open(`#key=${key}`);
device.page = page;
await page.locator("#whose .main").click();
await becomes(page, isInStep, "a key in the link and one tap set up the app");
is(await page.evaluate(() => window.asked), 0, "persistent storage is not requested before something is stored");
await logs(page, "26AT101", "a QSO is saved");
await becomes(page, isInStep, "the saved QSO is sent");
await becomes(page, () => window.asked === 1, "persistent storage is requested once something is stored");
await logs(page, "26AT102", "a second QSO is saved");
is(await page.evaluate(() => window.asked), 1, "persistent storage is requested only once");
ok(await page.evaluate(() => window.durabilities.length > 1 && window.durabilities.every((one) => one === "strict")), "an outbox entry is on the disk before it is reported as saved");
await page.goto(`${line.address}/app/#settings`);
await becomes(page, () => /the browser doesn't guarantee it/.test(document.getElementById("facts").innerText), "the settings report that storage is not guaranteed if the browser does not confirm persistent storage");
await page.goto(`${line.address}/app/#log`);
await page.evaluate(() => document.getElementById("facts").replaceChildren());
await page.goto(`${line.address}/app/#settings`);
await page.locator("#frequencies").fill("26.285");
await becomes(page, () => document.getElementById("facts").innerText !== "", "the facts about the storage arrive later than the settings");
is(await page.locator("#frequencies").inputValue(), "26.285", "text that was typed meanwhile stays");

await page.goto(`${line.address}/app/#log`);
await page.evaluate(() => { window.isFull = true; });
await type(page, "26AT103");
await becomes(page, () => /was not saved/.test(document.getElementById("notices").innerText), "a QSO that does not fit into the storage is reported as not saved");
is(await page.locator("#callsignWorked").inputValue(), "26AT103", "an unsaved QSO stays in the form");
for (let pass = 0; pass < 3; pass++) await device.pass();
ok(/out of storage/.test(await page.locator("#state").innerText()), "the state shows that the storage is full", await page.locator("#state").innerText());
is(await page.locator("#notices > .note").count(), 1, "a full storage is reported once, not at each attempt");
await page.evaluate(() => { window.isFull = false; });
await logIt(page);
await becomes(page, saysSaved, "a QSO is saved as soon as space is free", "26AT103");
await becomes(page, isInStep, "as soon as space is free, the app synchronises automatically");

const other = await device.open();
revoke(callsign, "first");
await device.pass();
await device.pass(other);
await becomes(other, () => document.getElementById("key-trouble"), "a revoked key is reported in both tabs");
await logs(other, "26AT104", "a QSO that is logged with a revoked key is kept");
const second = newKey(callsign, "second");
// The other tab's pass with the revoked key ends only after the tab has received the new key.
let release;
const released = new Promise((resolve) => { release = resolve; });
await waitFor(other, () => !window.app.synchroniser.isRunning);
await other.route("**/api/v1/**", async (route) => { await released; await route.continue(); });
const held = other.waitForRequest("**/api/v1/**");
await other.evaluate(() => { window.app.synchronise(); });
await held;
await page.goto(`${line.address}/app/#key=${second}`);
await becomes(other, (value) => window.app.line.key === value, "the other tab receives the new key during a pass", second);
release();
await becomes(page, isInStep, "a new key in one tab sends the waiting QSOs");
await becomes(other, () => {
  const { outbox, synchroniser } = window.app;
  return synchroniser.outcome === "done" && !document.getElementById("key-trouble") && outbox.size === 0;
}, "the other tab continues with the new key after the pass with the revoked key");
await logs(other, "26AT105", "a tab whose key was replaced by another tab logs");
await becomes(other, isInStep, "a tab whose key was replaced by another tab sends");

await other.goto("about:blank");
await page.bringToFront();
await line.stop();
await page.evaluate(() => { window.app.refresh = async () => {}; }); // the views are not renewed yet
await logs(page, "26AT106", "a QSO is saved offline");
const session = await device.context.newCDPSession(page);
await session.send("Storage.clearDataForOrigin", { origin: line.address, storageTypes: "indexeddb,local_storage,cache_storage,service_workers" });
await becomes(page, () => /browser cleared/.test(document.getElementById("notices").innerText), "the app reports that the browser cleared its data");
is((await device.read("outbox")).map(({ qso }) => qso.callsignWorked), ["26AT106"], "a QSO that was reported as saved survives the clearing");
await page.evaluate(() => { delete window.app.refresh; });
await logs(page, "26AT107", "the app still logs after the clearing");
await line.start();
await becomes(page, isInStep, "QSOs that were logged before and after the clearing are sent", undefined, RETURN_MS);
is((await device.read("qsos")).length, 7, "the whole log is downloaded again after the clearing");
await page.reload();
await becomes(page, () => !document.getElementById("setup").hidden, "the app asks for the cleared key");
await page.goto(`${line.address}/app/#key=${second}`);
await becomes(page, isInStep, "with its key, the device continues");

await other.goto(`${line.address}/app/`);
await becomes(other, isInStep, "two tabs have the log");
await page.goto(`${line.address}/app/#settings`);
await page.locator("#forget").click();
await page.getByRole("button", { name: "Remove anyway" }).click();
for (const one of [page, other]) await becomes(one, () => window.app && !window.app.line && !document.getElementById("setup").hidden, "a log that is removed in one tab is removed in all tabs");
is((await device.read("qsos")).length, 0, "no data of a removed log is left");

is(line.requests.filter(({ url, headers }) => `${url} ${JSON.stringify({ ...headers, authorization: "" })}`.match(/qsosync_\w{8}/)).map(({ url }) => url), [], "the key is in no address, and in no header except Authorization");
ok(line.requests.some(({ headers }) => headers.authorization === `Bearer ${second}`), "the Authorization header contains the key");
is(addresses.filter((url) => !url.startsWith(`${line.address}/`) && !url.startsWith("blob:") && url !== "about:blank"), [], "the app sends no request to another origin");
is(addresses.filter((url) => url.includes("qsosync_") && !url.includes("/app/#key=")), [], "no address except the link itself contains a key");
await device.close();

async function withBroken(rule, script, run, base = line.address) {
  const context = await browser.newContext({ locale: "en-GB" });
  await context.addInitScript(script);
  const tab = await context.newPage();
  await tab.goto(`${base}/app/#key=${second}`);
  await run(tab, rule);
  await context.close();
}
const keepsNothing = async (tab, rule) => {
  await becomes(tab, () => /doesn't store data here/.test(document.getElementById("state").innerText), `${rule}: the app reports that it cannot store a log`);
  is(await tab.locator("main section:visible").count(), 0, `${rule}: no form is offered`);
};
await withBroken("no IndexedDB", () => { Object.defineProperty(window, "indexedDB", { value: undefined }); }, keepsNothing);
await withBroken("IndexedDB refuses", () => { IDBFactory.prototype.open = () => { throw new DOMException("no", "SecurityError"); }; }, keepsNothing);
const worksOnline = async (tab, rule) => {
  await tab.locator("#whose .main").click();
  await becomes(tab, isInStep, `${rule}: the log arrives`);
  await logs(tab, "26AT110", `${rule}: a QSO is saved`);
  await becomes(tab, isInStep, `${rule}: the saved QSO is sent`);
};
await withBroken("no settings", () => {
  for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });
}, worksOnline);
await withBroken("no worker starts", () => { ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException("no", "SecurityError")); }, worksOnline);
await withBroken("http in a home network", () => {}, async (tab, rule) => {
  is(await tab.evaluate(() => [isSecureContext, "serviceWorker" in navigator, "randomUUID" in crypto, Boolean(navigator.locks)]), [false, false, false, false], `${rule} is not a secure context`);
  await worksOnline(tab, rule);
  await becomes(tab, () => /can't open offline/.test(document.getElementById("notices").innerText), `${rule}: the app names the missing features`);
  await tab.goto(tab.url().replace(/#.*/, "") + "#settings");
  await becomes(tab, () => /the app doesn't open in this browser/.test(document.getElementById("facts").innerText), `${rule}: the settings name the missing features`);
  const twin = await tab.context().newPage();
  await twin.goto(tab.url().replace(/#.*/, ""));
  await becomes(twin, isInStep, `${rule}: a second tab is up to date`);
  await tab.goto(tab.url().replace(/#.*/, "") + "#log");
  await line.stop();
  await logs(tab, "26AT111", `${rule}: a QSO is saved offline`);
  await logs(twin, "26AT112", `${rule}: a QSO is saved in the second tab`);
  await line.start();
  for (const one of [tab, twin]) await becomes(one, isInStep, `${rule}: two tabs that cannot lock each other send their QSOs`, undefined, RETURN_MS);
  const stored = await tab.evaluate(() => window.app.storage.change((records) => records.after("qsos", "", Infinity)));
  is(stored.filter(({ qso }) => /26AT11[12]/.test(qso.callsignWorked)).length, 2, `${rule}: each of the two QSOs is stored once`);
}, line.address.replace("127.0.0.1", "home.test"));
await browser.close();
await line.stop();
