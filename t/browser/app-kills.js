// Logs as a member, offline and only by keyboard, while the browser is killed repeatedly. The test has two parts, "log"
// and "send", and restarts the service between them. QSOSYNC_TEST_ROUNDS: number of QSOs, with one kill per ten QSOs.
// QSOSYNC_TEST_SEED: seed for the moments of the kills.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { CHROMIUM, becomes, is, ok, sleep, waitFor } from "./browser.js";
import { RETURN_MS, download, isInStep } from "./device.js";
import { Line, randomOf } from "./line.js";

const { QSOSYNC_FOLDER, QSOSYNC_KEY, QSOSYNC_LINE_PORT, QSOSYNC_PART } = process.env;
const QSOS = Number(process.env.QSOSYNC_TEST_ROUNDS || 30);
const BEFORE = 5; // QSOs that are sent before the network fails; the backup contains some of these QSOs
const random = randomOf(Number(process.env.QSOSYNC_TEST_SEED || 1));
const profile = join(QSOSYNC_FOLDER, "browser");
const line = new Line();
line.port = Number(QSOSYNC_LINE_PORT);
await line.start();

class Browser {
  async start() {
    const portFile = join(profile, "DevToolsActivePort");
    rmSync(portFile, { force: true });
    rmSync(join(profile, "SingletonLock"), { force: true });
    this.process = spawn(CHROMIUM.executablePath, [...CHROMIUM.args, "--headless", "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"],
      { detached: true, stdio: "ignore" });
    this.ended = new Promise((resolve) => this.process.on("exit", resolve));
    let port = ""; // the file exists before its first line is written
    for (let wait = 0; !port && wait < 600; wait++) {
      await sleep(50);
      if (existsSync(portFile)) [port] = readFileSync(portFile, "utf8").split("\n");
    }
    this.driver = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    [this.context] = this.driver.contexts();
    this.context.setDefaultTimeout(60000);
    this.page = await this.context.newPage();
  }
  async open(hash = "") {
    await this.page.goto(`${line.address}/app/${hash}`);
    if (hash) await this.page.locator("#whose .main").click();
    await waitFor(this.page, () => window.app && document.activeElement?.id === "callsignWorked");
  }
  // Kills all processes of the browser at once, as a power failure does.
  async kill() {
    process.kill(-this.process.pid, "SIGKILL");
    await this.ended;
    await this.driver.close().catch(() => {});
  }
}
const callOf = (number) => `13SD${String(number).padStart(3, "0")}`;
const read = (page, store) => page.evaluate((name) => window.app.storage.change((records) => records.after(name, "", Infinity)), store);
const isSaid = (call) => document.getElementById("said").textContent.includes(call);

// Types callsign, reports, locator and notes in sequence, and presses Enter.
async function type({ keyboard }, call) {
  await keyboard.type(call);
  for (const text of ["57", "55", "JO59jw", `of ${call}`]) {
    await keyboard.press("Tab");
    await keyboard.type(text);
  }
  await keyboard.press("Enter");
}

async function log() {
  let browser = new Browser();
  await browser.start();
  await browser.open(`#key=${QSOSYNC_KEY}`);
  await waitFor(browser.page, () => navigator.serviceWorker.controller !== null);
  let number = 1;
  for (; number <= BEFORE; number++) {
    await type(browser.page, callOf(number));
    await waitFor(browser.page, isSaid, callOf(number));
  }
  await becomes(browser.page, isInStep, "QSOs that are logged online are sent");
  await line.stop();
  const said = [];
  let kills = 0;
  let typedAgain = 0;
  for (; number <= QSOS; number++) {
    const call = callOf(number);
    if (number % 10 === 0) {
      const typed = type(browser.page, call).catch(() => {});
      if (random() < 0.5) await Promise.race([typed, sleep(random() * 200)]);
      else await typed.then(() => sleep(random() * 40));
      await browser.kill();
      kills++;
      browser = new Browser();
      await browser.start();
      await browser.open();
      const there = [...await read(browser.page, "outbox"), ...await read(browser.page, "qsos")].map(({ qso }) => qso.callsignWorked);
      const lost = said.filter((one) => !there.includes(one));
      if (lost.length) ok(false, "every QSO that was reported as saved exists after a kill", lost);
      const draft = await browser.page.locator("#callsignWorked").inputValue();
      if (draft && there.includes(draft)) ok(false, "a saved QSO is not offered again as a draft", draft);
      if (there.includes(call)) continue;
      // The member clears the rest of the line, and types the whole line again.
      typedAgain++;
      for (const id of ["notes", "dxLocator", "rstReceived", "rstSent", "callsignWorked"]) {
        await browser.page.locator(`#${id}`).focus();
        await browser.page.keyboard.press("Control+A");
        await browser.page.keyboard.press("Delete");
      }
    }
    await type(browser.page, call);
    await waitFor(browser.page, isSaid, call);
    said.push(call);
  }
  const waiting = (await read(browser.page, "outbox")).map(({ qso }) => qso.callsignWorked).sort();
  is(waiting, Array.from({ length: QSOS - BEFORE }, (_, place) => callOf(place + BEFORE + 1)), "offline, every QSO waits once, although the browser was killed");
  ok(/Offline/.test(await browser.page.locator("#state").innerText()), "the app shows that it is offline");
  await browser.kill();
  process.stdout.write(`# ${QSOS} QSOs, ${kills + 1} kills, ${typedAgain} lines were not saved yet and typed again\n`);
}

async function send() {
  const browser = new Browser();
  await browser.start();
  let lost = 0;
  // The first batch is stored, but its answer is lost.
  line.fate = ({ method }) => (method === "POST" && lost++ === 0 ? "cut" : "pass");
  await browser.open();
  await becomes(browser.page, isInStep, "the app sends every QSO when the network is back", undefined, RETURN_MS);
  ok(lost > 0, "the line loses the answer to the first batch");
  const stored = (await download(QSOSYNC_KEY)).map(({ callsignWorked, rstSent, dxLocator, notes }) => [callsignWorked, rstSent, dxLocator, notes]).sort();
  is(stored, Array.from({ length: QSOS }, (_, place) => callOf(place + 1)).map((call) => [call, "57", "JO59jw", `of ${call}`]), `the service has ${QSOS} QSOs, each once and as typed`);
  is((await read(browser.page, "qsos")).length, QSOS, "the device has all QSOs");
  await browser.kill();
}

await (QSOSYNC_PART === "log" ? log : send)();
await line.stop().catch(() => {});
