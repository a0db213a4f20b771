// Tests the section Alerts: a rule is written as a sentence, tried, switched off and deleted. Ways are added, and a
// station is muted.
import { becomes, fits, isAccessible, look, is, ok, origin, signIn, withBrowser } from "./browser.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const REFUSED = [/status of 400/];

await withBrowser(async (context) => {
  await signIn(context, member);
  const page = await context.newPage();
  const text = (selector) => page.innerText(selector);
  const stored = async () => (await page.request.get(`${origin}/profile/data/alerts`)).json();
  const word = (name) => page.locator(".sentence .word", { hasText: name });
  const choose = (name) => page.locator(".sheet .option", { has: page.getByText(name, { exact: true }) }).click();
  const foot = (name) => page.locator(".sheet-foot").getByText(name, { exact: true }).click();
  const closed = (rule) => becomes(page, () => !document.querySelector(".sheet"), rule);

  await page.goto(`${origin}/profile/#profile/alerts`);
  await becomes(page, () => document.getElementById("alerts")?.innerText.includes("No alerts yet."), "a new member has no alerts");
  ok((await text("#alerts")).includes("Nothing sends alerts on this server."), "the page says that nothing sends alerts");

  // A rule is a sentence.
  await page.click("text=New alert");
  const sentence = ["Tell me when a division that I need is spotted by anybody", " on either band in any mode, on any day,", " at any hour, at most once an hour per station."];
  is(await page.textContent(".sentence"), sentence.join(""), "the sentence can be read");
  await isAccessible(page, "the sentence is accessible", ".sheet");
  await choose("One of these callsigns");
  await foot("Save");
  await becomes(page, () => document.querySelector(".sheet [role=alert]").innerText.startsWith("Enter callsigns"), "a rule without callsigns is explained");
  await page.fill(".sheet input[maxlength='200']", "26at101, 19CT*");
  await becomes(page, () => document.querySelector(".sentence .word").innerText === "26AT101 or 19CT*", "the sentence names the callsigns");
  await word("either band").click();
  await choose("11 m");
  await word("at any hour").click();
  await page.locator(".sheet input[type=time]").nth(0).fill("07:00");
  await page.locator(".sheet input[type=time]").nth(1).fill("23:00");
  await word("once an hour").click();
  await choose("Once a day");
  ok((await page.textContent(".sentence")).includes("on 11 m in any mode, on any day, between 07:00 and 23:00, at most once a day per station."), "each word shows its choice", await page.textContent(".sentence"));
  await look(page, "profile-alerts-rule");
  await foot("Save");
  await closed("the rule is saved");
  await becomes(page, () => document.querySelector("#alert-rules .item")?.innerText.includes("26AT101 or 19CT*"), "the list shows the rule");
  const [rule] = (await stored()).rules;
  is([rule.subject, rule.callsigns, rule.band, rule.from, rule.to, rule.pause, rule.isOn], ["CALLSIGNS", ["26AT101", "19CT*"], "ELEVEN_METERS", 420, 1380, 1440, true], "the service stores the rule");
  is((await stored()).zone, await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone), "the hours are in the browser's time zone");

  // The switch of a rule.
  await page.locator("#alert-rules .switch").click();
  await becomes(page, () => document.querySelector("#alert-rules .day").innerText.includes("0 on"), "the rule is switched off");
  is((await stored()).rules[0].isOn, false, "the service stores the switch");
  ok(await page.evaluate(() => document.activeElement?.matches("#alert-rules .switch input")), "the switch keeps the focus");

  // The ways: a chat service, and another address.
  await page.locator("#alert-ways").getByText("Add", { exact: true }).click();
  await choose("ntfy");
  await page.locator(".alert-way input").first().fill("my-topic");
  await look(page, "profile-alerts-way");
  await foot("Add");
  await closed("ntfy is added");
  await becomes(page, () => document.getElementById("alert-ways").innerText.includes("ntfy.sh"), "the list shows ntfy");
  await page.locator("#alert-ways").getByText("Add", { exact: true }).click();
  await choose("Another web address");
  await page.locator(".alert-way input").nth(0).fill("Mine");
  await page.locator(".alert-way input").nth(1).fill("https://127.0.0.1/");
  await foot("Add");
  await becomes(page, () => document.querySelector(".sheet [role=alert]").innerText.startsWith("Enter an https address"), "an address on this machine is explained");
  await page.keyboard.press("Escape");
  await closed("Escape closes the sheet");

  // Trials.
  await page.locator("#alert-ways").getByText("Try it").click();
  await becomes(page, () => document.querySelector(".toasts").innerText.includes("A trial alert is on its way: ntfy"), "the page says that the trial is on its way");
  await becomes(page, () => document.getElementById("alert-latest")?.innerText.includes("26AT101"), "the list shows the trial");
  await page.click("#alert-rules .opens");
  await foot("Try it");
  await becomes(page, () => document.querySelectorAll("#alert-latest .item").length === 1 && document.querySelector(".toasts").innerText.includes("ntfy"), "the rule is tried");

  // A rule is deleted, a station is muted, and all alerts are muted.
  await foot("Delete");
  await closed("the rule is deleted");
  await becomes(page, () => document.getElementById("alerts").innerText.includes("No alerts yet."), "the list is empty again");
  await page.locator("#alert-limits .opens", { hasText: "Muted stations" }).click();
  await page.fill(".sheet-body input", "2CO777");
  await foot("Save");
  await closed("the mute is saved");
  await becomes(page, () => document.getElementById("alert-limits").innerText.includes("2CO777"), "the list shows the muted station");
  await page.locator("#alert-limits .opens", { hasText: "Quiet hours" }).click();
  await page.locator(".sheet input[type=time]").nth(0).fill("23:00");
  await page.locator(".sheet input[type=time]").nth(1).fill("07:00");
  await foot("Save");
  await closed("the quiet hours are saved");
  await becomes(page, () => document.getElementById("alert-limits").innerText.includes("between 23:00 and 07:00"), "the list shows the quiet hours");
  await page.click("text=Mute all for today");
  await becomes(page, () => document.getElementById("alerts").innerText.includes("All alerts are muted until"), "all alerts are muted");
  await page.click("#alerts > .buttons >> text=Unmute");
  await becomes(page, () => !document.getElementById("alerts").innerText.includes("All alerts are muted until"), "the alerts are no longer muted");
  await look(page, "profile-alerts");
  await page.setViewportSize({ width: 360, height: 740 });
  await fits(page, "the section Alerts");
}, { allowed: REFUSED });
