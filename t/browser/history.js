// Tests the sections for changes and for deleted QSOs: acts and their changes, and undoing despite later changes by
// other programs.
import { api, becomes, clickTwice, fromMenu, HOSTILE, is, isTooWide, look, ok, openSection, origin, qso, save, tabTo, withBrowser } from "./browser.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const tablet = process.env.QSOSYNC_TABLET; // another key of the member, named "tablet"
const notesOf = async () => {
  const { items } = await (await api("GET", "/logs?limit=100")).json();
  return items.map((item) => item.notes).sort().join(" ");
};
const send = (key, ...entries) => api("POST", "/logs/batch", { entries }, key);

await withBrowser(async (context) => {
  const qsos = [1, 2, 3, 4].map((number) => qso({ callsignWorked: `26X${number}`, notes: "first" }));
  await save(...qsos);
  await send(tablet, ...qsos.slice(0, 3).map((one) => ({ ...one, notes: HOSTILE })));
  await api("DELETE", `/logs/${qsos[3].clientId}`, null, tablet);
  await save({ ...qsos[0], notes: "third" });

  const page = await context.newPage();
  await page.goto(`${origin}/profile/#history`);
  await becomes(page, () => document.querySelectorAll("#acts > .items > li:not(.day)").length === 3, "each run of one writer is an act");
  const act = page.locator("#acts > .items > li:not(.day)", { hasText: "tablet" });
  ok(/3 changed, 1 deleted/.test(await act.innerText()), "an act shows the number of its changes", await act.innerText());
  ok(/^\d\d:\d\d\nChanged 4 QSOs\n/.test(await act.innerText()), "an act is one row, with its time and a description of its changes", await act.innerText());
  await act.locator(".opens").click();
  await becomes(page, () => document.querySelectorAll(".sheet ins").length >= 3, "each changed field is shown, with its old value next to the new value");
  ok(/first becomes/.test(await page.locator(".sheet .change", { hasText: "first" }).first().textContent()), "screen readers announce the old and the new value");
  ok((await page.locator(".sheet").innerText()).includes("<script>document.title"), "markup in a field shows as text");
  is(await page.evaluate(() => [document.title, document.querySelectorAll(":is(#acts, .sheet) :is(img, script)").length]), ["Profile - QSOsync", 0], "markup in a field has no effect");
  await look(page, "profile-history");
  await page.keyboard.press("Escape");

  // Chips filter the acts. A filter is in the address.
  const titles = () => [...document.querySelectorAll("#acts .opens")].map((one) => one.innerText).join();
  const kinds = page.locator("#history-kinds");
  await kinds.getByText("Deleted", { exact: true }).click();
  await becomes(page, () => document.querySelectorAll("#acts .opens").length === 1, "a chip shows only acts that deleted QSOs");
  is(await page.evaluate(() => document.activeElement.textContent), "Deleted", "the chip keeps the focus");
  await page.reload();
  await becomes(page, () => document.querySelectorAll("#acts .opens").length === 1 && document.querySelector("#history-kinds [aria-current]")?.innerText === "Deleted", "a filter survives a reload");
  await kinds.getByText("Imports", { exact: true }).click();
  await becomes(page, () => document.getElementById("acts").innerText.includes("No changes of this kind"), "a filter without acts says so");
  await page.goBack();
  await becomes(page, () => document.querySelectorAll("#acts .opens").length === 1, "going back shows the previous filter");
  await page.locator("#acts .opens").click();
  await page.locator(".sheet").getByText("All changes by this program").click();
  await becomes(page, () => document.querySelector("#history-kinds [aria-current]")?.innerText === "tablet" && document.querySelectorAll("#acts .opens").length === 1, "the changes of one program are shown, with its name on a chip");
  ok((await page.evaluate(titles)).includes("Changed 4 QSOs"), "these changes include all kinds");
  await look(page, "profile-history-filter");
  await kinds.getByText("All", { exact: true }).click();
  await becomes(page, () => document.querySelectorAll("#acts .opens").length === 3, "all acts are shown again");
  await openSection(page, "profile/deleted");
  await becomes(page, () => document.querySelectorAll("#deleted-qsos .items > li").length === 1, "a deleted QSO is listed");
  await look(page, "profile-deleted");

  // Restores one QSO, by keyboard only.
  await page.focus("#deleted-title");
  await tabTo(page, "#deleted-qsos .items li button");
  await page.keyboard.press("Enter");
  await becomes(page, () => document.querySelector(".toasts")?.innerText.startsWith("Done: 1 restored."), "a deleted QSO is restored with only the keyboard");
  is(await page.locator("#deleted-qsos .items > li").count(), 0, "a restored QSO leaves the list of deleted QSOs");
  await openSection(page, "profile/history");
  await becomes(page, () => document.querySelectorAll("#acts > .items > li:not(.day)").length === 4, "restoring a QSO is a separate act");

  // An act is undone. Later changes by another program stay unless the member selects them.
  const again = page.locator("#acts > .items > li:not(.day)", { hasText: "tablet" });
  const sheet = page.locator(".sheet");
  const ask = async () => {
    await again.locator(".opens").click();
    await sheet.getByRole("button", { name: "Undo everything this program has done since then" }).click();
    await sheet.locator(".group").first().waitFor();
  };
  const outcome = (text) => becomes(page, (wanted) => [...document.querySelectorAll(".toasts > *")].some((one) => one.innerText.startsWith(wanted)), text[1], text[0]);
  await ask();
  ok(/2 QSOs will get their old values back/.test(await sheet.innerText()), "the preview counts the QSOs that change back", await sheet.innerText());
  ok(/1 QSO stays[^]*26X1[^]*changed later by/.test(await sheet.innerText()), "the preview names the QSOs that stay, with the reason", await sheet.innerText());
  is(await sheet.locator(".sheet-foot .main").innerText(), "Undo 2 changes", "the button counts the changes");
  await look(page, "profile-history-preview");
  await sheet.getByRole("button", { name: "Cancel" }).click();
  is((await notesOf()).includes("third"), true, "a preview changes nothing");
  await ask();
  await sheet.locator("text=Revoke its key first").click();
  await sheet.locator("text=The program's access is revoked.").waitFor();
  is((await api("GET", "/me", null, tablet)).status, 401, "a link revokes the program's key before the undo");
  await sheet.locator(".sheet-foot .main").click();
  await outcome(["Done: 2 restored", "an undo makes the changes that its preview listed"]);
  is(await notesOf(), "first first first third", "changes are undone, and later changes by another program stay");
  await ask();
  ok(await sheet.locator(".sheet-foot .main").isDisabled(), "the button is disabled if only later changes remain and none is chosen");
  await sheet.getByRole("button", { name: "Undo it, too" }).click();
  is(await sheet.locator(".sheet-foot .main").innerText(), "Undo 1 change", "the button also counts a chosen later change");
  await sheet.locator(".sheet-foot .main").click();
  await outcome(["Done: 1 restored", "a chosen later change is also undone"]);
  is(await notesOf(), "first first first first", "the chosen QSO has its earlier values");

  // An undo is undone.
  const undo = page.locator("#acts > .items > li:not(.day)", { hasText: "Undid 1 change" }).first();
  await page.evaluate(() => document.querySelectorAll(".toasts > *").forEach((one) => one.remove()));
  await undo.getByRole("button", { name: "Undo:" }).click();
  await outcome(["Done:", "an undo of one change can be undone without a preview"]);
  is(await notesOf(), "first first first third", "the log has the same QSOs as before the undo");

  // "Restore all" skips the QSOs from an undone import.
  const adif = Array.from({ length: 4 }, (_, n) => `<call:4>19A${n}<qso_date:8>20260517<time_on:4>194${n}<band:3>11m<freq:6>27.555<mode:2>AM<eor>`).join("\n");
  await context.request.post(`${origin}/profile/data/import`, { data: { adif, name: "evening.adi" }, headers: { Origin: origin } });
  await api("DELETE", `/logs/${qsos[2].clientId}`);
  await page.reload();
  const imported = page.locator("#acts > .items > li", { hasText: "evening.adi" });
  await imported.getByRole("button", { name: "Undo:" }).click();
  await sheet.locator(".group").waitFor();
  is(await sheet.locator("h2, .group h3").allInnerTexts(), ["Undo the import?", "4 QSOs will be deleted"], "the preview names the import");
  is(await sheet.locator(".items li").count(), 3, "the preview begins with three QSOs");
  await sheet.getByRole("button", { name: "Show them" }).click();
  is(await sheet.locator(".items li").count(), 4, "the preview can list all QSOs");
  await look(page, "profile-history-import");
  await sheet.locator(".sheet-foot .main").click();
  await outcome(["Done: 4 deleted.", "an import is undone"]);
  await openSection(page, "profile/deleted");
  await becomes(page, () => document.querySelectorAll("#deleted-qsos .items > li").length === 5, "undone QSOs are in the list of deleted QSOs");
  const gone = await page.locator("#deleted-qsos .items > li").allInnerTexts();
  is([gone.length, gone.filter((text) => /undone by/.test(text)).length, gone.filter((text) => /deleted by/.test(text)).length], [5, 4, 1], "undone QSOs are distinguished from deleted QSOs");
  await page.click("#bring-all-back");
  await becomes(page, () => document.querySelector(".sheet-foot .main")?.innerText === "Restore 1 QSO", "Restore all offers only the deleted QSO");
  await sheet.locator(".sheet-foot .main").click();
  await outcome(["Done: 1 restored.", "Restore all restores the deleted QSO"]);
  is(await page.locator("#bring-all").isVisible(), false, "Restore all is hidden if no deleted QSO remains");
  await clickTwice(page.locator("#deleted-qsos .items > li").first().getByRole("button", { name: "Restore" }));
  await becomes(page, () => document.querySelectorAll("#deleted-qsos .items > li").length === 3, "an undone QSO can be restored separately");
  await outcome(["Done: 1 restored.", "two clicks restore it once"]);

  // The history of one QSO is shown.
  await openSection(page, "log");
  await page.locator("#qsos .q", { hasText: "26X1" }).click();
  const row = page.locator(".sheet");
  await (await fromMenu(page, "History of this QSO")).click();
  await row.locator(".items li").nth(4).waitFor();
  ok((await row.innerText()).includes("tablet"), "a QSO lists its changes and their authors");

  // Acts are loaded page by page. Other languages fit on a narrow screen.
  for (let index = 0; index < 60; index++) await api("POST", "/logs/batch", { entries: [{ ...qsos[1], notes: `note ${index}` }] }, index % 2 ? process.env.QSOSYNC_PHONE : process.env.QSOSYNC_WRITE_KEY);
  await page.setViewportSize({ width: 320, height: 844 });
  for (const [language, word] of [["de", "Änderungen zurücknehmen"], ["nl", "Wijzigingen terugdraaien"]]) {
    await page.evaluate((name) => localStorage.setItem("qsosync-language", name), language);
    await page.goto("about:blank");
    await page.goto(`${origin}/profile/#history`);
    await becomes(page, () => document.querySelectorAll("#acts > .items > li:not(.day)").length === 50, `the newest acts are shown in ${language}`);
    ok((await page.innerText("#section-history")).includes(word), `the history is translated in ${language}`);
    is(await page.evaluate(isTooWide), null, `the history is not wider than 320 pixels in ${language}`);
  }
  await page.click("#acts > button");
  await becomes(page, () => document.querySelectorAll("#acts > .items > li:not(.day)").length > 60, "a click on Show more loads further acts");
}, { member, allowed: [] });
