// The spots page and the front page.
import { api, becomes, is, look, ok, origin, qso, save, weigh, withBrowser } from "./browser.js";

await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(`${origin}/`);
  await look(page, "front");
  await page.click("nav >> text=Documentation");
  await look(page, "docs");
  await page.click("nav >> text=Spots");
  await becomes(page, () => document.body.innerText.includes("No spots yet"), "without a spot the page says so");
  const first = qso({ sendSpot: true });
  const saved = performance.now();
  await save(first);
  const answered = performance.now();
  await page.waitForSelector("#rows tr");
  const [seen, arrived] = [await page.innerText("#rows tr"), performance.now()];
  ok(/26AT101/.test(seen) && /27\.555 MHz/.test(seen) && /21SD333/.test(seen), "a new spot appears by itself", seen);
  process.stdout.write(`# the batch took ${Math.round(answered - saved)} ms, the spot came ${Math.round(arrived - answered)} ms later\n`);

  const pmr = qso({ sendSpot: true, band: "PMR446", frequencyMhz: undefined, channel: 8, ctcssTone: "88.5", mode: "FM", callsignWorked: undefined,
    dxLocator: "JO59", qsoAt: new Date(Date.now() - 7200000).toISOString() });
  await save(pmr, qso({ sendSpot: true, callsignWorked: "161SD1234/P", dxLocator: undefined, mode: "LSB", frequencyMhz: "27.455" }),
    qso({ sendSpot: true, callsignWorked: "30RC101", dxLocator: "IN80dj", frequencyMhz: "26.285" }),
    qso({ sendSpot: true, callsignWorked: "43OT120", dxLocator: "QF56od", frequencyMhz: "27.510" }),
    qso({ sendSpot: true, callsignWorked: "2LR004", dxLocator: "FN31pr", frequencyMhz: "27.555" }));
  await becomes(page, () => document.querySelectorAll("#rows tr").length === 6, "the page shows every spot");
  is(await page.locator("#spots.measured").count(), 0, "without a locator there is no distance");
  await page.fill("#locator", "JO59jw");
  const row = page.locator("#rows tr", { hasText: "26AT101" });
  ok(/1,\d{3} km/.test(await row.innerText()) && /2[0-4]\d°/.test(await row.innerText()), "a locator brings distance and bearing", await row.innerText());
  await page.fill("#locator", "ZZ99");
  ok(await page.getAttribute("#locator", "aria-invalid"), "a locator that is none is marked");
  await page.fill("#locator", "JO59jw");
  await page.check("#with-map");
  await look(page, "cluster");
  const box = await page.locator(".frame svg").getAttribute("viewBox");
  await page.focus(".frame");
  for (const key of ["+", "+", "ArrowLeft", "ArrowUp"]) await page.keyboard.press(key);
  const closer = await page.locator(".frame svg").getAttribute("viewBox");
  ok(closer.split(" ")[2] < box.split(" ")[2] / 1.5, "the map zooms by keys", box, closer);
  await page.keyboard.press("0");
  is(await page.locator(".frame svg").getAttribute("viewBox"), box, "the map shows all again by a key");

  await page.selectOption("#band", "pmr446");
  is(await page.locator("#rows tr:visible").count(), 1, "the band filters the list");
  ok(/446\.09375 MHz/.test(await page.innerText("#rows tr:visible")), "a spot of PMR446 shows its frequency");
  await page.reload();
  await becomes(page, () => document.querySelectorAll("#rows tr:not([hidden])").length === 1, "the filter and the locator stay in the browser");
  is(await page.inputValue("#locator"), "JO59jw", "the locator stays in the browser");
  await page.selectOption("#band", "");

  // A spot goes with its QSO.
  await api("DELETE", `/logs/${first.clientId}`);
  await becomes(page, () => !document.getElementById("rows").innerText.includes("26AT101"), "a spot goes when its QSO is deleted");

  // Texts that are hostile.
  await save(qso({ sendSpot: true, callsignWorked: "<b>\u202e1", operatorCallsign: undefined }));
  await becomes(page, () => document.getElementById("rows").innerText.includes("<b>"), "markup in a callsign shows as text");
  ok((await page.innerText("#rows")).includes("<b>[U+202E]1"), "a control that turns the text around shows by its name", await page.innerText("#rows"));
  is(await page.locator("#rows b").count(), 0, "markup in a callsign makes no element");

  // Nothing is asked while nobody looks.
  let asked = 0;
  page.on("request", (request) => { if (request.url().endsWith("/cluster/spots")) asked++; });
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await page.waitForTimeout(2000); // a question that was under way
  asked = 0;
  await page.waitForTimeout(4000);
  is(asked, 0, "a page that nobody sees asks nothing");
  await page.evaluate(() => {
    delete document.hidden;
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await becomes(page, () => document.getElementById("live").classList.contains("on"), "a page that is seen again asks again");

  await page.selectOption("#language", "de");
  await becomes(page, () => document.body.innerText.includes("Gehört von"), "the page speaks German");
  is(await page.getAttribute("html", "lang"), "de", "the page tells screen readers its language");
  await page.selectOption("#language", "nl");
  await becomes(page, () => document.body.innerText.includes("Gehoord door"), "the page speaks Dutch");
  await look(page, "cluster-nl");
  await page.selectOption("#language", "en");

  for (const path of ["/", "/cluster/", "/docs/"]) await weigh(context, path);
});

await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(`${origin}/`);
  ok((await page.innerText("body")).includes("How to join"), "without JavaScript the front page tells how to join");
  await page.click("nav >> text=Spots");
  await page.click("noscript a");
  const list = await page.innerText("tbody");
  ok(list.includes("161SD1234/P") && list.includes("27.455 MHz") && list.includes("21SD333"), "without JavaScript the spots can be read", list);
  ok(list.includes("<b>[U+202E]1"), "without JavaScript, too, hostile texts are shown as texts");
  await page.setViewportSize({ width: 360, height: 700 });
  ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the plain list fits a narrow screen");
  await page.click("text=PMR446");
  is(await page.locator("tbody tr").count(), 1, "without JavaScript, too, a band can be chosen");
}, { script: false, allowed: [/favicon/] });
