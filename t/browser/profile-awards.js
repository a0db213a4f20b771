// Tests the Awards section: the awards of the log as tables, as a map, as a file and on paper.
import { HOSTILE, becomes, contentOf, is, isTooWide, look, ok, origin, qso, save, tabTo, withBrowser } from "./browser.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const pmr = { band: "PMR446", channel: 8, frequencyMhz: null, mode: "FM" };
const entries = [
  qso({ callsignWorked: "26AT101", qsoAt: "2025-05-17T19:42:00Z", dxLocator: "IO91wm" }),
  qso({ callsignWorked: "26-AT-7", qsoAt: "2026-01-02T08:00:00Z", dxLocator: "IO92", mode: "AM" }),
  qso({ callsignWorked: "13HN1", qsoAt: "2024-03-04T10:00:00Z", dxLocator: "JO31", ...pmr }),
  qso({ callsignWorked: "104AT/DX", qsoAt: "2024-08-09T10:00:00Z", dxLocator: null }),
  qso({ callsignWorked: "999AT1", qsoAt: "2024-08-09T11:00:00Z", dxLocator: null }),
  qso({ callsignWorked: `1AT/${HOSTILE.slice(0, 10)}`, qsoAt: "2026-02-03T10:00:00Z", dxLocator: null }),
  qso({ callsignWorked: "3AT1", qsoAt: "2026-02-03T10:00:00Z", dxLocator: "GG87", qsoStatus: "HRD" }),
  ...Array.from({ length: 30 }, (_, index) => qso({ callsignWorked: `${200 + index}AT1`, dxLocator: `JN${50 + index}`,
    qsoAt: new Date(Date.UTC(2026, 3, 1 + index)).toISOString() })),
];
const firsts = () => [...document.querySelectorAll("#awards-divisions tbody tr")].map((row) => row.querySelector("th a").textContent);

await withBrowser(async (context) => {
  await save(...entries);
  const page = await context.newPage();
  await page.goto(`${origin}/profile/#awards`);
  await becomes(page, () => document.querySelectorAll("#awards-divisions tbody tr").length === 34, "each worked division is listed");
  // The browser keeps the answer, and the service confirms it: only headers arrive.
  await page.reload();
  await becomes(page, () => document.querySelectorAll("#awards-divisions tbody tr").length === 34, "the second view shows the same divisions");
  const sent = await page.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => /data\/(awards|statistics)\b/.test(name)).map(({ transferSize, decodedBodySize }) => [transferSize > 0 && transferSize < 1000, decodedBodySize > 1000]));
  ok(sent.length >= 1 && sent.every(([isShort, isWhole]) => isShort && isWhole), "the second view transfers no answer again", JSON.stringify(sent));
  is(await page.evaluate(() => [...document.querySelectorAll("#awards-figures dd")].map((one) => one.textContent)), ["34 / 341 ✓ 1 confirmed", "33 ✓ 1 confirmed", "1 ✓ 0 confirmed"],
    "divisions, squares and special stations are counted, worked and confirmed");
  is((await page.evaluate(firsts)).slice(0, 4), ["1", "13", "26", "104"], "divisions are in the order of their numbers");
  const england = await page.innerText("#awards-divisions tbody tr:has(a[href='#log?division=26'])");
  await becomes(page, () => document.querySelectorAll("#awards-wall li").length === 341, "every division has a tile");
  is(await page.evaluate(() => ["confirmed", "worked"].map((kind) => document.querySelectorAll(`#awards-wall .${kind}`).length)), [1, 33], "tiles distinguish confirmed and worked divisions");
  ok(/^Europe \d+ \/ \d+$/.test(await page.locator("#awards-wall p").first().innerText()), "tiles are grouped by continent", await page.locator("#awards-wall p").first().innerText());
  ok(["United Kingdom", "England"].some((name) => england.includes(name)) && england.includes("USB ✓") && england.includes("✓ confirmed"), "a row shows country, modes and confirmations", england);
  await page.locator("#awards-goals button").first().click();
  await page.locator(".certificate").waitFor();
  const certificate = await page.innerText(".certificate");
  ok(["21SD333", "divisions worked", "2026"].every((text) => certificate.includes(text)), "a reached milestone has a certificate", certificate);
  await look(page, "profile-certificate");
  await page.emulateMedia({ media: "print" });
  is([await page.locator("main").isVisible(), await page.locator(".certificate").isVisible(), await page.locator("dialog button.main").isVisible()], [false, true, false], "only the certificate is printed");
  await page.emulateMedia({ media: null });
  await page.click("dialog >> text=Close");
  const goals = await page.innerText("#awards-goals");
  ok(goals.includes("25 divisions") && goals.includes("16 to go"), "milestones show their day or the missing count", goals);
  const parts = await page.innerText("#awards-parts");
  ok(parts.includes("11 m") && parts.includes("PMR446") && parts.includes("2024"), "the counts are shown per band, mode and year", parts);
  ok((await page.innerText("#awards-missing summary")).includes("307"), "missing divisions are counted");
  await page.click("#awards-missing summary");
  ok((await page.innerText("#awards-missing")).includes("352 Kosovo"), "missing divisions are named");
  ok(!(await page.innerText("#awards-missing")).includes("East Germany"), "an abolished division is not missing");
  ok((await page.innerText("#awards-unknown summary")).includes("1 QSO"), "an unknown division is shown as unknown");
  await page.click("#awards-unknown summary");
  ok((await page.innerText("#awards-unknown")).includes("999AT1"), "an unknown division is listed with its callsign");
  is(await page.evaluate(() => [document.title, document.querySelectorAll("#section-awards :is(img, script)").length]), ["Profile - QSOsync", 0], "markup in a callsign has no effect");

  // The map is used by keys.
  await becomes(page, () => (document.querySelector("#awards-map .square.open")?.getAttribute("d")?.match(/M/g) ?? []).length === 32
    && document.querySelector("#awards-map .square.confirmed")?.getAttribute("d")?.match(/M/g)?.length === 1, "each square is on the map, worked or confirmed");
  await tabTo(page, "#awards-map .frame");
  await page.keyboard.press("p");
  await becomes(page, () => /[A-R]{2}\d\d · 1 QSO|\d+ here/.test(document.querySelector("#awards-map .told")?.textContent ?? ""), "a key describes a square");
  ok((await page.innerText("#awards-squares")).includes("IO91"), "the table next to the map lists the squares");
  await look(page, "profile-awards");
  for (const [width, height] of [[360, 740], [800, 1100], [1366, 768]]) {
    await page.setViewportSize({ width, height });
    is(await page.evaluate(isTooWide), null, `profile-awards is not wider than ${width} pixels`);
  }

  // Filters apply, also to the links to Logbook.
  await page.selectOption("#awards-band", "PMR446");
  await becomes(page, () => document.querySelectorAll("#awards-divisions tbody tr").length === 1, "a band has its own count");
  is(await page.evaluate(() => location.hash), "#awards?band=PMR446", "the filter is in the address");
  await page.selectOption("#awards-band", "");
  await page.selectOption("#awards-year", "2024");
  await becomes(page, () => document.querySelectorAll("#awards-divisions tbody tr").length === 2, "a year has its own count");
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#awards-csv")]);
  const table = (await contentOf(file)).split("\r\n");
  ok(table.includes('division,13,Germany,1,0,PMR446,FM,,,2024-03-04T10:00:00.000Z,13HN1,,,worked') && table.filter((line) => line.endsWith(",missing")).length === 339,
    "the file contains the shown and the missing divisions", table.slice(0, 3).join("\n"));
  await page.selectOption("#awards-year", "");
  await becomes(page, () => document.querySelectorAll("#awards-divisions tbody tr").length === 34, "the whole log is counted again without filters");
  await page.check("#awards-open");
  await becomes(page, () => document.querySelectorAll("#awards-divisions tbody tr").length === 33, "confirmed divisions can be hidden");
  await page.uncheck("#awards-open");
  await page.click("#awards-divisions tbody tr:has(a[href='#log?division=26']) td.wide:has(time) a >> nth=0");
  await becomes(page, () => location.hash.startsWith("#log?") && document.querySelectorAll("#qsos tbody tr").length === 1
    && document.querySelector("#qsos tbody th")?.textContent.includes("26AT101"), "the first QSO of a division is one step away");

  // QSOs from another program are counted when the section is opened again.
  await page.goto(`${origin}/profile/#awards`);
  await save(qso({ callsignWorked: "7AT1", dxLocator: null }));
  await page.click(".tabs >> text=Logbook");
  await becomes(page, () => document.querySelector("#section-awards")?.hidden === true, "another section is open");
  await page.click(".tabs >> text=Awards");
  await becomes(page, () => document.querySelectorAll("#awards-divisions tbody tr").length === 35, "a QSO from another program is counted");

  // On paper.
  await page.evaluate(() => { window.print = () => { window.isPrinted = document.querySelector("#awards-missing details")?.open; }; });
  await page.click("#awards-print");
  await becomes(page, () => window.isPrinted === true, "missing divisions are also printed");
}, { member });
