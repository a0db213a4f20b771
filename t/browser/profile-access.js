// The section API access: a key's whole life in the browser, and what other origins cannot do.
import { createServer } from "node:http";
import { HOSTILE, api, becomes, is, look, ok, origin, weigh, withBrowser } from "./browser.js";

const member = { login: process.env.QSOSYNC_LOGIN_NAME, password: process.env.QSOSYNC_PASSWORD };

await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(`${origin}/profile/`);
  await becomes(page, () => document.getElementById("member").innerText.includes("21SD333"), "the page tells who is logged in");
  await becomes(page, () => document.querySelectorAll("#keys .items li").length === 2, "the page lists the member's keys");

  // A key's life.
  const make = async (name, scope = "WRITE") => {
    await page.fill("#keys input", name);
    await page.selectOption("#keys select", scope);
    await page.click("#keys form button");
  };
  await make("Phone");
  await page.waitForSelector("#keys .secret");
  const key = await page.innerText("#keys .shown-secret");
  ok(/^qsosync_[0-9A-Za-z]{49}$/.test(key), "a new key is shown", key.length);
  await page.click("#keys .secret button >> nth=0");
  is(await page.evaluate(() => navigator.clipboard.readText()), key, "a click copies the key");
  ok(await page.locator("#keys svg.qr path").count() === 1, "address and key are shown as a QR code");
  is((await api("GET", "/me", null, key)).status, 200, "the key works at once");
  await look(page, "profile-key");
  await page.click("#keys .secret >> text=Done");
  is(await page.locator("#keys .secret").count(), 0, "a key that was copied is put away");
  ok(!(await page.content()).includes(key), "nothing of the page holds the key any more");
  await page.reload();
  await page.waitForSelector("#keys .items li");
  ok(!(await page.content()).includes(key), "the page does not hold the key when it is loaded again");

  const row = page.locator("#keys .items li", { hasText: "Phone" });
  await row.getByRole("button").click();
  await page.getByRole("button", { name: "Cancel" }).click();
  is((await api("GET", "/me", null, key)).status, 200, "a key stays where the question is answered with no");
  await row.getByRole("button").click();
  await page.keyboard.press("Escape");
  is((await api("GET", "/me", null, key)).status, 200, "a key stays where the question is left");
  await row.getByRole("button").click();
  await page.locator("dialog .danger").click();
  await becomes(page, () => !document.getElementById("keys").innerText.includes("Phone"), "a revoked key leaves the list");
  is((await api("GET", "/me", null, key)).status, 401, "a revoked key fails at once");

  await becomes(page, () => document.querySelectorAll("#keys .note.warn").length === 2, "beside a key stands its last refusal");
  const refusals = await page.innerText("#keys .items");
  ok(refusals.includes("this key may only read") && refusals.includes("3 QSOs were refused, the first: FREQUENCY_FORMAT_INVALID"), "a refusal says what was wrong", refusals);

  await make(HOSTILE);
  await page.waitForSelector("#keys .secret");
  await page.click("#keys .secret >> text=Done");
  await becomes(page, () => document.getElementById("keys").innerText.includes("<script>document"), "markup in a name shows as text");
  is(await page.evaluate(() => [document.title, document.querySelectorAll("#keys img, #keys script").length]), ["Profile - QSOsync", 0], "markup in a name does nothing");

  for (let count = 4; count <= 10; count++) {
    await make(`key ${count}`, "READ");
    await page.waitForSelector("#keys .secret");
    await page.click("#keys .secret >> text=Done");
  }
  await becomes(page, () => document.querySelector("#keys form button").disabled, "with ten keys none can be made");
  ok((await page.innerText("#keys")).includes("10 keys are the most"), "the page says so before anybody tries");
  const eleventh = await page.evaluate(async () => {
    const answer = await fetch("data/keys", { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"name":"x","scope":"READ"}' });
    return answer.status;
  });
  is(eleventh, 409, "the eleventh key is refused whoever asks");

  // Tokens.
  await page.fill("#tokens input", "WSJT-CB");
  await page.click("#tokens form button");
  await page.waitForSelector("#tokens .secret");
  ok(/^qsosyncup_/.test(await page.innerText("#tokens .shown-secret")), "a token is made and shown");
  await page.click("#tokens .secret >> text=Done");
  await look(page, "profile-access");
  await page.evaluate(() => localStorage.setItem("qsosync-language", "de"));
  await page.reload();
  await becomes(page, () => document.body.innerText.includes("Mehr als 10 Schlüssel gibt es nicht"), "the section speaks German");
  await look(page, "profile-access-de");
  await page.evaluate(() => localStorage.setItem("qsosync-language", "en"));

  // By keys alone.
  await page.reload();
  await page.waitForSelector("#keys .items li");
  await page.focus(".tabs a >> nth=1");
  await page.keyboard.press("Enter");
  await becomes(page, () => document.activeElement?.id === "log-title", "a section that was chosen by keys has the focus");
  await page.close();
  const bytes = await weigh(context, "/profile/");
  ok(bytes > 0 && bytes <= 61440, "/profile/ is at most 60 KB", bytes);
  process.stdout.write(`# /profile/: ${bytes} bytes\n`);
}, { member, allowed: [/status of 409/, /status of 4\d\d .*data\/(?:statistics|map|near|qsos)/] });

// A page of another origin, in a browser whose member is logged in.
const evil = createServer((request, response) => {
  response.setHeader("Content-Type", "text/html");
  response.end(`<form id=f method=post enctype=text/plain action="${origin}/profile/data/keys"><input name='{"name":"evil","scope":"WRITE","x":"' value='"}'></form>`);
});
await new Promise((resolve) => evil.listen(0, "127.0.0.2", resolve));
const elsewhere = `http://127.0.0.2:${evil.address().port}/`;
await withBrowser(async (context) => {
  const own = await context.newPage();
  await own.goto(`${origin}/profile/`);
  await own.waitForSelector("#keys .items li");
  const list = async () => own.evaluate(async () => (await (await fetch("data/keys")).json()).items.map((key) => key.number).join());
  await own.locator("#keys .items li .danger").last().click(); // room for one more, so that a forged one would be seen
  await own.locator("dialog .danger").click();
  await becomes(own, () => document.querySelectorAll("#keys .items li").length === 9, "there is room for another key");
  const before = await list();
  const page = await context.newPage();
  await page.goto(elsewhere);
  const tried = await page.evaluate(async (target) => {
    const result = {};
    const ask = (options) => fetch(`${target}/profile/data/keys`, options).then((answer) => `${answer.type} ${answer.status}`, () => "refused");
    result.read = await ask({ credentials: "include" });
    result.json = await ask({ method: "POST", credentials: "include", headers: { "Content-Type": "application/json" }, body: '{"name":"evil","scope":"WRITE"}' });
    result.blind = await ask({ method: "POST", mode: "no-cors", credentials: "include", body: '{"name":"evil","scope":"WRITE"}' });
    return result;
  }, origin);
  is([tried.read, tried.json, tried.blind], ["refused", "refused", "opaque 0"], "a page of another origin reads nothing of the profile");
  await page.evaluate(() => document.getElementById("f").submit());
  await page.waitForURL(/profile\/data\/keys/).catch(() => {});
  is(await list(), before, "neither a form nor a script of another origin makes a key");
  await page.goto(elsewhere);
  const read = await page.evaluate(async ([target, key]) => {
    const first = await fetch(`${target}/api/v1/logs/ids`, { headers: { Authorization: `Bearer ${key}` } });
    await first.text();
    return { status: first.status, tag: first.headers.get("ETag"), left: first.headers.get("RateLimit-Remaining") };
  }, [origin, process.env.QSOSYNC_READ_KEY]);
  ok(read.status === 200 && read.tag, "a page of another origin reads its log through the API, and sees the ETag", JSON.stringify(read));
  await page.setContent(`<iframe src="${origin}/profile/"></iframe>`);
  await page.waitForTimeout(500);
  ok(!page.frames().some((frame) => frame.url().startsWith(origin)), "the profile is shown in no frame of another page", page.frames().map((frame) => frame.url()).join());
}, { member, allowed: [/./] });
evil.close();
