// Tests the Logbook, and the sections that import, download and delete the log.
import { writeFileSync } from "node:fs";
import { api, becomes, clickTwice, contentOf, download, drawn, fromMenu, HOSTILE, is, isAccessible, isStored, isTooWide, look, ok, openChip, openSection, origin, qso, save, tabTo, waitUntil, withBrowser } from "./browser.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const folder = process.env.QSOSYNC_FOLDER;
const RECORDS = 2300;

const at = (month, day, minute = 0) => new Date(Date.UTC(2026, month, day, 18, minute)).toISOString();
const places = ["IO91wm", "JO59jw", "IN80dj", "QF56od", "FN31pr", "GG87jc", "KP20le", "JN61fw", "JM19hn", "IM58kr"];
const entries = Array.from({ length: 130 }, (_, index) => qso({ callsignWorked: `${1 + (index % 40)}AT${100 + index}`, dxLocator: places[index % 10],
  qsoAt: at(index % 10, 1 + (index % 27), index % 60), notes: `Number ${index}` }));
const hostile = qso({ callsignWorked: "<b>\u202e1", operatorCallsign: "21SD333", qsoAt: at(10, 5), notes: HOSTILE, radio: HOSTILE.slice(0, 50), antenna: "\u2066<i>x</i>",
  rstSent: "<b>5\u202e9</b", rstReceived: "<u>59</u>", qslVia: undefined });

// Returns an ADIF file whose notes contain an end-of-record tag, which must not end the record.
function adifOf(count) {
  const field = (name, value) => `<${name}:${Buffer.byteLength(value)}>${value} `;
  let text = "From a test\n<adif_ver:5>3.1.4 <eoh>\n";
  for (let index = 0; index < count; index++) {
    const minute = String(index % 60).padStart(2, "0");
    const hour = String(Math.floor(index / 60) % 24).padStart(2, "0");
    const day = String(1 + Math.floor(index / 1440)).padStart(2, "0");
    text += field("CALL", `19AT${index}`) + field("QSO_DATE", `202503${day}`) + field("TIME_ON", `${hour}${minute}00`)
      + field("BAND", index === 7 ? "20m" : "11m") + field("FREQ", index === 7 ? "14.2" : "27.555") + (index === 9 ? field("MODE", "SSB") + field("RST_SENT", "59") : field("MODE", "SSB"))
      + field("COMMENT", index % 100 ? "grüße" : "an <eor> inside") + field("X_NOPLACE", "1") + "<EOR>\n";
  }
  return text;
}

await withBrowser(async (context) => {
  for (let start = 0; start < entries.length; start += 100) await save(...entries.slice(start, start + 100));
  await save(hostile);
  const early = await context.newPage();
  let release = () => {};
  const held = new Promise((done) => { release = done; });
  await early.route("**/profile/data/statistics", (route) => held.then(() => route.continue()));
  await early.goto(`${origin}/profile/#log`);
  await becomes(early, () => document.querySelectorAll("#qsos .rows li").length === 50, "the newest QSOs are shown before the statistics arrive");
  release();
  await becomes(early, () => [...document.querySelectorAll("#qsos .place")].filter((place) => place.innerText.trim()).length > 40, "the rows then show the countries");
  await early.close();
  const page = await context.newPage();
  await page.goto(`${origin}/profile/#log`);
  await becomes(page, () => document.querySelectorAll("#qsos .rows li").length === 50, "the newest QSOs are shown");
  await becomes(page, () => document.querySelector("#figures dd")?.innerText === "131" && document.querySelector("#near .rows li"), "the log shows the number of its QSOs");
  ok(!/NaN|undefined|null/.test(await page.innerText("#figures")), "every figure is a number", await page.innerText("#figures"));
  ok((await page.innerText("#qsos .rows li >> nth=0")).includes("<b>[U+202E]1"), "markup and direction controls in a QSO show as text");
  await page.click("#qsos .q >> nth=0");
  await becomes(page, () => document.querySelector(".sheet")?.innerText.includes("<script>document.title"), "a row opens its details, where markup in notes shows as text");
  const shown = await page.innerText(".sheet");
  ok(["<b>5[U+202E]9</b", "<u>59</u>", "[U+2066]<i>x</i>", "[U+202E]gnorw[U+202C]", "<img src=x oner"].every((text) => shown.includes(text)), "markup in all other fields shows as text", shown);
  is((await page.locator(".sheet dt").allInnerTexts()).slice(2), ["Reports", "My callsign", "Other station's locator", "My locator", "Notes", "Radio", "Antenna"], "each field with a value has a name in words, and both reports are in one row");
  ok(!/QSL sent|State|\bno\b/.test(shown), "the details omit properties that do not apply", shown);
  is(await page.evaluate(() => [document.title, document.querySelectorAll(":is(#qsos, .sheet) :is(img, script), .facts dd > b").length]), ["Profile - QSOsync", 0], "markup in a QSO has no effect");
  await look(page, "profile-log-sheet");
  await page.keyboard.press("Escape");
  is(await page.evaluate(() => [document.querySelector(".sheet"), document.activeElement === document.querySelector("#qsos .q")]), [null, true], "Esc closes the details, and the focus returns to the row");
  is(await page.locator("#near .rows li").count(), 1, "a QSO that only one rule keeps from being confirmed is listed");
  await page.click("#near-chip");
  is([await page.isVisible("#near"), await page.isVisible("#qsos")], [true, false], "a chip shows the almost confirmed QSOs instead of the list");
  ok(/their time is \d+ (minute|hour)s? (later|earlier)/.test(await page.locator("#near").textContent()), "the list names the difference in words", await page.innerText("#near"));
  is(await page.locator("#near .change").count(), 1, "the list shows both values");
  ok(await page.locator("#months rect").count() >= 10, "a chart shows the months");
  await page.locator("#log-map").scrollIntoViewIfNeeded();
  await becomes(page, () => document.querySelector("#log-map .dot.open"), "the map shows stations");
  ok((await page.locator("#log-map .ways").first().getAttribute("d")).length > 100, "the map shows great circles");
  ok(await page.locator("#log-map :is(.dot.fresh, .dot.with-fresh)").count() > 0 && (await page.innerText("#log-map .legend")).includes("new division"), "the map marks the latest new divisions, and its legend names the mark", await page.innerText("#log-map"));
  await look(page, "profile-near");
  // Another device changes the QSO after the list was loaded.
  const [{ qso: near }] = (await (await context.request.get(`${origin}/profile/data/near-matches`)).json()).items;
  const storedNear = async () => (await (await api("GET", "/logs?limit=500")).json()).items.find(({ clientId }) => clientId === near.clientId);
  await save({ ...await storedNear(), notes: "of another device" });
  await page.click("#near >> text=Take theirs");
  await becomes(page, () => /of another device/.test(document.querySelector(".versus .differs")?.innerText), "a QSO that changed meanwhile is not overwritten, and its newer version is shown");
  is([(await storedNear()).notes, (await storedNear()).qsoAt], ["of another device", near.qsoAt], "the newer version stays in the log");
  await look(page, "profile-near-newer");
  await page.click(".sheet-foot >> text=Take theirs");
  await becomes(page, () => document.querySelectorAll("#near .rows li").length === 0 && document.activeElement?.id === "near-chip", "taking the other member's value removes the row, and moves the focus to the next row");
  is((await (await context.request.get(`${origin}/profile/data/near-matches`)).json()).items, [], "the QSO is no longer almost confirmed");
  is((await storedNear()).notes, "of another device", "the other device's change stays when the value is taken");
  await page.click(".toasts >> text=Undo");
  await becomes(page, () => document.querySelectorAll("#near .rows li").length === 1, "Undo restores the previous value, and the row returns to the list");
  await clickTwice(page.locator("#near >> text=Take theirs"));
  await becomes(page, () => document.querySelector(".toasts button")?.innerText === "Undo" && document.querySelectorAll("#near .rows li").length === 0, "two clicks take the value once");
  is(await page.locator(".sheet").count(), 0, "a second click does not conflict with the first");
  await page.click(".toasts >> text=Undo");
  await becomes(page, () => document.querySelectorAll("#near .rows li").length === 1, "the row is back again");
  await page.click("#near-chip");
  ok(await page.isVisible("#qsos"), "another click on the chip shows the list again");
  await page.evaluate(() => { location.hash = "#log?callsign=1AT"; });
  await becomes(page, () => document.querySelectorAll("#log-map .dot.open").length === 1, "the map shows only the stations of the filter");
  await page.click("#search-clear");
  await becomes(page, () => document.querySelectorAll("#log-map .dot.open").length > 5, "without a filter the map shows all stations again");
  await look(page, "profile-log");
  await page.setViewportSize({ width: 390, height: 844 });
  for (const part of ["Map", "Figures", "List"]) {
    await page.click(`#log-parts >> text=${part}`);
    is(await page.evaluate(() => ["#qsos", "#log-map", "#figures"].map((place) => document.querySelector(place).checkVisibility())),
      [part === "List", part === "Map", part === "Figures"], `a phone shows the part ${part}`);
    await look(page, `profile-log-${part.toLowerCase()}`);
    await page.setViewportSize({ width: 390, height: 844 });
  }
  ok(await page.isHidden("#search-text"), "a phone hides the search");
  await page.click("#search-open");
  is(await page.evaluate(() => document.activeElement.id), "search-text", "the magnifier opens the search");
  await page.click("#search-open");
  await page.setViewportSize({ width: 800, height: 844 });
  is(await page.evaluate(isTooWide), null, "profile-log is not wider than 800 pixels");
  await page.setViewportSize({ width: 1280, height: 844 });
  for (const width of [390, 1280]) {
    const still = await context.newPage();
    await still.setViewportSize({ width, height: 844 });
    await still.addInitScript(() => {
      window.moved = 0;
      new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.moved += entry.value; }).observe({ type: "layout-shift", buffered: true });
    });
    await still.goto(`${origin}/profile/#log`);
    await still.waitForFunction(() => document.querySelector("#near .rows li"));
    ok(await still.evaluate(() => window.moved) <= 0.05, `hardly anything moves while the log loads, at ${width} pixels`, await still.evaluate(() => window.moved));
    await still.close();
  }
  await page.click("#qsos >> text=Show more");
  await becomes(page, () => document.querySelectorAll("#qsos .rows li").length === 100, "a click loads more QSOs");
  await openChip(page, "More");
  await page.fill("#search-callsign", "1-at");
  await page.press("#search-callsign", "Enter");
  await becomes(page, () => [...document.querySelectorAll("#qsos .callsign")].length === 4, "a search for a callsign finds callsigns that start with it");
  await page.fill("#search-callsign", "");
  await page.press("#search-callsign", "Escape");
  ok(await page.isHidden("#search-callsign"), "Esc closes a chip");
  await openChip(page, "More");
  await page.fill("#search-from", "2026-10-01");
  await page.fill("#search-to", "2026-10-31");
  await page.press("#search-to", "Enter");
  await becomes(page, () => document.querySelectorAll("#qsos .rows li").length === 13, "a search for days finds the QSOs of these days");

  await becomes(page, () => document.getElementById("shown")?.textContent === "13 of 131 QSOs", "the page counts the matching QSOs");
  is(await page.innerText(".popover:not([hidden]) .found"), "Show 13 QSOs", "the chip counts the matching QSOs");
  is(new URL(page.url()).hash, "#log?from=2026-10-01&to=2026-10-31", "the address keeps the filter");
  await page.fill("#search-from", "01.10.26");
  await page.press("#search-from", "Enter");
  await becomes(page, () => !document.getElementById("search-trouble").hidden, "an invalid day is reported, before any request");
  is(await page.locator("#qsos .rows li").count(), 13, "an invalid day keeps the list");

  // The filter is read from an address, changed, sorted, applied to files, and cleared.
  await page.goto("about:blank");
  await page.goto(`${origin}/profile/#log?text=%3CU%3E&mode=USB`);
  await becomes(page, () => document.getElementById("shown").textContent === "1 of 131 QSOs", "an address with a filter applies it");
  is([await page.inputValue("#search-text"), await page.inputValue("#search-mode")], ["<U>", "USB"], "the form has the values of the filter");
  ok((await page.innerText("#shown-filter")).includes("Mode: USB"), "the filter is described in words", await page.innerText("#shown-filter"));
  await page.click("#search-clear");
  await becomes(page, () => document.getElementById("shown").textContent === "131 QSOs" && document.querySelectorAll("#qsos .rows li").length === 50, "one click shows all QSOs again");
  is(new URL(page.url()).hash, "#log", "the address has no filter afterwards");
  await openChip(page, "Sort", "callsign");
  await becomes(page, () => document.querySelector("#qsos .q.dated") && !document.querySelector("#qsos .day"), "a list by callsign has a day in each row, and no headings");
  const calls = await page.locator("#qsos .callsign").allInnerTexts();
  is(calls.slice(1), [...calls.slice(1)].sort((a, b) => (a.replace(/[ .-]/g, "") < b.replace(/[ .-]/g, "") ? -1 : 1)), "the rows are in the chosen order");
  await openChip(page, "Sort", "");
  await openChip(page, "Division");
  const choices = () => page.locator(".popover:not([hidden]) .choices-of button:visible").allInnerTexts();
  const counted = (await choices()).map((text) => Number(text.match(/\d+$/)[0]));
  is([counted.length, counted.reduce((sum, one) => sum + one), counted], [40, 130, [...counted].sort((a, b) => b - a)], "the choices have counts, and begin with the most frequent");
  await page.fill(".popover:not([hidden]) input", "norw");
  is((await choices()).map((text) => text.replace(/\s+\d+$/, "")), ["20 Norway"], "a long list of choices can be searched");
  await page.keyboard.press("Escape");
  // If no QSO matches, each condition can be removed on its own.
  await page.evaluate(() => { location.hash = "#log?callsign=ZZZ&mode=USB"; });
  await becomes(page, () => /No matching QSOs/.test(document.querySelector(".lone:not([hidden])")?.innerText), "a filter that finds nothing is reported");
  is(await page.locator("#qsos .lone .chip").allInnerTexts(), ["Mode: USB ×", "Callsign starts with: ZZZ ×"], "the conditions are listed");
  await page.locator("#qsos .lone .chip", { hasText: "ZZZ" }).click();
  await becomes(page, () => /^[1-9]\d* of 131 QSOs$/.test(document.getElementById("shown").textContent) && location.hash === "#log?mode=USB", "a click removes one condition, and keeps the others");
  await page.click("#search-clear");
  await becomes(page, () => document.getElementById("shown").textContent === "131 QSOs", "removing the last condition shows all QSOs");
  // A chip can have several choices.
  await openChip(page, "Division");
  for (const place of [0, 1, 2]) await page.locator(".popover:not([hidden]) .selecting button").nth(place).click();
  const three = counted[0] + counted[1] + counted[2];
  await becomes(page, (n) => document.querySelector(".popover:not([hidden]) .found")?.textContent === `Show ${n} QSOs` && document.getElementById("shown").textContent === `${n} of 131 QSOs`,
    "several choices show the QSOs of each of them, and the popover counts these QSOs", three);
  ok(/ \+2$/.test(await page.innerText("#chips .on .chip")), "the chip shows the first choice and the number of others", await page.innerText("#chips .on .chip"));
  await page.locator(".popover:not([hidden]) .selecting button").nth(1).click();
  await becomes(page, (n) => document.getElementById("shown").textContent === `${n} of 131 QSOs`, "a second click removes a choice", three - counted[1]);
  const kept = page.url();
  await page.goto("about:blank");
  await page.goto(kept);
  await becomes(page, (n) => document.getElementById("shown").textContent === `${n} of 131 QSOs`, "the address keeps several choices", three - counted[1]);
  await page.locator("#chips .on .chip-x").click();
  await becomes(page, () => document.getElementById("shown").textContent === "131 QSOs", "the cross removes all choices");
  await openChip(page, "Division");
  await page.keyboard.press("Escape");
  await openChip(page, "Year", "2026");
  await becomes(page, () => location.hash.startsWith("#log?year=") && /of 131/.test(document.getElementById("shown").textContent), "a choice filters the list at once");
  const count = Number((await page.innerText("#shown")).split(" ")[0]);
  const [table] = await Promise.all([page.waitForEvent("download"), page.click("#shown-files").then(() => page.click("#shown-csv"))]);
  is((await contentOf(table)).trim().split("\r\n").length - 1, count, "the CSV file contains the shown QSOs");
  const [records] = await Promise.all([page.waitForEvent("download"), page.click("#shown-adif")]);
  is(((await contentOf(records)).match(/<eor>/gi) ?? []).length, count, "the ADIF file contains the shown QSOs");
  await page.evaluate(() => { window.print = () => { document.title = "printed"; }; });
  await page.click("#shown-print");
  await becomes(page, () => document.title === "printed", "the shown QSOs are printed");
  is(await page.locator("#qsos .rows li").count(), count, "a print of the list has all QSOs that are shown");
  await page.emulateMedia({ media: "print" });
  is(await page.locator("#search:visible, #statistics:visible, #log-map:visible, .sheet:visible").count(), 0, "a print of the list has nothing else");
  await page.emulateMedia({ media: "screen" });
  await becomes(page, () => document.querySelectorAll("#hours tbody tr").length === 24, "a chart is also available as a table");
  await page.click("#statistics >> text=Distance");
  is(await page.evaluate(() => ["hours", "distances"].map((chart) => document.getElementById(chart).checkVisibility())), [false, true], "a segment shows another chart");
  await page.click("#search-clear");
  await becomes(page, () => document.querySelector("#figures dd")?.innerText === "131", "the figures are those of the whole log again");

  // The year is a strip of days.
  await page.focus(".heat");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowUp");
  const dayOf = () => page.getAttribute(".heat", "aria-valuetext");
  const chosen = await dayOf();
  await page.keyboard.press("ArrowDown");
  ok(/^\d+ \w+ \d+: \d+ QSOs?$/.test(chosen) && await dayOf() !== chosen, "the arrow keys move between days", chosen);
  await page.keyboard.press("Enter");
  await becomes(page, () => /^#log\?from=(\d{4}-\d\d-\d\d)&to=\1$/.test(location.hash), "Enter filters the QSOs of the day");
  await page.click("#search-clear");
  await page.locator("#figures a").nth(1).click();
  await becomes(page, () => location.hash === "#log?confirmed=yes", "a figure links to its QSOs");
  await page.click("#search-clear");

  // The list updates itself.
  await becomes(page, () => document.getElementById("shown").textContent === "131 QSOs", "the whole log is shown");
  await page.press(".heat", "ArrowLeft");
  const reached = await dayOf();
  const extra = qso({ callsignWorked: "99XX99" });
  await save(extra);
  const second = await context.newPage();
  await second.goto(`${origin}/profile/#data`);
  await second.waitForSelector("#drop:visible");
  await second.evaluate(() => document.dispatchEvent(new Event("changed")));
  await becomes(page, () => document.getElementById("shown").textContent === "132 QSOs", "the list refreshes when another tab has changed the log");
  await becomes(page, () => document.querySelector("#figures dd").innerText === "132", "the figures refresh with the list");
  is(await dayOf(), reached, "the reader's place in the year stays");
  await api("DELETE", `/logs/${extra.clientId}`);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await becomes(page, () => document.getElementById("shown").textContent === "131 QSOs", "the list refreshes when the tab becomes visible");
  // The service answers an earlier request later.
  let letGo = null;
  await page.route("**/data/statistics", async (route) => {
    const response = await route.fetch();
    await new Promise((done) => { letGo = done; });
    await route.fulfill({ response });
  }, { times: 1 });
  const two = [qso({ callsignWorked: "99XX97" }), qso({ callsignWorked: "99XX98" })];
  for (const one of two) {
    await save(one);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await waitUntil(async () => letGo !== null);
  }
  await becomes(page, () => document.getElementById("shown").textContent === "133 QSOs", "the answer to a later request is shown first");
  await Promise.all([page.waitForResponse("**/data/statistics"), letGo()]);
  await drawn(page);
  is(await page.innerText("#shown"), "133 QSOs", "a late answer does not replace a newer answer");
  for (const one of two) await api("DELETE", `/logs/${one.clientId}`);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await becomes(page, () => document.getElementById("shown").textContent === "131 QSOs", "the whole log is shown again");
  await second.close();

  // An ADIF file is imported.
  await openSection(page, "profile/import");
  const file = `${folder}/log.adi`;
  writeFileSync(file, adifOf(RECORDS));
  const seen = new Set();
  await page.exposeFunction("noteProgress", (value) => seen.add(value));
  await page.evaluate(() => new MutationObserver(() => window.noteProgress(document.getElementById("progress-bar").value))
    .observe(document.getElementById("progress-bar"), { attributes: true }));
  await page.setInputFiles("#file", file);
  await becomes(page, () => document.body.innerText.includes("Preview"), "a file gets a preview first", null, 60000);
  const chips = async () => (await page.locator("#report .chip").allInnerTexts()).join(", ");
  is(await chips(), "All · 2,300, New · 2,299, Other bands · 1", "the preview counts the planned changes");
  is([await page.locator("#report .main").innerText(), await page.locator("#report .with-aside > ul .item").count()], ["Import 2,299 QSOs", 201], "the button names the number, and the list begins with 200 QSOs");
  await page.click("#report .chip >> text=Other bands");
  is(await page.locator("#report .with-aside > ul .item").count(), 1, "a chip shows only its records");
  ok((await page.innerText("#report")).includes("X_NOPLACE (2,299)"), "the preview names unknown fields", await page.innerText("#report"));
  await waitUntil(async () => seen.size >= 5, 5000).catch(() => {}); // the page's calls can arrive late
  ok(seen.size >= 5, "the progress increases with each slice", [...seen].join(" "));
  const before = await page.evaluate(async () => (await (await fetch("data/statistics")).json()).qsos);
  is(before, 131, "a preview saves nothing");
  await look(page, "profile-import-preview");
  await page.click("#report .main");
  await becomes(page, () => document.querySelector("#report .added")?.innerText === "2,299 QSOs added", "the file is saved, and the report counts the QSOs", null, 60000);
  const [rows] = await Promise.all([page.waitForEvent("download"), page.click("#report >> text=Download 1 row")]);
  ok(/20m/i.test(await contentOf(rows)), "the records that are not in the log are a file");
  await page.click("#report >> text=Show 2,299 QSOs");
  await becomes(page, () => document.querySelector(".sheet h2")?.innerText === "Imported log.adi" && document.querySelectorAll(".sheet .items li").length === 50, "the report links to the imported QSOs");
  await look(page, "profile-import-report");
  await page.keyboard.press("Escape");
  is(await page.evaluate(async () => (await (await fetch("data/statistics")).json()).qsos), 131 + RECORDS - 1, "every QSO in the file is in the log");
  await page.setInputFiles("#file", file);
  await becomes(page, () => document.body.innerText.includes("Preview"), "the same file gets a preview again", null, 60000);
  is([await chips(), await page.locator("#report .main").count()], ["All · 2,300, Unchanged · 2,299, Other bands · 1", 0], "the same file again changes nothing");
  const other = `${folder}/other.txt`;
  writeFileSync(other, "Not a log at all\n".repeat(1000));
  await page.setInputFiles("#file", other);
  await becomes(page, () => document.getElementById("report").innerText.includes("This file has no ADIF records."), "a file that is not a log is reported");
  const faulty = `${folder}/faulty.adi`;
  writeFileSync(faulty, "<call:5>1AT10<qso_date:8>20269917<time_on:4>1942<band:3>11m<freq:6>27.555<eor>\n"
    + "<call:5>1AT11<qso_date:8>20260517<time_on:4>1942<band:3>11m<freq:6>27.555<gridsquare:4>ZZ99<app_qsosync_client_id:4>none<eor>\n");
  await page.setInputFiles("#file", faulty);
  await becomes(page, () => document.querySelectorAll("#report .item").length > 1, "a file with faults gets a preview");
  const faults = await page.innerText("#report");
  ok(/line 1 · QSO_DATE /.test(faults) && /line 2 · skipped: GRIDSQUARE /.test(faults) && faults.includes("1 record has an id"), "the report shows each fault with its line and its outcome", faults);
  await look(page, "profile-adif-faults");
  await openSection(page, "profile/download");
  await page.fill("#since", "17.05.2026");
  await page.press("#since", "Tab");
  await becomes(page, () => !document.getElementById("download").href && document.querySelector("#since:invalid"), "an invalid day offers no file");
  await page.fill("#since", "2020-05-17");
  await page.press("#since", "Tab");
  await becomes(page, () => document.getElementById("download").href.endsWith("since=2020-05-17T00:00:00Z"), "a day is typed in the format that the page shows");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
  ok(/<EOR>|<eor>/.test(await contentOf(download)), "the download is an ADIF file");

  // Other languages fit on the narrowest screen.
  await page.setViewportSize({ width: 320, height: 844 });
  for (const [language, words] of [["de", ["Bestätigt", "Eine Datei einlesen", "Neues Passwort"]], ["nl", ["Bevestigd", "Een bestand inlezen", "Nieuw wachtwoord"]]]) {
    await page.evaluate((name) => localStorage.setItem("qsosync-language", name), language);
    for (const [index, section] of ["log", "import", "password"].entries()) {
      await page.goto("about:blank");
      await page.goto(`${origin}/profile/#${section === "log" ? "" : "profile/"}${section}`);
      await page.waitForSelector({ log: "#qsos li", import: "#drop", password: "#password form" }[section]);
      ok((await page.innerText(`#section-${section}`)).includes(words[index]), `the section ${section} is translated into ${language}`);
      is(await page.evaluate(isTooWide), null, `the section ${section} is not wider than 320 pixels in ${language}`);
    }
  }
  await page.evaluate(() => localStorage.setItem("qsosync-language", "en"));
  await page.setViewportSize({ width: 1280, height: 844 });
  await page.goto("about:blank");
  await page.goto(`${origin}/profile/#data`);
  await page.waitForSelector("#drop");
  is(new URL(page.url()).hash, "#profile/import", "the old address opens the import");

  // The head marks the current page, and the log is downloaded and deleted.
  await openSection(page, "profile/delete");
  await becomes(page, () => document.getElementById("delete-what").innerText.includes("2,430 QSOs"), "the page counts the QSOs that would be deleted");
  const marks = (names, rule) => becomes(page, (wanted) => [...document.querySelectorAll(".top [aria-current]")]
    .map((link) => link.textContent).join() === wanted, rule, names);
  await marks("Profile,Profile", "the bar and the menu mark the profile as the current page");
  await openSection(page, "profile/download");
  await marks("Profile,Profile", "the member's data belongs to the profile");
  const [everything] = await Promise.all([page.waitForEvent("download"), page.click('a[href="data/everything.json"]')]);
  await page.click(".top nav >> text=Logbook");
  await marks("Logbook", "the head marks the logbook as the current page");
  await openSection(page, "profile/delete");
  is(JSON.parse(await contentOf(everything)).qsos.length, 2430, "the export of all data has every QSO");
  ok(await page.isDisabled("#delete-button"), "the log cannot be deleted before the callsign is typed");
  await page.fill("#delete-callsign", "21sd33");
  ok(await page.isDisabled("#delete-button"), "the log cannot be deleted with another callsign");
  await page.fill("#delete-callsign", "21sd333");
  await page.click("#delete-button");
  await becomes(page, () => document.getElementById("deleted").innerText === "2,430 QSOs were deleted.", "the right callsign deletes the log", null, 60000);
  is(await page.evaluate(async () => (await (await fetch("data/statistics")).json()).qsos), 0, "a deleted log is empty");
  await page.goto(`${origin}/profile/`);
  await page.goto(`${origin}/profile/#log`);
  await becomes(page, () => !document.getElementById("first-steps").hidden && document.getElementById("log-view").hidden, "an empty log shows the first steps");

  // The member changes the password.
  await page.goto(`${origin}/profile/#profile/password`);
  const set = async (current, password) => {
    await page.fill("#password [autocomplete=current-password]", current);
    await page.fill("#password [autocomplete=new-password]", password);
    await page.click("#password button.main");
  };
  await set("not the password", "a phrase of my own");
  await becomes(page, () => document.querySelector("#password [autocomplete=current-password][aria-invalid]")?.closest("div").innerText.includes("This isn't your current password."), "a new password requires the current password");
  await set(member.password, "21-sd-333-");
  await becomes(page, () => document.querySelector("#password [autocomplete=new-password][aria-invalid]")?.closest("div").innerText.includes("The password is your callsign."), "the callsign is refused as a password");
  await set(member.password, "a phrase of my own");
  await becomes(page, () => document.getElementById("password-state").innerText === "Your password is set.", "a member can change the password");
  await openSection(page, "profile/devices");
  await becomes(page, () => document.querySelectorAll("#devices li").length === 1, "only this device stays signed in");
  member.password = "a phrase of my own";
}, { member, allowed: [/status of 400 .*data\/password/] });

// A member adds, changes and deletes QSOs by keyboard, with the form of the app.
await withBrowser(async (context) => {
  await save(qso({ callsignWorked: "1AT7", qsoAt: "2026-01-02T03:04:05.678Z", notes: "loud", txPowerW: 4, antenna: "two\nlines" }));
  const page = await context.newPage();
  await page.goto(`${origin}/profile/#log`);
  await page.locator("#log-actions button").waitFor();

  // A new QSO is added.
  await page.keyboard.press("?");
  await becomes(page, () => document.querySelector("dialog")?.innerText.includes("Previous or next QSO"), "the key ? lists the keys");
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  is(await page.evaluate(() => document.activeElement.id), "search-text", "the key / moves the cursor into the search");
  await page.locator("#search-text").blur();
  await page.keyboard.press("n");
  await becomes(page, () => document.activeElement?.id === "callsignWorked", "the key N opens the form");
  await page.keyboard.press("Escape");
  await tabTo(page, "#log-actions button");
  await page.keyboard.press("Enter");
  await becomes(page, () => document.activeElement?.id === "callsignWorked", "the form opens with the cursor in the callsign");
  await isAccessible(page, "the form in the profile is accessible");
  const folder = process.env.QSOSYNC_SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/profile-edit.png` });
  await page.keyboard.type("1at7");
  await becomes(page, () => /loud/.test(document.getElementById("known").textContent), "earlier notes about the station are shown");
  await becomes(page, () => /division 1[^]*not confirmed yet/i.test(document.getElementById("known")?.innerText), "the form shows that the division is not confirmed");
  await page.keyboard.press("Tab");
  await page.keyboard.type("57");
  await page.keyboard.press("Enter");
  await becomes(page, () => /1AT7/.test(document.querySelector("dialog [role=log]").textContent) && document.activeElement?.id === "callsignWorked", "Enter saves a QSO, and the form is ready for the next");
  await isStored((qsos) => qsos.filter((one) => one.rstSent === "57").map((one) => [one.callsignWorked, one.frequencyMhz, one.mode]), [["1AT7", "27.555", "USB"]], "the QSO is stored as typed");
  await page.keyboard.press("Escape");
  await becomes(page, () => document.querySelectorAll("#qsos .rows li").length === 2, "the list shows the new QSO");
  is((await page.evaluate(() => document.activeElement?.textContent)), await page.locator("#log-actions button").innerText(), "the focus returns to the button");
  await clickTwice(page.locator("#log-actions button"));
  await becomes(page, () => document.activeElement?.id === "callsignWorked", "the form opens again");
  is(await page.locator("dialog").count(), 1, "two clicks open one form");
  await page.keyboard.press("Escape");

  // A QSO is changed only by keyboard. Hidden fields keep their values.
  await tabTo(page, "#qsos .q");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await becomes(page, () => document.activeElement?.id === "sheet-title", "Enter opens the details, and moves the focus to their title");
  await isAccessible(page, "the details of a QSO are accessible");
  await page.keyboard.press("ArrowUp");
  await becomes(page, () => document.querySelector("#qsos .q").matches("[aria-current]"), "an arrow key shows the details of the next row");
  await page.keyboard.press("ArrowDown");
  await becomes(page, () => document.querySelector(".sheet")?.innerText.includes("loud"), "the opposite arrow key shows the previous row again");
  await page.keyboard.press("e");
  await becomes(page, () => document.querySelector(".sheet #notes")?.value === "loud", "a QSO opens in the form, in place of its details");
  await isAccessible(page, "the form in the details is accessible");
  await page.locator("#frequencyMhz").fill("29.1");
  await page.keyboard.press("Enter");
  await becomes(page, () => /26.000/.test(document.querySelector("#form .fault")?.textContent), "a value that would be rejected is reported at its field");
  await page.locator("#frequencyMhz").fill("27.185");
  await page.locator("#notes").fill("changed");
  await page.locator("#mode").focus();
  await page.keyboard.press("Control+Enter");
  await becomes(page, () => document.querySelector(".sheet") && !document.querySelector(".sheet form"), "Ctrl+Enter saves the QSO from any field, and its details are shown again");
  await isStored((qsos) => qsos.filter((one) => one.notes === "changed").map((one) => [one.frequencyMhz, one.txPowerW, one.qsoAt, one.antenna]), [["27.185", 4, "2026-01-02T03:04:05.678Z", "two\nlines"]], "the change is stored, and other fields keep their values, even if the form shows them differently");

  // A deletion is undone.
  await becomes(page, () => [...document.querySelectorAll("#qsos .rows li")].at(-1).textContent.includes("27.185"), "the list shows the change");
  await becomes(page, () => document.querySelector(".sheet")?.innerText.includes("changed"), "the details show the change");
  const before = (await download()).find((one) => one.notes === "changed");
  await clickTwice(await fromMenu(page, "Delete"));
  await becomes(page, () => document.querySelectorAll("#qsos .rows li").length === 1 && document.activeElement === document.querySelector("#qsos .q"), "a deleted row leaves the list, and the focus moves to the next row");
  await isStored((qsos) => qsos.length, 1, "the QSO is deleted");
  await page.keyboard.press("Control+z");
  await becomes(page, () => document.activeElement?.textContent.includes("1AT7") && document.querySelectorAll("#qsos .rows li").length === 2, "undoing puts the row back in its place");
  await isStored((qsos) => qsos.find((one) => one.notes === "changed")?.id, before.id, "undoing restores the same QSO");
  ok(await page.locator("dialog").count() === 0, "no dialog is left");

  // Several QSOs are selected with Space, marked, downloaded and deleted.
  await save(...[1, 2, 3].map((minute) => qso({ callsignWorked: `19AT${minute}`, qsoAt: `2026-03-04T10:0${minute}:00Z` })));
  await page.goto("about:blank");
  await page.goto(`${origin}/profile/#log?callsign=19AT`);
  await becomes(page, () => document.querySelectorAll("#qsos .rows li").length === 3, "three QSOs are shown");
  await tabTo(page, "#qsos .q");
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  const picked = () => page.locator("#qsos .q[aria-pressed=true]").count();
  is([await picked(), await page.innerText(".select-bar b"), await page.locator(".sheet").count()], [2, "2 QSOs", 0], "Space selects QSOs, and the bar counts them");
  await look(page, "profile-log-select");
  await page.click("#qsos .q >> nth=2");
  is(await picked(), 3, "while QSOs are selected, a click selects another QSO");
  const [file] = await Promise.all([page.waitForEvent("download"), page.click(".select-bar >> text=Export")]);
  is(((await contentOf(file)).match(/<eor>/gi) ?? []).length, 3, "the file contains the selected QSOs");
  await page.click("#qsos .q >> nth=2");
  await page.click(".select-bar >> text=QSL");
  await page.click(".select-bar >> text=QSL received");
  const received = (qsos) => qsos.filter((one) => one.qslReceived).map((one) => one.callsignWorked).sort();
  await isStored(received, ["19AT2", "19AT3"], "the selected QSOs are marked as received");
  await page.click(".toasts >> text=Undo");
  await isStored(received, [], "Undo removes the marks");
  is(await picked(), 2, "the QSOs stay selected");
  await becomes(page, () => document.getElementById("qsos").getAttribute("aria-busy") === null && !document.querySelector(".toasts button"), "the list is up to date after the undo");
  await page.click(".select-bar >> text=Delete");
  await becomes(page, () => document.querySelectorAll("#qsos .rows li").length === 1 && !document.querySelector(".select-bar"), "the selected QSOs are deleted, and the selection ends");
  await isStored((qsos) => qsos.filter((one) => /^19AT/.test(one.callsignWorked)).length, 1, "the QSOs are deleted from the log");
  await page.keyboard.press("Control+z");
  await isStored((qsos) => qsos.filter((one) => /^19AT/.test(one.callsignWorked)).length, 3, "one Undo restores all deleted QSOs");
  await page.click("#select-open");
  await page.keyboard.press("Space");
  is(await page.innerText(".select-bar b"), "1 QSO", "the button Select begins a selection");
  await page.keyboard.press("Escape");
  is([await page.locator(".select-bar").count(), await page.locator("#qsos .q[aria-pressed]").count()], [0, 0], "Esc ends the selection");
}, { member });

// A failed request is reported, and repeated on the next attempt.
const refused = { status: 500, json: { error: { code: "SERVER.INTERNAL" } } };

await save(...Array.from({ length: 60 }, (_, place) => qso({ callsignWorked: `26AT${100 + place}`, qsoAt: new Date(Date.now() - place * 60000).toISOString() })));

await withBrowser(async (context) => {
  // The section cannot work without these requests.
  for (const question of ["statistics", "revision"]) {
    const page = await context.newPage();
    await page.route(`**/data/${question}`, (route) => route.fulfill(refused));
    await page.goto(`${origin}/profile/#log`);
    await becomes(page, () => !document.getElementById("trouble").hidden && document.getElementById("trouble").innerText.includes("SERVER.INTERNAL"), `a failure of ${question} is reported`);
    await page.unroute(`**/data/${question}`);
    await openSection(page, "profile/import");
    await openSection(page, "log");
    await becomes(page, () => document.querySelectorAll("#qsos .rows li").length === 50, `after a failure of ${question} the log is requested again`);
    await becomes(page, () => document.getElementById("trouble").hidden, "a successful attempt hides the report");
    is(await page.locator("#log-actions button").count(), 1, "the page has exactly one button that logs a QSO");
    await page.click("#qsos .q >> nth=0");
    is(await page.locator(".sheet button:visible").evaluateAll((all) => all.length - new Set(all.map((one) => one.innerText || one.getAttribute("aria-label"))).size), 0, "each button of the details exists once");
    await page.keyboard.press("Escape");
    const asked = [];
    page.on("request", (request) => { if (/\/data\/qsos\?.*band=/.test(request.url())) asked.push(request.url()); });
    await openChip(page, "Band", "PMR446");
    await becomes(page, () => document.getElementById("qsos").getAttribute("aria-busy") === null && !document.getElementById("search-clear").hidden, "the list is loaded after a choice, and the filter can be cleared");
    is(asked.length, 1, "a filter requests its QSOs once");
  }

  const page = await context.newPage();
  await page.route("**/data/qsos?*", (route) => route.fulfill(refused));
  await page.goto(`${origin}/profile/#log`);
  await becomes(page, () => document.querySelector("#qsos [role=alert]:not([hidden])")?.innerText.includes("SERVER.INTERNAL"), "a failure of the newest QSOs is reported in their place");
  await page.unroute("**/data/qsos?*");
  await page.click("#qsos >> text=Show more");
  await becomes(page, () => document.querySelectorAll("#qsos .rows li").length === 50 && document.querySelector("#qsos [role=alert]").hidden, "the next attempt loads the newest QSOs");

  // Another section is opened before the first section has loaded.
  const hasty = await context.newPage();
  const held = [];
  await hasty.route("**/data/me", (route) => { held.push(route); });
  await hasty.goto(`${origin}/profile/#log`);
  await waitUntil(async () => held.length > 0);
  await hasty.evaluate(() => { location.hash = "#history"; });
  await Promise.all(held.map((route) => route.continue()));
  await hasty.unroute("**/data/me");
  await becomes(hasty, () => document.getElementById("section-log").hidden && document.querySelector("#section-history .items li"), "the last opened section is shown");
  await openSection(hasty, "log");
  await becomes(hasty, () => document.querySelectorAll("#qsos .rows li").length === 50, "the first section loads when it is opened again");
}, { member, allowed: [/status of 500 .*data\/(statistics|revision|qsos)/] });
