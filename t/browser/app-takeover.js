// A new version of the app takes over: not while anybody types in any tab, and then in all of them; what was typed
// stays. The line between gives the app's files another content, as an upgrade of the service does.
import { becomes, is, ok } from "./browser.js";
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
// The service has another version from now on.
function publish(version, changeStorage = (text) => text) {
  line.rewritten.set("/app/worker.js", (text) => text.replace(/(const VERSION = ")/, `$1v${version}-`));
  line.rewritten.set("/app/app.js", (text) => `${changeStorage(text)}\nwindow.version = ${version};\n`);
}

// Three tabs: in one a QSO is typed, in one lines from paper; one is looked at.
const typing = device.page;
const paper = await device.open("#lines");
const idle = await device.open("#list");
await typing.bringToFront();
await typing.locator("#callsignWorked").focus();
await typing.keyboard.type("26AT1");
await paper.locator("#typed").fill("date 2026-05-17\n1930 26at103 57 55");
for (const page of [typing, paper, idle]) await mark(page);
publish(2);
await update(idle);
await becomes(idle, isWaiting, "a new version waits while something is typed in another tab");
await typing.waitForTimeout(5000); // twice as long as the app waits between two looks
is([await isMarked(typing), await isMarked(paper), await isMarked(idle)], [true, true, true], "no tab is loaded again meanwhile");
await typing.keyboard.type("01");
is(await typing.evaluate(() => [document.activeElement.id, document.activeElement.value]), ["callsignWorked", "26AT101"], "the line that is typed goes on");
await typing.keyboard.press("Enter");
await becomes(typing, () => document.getElementById("said").textContent.includes("26AT101"), "it is saved");
await typing.waitForTimeout(3000);
is(await isMarked(typing), true, "lines from paper hold the new version back, too");
await paper.bringToFront();
await paper.locator("#save-lines").click();
for (const [name, page] of Object.entries({ typing, paper, idle }))
  await becomes(page, () => window.version === 2, `the new version takes over in the tab of ${name} when nothing is typed any more`);
is(await versionOf(await device.open()), 2, "a tab that is opened has it, too");

// Another one that changes the database, from a tab that loads it past the worker.
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
await becomes(idle, () => window.version === 3 && !document.getElementById("list").hidden, "a version with another database opens");
await becomes(typing, () => window.version === 3 && !window.isMarked, "the older tab takes it over at once, because it cannot save any more");
is(await typing.evaluate(() => ["callsignWorked", "notes"].map((id) => document.getElementById(id).value)), ["26AT1", "half a no"], "what was being typed is there");
const isSettled = async () => {
  const { active, waiting, installing } = await navigator.serviceWorker.getRegistration();
  return window.app?.line && active?.state === "activated" && !waiting && !installing && navigator.serviceWorker.controller === active;
};
await becomes(typing, isSettled, "and no tab has to be loaded again");
await typing.locator("#notes").press("Enter");
await becomes(typing, () => document.getElementById("said").textContent.includes("26AT1"), "and is saved");
await becomes(typing, isInStep, "everything is sent");
ok(line.requests.length > 0 && (await device.read("qsos")).length === 3, "three QSOs are in the log, each once", JSON.stringify((await device.read("qsos")).map(({ qso }) => qso.callsignWorked)));

// That release is taken back while a QSO waits to be sent.
for (const page of device.context.pages()) if (page !== typing) await page.close(); // they have what was typed
await line.stop();
await typing.locator("#callsignWorked").fill("26AT2");
await typing.locator("#callsignWorked").press("Enter");
await becomes(typing, () => document.getElementById("said").textContent.includes("26AT2"), "a QSO waits");
const newer = new Map(line.rewritten);
for (const path of newer.keys()) line.rewritten.set(path, (text) => text); // past what the browser keeps of it
await line.start();
const isTold = () => /Nothing is lost/.test(document.getElementById("state")?.textContent ?? "");
await update(typing).catch(() => {}); // the tab may be loaded again meanwhile
await becomes(typing, isTold, "the older version says that a newer one keeps the log");
await mark(typing);
await typing.locator("#state button").click();
await becomes(typing, () => !window.isMarked && /Nothing is lost/.test(document.getElementById("state")?.textContent ?? ""), "and again when it is loaded again");
for (const [path, change] of newer) line.rewritten.set(path, change);
await typing.locator("#state button").click().catch(() => {}); // or the worker has loaded it again before, and no button is left
await becomes(typing, () => window.version === 3 && document.getElementById("log")?.hidden === false, "the newer version opens the log once it is there again");
await becomes(typing, isInStep, "what waited is sent");
is((await device.read("qsos")).length, 4, "nothing is lost");

// A version that cannot be installed: the old one stays.
line.rewritten.set("/app/worker.js", (text) => text.replace(/(const VERSION = ")/, "$1v4-").replace(/const FILES = \[/, '$&"missing.js",'));
await update(typing).catch(() => {});
await typing.waitForTimeout(3000);
is(await versionOf(typing), 3, "a version that lacks a file is not taken");
await line.stop();
await typing.reload();
await becomes(typing, () => window.version === 3 && !document.getElementById("log").hidden, "and the app opens without a network as before");
await browser.close();
