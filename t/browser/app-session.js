// A member who is signed in opens the app on a device that does not keep the log. The views use the service's log through
// the session, until the member decides to keep the log on the device.
import { becomes, fromMenu, is, isStored, logIt, look, ok, openByLink, origin, qso, save, signIn, signOut, waitFor, waitUntil, withBrowser } from "./browser.js";
import { isInStep, newKey } from "./device.js";

const { QSOSYNC_CALLSIGN: callsign, QSOSYNC_PASSWORD: password } = process.env;
const me = { callsign, password };
const isLog = () => !document.getElementById("log").hidden && document.activeElement?.id === "callsignWorked";
const isAsking = () => document.getElementById("keep-log").checkVisibility();
const calls = (items) => items.map(({ callsignWorked }) => callsignWorked).sort();

await save(qso({ callsignWorked: "19DX1", qsoAt: "2026-05-17T19:42:00Z", dxLocator: "IO91wm" }), qso({ callsignWorked: "1AT1", qsoAt: "2026-05-18T19:42:00Z", notes: "Rho" }));

await withBrowser(async (context) => {
  const guest = await context.newPage();
  await guest.goto(`${origin}/app/`);
  await becomes(guest, () => !document.getElementById("setup").hidden, "a visitor without a session sees how to sign in");
  await guest.getByRole("button", { name: "Use my account" }).click();
  await guest.locator("#sign-in").click();
  await guest.fill("input[name=callsign]", callsign);
  await guest.fill("input[name=password]", password);
  await guest.click("main form button");
  await becomes(guest, isLog, "after the sign-in, the app shows the form at once, with the cursor in the callsign");
  ok(await guest.evaluate(isAsking), "the form asks whether to keep the log on this device");
  await becomes(guest, () => document.getElementById("recent").innerText.includes("1AT1"), "the list shows the newest QSOs of the log on the service");
  await look(guest, "app-session");

  // QSOs are stored on the service before the form is emptied.
  await guest.fill("#callsignWorked", "19DX1");
  await becomes(guest, () => document.getElementById("dxLocator").value === "IO91WM" || document.getElementById("dxLocator").value === "IO91wm", "the log on the service fills in the station's locator");
  await logIt(guest);
  await waitFor(guest, () => document.getElementById("callsignWorked").value === "");
  await isStored(calls, ["19DX1", "19DX1", "1AT1"], "a QSO is stored on the service");
  await becomes(guest, () => document.querySelector("#recent .fresh")?.innerText.includes("19DX1"), "the new QSO is marked in the list");
  await becomes(guest, () => /^1 QSO/.test(document.getElementById("today").textContent), "the app counts today's QSOs");
  await guest.fill("#callsignWorked", "26AT9");
  await context.route("**/profile/data/qsos", (route) => route.abort());
  await logIt(guest);
  await becomes(guest, () => /not saved/.test(document.getElementById("notices").innerText), "a QSO that the service did not store is reported");
  is(await guest.inputValue("#callsignWorked"), "26AT9", "a QSO that was not saved stays in the form");
  await guest.reload();
  await becomes(guest, isLog, "the form is shown after a reload");
  is(await guest.inputValue("#callsignWorked"), "26AT9", "a QSO that was not saved is still in the form after a reload");
  await context.unroute("**/profile/data/qsos");
  // The service stores the QSO, but its answer is lost. The next attempt creates no second QSO.
  await context.route("**/profile/data/qsos", async (route) => { await route.fetch(); await route.abort(); }, { times: 1 });
  await logIt(guest);
  await becomes(guest, () => /not saved/.test(document.getElementById("notices").innerText), "the app reports that a QSO whose answer was lost is not saved");
  await logIt(guest);
  await waitFor(guest, () => document.getElementById("callsignWorked").value === "");
  await isStored(calls, ["19DX1", "19DX1", "1AT1", "26AT9"], "a QSO whose answer was lost is stored once");
  await guest.locator(".toasts .saved button").click();
  await isStored(calls, ["19DX1", "19DX1", "1AT1"], "the last QSO can be undone");
  await guest.fill("#frequencyMhz", "29.1");
  await guest.fill("#callsignWorked", "26AT9");
  await logIt(guest);
  await becomes(guest, () => document.querySelector("#form .fault"), "a wrong value is reported at its field");
  await guest.fill("#frequencyMhz", "27.555");
  await guest.fill("#callsignWorked", "");

  // The other views also use the log on the service.
  await guest.goto(`${origin}/app/#logbook`);
  await becomes(guest, () => document.querySelectorAll("#qsos .q").length === 3, "Logbook lists the log on the service");
  await becomes(guest, () => [...document.querySelectorAll("#qsos .q")].find((row) => row.innerText.includes("1AT1"))?.querySelector(".badge")?.innerText === "New division",
    "a QSO that was new for the log has a badge, as in the profile");
  ok(!await guest.evaluate(isAsking), "only the form asks whether to keep the log");
  is(await guest.evaluate(() => [document.getElementById("club").hidden, document.querySelector(".top .menu summary").innerText]), [true, callsign], "the head does not link a member to the operator's page");
  await guest.fill("#search-text", "rho");
  await becomes(guest, () => document.querySelectorAll("#qsos .q").length === 1, "the search finds a note");
  await guest.locator("#qsos .q").click();
  await guest.getByRole("button", { name: "Edit" }).click();
  await guest.fill("#notes", "Rho Rho");
  await guest.press("#notes", "Enter");
  await isStored((items) => items.find((one) => one.callsignWorked === "1AT1").notes, "Rho Rho", "a QSO can be changed");
  await becomes(guest, () => document.querySelector("#qsos .q")?.innerText.includes("1AT1"), "the list still shows the QSO after an edit");
  await guest.locator("#qsos .q").click();
  await (await fromMenu(guest, "Delete")).click();
  await isStored(calls, ["19DX1", "19DX1"], "a QSO can be deleted");
  await guest.getByRole("button", { name: "Undo", exact: true }).click();
  await isStored(calls, ["19DX1", "19DX1", "1AT1"], "a deletion in Logbook can be undone");
  await look(guest, "app-session-logbook");
  await guest.goto(`${origin}/app/#awards`);
  await becomes(guest, () => /2/.test(document.getElementById("awards-view").innerText) && document.querySelectorAll("#awards-wall .worked, #awards-wall li").length > 0, "Awards counts the log on the service");
  await guest.goto(`${origin}/app/#lines`);
  for (const text of ["2026-05-17 27.555 usb 1930 26at103 57 55", "1931 26at104 57 55"]) {
    await guest.fill("#typed", text);
    await guest.press("#typed", "Enter");
    await waitFor(guest, () => document.getElementById("typed").value === "");
  }
  await becomes(guest, () => document.querySelectorAll("#paper-rows .q").length === 2, "the paper log lists the typed lines");
  await guest.reload();
  await becomes(guest, () => document.querySelectorAll("#paper-rows .q").length === 2 && document.querySelector("#paper-figures dd")?.innerText === "2",
    "after a reload, the typed lines are listed and counted as before");
  await isStored(calls, ["19DX1", "19DX1", "1AT1", "26AT103", "26AT104"], "the service stores QSOs from the paper log");
  await guest.goto(`${origin}/app/#outing`);
  await guest.fill("#outing-station", "13HN0");
  await guest.click("#outing-form button");
  await guest.fill("#callsignWorked", "14FR1");
  await logIt(guest);
  await becomes(guest, () => /1 in this activation/.test(document.getElementById("today").textContent), "an activation counts its QSOs");
  await guest.evaluate(() => { location.hash = "#outing"; });
  await guest.click("#outing-end");
  await save(qso({ callsignWorked: "30EA1" }));
  await guest.evaluate(() => { location.hash = "#log"; document.dispatchEvent(new Event("visibilitychange")); });
  await becomes(guest, () => document.getElementById("recent").innerText.includes("30EA1"), "the app shows a QSO that another program logged");

  // "Not here" is remembered on this device, even after a sign-out.
  await guest.getByRole("button", { name: "Not here" }).click();
  await becomes(guest, () => !document.getElementById("keep-log").checkVisibility() && document.activeElement?.id === "callsignWorked", "a declined question disappears, and the cursor is in the callsign");
  await guest.fill("#callsignWorked", "19H");
  const front = await context.newPage();
  await front.goto(`${origin}/`);
  await signOut(front);
  await becomes(guest, () => !document.getElementById("setup").hidden, "after a sign-out in another tab, the app no longer shows the log");
  is(await guest.evaluate(() => [Object.keys(localStorage).sort(), JSON.stringify({ ...localStorage, ...sessionStorage }).includes("19H")]).then(([names, has]) => [names.filter((name) => /draft 21SD|session|lines|outings|member/.test(name)), has]), [[], false], "signing out removes all of the member's data from this browser");
  is(await guest.evaluate(async () => [await window.app.storage.count(), await window.app.storage.setting("callsign")]), [0, null], "the app's database is empty after a sign-out");
  await signIn(context, me);
  await guest.reload();
  await becomes(guest, isLog, "the next sign-in opens the form");
  ok(!await guest.evaluate(isAsking), "the app does not repeat the question after the next sign-in");

  // The settings offer to keep the log. The typed QSO stays in the form.
  await guest.fill("#callsignWorked", "19HALF");
  const second = await context.newPage();
  await second.goto(`${origin}/app/`);
  await becomes(second, isLog, "a second tab shows the form");
  await second.fill("#callsignWorked", "19OTHER");
  await guest.evaluate(() => { location.hash = "#settings"; });
  await look(guest, "app-session-settings");
  await guest.getByRole("button", { name: "Keep your log on this device" }).click();
  await becomes(guest, isInStep, "the app downloads the log that the member keeps");
  is(await guest.evaluate(() => window.app.storage.count()), 7, "the device has every QSO of the log");
  is(await guest.inputValue("#callsignWorked"), "19HALF", "the typed QSO is still in the form");
  await becomes(second, isInStep, "another tab also uses the log on this device");
  is(await second.inputValue("#callsignWorked"), "19OTHER", "the other tab keeps its typed QSO");
  await guest.evaluate(() => { location.hash = "#log"; });
  await logIt(guest);
  await isStored((items) => calls(items).includes("19HALF"), true, "the typed QSO is logged");
}, { allowed: [/ERR_FAILED/, /401/] });

// The notice's main button keeps the log.
await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(`${origin}/app/`);
  await becomes(page, isLog, "the app shows the form to a signed-in member");
  await page.getByRole("button", { name: "Keep it" }).click();
  await becomes(page, isInStep, "one tap keeps the log on this device");
  ok(!await page.evaluate(isAsking), "the app does not repeat the question once the log is kept");
}, { member: me, allowed: [/409 \(Conflict\).*\/profile\/data\/keys/] }); // the suggested name is already used

// A view whose code arrives late has no form yet. Otherwise the browser would submit the form, and the typed text would
// be lost.
await withBrowser(async (context) => {
  const page = await context.newPage();
  let arrive = null;
  await page.route("**/activation-page.js", (route) => { arrive = () => route.continue(); });
  await page.goto(`${origin}/app/#outing`);
  await waitUntil(async () => arrive !== null);
  await becomes(page, () => !document.getElementById("outing").hidden, "the view of an activation opens");
  is(await page.isVisible("#outing-form"), false, "the form of an activation waits for its code");
  await arrive();
  await page.fill("#outing-station", "13HN0");
  await page.click("#outing-form button");
  await becomes(page, () => document.getElementById("whose-log").innerText === "as 13HN0" && !document.getElementById("log").hidden, "the activation begins as soon as its code has arrived");
}, { member: me, device: { serviceWorkers: "block" }, allowed: [/Service Worker registration blocked/] });

// A session that has ended is reported, and the QSO stays in the form until the member has signed in again.
await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(`${origin}/app/`);
  await becomes(page, isLog, "the app shows the form to a signed-in member");
  await page.fill("#callsignWorked", "26AT77");
  await context.clearCookies();
  await logIt(page);
  await becomes(page, () => document.getElementById("signed-out"), "the app reports that the session has ended");
  is(await page.inputValue("#callsignWorked"), "26AT77", "the QSO stays in the form when the session has ended");
  await page.locator("#signed-out button").click();
  await page.fill("input[name=callsign]", callsign);
  await page.fill("input[name=password]", password);
  await page.click("main form button");
  await becomes(page, isLog, "the app shows the form again after the sign-in");
  is(await page.inputValue("#callsignWorked"), "26AT77", "the form has the typed QSO after the sign-in");
  await logIt(page);
  await isStored((items) => calls(items).includes("26AT77"), true, "the QSO is stored");

  // A link with a key works as before.
  await openByLink(page, newKey(callsign, "phone"));
  await becomes(page, isInStep, "a link with a key keeps the log on this device");
}, { member: me, allowed: [/401/] });
