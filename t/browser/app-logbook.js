// Compares Logbook in the app, which reads the log on the device, with Logbook in the profile, which requests the log
// from the service. Each filter and each sort order shows the same rows. Both have the same keyboard shortcuts.
import { becomes, clickTwice, fromMenu, is, isAccessible, isStored, ok, openByLink, origin, qso, save, signIn, waitFor, withBrowser } from "./browser.js";
import { isInStep } from "./device.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const WISHES = ["", "text=bari", "text=norway", "text=27%2C555", "text=may", "band=PMR446", "mode=FM", "mode=none", "year=2025", "confirmed=yes", "confirmed=no",
  "qslSent=yes", "qslReceived=no", "division=20", "square=JO", "square=JO59jw", "callsign=1-at", "from=2025-05", "to=2025", "from=2025-05-03&to=2025-05-03",
  "from=2025&to=2024", "band=ELEVEN_METERS&year=2026&callsign=26", "sort=time", "sort=callsign", "sort=band", "sort=mode", "sort=division", "sort=square",
  "sort=distance", "sort=-distance", "year=2026&sort=-distance"];
const FIRST = Date.UTC(2025, 3, 28, 3);
const entries = Array.from({ length: 90 }, (_, n) => qso({
  callsignWorked: ["1AT101", "26AT7", "20AT33", "161/21SD5", "HEIDE 3", null][n % 6], qsoAt: new Date(FIRST + n * 6.5 * 86400000 + n * 61000).toISOString(),
  ...(n % 9 === 4 ? { band: "PMR446", channel: 1 + (n % 16), frequencyMhz: undefined } : { frequencyMhz: (27.405 + (n % 30) / 200).toFixed(3) }),
  mode: ["USB", "FM", null, "LSB"][n % 4] ?? undefined, dxLocator: ["IO91wm", "JO59jw", "jn61", undefined][n % 4], notes: n % 7 ? undefined : "Bari, strong",
  ...(n % 5 === 0 ? { dxLat: 41.1, dxLng: 16.9 } : {}), qslSent: n % 3 === 0, qslReceived: n % 8 === 0,
}));
// Returns the texts of the rows. Only the service's page marks the QSOs that were new.
const rowsOf = (page) => page.evaluate(() => [...document.querySelectorAll("#qsos .q")].map((row) =>
  row.innerText.replace(row.querySelector(".badge.new")?.innerText ?? "", "").replace(/\s+/g, " ")));

await withBrowser(async (context) => {
  await save(...entries);
  await signIn(context, member);
  const app = await context.newPage();
  await openByLink(app, process.env.QSOSYNC_WRITE_KEY);
  await becomes(app, isInStep, "the app is up to date");
  const log = await context.newPage();
  await app.goto(`${origin}/app/#list`);
  await becomes(app, () => location.hash === "#logbook" && document.querySelectorAll("#qsos .q").length === 50, "an old address opens Logbook");
  await log.goto(`${origin}/profile/#log`);
  await waitFor(log, () => document.querySelectorAll("#qsos .q").length === 50);
  for (const wish of WISHES) {
    const [inApp, inLog] = await Promise.all([["logbook", app], ["log", log]].map(async ([name, page]) => {
      // The mark disappears when the rows for the new address replace the current rows.
      await page.evaluate((hash) => {
        document.querySelector("#qsos .row-list").append(document.createElement("i"));
        location.hash = hash;
      }, `#${name}?${wish || "sort="}`);
      await waitFor(page, () => !document.querySelector("#qsos .row-list > i") && document.getElementById("qsos").getAttribute("aria-busy") === null);
      return rowsOf(page);
    }));
    is(inApp, inLog, `the device and the service show the same QSOs: ${wish || "all"}`);
  }
  for (const page of [app, log]) await page.evaluate(() => document.getElementById("search-clear").click());
  await becomes(app, () => location.hash === "#logbook" && document.querySelectorAll("#qsos .q").length === 50, "one click removes the filter");
  await app.getByRole("button", { name: "Show more" }).click();
  await becomes(app, () => document.querySelectorAll("#qsos .q").length === 90, "a click on Show more adds the remaining QSOs");
  await becomes(app, () => document.getElementById("shown").textContent === "90 QSOs", "the page shows the number of QSOs");

  // The keys work as in the profile.
  await app.bringToFront();
  await app.keyboard.press("/");
  is(await app.evaluate(() => document.activeElement.id), "search-text", "the key / moves the cursor into the search");
  await app.locator("#search-text").blur();
  await app.keyboard.press("?");
  await becomes(app, () => document.querySelector("dialog")?.innerText.includes("Previous or next QSO"), "the key ? lists the keys");
  await app.keyboard.press("Escape");
  await app.locator("#qsos .q").nth(0).focus();
  await app.keyboard.press("ArrowDown");
  await app.keyboard.press("Enter");
  await becomes(app, () => document.activeElement?.id === "sheet-title", "Enter opens the details, and moves the focus to their title");
  await isAccessible(app, "the details of a QSO are accessible");
  await becomes(app, () => document.querySelector(".sheet .disc"), "the details show the direction");
  await becomes(app, () => /Earlier with/.test(document.querySelector(".sheet").innerText), "the details show earlier QSOs with the station");
  await app.keyboard.press("ArrowUp");
  await becomes(app, () => document.querySelector("#qsos .q").matches("[aria-current]"), "an arrow key shows the details of the next row");

  // A QSO is edited inside the sheet. Closing the sheet asks before the typed text is lost.
  await app.keyboard.press("e");
  await becomes(app, () => document.querySelector(".sheet #form") && document.querySelector(".sheet #notes").checkVisibility(), "the key E opens the form in the details");
  await isAccessible(app, "the form in the details is accessible");
  await app.locator("#notes").fill("half a note");
  await app.keyboard.press("Escape");
  await becomes(app, () => /Discard your changes/.test(document.querySelector("dialog:modal")?.innerText), "Esc asks whether to discard the changes");
  await app.keyboard.press("Escape");
  await becomes(app, () => !document.querySelector("dialog:modal") && document.querySelector(".sheet #notes")?.value === "half a note", "a declined question keeps the typed text");
  await app.locator(".sheet #notes").press("Escape");
  await app.getByRole("button", { name: "Discard them" }).click();
  await becomes(app, () => !document.querySelector(".sheet") && document.querySelector("#log #form") && document.activeElement === document.querySelector("#qsos .q"), "the form is closed, and the focus returns to the row");
  await app.keyboard.press("e");
  await becomes(app, () => document.querySelector(".sheet #notes")?.value === "", "the form no longer has discarded text");
  await app.locator("#notes").fill("a whole note");
  await app.locator("#notes").press("Enter");
  await becomes(app, () => /a whole note/.test(document.querySelector(".sheet")?.innerText) && !document.querySelector(".sheet #form"), "after saving, the details show the change");
  await isStored((qsos) => qsos.filter(({ notes }) => notes === "a whole note").length, 1, "the change is stored");
  await becomes(app, isInStep, "the app is up to date after the change");
  await becomes(app, () => !document.querySelector("#qsos .wait"), "no row waits");
  const [gone, kept] = await rowsOf(app);
  await clickTwice(await fromMenu(app, "Delete"));
  await becomes(app, (text) => document.querySelectorAll("#qsos .q").length === 89 && document.activeElement?.innerText.replace(/\s+/g, " ") === text,
    "a deleted row leaves the list, and the focus moves to the next row", kept);
  await app.keyboard.press("Control+z");
  await becomes(app, (text) => document.querySelectorAll("#qsos .q").length === 90 && document.activeElement?.innerText.replace(/\s+/g, " ") === text,
    "Ctrl+Z puts the row back in its place", gone);
  await becomes(app, isInStep, "the app is up to date after a deletion was undone");
  await isStored((qsos) => qsos.length, 90, "no QSO is lost");
  ok(await app.evaluate(() => document.querySelectorAll("#qsos .wait").length === 0), "no QSO waits");

  // The foot of the details has a menu, and a link to the card.
  for (const width of [1440, 360]) {
    await app.setViewportSize({ width, height: 700 });
    await app.locator("#qsos .q").first().click();
    const remove = await fromMenu(app, "Delete");
    await becomes(app, () => document.activeElement.closest(".sheet-foot .popover"), `${width}: the focus moves into the menu`);
    await isAccessible(app, `${width}: the menu is accessible`);
    await app.evaluate(() => window.app.logbook.list.show());
    ok(await remove.isVisible(), `${width}: the menu stays open when the list is renewed`);
    await app.keyboard.press("Escape");
    await remove.waitFor({ state: "hidden" });
    is(await app.evaluate(() => [document.querySelectorAll(".sheet").length, document.activeElement.getAttribute("aria-label")]), [1, "More"],
      `${width}: Esc closes only the menu, and the focus returns to its button`);
    await app.keyboard.press("Escape");
    await app.locator(".sheet").waitFor({ state: "detached" });
  }
  for (const [filter, name, card] of [["yes", "QSL card", "dialog:not(.sheet) .qsl"], ["no", "Send a card", "#card-form"]]) {
    await app.goto(`${origin}/app/#logbook?confirmed=${filter}&callsign=26`);
    await app.reload();
    await app.locator("#qsos .q").first().click();
    await app.locator(".sheet-foot").getByRole("link", { name }).click();
    await app.locator(card).waitFor();
    ok(/26-?AT-?7/i.test(await app.textContent("dialog")), `${name}: the details link to the card of the QSO`);
    is(new URL(app.url()).hash, "#cards", `${name}: the QSO disappears from the address`);
  }
}, { member });
