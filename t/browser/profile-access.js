// Tests the sections for keys and tokens of programs, from creation to revocation.
import { HOSTILE, api, asksBeforeLeaving, becomes, clickTwice, closeSecret, createKey, fits, is, look, ok, openSection, origin, readQrCode, tabTo, weigh, withBrowser } from "./browser.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };

await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(`${origin}/profile/#access`);
  await becomes(page, () => location.hash === "#profile/keys", "the old address opens the keys");
  await becomes(page, () => document.getElementById("member").innerText.includes("JO59jw"), "the page shows the signed-in member");
  await becomes(page, () => document.querySelectorAll("#keys .items li").length === 2, "the page lists the member's keys");

  ok(!(await page.innerText("#keys .items")).includes("qsosync_"), "the list shows no part of a key");
  await page.click("#keys .credentials .main");
  await page.click("#keys .question >> text=Cancel");
  await becomes(page, () => document.activeElement?.matches("#keys .credentials .main"), "Cancel returns to the button");

  // A key is created, used and revoked.
  const make = (name, scope = "WRITE") => createKey(page, "Another program", { name, scope });
  const key = await make("Phone");
  ok(/^qsosync_[0-9A-Za-z]{49}$/.test(key), "a new key is shown", key.length);
  ok((await page.innerText("#keys .secret [role=status]")).startsWith("Waiting for the first request"), "the card waits for the program's first request");
  await page.click("#keys .secret button >> nth=0");
  await becomes(page, async (secret) => await navigator.clipboard.readText() === secret, "a click copies the key", key);
  ok(await page.locator("#keys svg.qr path").count() === 1, "address and key are shown as a QR code");
  const scanned = `qsosync://config?v=1&url=${encodeURIComponent(`${origin}/api/v1`)}&key=${key}`;
  for (const colorScheme of ["dark", "light"]) {
    await page.emulateMedia({ colorScheme });
    is(await readQrCode(context, page.locator("#keys svg.qr")), scanned, `a camera reads address and key from the QR code, ${colorScheme}`);
  }
  is((await api("GET", "/me", null, key)).status, 200, "the key works at once");
  is([await asksBeforeLeaving(page), page.url()], [true, `${origin}/profile/#profile/keys`], "leaving with a secret on the screen asks first, and No stays on the page");
  await becomes(page, () => document.querySelector("#keys .secret .good")?.innerText.startsWith("The program is connected:"), "the page reports the program's first request");
  await page.click("#keys .secret >> text=Done");
  is(await page.locator("#keys .secret, dialog").count(), 0, "Done removes a copied secret from the page");
  ok(!(await page.content()).includes(key), "the page no longer contains the key");
  await page.reload();
  await page.waitForSelector("#keys .items li");
  ok(!(await page.content()).includes(key), "the page does not contain the key after a reload");

  // A secret that was neither copied nor used is closed only after a question.
  await page.addInitScript(() => { navigator.share = async (what) => { window.shared = what; }; });
  await page.reload();
  ok((await createKey(page, "A web page")).startsWith("qsosync_"), "a key for a web page is created");
  for (const close of [() => clickTwice(page.locator("#keys .secret >> text=Done")), () => page.click("#section-keys .back"), () => page.keyboard.press("Escape")]) {
    await close();
    ok((await page.innerText("dialog")).startsWith("Close it without a copy?"), "closing a secret that was not copied asks first");
    await page.click("dialog >> text=Cancel");
    await becomes(page, () => !document.querySelector("dialog"), "after Cancel, there is no other question");
    is([await page.locator("#keys .secret").count(), page.url()], [1, `${origin}/profile/#profile/keys`], "Cancel keeps the secret on the page");
  }
  ok((await page.innerText("#keys .how")).includes("Everybody who sees the page can read the key"), "the steps for the program are shown");
  await page.click("#keys .secret >> text=Revoke");
  await page.locator("dialog .danger").click();
  await becomes(page, () => !document.querySelector("#keys .secret") && !document.querySelector("#keys .items").innerText.includes("A web page"), "a new key is revoked where it is shown");
  await createKey(page, "N1MM");
  ok((await page.innerText("#keys .how")).includes(`udp-bridge.py --url ${origin}/api/v1`), "the steps for a program that broadcasts contain the service's address");
  is(await page.getAttribute("#keys .how >> text=Documentation", "href"), "../docs/wsjtx", "the steps link to the page about the program");
  await page.click("#keys .how >> text=Copy");
  await page.click("#keys .secret >> text=Done");
  await page.locator("dialog .danger").click();
  await becomes(page, () => document.querySelector("#keys .items").innerText.includes("N1MM\nwrites QSOs"), "the key has the name and the scope of its program");

  // The key of the app opens the app. If the browser can share, the secret has a Share button.
  const appKey = await createKey(page, "The app");
  await page.click("#keys .secret >> text=Share");
  is(await page.evaluate(() => window.shared), { url: `${origin}/app/#key=${appKey}` }, "the link to the app is shared");
  is(await readQrCode(context, page.locator("#keys svg.qr")), `${origin}/app/#key=${appKey}`, "a camera reads the link to the app from the QR code");
  await look(page, "profile-key-app");
  const [opened] = await Promise.all([context.waitForEvent("page"), page.click("#keys .secret a[target=_blank]")]);
  await opened.locator("#whose .main").waitFor();
  ok(!/is signed in/.test(await opened.innerText("#whose")), "the link to the app does not warn the log's own member", await opened.innerText("#whose"));
  await opened.click("#whose .main");
  await becomes(opened, () => !document.getElementById("log")?.hidden && location.href.endsWith("/app/"), "the link opens the app, which stores the key and removes it from the address");
  await page.click("#keys .secret >> text=Done");
  await becomes(page, () => !document.querySelector("#keys .credentials").hidden && !document.querySelector("#keys .items").innerText.includes("The app"), "the list of keys does not contain the key of an app");

  // There are two tabs, and a key is revoked in one tab.
  const second = await context.newPage();
  await second.goto(`${origin}/profile/#profile/keys`);
  await second.waitForSelector("#keys .items li");
  await second.evaluate(() => { Object.defineProperty(document, "hidden", { configurable: true, get: () => true }); });
  await page.locator("#keys .items li", { hasText: "N1MM" }).getByRole("button").click();
  await page.locator("dialog .danger").click();
  await becomes(page, () => !document.querySelector("#keys .items").innerText.includes("N1MM"), "one tab revokes the key");
  await second.locator("#keys .items li", { hasText: "N1MM" }).getByRole("button").click();
  await second.locator("dialog .danger").click();
  await becomes(second, () => !document.querySelector("#keys .items").innerText.includes("N1MM") && document.getElementById("keys").innerText.includes("This key was already revoked"), "a key that another tab revoked leaves the list, and the page explains why");
  await make("Seen later");
  await closeSecret(page);
  await second.evaluate(() => {
    delete document.hidden;
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await becomes(second, () => document.querySelector("#keys .items").innerText.includes("Seen later"), "a tab that becomes visible again lists a key from another tab");
  await page.locator("#keys .items li", { hasText: "Seen later" }).getByRole("button").click();
  const listing = new Promise((hold) => page.route(/data\/keys$/, hold, { times: 1 }));
  await page.locator("dialog .danger").click();
  const late = await listing;
  await page.focus("#section-keys .back");
  await late.continue();
  await becomes(page, () => !document.getElementById("keys").innerText.includes("Seen later"), "a revoked key from another tab leaves the list");
  ok(await page.evaluate(() => document.activeElement.matches("#section-keys .back")), "a late list does not take the focus from another control");

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
  await closeSecret(page);
  await becomes(page, () => document.getElementById("keys").innerText.includes("<script>document"), "markup in a name shows as text");
  is(await page.evaluate(() => [document.title, document.querySelectorAll("#keys img, #keys script").length]), ["Profile - QSOsync", 0], "markup in a name has no effect");

  for (let count = 5; count <= 10; count++) {
    await make(`key ${count}`, "READ");
    await closeSecret(page);
  }
  await becomes(page, () => document.getElementById("keys").innerText.includes("You can have 10 keys"), "the page states the limit in advance");
  is(await page.locator("#keys .main >> visible=true").count(), 0, "with ten keys no key can be created");
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
  ok(/^qsosyncup_/.test(await createKey(page, "WSJT-CB", { place: "#tokens" })), "a token is created and shown");
  is(await page.innerText("#tokens .secret div:nth-of-type(2) code"), `${origin}/cloudlog`, "the address for Cloudlog is shown");
  await closeSecret(page, "#tokens");
  await createKey(page, "LOG11DX", { place: "#tokens" });
  is(await page.innerText("#tokens .secret div:nth-of-type(2) code"), `${origin}/api/wsjtx/upload-qso.php`, "the address for LOG11DX is shown");
  await page.click("#tokens .secret >> text=Revoke");
  await page.locator("dialog .danger").click();
  ok((await createKey(page, "Ham2K PoLo", { place: "#tokens" })).startsWith(`${origin}/lofi/qsosyncpo_`), "a token for PoLo shows its address");
  await page.waitForSelector("#tokens .secret svg");
  await closeSecret(page, "#tokens");
  await becomes(page, () => document.querySelector("#tokens .items li:last-child")?.innerText.includes("Ham2K PoLo"), "the list marks a token for PoLo");
  await look(page, "profile-uploads");
  await page.click("#section-uploads .back");
  await becomes(page, () => document.getElementById("state-keys").innerText === "9 programs" && document.getElementById("state-uploads").innerText, "the list of the profile counts the programs with a key");
  ok((await page.innerText("#section-profile")).includes("WSJT-CB, Ham2K PoLo"), "the list of the profile names the upload tokens");
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
  await becomes(page, () => document.querySelectorAll("#keys .items li").length === 8 && document.activeElement.matches("#keys-title"), "a key is revoked with only the keyboard");
  await tabTo(page, "#keys .credentials .main");
  await page.keyboard.press("Enter");
  await becomes(page, () => document.activeElement?.matches("#keys .question h3"), "the choice of a program has the focus");
  await tabTo(page, "#keys .chip:last-child");
  await page.keyboard.press("Enter");
  await becomes(page, () => document.activeElement?.matches("#keys form h3"), "the title of the form has the focus");
  for (const key of ["Tab", "Control+a"]) await page.keyboard.press(key);
  await page.keyboard.type("by keys");
  await tabTo(page, "#keys form .main");
  await page.keyboard.press("Enter");
  await becomes(page, () => document.activeElement?.matches("#keys .secret h3"), "a key that was created by keyboard has the focus");
  for (const key of ["Tab", "Enter"]) await page.keyboard.press(key);
  await becomes(page, () => document.querySelector("#keys .secret button").innerText === "Copied", "a key is copied by keyboard");
  await tabTo(page, "#keys .secret .main");
  await page.keyboard.press("Enter");
  await becomes(page, () => !document.querySelector("#keys .secret") && document.querySelector("#keys .items li:last-child").innerText.startsWith("by keys"), "a secret is closed by keyboard");
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
  for (const section of ["", "#profile", "#profile/keys", "#profile/import", "#profile/history"]) await weigh(context, `/profile/${section}`, section ? 77824 : 83968);
}, { member, allowed: [/status of 409/, /status of 503/, /status of 404 .*\/revoke/, /status of 401 .*\/api\/v1\/logs/, /status of 4\d\d .*data\/(?:statistics|map|near|qsos)/] });
