// Tests QSL cards: the gallery, the member's own card, and cards and labels on paper.
import { deflateSync, inflateSync } from "node:zlib";
import { HOSTILE, becomes, drawn, is, look, ok, openSection, origin, qso, save, waitFor, withBrowser } from "./browser.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const LONG = "WWWWWWWWWWWWWWWWWWWW";
const PICTURE_SIZE = { width: 2400, height: 1600 };

// Returns a PNG of noise, which compresses badly.
function noise({ width, height }) {
  const table = Array.from({ length: 256 }, (_, n) => Array.from({ length: 8 }).reduce((c) => (c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1), n) >>> 0);
  const crc = (bytes) => (bytes.reduce((c, byte) => table[(c ^ byte) & 255] ^ (c >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0;
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const pixels = Buffer.alloc((width + 1) * height);
  for (let at = 0, seed = 7; at < pixels.length; at++) pixels[at] = at % (width + 1) ? (seed = (seed * 1103515245 + 12345) >>> 0) >>> 24 : 0;
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", head),
    chunk("tEXt", Buffer.from("Place\0SECRET")), chunk("IDAT", deflateSync(pixels, { level: 1 })), chunk("IEND", Buffer.alloc(0))]);
}
// Returns the boxes of a sheet before printing, in mm from the sheet's upper left corner.
const boxes = (selector) => [...document.querySelectorAll(".qsl-paper > div")].map((page) => {
  const [from, all] = [page.querySelector("svg").getBoundingClientRect(), page.querySelectorAll(selector)];
  return [[0, 0, from.width, from.height], ...[...all].map((one) => one.getBoundingClientRect()).map((box) => [box.x - from.x, box.y - from.y, box.width, box.height])]
    .map((box) => box.map((value) => value / (96 / 25.4)));
});
const isAt = (box, expected) => box.every((value, side) => Math.abs(value - expected[side]) < 0.2);
const near = (got, expected) => got.length === expected.length && got.every((box, place) => isAt(box, expected[place]));
// Returns the sizes of a PDF's pages, in mm.
const pagesOf = (pdf) => [...pdf.toString("latin1").matchAll(/\/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) => [width, height].map((points) => Math.round(Number(points) / 72 * 254) / 10));
// Returns the rectangles that are drawn on each page of a PDF, in mm from the page's upper left corner.
function drawnBy(pdf) {
  const objects = new Map([...pdf.toString("latin1").matchAll(/(?:^|\n)(\d+) 0 obj\n([^]*?)\nendobj/g)].map(([, id, body]) => [id, body]));
  return [...objects.values()].filter((body) => /\/Type \/Page\b/.test(body)).map((body) => {
    const [, top] = body.match(/\/MediaBox ?\[0 0 [\d.]+ ([\d.]+)\]/);
    const content = objects.get(body.match(/\/Contents (\d+)/)[1]);
    const stream = content.slice(content.indexOf("stream\n") + 7).slice(0, content.match(/\/Length (\d+)/)[1]);
    const words = inflateSync(Buffer.from(stream, "latin1")).toString("latin1").split(/\s+/);
    const [outer, drawn] = [[], []];
    let now = { x: 0, y: 0, across: 1, up: 1 }; // offset and scale of the current coordinates
    for (const [place, word] of words.entries()) {
      const [across, , , up, x, y] = words.slice(place - 6, place).map(Number);
      if (word === "q") outer.push(now);
      else if (word === "Q") now = outer.pop();
      else if (word === "cm") now = { x: now.x + x * now.across, y: now.y + y * now.up, across: across * now.across, up: up * now.up };
      else if (word === "re") {
        const [left, base, width, height] = words.slice(place - 4, place).map(Number);
        drawn.push([now.x + left * now.across, top - now.y - base * now.up, width * now.across, -height * now.up].map((points) => points / 72 * 25.4));
      }
    }
    return drawn;
  });
}
const leaving = () => [...document.querySelectorAll(".qsl-paper text, dialog svg text")].filter((text) => {
  const [own, card] = [text.getBoundingClientRect(), text.closest("svg").getBoundingClientRect()];
  return own.left < card.left - 1 || own.right > card.right + 1 || own.bottom > card.bottom + 2;
}).map((text) => text.textContent);

async function print(page, form) {
  await page.selectOption("#card-form", form);
  await page.evaluate(() => { window.print = () => { window.isPrinted = true; }; window.isPrinted = false; });
  await page.click("dialog >> text=/^Print$/");
  await waitFor(page, () => window.isPrinted);
  await page.emulateMedia({ media: "print" });
  const all = await page.evaluate(boxes, ":scope > svg > rect");
  const outside = await page.evaluate(leaving);
  const free = await page.evaluate(() => document.querySelectorAll(".qsl-paper > div > svg > rect").length - document.querySelectorAll(".qsl-paper > div > svg > svg").length);
  const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
  if (process.env.QSOSYNC_SCREENSHOTS) (await import("node:fs")).writeFileSync(`${process.env.QSOSYNC_SCREENSHOTS}/${form}.pdf`, pdf);
  await page.emulateMedia({ media: null });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  const drawn = drawnBy(pdf);
  const missing = all.flatMap(([, ...sheet], place) => sheet.filter((box) => !drawn[place]?.some((one) => isAt(one, box))));
  ok(drawn.length === all.length && missing.length === free, `${form}: the PDF has each card or label with its position and size`, JSON.stringify({ missing, drawn }));
  return { all, outside, free, pages: pagesOf(pdf) };
}

await withBrowser(async (context) => {
  const notes = Array.from({ length: 84 }, (_, word) => `note${word % 10}`).join(" ");
  await save(...Array.from({ length: 5 }, (_, hour) => qso({ callsignWorked: "13HN888", qsoAt: `2026-03-0${hour + 1}T10:00:00Z`, rstSent: "59", notes })),
    qso({ callsignWorked: LONG, qsoAt: "2026-03-06T10:00:00Z", notes: HOSTILE }), qso({ callsignWorked: "<b>\u202e&\u0301\u0301\u0301\u0301", qsoAt: "2026-03-07T10:00:00Z" }),
    qso({ callsignWorked: "14FR1", qsoAt: "2026-03-08T10:00:00Z", band: "PMR446", channel: 8, frequencyMhz: null, mode: "FM" }),
    qso({ callsignWorked: "15ES1", qsoAt: "2026-03-08T11:00:00Z", qsoStatus: "HRD" }));
  const page = await context.newPage();
  await page.goto(`${origin}/profile/#cards`);
  await becomes(page, () => document.querySelectorAll(".qsl-gallery svg").length === 2, "the gallery has a card for each confirmed QSO");
  const first = await page.textContent(".qsl-gallery li:first-child");
  ok(["26AT101", "To21SD333", "17 May 2026"].every((text) => first.includes(text)), "a card has both callsigns and the QSO", first);
  is(await page.evaluate(() => [document.title, document.querySelectorAll(".qsl-gallery :is(script, img)").length, document.querySelectorAll(".qsl-gallery image").length]),
    ["Profile - QSOsync", 0, 2], "markup in another member's design has no effect, and the picture is shown");
  await page.evaluate(() => Promise.all([...document.querySelectorAll(".qsl-gallery image")].map((image) => image.decode())));
  is(await page.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => name.includes("/picture")).length), 1, "the page requests the same picture only once");
  await page.click("#my-card-title");
  await becomes(page, () => document.querySelector("#my-card"), "the editor of the member's own card opens");
  ok((await page.textContent("#my-card-panel .qsl-choice svg")).includes("ModeAM"), "the member's own card is shown with the last confirmed QSO", await page.textContent("#my-card-panel .qsl-choice svg"));
  await look(page, "profile-cards");
  is(await page.evaluate(() => [...document.querySelectorAll("#section-cards .segments a")].map((one) => one.getAttribute("href"))),
    ["#awards", "#awards?part=squares", "#awards?part=special", "#cards"], "the cards are a part of the awards");
  await page.evaluate(() => localStorage.setItem("qsosync-cards-seen", "2020-01-01T00:00:00.000Z"));
  await page.reload();
  await becomes(page, () => document.querySelector("#cards [role=status]")?.textContent === "2 new cards" && document.querySelectorAll(".qsl-gallery b").length === 2, "cards that are new since the last visit are marked");
  await page.reload();
  await becomes(page, () => document.querySelectorAll(".qsl-gallery svg").length === 2 && document.querySelectorAll(".qsl-gallery b").length === 0, "new cards are marked only once");
  await page.click(".qsl-gallery li:first-child button");
  await page.locator("dialog .qsl").waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("dialog >> text=Save as picture")]);
  ok(/^qsl-26AT101-2026-05-17\.png$/.test(file.suggestedFilename()), "a card is saved as a picture", file.suggestedFilename());
  const shown = () => page.evaluate(() => document.querySelector("dialog [role=status]").textContent);
  const newest = await shown();
  await look(page, "profile-card");
  await page.keyboard.press("ArrowLeft");
  is(await shown(), newest, "no card precedes the newest card");
  await page.keyboard.press("ArrowRight");
  ok((await shown()) !== newest, "an arrow key shows the next card", await shown());
  await page.keyboard.press("ArrowLeft");
  is([await shown(), await page.getAttribute("dialog a", "href")], [newest, "#log?from=2026-05-17&to=2026-05-17&callsign=26AT101"], "a card links to its QSO");
  await page.click("dialog [aria-label=Close]");

  // Each confirmed QSO also has a card that the member sent.
  await page.click("#cards .chip >> text=Sent · 2");
  await becomes(page, () => document.querySelector(".qsl-gallery li svg")?.textContent.includes("To26AT101"), "the sent cards are the member's own cards");
  await page.click("#cards .chip >> text=Print a sheet");
  await page.locator("dialog >> text=1 card or label").waitFor();
  await page.keyboard.press("Escape");
  await page.click("#cards .chip >> text=Received · 2");
  await becomes(page, () => document.querySelector(".qsl-gallery li svg")?.textContent.includes("To21SD333"), "a chip shows the received cards again");

  // The member designs a card.
  await page.click("#my-card-title");
  await page.setInputFiles("#card-file", { name: "photo.png", mimeType: "image/png", buffer: noise(PICTURE_SIZE) });
  await becomes(page, () => document.querySelector("#my-card [name=background]:checked").value === "picture", "a chosen picture becomes the background");
  await page.fill("#my-card .stack input >> nth=0", HOSTILE.slice(0, 60));
  await page.click("#my-card .chip:has([value=notes])");
  await page.click("#my-card >> text=Save card");
  await becomes(page, () => document.querySelector("#my-card [role=status]").textContent === "Card saved.", "a click saves the member's card");
  const stored = await page.evaluate(async () => {
    const answer = await fetch("data/card/picture");
    const bytes = await answer.blob();
    const { width, height } = await createImageBitmap(bytes);
    return [answer.headers.get("Content-Type"), width, height, bytes.size <= 307200, (await bytes.text()).includes("SECRET")];
  });
  is(stored, ["image/jpeg", 1400, 900, true, false], "the picture was cropped and reduced, and lost its metadata");
  // The stored picture arrives late, and an earlier message stays.
  let release;
  const isTold = new Promise((resolve) => { release = resolve; });
  await page.route("**/data/card/picture?*", (route) => isTold.then(() => route.continue()));
  await page.reload();
  await page.click("#my-card-title");
  await becomes(page, () => document.querySelector("#my-card input[value=notes]")?.checked && document.querySelector("#my-card .stack input").value.startsWith("<script>"), "the saved card is shown after a reload");
  await page.setInputFiles("#card-file", { name: "x.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
  const toldUnreadable = () => document.querySelector("#my-card [role=status]").textContent.startsWith("Your browser can't read");
  await becomes(page, toldUnreadable, "an unreadable picture is reported");
  const coming = page.waitForResponse("**/data/card/picture?*");
  release();
  await (await coming).finished();
  await page.unroute("**/data/card/picture?*");
  await drawn(page);
  ok(await page.evaluate(toldUnreadable), "the report stays when the stored picture arrives");

  // Logbook shows the card.
  await openSection(page, "log");
  await page.locator("#qsos .rows li").first().waitFor();
  is(await page.locator("#qsos .q:has(.tick)").count(), 2, "each confirmed QSO has a mark");
  await page.locator("#qsos .q:has(.tick)").first().click();
  await page.locator(".sheet").getByRole("button", { name: "QSL card" }).click();
  await page.locator("dialog:not(.sheet) .qsl").waitFor();
  ok((await page.textContent("dialog:not(.sheet)")).includes("To21SD333"), "the log's details show the card of the other station");
  await page.click("dialog:not(.sheet) [aria-label=Close]");
  await page.keyboard.press("Escape");

  // Cards for all QSOs in one March are printed.
  await page.goto(`${origin}/profile/#log?from=2026-03&to=2026-03&qslSent=no`);
  await page.click("#shown-files");
  await page.click(".log-tools >> text=Cards");
  await page.locator("#card-form").waitFor();
  await look(page, "profile-cards-send");
  const cards = await print(page, "a4-landscape");
  ok(near(cards.pages, [[297, 210], [297, 210]]), "pages of postcards are A4", JSON.stringify(cards.pages));
  const a4 = [[8.5, 15], [148.5, 15], [8.5, 105], [148.5, 105]].map(([x, y]) => [x, y, 140, 90]);
  ok(near(cards.all[0], [[0, 0, 297, 210], ...a4]), "four postcards of 140 x 90 mm fit on A4", JSON.stringify(cards.all));
  is(cards.all.map((one) => one.length - 1), [4, 1], "several QSOs with one station share a card, and a station that was only heard gets no card");
  is(cards.outside, [], "long and hostile texts stay inside their cards");
  const letter = await print(page, "letter");
  ok(near(letter.all[0], [[0, 0, 215.9, 279.4], ...[4.7, 94.7, 184.7].map((y) => [37.95, y, 140, 90])]), "three postcards fit on US letter", JSON.stringify(letter.all));
  is(letter.pages, [[215.9, 279.4], [215.9, 279.4]], "the pages have the size of US letter");
  const single = await print(page, "postcard");
  is(single.pages, Array(5).fill([140, 90]), "a postcard is a page of its own size");
  ok(single.all.every((sheet) => near(sheet.slice(1), [[0, 0, 140, 90]])), "the card fills the page", JSON.stringify(single.all));
  const small = await print(page, "labels-24");
  const at = (place, height, top) => [7.25 + (place % 3) * 66, top + Math.floor(place / 3) * height, 63.5, height];
  ok(near(small.all[0], [[0, 0, 210, 297], ...[0, 1, 2, 3].map((place) => at(place, 33.9, 12.9))]), "labels of 3 x 8 have their standard positions", JSON.stringify(small.all));
  is(small.outside, [], "long and hostile texts stay inside their labels");
  await page.fill("dialog .fields:has-text('already used') input", "4");
  const large = await print(page, "labels-21");
  ok(near(large.all[0], [[0, 0, 210, 297], ...[0, 1, 2, 3, 4, 5, 6, 7].map((place) => at(place, 38.1, 15.15))]), "labels of 3 x 7 have their standard positions", JSON.stringify(large.all));
  is(large.free, 4, "used labels stay empty");
  await page.fill("dialog .fields:has-text('already used') input", "0");
  await page.selectOption("#card-form", "own");
  const measures = page.locator("dialog .fields:has-text('Width, mm') input");
  for (const [place, value] of [2, 5, 100, 50, 5, 20, 0, 1].entries()) await measures.nth(place).fill(String(value));
  const own = await print(page, "own");
  ok(near(own.all[0], [[0, 0, 210, 297], ...[0, 1, 2, 3].map((place) => [5 + (place % 2) * 100, 20 + Math.floor(place / 2) * 51, 100, 50])]), "labels can have a custom size", JSON.stringify(own.all));
  await measures.nth(2).fill("120");
  await becomes(page, () => document.querySelector("dialog [role=alert]").textContent === "These labels don't fit on the paper.", "a size that does not fit is reported");

  // The printed cards are marked as sent.
  await page.selectOption("dialog .fields:has-text('QSL by') select", "BUREAU");
  await page.click("dialog >> text=Mark these as sent");
  const sent = () => page.evaluate(async () => (await (await fetch("data/qsos?from=2026-03&to=2026-03")).json()).items.filter((one) => one.qslSent && one.qslVia === "BUREAU").length);
  await becomes(page, () => document.querySelector("dialog").textContent.includes("8 QSOs are marked as sent."), "QSOs are marked as sent");
  is(await sent(), 8, "the log has the marks, except for the station that was only heard");
  await save(qso({ ...(await page.evaluate(async () => (await (await fetch("data/qsos?callsign=14FR1")).json()).items[0])), notes: "changed meanwhile" }));
  await page.click("dialog >> text=Undo");
  await becomes(page, () => document.querySelector("dialog").textContent.includes("7 QSOs were restored."), "undo removes the marks, except from a QSO that was changed meanwhile");
  is(await sent(), 1, "the log has only the mark of the changed QSO");
}, { member });
