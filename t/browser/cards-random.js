// Tests a gallery of 200 cards whose designs are random objects.
import { becomes, is, ok, origin, withBrowser } from "./browser.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
await withBrowser(async (context) => {
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (fault) => faults.push(String(fault)));
  await page.goto(`${origin}/profile/#cards`);
  await becomes(page, () => document.querySelectorAll(".qsl-gallery svg").length > 0, "the gallery shows cards");
  // Scrolls to each card once.
  await becomes(page, () => {
    const places = [...document.querySelectorAll(".qsl-gallery .qsl-place")];
    (places.find((place) => !place.querySelector("svg")) ?? places.at(-1))?.scrollIntoView();
    return places.length === 200 && places.every((place) => place.querySelector("svg"));
  }, "each of 200 cards with a random design is drawn");
  const shown = await page.evaluate(() => [...document.querySelectorAll(".qsl-gallery li")].map((item) => item.textContent));
  is(new Set(shown.map((text) => text.match(/26AT\d+/)?.[0])).size, 200, "each card has the callsign of its station");
  is(await page.evaluate(() => [document.querySelectorAll(".qsl-gallery :is(script, img)").length, document.querySelectorAll(".qsl-gallery .note").length]), [0, 0], "no design adds markup, and every card is drawn");
  is(faults, [], "no design causes an error");
  await page.click(".qsl-gallery li:first-child button");
  await becomes(page, () => document.querySelector("dialog .qsl"), "a card opens");
  ok((await page.textContent("dialog")).includes("To21SD333"), "an opened card shows the QSO");
}, { member });
