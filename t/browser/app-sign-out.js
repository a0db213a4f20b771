// Signs out in a browser that has the app's log. The page asks, names the unsent QSOs, and removes the whole log.
import { becomes, is, logIt, ok, origin, signOut, withBrowser } from "./browser.js";
import { isInStep } from "./device.js";

const me = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const kept = () => new Promise((done) => {
  const opening = indexedDB.open("qsosync-app");
  opening.onsuccess = async () => {
    const { result: database } = opening;
    const counts = [...database.objectStoreNames].map((name) => new Promise((counted) => {
      const request = database.transaction(name).objectStore(name).count();
      request.onsuccess = () => counted(request.result);
    }));
    const sum = (await Promise.all(counts)).reduce((one, other) => one + other, 0);
    database.close();
    done([sum, Object.keys(localStorage).filter((name) => name.startsWith("qsosync-")).length + sessionStorage.length]);
  };
});
const isAsked = () => document.querySelector("dialog") !== null;
const press = (page, name) => page.locator("dialog button", { hasText: name }).click();

await withBrowser(async (context) => {
  const front = await context.newPage();
  await front.goto(`${origin}/`);
  await signOut(front);
  await becomes(front, () => document.getElementById("account")?.innerText === "Sign in", "signing out without a log asks no question");
}, { member: me });

await withBrowser(async (context) => {
  const app = await context.newPage();
  await app.goto(`${origin}/app/`);
  await app.click("#keep");
  await becomes(app, isInStep, "the app is up to date");
  const key = await app.evaluate(() => window.app.storage.setting("key"));
  await context.route("**/logs/batch", (route) => route.abort());
  await app.locator("#callsignWorked").fill("26AT101");
  await logIt(app);
  await becomes(app, () => window.app.outbox.size === 1, "a QSO waits on the device");
  await app.locator("#callsignWorked").fill("19D");

  const front = await context.newPage();
  await front.goto(`${origin}/`);
  await signOut(front);
  await becomes(front, isAsked, "a member who signs out is asked about the log");
  const asked = await front.innerText("dialog");
  ok(/1 unsent QSO would be lost/.test(asked) && asked.includes(me.callsign), "the question names the log's owner and the unsent QSOs", asked);
  await press(front, "Cancel");
  await becomes(front, () => !document.querySelector("dialog"), "Cancel changes nothing");
  is(await front.locator("#account button").count(), 1, "Cancel keeps the member signed in");

  await signOut(front);
  await becomes(front, isAsked, "the next attempt asks again");
  await press(front, "Remove it and sign out");
  await becomes(front, () => document.getElementById("account")?.innerText === "Sign in", "the member is signed out after answering");
  await becomes(app, () => document.getElementById("setup")?.hidden === false, "another tab with the app no longer has a log");
  is((await front.evaluate(kept))[0], 0, "the app's database is empty after removing the log");
  is((await fetch(`${origin}/api/v1/me`, { headers: { Authorization: `Bearer ${key}` } })).status, 401, "removing the log revokes the device's key");
  await becomes(front, () => !Object.entries(localStorage).some(([name, text]) => /member|lines|outings/.test(name) || text.includes("19D")), "removing the log removes all drafts");
  is(await app.locator("#callsignWorked").inputValue(), "", "the form has no typed text after removing the log");
}, { member: me, allowed: [/ERR_FAILED/] });

await withBrowser(async (context) => {
  const app = await context.newPage();
  await app.goto(`${origin}/app/`);
  await app.click("#keep");
  await becomes(app, isInStep, "the app is up to date");
  const front = await context.newPage();
  await front.goto(`${origin}/`);
  await signOut(front);
  await becomes(front, isAsked, "signing out asks whenever the browser has a log");
  await press(front, "Keep it and sign out");
  await becomes(front, () => document.getElementById("account")?.innerText === "Sign in", "the member is signed out after answering");
  ok((await front.evaluate(kept))[0] > 0, "the log stays if the member keeps it");
  is(await app.evaluate(async () => (await fetch("../api/v1/me", { headers: { Authorization: `Bearer ${await window.app.storage.setting("key")}` } })).status), 200, "the key of a kept log stays valid");
}, { member: me });
