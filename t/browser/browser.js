// What the browser tests share: Debian's Chromium, rules that print a line of TAP each, and a look at a page in every
// width and scheme. The service and its keys come in the environment (QSOsync::Browser).
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
// What a camera would read from a QR code on the page; null where it reads nothing.
export async function readQrCode(context, locator) {
  const picture = (await locator.screenshot()).toString("base64");
  const page = await context.newPage(); // the service's own pages decode no such picture
  const { pixels, width, height } = await page.evaluate(async (base64) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]));
    const drawn = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    drawn.drawImage(bitmap, 0, 0);
    const { data } = drawn.getImageData(0, 0, bitmap.width, bitmap.height);
    // A text: a list of so many numbers costs a second on its way.
    return { pixels: Array.from(data, (value) => String.fromCharCode(value)).join(""), width: bitmap.width, height: bitmap.height };
  }, picture);
  return jsQR(Uint8ClampedArray.from(Buffer.from(pixels, "latin1")), width, height)?.data ?? null;
}

const PATIENCE = 60000; // ms; a browser on a loaded machine is slow
const END = Symbol("end");
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Asks until the answer is yes. A question that fails came too early: the page has not begun, or another one takes its
// place.
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
// The same of a question about a page.
export function waitFor(page, question, value, timeout = PATIENCE) {
  return waitUntil(() => page.evaluate(question, value), timeout);
}
// The same, as a rule of the test.
export async function becomes(page, question, rule, value, timeout = PATIENCE) {
  try {
    await waitFor(page, question, value, timeout);
    ok(true, rule);
  } catch (error) {
    ok(false, rule, error.message, await page.evaluate(() => document.body.innerText).catch(String));
  }
}

// Until the page has drawn itself twice: what it does once a frame is done then.
export const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

let running = null; // the folder of the browser's profile, which stands in the command line of its first process

// CPU time of the browser and of all that it has started.
export async function cpuSeconds() {
  const parents = new Map();
  const times = new Map();
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${id}/stat`, "utf8").replace(/^.*\) /s, "").split(" ");
      parents.set(id, readFileSync(`/proc/${id}/cmdline`, "utf8").includes(running) ? "browser" : fields[1]);
      times.set(id, (Number(fields[11]) + Number(fields[12])) / 100);
    } catch { /* it has ended */ }
  }
  const isOurs = (id) => (id === "browser" ? true : parents.has(id) && isOurs(parents.get(id)));
  return [...times].reduce((sum, [id, time]) => sum + (isOurs(id) ? time : 0), 0);
}

// Signs in by the form, as a browser sends it.
export async function signIn(context, { callsign, password }) {
  const answer = await context.request.post(`${origin}/sign-in`, { form: { callsign, password }, headers: { Origin: origin }, maxRedirects: 0 });
  if (answer.status() !== 303) ok(false, "the member signs in", answer.status(), await answer.text());
}
// Opens the app by a link with a key, on a device without a log, and says that this log is wanted.
export async function signOut(page) {
  await page.click(".menu summary");
  await page.click("#account button");
}
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
  ok(false, `the key Tab comes to ${selector}`, await page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.id}`));
}

// QSOSYNC_TEST_CPU: how many times slower the processor of the pages is, which shows what a test does not wait for.
export function slowDown(context) {
  const rate = Number(process.env.QSOSYNC_TEST_CPU || 1);
  if (rate > 1) context.on("page", async (page) => {
    const session = await context.newCDPSession(page).catch(() => null);
    await session?.send("Emulation.setCPUThrottlingRate", { rate }).catch(() => {});
  });
}
// Whether the page asks before it is left for another one; the answer is no.
export async function asksBeforeLeaving(page) {
  const asked = page.waitForEvent("dialog").then(async (dialog) => { // the page waits for the answer
    await dialog.dismiss();
    return dialog.type() === "beforeunload";
  }, () => false);
  await page.evaluate(() => { location.href = "../"; }).catch(() => {}); // which ends where the page is left
  return asked;
}

// What an operator folds stays open, as he may choose, so that tests can fill each field; app-form.js folds it again.
export const openFolds = () => {
  if (!location.pathname.endsWith("/app/")) return;
  try {
    for (const name of ["tuning", "when"]) if (!localStorage.getItem(`qsosync-${name}`)) localStorage.setItem(`qsosync-${name}`, "open");
  } catch { /* a page without storage */ }
};

// Chromium without windows: a page costs it a third of what it costs one that draws a window around it.
export const CHROMIUM = { executablePath: process.env.QSOSYNC_CHROMIUM || "/usr/bin/chromium-headless-shell", headless: true,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"] };

// A context of a Chromium that keeps nothing on a disk, or of one with a profile; and what ends it.
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

// A browser for the length of run(context). Pages stay open until its end: sometimes Chromium opens no other page, and
// says nothing, right after one was closed.
// What the console may say is `allowed`; a member is signed in. `isOwn`: with a profile on the disk, as a person's;
// `device`: what else Chromium is, such as a phone.
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
    is(complaints.filter((complaint) => !allowed.some((pattern) => pattern.test(complaint))), [], "the console of the browser is silent: no error, nothing that the policy refused");
  } finally {
    await end();
  }
}

// A page of another origin, for the length of run(page, its address).
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

// The text of a file that the page has given.
export async function contentOf(download) {
  const pieces = [];
  for await (const piece of await download.createReadStream()) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

// Of a page, of a part of it, or of the dialog that is open: what is behind a dialog is looked at without it.
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

// 640 CSS pixels are 1280 at 200 % zoom.
export async function fits(page, name) {
  for (const width of [320, 640, 2560]) {
    await page.setViewportSize({ width, height: 844 });
    is(await page.evaluate(isTooWide), null, `${name} is not wider than ${width} pixels`);
  }
  await page.setViewportSize({ width: 1280, height: 844 });
}

const HIGHEST = 2600; // of a screenshot: the long pages are alike below

// What a program can see of a page: nothing is wider than it, axe finds nothing in either width and in either scheme.
// QSOSYNC_SCREENSHOTS: the folder of screenshots for a person.
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
}

const MOST_BYTES = 61440; // of the first load of a page
const SLOW = { offline: false, latency: 150, downloadThroughput: 200000, uploadThroughput: 94000 }; // bytes a second, as 3G has

// What a page loads from the service until it is quiet, over a slow network and with an empty cache; how long that
// took is told, and not judged.
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

// The API, as a program of the member would use it.
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
// Waits until the log on the service answers a question so.
export async function isStored(question, expected, rule) {
  let got;
  await waitUntil(async () => {
    got = question(await download());
    return JSON.stringify(got) === JSON.stringify(expected);
  }).catch(() => {});
  is(got, expected, rule);
}
// Texts that would change a page that took them for markup, or for instructions about direction.
export const HOSTILE = "<script>document.title='x'</script><img src=x onerror=alert(1)>\u202egnorw\u202c&amp;\"'";
