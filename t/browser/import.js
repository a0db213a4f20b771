// Tests importing a file. The member stops and continues the preview and the import. If the member leaves the page
// during the import, the page asks first. A file that is not a log is reported at once.
import { asksBeforeLeaving, becomes, is, isAccessible, look, ok, origin, waitFor, withBrowser } from "./browser.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const RECORDS = 1300;
const two = (number) => String(number).padStart(2, "0");
const text = Array.from({ length: RECORDS }, (_, index) => {
  const call = `19AT${index}`;
  return `<call:${call.length}>${call} <qso_date:8>202503${two(1 + Math.floor(index / 1440))} <time_on:4>${two(Math.floor(index / 60) % 24)}${two(index % 60)} <band:3>11m <freq:6>27.555 <eor>\n`;
}).join("");
const log = { name: "log.adi", mimeType: "text/plain", buffer: Buffer.from(text) };
// The start of a photograph, followed by bytes that a photograph could have.
const photograph = { name: "photograph.jpg", mimeType: "image/jpeg", buffer: Buffer.concat([
  Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), Buffer.from("JFIF\0<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">"),
  Buffer.from(Array.from({ length: 60000 }, (_, index) => (index * 7919) % 251))]) };

await withBrowser(async (context) => {
  const page = await context.newPage();
  const bodies = [];
  let held = null; // the function that lets the waiting slice continue
  let isHolding = false;
  await page.route("**/profile/data/import", async (route) => {
    bodies.push(route.request().postDataJSON());
    if (isHolding) await new Promise((resolve) => { held = resolve; });
    await route.continue();
  });
  const reported = async () => (await page.locator("#report .chip").allInnerTexts()).join(", ");
  const count = () => page.evaluate(async () => (await (await fetch("data/statistics")).json()).qsos);
  const letGo = () => {
    held();
    held = null;
  };
  // The member stops in the second slice.
  const stopInTheSecond = async () => {
    for (; bodies.length < 2 || !held; await page.waitForTimeout(20))
      if (held && bodies.length < 2) letGo();
    await page.click("#stop");
    isHolding = false;
    letGo();
    await page.waitForSelector("#report h3");
  };
  await page.goto(`${origin}/profile/#data`);
  await page.waitForSelector("#drop");

  await page.setInputFiles("#file", photograph);
  await becomes(page, () => document.getElementById("report").innerText.includes("This file has no ADIF records"), "a picture is reported as not being a log");
  is([await page.locator("#report .chip").count(), bodies.length], [0, 0], "a picture has no figures, and is not sent to the service");

  // ADX is the XML form of ADIF.
  const adx = (records) => ({ name: "log.adx", mimeType: "application/xml", buffer: Buffer.from(`<?xml version="1.0"?>\n<ADX>\n<RECORDS>${records}</RECORDS></ADX>`) });
  await page.setInputFiles("#file", adx("\n<RECORD><CALL>A &b;</CALL></RECORD>"));
  await becomes(page, () => document.querySelector("#report .bad")?.innerText === "This ADX file can't be read: line 4 is not valid.", "a file in ADX that is not valid is reported with its line");
  is(bodies.length, 0, "such a file is not sent to the service");
  await page.setInputFiles("#file", adx("<RECORD><CALL>26AT101</CALL><QSO_DATE>20240501</QSO_DATE><TIME_ON>1200</TIME_ON><BAND>11m</BAND><NAME>J\u00fcrgen</NAME><APP PROGRAMID=\"X\" FIELDNAME=\"TEAM\">blue</APP></RECORD>"));
  await becomes(page, () => document.querySelector("#report .chip")?.innerText === "All · 1", "a file in ADX is previewed like other files");
  ok(bodies[0].adif.includes("<NAME:7>J\u00fcrgen<APP_X_TEAM:4>blue<EOR>"), "the service receives its records in ADI");
  bodies.length = 0;

  // A file has Cyrillic texts and no declared encoding.
  const letters = "<call:7>26AT101 <qso_date:8>20240501 <time_on:4>1200 <band:3>11m <qth:6>\xcc\xee\xf1\xea\xe2\xe0 <eor>\n";
  await page.setInputFiles("#file", { name: "old.adi", mimeType: "text/plain", buffer: Buffer.from(letters, "latin1") });
  await becomes(page, () => document.activeElement?.innerText === "Which encoding does this file use?", "the page asks for the encoding of a file that does not name it");
  is([bodies.length, (await page.locator("#report .option").allInnerTexts()).map((text) => text.split(/\n+/)).slice(0, 2)],
    [0, [["26AT101 · Ěîńęâŕ", "Central European (CP1250)"], ["26AT101 · Москва", "Cyrillic (CP1251)"]]],
    "before sending, each suitable encoding shows the member's records as decoded with it");
  await isAccessible(page, "the question about the encoding is accessible");
  await page.click("#report >> text=Show the preview");
  ok(await page.evaluate(() => document.activeElement?.matches("input[type=radio]")), "without an answer, the button moves the focus to the answers");
  await page.click("#report >> text=Cyrillic (CP1251)");
  await page.click("#report >> text=Show the preview");
  await becomes(page, () => document.querySelector("#report .chip")?.innerText === "All · 1", "the preview is shown after the answer");
  ok(bodies[0].adif.includes("<qth:12>Москва"), "the uploaded text is in UTF-8, with matching lengths");
  bodies.length = 0;

  // QSOs of another station are imported in two slices.
  const others = text.replaceAll("<eor>", "<station_callsign:7>26AT101 <eor>");
  const question = () => document.activeElement?.innerText === "Keep these station callsigns?";
  const isPreviewed = () => document.querySelector("#report .chip")?.innerText === "All · 1,300";
  await page.setInputFiles("#file", { ...log, buffer: Buffer.from(others) });
  await becomes(page, question, "the page asks about QSOs of another station before the preview");
  is([await page.locator("#report p").nth(1).innerText(), await page.locator("#report .option").allInnerTexts(), await page.locator("#report input:checked").count()],
    ["This file has QSOs from stations other than 21SD333: 26AT101 (1,300)", ["Keep them", "Replace them with 21SD333"], 0],
    "the question counts the QSOs of the whole file, and no answer is chosen without a reason");
  await isAccessible(page, "the question about stations is accessible");
  const asked = bodies.length;
  await page.click("#report >> text=Keep them");
  await page.click("#report >> text=Show the preview");
  await becomes(page, isPreviewed, "the preview is shown after the answer to keep the callsigns");
  ok(await page.evaluate(() => document.activeElement?.matches("#report h3")), "the preview has the focus");
  is(bodies.length, asked, "the preview of kept callsigns needs no second request");
  await page.setInputFiles("#file", { ...log, buffer: Buffer.from(others) });
  await becomes(page, question, "the page asks again for each file");
  bodies.length = 0;
  await page.click("#report >> text=Replace them");
  await page.click("#report >> text=Show the preview");
  await becomes(page, isPreviewed, "a preview is shown after the answer to replace the callsigns");
  is(bodies.map(({ dryRun, stationCallsign }) => `${dryRun} ${stationCallsign}`), Array(3).fill("true mine"),
    "every slice of the preview contains the answer to replace the callsigns");
  bodies.length = 0;

  isHolding = true;
  await page.setInputFiles("#file", log);
  await stopInTheSecond();
  is(await reported(), "All · 1,000, New · 1,000", "a stopped preview reports the records that were read so far");
  await page.click("#report >> text=Continue");
  await becomes(page, () => document.querySelector("#report .chip")?.innerText === "All · 1,300", "a stopped preview continues from its last slice");
  is(bodies.map(({ adif }) => adif).join("") === text, true, "the preview sends each record once");

  bodies.length = 0;
  isHolding = true;
  await page.click("#report >> text=Import 1,300 QSOs");
  await waitFor(page, () => !document.getElementById("progress").hidden);
  is([await asksBeforeLeaving(page), page.url()], [true, `${origin}/profile/#profile/import`], "leaving while a file is saved asks first, and No stays on the page");
  await stopInTheSecond();
  is([await page.innerText("#report h3"), await count()], ["1,000 QSOs added", 1000], "a stopped import has saved only whole records");
  await isAccessible(page, "a stopped import is accessible");
  await page.click("#report >> text=Continue");
  await becomes(page, () => document.querySelector("#report .added")?.innerText === "1,300 QSOs added", "a stopped import continues, and reports all its records");
  is([await count(), bodies.map(({ adif }) => adif).join("") === text], [RECORDS, true], "every QSO is saved, and was sent once");
  ok(await page.evaluate(() => document.activeElement?.matches("#report h3")), "the report has the focus");
  await page.getByRole("button", { name: "Undo the import" }).click();
  await page.click(".sheet-foot >> text=Undo 1,300 changes");
  await becomes(page, () => document.querySelector(".toasts")?.innerText.startsWith("Done: 1,300 deleted."), "the report can undo the import");
  is(await count(), 0, "undoing the import removes all its QSOs");

  // A file corrects a QSO, unless the member keeps their own values.
  const record = (report) => `<call:7>26AT101<qso_date:8>20260517<time_on:4>1942<band:3>11m<freq:6>27.555<mode:2>AM<rst_sent:2>${report}<eor>`;
  await page.setInputFiles("#file", { ...log, buffer: Buffer.from(record(59)) });
  await page.click("#report >> text=Import 1 QSO");
  await page.waitForSelector("#report .added");
  await page.setInputFiles("#file", { ...log, buffer: Buffer.from(`${record(57)}<call:5>19AT1<qso_date:8>20260517<time_on:4>1950<band:3>11m<freq:6>27.555<eor>`) });
  await becomes(page, () => document.querySelector("#report .main")?.innerText === "Import 1, correct 1", "the button counts new and corrected QSOs");
  is(await page.locator("#report .change").textContent(), "59 becomes 57", "a corrected QSO shows both values");
  await isAccessible(page, "the preview is accessible");
  await look(page, "import-corrected");
  await page.click("#report >> text=Keep mine");
  is(await page.locator("#report .main").innerText(), "Import 1 QSO", "a kept QSO is not counted");
  await page.click("#report .main");
  await becomes(page, () => document.querySelector("#report .added")?.innerText === "1 QSO added", "a kept QSO is not corrected");

  // The preview shows what the file adds to the awards. A rejected record is corrected in the form.
  const brought = "<call:7>43AT001<qso_date:8>20260601<time_on:4>0712<band:3>11m<freq:6>27.555<gridsquare:6>QF22lb<eor>"
    + "<call:5>19AT2<qso_date:8>20260601<time_on:4>0800<band:3>11m<freq:6>27.555<gridsquare:6>JO22aa<eor>"
    + "<call:7>30AT123<qso_date:8>20261345<time_on:4>0815<freq:6>27.600<band:3>11m<name:5>Pilar<eor>";
  await page.setInputFiles("#file", { ...log, buffer: Buffer.from(brought) });
  await becomes(page, () => document.querySelector("#report .main")?.innerText === "Import 2 QSOs", "a file with a rejected record is previewed");
  is((await page.locator("#report .with-aside > div li:not(.day)").allInnerTexts()).map((text) => text.replace(/\s+/g, " ")),
    ["1 new division Australia New division", "2 new squares from 0 to 2"], "the preview shows what the file adds to the awards");
  is(await page.locator("#report .with-aside > ul .badge").allInnerTexts(), ["New division", "New square"],
    "the first record that adds items to the awards has the badge of the most important item");
  await isAccessible(page, "the preview with additions to the awards is accessible");
  await look(page, "import-brings");
  await page.click("#report >> text=Correct it");
  await page.waitForSelector(".sheet .fault");
  is(await page.evaluate(() => {
    const of = (id) => document.querySelector(`.sheet #${id}`).value;
    return [of("callsignWorked"), of("frequencyMhz"), of("notes"), of("date"), of("time"), document.activeElement.id];
  }), ["30AT123", "27.600", "Pilar", "2026-13-45", "08:15:00", "date"], "a rejected record opens in the form, with the focus at the fault");
  await page.keyboard.press("Escape");
  await becomes(page, () => !document.querySelector(".sheet") && document.activeElement?.innerText === "Correct it",
    "without changes, the sheet closes without a question, and the focus returns");
  await page.click("#report >> text=Correct it");
  await page.waitForSelector(".sheet .fault");
  await page.fill(".sheet #date", "2026-05-13");
  await page.click(".sheet .save");
  await becomes(page, () => !document.querySelector(".sheet") && document.querySelector("#report .item .end")?.innerText === "in your log",
    "a corrected record is in the log");
  ok(await page.evaluate(() => !document.getElementById("nothing-stored") && document.activeElement?.matches("#report h3")),
    "after a correction, the preview no longer states that nothing is stored, and has the focus");
  is(await page.evaluate(async () => (await (await fetch("data/qsos?callsign=30AT123")).json()).items
    .map(({ qsoAt, frequencyMhz, notes }) => [qsoAt.slice(0, 16), frequencyMhz, notes])), [["2026-05-13T08:15", "27.600", "Pilar"]],
  "the corrected record has the file's other values");
  await page.click("#report .main");
  await page.waitForSelector("#report .added");
  is((await page.locator("#report .figures > div").allInnerTexts()).map((text) => text.replace(/\s+/g, " ")),
    ["Divisions 4 +2", "Squares 2 +2", "Special stations 0"], "the report shows the awards and the number of items that the import added");
  await page.setViewportSize({ width: 390, height: 640 });
  await page.setInputFiles("#file", { ...log, buffer: Buffer.from(text) });
  await becomes(page, () => document.querySelector("#report .main")?.innerText === "Import 1,300 QSOs", "a phone shows a long preview");
  for (const place of [0, 5000]) {
    await page.evaluate((y) => scrollTo(0, y), place);
    ok(await page.evaluate(() => {
      const { top, bottom } = document.querySelector("#report .main").getBoundingClientRect();
      return top > innerHeight / 2 && bottom <= innerHeight;
    }), `on a phone, the button stays at the bottom of the screen at ${place} px`);
  }
  await page.goto(`${origin}/`);
  is(page.url(), `${origin}/`, "after the import, the page is left without a question");
}, { member });
