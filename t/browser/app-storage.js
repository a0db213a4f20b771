// What the app needs of a browser, and what it does where that is missing: its database full, cleared or not there, no
// worker and no secure context, no settings. And its key, which goes nowhere but into the header of its own requests.
import { becomes, is, ok } from "./browser.js";
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
  await page.locator("#callsignWorked").press("Enter");
}
async function logs(page, call, rule) {
  await type(page, call);
  await becomes(page, saysSaved, rule, call);
}

// -- storage that works ---------------------------------------------------------------------------

const device = new Device(browser, line);
const key = newKey(callsign, "first");
device.context = await browser.newContext({ locale: "en-GB" });
const addresses = [];
device.context.on("request", (request) => addresses.push(request.url()));
await device.context.addInitScript(() => {
  window.durabilities = [];
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function putOrNot(...values) {
    if (window.isFull) throw new DOMException("the storage is full", "QuotaExceededError");
    if (this.name === "outbox") window.durabilities.push(this.transaction.durability);
    return put.apply(this, values);
  };
  // As Firefox without a window: it asks somebody, and waits.
  window.asked = 0;
  StorageManager.prototype.persist = () => { window.asked++; return new Promise(() => {}); };
  StorageManager.prototype.persisted = () => new Promise(() => {});
});
const page = await device.open(`#key=${key}`);
device.page = page;
await page.locator("#whose .main").click();
await becomes(page, isInStep, "a key in the link, and a touch, are enough");
is(await page.evaluate(() => window.asked), 0, "storage that lasts is not asked for before it is worth it");
await logs(page, "26AT101", "a QSO is saved");
await becomes(page, isInStep, "what is saved is sent");
await becomes(page, () => window.asked === 1, "the browser is asked to keep the storage once something is in it");
await logs(page, "26AT102", "a second one is saved");
is(await page.evaluate(() => window.asked), 1, "it is asked once");
ok(await page.evaluate(() => window.durabilities.length > 1 && window.durabilities.every((one) => one === "strict")), "what is put into the outbox is written to the disk before it is said to be saved");
await page.goto(`${line.address}/app/#settings`);
await becomes(page, () => /the browser doesn't guarantee it/.test(document.getElementById("facts").innerText), "a browser that does not answer whether it keeps the storage promises nothing");

// -- full -----------------------------------------------------------------------------------------

await page.goto(`${line.address}/app/#log`);
await page.evaluate(() => { window.isFull = true; });
await type(page, "26AT103");
await becomes(page, () => /was not saved/.test(document.getElementById("notices").innerText), "a QSO that the storage cannot hold is said not to be saved");
is(await page.locator("#callsignWorked").inputValue(), "26AT103", "what could not be saved stays in the form");
for (let pass = 0; pass < 3; pass++) await device.pass();
ok(/out of storage/.test(await page.locator("#state").innerText()), "the state says that the storage is full", await page.locator("#state").innerText());
is(await page.locator("#notices .note").count(), 1, "a full storage is not told again at each attempt");
await page.evaluate(() => { window.isFull = false; });
await page.locator("#callsignWorked").press("Enter");
await becomes(page, saysSaved, "it is saved when there is room", "26AT103");
await becomes(page, isInStep, "when there is room, all is in step again by itself");

// -- two tabs, a key that ends --------------------------------------------------------------------

const other = await device.open();
revoke(callsign, "first");
await device.pass();
await device.pass(other);
await becomes(other, () => document.getElementById("key-trouble"), "a revoked key is told in both tabs");
await logs(other, "26AT104", "what is logged meanwhile is kept");
const second = newKey(callsign, "second");
await page.goto(`${line.address}/app/#key=${second}`);
await becomes(page, isInStep, "a new key in one tab sends what waited");
await becomes(other, () => !document.getElementById("key-trouble") && window.app.outbox.size === 0, "the other tab goes on with it");
await logs(other, "26AT105", "a tab whose key another one replaced logs");
await becomes(other, isInStep, "a tab whose key another one replaced sends");

// -- cleared --------------------------------------------------------------------------------------

await other.goto("about:blank");
await page.bringToFront();
await line.stop();
await logs(page, "26AT106", "without a network a QSO is saved");
const session = await device.context.newCDPSession(page);
await session.send("Storage.clearDataForOrigin", { origin: line.address, storageTypes: "indexeddb,local_storage,cache_storage,service_workers" });
await becomes(page, () => /browser cleared/.test(document.getElementById("notices").innerText), "that somebody cleared the site's data is told");
is((await device.read("outbox")).map(({ qso }) => qso.callsignWorked), ["26AT106"], "what was said to be saved is there all the same");
await logs(page, "26AT107", "with its data cleared the app goes on logging");
await line.start();
await becomes(page, isInStep, "what was logged before and after that is sent", undefined, RETURN_MS);
is((await device.read("qsos")).length, 7, "the whole log comes again after that");
await page.reload();
await becomes(page, () => !document.getElementById("setup").hidden, "the key that was cleared is asked for");
await page.goto(`${line.address}/app/#key=${second}`);
await becomes(page, isInStep, "with its key the device goes on");

// -- the log is removed from the device -----------------------------------------------------------

await other.goto(`${line.address}/app/`);
await becomes(other, isInStep, "two tabs have the log");
await page.goto(`${line.address}/app/#settings`);
await page.locator("#forget").click();
await page.getByRole("button", { name: "Remove anyway" }).click();
for (const one of [page, other]) await becomes(one, () => window.app && !window.app.line && !document.getElementById("setup").hidden, "a log that is removed in one tab is gone in all");
is((await device.read("qsos")).length, 0, "nothing of it is left");

// -- the key --------------------------------------------------------------------------------------

is(line.requests.filter(({ url, headers }) => `${url} ${JSON.stringify({ ...headers, authorization: "" })}`.match(/qsosync_\w{8}/)).map(({ url }) => url), [], "the key stands in no address and in no header but Authorization");
ok(line.requests.some(({ headers }) => headers.authorization === `Bearer ${second}`), "the key stands in the header Authorization");
is(addresses.filter((url) => !url.startsWith(`${line.address}/`) && !url.startsWith("blob:") && url !== "about:blank"), [], "nothing is asked of another origin");
is(addresses.filter((url) => url.includes("qsosync_") && !url.includes("/app/#key=")), [], "no address but the link itself holds a key");
await device.close();

// -- browsers that lack something -----------------------------------------------------------------

async function withBroken(rule, script, run, base = line.address) {
  const context = await browser.newContext({ locale: "en-GB" });
  await context.addInitScript(script);
  const tab = await context.newPage();
  await tab.goto(`${base}/app/#key=${second}`);
  await run(tab, rule);
  await context.close();
}
const keepsNothing = async (tab, rule) => {
  await becomes(tab, () => /doesn't store data here/.test(document.getElementById("state").innerText), `${rule}: the app says that it cannot keep a log`);
  is(await tab.locator("main section:visible").count(), 0, `${rule}: no form is offered`);
};
await withBroken("no IndexedDB", () => { Object.defineProperty(window, "indexedDB", { value: undefined }); }, keepsNothing);
await withBroken("IndexedDB refuses", () => { IDBFactory.prototype.open = () => { throw new DOMException("no", "SecurityError"); }; }, keepsNothing);
const worksOnline = async (tab, rule) => {
  await tab.locator("#whose .main").click();
  await becomes(tab, isInStep, `${rule}: the log is there`);
  await logs(tab, "26AT110", `${rule}: a QSO is saved`);
  await becomes(tab, isInStep, `${rule}: what is saved is sent`);
};
await withBroken("no settings", () => {
  for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });
}, worksOnline);
await withBroken("no worker starts", () => { ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException("no", "SecurityError")); }, worksOnline);
await withBroken("http in a home network", () => {}, async (tab, rule) => {
  is(await tab.evaluate(() => [isSecureContext, "serviceWorker" in navigator, "randomUUID" in crypto, Boolean(navigator.locks)]), [false, false, false, false], `${rule} is no secure context`);
  await worksOnline(tab, rule);
  await becomes(tab, () => /can't open offline/.test(document.getElementById("notices").innerText), `${rule}: what does not work is said`);
  await tab.goto(tab.url().replace(/#.*/, "") + "#settings");
  await becomes(tab, () => /the app doesn't open in this browser/.test(document.getElementById("facts").innerText), `${rule}: the settings say it, too`);
  const twin = await tab.context().newPage();
  await twin.goto(tab.url().replace(/#.*/, ""));
  await becomes(twin, isInStep, `${rule}: a second tab`);
  await tab.goto(tab.url().replace(/#.*/, "") + "#log");
  await line.stop();
  await logs(tab, "26AT111", `${rule}: without a network a QSO is saved`);
  await logs(twin, "26AT112", `${rule}: in the second tab, too`);
  await line.start();
  for (const one of [tab, twin]) await becomes(one, isInStep, `${rule}: both are sent from two tabs that cannot lock each other out`, undefined, RETURN_MS);
  const stored = await tab.evaluate(() => window.app.storage.change((records) => records.after("qsos", "", Infinity)));
  is(stored.filter(({ qso }) => /26AT11[12]/.test(qso.callsignWorked)).length, 2, `${rule}: each of the two is stored once`);
}, line.address.replace("127.0.0.1", "home.test"));
await browser.close();
await line.stop();
