// My log: a member adds, changes and deletes QSOs by keyboard, with the form of the app.
import { becomes, download, is, isAccessible, isStored, ok, origin, qso, save, tabTo, withBrowser } from "./browser.js";

const { QSOSYNC_CALLSIGN, QSOSYNC_PASSWORD } = process.env;

await withBrowser(async (context) => {
  await save(qso({ callsignWorked: "1AT7", qsoAt: "2026-01-02T03:04:05.678Z", notes: "loud", txPowerW: 4, antenna: "two\nlines" }));
  const page = await context.newPage();
  await page.goto(`${origin}/profile/#log`);
  await page.locator("#log-actions button").waitFor();

  // A new one.
  await tabTo(page, "#log-actions button");
  await page.keyboard.press("Enter");
  await becomes(page, () => document.activeElement?.id === "callsignWorked", "the form opens with the cursor in the callsign");
  await isAccessible(page, "the form in the profile is accessible");
  const folder = process.env.QSOSYNC_SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/profile-edit.png` });
  await page.keyboard.type("1at7");
  await becomes(page, () => /loud/.test(document.getElementById("known").textContent), "what was noted of the station is shown");
  await becomes(page, () => /1 .*not confirmed yet/.test(document.getElementById("known")?.innerText), "the form says that nobody has confirmed the division");
  await page.keyboard.press("Tab");
  await page.keyboard.type("57");
  await page.keyboard.press("Enter");
  await becomes(page, () => /1AT7/.test(document.querySelector("dialog [role=log]").textContent) && document.activeElement?.id === "callsignWorked", "a QSO is saved by Enter, and the next one may follow");
  await isStored((qsos) => qsos.filter((one) => one.rstSent === "57").map((one) => [one.callsignWorked, one.frequencyMhz, one.mode]), [["1AT7", "27.555", "USB"]], "it is stored as it was typed");
  await page.keyboard.press("Escape");
  await becomes(page, () => document.querySelectorAll("#qsos tbody tr").length === 2, "the list shows it");
  is((await page.evaluate(() => document.activeElement?.textContent)), await page.locator("#log-actions button").innerText(), "the cursor is where it was");

  // A change, by the keyboard alone; what the form does not show stays.
  const row = page.locator("#qsos tbody tr", { hasText: "1/2/26" }).or(page.locator("#qsos tbody tr").last()).last();
  await row.locator("summary").focus();
  await page.keyboard.press("Enter");
  await row.getByRole("button", { name: "Edit" }).focus();
  await page.keyboard.press("Enter");
  await becomes(page, () => document.getElementById("notes")?.value === "loud", "a QSO opens to be changed");
  await page.locator("#frequencyMhz").fill("29");
  await page.keyboard.press("Enter");
  await becomes(page, () => /26.000/.test(document.querySelector("#form .fault")?.textContent), "what would be refused is told at its field");
  await page.locator("#frequencyMhz").fill("27.185");
  await page.locator("#notes").fill("changed");
  await page.keyboard.press("Enter");
  await page.locator("dialog").waitFor({ state: "detached" });
  await isStored((qsos) => qsos.filter((one) => one.notes === "changed").map((one) => [one.frequencyMhz, one.txPowerW, one.qsoAt, one.antenna]), [["27.185", 4, "2026-01-02T03:04:05.678Z", "two\nlines"]], "the change is stored, and the rest as it was, also what the form shows in another way");

  // A deletion is taken back.
  await becomes(page, () => /27.185/.test(document.querySelector("#qsos tbody tr:last-child").textContent), "the list shows the change");
  const before = (await download()).find((one) => one.notes === "changed");
  await page.locator("#qsos tbody tr").last().locator("summary").click();
  await page.locator("#qsos tbody tr").last().getByRole("button", { name: "Delete" }).click();
  await becomes(page, () => document.activeElement?.closest(".note") !== null, "a deletion can be taken back at once");
  await isStored((qsos) => qsos.length, 1, "it is deleted");
  await page.keyboard.press("Enter");
  await isStored((qsos) => qsos.find((one) => one.notes === "changed")?.id, before.id, "taken back, it is the same QSO again");
  ok(await page.locator("dialog").count() === 0, "no dialog is left");
}, { member: { callsign: QSOSYNC_CALLSIGN, password: QSOSYNC_PASSWORD } });
