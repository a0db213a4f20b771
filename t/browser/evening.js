// Plays evenings of random faults in a real browser. One or two devices log, change and delete over a line that is cut
// or slow, and limits or refuses requests. Storage is full, tabs are killed or opened twice, and clocks are wrong. The
// key is revoked, another program writes, and the log is restored from a backup. At the end, the devices must have the
// same QSOs as the service, including every QSO that was reported as saved. If run as a program, this file plays a
// member's evenings; station-evenings.js plays a station's evenings.
import { join } from "node:path";
import { is, logIt, ok, sleep, waitFor } from "./browser.js";
import { Device, admin, download, launch, newKey, revoke } from "./device.js";
import { Line, randomOf } from "./line.js";

const isConflict = (key) => window.app.outbox.get(key)?.state === "conflict";

const SEED = Number(process.env.QSOSYNC_TEST_SEED || 1);
const { QSOSYNC_CLIENTS, QSOSYNC_FOLDER, QSOSYNC_ORIGIN } = process.env;
const { isSame, normalise } = await import(join(QSOSYNC_CLIENTS, "qsosync-fields.js"));
const FATES = ["early", "lost", "lost", "cut", "cut", "half", "limited", "failed", "refused"];
const sums = {};
export const count = (name, n = 1) => { sums[name] = (sums[name] ?? 0) + n; };
const trace = process.env.QSOSYNC_TEST_TALKS ? (...words) => process.stdout.write(`# ${words.join(" ")}\n`) : () => {};

// Returns whether the sheet shows both versions of the notes in a conflict.
function showsBoth(key) {
  const { kind, qso, theirs } = window.app?.outbox?.get(key) ?? {};
  const text = document.querySelector(".sheet .versus")?.innerText;
  if (!qso || text === undefined) return false;
  return kind !== "save" || !theirs || (qso.notes ?? null) === theirs.notes || [qso, theirs].every(({ notes }) => text.includes(notes ?? "–"));
}

export class Evening {
  constructor(browser, number, callsign = `21SD${1000 + number}`) {
    this.random = randomOf(SEED + number);
    this.number = number;
    this.callsign = callsign;
    this.written = new Map();
    this.conflicts = 0;
    this.isRestored = false;
    this.isShared = false; // whether another device or program also wrote
    this.trouble = this.random() * 0.4;
    this.isWild = true;
    this.calls = 0;
    this.keys = 0;
    this.backups = [];
    this.devices = this.makeDevices(browser);
    this.lines = [...new Set(this.devices.map(({ line }) => line))];
    for (const line of this.lines) line.fate = () => (this.isWild && this.chance(this.trouble) ? this.note(this.pick(FATES)) : "pass");
    this.isShared = this.devices.length > 1;
  }
  makeDevices(browser) {
    const line = new Line();
    return Array.from({ length: this.chance(0.5) ? 1 : 2 }, (_, place) => new Device(browser, line, this.describe(place)));
  }
  describe(place) {
    return { name: `device ${place}`, skew: this.chance(0.3) ? Math.round((this.random() - 0.5) * 7200000) : 0 };
  }
  chance(share) {
    return this.random() < share;
  }
  pick(list) {
    return list[Math.floor(this.random() * list.length)];
  }
  note(what) {
    count(what);
    trace(what);
    return what;
  }
  wrote(clientId, by, qso) {
    const known = this.written.get(clientId) ?? { states: [], by: new Set(), last: null };
    if (qso) known.states.push(normalise(qso));
    else known.isDeleted = true;
    known.by.add(by);
    known.last = qso && normalise(qso);
    trace(by, qso ? "writes" : "deletes", clientId, qso?.notes);
    this.written.set(clientId, known);
    return known;
  }

  async start() {
    await this.addMembers();
    this.key = newKey(this.callsign, "other program");
    for (const line of this.lines) await line.start();
    const { trouble } = this;
    this.trouble = 0;
    for (const device of this.devices) await device.start(await this.newKey(device));
    this.trouble = trouble;
  }
  addMembers() {
    admin("member", "add", this.callsign, "--locator", "JO59jw");
  }

  newKey(device) {
    device.keyName = `${device.name}, key ${++this.keys}`;
    return newKey(this.callsign, device.keyName);
  }

  // Types a QSO, and records whether the app reported it as saved. A killed tab reports nothing, so the QSO is either
  // saved or not saved; both are correct.
  async type(device, { isKilled = false } = {}) {
    const { page } = device;
    const call = `26AT${String(++this.calls).padStart(4, "0")}`;
    const isKnown = async () => (await device.read("outbox")).concat(await device.read("qsos")).find(({ qso }) => qso.callsignWorked === call);
    await page.locator("#callsignWorked").fill(call);
    await logIt(page);
    if (isKilled) {
      await sleep(this.random() * 30);
      await device.kill();
    } else {
      await waitFor(page, (one) => document.getElementById("said").textContent.includes(one)
        || [...document.querySelectorAll("#notices .bad")].some((note) => /was not saved/.test(note.textContent)), call);
      if (!(await page.locator("#said").innerText()).includes(call)) {
        count("not kept");
        if (await page.locator("#callsignWorked").inputValue() !== call) ok(false, "a QSO that the device could not save stays in the form");
        await page.locator("#callsignWorked").fill("");
        await page.evaluate(() => [...document.querySelectorAll("#notices .bad")]
          .filter((note) => /was not saved/.test(note.textContent)).forEach((note) => note.querySelector("button").click()));
        if (await isKnown()) ok(false, "a QSO that was reported as not saved is not stored");
        return;
      }
    }
    const found = await isKnown();
    if (found) this.wrote(found.key, device.name, found.qso);
    else if (!isKilled) ok(false, `evening ${this.number}: a QSO that was reported as saved is stored`, call);
  }
  async pickKnown(device) {
    const waiting = await device.read("outbox");
    const copies = await device.read("qsos");
    const known = new Map([...copies, ...waiting].map(({ key, qso }) => [key, qso]));
    return known.size ? this.pick([...known]) : null;
  }
  async change(device) {
    const known = await this.pickKnown(device);
    if (!known) return;
    const [clientId, qso] = known;
    const values = { ...normalise(qso), clientId, notes: `note ${Math.floor(this.random() * 1000)}` };
    const state = this.wrote(clientId, device.name, values);
    const isKept = await device.page.evaluate((wanted) => window.app.log.save(wanted).then(() => window.app.written()).then(() => true, () => false), values);
    if (!isKept) state.isUnsure = true;
  }
  async delete(device) {
    const known = await this.pickKnown(device);
    if (!known) return;
    const state = this.wrote(known[0], device.name, null);
    const isKept = await device.page.evaluate((key) => window.app.log.delete(key).then(() => window.app.written()).then(() => true, () => false), known[0]);
    if (!isKept) state.isUnsure = true;
  }
  // Simulates another of the member's programs.
  async otherWrites() {
    const stored = await download(this.key);
    if (!stored.length) return;
    this.isShared = true;
    const qso = this.pick(stored);
    const headers = { Authorization: `Bearer ${this.key}`, "Content-Type": "application/json" };
    if (this.chance(0.3)) {
      this.wrote(qso.clientId, "other", null);
      await fetch(`${QSOSYNC_ORIGIN}/api/v1/logs/${qso.clientId}`, { method: "DELETE", headers });
    } else {
      const values = { ...normalise(qso), clientId: qso.clientId, notes: `other ${Math.floor(this.random() * 1000)}` };
      this.wrote(qso.clientId, "other", values);
      await fetch(`${QSOSYNC_ORIGIN}/api/v1/logs/batch`, { method: "POST", headers, body: JSON.stringify({ entries: [values] }) });
    }
  }
  async cutOrRestore({ line }) {
    if (line.isOnline) await line.stop();
    else await line.start();
    count("cut or restored");
  }
  // Revokes the device's key. The app must report the revocation, keep all QSOs, and continue with a new key.
  async loseKey(device, lose = () => revoke(this.callsign, device.keyName)) {
    // A pass that has begun can still send waiting QSOs before the key is revoked.
    await waitFor(device.page, () => !window.app.synchroniser.isRunning);
    const waiting = (await device.read("outbox")).length;
    lose();
    if (!device.line.isOnline) await this.cutOrRestore(device);
    const { trouble } = this;
    this.trouble = 0;
    const outcome = await device.pass();
    if (outcome !== "no key" && outcome !== "busy") ok(false, "a pass with a revoked key reports the revocation", outcome);
    if (outcome === "no key" && !await device.page.locator("#key-trouble").count()) ok(false, "the page shows that the key was revoked");
    if ((await device.read("outbox")).length < waiting) ok(false, "unsent QSOs stay on the device when the key is revoked");
    this.trouble = trouble;
    await this.renewKey(device);
  }
  async disturb(device) {
    const what = this.pick(["online", "online", "slow", "full", "kill", "kill", "reload", "tab", "key", "other", "other", "backup", "restore"]);
    count(what);
    trace(what);
    if (what === "online") await this.cutOrRestore(device);
    if (what === "slow") device.line.kbits = device.line.kbits === Infinity ? 20 : Infinity;
    if (what === "full") {
      await device.setFull(true);
      await this.type(device);
      await device.pass();
      await this.change(device);
      await device.setFull(false);
    }
    if (what === "kill") await device.kill();
    if (what === "reload") await device.page.reload().then(() => waitFor(device.page, () => window.app && !document.getElementById("log").hidden));
    if (what === "tab") {
      device.second ??= await device.open();
      await Promise.all([device.pass().catch(() => {}), device.pass(device.second).catch(() => {})]);
    }
    if (what === "key") await this.loseKey(device);
    if (what === "other") await this.otherWrites();
    if (what === "backup" || (what === "restore" && !this.backups.length)) {
      this.backups.push(join(QSOSYNC_FOLDER, `evening-${this.number}-${this.backups.length}.db`));
      admin("backup", this.backups.at(-1));
    } else if (what === "restore") {
      this.isRestored = true;
      admin("restore", this.pick(this.backups));
      // A restored backup lacks newer keys, and older keys can be valid again.
      for (const one of this.devices) await this.renewKey(one);
      this.key = newKey(this.callsign, `other program ${++this.keys}`);
    }
  }
  async renewKey(device) {
    if (!device.line.isOnline) await this.cutOrRestore(device);
    const { trouble } = this;
    this.trouble = 0;
    await device.page.goto(`${device.line.address}/app/#key=${await this.newKey(device)}`);
    await waitFor(device.page, () => !location.hash.includes("key") && !document.getElementById("log").hidden);
    this.trouble = trouble;
  }

  async run() {
    await this.start();
    for (let step = 12 + Math.floor(this.random() * 12); step > 0; step--) {
      const device = this.pick(this.devices);
      const dice = this.random();
      trace(this.number, step, device.name, dice.toFixed(3));
      if (dice < 0.4) await this.type(device, { isKilled: this.chance(0.1) });
      else if (dice < 0.5) await this.change(device);
      else if (dice < 0.55) await this.delete(device);
      else if (dice < 0.75) await Promise.race([device.pass(), sleep(this.random() * 3000)]);
      else await this.disturb(device);
    }
    await this.end();
  }

  // Shows both sides of each conflict, and chooses a side at random.
  async decide(device) {
    const waiting = (await device.read("outbox")).filter(({ state }) => state === "conflict");
    if (!waiting.length) return;
    await device.page.goto(`${device.line.address}/app/#logbook`);
    for (const { key } of waiting) {
      this.conflicts++;
      count("conflicts");
      const known = this.written.get(key);
      if (known) known.isDecided = true;
      const sheet = device.page.locator(".sheet:has(.versus)");
      await device.page.locator(`#qsos [data-id="${key}"] .q`).click();
      await sheet.waitFor();
      // A pass can change one side meanwhile.
      await waitFor(device.page, showsBoth, key).catch(async () => ok(false, "the app shows both sides of a conflict", await sheet.innerText()));
      // If another device changes the QSO again, the app asks again.
      for (let tries = 0; tries < 5 && await device.page.evaluate(isConflict, key); tries++) {
        if (!await sheet.isVisible()) await device.page.locator(`#qsos [data-id="${key}"] .q`).click();
        await sheet.locator(".sheet-foot button").nth(this.chance(0.5) ? 0 : 1).click();
        await waitFor(device.page, (one) => window.app.outbox.get(one)?.state !== "conflict", key, 15000).catch(() => {});
      }
    }
    await device.page.goto(`${device.line.address}/app/#log`);
  }
  async end() {
    this.isWild = false;
    for (const line of this.lines) {
      line.kbits = Infinity;
      if (!line.isOnline) await line.start();
    }
    let outcomes = [];
    for (let round = 0; round < 8; round++)
      for (const device of this.devices) {
        await this.decide(device);
        outcomes[this.devices.indexOf(device)] = await device.pass();
        if (outcomes.includes("busy")) round--;
        outcomes = outcomes.map((outcome) => (outcome === "busy" ? "" : outcome));
      }
    await this.judge(outcomes);
    for (const device of this.devices) await device.close();
    for (const line of this.lines) await line.stop();
  }
  async judge(outcomes) {
    const problems = outcomes.filter((outcome) => outcome !== "done");
    if (!this.isShared && !this.isRestored && this.conflicts) problems.push(`${this.conflicts} conflicts on a device that is the only writer`);
    const sorted = (qsos) => JSON.stringify([...qsos].sort((a, b) => (a.clientId < b.clientId ? -1 : 1)).map((qso) => Object.entries(qso).sort()));
    const stored = await download(this.key);
    for (const device of this.devices) {
      const waiting = await device.read("outbox");
      if (waiting.length) problems.push(`${device.name}: ${JSON.stringify(waiting)} still waits`);
      const copies = (await device.read("qsos")).map(({ qso }) => qso);
      if (sorted(copies) !== sorted(stored)) problems.push(`${device.name} has ${sorted(copies)}, the service ${sorted(stored)}`);
      if (Math.abs(device.skew) > 30000 && !/clock is off/.test(await device.say())) problems.push("a wrong clock is not reported");
    }
    const byId = new Map(stored.map((qso) => [qso.clientId, qso]));
    for (const [clientId, { states, by, last, ...fate }] of this.written) {
      const qso = byId.get(clientId);
      const isSure = !fate.isDeleted && !fate.isUnsure && !fate.isDecided;
      if (!qso && isSure) problems.push(`${clientId} is gone: ${JSON.stringify(states)}`);
      if (qso && !states.some((state) => isSame(state, normalise(qso)))) problems.push(`${clientId} has values that nobody wrote`);
      if (qso && isSure && by.size < 2 && !isSame(last, normalise(qso))) problems.push(`${clientId} does not have its last values`);
    }
    const calls = stored.map((qso) => qso.callsignWorked);
    if (new Set(calls).size !== calls.length) problems.push(`QSOs are stored twice: ${calls}`);
    count("QSOs", stored.length);
    is(problems, [], `evening of seed ${SEED + this.number}: devices and service have the same QSOs, and none is lost`);
  }
}

// Plays QSOSYNC_TEST_ROUNDS evenings. QSOSYNC_TEST_SEED is the seed of the first evening.
export async function play(rounds, make) {
  const browser = await launch();
  try {
    for (let number = 0; number < rounds; number++) await make(browser, number).run();
  } finally {
    await browser.close();
  }
  process.stdout.write(`# ${rounds} evenings from seed ${SEED}: ${JSON.stringify(sums)}\n`);
}

if (process.argv[1].endsWith("/evening.js")) await play(Number(process.env.QSOSYNC_TEST_ROUNDS || 2), (browser, number) => new Evening(browser, number));
