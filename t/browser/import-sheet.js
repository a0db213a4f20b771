// Tests importing sheets. The page asks what a sheet does not decide, shows its columns with a menu above each, and
// previews the records of its rows. The choices are kept for the next file with the same columns.
import { readFileSync } from "node:fs";
import { becomes, is, isAccessible, look, ok, origin, withBrowser } from "./browser.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const sheets = new URL("../data/sheets/", import.meta.url);
// A workbook with a sheet that has no rows.
const EMPTY_ODS = [
  "UEsDBBQAAAAAAAAAIQA7pStwSAAAAEgAAAALAAAAY29udGVudC54bWw8b2ZmaWNlOnNwcmVhZHNoZWV0Pjx0YW",
  "JsZTp0YWJsZSB0YWJsZTpuYW1lPSJMb2ciLz48L29mZmljZTpzcHJlYWRzaGVldD5QSwECFAMUAAAAAAAAACEA",
  "O6UrcEgAAABIAAAACwAAAAAAAAAAAAAAgAEAAAAAY29udGVudC54bWxQSwUGAAAAAAEAAQA5AAAAcQAAAAAA",
].join("");
const file = (name, buffer = readFileSync(new URL(name, sheets))) => ({ name, mimeType: "text/csv", buffer });

await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(`${origin}/profile/#profile/import`);
  await page.waitForSelector("#drop");
  const choose = (name, buffer) => page.setInputFiles("#file", file(name, buffer));
  const isChecked = () => document.activeElement?.innerText === "Check the columns";
  const questions = () => page.locator("#report .question h3").allInnerTexts();
  const left = () => page.innerText("#report .step [role=status]");
  const preview = () => page.click("#report >> text=Show the preview");
  const isPreviewed = (text) => becomes(page, (wanted) => document.querySelector("#report .chip")?.innerText === wanted, `the preview has the records: ${text}`, text);
  const qsosWith = (callsign) => page.evaluate(async (call) => (await (await fetch(`data/qsos?callsign=${call}`)).json()).items, callsign);

  // The sheet that asks most: order, zone, lost zeros, reports, a callsign that became a number.
  await choose("easter.csv");
  await becomes(page, isChecked, "a sheet shows how it is read, and the title has the focus");
  is([await page.innerText("#report .step p"), await questions(), await left()],
    ["easter.csv · 10 rows", ["03/04/2026 is", "The times are in", "905 is", "You sent", "Row 4: 1.4E+11 is"], "4 questions left"],
    "each thing that the sheet does not decide is a question");
  is(await page.locator("#report th select").evaluateAll((menus) => menus.map((menu) => menu.selectedOptions[0].text)),
    ["Date", "Time", "Callsign", "Frequency", "Mode", "Report", "Report", "Locator", "Name", "Notes"],
    "the menu above each column has the recognised field");
  is(await page.locator("#report th small:last-child").allInnerTexts(),
    ["asked above", "asked above", "10 of 10 are callsigns", "10 of 10 can be read", "10 of 10 can be read", "asked above", "asked above",
      "10 of 10 are locators", "any text", "any text"], "below each header is the reason");
  is([await page.locator("#report tbody tr").count(), await page.locator("#report td.odd").allInnerTexts()], [10, ["1.4E+11"]],
    "ten rows are shown as they are in the file, and a changed cell is marked");
  await isAccessible(page, "the columns and the questions are accessible");
  await look(page, "import-columns");
  await preview();
  ok(await page.evaluate(() => document.activeElement?.matches("#report .question:first-child input")), "the button moves to the first open question");
  const answerAt = (index, option) => page.locator("#report .question").nth(index).locator("input[type=radio]").nth(option).check();
  await answerAt(0, 0);
  await page.locator("#report .question").nth(1).locator("select").selectOption("Europe/Berlin");
  is(await left(), "2 questions left", "a zone from the list is an answer");
  await answerAt(3, 0);
  await answerAt(4, 0);
  is(await left(), "", "no question is left");
  await look(page, "import-answered");
  await page.setViewportSize({ width: 1280, height: 844 });
  await preview();
  await isPreviewed("All · 10");
  await page.click("#report >> text=Import 10 QSOs");
  await becomes(page, () => document.querySelector("#report .added")?.innerText === "10 QSOs added", "the QSOs are added");
  is((await qsosWith("14E10")).map((qso) => [qso.qsoAt.slice(0, 16), qso.frequencyMhz, qso.mode, qso.rstSent, qso.rstReceived, qso.dxLocator, qso.notes]),
    [["2026-04-03T08:34", "27.565", "USB", "57", "55", "JN18du", "Name: Alain\nfrom his boat"]], "a row became the QSO that the answers describe");

  // The page lists earlier imports, and offers to type a paper log.
  await page.reload();
  await becomes(page, () => document.querySelectorAll("#earlier li").length === 2, "an earlier import is listed");
  is([(await page.innerText("#earlier li .item")).split("\n")[0], await page.innerText("#earlier .end"), await page.locator("#drop a").getAttribute("href")],
    ["easter.csv", "10", "../app/#lines"], "its row has the name of the file and the number of QSOs");
  await isAccessible(page, "the first view of the import is accessible");
  await look(page, "import-first");
  await page.setViewportSize({ width: 1280, height: 844 });
  await page.click("#earlier .opens");
  await becomes(page, () => document.querySelector(".sheet")?.innerText.includes("Imported easter.csv"), "its row opens the changes of the import");
  await page.keyboard.press("Escape");
  await becomes(page, () => !document.querySelector(".sheet"), "Escape closes the changes");

  // The choices are kept for the next file with the same columns, except those about single cells.
  await choose("easter.csv");
  await becomes(page, isChecked, "the same layout is shown again");
  is(await left(), "1 question left", "the choices of the last file with these columns are kept, and the changed callsign is asked again");
  await answerAt(4, 0);
  await preview();
  await becomes(page, () => document.querySelector("#report h3")?.innerText === "All of it is in your log", "the same sheet again brings nothing");

  // A file that decides by itself does not take the order of an earlier file.
  const header = readFileSync(new URL("easter.csv", sheets), "utf8").split("\n")[0];
  await choose("american.csv", Buffer.from(`${header}\n04/05/2025,1905,26AT777,27555,USB,59,57,IO91wm,,\n04/13/2025,1912,26AT778,27555,USB,59,59,JO22hc,,\n`));
  await becomes(page, isChecked, "a file with the same columns and other dates is shown");
  is(await left(), "", "its other choices are kept");
  await preview();
  await isPreviewed("All · 2");
  await page.click("#report >> text=Import 2 QSOs");
  await becomes(page, () => document.querySelector("#report .added")?.innerText === "2 QSOs added", "it is imported");
  is((await qsosWith("26AT777")).map(({ qsoAt }) => qsoAt.slice(0, 16)), ["2025-04-05T17:05"], "its dates have the order that the file itself decides");

  // A column gets another field.
  const simple = Buffer.from("Call;Date;UTC;QRG;Extra\n26AT101;2026-05-03;12:40;27,555;club night\n26AT102;2026-05-03;12:44;27,555;\n");
  await choose("simple.csv", simple);
  await becomes(page, isChecked, "a sheet without questions shows its columns");
  is([await questions(), await left()], [[], ""], "nothing is asked about a sheet that decides everything");
  await page.locator("#report th select").nth(4).selectOption("notes");
  await becomes(page, () => document.querySelectorAll("#report th")[4].innerText.includes("any text"), "a column gets another field from its menu");
  await preview();
  await isPreviewed("All · 2");
  await page.click("#report >> text=Import 2 QSOs");
  await becomes(page, () => document.querySelector("#report .added")?.innerText === "2 QSOs added", "the sheet is imported");
  is((await qsosWith("26AT101")).map(({ notes }) => notes).sort(), ["Name: Dave\n5 el yagi", "club night"], "the column became notes");

  // Rejected rows are named as the spreadsheet program names them, and formulas are text.
  await choose("broken.csv");
  await becomes(page, isChecked, "a broken sheet is read");
  await answerAt(0, 0);
  await answerAt(1, 0);
  await preview();
  await isPreviewed("All · 7");
  const report = await page.innerText("#report");
  ok(["row 5", "row 7", "row 10", "row 11", "row 13"].every((row) => report.includes(row)), "rejected rows have their numbers in the sheet", report);
  ok(report.includes("row 8") && report.includes("not a QSO: rest of the evening lost"), "a note between the rows is named");
  await isAccessible(page, "the preview with remarks is accessible");
  await look(page, "import-remarks");
  await page.setViewportSize({ width: 1280, height: 844 });

  // The page asks for an unknown encoding, and for the plan of channels if none is set.
  await choose("german-excel.csv");
  await becomes(page, () => document.activeElement?.innerText === "Which encoding does this file use?", "a sheet that is not UTF-8 asks for its encoding");
  await page.click("#report >> text=Western European (CP1252)");
  await preview();
  await becomes(page, isChecked, "after the answer, the columns are shown");
  ok((await page.innerText("#report tbody")).includes("schöner Empfang"), "the cells are decoded");
  await choose("channels-as-frequency.csv");
  await becomes(page, isChecked, "a sheet with channels is shown");
  is(await questions(), ["Row 3: 9 is"], "the page asks about a number that can be a channel; these channels are the same in the plans that are usual for the member");
  const channels = Buffer.from("Date,UTC,Call,Channel,Band\n2026-05-03,12:40,26AT101,55,11m\n2026-05-03,12:44,26AT102,9,11m\n");
  await choose("asked.csv", channels);
  await becomes(page, () => document.querySelector("#report .step p")?.innerText.startsWith("asked.csv"), "a sheet with a channel above 40 is shown");
  is(await questions(), ["Channel 55 is"], "the page asks for the plan if plans have different frequencies for a channel");
  await page.evaluate(() => fetch("data/channel-plan", { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"channelPlan":"export"}' }));
  await choose("known.csv", channels);
  await becomes(page, () => document.querySelector("#report .step p")?.innerText.startsWith("known.csv"), "the sheet is shown again");
  is(await questions(), [], "nothing is asked if the member has set a plan");
  await preview();
  await isPreviewed("All · 2");
  ok(/27\.585/.test(await page.innerText("#report")), "the plan decides the frequency of a channel");

  // The page reads the log's own workbook.
  const book = await page.evaluate(async () => [...new Uint8Array(await (await fetch("data/export.xlsx")).arrayBuffer())]);
  await choose("log.xlsx", Buffer.from(book));
  await becomes(page, () => document.querySelector("#report .step p")?.innerText.startsWith("log.xlsx · "), "a workbook shows its columns");
  await preview();
  await page.waitForSelector("#report .chip");
  is([/New/.test((await page.locator("#report .chip").allInnerTexts()).join()), await page.locator("#report del").count()], [false, 0],
    "an exported workbook has no new QSO and no other value");

  // Files that are too large, or not a log, are refused with a reason.
  const refused = (text) => becomes(page, (wanted) => document.getElementById("report").innerText.includes(wanted), `refused: ${text}`, text);
  await choose("wide.csv", Buffer.from(`${"a,".repeat(16000)}a\n`.repeat(3)));
  await refused("This sheet has more than 250 columns.");
  await choose("long.csv", Buffer.from("26AT101,2026-05-03\n".repeat(1000000)));
  await refused("This sheet has more than 100,000 rows.");
  await choose("letter.txt", Buffer.from("Dear Dave,\n\nthanks for the card.\n"));
  await refused("This file has no ADIF records");
  await choose("damaged.xlsx", Buffer.from(book.slice(0, -40)));
  await refused("This sheet can't be read.");
  await choose("empty.ods", Buffer.from(EMPTY_ODS, "base64"));
  await refused("This file has no ADIF records");

  // While a long sheet is read, the page remains usable.
  const rows = Array.from({ length: 20000 }, (_, row) => `${1 + (row % 300)}AT${row};2026-05-${String(1 + (row % 28)).padStart(2, "0")};${String(row % 24).padStart(2, "0")}:${String(row % 60).padStart(2, "0")};27,555;USB;59;57`);
  await choose("long.csv", Buffer.from(`Call;Date;UTC;QRG;Mode;RST sent;RST rcvd\n${rows.join("\n")}\n`));
  await becomes(page, () => document.querySelector("#report .step p")?.innerText === "long.csv · 20,000 rows", "a sheet of 20,000 rows is read");
  await page.evaluate(() => {
    window.ticks = 0;
    window.ticking = setInterval(() => { window.ticks++; });
  });
  await page.evaluate(() => document.querySelector("#report .main").click());
  await becomes(page, () => !document.getElementById("progress").hidden, "its records are read, and their preview begins");
  ok(await page.evaluate(() => { clearInterval(window.ticking); return window.ticks > 3; }), "the page did other work in between");
  await page.click("#stop");
  await page.waitForSelector("#report >> text=Continue");

  // A phone shows the columns as a list.
  await page.setViewportSize({ width: 360, height: 640 });
  await choose("netlogger.csv");
  await becomes(page, () => document.querySelectorAll("#report .items select").length === 14, "a phone shows the columns as a list with menus");
  await isAccessible(page, "the list of columns is accessible");
}, { member });
