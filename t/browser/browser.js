// Contains functions that the browser tests share. They start Debian's Chromium, print one TAP line per check, and
// check the layout in several widths and in both colour schemes. Environment variables contain the service's address
// and keys (QSOsync::Browser).
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import jsqr from "jsqr";
import { chromium } from "playwright-core";

export const origin = process.env.QSOSYNC_ORIGIN;
const jsQR = jsqr.default || jsqr;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export function ok(isSo, rule, ...notes) {
  process.stdout.write(`${isSo ? "ok" : "not ok"} - ${rule}\n`);
  if (!isSo) for (const note of notes) process.stdout.write(`# ${String(note).replaceAll("\n", "\n# ")}\n`);
}
export function is(got, expected, rule) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(expected)];
  ok(a === b, rule, `     got: ${a}`, `expected: ${b}`);
}
// Reads a QR code on the page as a camera would. Returns null if the code cannot be read.
export async function readQrCode(context, locator) {
  const picture = (await locator.screenshot()).toString("base64");
  const page = await context.newPage(); // this blank page has neither the service's scripts nor its content policy
  const { pixels, width, height } = await page.evaluate(async (base64) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]));
    const drawn = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    drawn.drawImage(bitmap, 0, 0);
    const { data } = drawn.getImageData(0, 0, bitmap.width, bitmap.height);
    // The result is a string, because transferring such a long list of numbers takes a second.
    return { pixels: Array.from(data, (value) => String.fromCharCode(value)).join(""), width: bitmap.width, height: bitmap.height };
  }, picture);
  return jsQR(Uint8ClampedArray.from(Buffer.from(pixels, "latin1")), width, height)?.data ?? null;
}

const PATIENCE = 60000; // ms; a browser on a loaded machine is slow
const END = Symbol("end");
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Repeats a question until the answer is true. A question that throws an error came too early: the page is not loaded
// yet, or is being replaced by another page.
export async function waitUntil(ask, timeout = PATIENCE) {
  let timer;
  const end = new Promise((resolve) => { timer = setTimeout(resolve, timeout, END); });
  try {
    for (let last = "no answer"; ; await sleep(50)) {
      const got = await Promise.race([ask().catch((error) => error), end]);
      if (got && got !== END && !(got instanceof Error)) return;
      if (got === END) throw new Error(`not within ${timeout / 1000} s: ${last}`);
      last = got;
    }
  } finally {
    clearTimeout(timer);
  }
}
// Opens a section of the page, as a link does.
export const openSection = (page, name) => page.evaluate((hash) => { location.hash = hash; }, name);
// Creates a key or a token for a program in the profile, and returns the secret, which stays on the page.
export async function createKey(page, program, { name = null, scope = null, place = "#keys" } = {}) {
  // An empty list already shows the programs.
  const list = page.locator(`${place} .credentials`);
  await list.locator(".main >> visible=true").or(page.locator(`${place} .chip >> visible=true`)).first().waitFor();
  if (await list.locator(".main").isVisible()) await list.locator(".main").click();
  await page.locator(`${place} .chips`).getByRole("button", { name: program, exact: true }).click();
  if (await page.locator(`${place} form >> visible=true`).count()) {
    if (name !== null) await page.fill(`${place} input:not([type])`, name);
    if (scope !== null) await page.selectOption(`${place} select`, scope);
    await page.click(`${place} form .main`);
  }
  return page.innerText(`${place} .shown-secret`);
}
// Closes a secret that was shown. The page first asks the service whether the secret was used. If the secret was neither
// used nor copied, confirms the question.
export async function closeSecret(page, place = "#keys") {
  await page.click(`${place} .secret .main`);
  const question = page.locator("dialog .danger");
  await waitUntil(async () => await question.count() > 0 || await page.locator(`${place} .secret`).count() === 0);
  if (await question.count()) await question.click();
  await page.locator(`${place} .secret`).waitFor({ state: "detached" });
}
// Opens the menu at the foot of the sheet, and returns the button of one of its acts.
export async function fromMenu(page, name) {
  await page.locator(".sheet-foot").getByRole("button", { name: "More" }).click();
  return page.locator(".sheet-foot .popover").getByRole("button", { name, exact: true });
}
// Clicks twice before the page has done anything, as an impatient member does.
export const clickTwice = (button) => button.evaluate((node) => { node.click(); node.click(); });
// Repeats a question about a page until the answer is true.
export function waitFor(page, question, value, timeout = PATIENCE) {
  return waitUntil(() => page.evaluate(question, value), timeout);
}
// Repeats a question until the answer is true, and reports the result as a check.
export async function becomes(page, question, rule, value, timeout = PATIENCE) {
  try {
    await waitFor(page, question, value, timeout);
    ok(true, rule);
  } catch (error) {
    ok(false, rule, error.message, await page.evaluate(() => document.body.innerText).catch(String));
  }
}

// Opens a chip of a filter, and chooses the given value, if any.
export async function openChip(page, name, value = null, chips = "#chips") {
  await page.locator(chips).getByRole("button", { name, exact: false }).first().click();
  if (value !== null) await page.click(`.popover:not([hidden]) [data-value="${value}"]`);
}

// Waits until the page has rendered two frames, so that the page's work per frame is done.
export const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

let running = null; // the folder of the browser's profile, which is in the command line of the browser's first process

// Returns the CPU time of the browser and of all processes that it has started.
export async function cpuSeconds() {
  const parents = new Map();
  const times = new Map();
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${id}/stat`, "utf8").replace(/^.*\) /s, "").split(" ");
      parents.set(id, readFileSync(`/proc/${id}/cmdline`, "utf8").includes(running) ? "browser" : fields[1]);
      times.set(id, (Number(fields[11]) + Number(fields[12])) / 100);
    } catch { /* the process has already ended */ }
  }
  const isOurs = (id) => (id === "browser" ? true : parents.has(id) && isOurs(parents.get(id)));
  return [...times].reduce((sum, [id, time]) => sum + (isOurs(id) ? time : 0), 0);
}

// Signs in with the form's request, as a browser sends it.
export async function signIn(context, { callsign, password }) {
  const answer = await context.request.post(`${origin}/sign-in`, { form: { callsign, password }, headers: { Origin: origin }, maxRedirects: 0 });
  if (answer.status() !== 303) ok(false, "the member signs in", answer.status(), await answer.text());
}
export async function signOut(page) {
  await page.click(".menu summary");
  await page.click("#account form button");
}
// Opens the app with a key's link, on a device without a log, and accepts the log.
export async function openByLink(page, key, address = origin) {
  await page.goto(`${address}/app/#key=${key}`);
  await page.locator("#whose .main").click();
}
// Presses the key Tab until the element has the focus.
export async function tabTo(page, selector) {
  for (let count = 0; count < 80; count++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
  }
  ok(false, `the key Tab reaches ${selector}`, await page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.id}`));
}

// Slows the pages' processor by the factor in QSOSYNC_TEST_CPU, and each answer by the milliseconds in
// QSOSYNC_TEST_DELAY, which exposes missing waits in a test.
export function slowDown(context) {
  const rate = Number(process.env.QSOSYNC_TEST_CPU || 1);
  const latency = Number(process.env.QSOSYNC_TEST_DELAY || 0);
  if (rate > 1 || latency) context.on("page", async (page) => {
    try {
      const session = await context.newCDPSession(page);
      await session.send("Emulation.setCPUThrottlingRate", { rate });
      await session.send("Network.enable");
      await session.send("Network.emulateNetworkConditions", { offline: false, latency, downloadThroughput: -1, uploadThroughput: -1 });
    } catch { /* not Chromium, or the page has already closed */ }
  });
}
// Returns whether the page asks before somebody leaves it. The question is then answered with "no".
export async function asksBeforeLeaving(page) {
  const asked = page.waitForEvent("dialog").then(async (dialog) => { // the page waits for the answer
    await dialog.dismiss();
    return dialog.type() === "beforeunload";
  }, () => false);
  await page.evaluate(() => { location.href = "../"; }).catch(() => {}); // leaving the page ends this call
  return asked;
}

// Logs the QSO in the form with two presses of Enter, in the callsign and in the report.
export async function logIt(page) {
  await page.locator("#callsignWorked").press("Enter");
  await page.locator("#rstSent").press("Enter");
}

// Opens the group of the frequency in the form, so that tests can fill it. app-form.js folds the group again.
export const openFolds = () => {
  if (!location.pathname.endsWith("/app/")) return;
  try {
    if (!localStorage.getItem("qsosync-tuning")) localStorage.setItem("qsosync-tuning", "open");
  } catch { /* a page without storage */ }
};

// Chromium runs without windows, so that a page takes a third of the usual CPU time.
export const CHROMIUM = { executablePath: process.env.QSOSYNC_CHROMIUM || "/usr/bin/chromium-headless-shell", headless: true,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"] };

// Returns a context of a Chromium with or without a profile on the disk, and a function that closes the Chromium.
async function begin(isOwn, options) {
  if (!isOwn) {
    const browser = await chromium.launch(CHROMIUM);
    return [await browser.newContext(options), () => browser.close()];
  }
  const folder = mkdtempSync(join(tmpdir(), "qsosync-browser-"));
  running = folder;
  const context = await chromium.launchPersistentContext(folder, { ...CHROMIUM, ...options });
  return [context, async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  }];
}

// Runs run(context) with a browser. Pages stay open until the end, because Chromium sometimes silently fails to open a
// page right after another page was closed. `allowed` lists permitted console messages; `member` is signed in. `isOwn`
// uses a profile on the disk, as a person does; `device` gives Chromium other properties, such as a phone's.
export async function withBrowser(run, { member = null, allowed = [], script = true, locale = "en-GB", isOwn = false, device = {} } = {}) {
  const [context, end] = await begin(isOwn, { javaScriptEnabled: script, locale, reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"], ...device });
  context.setDefaultTimeout(PATIENCE);
  await context.addInitScript(openFolds);
  slowDown(context);
  const complaints = [];
  context.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`${message.text()} ${message.location().url}`);
  });
  context.on("weberror", (error) => complaints.push(String(error.error())));
  try {
    if (member) await signIn(context, member);
    await run(context);
    is(complaints.filter((complaint) => !allowed.some((pattern) => pattern.test(complaint))), [], "the browser's console has no errors and no violations of the policy");
  } finally {
    await end();
  }
}

// Runs run(page, the page's address) with a page from another origin.
export async function withOtherOrigin(context, body, run) {
  const server = createServer((request, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end(`<!DOCTYPE html>${body}`);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.2", resolve));
  const address = `http://127.0.0.2:${server.address().port}/`;
  try {
    const page = await context.newPage();
    await page.goto(address);
    await run(page, address);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

// Returns the content of a file that the page offered for download.
export async function contentOf(download) {
  const pieces = [];
  for await (const piece of await download.createReadStream()) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

// Checks the accessibility of a page, of a part of the page, or of the open dialog without the page behind the dialog.
export async function isAccessible(page, rule, part = null) {
  if (!await page.evaluate(() => "axe" in window)) await page.evaluate(axe);
  const { violations } = await page.evaluate((selector) => {
    const place = selector ?? (document.querySelector("dialog[open]") ? "dialog[open]" : document);
    return window.axe.run(place, { resultTypes: ["violations"] });
  }, part);
  ok(violations.length === 0, rule, ...violations.map((found) =>
    `${found.id}: ${found.help}: ${found.nodes.map((node) => `${node.target} ${node.failureSummary}`).join("; ")}`));
}

export const isTooWide = () => {
  const root = document.scrollingElement;
  if (root.scrollWidth <= root.clientWidth) return null;
  const wide = [...document.querySelectorAll("body *")].filter((node) => node.getBoundingClientRect().right > root.clientWidth + 1);
  return wide.slice(0, 5).map((node) => `${node.tagName}.${node.className}#${node.id}`).join(" ");
};

// Checks that nothing is wider than the page in three widths. 640 CSS pixels are 1280 pixels at 200 % zoom.
export async function fits(page, name) {
  for (const width of [320, 640, 2560]) {
    await page.setViewportSize({ width, height: 844 });
    is(await page.evaluate(isTooWide), null, `${name} is not wider than ${width} pixels`);
  }
  await page.setViewportSize({ width: 1280, height: 844 });
}

// Waits until the page draws after changes of its size, because a click waits for frames. In very few runs Chromium
// draws nothing more, without an error. Then the size is changed again.
async function drawsAgain(page, name) {
  const soon = () => new Promise((done) => { setTimeout(done, 10000, false).unref(); });
  const draws = () => Promise.race([drawn(page).then(() => true), soon()]);
  for (const width of [1281, 1280, 1281, 1280]) {
    if (await draws()) return;
    process.stdout.write(`# ${name}: the page has drawn nothing for 10 s\n`);
    await page.setViewportSize({ width, height: 844 });
  }
}

const HIGHEST = 2600; // for screenshots: long pages only repeat below this height

// Checks the layout of a page: nothing is wider than the page, and axe finds no fault on a narrow light page and on a
// wide dark page. QSOSYNC_SCREENSHOTS: a folder for screenshots.
export async function look(page, name) {
  const folder = process.env.QSOSYNC_SCREENSHOTS;
  if (folder) mkdirSync(folder, { recursive: true });
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      if (folder) await page.screenshot({ path: join(folder, `${name}-${width}-${scheme}.png`), fullPage: true,
        clip: { x: 0, y: 0, width, height: Math.min(HIGHEST, await page.evaluate(() => document.scrollingElement.scrollHeight)) } });
      if ((width === 390) === (scheme === "light")) await isAccessible(page, `${name} is accessible at ${width} pixels, ${scheme}`);
    }
  }
  await fits(page, name);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await drawsAgain(page, name);
}

const MOST_BYTES = 73728; // for the first load of a page
const SLOW = { offline: false, latency: 150, downloadThroughput: 200000, uploadThroughput: 94000 }; // bytes per second, like 3G

// Checks that a page loads at most this many bytes until the network is idle, over a slow network with an empty cache.
// The time is printed, not checked.
export async function weigh(context, path, most = MOST_BYTES) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  let bytes = 0;
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await session.send("Network.emulateNetworkConditions", SLOW);
  session.on("Network.loadingFinished", (event) => { bytes += event.encodedDataLength; });
  await page.goto(origin + path, { waitUntil: "networkidle" }).catch(() => page.waitForTimeout(1000));
  const [loaded, painted] = await page.evaluate(() => [performance.getEntriesByType("navigation")[0].loadEventEnd,
    performance.getEntriesByName("first-contentful-paint")[0]?.startTime].map(Math.round));
  ok(bytes > 0 && bytes <= most, `${path} is at most ${Math.floor(most / 1024)} KB`, bytes);
  process.stdout.write(`# ${path}: ${bytes} bytes; with 1.6 Mbit/s and 150 ms seen after ${painted} ms and loaded after ${loaded} ms\n`);
}

// Sends a request to the API, as a member's program does.
export async function api(method, path, body, key = process.env.QSOSYNC_WRITE_KEY) {
  return fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(body ? { "Content-Type": "application/json" } : {}) },
    body: body ? JSON.stringify(body) : undefined,
  });
}
export function qso(values = {}) {
  return { clientId: crypto.randomUUID(), band: "ELEVEN_METERS", qsoAt: new Date().toISOString(), frequencyMhz: "27.555",
    callsignWorked: "26AT101", operatorCallsign: "21SD333", mode: "USB", dxLocator: "IO91wm", myLocator: "JO59jw", ...values };
}
export async function save(...entries) {
  const answer = await (await api("POST", "/logs/batch", { entries })).json();
  const refused = answer.results.filter((result) => result.error);
  if (refused.length) ok(false, "the QSOs of this test are saved", JSON.stringify(refused));
}
export const download = async () => (await (await api("GET", "/logs?limit=500")).json()).items;
// Waits until the log on the service gives the expected answer to a question.
export async function isStored(question, expected, rule) {
  let got;
  await waitUntil(async () => {
    got = question(await download());
    return JSON.stringify(got) === JSON.stringify(expected);
  }).catch(() => {});
  is(got, expected, rule);
}
// A text that would change a page that interprets the text as markup or as a text direction.
export const HOSTILE = "<script>document.title='x'</script><img src=x onerror=alert(1)>\u202egnorw\u202c&amp;\"'";
