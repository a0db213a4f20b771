// Tests the Awards section: the awards of the log as rings and walls, as a map, as a file and on paper.
import { HOSTILE, becomes, contentOf, is, isTooWide, look, ok, openChip, openSection, origin, qso, save, tabTo, withBrowser } from "./browser.js";

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
// Returns whether the wall has this number of tiles for worked items.
const lit = (count) => document.querySelectorAll("#awards-wall li:is(.worked, .confirmed)").length === count;
const ringTexts = () => [...document.querySelectorAll("#awards-figures > div")].map((one) => `${one.querySelector("svg").getAttribute("aria-label")} ${one.querySelector("span").textContent.trim()}`);
const tile = (name) => `#awards-wall [data-name="${name}"] button`;

await withBrowser(async (context) => {
  await save(...entries);
  const page = await context.newPage();
  await page.goto(`${origin}/profile/#awards`);
  await becomes(page, lit, "each worked division has a tile", 34);
  // The browser keeps the answer, and the service confirms it: only headers arrive.
  await page.reload();
  await becomes(page, lit, "the second view shows the same divisions", 34);
  const sent = await page.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => /data\/(awards|statistics)\b/.test(name)).map(({ transferSize, decodedBodySize }) => [transferSize > 0 && transferSize < 1000, decodedBodySize > 1000]));
  ok(sent.length >= 1 && sent.every(([isShort, isWhole]) => isShort && isWhole), "the second view transfers no answer again", JSON.stringify(sent));
  is(await page.evaluate(ringTexts), ["34 of 341 1 confirmed", "33 to 50 1 confirmed", "1 to 10 "],
    "rings count divisions, squares and special stations, worked and confirmed");
  is(await page.evaluate(() => [document.querySelectorAll("#awards-wall li[data-name]").length,
    ...["confirmed", "worked"].map((kind) => document.querySelectorAll(`#awards-wall li.${kind}`).length)]), [341, 1, 33],
  "every division has a tile, which distinguishes confirmed and worked divisions");
  const group = await page.locator(".tile-group").first().innerText();
  ok(/^Europe\s+\d+ of \d+\s+1\s+13\s+14\s/.test(group), "tiles are grouped by continent, in the order of their numbers", group.slice(0, 80));

  // Stations that are on the air, and new for the member, are listed, and their tiles are marked.
  await save(qso({ callsignWorked: "43AT1", dxLocator: "QF22", qsoAt: "2020-01-01T00:00:00Z", sendSpot: true, qsoStatus: "HRD" }));
  await page.reload();
  await becomes(page, () => document.querySelector("#awards-wall .on-air")?.textContent === "43", "a missing division on the air is marked");
  const air = await page.innerText("#awards-air");
  ok(["43AT1", "New division", "Australia", "27.555 USB"].every((text) => air.includes(text)), "a new station on the air is listed", air);
  ok(/^\.\.\/app\/#spot=.*callsignWorked=43AT1/.test(await page.getAttribute("#awards-air a", "href")), "a station on the air can be logged");

  // A tile opens its details. Keys move between the tiles.
  await tabTo(page, "#awards-wall button");
  await page.keyboard.press("End");
  const last = await page.evaluate(() => document.activeElement.textContent);
  await page.keyboard.press("ArrowLeft");
  const before = await page.evaluate(() => document.activeElement.textContent);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  const below = await page.evaluate(() => document.activeElement.textContent);
  ok(last === "294" && before === "140" && Number(below) > 20, "keys move between the tiles", `${last} ${before} ${below}`);
  await page.click(tile(26));
  const england = await page.innerText("dialog");
  ok(["United Kingdom", "England"].some((name) => england.includes(name)) && ["USB ✓", "11 m ✓", "26AT101"].every((text) => england.includes(text)),
    "a tile shows the country, the first QSO, bands and modes", england);
  await page.keyboard.press("ArrowDown");
  ok(!(await page.innerText("dialog h2")).startsWith("26"), "an arrow key shows the next tile");
  await page.keyboard.press("ArrowUp");
  await look(page, "profile-awards-tile");
  await page.keyboard.press("Escape");
  is(await page.evaluate(() => document.activeElement.textContent), "26", "the focus returns to the tile");
  await page.click(tile(352));
  ok((await page.innerText("dialog")).includes("352 Kosovo"), "the details name a missing division");
  is(await page.getAttribute("dialog a", "href"), "../cluster/?division=352", "a missing division links to its spots");
  await page.keyboard.press("Escape");
  await page.click(tile(43));
  ok(/On the air now\s+43AT1/.test(await page.innerText("dialog")), "a tile shows the stations on the air", await page.innerText("dialog"));
  await page.keyboard.press("Escape");
  is(await page.locator(tile(46)).count(), 0, "an abolished division is not missing");
  await page.locator("#awards-goals button").first().click();
  await page.locator(".certificate").waitFor();
  const certificate = await page.innerText(".certificate");
  ok(["21SD333", "divisions worked", "2026"].every((text) => certificate.includes(text)), "a reached milestone has a certificate", certificate);
  await look(page, "profile-certificate");
  await page.emulateMedia({ media: "print" });
  is([await page.locator("main").isVisible(), await page.locator(".certificate").isVisible(), await page.locator("dialog button.main").isVisible()], [false, true, false], "a print of a certificate has nothing else");
  await page.emulateMedia({ media: null });
  await page.click("dialog >> text=Close");
  const goals = await page.innerText("#awards-goals");
  ok(goals.includes("25 divisions") && goals.includes("16 to go"), "milestones show their day or the missing count", goals);
  ok((await page.innerText("#awards-unknown")).includes("999AT1"), "an unknown division is listed with its callsign");
  is(await page.evaluate(() => [document.title, document.querySelectorAll("#section-awards :is(img, script)").length]), ["Profile - QSOsync", 0], "markup in a callsign has no effect");

  // The map is used by keys.
  await becomes(page, () => (document.querySelector("#awards-map .square.open")?.getAttribute("d")?.match(/M/g) ?? []).length === 32
    && document.querySelector("#awards-map .square.confirmed")?.getAttribute("d")?.match(/M/g)?.length === 1, "each square is on the map, worked or confirmed");
  await tabTo(page, "#awards-map .frame");
  await page.keyboard.press("p");
  await becomes(page, () => /[A-R]{2}\d\d · 1 QSO|\d+ here/.test(document.querySelector("#awards-map .told")?.textContent ?? ""), "a key describes a square");
  await page.click(".segments >> text=Squares");
  await becomes(page, lit, "each square has a tile", 33);
  is(await page.evaluate(() => [location.hash, document.querySelector(".tile-group .tiles li").className]), ["#awards?part=squares", "confirmed"], "the part is in the address");
  await look(page, "profile-awards-squares");
  await page.click(tile("IO91"));
  is(await page.getAttribute("dialog .main", "href"), "#log?square=IO91", "a square links to its QSOs");
  await page.keyboard.press("Escape");
  await page.click(".segments >> text=Special");
  await becomes(page, lit, "each special station has a tile", 1);
  await page.click(".segments >> text=Divisions");
  await look(page, "profile-awards");
  for (const [width, height] of [[360, 740], [800, 1100], [1366, 768]]) {
    await page.setViewportSize({ width, height });
    is(await page.evaluate(isTooWide), null, `profile-awards is not wider than ${width} pixels`);
  }

  // Filters apply to the awards, including the links to Logbook.
  await openChip(page, "Band", "PMR446", "#awards-filter");
  await becomes(page, lit, "a band has its own count", 1);
  is(await page.evaluate(() => location.hash), "#awards?band=PMR446", "the filter is in the address");
  await page.click("#awards-filter .on .chip-x");
  await openChip(page, "Year", "2024", "#awards-filter");
  await becomes(page, lit, "a year has its own count", 2);
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#awards-csv")]);
  const table = (await contentOf(file)).split("\r\n");
  ok(table.includes('division,13,Germany,1,0,PMR446,FM,,,2024-03-04T10:00:00.000Z,13HN1,,,worked') && table.filter((line) => line.endsWith(",missing")).length === 339,
    "the file contains the shown and the missing divisions", table.slice(0, 3).join("\n"));
  await page.click("#awards-filter .on .chip-x");
  await becomes(page, lit, "without filters, Awards counts the whole log", 34);
  await page.click(tile(26));
  await page.click("dialog dd a >> nth=0");
  await becomes(page, () => location.hash.startsWith("#log?") && document.querySelectorAll("#qsos .rows li").length === 1
    && document.querySelector("#qsos .callsign")?.textContent.includes("26AT101"), "a link in a tile opens the first QSO of its division");

  // QSOs from another program are counted when the section is opened again.
  await page.goto(`${origin}/profile/#awards`);
  await save(qso({ callsignWorked: "7AT1", dxLocator: null }));
  await openSection(page, "log");
  await becomes(page, () => document.querySelector("#section-awards")?.hidden === true, "the test opens another section");
  await openSection(page, "awards");
  await becomes(page, lit, "a QSO from another program is counted", 35);

  // On paper, every tile is shown.
  await page.setViewportSize({ width: 390, height: 844 });
  const seen = () => [...document.querySelectorAll("#awards-wall [data-name]")].filter((one) => one.offsetParent).length;
  ok(await page.evaluate(seen) < 150, "a phone shows missing divisions only in Europe");
  await page.locator(".rest button:visible").first().click();
  ok(await page.evaluate(seen) > 90, "a phone shows the missing divisions of a continent on request");
  await page.emulateMedia({ media: "print" });
  is(await page.evaluate(seen), await page.locator("#awards-wall [data-name]").count(), "a print also has the missing divisions");
}, { member });
