// Tests the paper log: lines, names on PMR446, faults, unclear words, corrections and pasted lines.
import { becomes, is, isStored, look, openByLink, origin, withBrowser } from "./browser.js";
import { isInStep } from "./device.js";

await withBrowser(async (context) => {
  const page = await context.newPage();
  await openByLink(page, process.env.QSOSYNC_WRITE_KEY);
  await becomes(page, isInStep, "the app is up to date");
  await page.goto(`${origin}/app/#lines`);
  const field = page.locator("#typed");
  const pieces = () => page.locator("#pieces > div").evaluateAll((all) => all.map((one) => [one.className, ...[...one.children].map((part) => part.textContent)].join("|")));
  const enter = async (...lines) => {
    for (const line of lines) {
      await field.fill(line);
      await field.press("Enter");
    }
  };
  await enter("date 2026-05-17 ch 8 fm", "2561 26at102 55");
  is([await page.locator("#line-told").textContent(), await field.inputValue()], ["The time must be from 0000 to 2359.", "2561 26at102 55"], "a line with an invalid time is not stored, and stays in the field");
  await field.fill("1930 26at101 57 55");
  is(await pieces(), ["from-above|Date|17 May 2026", "|Time|19:30", "|Callsign|26AT101", "from-above|Frequency|PMR 8 FM", "|Sent|57", "|Received|55"], "the parts of a line are shown, and those of the line above are grey");
  await look(page, "paper-log");
  await field.press("Enter");
  is(await field.inputValue(), "", "Enter empties the field for the next line");
  await enter("1 Peter Müller 59 57 loud");
  const stored = (items) => items.map((one) => [one.qsoAt.slice(11, 16), one.callsignWorked, one.notes, one.channel, one.rstSent, one.rstReceived]).sort();
  await isStored(stored, [["19:30", "26AT101", null, 8, "57", "55"], ["19:31", null, "Name: Peter Müller\nloud", 8, "59", "57"]], "each line is stored with the values of the lines above, and a name as a name");
  await becomes(page, () => document.querySelectorAll("#paper-rows .q").length === 2, "the typed QSOs are listed");

  is(await page.locator("#paper-figures dd").allInnerTexts().then(([lines, , squares]) => [lines, squares]), ["2", "0"], "the lines that were typed are counted");

  // The last line is corrected.
  await field.press("ArrowUp");
  is(await field.inputValue(), "1 Peter Müller 59 57 loud", "the key Up restores the last line");
  await enter("2 Peter Müller 59 57 loud");
  await isStored((items) => stored(items).map(([time]) => time), ["19:30", "19:32"], "a corrected line replaces the QSO instead of adding one");

  // The page asks about an unclear word.
  await field.fill("27.555 usb 1915 19lr03 59 5 jo22");
  is([await page.locator("#asked h3").textContent(), await page.locator("#asked .option b").allTextContents(), await page.locator("#pieces .unclear dd").textContent()],
    ["5 is", ["RST received 55", "RST received 5", "Part of the notes"], "55"], "the page asks about a report with one digit, and marks its usual meaning");
  await look(page, "paper-log-ask");
  await page.locator("#asked input").nth(1).check();
  is(await page.locator("#pieces .unclear dd").textContent(), "5", "an answer changes the part");
  await page.locator("#asked input").nth(1).press("Enter");
  await isStored((items) => items.filter(({ callsignWorked }) => callsignWorked === "19LR03").map(({ rstReceived }) => rstReceived), ["5"], "the QSO is stored with the chosen meaning");
  await becomes(page, () => [...document.querySelectorAll("#paper-figures dd")].map((one) => one.innerText).filter((_, place) => place !== 1).join() === "3,+1",
    "a line with a new square is counted");

  // Several lines are pasted. The lines wait, even if the page is loaded again.
  await field.fill("1940 1at1\n41 1at2\n99 1at3\n43 1at4");
  await page.reload();
  await becomes(page, () => document.getElementById("typed").value === "1940 1at1", "typed lines stay after a reload");
  await page.click("#save-lines");
  await becomes(page, () => document.getElementById("typed").value === "99 1at3" && document.getElementById("line-told").className === "bad",
    "pasted lines are stored up to a wrong line");
  await field.fill("42 1at3");
  await page.click("#save-lines");
  await isStored((items) => items.filter(({ callsignWorked }) => /^1AT/.test(callsignWorked ?? "")).map(({ callsignWorked, qsoAt, frequencyMhz }) => [callsignWorked, qsoAt.slice(0, 16), frequencyMhz]).sort(),
    [["1AT1", "2026-05-17T19:40", "27.555"], ["1AT2", "2026-05-17T19:41", "27.555"], ["1AT3", "2026-05-17T19:42", "27.555"], ["1AT4", "2026-05-17T19:43", "27.555"]], "all pasted lines are stored with the values of the lines above");
  await look(page, "paper-log-sum");
});
