// Tests possible duplicates in Logbook. The chip shows pairs and the result of a merge. A pair is merged or marked as
// two contacts, and both actions can be undone.
import { api, becomes, is, isAccessible, isTooWide, look, openChip, origin, qso, save, tabTo, withBrowser } from "./browser.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const count = async () => (await (await api("GET", "/logs?limit=100")).json()).items.length;
const one = (more) => qso({ qsoAt: "2026-05-17T19:42:00Z", callsignWorked: "26AT101", frequencyMhz: "27.555", mode: "USB", ...more });
const texts = (page, selector) => page.$$eval(`#doubles ${selector}`, (all) => all.map((each) => each.innerText));
const says = (text) => document.querySelector("#doubles [role=status]")?.innerText === text;
const offersChoices = () => document.querySelectorAll("#doubles li button").length === 2;
async function toggle(page) {
  await openChip(page, "More");
  await page.click("#doubles-chip");
}
const MERGED = "The two QSOs are now one.";

await withBrowser(async (context) => {
  await save(one({ notes: "of the app", rstSent: "59" }), one({ qsoAt: "2026-05-17T19:42:30Z", rstReceived: "57", rstSent: "55" }), one({ callsignWorked: "26AT102" }));
  const page = await context.newPage();
  await page.goto(`${origin}/profile/#log`);
  await page.waitForSelector("#qsos .rows li");
  is(await page.getAttribute("#doubles-chip", "aria-pressed"), "false", "the chip is off at first");
  await openChip(page, "More");
  await tabTo(page, "#doubles-chip");
  await page.keyboard.press("Enter");
  await becomes(page, () => document.querySelectorAll("#doubles li").length === 1, "the chip shows one pair");
  is([await page.getAttribute("#doubles-chip", "aria-pressed"), await page.isVisible("#qsos")], ["true", false], "the pair is shown instead of the list");
  const kept = await texts(page, ":is(ins, dd > b)");
  is([await texts(page, "del"), kept.includes("59"), kept.includes("57")], [["17 May 2026, 19:42:00", "55"], true, true], "the pair shows the values that a merge drops and keeps");
  await isAccessible(page, "the pair is accessible to screen readers");
  is(await page.evaluate(isTooWide), null, "the pair is not wider than the screen");
  await look(page, "profile-doubles");

  await tabTo(page, "#doubles li button");
  await page.keyboard.press("Enter");
  await becomes(page, says, "the first button merges the pair", MERGED);
  is([await count(), await page.evaluate(() => document.activeElement?.innerText)], [2, "Undo"], "one QSO remains, and the focus is on Undo");
  const [merged] = (await (await api("GET", "/logs?limit=100")).json()).items.filter((each) => each.callsignWorked === "26AT101");
  is([merged.qsoAt, merged.rstSent, merged.rstReceived, merged.notes], ["2026-05-17T19:42:30.000Z", "59", "57", "of the app"], "the merged QSO has the values that the page showed");
  await page.keyboard.press("Enter");
  await becomes(page, offersChoices, "Undo offers the choices again");
  is(await count(), 3, "both QSOs are in the log again");

  await page.click("#doubles li >> text=Not the same");
  await becomes(page, says, "the second button marks the pair as two contacts", "Both QSOs are kept.");
  await toggle(page);
  await toggle(page);
  await becomes(page, () => document.getElementById("doubles").innerText.includes("No pair of QSOs looks like one contact."), "a pair of two contacts leaves the list");
  await page.reload();
  await page.waitForSelector("#qsos .rows li");
  await toggle(page);
  await becomes(page, () => document.getElementById("doubles").innerText.includes("No pair of QSOs looks like one contact."), "a reload does not list the pair again");
  await save(one({ notes: "a third", rstSent: "59" }));
  await toggle(page);
  await toggle(page);
  await becomes(page, () => document.querySelectorAll("#doubles li").length === 2, "a third QSO makes a pair with each of the two");
  await page.click("#doubles li >> text=Not the same");
  await becomes(page, says, "one of the new pairs is marked as two contacts", "Both QSOs are kept.");
  await page.click("#doubles li >> text=Undo");
  await becomes(page, () => document.querySelectorAll("#doubles li button").length === 4, "the mark can be undone");
  await page.click("#doubles li:last-child >> text=Merge");
  await becomes(page, says, "a button merges the other pair", MERGED);
  await page.fill("#search-text", "app");
  await becomes(page, () => document.querySelectorAll("#qsos .rows li").length === 1 && document.getElementById("doubles").hidden, "a filter shows the list again");
  await page.goto(`${origin}/profile/#history`);
  await becomes(page, () => document.getElementById("acts").innerText.includes("Merged two QSOs with 26AT101"), "the history names the merge");
}, { member });
