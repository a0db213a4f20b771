// Tests the sections for keys and tokens of programs, from creation to revocation.
import { HOSTILE, api, asksBeforeLeaving, becomes, fits, is, look, ok, openSection, origin, readQrCode, tabTo, weigh, withBrowser } from "./browser.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };

await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(`${origin}/profile/#access`);
  await becomes(page, () => location.hash === "#profile/keys", "the old address opens the keys");
  await becomes(page, () => document.getElementById("member").innerText.includes("JO59jw"), "the page shows the signed-in member");
  await becomes(page, () => document.querySelectorAll("#keys .items li").length === 2, "the page lists the member's keys");
  is(await page.locator("#keys .purposes > p:visible").innerText(), "What is this key for?", "the purposes of a key have a label");

  // A key is created, used and revoked.
  const make = async (name, scope = "WRITE") => {
    await page.fill("#keys input", name);
    await page.selectOption("#keys select", scope);
    await page.click("#keys form button");
  };
  await make("Phone");
  await page.waitForSelector("#keys .secret");
  const key = await page.innerText("#keys .shown-secret");
  ok(/^qsosync_[0-9A-Za-z]{49}$/.test(key), "a new key is shown", key.length);
  ok((await page.innerText("#keys .secret [role=status]")).startsWith("Waiting for the first request"), "the card waits for the program's first request");
  await page.click("#keys .secret button >> nth=0");
  is(await page.evaluate(() => navigator.clipboard.readText()), key, "a click copies the key");
  ok(await page.locator("#keys svg.qr path").count() === 1, "address and key are shown as a QR code");
  const scanned = `qsosync://config?v=1&url=${encodeURIComponent(`${origin}/api/v1`)}&key=${key}`;
  for (const colorScheme of ["dark", "light"]) {
    await page.emulateMedia({ colorScheme });
    is(await readQrCode(context, page.locator("#keys svg.qr")), scanned, `a camera reads address and key from the QR code, ${colorScheme}`);
  }
  is((await api("GET", "/me", null, key)).status, 200, "the key works at once");
  const app = `${origin}/app/#key=${key}`;
  is(await page.locator("#keys .secret a[target=_blank]").getAttribute("href"), app, "a link opens the app with the key");
  await page.click("#keys .secret summary");
  is(await readQrCode(context, page.locator("#keys .open-app svg.qr")), app, "a camera reads the link to the app from a separate QR code");
  is([await asksBeforeLeaving(page), page.url()], [true, `${origin}/profile/#profile/keys`], "leaving with a secret on the screen asks first, and No stays on the page");
  await becomes(page, () => document.querySelector("#keys .secret .good")?.innerText.startsWith("The program is connected:"), "the first request is noticed");
  await page.click("#keys .secret >> text=Done");
  is(await page.locator("#keys .secret").count(), 0, "Done removes the secret from the page");
  ok(!(await page.content()).includes(key), "the page no longer contains the key");
  await page.reload();
  await page.waitForSelector("#keys .items li");
  ok(!(await page.content()).includes(key), "the page does not contain the key after a reload");

  // The purpose of a key presets the key's scope. If the browser can share, the card has a Share button.
  await page.addInitScript(() => { navigator.share = async (what) => { window.shared = what; }; });
  await page.reload();
  await page.click("#keys .buttons >> text=only reads");
  is(await page.evaluate(() => ["#keys select", "#keys input"].map((field) => document.querySelector(field).value)), ["READ", "Reader 4"], "a key for a reading program is preset to read");
  await page.click("#keys .buttons >> text=The app");
  is(await page.evaluate(() => ["#keys select", "#keys input"].map((field) => document.querySelector(field).value)), ["WRITE", "App 4"], "a key for the app is preset to read and write");
  await page.click("#keys form button");
  await page.waitForSelector("#keys .open-app[open] svg.qr");
  await page.click("#keys .secret >> text=Share");
  const appKey = await page.innerText("#keys .shown-secret");
  is(await page.evaluate(() => window.shared), { url: `${origin}/app/#key=${appKey}` }, "the link to the app is shared");
  await look(page, "profile-key-app");
  const [opened] = await Promise.all([context.waitForEvent("page"), page.click("#keys .secret a[target=_blank]")]);
  await opened.locator("#whose .main").waitFor();
  ok(!/is signed in/.test(await opened.innerText("#whose")), "the link to the app does not warn the log's own member", await opened.innerText("#whose"));
  await opened.click("#whose .main");
  await becomes(opened, () => !document.getElementById("log")?.hidden && location.href.endsWith("/app/"), "the link opens the app, which stores the key and removes it from the address");
  await page.click("#keys .secret >> text=Done");

  // There are two tabs, and a key is revoked in one tab.
  const second = await context.newPage();
  await second.goto(`${origin}/profile/#profile/keys`);
  await second.waitForSelector("#keys .items li");
  await second.evaluate(() => { Object.defineProperty(document, "hidden", { configurable: true, get: () => true }); });
  await page.locator("#keys .items li", { hasText: "App 4" }).getByRole("button").click();
  await page.locator("dialog .danger").click();
  await becomes(page, () => !document.getElementById("keys").innerText.includes("App 4"), "the key of the app is revoked");
  await second.locator("#keys .items li", { hasText: "App 4" }).getByRole("button").click();
  await second.locator("dialog .danger").click();
  await becomes(second, () => !document.querySelector("#keys .items").innerText.includes("App 4") && document.getElementById("keys").innerText.includes("This key was already revoked"), "a key that another tab revoked leaves the list, and the page explains why");
  await page.fill("#keys input", "Seen later");
  await page.click("#keys form button");
  await page.click("#keys .secret >> text=Done");
  await second.evaluate(() => {
    delete document.hidden;
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await becomes(second, () => document.querySelector("#keys .items").innerText.includes("Seen later"), "a tab that becomes visible again lists a key from another tab");
  await page.locator("#keys .items li", { hasText: "Seen later" }).getByRole("button").click();
  const listing = new Promise((hold) => page.route(/data\/keys$/, hold, { times: 1 }));
  await page.locator("dialog .danger").click();
  const late = await listing;
  await page.focus("#keys input");
  await late.continue();
  await becomes(page, () => !document.getElementById("keys").innerText.includes("Seen later"), "the new key is revoked");
  ok(await page.evaluate(() => document.activeElement.closest("#keys form") !== null), "a late list does not take the focus from another field");

  const row = page.locator("#keys .items li", { hasText: "Phone" });
  await row.getByRole("button").click();
  await page.getByRole("button", { name: "Cancel" }).click();
  is((await api("GET", "/me", null, key)).status, 200, "Cancel keeps the key");
  await row.getByRole("button").click();
  await page.keyboard.press("Escape");
  is((await api("GET", "/me", null, key)).status, 200, "Escape keeps the key");
  // The change and the list are each refused once, as for a member whose requests use half of the service's capacity.
  const refused = [];
  await page.route(/profile\/data\/keys/, (route) => {
    const { length } = refused.filter((method) => method === route.request().method());
    refused.push(route.request().method());
    return length ? route.continue()
      : route.fulfill({ status: 503, headers: { "Retry-After": "1" }, json: { error: { code: "GENERIC.TOO_MANY_AT_ONCE" } } });
  });
  await row.getByRole("button").click();
  await page.locator("dialog .danger").click();
  await becomes(page, () => !document.getElementById("keys").innerText.includes("Phone"), "a revoked key leaves the list");
  is(refused, ["POST", "POST", "GET", "GET"], "the page repeats requests that were refused because of too many at once");
  await page.unroute(/profile\/data\/keys/);
  is((await api("GET", "/me", null, key)).status, 401, "a revoked key fails at once");

  await becomes(page, () => document.querySelectorAll("#keys .note.warn").length === 2, "each key shows its last refusal");
  const refusals = await page.innerText("#keys .items");
  ok(refusals.includes("this key is read-only") && refusals.includes("3 QSOs were rejected, the first: frequencyMhz: It must be in MHz with three decimals"), "a refusal explains its reason", refusals);

  await make(HOSTILE);
  await page.waitForSelector("#keys .secret");
  await page.click("#keys .secret >> text=Done");
  await becomes(page, () => document.getElementById("keys").innerText.includes("<script>document"), "markup in a name shows as text");
  is(await page.evaluate(() => [document.title, document.querySelectorAll("#keys img, #keys script").length]), ["Profile - QSOsync", 0], "markup in a name has no effect");

  for (let count = 4; count <= 10; count++) {
    await make(`key ${count}`, "READ");
    await page.waitForSelector("#keys .secret");
    await page.click("#keys .secret >> text=Done");
  }
  await becomes(page, () => document.querySelector("#keys form button").disabled, "with ten keys the form is disabled");
  ok((await page.innerText("#keys")).includes("You can have 10 keys"), "the page states the limit in advance");
  const eleventh = await page.evaluate(async () => {
    const answer = await fetch("data/keys", { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"name":"x","scope":"READ"}' });
    return answer.status;
  });
  is(eleventh, 409, "the service refuses the eleventh key");

  // The line for a cluster program is shown, and tokens are created.
  await openSection(page, "profile/clusters");
  await page.click("#feed-show");
  await becomes(page, () => /^set\/new [0-9A-F]{16}$/.test(document.getElementById("feed-line")?.textContent), "the line for a cluster program is shown");
  await openSection(page, "profile/uploads");
  await page.fill("#tokens input", "WSJT-CB");
  await page.click("#tokens form button");
  await page.waitForSelector("#tokens .secret");
  ok(/^qsosyncup_/.test(await page.innerText("#tokens .shown-secret")), "a token is created and shown");
  await page.click("#tokens .secret >> text=Done");
  await page.fill("#tokens input", "My phone");
  await page.check("#for-polo");
  await page.click("#tokens form button");
  await page.waitForSelector("#tokens .secret svg");
  ok((await page.innerText("#tokens .shown-secret")).startsWith(`${origin}/lofi/qsosyncpo_`), "PoLo's address is created, and shown with its QR code");
  is(await page.isChecked("#for-polo"), false, "the next token is an upload token again");
  await page.click("#tokens .secret >> text=Done");
  ok((await page.innerText("#tokens .items li:last-child")).includes("Ham2K PoLo"), "the list marks a token for PoLo");
  await look(page, "profile-uploads");
  await page.click("#section-uploads .back");
  await becomes(page, () => document.getElementById("state-keys").innerText === "2 programs" && document.getElementById("state-uploads").innerText, "the list of the profile counts the programs with a key");
  ok((await page.innerText("#section-profile")).includes("WSJT-CB, My phone"), "the list of the profile names the upload tokens");
  await look(page, "profile");
  await page.click(".settings >> text=\"Keys\"");
  await becomes(page, () => document.activeElement?.id === "keys-title", "a row opens its section");
  await look(page, "profile-keys");
  await page.evaluate(() => localStorage.setItem("qsosync-language", "de"));
  await page.reload();
  await becomes(page, () => document.body.innerText.includes("Mehr als 10 Schlüssel gibt es nicht"), "the section is in German");
  await fits(page, "profile-access-de");
  await page.evaluate(() => localStorage.setItem("qsosync-language", "en"));

  // The section is used only by keyboard.
  await page.reload();
  await page.waitForSelector("#keys .items li");
  await page.focus("#keys .items li:last-child button");
  for (const key of ["Enter", "Tab", "Enter"]) await page.keyboard.press(key); // the dialog focuses Cancel first
  await becomes(page, () => document.querySelectorAll("#keys .items li").length === 9 && document.activeElement.matches("#keys-title"), "a key is revoked with only the keyboard");
  await page.focus("#keys input");
  is(await page.inputValue("#keys input"), "Program 10", "the name field suggests a name for the next key");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("by keys");
  for (const key of ["Tab", "ArrowDown", "ArrowUp", "Tab", "Enter"]) await page.keyboard.press(key);
  await becomes(page, () => document.activeElement?.matches("#keys .secret h3"), "a key that was created by keyboard has the focus");
  for (const key of ["Tab", "Enter"]) await page.keyboard.press(key);
  await becomes(page, () => document.querySelector("#keys .secret button").innerText === "Copied", "a key is copied by keyboard");
  await tabTo(page, "#keys .secret .main");
  await page.keyboard.press("Enter");
  await becomes(page, () => !document.querySelector("#keys .secret") && document.querySelector("#keys .items li:last-child .badge").innerText === "read and write", "a secret is dismissed by keyboard, and the key has the chosen scope");
  await page.focus("#section-keys .back");
  await page.keyboard.press("Enter");
  await becomes(page, () => document.activeElement?.id === "profile-title", "a section that was opened by keyboard has the focus");

  // A section is removed from the page, although the script still expects the section.
  for (const forgotten of ["keys", "import"]) {
    await page.route("**/profile/", async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(`"section-${forgotten}"`, `"section-of-old"`);
      await route.fulfill({ response, body });
    });
    await page.goto(`${origin}/profile/`);
    await becomes(page, () => !document.getElementById("view").hidden && document.querySelector("#keys .items, #first-steps:not([hidden])"), `without the section ${forgotten} the other sections work`);
    await openSection(page, "profile");
    is(await page.locator(".settings a").evaluateAll((links, name) => [links.length > 1, links.some((link) => link.hash === `#profile/${name}`)], forgotten), [true, false], `without the section ${forgotten} its row is missing`);
    await page.unroute("**/profile/");
  }
  for (const section of ["", "#profile", "#profile/keys", "#profile/import", "#profile/history"]) await weigh(context, `/profile/${section}`);
}, { member, allowed: [/status of 409/, /status of 503/, /status of 404 .*\/revoke/, /status of 401 .*\/api\/v1\/logs/, /status of 4\d\d .*data\/(?:statistics|map|near|qsos)/] });
