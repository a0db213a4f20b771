// Tests that a new version of the app takes over in all tabs, but not while a member types in one of the tabs. Typed
// text is kept. The line changes the content of the app's files, as an upgrade of the service does.
import { becomes, is, logIt, ok } from "./browser.js";
import { Device, admin, isInStep, launch, newKey } from "./device.js";
import { Line } from "./line.js";

const line = new Line();
await line.start();
admin("member", "add", "21SD900", "--locator", "JO59jw");
const browser = await launch();
const device = new Device(browser, line);
await device.start(newKey("21SD900", "takeover"));

const versionOf = (page) => page.evaluate(() => window.version ?? 1);
const mark = (page) => page.evaluate(() => { window.isMarked = true; });
const isMarked = (page) => page.evaluate(() => window.isMarked === true);
const update = (page) => page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update().then(() => {}));
const isWaiting = () => navigator.serviceWorker.getRegistration().then((one) => one.waiting !== null);
// Makes the service deliver another version from now on.
function publish(version, changeStorage = (text) => text) {
  line.rewritten.set("/app/worker.js", (text) => text.replace(/(const VERSION = ")/, `$1v${version}-`));
  line.rewritten.set("/app/app.js", (text) => `${changeStorage(text)}\nwindow.version = ${version};\n`);
}

// There are three tabs. A QSO is typed in the first tab, lines from paper are typed in the second tab, and the third
// tab is only open.
const typing = device.page;
const paper = await device.open("#lines");
const idle = await device.open("#logbook");
await typing.bringToFront();
await typing.locator("#callsignWorked").focus();
await typing.keyboard.type("26AT1");
await paper.locator("#typed").fill("date 2026-05-17\n1930 26at103 57 55");
for (const page of [typing, paper, idle]) await mark(page);
publish(2);
await update(idle);
await becomes(idle, isWaiting, "a new version waits while text is typed in another tab");
await typing.waitForTimeout(5000); // more than twice the interval at which the app checks for versions
is([await isMarked(typing), await isMarked(paper), await isMarked(idle)], [true, true, true], "no tab is reloaded while a member types");
await typing.keyboard.type("01");
is(await typing.evaluate(() => [document.activeElement.id, document.activeElement.value]), ["callsignWorked", "26AT101"], "the cursor stays in the field while a new version waits");
await logIt(typing);
await becomes(typing, () => document.getElementById("said").textContent.includes("26AT101"), "the typed QSO is saved");
await typing.waitForTimeout(3000);
is(await isMarked(typing), true, "typed lines from paper also delay the new version");
await paper.bringToFront();
await paper.locator("#save-lines").click();
for (const [name, page] of Object.entries({ typing, paper, idle }))
  await becomes(page, () => window.version === 2, `the new version takes over in the tab of ${name} when no text is being typed`);
is(await versionOf(await device.open()), 2, "a newly opened tab has the new version");

// A tab that bypasses the worker loads a version that changes the database.
await typing.bringToFront();
await typing.locator("#callsignWorked").fill("26AT1");
await typing.locator("#notes").focus();
await typing.keyboard.type("half a no");
await mark(typing);
publish(3, (text) => text.replace(/const VERSION = \d+/, "const VERSION = 1000").replace(/\w+\?*\.createIndex\("channel"/, 'if (isNew) $&'));
const session = await device.context.newCDPSession(idle);
await session.send("Network.enable");
await session.send("Network.setBypassServiceWorker", { bypass: true });
await idle.reload();
await becomes(idle, () => window.version === 3 && !document.getElementById("logbook").hidden, "a version with another database opens");
await becomes(typing, () => window.version === 3 && !window.isMarked, "an older tab that can no longer save switches to the new version at once");
await becomes(typing, () => document.getElementById("callsignWorked").value === "26AT1" && document.getElementById("notes").value === "half a no", "the form has the typed text after the new version takes over");
const isSettled = async () => {
  const { active, waiting, installing } = await navigator.serviceWorker.getRegistration();
  return window.app?.line && active?.state === "activated" && !waiting && !installing && navigator.serviceWorker.controller === active;
};
await becomes(typing, isSettled, "no tab needs another reload");
await typing.locator("#notes").press("Enter");
await becomes(typing, () => document.getElementById("said").textContent.includes("26AT1"), "the typed QSO is saved by the new version");
await becomes(typing, isInStep, "the new version sends every QSO");
ok(line.requests.length > 0 && (await device.read("qsos")).length === 3, "the log has each of the three QSOs once", JSON.stringify((await device.read("qsos")).map(({ qso }) => qso.callsignWorked)));

// The release is withdrawn while a QSO waits.
for (const page of device.context.pages()) if (page !== typing) await page.close(); // the other tabs have typed text
await line.stop();
await typing.locator("#callsignWorked").fill("26AT2");
await logIt(typing);
await becomes(typing, () => document.getElementById("said").textContent.includes("26AT2"), "a QSO waits");
const newer = new Map(line.rewritten);
for (const path of newer.keys()) line.rewritten.set(path, (text) => text); // bypasses the browser's cache
await line.start();
const isTold = () => /Nothing is lost/.test(document.getElementById("state")?.textContent ?? "");
await update(typing).catch(() => {}); // the tab may be reloading
await becomes(typing, isTold, "the older version reports that a newer version manages the log");
await mark(typing);
await typing.locator("#state button").click();
await becomes(typing, () => !window.isMarked && /Nothing is lost/.test(document.getElementById("state")?.textContent ?? ""), "the report is shown again after a reload");
for (const [path, change] of newer) line.rewritten.set(path, change);
await typing.locator("#state button").click().catch(() => {}); // the worker may already have reloaded the page, without a button
await becomes(typing, () => window.version === 3 && document.getElementById("log")?.hidden === false, "the newer version opens the log as soon as it is available again");
await becomes(typing, isInStep, "the waiting QSO is sent");
is((await device.read("qsos")).length, 4, "the log has all four QSOs");

// If a version cannot be installed, the old version stays.
line.rewritten.set("/app/worker.js", (text) => text.replace(/(const VERSION = ")/, "$1v4-").replace(/const FILES = \[/, '$&"missing.js",'));
await update(typing).catch(() => {});
await typing.waitForTimeout(3000);
is(await versionOf(typing), 3, "a version with a missing file is not installed");
await line.stop();
await typing.reload();
await becomes(typing, () => window.version === 3 && !document.getElementById("log").hidden, "the previous version still opens offline");
await browser.close();
