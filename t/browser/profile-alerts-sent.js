// Tests alerts from the page to their receivers: a member adds chat services and this browser, another member's spot
// causes an alert, and each receiver gets what it expects. A server in this script replaces all receivers.
import { execFile, execFileSync } from "node:child_process";
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { api, becomes, is, ok, origin, signIn, withBrowser } from "./browser.js";

const { QSOSYNC_ADMIN, QSOSYNC_CALLSIGN, QSOSYNC_DB, QSOSYNC_OTHER_KEY, QSOSYNC_PASSWORD } = process.env;
const HOSTS = ["ntfy.sh", "discord.com", "api.telegram.org", "gotify.example.org", "matrix.example.org", "push.example.org", "hook.example.org"];
const STATION = "19CT512/P";

const folder = mkdtempSync(join(tmpdir(), "qsosync-alerts-"));
const [key, cert] = ["key", "pem"].map((end) => join(folder, `receiver.${end}`));
execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=receiver",
  "-addext", `subjectAltName=${HOSTS.map((host) => `DNS:${host}`).join(",")}`, "-keyout", key, "-out", cert], { stdio: "ignore" });
/** @type {Map<string, any>} requests by host */
const received = new Map();
const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, async (request, response) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const [host] = request.headers.host.split(":");
  received.set(host, [...(received.get(host) ?? []), { method: request.method, path: request.url, headers: request.headers, body: Buffer.concat(pieces) }]);
  response.writeHead(host === "discord.com" ? 204 : host === "push.example.org" ? 201 : 200).end();
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const { port } = server.address();

// Sends what is due, and returns the number of requests that arrived. This script answers the
// command's requests, so it must not wait for the command's end.
function send() {
  received.clear();
  const env = { ...process.env, CURL_CA_BUNDLE: cert, QSOSYNC_ALERT_HOSTS: HOSTS.map((host) => `${host}:443:127.0.0.1:${port}`).join(",") };
  return new Promise((done) => execFile(QSOSYNC_ADMIN, ["--db", QSOSYNC_DB, "alerts", "send"], { env }, (error, _, errors) => {
    if (error) ok(false, "alerts are sent", errors);
    done([...received.values()].flat().length);
  }));
}
let spots = 0;
const spot = (callsignWorked, values = {}) => api("POST", "/logs/batch", { entries: [{ clientId: crypto.randomUUID(), callsignWorked, band: "ELEVEN_METERS",
  frequencyMhz: "27.555", mode: "USB", qsoAt: new Date(Date.UTC(2026, 0, 1) + ++spots * 60000).toISOString(), sendSpot: true, ...values }] }, QSOSYNC_OTHER_KEY);

// The browser's half of RFC 8291.
const browser = createECDH("prime256v1");
browser.generateKeys();
const secret = randomBytes(16);
function decrypt(body) {
  const [salt, point] = [body.subarray(0, 16), body.subarray(21, 86)];
  const derive = (material, from, info, length) => Buffer.from(hkdfSync("sha256", material, from, info, length));
  const shared = derive(browser.computeSecret(point), secret, Buffer.concat([Buffer.from("WebPush: info\0"), browser.getPublicKey(), point]), 32);
  const decipher = createDecipheriv("aes-128-gcm", derive(shared, salt, "Content-Encoding: aes128gcm\0", 16), derive(shared, salt, "Content-Encoding: nonce\0", 12));
  decipher.setAuthTag(body.subarray(-16));
  const text = Buffer.concat([decipher.update(body.subarray(86, -16)), decipher.final()]);
  return JSON.parse(text.subarray(0, text.lastIndexOf(2)).toString());
}
// Returns the claims of a signed token after its signature was checked with its key.
function claimsOf(authorization) {
  const [, head, claims, signature, point] = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization);
  const bytes = Buffer.from(point, "base64url");
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map((part) => part.toString("base64url"));
  const signer = createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x, y } });
  ok(verify("sha256", Buffer.from(`${head}.${claims}`), { key: signer, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url")), "the token's signature is valid");
  return { ...JSON.parse(Buffer.from(claims, "base64url").toString()), key: point };
}

await withBrowser(async (context) => {
  await signIn(context, { callsign: QSOSYNC_CALLSIGN, password: QSOSYNC_PASSWORD });
  await context.grantPermissions(["notifications"]);
  // This browser has no push service of its own.
  await context.addInitScript(([p256dh, auth]) => {
    if (!("PushManager" in window)) return;
    PushManager.prototype.getSubscription = async () => null;
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      window.serverKey = btoa(String.fromCharCode(...applicationServerKey));
      return { toJSON: () => ({ endpoint: "https://push.example.org/browser/1", keys: { p256dh, auth } }) };
    };
  }, [browser.getPublicKey("base64url"), secret.toString("base64url")]);
  const page = await context.newPage();
  const post = (path, values) => page.request.post(`${origin}/profile/data/${path}`, { data: values, headers: { Origin: origin, "Sec-Fetch-Site": "same-origin" } });
  const stored = async () => (await page.request.get(`${origin}/profile/data/alerts`)).json();
  const foot = (name) => page.locator(".sheet-foot").getByText(name, { exact: true }).click();
  const closed = (rule) => becomes(page, () => !document.querySelector(".sheet"), rule);
  await page.goto(`${origin}/profile/#profile/alerts`);
  await page.locator("#alert-ways").waitFor();
  async function add(name, ...values) {
    await page.locator("#alert-ways").getByText("Add", { exact: true }).click();
    await page.locator(".sheet .option", { has: page.getByText(name, { exact: true }) }).click();
    for (const [place, value] of values.entries()) await page.locator(".alert-way input").nth(place).fill(value);
    await foot("Add");
    await closed(`${name} is added`);
  }
  await add("ntfy", "my-topic");
  await add("Discord", "https://discord.com/api/webhooks/1/abc-DEF");
  await add("Telegram", "123:AbC", "-4567");
  await add("Gotify", "gotify.example.org", "tok");
  await add("Matrix", "https://matrix.example.org/", "!room:example.org", "syt_token");
  await add("Another web address", "Mine", "https://hook.example.org/in?x=1");
  await add("This browser");
  is((await stored()).ways.map(({ address }) => address), ["ntfy.sh", "discord.com", "api.telegram.org", "gotify.example.org", "matrix.example.org", "hook.example.org", "push.example.org"], "seven receivers are stored");

  // A rule with a name that needs escapes.
  const rule = { name: 'Wanted "now" \\ é', subject: "CALLSIGNS", callsigns: ["19CT*"], need: "ANY", source: "ANY", band: null, mode: null, from: null, to: null, days: 127, pause: 60, isOn: true };
  is((await post("alerts", rule)).status(), 204, "a rule is added");
  is((await spot(STATION)).status, 200, "another member spots the station");
  is(await send(), HOSTS.length, "all receivers accept the alert");
  const one = (host) => received.get(host)?.[0] ?? { headers: {}, body: Buffer.alloc(0) };
  const json = (host) => JSON.parse(one(host).body.toString());
  const [title, text, link] = [`${STATION} 27.555 USB`, `${rule.name}, de 26AT101`, `${origin}/cluster/?callsign=19CT512%2FP`];
  const line = `${title}: ${text} ${link}`;
  is([one("ntfy.sh").method, one("ntfy.sh").path, json("ntfy.sh")], ["POST", "/", { topic: "my-topic", title, message: text, click: link }], "ntfy gets its JSON");
  is([one("discord.com").path, json("discord.com")], ["/api/webhooks/1/abc-DEF", { content: line }], "Discord gets its JSON");
  is([one("api.telegram.org").path, json("api.telegram.org")], ["/bot123:AbC/sendMessage", { chat_id: "-4567", text: line }], "Telegram gets its JSON");
  is([one("gotify.example.org").path, one("gotify.example.org").headers["x-gotify-key"], json("gotify.example.org")], ["/message", "tok", { title, message: `${text} ${link}` }], "Gotify gets its JSON and its key");
  const matrix = one("matrix.example.org");
  is([matrix.method, matrix.path?.replace(/\d+-\d+$/, "N"), matrix.headers.authorization, json("matrix.example.org")],
    ["PUT", "/_matrix/client/v3/rooms/!room%3Aexample.org/send/m.room.message/qsosync-N", "Bearer syt_token", { msgtype: "m.text", body: line }], "Matrix gets its JSON, its token and a number");
  is(["ntfy.sh", "discord.com", "api.telegram.org", "gotify.example.org", "matrix.example.org"].map((host) => one(host).headers["content-type"]), Array(5).fill("application/json"), "requests with JSON have its content type");
  is([one("hook.example.org").path, one("hook.example.org").headers["content-type"], one("hook.example.org").body.toString()], ["/in?x=1", "text/plain; charset=utf-8", line], "another address gets the text");
  const push = one("push.example.org");
  is([push.path, push.headers["content-encoding"], push.headers.ttl, push.headers.urgency], ["/browser/1", "aes128gcm", "3600", "high"], "the push service gets its headers");
  is(decrypt(push.body), { title, text, link }, "the browser decrypts the alert");
  const claims = claimsOf(push.headers.authorization);
  is([claims.aud, claims.sub], ["https://push.example.org", origin], "the token names the push service and this service");
  is(claims.key, Buffer.from(await page.evaluate(() => window.serverKey), "base64").toString("base64url"), "the token's key is the key with which the browser subscribed");
  ok(claims.exp > Date.now() / 1000 && claims.exp < Date.now() / 1000 + 86400, "the token expires within a day");

  // The link shows the station's spots.
  const spotsPage = await context.newPage();
  await spotsPage.goto(link);
  await becomes(spotsPage, () => document.body.innerText.includes("19CT512/P"), "the link shows the station's spots");
  is(await spotsPage.inputValue("#callsign"), STATION, "the Spots page shows only this station");
  await spotsPage.goto(`${origin}/cluster/`);
  is(await spotsPage.inputValue("#callsign"), "", "later, the Spots page shows all stations again");

  // The worker shows the alert, and opens its link.
  const worker = context.serviceWorkers().find((one) => one.url().endsWith("alert-worker.js"));
  ok(worker, "the page has installed the worker for alerts");
  is(context.serviceWorkers().length, 1, "the page has installed no other worker");
  // Chromium without windows shows no notifications, so this test collects them.
  const run = (name, values) => worker.evaluate(async ([type, given]) => {
    const done = [];
    self.registration.showNotification = async (title, options) => { done.push(title, options); };
    self.clients.openWindow = async (address) => { done.push(address); };
    const event = type === "push" ? new PushEvent(type, { data: JSON.stringify(given) }) : new Event(type);
    const notification = { data: given, close: () => { done.push("closed"); } };
    self.dispatchEvent(Object.defineProperties(event, { notification: { value: notification }, waitUntil: { value: () => {} } }));
    return done;
  }, [name, values]);
  is(await run("push", decrypt(push.body)), [title, { body: text, tag: link, renotify: true, data: link }], "the worker shows a notification");
  is(await run("notificationclick", link), ["closed", link], "a click on the notification opens the link");

  // The page shows what was sent. The same station is quiet for an hour, a muted station is quiet, and a trial arrives.
  await page.reload();
  await becomes(page, () => document.getElementById("alert-latest")?.innerText.includes("1 sent, 0 held back"), "the page shows the alert");
  ok(!(await page.innerText("#alerts")).includes("Nothing sends alerts"), "the page does not report that nothing sends alerts");
  await spot(STATION);
  is(await send(), 0, "the same station causes one alert an hour");
  await page.locator("#alert-limits .opens", { hasText: "Muted stations" }).click();
  await page.fill(".sheet-body input", "19CT1");
  await foot("Save");
  await closed("a station is muted");
  await spot("19CT1");
  is(await send(), 0, "a muted station causes no alert");
  await page.locator("#alert-ways .item", { hasText: "ntfy" }).getByText("Try it").click();
  await becomes(page, () => document.querySelector(".toasts").innerText.includes("A trial alert is on its way"), "a trial is on its way");
  is(await send(), 1, "the trial is sent");
  is([json("ntfy.sh").title, json("ntfy.sh").message], ["26AT101 27.555 USB", "de 21SD333"], "the trial is about an invented spot");

  // Hours are hours of the member's day.
  const minute = await page.evaluate(() => new Date().getHours() * 60 + new Date().getMinutes());
  const at = (minutes) => (minute + minutes + 1440) % 1440;
  const rules = async (values) => {
    for (const { number } of (await stored()).rules) await page.request.delete(`${origin}/profile/data/alerts/${number}`, { headers: { Origin: origin, "Sec-Fetch-Site": "same-origin" } });
    is((await post("alerts", { ...rule, ...values })).status(), 204, `a rule with ${JSON.stringify(values)}`);
  };
  const setQuiet = async (from, to) => {
    await page.reload();
    await page.locator("#alert-limits .opens", { hasText: "Quiet hours" }).click();
    const clock = (minutes) => [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
    for (const [place, minutes] of [from, to].entries()) await page.locator(".sheet input[type=time]").nth(place).fill(minutes === null ? "" : clock(minutes));
    await foot("Save");
    await closed("the quiet hours are saved");
  };
  await setQuiet(at(-60), at(60));
  await spot("19CT2");
  is(await send(), 0, "quiet hours hold the alert back");
  await page.reload();
  await becomes(page, () => document.getElementById("alert-latest")?.innerText.includes("Held back: quiet hours"), "the page shows the reason");
  await setQuiet(null, null);
  await spot("19CT2");
  is(await send(), HOSTS.length, "after quiet hours, the station causes an alert");
  await rules({ from: at(60), to: at(120) });
  await spot("19CT3");
  is(await send(), 0, "outside the rule's hours, nothing is sent");
  await rules({ from: at(-60), to: at(60) });
  await spot("19CT4");
  is(await send(), HOSTS.length, "in the rule's hours, the alert is sent");

  // Rules about what the log lacks: the member has worked division 13, but not 14.
  await post("alerts/settings", { hourly: 60 });
  await api("POST", "/logs/batch", { entries: [{ clientId: crypto.randomUUID(), callsignWorked: "13AT1", band: "ELEVEN_METERS", frequencyMhz: "27.555", mode: "USB", qsoAt: "2026-01-01T00:00:00Z" }] }, process.env.QSOSYNC_WRITE_KEY);
  await rules({ subject: "DIVISION", callsigns: [] });
  await spot("13AT2");
  is(await send(), 0, "a division in the log causes no alert");
  await spot("14AT2");
  is(await send(), HOSTS.length, "a division that the log lacks causes an alert");
  await rules({ subject: "DIVISION", callsigns: [], need: "MODE" });
  await spot("13AT3", { mode: "AM" });
  is(await send(), HOSTS.length, "a division in a new mode causes an alert");
  await rules({ subject: "SQUARE", callsigns: [] });
  await spot("13AT4", { dxLocator: "IO91wm" });
  is(await send(), HOSTS.length, "a square that the log lacks causes an alert");

  await rules({ subject: "SPECIAL", callsigns: [] });
  await spot("13AT8");
  is(await send(), 0, "an ordinary station is not special");
  await spot("13AT/WFF");
  is(await send(), HOSTS.length, "a special station causes an alert");
  await rules({ subject: "MEMBER", callsigns: [] });
  await spot("13AT9");
  is(await send(), 0, "a stranger is not a member");
  execFileSync(QSOSYNC_ADMIN, ["--db", QSOSYNC_DB, "member", "add", "13AT9", "--locator", "JO59jw"]);
  await spot("13AT9");
  is(await send(), HOSTS.length, "a spotted member causes an alert");
  await post("alerts/settings", { mutedUntil: new Date(Date.now() + 3600000).toISOString() });
  await rules({});
  await spot("19CT5");
  is(await send(), 0, "while all alerts are muted, nothing is sent");
  await post("alerts/settings", { mutedUntil: null });

  // Spots from other clusters, and the operator's switch.
  const network = (callsign) => execFileSync("sqlite3", [QSOSYNC_DB, ".timeout 10000", `INSERT INTO network_spots (source, spotter, callsign, frequency, comment, spotted_at)
    VALUES ('cb.example.org', '60AT101', '${callsign}', 27520000, 'USB 59', unixepoch() * 1000)`]);
  await rules({ source: "NETWORK", mode: "USB" });
  network("19CT7");
  is(await send(), HOSTS.length, "a spot from another cluster causes an alert");
  is(json("ntfy.sh").title, "19CT7 27.520 USB", "the alert names its frequency and mode");
  await spot("19CT8");
  is(await send(), 0, "a rule about other clusters ignores members' spots");
  execFileSync(QSOSYNC_ADMIN, ["--db", QSOSYNC_DB, "club", "set", "--alerts", "off"]);
  network("19CT9");
  is(await send(), 0, "nothing is sent while the operator has switched alerts off");
  await page.reload();
  await becomes(page, () => document.getElementById("alerts")?.innerText.includes("No alerts are sent"), "the page says that the operator has switched alerts off");
}, { device: { timezoneId: "Asia/Kolkata" } });
server.closeAllConnections();
server.close();
rmSync(folder, { recursive: true, force: true });
