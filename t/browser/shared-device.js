// Plays evenings of two members on one device. Each member logs, leaves unfinished work in several tabs, and signs out
// with the log removed. The other member must find no trace of this work: neither on pages that are still open, nor in
// storage, in caches, or on newly opened pages. QSOSYNC_TEST_ROUNDS is the number of evenings, and QSOSYNC_TEST_SEED
// the seed of the first evening.
import { becomes, is, ok, openChip, origin, signIn, signOut, waitFor, waitUntil, withBrowser } from "./browser.js";
import { isInStep } from "./device.js";
import { randomOf } from "./line.js";

const ROUNDS = Number(process.env.QSOSYNC_TEST_ROUNDS || 2);
const SEED = Number(process.env.QSOSYNC_TEST_SEED || 1);
const people = JSON.parse(process.env.QSOSYNC_PEOPLE);
const DATA = ["", "profile/", "cluster/", "app/", "profile/data/qsos", "profile/data/statistics", "profile/data/awards", "profile/data/map", "profile/data/worked", "profile/data/keys", "profile/data/export.adi"];

// Returns everything that a page shows and holds, including typed text.
const heldByPage = () => JSON.stringify([location.href, document.title, document.body.innerText,
  [...document.querySelectorAll("input, textarea, select")].map(({ value }) => value), { ...sessionStorage }, history.state, window.name]);
// Returns everything that the browser stores for this site.
const keptByBrowser = async () => {
  const answerOf = (request) => new Promise((done, fail) => { request.onsuccess = () => done(request.result); request.onerror = () => fail(request.error); });
  const kept = [{ ...localStorage }];
  for (const { name } of await indexedDB.databases()) {
    const database = await answerOf(indexedDB.open(name));
    const stores = [...database.objectStoreNames];
    kept.push(name, await Promise.all(stores.map((store) => answerOf(database.transaction(store).objectStore(store).getAll()))));
    database.close();
  }
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) kept.push(request.url, await (await cache.match(request)).text());
  }
  return JSON.stringify(kept);
};
// Returns the answers that the browser has cached.
const keptAnswers = async (paths) => {
  const answers = await Promise.all(paths.map(async (path) => (await fetch(`/${path}`, { cache: "force-cache" })).text()));
  return answers.join("\n");
};

// Answers whether this device keeps the log. The question is hidden on a device that was asked before.
async function choose(page, keeps) {
  await waitFor(page, () => window.app?.session);
  await page.evaluate((id) => document.getElementById(id).click(), keeps ? "keep" : "keep-not");
  if (keeps) await becomes(page, isInStep, "the app downloads the whole log");
}

class Evening {
  constructor(context, number) {
    Object.assign(this, { context, number, random: randomOf(SEED + number) });
    [this.me, this.other] = number % 2 ? [people[1], people[0]] : people;
    this.marks = [this.me.callsign, this.me.locator];
    this.pages = [];
    this.keeps = this.chance(0.6); // whether this device keeps the member's log
  }
  chance(share) {
    return this.random() < share;
  }
  mark(begin) {
    const mark = begin + String(this.number).padStart(3, "0") + String(this.marks.length).padStart(3, "0");
    this.marks.push(mark);
    return mark;
  }
  async open(path) {
    const page = await this.context.newPage();
    await page.goto(`${origin}/${path}`);
    this.pages.push(page);
    return page;
  }
  async openApp(hash = "") {
    const page = await this.open(`app/${hash}`);
    await waitFor(page, () => window.app && document.querySelector("main section:not([hidden])") !== null);
    if (!this.hasChosen) {
      this.hasChosen = true;
      await choose(page, this.keeps);
      if (this.keeps) is(await page.evaluate(() => window.app.storage.count()), this.me.stored, `the log is complete, without QSOs of the other member`);
    }
    return page;
  }
  async log() {
    const page = await this.openApp();
    this.isCut ||= this.keeps && this.chance(0.3); // stays open for the rest of the evening
    if (this.isCut) await this.context.route("**/logs/batch", (route) => route.abort());
    await page.fill("#callsignWorked", this.mark("14AT"));
    await page.fill("#notes", this.mark("note "));
    await page.press("#notes", "Enter");
    await waitFor(page, () => document.getElementById("callsignWorked").value === "");
    if (!this.keeps) this.me.stored++;
    else if (!this.isCut) {
      await waitFor(page, isInStep);
      this.me.stored = await page.evaluate(() => window.app.storage.count());
    }
  }
  async leaveDraft() {
    const page = await this.openApp();
    await page.fill("#callsignWorked", this.mark("19D"));
    await page.fill("#notes", this.mark("half "));
  }
  async leavePaper() {
    const page = await this.openApp("#lines");
    await page.fill("#typed", `1930 ${this.mark("26AT")} 57`);
  }
  async leaveActivation() {
    const page = await this.openApp("#outing");
    await page.locator("#outing-form >> visible=true").or(page.locator("#outing-shown >> visible=true")).waitFor();
    if (!await page.locator("#outing-form").isVisible()) return;
    await page.fill("#outing-station", this.mark("13HN"));
    await page.click("#outing-form button");
  }
  async leaveFrequencies() {
    const page = await this.openApp("#settings");
    await page.fill("#frequencies", `26.${String(this.number).padStart(2, "0")}5`);
    this.marks.push(await page.inputValue("#frequencies"));
    await page.click("#settings-form button");
  }
  async search() {
    await this.openApp(`#list=${this.mark("1AT")}`);
  }
  async readLog() {
    const page = await this.open("profile/#log");
    await page.fill("#search-text", this.mark("sought "));
    await page.press("#search-text", "Enter");
  }
  async watchSpots() {
    const page = await this.open("cluster/");
    await openChip(page, "Callsign");
    await page.fill("#callsign", this.mark("30"));
    await page.press("#callsign", "Enter");
    await openChip(page, "My locator");
    await page.fill("#locator", this.me.locator);
    await waitFor(page, () => location.search !== "");
  }

  traces(text, place) {
    return this.marks.filter((mark) => text.toUpperCase().includes(mark.toUpperCase())).map((mark) => `${mark} ${place}`);
  }
  async look(pages) {
    const found = [];
    for (const page of pages.filter((one) => one.url().startsWith(origin))) found.push(...this.traces(await page.evaluate(heldByPage), `on ${page.url()}`));
    return found;
  }
  async leave(page, hasLog) {
    await signOut(page);
    if (hasLog) await page.click("dialog >> text=Remove it and sign out");
    await waitFor(page, () => document.getElementById("account")?.innerText === "Sign in");
    await page.waitForLoadState();
  }
  async run() {
    await signIn(this.context, this.me);
    const acts = ["log", "log", "leaveDraft", "leavePaper", "leaveActivation", "leaveFrequencies", "search", "readLog", "watchSpots"];
    for (const act of acts.sort(() => this.random() - 0.5).slice(0, 3 + Math.floor(this.random() * 5))) await this[act]();
    const page = await this.open(["", "profile/", "cluster/"][Math.floor(this.random() * 3)]);
    await waitFor(page, (callsign) => document.querySelector("#account summary")?.innerText.includes(callsign), this.me.callsign);
    await this.leave(page, this.keeps && this.pages.some((one) => one.url().includes("/app/")));
    await this.context.unroute("**/logs/batch");

    let found = ["?"];
    await waitUntil(async () => !(found = await this.look(this.pages)).length, 20000).catch(() => {});
    is(found, [], `evening ${this.number}: no open page has any data of ${this.me.callsign}`);
    is(this.traces(await page.evaluate(keptByBrowser), "kept"), [], "storage, databases and caches have no data of the member");
    is(this.traces(JSON.stringify(await this.context.cookies()), "in a cookie"), [], "cookies have no data of the member");

    await signIn(this.context, this.other);
    is(this.traces(await page.evaluate(keptAnswers, DATA), "in an answer"), [], "cached answers have no data of the member");
    for (const one of this.pages) await one.goBack({ timeout: 5000 }).catch(() => {});
    found = await this.look(this.pages);
    const next = await this.context.newPage();
    for (const path of ["", "cluster/", "profile/#log", "profile/#history", "app/", "app/#logbook", "app/#lines", "app/#outing", "app/#settings"]) {
      await next.goto(`${origin}/${path}`);
      await next.waitForLoadState("networkidle");
      if (path === "app/") await choose(next, !this.keeps);
      found.push(...await this.look([next]));
    }
    is(found, [], `${this.other.callsign} sees no data of the member, even after going back`);
    await next.goto(`${origin}/`);
    await this.leave(next, !this.keeps);
    for (const one of [...this.pages, next]) await one.goto("about:blank");
  }
}

await withBrowser(async (context) => {
  for (const one of people) one.stored = 1;
  for (let number = 0; number < ROUNDS; number++) await new Evening(context, number).run();
  ok(true, `${ROUNDS} evenings from seed ${SEED}`);
}, { allowed: [/ERR_FAILED/, /401/] });
