// Devices with the app on them, for its tests: a context of Chromium each, whose clock may be wrong, with tabs that are
// opened, loaded again, and killed.
import { spawnSync } from "node:child_process";
import { chromium } from "playwright-core";
import { CHROMIUM, ok, openFolds, slowDown, waitFor } from "./browser.js";

const { QSOSYNC_ADMIN, QSOSYNC_DB, QSOSYNC_ORIGIN } = process.env;

export function admin(...words) {
  const done = spawnSync(QSOSYNC_ADMIN, ["--db", QSOSYNC_DB, ...words], { encoding: "utf8" });
  if (done.status !== 0) ok(false, `qsosync-admin ${words[0]} ${words[1]} does what this test needs`, done.stderr);
  return done.stdout;
}
export function newKey(callsign, name) {
  return admin("key", "add", callsign, "--name", name, "--scope", "WRITE").trim();
}
export function revoke(callsign, name) {
  const row = new RegExp(`^(\\d+) .*${name}`, "m").exec(admin("key", "list", callsign));
  admin("key", "revoke", callsign, row[1]);
}
// The fill of what a map shows, and of one that no sheet speaks of.
export const fillsOf = (page, map, ...parts) => page.evaluate(([place, selectors]) => selectors.map((part) => {
  const { fill } = getComputedStyle(document.querySelector(`${place} ${part}`));
  return fill === "rgb(0, 0, 0)" ? "black" : fill;
}), [map, parts]);
// Whether nothing waits on the device, as its storage says, and a pass has ended well: what the page shows is read from
// there a moment after something was saved.
export const isInStep = async () => {
  const { app } = window;
  if (!app?.line || app.outbox.size || document.getElementById("state").dataset.outcome !== "done") return false;
  const counting = app.storage.store("outbox").count();
  return await new Promise((resolve) => { counting.onsuccess = () => resolve(counting.result); }) === 0;
};
// Whether no QSO of a first download waits any more for a record of its own.
export const areUnpacked = async () => {
  const counting = window.app.storage.store("packs").count();
  return await new Promise((resolve) => { counting.onsuccess = () => resolve(counting.result); }) === 0;
};
export const RETURN_MS = 180000; // without an answer, the app waits up to a minute before it asks again

// The whole log on the service.
export async function download(key) {
  const items = [];
  for (let cursor = ""; cursor !== null;) {
    const answer = await fetch(`${QSOSYNC_ORIGIN}/api/v1/logs?limit=500${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      { headers: { Authorization: `Bearer ${key}` } });
    const page = await answer.json();
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}

export function launch(args = []) {
  return chromium.launch({ ...CHROMIUM, args: [...CHROMIUM.args, ...args] });
}

const wrongClock = (skew) => {
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...values) { super(...(values.length ? values : [Real.now() + skew])); }
    static now() { return Real.now() + skew; }
  };
};

// No quota of Chromium's is small enough for a test: a transaction in which something is put ends as where it is full.
const fullStorage = () => {
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function putOrNot(...values) {
    if (globalThis.isFull) throw new DOMException("the storage is full", "QuotaExceededError");
    return put.apply(this, values);
  };
};

// As the system ends a tab: nothing runs in it any more.
export async function killTab(context, page) {
  const session = await context.newCDPSession(page);
  const crashed = page.waitForEvent("crash");
  session.send("Page.crash").catch(() => {});
  await crashed;
}

export class Device {
  constructor(browser, line, { skew = 0, name = "device" } = {}) {
    Object.assign(this, { browser, line, skew, name });
  }
  async begin() {
    this.context = await this.browser.newContext({ locale: "en-GB" });
    await this.context.addInitScript(openFolds);
    this.context.setDefaultTimeout(60000);
    slowDown(this.context);
    await this.context.addInitScript(fullStorage);
    if (this.skew) await this.context.addInitScript(wrongClock, this.skew);
  }
  async start(key) {
    await this.begin();
    this.page = await this.open(`#key=${key}`);
    await this.page.locator("#whose .main").click();
    await waitFor(this.page, () => !document.getElementById("log").hidden);
    await waitFor(this.page, () => navigator.serviceWorker.controller !== null);
  }
  // Opens a tab with the app on it, which has read what it keeps.
  async open(hash = "") {
    const page = await this.context.newPage();
    await page.goto(`${this.line.address}/app/${hash}`);
    await page.evaluate((value) => { window.isFull = value; }, Boolean(this.isFull));
    await waitFor(page, () => window.app && document.querySelector("main section:not([hidden])") !== null);
    return page;
  }
  async kill() {
    const { page } = this;
    await killTab(this.context, page);
    this.page = await this.open();
    await page.close();
  }
  // As where its storage is full: what is to be kept does not fit, in tabs that are opened later, too.
  async setFull(isFull) {
    this.isFull = isFull;
    for (const page of [this.page, this.second]) await page?.evaluate((value) => { window.isFull = value; }, isFull);
  }
  // One pass from its beginning, not one that is under way already.
  pass(page = this.page) {
    return page.evaluate(async () => {
      while (window.app.synchroniser.isRunning) await new Promise((done) => setTimeout(done, 10));
      await window.app.synchronise();
      return window.app.synchroniser.outcome;
    });
  }
  read(store) {
    return this.page.evaluate((name) => window.app.storage.change((records) => records.after(name, "", Infinity)), store);
  }
  say() {
    return this.page.evaluate(() => document.getElementById("content").innerText);
  }
  close() {
    return this.context.close();
  }
}
