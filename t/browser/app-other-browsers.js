// Plays a member's evening with Firefox or WebKitGTK. The member signs in, opens the profile, logs online and offline,
// closes the browser, synchronises, decides a conflict, and deletes.
import { join } from "node:path";
import { is, ok, origin, waitUntil } from "./browser.js";
import { RETURN_MS, download, isInStep } from "./device.js";
import { Firefox, WebKit } from "./other-browser.js";
import { Line } from "./line.js";

const { QSOSYNC_BROWSER, QSOSYNC_CALLSIGN, QSOSYNC_FOLDER, QSOSYNC_PASSWORD, QSOSYNC_WRITE_KEY } = process.env;
const name = QSOSYNC_BROWSER;
const line = new Line();
await line.start();
let browser = name === "firefox" ? new Firefox(join(QSOSYNC_FOLDER, "firefox")) : new WebKit();
const began = Date.now();
await browser.start();

async function becomes(question, rule, value, timeout) {
  try {
    await waitUntil(() => browser.look(question, value), timeout);
    ok(true, `${name}: ${rule}`);
  } catch (error) {
    ok(false, `${name}: ${rule}`, error.message, await browser.look(() => document.body.innerText).catch(String));
  }
}
async function focus(selector) {
  await browser.look((one) => document.querySelector(one).focus(), selector);
}
const isOpen = () => Boolean(window.app) && !document.getElementById("log").hidden && document.activeElement?.id === "callsignWorked";
async function logs(call) {
  await focus("#callsignWorked");
  await browser.type(call);
  await browser.enter();
  await browser.enter();
  await becomes((one) => document.getElementById("said").textContent.includes(one), `${call} is saved`, call);
}
const calls = async () => (await download(QSOSYNC_WRITE_KEY)).map((qso) => qso.callsignWorked).sort();

await browser.open(`${origin}/sign-in`);
await focus("[name=callsign]");
await browser.type(QSOSYNC_CALLSIGN);
await focus("[name=password]");
await browser.type(QSOSYNC_PASSWORD);
await browser.enter();
await becomes((callsign) => location.pathname === "/profile/" && document.body.innerText.includes(callsign), "a member who signs in sees the profile", QSOSYNC_CALLSIGN);
for (const section of ["log", "profile", "profile/keys", "profile/import", "profile/history"]) {
  await browser.look((one) => { location.hash = one; }, section);
  await becomes((one) => !document.getElementById(`section-${one}`).hidden, `the profile's section ${section} opens`, section.replace("profile/", ""));
}

await browser.open(`${line.address}/app/#key=${QSOSYNC_WRITE_KEY}`);
await becomes((callsign) => document.querySelector("#whose:not([hidden])")?.innerText.includes(callsign), "a link with a key names the owner of its log", QSOSYNC_CALLSIGN);
await browser.look(() => document.querySelector("#whose .main").click());
await becomes(isOpen, "a link with a key opens the app");
is(await browser.look(() => location.hash), "", `${name}: the key disappears from the address`);
await logs("26AT101");
await becomes(isInStep, "a QSO is sent");
await becomes(() => navigator.serviceWorker.controller !== null, "the worker controls the app");
await line.stop();
await logs("26AT102");
await logs("26AT103");
if (browser.keepsStorage) {
  const { profile } = browser;
  await browser.close();
  browser = new Firefox(profile);
  await browser.start();
}
await browser.open(`${line.address}/app/`);
await becomes(isOpen, "the app opens again offline");
await becomes(() => window.app.outbox.size === 2, "QSOs that were logged offline wait");
await logs("26AT104");
await line.start();
await becomes(isInStep, "everything is sent when the network is back", null, RETURN_MS);
is(await calls(), ["26AT101", "26AT102", "26AT103", "26AT104"], `${name}: each QSO is stored once`);

const one = (await download(QSOSYNC_WRITE_KEY)).find((qso) => qso.callsignWorked === "26AT102");
await line.stop();
await browser.look((values) => window.app.log.save({ ...values, notes: "of the device" }).then(() => window.app.written()).then(() => true), one);
await fetch(`${origin}/api/v1/logs/batch`, { method: "POST", headers: { Authorization: `Bearer ${QSOSYNC_WRITE_KEY}`, "Content-Type": "application/json" },
  body: JSON.stringify({ entries: [{ ...one, notes: "of another program" }] }) });
await line.start();
await browser.open(`${line.address}/app/#logbook`);
await becomes(() => !document.getElementById("versions").hidden, "Logbook reports that a QSO has two versions");
await browser.look(() => document.querySelector("#versions button").click());
await becomes(() => /of the device[^]*of another program/.test(document.querySelector(".versus")?.innerText), "a QSO that two programs changed is shown in both versions");
await browser.look(() => document.querySelector(".sheet-foot .main").click());
await becomes(isInStep, "the app sends the member's choice");
is((await download(QSOSYNC_WRITE_KEY)).find((qso) => qso.clientId === one.clientId).notes, "of the device", `${name}: the member's choice is stored`);
await browser.look((key) => document.querySelector(`#qsos [data-id="${key}"] .q`).click(), one.clientId);
await becomes(() => Boolean(document.querySelector(".sheet-foot .bad")), "a QSO opens in the list");
await browser.look(() => document.querySelector(".sheet-foot .bad").click());
await becomes(() => window.app.outbox.size === 1, "a deletion waits a few seconds, during which it can be undone");
await becomes(isInStep, "the app deletes the QSO after the time for Undo");
is(await calls(), ["26AT101", "26AT103", "26AT104"], `${name}: the QSO is deleted on the service`);
await browser.open(`${line.address}/app/#settings`);
await becomes(() => /QSOs on this device\s+3/.test(document.getElementById("facts").innerText), "the settings show the number of QSOs on this device, even if the service does not answer");
process.stdout.write(`# ${name}: ${Math.round((Date.now() - began) / 1000)} s; ${(await browser.look(() => document.getElementById("facts").innerText)).replace(/\s+/g, " ")}\n`);
await browser.close();
await line.stop();
