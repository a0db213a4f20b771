// Tests the spots page and the front page.
import { api, becomes, drawn, fits, is, isAccessible, look, ok, openChip, origin, qso, save, weigh, withBrowser } from "./browser.js";

await withBrowser(async (context) => {
  const page = await context.newPage();
  const newest = page.waitForResponse(/cluster\/spots/);
  await page.goto(`${origin}/`);
  await (await newest).finished();
  await drawn(page);
  is(await page.innerText("#spots"), "No spots yet.", "the front page reports that it has no spots");
  await look(page, "front");
  await page.click("footer >> text=Documentation");
  await look(page, "docs");
  await page.click("nav >> text=Spots >> visible=true");
  await becomes(page, () => document.body.innerText.includes("No spots yet"), "the spots page reports that it has no spots");
  const first = qso({ sendSpot: true });
  const saved = performance.now();
  await save(first);
  const answered = performance.now();
  await page.waitForSelector("#spots tbody tr");
  const [seen, arrived] = [await page.innerText("#spots tbody tr"), performance.now()];
  ok(/26AT101/.test(seen) && /27\.555/.test(seen) && /21SD333/.test(seen), "a new spot appears automatically", seen);
  process.stdout.write(`# the batch took ${Math.round(answered - saved)} ms, the spot came ${Math.round(arrived - answered)} ms later\n`);

  const pmr = qso({ sendSpot: true, band: "PMR446", frequencyMhz: undefined, channel: 8, ctcssTone: "88.5", mode: "FM", callsignWorked: undefined,
    dxLocator: "JO59", qsoAt: new Date(Date.now() - 7200000).toISOString() });
  await save(pmr, qso({ sendSpot: true, callsignWorked: "161SD1234/P", dxLocator: undefined, mode: "LSB", frequencyMhz: "27.455" }),
    qso({ sendSpot: true, callsignWorked: "30RC101", dxLocator: "IN80dj", frequencyMhz: "26.285" }),
    qso({ sendSpot: true, callsignWorked: "43OT120", dxLocator: "QF56od", frequencyMhz: "27.510" }),
    qso({ sendSpot: true, callsignWorked: "2LR004", dxLocator: "FN31pr", frequencyMhz: "27.555" }));
  await becomes(page, () => document.querySelectorAll("#spots tbody tr").length === 6, "the page shows every spot");
  is(await page.locator("#spots.measured").count(), 0, "without a locator no distance is shown");
  await openChip(page, "My locator");
  await page.fill("#locator", "JO59jw");
  const row = page.locator("#spots tbody tr", { hasText: "26AT101" });
  ok(/1,\d{3}\s/.test(await row.innerText()) && /2[0-4]\d°/.test(await row.innerText()), "a locator adds distance and bearing", await row.innerText());
  await page.fill("#locator", "ZZ99");
  ok(await page.getAttribute("#locator", "aria-invalid"), "an invalid locator is marked");
  await page.fill("#locator", "JO59jw");
  await page.press("#locator", "Escape");
  is(await page.innerText("#chips .on"), "JO59jw", "the chip for the locator shows the locator");
  await becomes(page, () => document.querySelectorAll("#compass .dot").length > 2, "on a wide screen a compass next to the list shows the stations");
  await page.click("#with-map");
  await becomes(page, () => document.querySelectorAll("#map .dot.spotted").length > 2, "the map shows the stations");
  for (const width of [1000, 1366]) {
    await page.setViewportSize({ width, height: 768 });
    is(await page.evaluate(() => [...document.querySelectorAll(".spots-table .call")].filter((call) => call.scrollWidth > call.clientWidth).map((call) => call.textContent)), [],
      `next to the map, callsigns are fully visible at ${width} pixels`);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await becomes(page, () => !document.getElementById("panel").checkVisibility(), "a phone shows the map only after a switch");
  await page.click("#show-panel");
  ok(await page.evaluate(() => document.querySelector(".frame").offsetHeight >= innerHeight * 0.45), "on a phone the map has 45 % of the height");
  await page.reload();
  await becomes(page, () => document.querySelector(".frame"), "the browser remembers that the map is shown");
  await page.click("#show-list");
  await page.setViewportSize({ width: 1280, height: 844 });
  await look(page, "cluster");
  const viewBox = () => page.locator(".frame svg").getAttribute("viewBox");
  await page.press(".frame", "0");
  await drawn(page);
  const box = await viewBox();
  for (const key of ["+", "+", "ArrowLeft", "ArrowUp"]) await page.press(".frame", key);
  await drawn(page);
  const closer = await viewBox();
  ok(closer.split(" ")[2] < box.split(" ")[2] / 1.5, "keys zoom in on the map", box, closer);
  await page.press(".frame", "0");
  await drawn(page);
  is(await viewBox(), box, "a key shows the whole map again");
  await page.press(".frame", "n");
  ok(/MHz|JO59|26AT|30RC|43OT|2LR|161SD/.test(await page.innerText(".told")), "a key selects a dot, and the map describes it", await page.innerText(".told"));
  await page.keyboard.press("Enter");
  ok((await page.innerText(".sheet")).includes("Log it"), "a key opens the spot of a dot");
  await page.keyboard.press("Escape");

  // A spot is opened by a click on its row or by keys.
  await page.focus("#spots tbody tr:first-child .call");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const told = await page.innerText(".sheet");
  ok(/43OT120/.test(told) && /Australia division 43/.test(told) && /\n1[56],\d{3} km at \d+°/.test(told) && /Long path\s+2[34],\d{3} km at/.test(told)
    && /It is \d\d:\d\d there, (in daylight|in twilight|at night)\./.test(told), "a spot shows both paths, and the time and the daylight at the station", told);
  await becomes(page, () => document.querySelector(".sheet .disc .needle"), "a compass shows the direction of the station");
  await isAccessible(page, "an opened spot is accessible");
  is(await page.getAttribute(".sheet a.main", "href"), "../app/#spot=band=ELEVEN_METERS&callsignWorked=43OT120&frequencyMhz=27.510&mode=USB&dxLocator=QF56od",
    "a link logs the spot");
  await page.keyboard.press("ArrowDown");
  await becomes(page, () => /30RC101/.test(document.querySelector(".sheet h2")?.innerText), "an arrow key shows the next spot");
  await page.click(".sheet >> text=Show on the map");
  await becomes(page, () => document.querySelector("#map .chosen") && !document.querySelector(".sheet"), "a button shows the station on the map");
  await page.click("#spots tbody tr", { position: { x: 20, y: 10 } });
  ok(/2LR004/.test(await page.innerText(".sheet h2")), "a click on a row opens its spot");
  await page.keyboard.press("Escape");
  ok(await page.evaluate(() => document.activeElement.closest("tr")?.innerText.includes("2LR004")), "closing a spot's details returns the focus to its row");

  await openChip(page, "Band", "pmr446");
  await becomes(page, () => document.querySelectorAll("#spots tbody tr").length === 1, "the band filters the list");
  ok(/PMR 8/.test(await page.innerText("#spots tbody tr")), "a spot on PMR446 shows its channel");
  is(await page.innerText("#shown"), "1 matching spot", "the page counts the matching spots");
  is(new URL(page.url()).search, "?band=pmr446", "the filter is in the address");
  await page.reload();
  await becomes(page, () => document.querySelectorAll("#spots tbody tr").length === 1, "the filter stays in the browser");
  is(await page.inputValue("#locator"), "JO59jw", "the locator stays in the browser");
  await page.click("#clear");
  await becomes(page, () => document.querySelectorAll("#spots tbody tr").length === 6 && location.search === "", "a button removes all filters");
  for (const [address, callsign] of [["callsign=30-rc-1", "30RC101"], ["division=43", "43OT120"], ["from=26200&to=26300", "30RC101"], ["mode=LSB&minutes=90", "161SD1234/P"]]) {
    await page.goto(`${origin}/cluster/?${address}`);
    await becomes(page, (name) => document.querySelectorAll("#spots tbody tr").length === 1 && document.getElementById("spots").innerText.includes(name),
      `an address with ${address} shows the matching spots`, callsign);
  }
  await openChip(page, "Callsign");
  await page.fill("#callsign", "NONE");
  await becomes(page, () => document.body.innerText.includes("No matching spots"), "the page reports that no spot matches");
  await page.click("#clear");
  await becomes(page, () => document.querySelectorAll("#spots tbody tr").length === 6, "without filters all spots are shown");

  // A spot disappears when its QSO is deleted.
  await api("DELETE", `/logs/${first.clientId}`);
  await becomes(page, () => !document.getElementById("spots").innerText.includes("26AT101"), "a spot disappears when its QSO is deleted");

  // Hostile texts are shown as text.
  await save(qso({ sendSpot: true, callsignWorked: "<b>\u202e1", operatorCallsign: undefined }));
  await becomes(page, () => document.getElementById("spots").innerText.includes("<b>"), "markup in a callsign shows as text");
  ok((await page.innerText("#spots")).includes("<b>[U+202E]1"), "a control that reverses text is shown by its name", await page.innerText("#spots"));
  is(await page.locator("#spots tbody b").count(), 0, "markup in a callsign adds no element");

  // A hidden page sends no requests.
  let asked = 0;
  page.on("request", (request) => { if (request.url().includes("/cluster/spots")) asked++; });
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await page.waitForTimeout(2000); // requests that were under way
  asked = 0;
  await page.waitForTimeout(4000);
  is(asked, 0, "a hidden page sends no requests");
  await page.evaluate(() => {
    delete document.hidden;
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await becomes(page, () => document.getElementById("live").classList.contains("on"), "a page that is visible again sends requests");

  await page.selectOption("#language", "de");
  await becomes(page, () => document.getElementById("chips").innerText.includes("Höchstens so alt"), "the page is shown in German");
  is(await page.getAttribute("html", "lang"), "de", "the page tells screen readers its language");
  await page.selectOption("#language", "nl");
  await becomes(page, () => document.getElementById("chips").innerText.includes("Maximale leeftijd"), "the page is shown in Dutch");
  await fits(page, "cluster-nl");
  await page.selectOption("#language", "en");
  await becomes(page, () => document.documentElement.lang === "en", "the page is shown in English again");

  // The front page shows the spots of half an hour on a disc, and only the newest spot is lit.
  await page.goto(`${origin}/`);
  await becomes(page, () => document.querySelectorAll("#air .dot").length > 2, "the front page shows the stations on a disc");
  is(await page.locator("#air .dot.new").count(), 1, "only the newest spot is lit");
  ok(/^\d stations heard in the last 30 minutes$/.test(await page.innerText("#live")), "the front page counts the stations of half an hour", await page.innerText("#live"));
  await becomes(page, () => /^\d.* km\s+\d+°$/.test([...document.querySelectorAll("#spots [data-id] :is(.far > .km, .towards)")].slice(0, 2).map((node) => node.textContent).join(" ")),
    "the rows of the front page have distance and bearing");
  is(await page.locator("#spots .needed, #spots .badge").count(), 0, "no row of the front page is lit");
  await page.click("#spots tr:has-text('43OT120')");
  await becomes(page, () => document.querySelector(".sheet[open] h2")?.textContent.includes("43OT120"), "a row of the front page opens the spot's details");
  ok((await page.getAttribute(".sheet a.main", "href")).startsWith("./app/#spot="), "the station can be logged from the front page");
  await page.keyboard.press("Escape");
  ok(await page.evaluate(() => [...document.querySelectorAll("#air .dot-name")].every((name) => {
    const { x, y, width, height } = name.getBBox();
    return Math.hypot(Math.max(-x, x + width), Math.max(-y, y + height) - height / 4) <= 100;
  })), "no name crosses the rim of the compass");
  await look(page, "front-spots");
  await isAccessible(page, "the front page is accessible");

  await weigh(context, "/docs/");
  for (const path of ["/", "/cluster/"]) await weigh(context, path, 84992); // including the disc or the map
});

await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(`${origin}/`);
  ok((await page.innerText("body")).includes("How to join"), "without JavaScript the front page explains how to join");
  await page.click("nav >> text=Spots >> visible=true");
  await page.click("noscript a");
  const list = await page.innerText("tbody");
  ok(list.includes("161SD1234/P") && list.includes("27.455 MHz") && list.includes("21SD333"), "without JavaScript the spots can be read", list);
  ok(list.includes("<b>[U+202E]1"), "without JavaScript hostile texts are shown as text");
  await page.setViewportSize({ width: 360, height: 700 });
  ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the plain list fits a narrow screen");
  await page.click("text=PMR446");
  is(await page.locator("tbody tr").count(), 1, "without JavaScript a band can be chosen");
  await page.goto(`${origin}/docs/`);
  const examples = page.locator(".codes pre >> visible=true");
  await page.locator("label", { hasText: "Python" }).first().click();
  is([await examples.count(), (await examples.first().innerText()).includes("import json")], [6, true], "without JavaScript each request shows one example, in the chosen language");
}, { script: false, allowed: [/favicon/] });

// The page that describes the API sends example requests, but only with a READ key.
await withBrowser(async (context) => {
  await save(qso({ callsignWorked: "<b>26AT900" }), qso(), qso());
  const page = await context.newPage();
  await page.goto(`${origin}/docs/`);
  const section = (name) => page.locator("section", { has: page.locator(`h3#${name}`) });
  const list = section("get-logs");
  await list.locator("text=Try it").click();
  is(await list.locator("form input").first().inputValue(), "/logs?limit=2", "the offered request has a short answer");
  const send = async (key) => {
    await list.locator("input[type=password]").fill(key);
    await list.getByRole("button", { name: "Send", exact: true }).click();
  };
  const shows = (part, rule) => becomes(page, (text) => document.querySelector(".docs form pre").innerText.includes(text), rule, part);
  await send(process.env.QSOSYNC_WRITE_KEY);
  await shows("Use a READ key", "a key that can write is refused");
  await send(process.env.QSOSYNC_READ_KEY);
  await shows('"nextCursor": "', "the form shows the answer to the request");
  const told = await list.locator("pre").last().innerText();
  ok(/^GET \/api\/v1\/logs\?limit=2\n200 .*\n[^]*Content-Type: application\/json[^]*X-Log-Epoch: /.test(told), "the form shows the status and the headers", told);
  await list.locator("form input").first().fill("/logs?limit=9");
  await send(process.env.QSOSYNC_READ_KEY);
  await shows("<b>26AT900", "markup in an answer is shown as text");
  is(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }).includes("qsosync_")), false, "the browser does not store the key");
  await section("get-logs").locator("[value=go]").focus();
  await page.keyboard.press("ArrowRight");
  is((await page.locator(".codes pre >> visible=true").allInnerTexts()).filter((text) => text.startsWith("<?php")).length, 6, "the arrow keys choose a language, for all examples");
  await section("get-me").locator("text=Try it").click();
  is(await section("get-me").locator("input[type=password]").inputValue(), process.env.QSOSYNC_READ_KEY, "the next request already has the key");
  is(await section("post-logs-batch").locator("text=Try it").count(), 0, "requests that write cannot be tried");
  const me = section("get-me");
  await me.locator("text=Get a sandbox").click();
  await me.locator("p[role=status] code").waitFor();
  const key = await me.locator("p[role=status] code").innerText();
  is(await me.locator("input[type=password]").inputValue(), key, "the key of a new sandbox is entered in the form, and shown");
  await me.getByRole("button", { name: "Send", exact: true }).click();
  await me.locator("pre", { hasText: '"callsign": "SANDBOX"' }).waitFor();
  ok(true, "the key of a sandbox can be tried, although it can write");
  await look(page, "docs-sandbox");
  await isAccessible(page, "the form of an example request is accessible", "section:has(form)");
});
