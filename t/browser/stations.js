// Tests a station, from the volunteer's first tap to the QSOs of two operators, offline and online, and to the
// station's public page.
import { becomes, clickTwice, drawn, is, look, ok, openSection, origin, readQrCode, waitFor, waitUntil, withBrowser } from "./browser.js";

const people = JSON.parse(process.env.QSOSYNC_PEOPLE);
let touches = 0;
async function signIn(page, { callsign, password }, next) {
  await page.goto(`${origin}/sign-in?next=${next}`);
  await page.fill("input[name=callsign]", callsign);
  await page.fill("input[name=password]", password);
  await page.click("main form button");
  await page.waitForURL(`${origin}/${next}`);
}
async function touch(page, selector) {
  touches++;
  await page.click(selector);
}

await withBrowser(async (context) => {
  const page = await context.newPage();
  await signIn(page, people[0], "operator/");
  await touch(page, "#tabs a[href='#stations']");
  await page.fill("#station-callsign", "14/AT0");
  await page.fill("#station-locator", "JN03");
  touches++;
  await clickTwice(page.locator("#station-add button"));
  await becomes(page, () => /Nobody may operate this station yet/.test(document.querySelector(".sheet")?.innerText), "a station is added, and its sheet is open");
  ok((await page.innerText("#stations-done")).startsWith("Station added."), "two clicks add it once", await page.innerText("#stations-done"));
  for (const { callsign } of people.slice(1)) {
    await page.fill(".sheet form input >> nth=0", callsign);
    await touch(page, ".sheet form button");
    await becomes(page, (name) => document.querySelector(".sheet .items")?.innerText.includes(name), `${callsign} may operate the station`, callsign);
  }
  is(touches, 4, "the volunteer needs four taps for a station with two operators");
  await page.fill(".sheet form input >> nth=0", "NOBODY");
  await page.click(".sheet form button");
  await becomes(page, () => /Member: must be a member's callsign/.test(document.getElementById("stations-done").innerText), "a callsign without a member is rejected in words");
  await look(page, "operator-stations");
}, { allowed: [/400/] });

await withBrowser(async (context) => {
  const page = await context.newPage();
  await signIn(page, people[1], "profile/");
  await page.waitForSelector("#log-as-menu", { state: "attached" });
  await page.click("#account summary");
  is(await page.locator("#log-as-menu ~ a[href*='./']:not(.of-row, .of-bar)").allInnerTexts(), [people[1].callsign, "14/AT0"], "the account menu lists the available logs");
  await page.click("#account >> text=14/AT0");
  await becomes(page, () => document.getElementById("member")?.innerText.startsWith("14/AT0") && document.body.className === "of-station", "two taps open the log of the station");
  is(await page.innerText(".top .as"), "as 14/AT0", "the head names the station whose log is open");
  await page.goto(`${origin}/cluster/`);
  await page.click("#account summary");
  is(await page.locator("#account a[href*='/profile/']:not(.of-row, .of-bar)").allInnerTexts(), [people[1].callsign, "14/AT0"], "the account menu of each page lists the logs");
  is(await page.innerText("#account [aria-current=true]"), people[1].callsign, "other pages show the member's own log as the current log");
  await page.click("#account >> text=14/AT0");
  await page.waitForSelector(".of-station .top .as");
  await openSection(page, "profile");
  await becomes(page, () => document.getElementById("state-deleted")?.innerText === "0", "the station has a list of settings");
  is(await page.locator(".settings b:visible").allInnerTexts(), ["Log as", "My QSL card", "Language", "Channel plan on 11 m", "Keys", "Upload from other programs", "DX cluster", "Import a file", "Download", "Changes and undo", "Deleted QSOs", "Am I in the log?", "Offline log", "Documentation", "Sign out"], "personal rows are hidden");
  await look(page, "profile-of-station");
  await openSection(page, "profile/log-page");
  await page.waitForSelector("#log-page");
  await look(page, "profile-station");
  await page.check("#log-page");
  await page.waitForSelector("#log-page-place svg.qr");
  is(await readQrCode(context, page.locator("#log-page-place svg.qr")), `${origin}/log/14-AT0`, "a switch turns on the public page, and shows a QR code for cards");

  // The app has two logs, the personal log and the station's log, each with its own QSOs.
  const app = await context.newPage();
  await app.goto(`${origin}/app/`);
  await app.click("#keep");
  await waitFor(app, () => window.app?.line && !document.getElementById("log").hidden);
  const log = async (callsign) => {
    await app.fill("#callsignWorked", callsign);
    await app.click("#form .save");
    await becomes(app, (call) => document.body.innerText.includes(call) && document.getElementById("callsignWorked").value === "", `${callsign} is logged`, callsign);
  };
  await log("1AT1");
  await app.goto(`${origin}/profile/?log=14%2FAT0#profile/log-as`);
  await app.click("#log-in-app >> text=Open the app");
  await becomes(app, () => document.getElementById("setup-station").value === "14/AT0", "the profile of a station links to its log in the app");
  await app.click("#setup-form button");
  await becomes(app, () => document.getElementById("whose-log").innerText === "14/AT0" && document.body.classList.contains("of-station"), "the app names the open log, and uses another colour");
  ok(!(await app.innerText("main")).includes("1AT1"), "the log of the station has no personal QSOs");
  await look(app, "app-station");
  await context.setOffline(true);
  await log("19DX1");
  await context.setOffline(false);
  await becomes(app, () => window.app.outbox.size === 0, "the app sends a QSO that was logged offline");
  await app.evaluate(() => { location.hash = "#settings"; });
  await app.click("#logs >> text=Open my log");
  await becomes(app, () => document.getElementById("whose-log").hidden && document.body.innerText.includes("1AT1") && !document.body.innerText.includes("19DX1"), "the personal log has its own QSOs");
  await app.close();

  // History and statistics name the operator.
  await page.goto(`${origin}/profile/?log=14%2FAT0#history`);
  await becomes(page, (name) => document.getElementById("acts").innerText.includes(`${name}, App`), "the history names the operator", people[1].callsign);
  await openSection(page, "log");
  await becomes(page, (name) => document.getElementById("operators")?.innerText.includes(name), "the statistics name the operator", people[1].callsign);
  await page.evaluate(() => document.querySelector("#account.menu summary").click());
  await page.click("#account form button");
  await page.waitForSelector("dialog");
  ok((await page.innerText("dialog")).includes(`${people[1].callsign}, 14/AT0`), "a member who signs out is asked about both logs");
  await page.click("dialog >> text=Remove it and sign out");
  await page.waitForURL(`${origin}/`);
  is(await page.evaluate(async () => (await indexedDB.databases()).length), 2, "both logs' databases still exist");
  const app2 = await context.newPage();
  await app2.goto(`${origin}/app/`);
  await becomes(app2, () => !document.getElementById("setup").hidden, "both databases are empty");
}, { allowed: [/ERR_INTERNET_DISCONNECTED/, /401 .*\/profile\/data\/revision/] });

// Anybody can use the public page. The second operator's page reports that the grant has ended.
await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(`${origin}/log/14-AT0`);
  await becomes(page, () => /1/.test(document.getElementById("numbers").innerText), "the public page of the station shows its numbers");
  await page.fill("#call", "19-dx-1");
  await page.click("#ask button");
  await becomes(page, () => /Yes, 19-DX-1 is in the log/.test(document.getElementById("answer").innerText), "a callsign in the log is confirmed");
  ok(!/\d\d:\d\d/.test(await page.innerText("#answer")), "the confirmation shows no time");
  await look(page, "station-page");
  let letGo = null;
  await page.route("**/worked?*", (route) => { letGo = () => route.continue(); }, { times: 1 });
  await page.click("#ask button");
  await waitUntil(async () => letGo !== null);
  await page.fill("#call", "1AT1");
  await page.click("#ask button");
  await becomes(page, () => /not in the log/.test(document.getElementById("answer").innerText), "a callsign that is not in the log is reported as missing");
  await Promise.all([page.waitForResponse("**/worked?*"), letGo()]);
  await drawn(page);
  ok(/not in the log/.test(await page.innerText("#answer")), "a late answer does not replace a newer answer");
  await signIn(page, people[2], "profile/");
  await openSection(page, "profile/log-as");
  await page.click("#logs a >> nth=1");
  await page.waitForSelector(".of-station #member");
  const headers = { Cookie: process.env.QSOSYNC_COOKIE, Origin: origin, "Content-Type": "application/json" };
  const { items: [station] } = await (await fetch(`${origin}/operator/data/stations`, { headers })).json();
  await fetch(`${origin}/operator/data/stations/${station.number}/revoke`, { method: "POST", headers, body: JSON.stringify({ member: people[2].callsign }) });
  await openSection(page, "profile/history");
  await becomes(page, () => /can't use this station's log now/.test(document.getElementById("offer").innerText), "an open page reports that the grant has ended");
}, { allowed: [/403/] });
