// Simulates devices with the app. Each device is a Chromium context, whose clock can be wrong. The device's tabs can be
// opened, reloaded and killed.
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
// Returns the fills of some map parts; "black" is the default for parts without a style.
export const fillsOf = (page, map, ...parts) => page.evaluate(([place, selectors]) => selectors.map((part) => {
  const { fill } = getComputedStyle(document.querySelector(`${place} ${part}`));
  return fill === "rgb(0, 0, 0)" ? "black" : fill;
}), [map, parts]);
// Returns whether the device's storage has nothing to send, and a pass has succeeded. The storage is also checked,
// because the page's own state can be older for a moment.
export const isInStep = async () => {
  const { app } = window;
  if (!app?.line || app.outbox.size || document.getElementById("state").dataset.outcome !== "done") return false;
  const counting = app.storage.store("outbox").count();
  return await new Promise((resolve) => { counting.onsuccess = () => resolve(counting.result); }) === 0;
};
// Returns whether each QSO of a first download already has its own record.
export const areUnpacked = async () => {
  const counting = window.app.storage.store("packs").count();
  return await new Promise((resolve) => { counting.onsuccess = () => resolve(counting.result); }) === 0;
};
export const RETURN_MS = 180000; // after a request without an answer, the app waits up to a minute

// Downloads the whole log from the service.
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

// Makes every write fail like a write to a full storage, because Chromium has no quota small enough for a test.
const fullStorage = () => {
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function putOrNot(...values) {
    if (globalThis.isFull) throw new DOMException("the storage is full", "QuotaExceededError");
    return put.apply(this, values);
  };
};

// Ends a tab as the system does: no code runs in the tab afterwards.
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
  // Opens a tab with the app, and waits until the app has read its storage.
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
  // Makes the storage full for writes, including writes in tabs that are opened later.
  async setFull(isFull) {
    this.isFull = isFull;
    for (const page of [this.page, this.second]) await page?.evaluate((value) => { window.isFull = value; }, isFull);
  }
  // Runs a complete pass. First waits for the end of a pass that is already under way.
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
