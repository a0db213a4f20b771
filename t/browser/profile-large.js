// Drops a file of 20,000 records on the page with the mouse. The tab is closed during the import, and the file is
// dropped again. Then the imported log is examined.
import { writeFileSync } from "node:fs";
import { becomes, cpuSeconds, is, ok, openChip, origin, waitFor, withBrowser } from "./browser.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const RECORDS = 20000;
const SLICE = 500;
const SLICES = 11; // slices that are saved before the tab is closed
const recordsIn = (slices) => slices * SLICE - 1; // the header counts as a record of the first slice
const file = `${process.env.QSOSYNC_FOLDER}/large.adi`;

const callOf = (index) => `${1 + (index % 300)}AT${100 + index}`;
function writeFile() {
  const field = (name, value) => `<${name}:${Buffer.byteLength(value)}>${value} `;
  const locator = (index) => String.fromCharCode(73 + (index % 3), 77 + (index % 4)) + String(index % 100).padStart(2, "0") + String.fromCharCode(97 + (index % 24), 97 + (index % 23));
  let text = "A long log\n<adif_ver:5>3.1.4 <eoh>\n";
  for (let index = 0; index < RECORDS; index++) {
    const at = new Date(Date.UTC(2020, 0, 1) + index * 7200000).toISOString();
    text += field("CALL", callOf(index)) + field("QSO_DATE", at.slice(0, 10).replaceAll("-", "")) + field("TIME_ON", at.slice(11, 19).replaceAll(":", ""))
      + field("BAND", "11m") + field("FREQ", "27.555") + field("MODE", "SSB") + field("GRIDSQUARE", locator(index)) + field("COMMENT", `QSO of ${callOf(index)}, <eor> end`) + "<EOR>\n";
  }
  writeFileSync(file, text);
}

const qsosOf = (page) => page.evaluate(async () => (await (await fetch("data/statistics")).json()).qsos);
async function open(page) {
  await page.goto(`${origin}/profile/#profile/import`);
  await page.waitForSelector("#drop:visible");
  await waitFor(page, () => document.querySelector("#download").href);
}
// Drags the file over the page and over the import area, and drops it, as a mouse does.
async function drop(page, place) {
  const session = await page.context().newCDPSession(page);
  const box = await page.locator(place).boundingBox();
  const event = { x: box.x + box.width / 2, y: box.y + box.height / 2, data: { items: [], files: [file], dragOperationsMask: 1 } };
  await session.send("Input.dispatchDragEvent", { type: "dragEnter", ...event });
  await session.send("Input.dispatchDragEvent", { type: "dragOver", ...event });
  await becomes(page, () => document.getElementById("drop").classList.contains("over"), "the import area shows that a file can be dropped");
  await session.send("Input.dispatchDragEvent", { type: "drop", ...event });
}
// Records every value of the progress bar.
async function watch(page) {
  const seen = [];
  await page.exposeFunction("noteProgress", (value) => { if (value !== seen[seen.length - 1]) seen.push(value); });
  await page.evaluate(() => new MutationObserver(() => window.noteProgress(document.getElementById("progress-bar").value))
    .observe(document.getElementById("progress-bar"), { attributes: true }));
  return seen;
}
const report = async (page) => (await page.locator("#report .chip").allInnerTexts()).join(", ");
const written = (count) => count.toLocaleString("en-GB");

writeFile();
await withBrowser(async (context) => {
  const [first, page] = [await context.newPage(), await context.newPage()];
  await open(first);
  const seen = await watch(first);
  await drop(first, "#drop");
  await becomes(first, () => document.body.innerText.includes("Preview"), "a dropped file gets a preview first", null, 120000);
  is(await report(first), `All · ${written(RECORDS)}, New · ${written(RECORDS)}`, "the preview reads every record");
  ok(seen.length >= RECORDS / SLICE / 2 && seen.every((value, index) => index === 0 || value >= seen[index - 1] || value === 0), "the progress increases slice by slice", seen.join(" "));
  is(await qsosOf(first), 0, "the preview saves nothing");
  let sent = 0;
  await first.route("**/data/import", async (route) => {
    if (++sent <= SLICES) await route.continue(); // one further slice waits until the tab ends
  });
  await first.click("#report button");
  while (sent < SLICES) await first.waitForTimeout(10);
  ok(await first.evaluate(() => document.getElementById("progress-bar").value) >= recordsIn(SLICES - 1), "the import has begun");
  await first.close();

  await open(page);
  let saved = -1;
  for (let same = 0; same < 6; ) { // requests under way must finish
    await page.waitForTimeout(1000);
    const now = await qsosOf(page);
    same = now === saved ? same + 1 : 0;
    saved = now;
  }
  // A slice may be in flight, and the waiting slice may have been sent.
  ok([-1, 0, 1].some((more) => saved === recordsIn(SLICES + more)), "after closing the tab, only whole slices are saved", saved);
  const text = await page.evaluate(async () => (await fetch("data/export.adi")).text());
  const calls = [...text.matchAll(/<CALL:\d+>([^<\s]+)/gi)].map((found) => found[1]);
  is(new Set(calls).size, saved, "the saved QSOs are from the file, each once");
  is(calls.filter((call) => !new RegExp(`>QSO of ${call}, [(<]eor> end`).test(text)).slice(0, 5), [], "each saved QSO is complete to the end of its last field");

  await watch(page);
  await drop(page, "#import-title"); // outside the import area
  await becomes(page, () => document.body.innerText.includes("Preview"), "the same file gets a preview again", null, 120000);
  is(await report(page), `All · ${written(RECORDS)}, New · ${written(RECORDS - saved)}, Unchanged · ${written(saved)}`, "the preview counts the QSOs that are already stored");
  await page.click("#report button");
  await becomes(page, (title) => document.querySelector("#report .added")?.innerText === title, "the rest is saved, and the report counts the QSOs", `${written(RECORDS - saved)} QSOs added`, 120000);

  // The imported log is shown.
  const log = await context.newPage();
  const session = await context.newCDPSession(log);
  await session.send("Performance.enable");
  const cpuBefore = await cpuSeconds();
  await log.goto(`${origin}/profile/#log`);
  await becomes(log, () => document.querySelectorAll("#qsos .rows li").length === 50 && document.querySelector("#near *"), "the page shows a large log");
  await log.locator("#log-map").scrollIntoViewIfNeeded();
  await becomes(log, () => document.querySelector("#log-map .dot.open"), "the page shows the map of a large log");
  process.stdout.write(`# the page took ${(await cpuSeconds() - cpuBefore).toFixed(2)} s of CPU in all processes of the browser\n`);
  const figures = await log.locator("#figures dd").allInnerTexts();
  is(figures.slice(0, 3), [written(RECORDS), "0 0 %", written(RECORDS)], "the figures count every QSO and every station");
  ok((await log.innerText("#log-map")).includes("The map shows the most recent places."), "the map states that it shows only part of a large log");
  is(await log.evaluate(() => {
    const counts = [...document.querySelectorAll("#log-map .count.open")].map((count) => Number(count.textContent));
    return counts.reduce((sum, count) => sum + count, document.querySelectorAll("#log-map .dot.open").length - counts.length);
  }), 5000, "the map shows as many places as it can");
  ok((await log.innerText("#qsos .rows li >> nth=0")).includes(callOf(RECORDS - 1)), "the newest QSO is listed first", await log.innerText("#qsos .rows li >> nth=0"));
  await openChip(log, "More");
  await log.fill("#search-callsign", callOf(77));
  await log.press("#search-callsign", "Enter");
  await becomes(log, (call) => document.querySelector("#qsos .callsign")?.innerText.startsWith(call), "a QSO among many is found by its callsign", callOf(77));
}, { member, isOwn: true });
