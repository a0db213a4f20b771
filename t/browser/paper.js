// Tests the paper log: names on PMR446, and faults in a line.
import { becomes, is, isStored, openByLink, origin, withBrowser } from "./browser.js";
import { isInStep } from "./device.js";

await withBrowser(async (context) => {
  const page = await context.newPage();
  await openByLink(page, process.env.QSOSYNC_WRITE_KEY);
  await becomes(page, isInStep, "the app is up to date");
  await page.goto(`${origin}/app/#lines`);
  const understood = async (text) => {
    await page.fill("#typed", text);
    return page.locator("#understood li").evaluateAll((items) => items.map((item) => item.querySelector("code").nextSibling.nextSibling.textContent.trim()));
  };
  const [good, wrong] = await understood("date 2026-05-17\nch 8\n1930 26at101 57\n2561 26at102 55");
  is([good.startsWith("26AT101 2026-05-17 19:30 PMR 8"), wrong], [true, "The time must be from 0000 to 2359."], "an invalid time is reported");
  is(await page.locator("#save-lines").isDisabled(), true, "nothing is saved before the correction");
  const [name] = await understood("date 2026-05-17\nch 8\n1931 Peter Müller 59 57 loud");
  is([/PMR 8/.test(name), /Name: Peter Müller/.test(name), /null/.test(name)], [true, true, false], "a name is recognised on PMR446");
  await page.click("#save-lines");
  await isStored((items) => items.map(({ callsignWorked, notes, channel, rstSent, rstReceived }) => [callsignWorked, notes, channel, rstSent, rstReceived]),
    [[null, "Name: Peter Müller\nloud", 8, "59", "57"]], "a name is saved as a name");
});
