// Tests what the form reads as a frequency, a channel or a tone: in the app, also offline, and in Logbook. Tests several
// callsigns in one entry.
import { becomes, is, look, openByLink, origin, withBrowser } from "./browser.js";
import { isInStep } from "./device.js";

const german = { callsign: process.env.QSOSYNC_GERMAN, password: process.env.QSOSYNC_GERMAN_PASSWORD };
const valueOf = (id) => document.getElementById(id)?.value;
const has = (page, id, value, rule) => becomes(page, ([id, value]) => document.getElementById(id)?.value === value, rule, [id, value]);
const told = (page, text, rule) => becomes(page, (text) => document.getElementById("tuning")?.innerText.includes(text), rule, text);
async function type(page, id, text) {
  await page.locator(`#${id}`).fill(text);
  await page.locator(`#${id}`).press("Tab");
}

await withBrowser(async (context) => {
  const page = await context.newPage();
  await openByLink(page, process.env.QSOSYNC_GERMAN_KEY);
  await becomes(page, isInStep, "the app is up to date");

  // The service worker keeps the tables, so the form reads channels offline.
  await becomes(page, async () => Boolean(await caches.match(new URL("tuning-fields.js", location.href).href)), "the app keeps the tables of channels for offline use");
  await context.setOffline(true);
  await type(page, "frequencyMhz", "41");
  await has(page, "frequencyMhz", "26.565", "channel 41 of a German member is 26.565 MHz");
  await told(page, "channel 41 · 26.565 · Germany", "the form shows the number, the frequency and the plan");
  for (const [typed, mhz] of [["27.1950", "27.195"], ["27,555", "27.555"], ["27", "27.275"], ["19a", "27.195"], ["UK 19", "27.781"]]) {
    await type(page, "frequencyMhz", typed);
    await has(page, "frequencyMhz", mhz, `${typed} is ${mhz} MHz`);
  }
  await type(page, "frequencyMhz", "27MHz");
  await has(page, "frequencyMhz", "", "27MHz means only the band");
  await type(page, "cb", "80");
  await has(page, "frequencyMhz", "26.955", "the channel's field takes the numbers of the plan");

  // On PMR446, a channel can have a tone; an unclear tone is asked.
  await page.locator("[name=band][value=PMR446]").check();
  await type(page, "channel", "8-12");
  await has(page, "ctcssTone", "100.0", "8-12 has the tone with the number 12");
  is(await page.evaluate(valueOf, "channel"), "8", "8-12 is channel 8");
  await becomes(page, () => /PMR 8 12 \(100\.0 Hz\)/.test(document.getElementById("tuned").innerText.replace(/\s+/g, " ")), "a tone is shown with its number and in Hz");
  await type(page, "ctcssTone", "D023N");
  await has(page, "dcsCode", "D023N", "a DCS code in the tone's field is a code");
  is(await page.evaluate(valueOf, "ctcssTone"), "", "a code replaces the tone");
  await page.locator("#callsignWorked").fill("26AT1");
  await page.locator("#ctcssTone").fill("131");
  await page.locator("#ctcssTone").press("Control+Enter");
  await told(page, "Tone 131 is", "three digits that can be a DCS code are asked before the QSO is saved");
  is(await page.locator("#tuning .question label").allInnerTexts().then((texts) => texts.map((text) => text.trim())), ["D131N", "D131I", "20 (131.8 Hz)"], "the question lists the codes and the tone");
  await look(page, "tuning-tone");
  await page.locator(".question").getByText("20 (131.8 Hz)").click();
  await has(page, "ctcssTone", "131.8", "the answer is the tone");
  is(await page.evaluate(valueOf, "callsignWorked"), "26AT1", "nothing was saved meanwhile");

  // Several callsigns become one QSO each.
  await page.locator("#callsignWorked").fill("26AT101, 14FR2 3AT7");
  await becomes(page, () => document.querySelector(".save").textContent === "Log 3 QSOs", "the button says how many QSOs are logged");
  await page.locator("#callsignWorked").press("Control+Enter");
  await becomes(page, () => document.querySelectorAll("#recent .entry, #recent [data-id], #recent li").length >= 3, "a round in one entry is three QSOs, also offline");
  const stored = () => page.evaluate(() => [...window.app.outbox.values()].map(({ qso }) => [qso.callsignWorked, qso.channel, qso.ctcssTone, qso.rstSent]).sort());
  is(await stored(), ["14FR2", "26AT101", "3AT7"].map((call) => [call, 8, "131.8", "59"]), "everything else is the same");
  is(await page.evaluate(valueOf, "callsignWorked"), "", "the form is empty afterwards");
  await context.setOffline(false);
  await becomes(page, isInStep, "the QSOs reach the service");

  // Without a plan, a number that plans use differently is asked; a plan that is set decides.
  await page.locator("[name=band][value=ELEVEN_METERS]").check();
  await page.evaluate(() => localStorage.setItem("qsosync-plan", "eu"));
  await type(page, "cb", "55");
  await told(page, "Channel 55 is", "a number that the plan lacks is asked");
  await look(page, "tuning-channel");
  await page.locator(".question").getByText("Export radios").click();
  await has(page, "frequencyMhz", "27.585", "the answer is the frequency");

  // A calling frequency of the member's region is one tap away, with its purpose and mode.
  is(await page.locator("#calling button").first().textContent(), "26.965 Calling", "the calling frequencies of the country come first");
  await page.locator("#calling button", { hasText: "FT8" }).click();
  await has(page, "frequencyMhz", "27.265", "a tap takes the frequency");
  is(await page.evaluate(valueOf, "mode"), "DIGITAL", "a tap takes the mode of the purpose");

  // The plan is a setting.
  await page.goto(`${origin}/app/#settings`);
  await becomes(page, () => document.querySelectorAll("#plan option").length === 8, "the settings list the plans");
  await look(page, "tuning-settings");
  await page.locator("#plan").selectOption("uk");
  await page.locator("#settings-form").getByRole("button", { name: "Keep" }).click();
  await becomes(page, () => document.getElementById("said").textContent.includes("Kept"), "the app keeps the plan");
  is(await page.locator("#notices .note").count(), 0, "the plan is also on the service if the browser is signed in");
  await page.goto(`${origin}/app/#log`);
  await type(page, "frequencyMhz", "19");
  await has(page, "frequencyMhz", "27.781", "a plan that is set decides what a number means");

  const theirs = () => page.evaluate(async () => (await (await fetch("../profile/data/me")).json()).channelPlan);
  is(await theirs(), "uk", "the plan is on the service");

  // All devices have the same plan, so the plan cannot be changed offline.
  await page.goto(`${origin}/app/#settings`);
  await becomes(page, () => document.querySelectorAll("#plan option").length === 8 && document.getElementById("plan").value === "uk", "the settings show the plan");
  await context.setOffline(true);
  await page.locator("#plan").selectOption("pl");
  await page.locator("#settings-form").getByRole("button", { name: "Keep" }).click();
  await becomes(page, () => document.getElementById("notices").innerText.includes("The service can't be reached."), "the app says that a plan cannot be set offline");
  is(await page.evaluate(() => [document.getElementById("plan").value, localStorage.getItem("qsosync-plan")]), ["uk", "uk"], "the plan remains");
  await context.setOffline(false);

  // A plan that was chosen on another device arrives when the app starts.
  await page.evaluate(() => fetch("../profile/data/channel-plan", { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"channelPlan":"pl"}' }));
  await page.reload();
  await becomes(page, () => localStorage.getItem("qsosync-plan") === "pl", "the app takes the plan of the service");
}, { allowed: [/ERR_INTERNET_DISCONNECTED/], member: german });

// A device without a session has the plan of the service, but cannot set a plan.
await withBrowser(async (context) => {
  const page = await context.newPage();
  await openByLink(page, process.env.QSOSYNC_GERMAN_KEY);
  await becomes(page, () => localStorage.getItem("qsosync-plan") === "pl", "a device without a session also has the plan of the service");
  await page.goto(`${origin}/app/#settings`);
  await becomes(page, () => document.getElementById("plan").value === "pl", "the settings of this device show the plan");
  await page.locator("#plan").selectOption("eu");
  await page.locator("#settings-form").getByRole("button", { name: "Keep" }).click();
  await becomes(page, () => document.getElementById("notices").innerText.includes("You are no longer signed in."), "a device without a session cannot set a plan");
  is(await page.evaluate(() => localStorage.getItem("qsosync-plan")), "pl", "the plan of this device remains");
}, { allowed: [/401/] });

// Logbook has the same form, in which the callsign of the log decides which plan is usual.
await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(`${origin}/profile/#profile/channels`);
  await page.locator("#plans").getByRole("button", { name: "United Kingdom" }).click();
  await becomes(page, () => document.activeElement?.textContent === "United Kingdom" && document.activeElement.matches("[aria-current]"), "the profile sets the plan");
  is(await page.evaluate(async () => (await (await fetch("data/me")).json()).channelPlan), "uk", "the plan is on the service");
  await look(page, "tuning-profile");
  await page.locator("#plans").getByRole("button", { name: "From my callsign" }).click();
  await becomes(page, () => document.querySelector("#plans [aria-current]")?.textContent === "From my callsign", "the profile removes the plan");
  await page.goto(`${origin}/profile/#log`);
  await page.getByRole("button", { name: "Log a QSO" }).click();
  await page.locator("dialog #tuned").click();
  await type(page, "frequencyMhz", "55");
  await has(page, "frequencyMhz", "26.705", "Logbook's form reads channels");
  await told(page, "channel 55 · 26.705 · Germany", "Logbook's form shows the plan");
  await page.locator("#callsignWorked").fill("26AT201 14FR202");
  await page.locator("#callsignWorked").press("Control+Enter");
  await becomes(page, () => document.querySelector("dialog").innerText.includes("Saved: 26AT201, 14FR202"), "a round in one entry is several QSOs in Logbook");
}, { member: german });
