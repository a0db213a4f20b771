// Checks the parts that source_new_parts.t adds. A field and a choice of a QSO are in the app's form, list, conflicts
// and file, and in Logbook. A mode is in the same places, in the awards, and in the filters of the awards, Logbook and
// the cluster. A section of the profile is shown in English and in a language that lacks most texts.
import { becomes, contentOf, download, is, isStored, logIt, ok, openByLink, openChip, origin, qso, save, waitFor, withBrowser } from "./browser.js";
import { isInStep } from "./device.js";

const { QSOSYNC_CALLSIGN, QSOSYNC_PASSWORD, QSOSYNC_WRITE_KEY } = process.env;
const optionsOf = (page, id) => page.evaluate((name) => [...document.getElementById(name).options].map((one) => one.value), id);
const MODES = ["FM", "AM", "SSB", "USB", "LSB", "CW", "DIGITAL", "RTTY"];
const counts = () => document.querySelector("#awards-figures svg")?.getAttribute("aria-label").startsWith("1 of") && document.querySelectorAll("#awards-wall li.confirmed").length === 1;
const said = (call) => (qsos) => qsos.filter((one) => one.callsignWorked === call).map((one) => [one.notes, one.weather, one.qslVia]);

await withBrowser(async (context) => {
  await save(qso({ callsignWorked: "26AT88", qsoAt: "2026-01-02T03:04:05Z", weather: "Sunny", qslVia: "PIGEON" }));
  const page = await context.newPage();
  await openByLink(page, QSOSYNC_WRITE_KEY);
  await becomes(page, isInStep, "the app is up to date");
  await becomes(page, () => navigator.serviceWorker.controller !== null, "the worker controls the app");

  // The list shows the parts, and a change is saved.
  await page.goto(`${origin}/app/#logbook`);
  await page.locator("#qsos .q", { hasText: "26AT88" }).click();
  await becomes(page, () => /Weather\s+Sunny/.test(document.querySelector(".sheet dl")?.innerText), "the app's list shows the new field");
  await page.getByRole("button", { name: "Edit" }).click();
  is([await page.locator("#weather").inputValue(), await page.locator("#qslVia").inputValue()], ["Sunny", "PIGEON"], "the form has the new field and the new choice");
  await page.locator("#notes").fill("changed");
  await page.locator("#notes").press("Enter");
  await isStored(said("26AT88"), [["changed", "Sunny", "PIGEON"]], "a change of another field keeps the new field and the new choice");
  await page.evaluate(() => { location.hash = "#logbook"; });
  await page.getByRole("button", { name: "Edit" }).click();
  await page.locator("#more summary").click();
  await page.locator("#weather").fill("Fog");
  await page.locator("#weather").press("Enter");
  await isStored(said("26AT88"), [["changed", "Fog", "PIGEON"]], "the app saves a change of the new field");
  await page.evaluate(() => { location.hash = "#log"; });
  await page.locator("#callsignWorked").fill("26AT89");
  await page.locator("#weather").fill("Rain");
  await page.locator("#qslVia").selectOption("PIGEON");
  await logIt(page);
  await isStored(said("26AT89"), [[null, "Rain", "PIGEON"]], "a new QSO has the new field and the new choice");

  // Another program changes a QSO that waits on this device.
  const [theirs] = (await download()).filter((one) => one.callsignWorked === "26AT88");
  await waitFor(page, isInStep);
  await page.evaluate((one) => window.app.log.save(one, false, { weather: "Mine" }), theirs);
  await save({ ...theirs, weather: "Theirs" });
  await page.evaluate(async () => { await window.app.synchronise(); await window.app.refresh(); location.hash = "#logbook"; });
  await page.getByRole("button", { name: "Show both" }).click();
  await becomes(page, () => /Weather\s+Mine\s+Theirs/.test(document.querySelector(".versus")?.innerText), "a conflict shows both values of the new field");
  await page.getByRole("button", { name: "Take theirs" }).click();
  await becomes(page, isInStep, "the member's choice ends the conflict");
  is(said("26AT88")(await download()), [["changed", "Theirs", "PIGEON"]], "the service stores the chosen version");

  // The waiting QSOs are saved as a file.
  await context.setOffline(true);
  await page.evaluate(() => { location.hash = "#log"; });
  await page.locator("#callsignWorked").fill("26AT90");
  await page.locator("#weather").fill("50 %");
  await page.locator("#mode").selectOption("RTTY");
  await page.locator("#qslVia").selectOption("PIGEON");
  await logIt(page);
  await becomes(page, () => window.app.outbox.size === 1, "a QSO waits");
  await page.evaluate(() => { location.hash = "#settings"; });
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator("#export").click()]);
  const text = await contentOf(file);
  ok(text.includes("<APP_QSOSYNC_WEATHER:6>50 %25"), "the file of waiting QSOs has the new field", text);
  ok(text.includes("<MODE:4>RTTY ") && !text.includes("QSL_SENT_VIA:") && text.includes("<APP_QSOSYNC_QSL_VIA:6>PIGEON"), "the file has the ADIF name of the mode, and our own field for a choice that ADIF lacks", text);
  await page.evaluate(() => { location.hash = "#awards"; });
  await openChip(page, "Mode", "RTTY", "#awards-filter");
  await becomes(page, counts, "the app counts the new mode");
  is(await optionsOf(page, "awards-mode"), ["", ...MODES, "none"], "the filter of the app's awards offers the new mode");
  await context.setOffline(false);
  await page.evaluate(() => window.app.synchronise());
  await isStored(said("26AT90"), [[null, "50 %", "PIGEON"]], "the waiting QSO is sent");

  // Logbook has the same form.
  const profile = await context.newPage();
  await profile.goto(`${origin}/profile/#log`);
  await profile.locator("#qsos .q", { hasText: "26AT89" }).click();
  await profile.locator(".sheet").getByRole("button", { name: "Edit" }).click();
  await becomes(profile, () => document.getElementById("weather")?.value === "Rain", "the form of Logbook has the new field");
  await profile.locator("#notes").fill("in Logbook");
  await profile.locator("#notes").press("Enter");
  await isStored(said("26AT89"), [["in Logbook", "Rain", "PIGEON"]], "a change in Logbook keeps the new field and the new choice");

  // The filter of Logbook, the awards, and the filter of the cluster have the mode.
  is(await optionsOf(profile, "search-mode"), ["", ...MODES, "none"], "the filter of Logbook offers the new mode");
  await profile.goto(`${origin}/profile/#awards?mode=RTTY`);
  await becomes(profile, counts, "the awards of the profile count the new mode");
  is([await optionsOf(profile, "awards-mode"), await profile.inputValue("#awards-mode")], [["", ...MODES, "none"], "RTTY"], "the filter of the awards offers the new mode");
  await profile.goto(`${origin}/cluster/?mode=RTTY`);
  await becomes(profile, () => document.querySelector("main").innerText.includes("26AT7RTTY"), "the cluster shows spots in the new mode");
  is([await optionsOf(profile, "mode"), await profile.inputValue("#mode")], [["", ...MODES], "RTTY"], "the filter of the cluster offers the new mode");

  // A section is shown in a language that translates only the section's name.
  await profile.goto(`${origin}/profile/#profile`);
  await profile.locator(".settings").getByRole("link", { name: "Weather" }).click();
  await becomes(profile, () => document.getElementById("weather-now")?.innerText === "Sunny at most stations", "the new section is shown");
  await profile.evaluate(() => localStorage.setItem("qsosync-language", "hu"));
  await profile.reload();
  await becomes(profile, () => document.getElementById("weather-title")?.innerText === "Időjárás", "a translated text of the section is shown");
  await becomes(profile, () => document.getElementById("weather-now")?.innerText === "Sunny at most stations", "the other texts are in English");
}, { allowed: [/ERR_/], member: { callsign: QSOSYNC_CALLSIGN, password: QSOSYNC_PASSWORD } });
