// Tests Undo after a deletion. On a phone, the button stays in sight however the page is scrolled, and while the button
// has the focus.
import { becomes, fromMenu, is, isAccessible, isStored, ok, openByLink, origin, qso, save, withBrowser } from "./browser.js";
import { isInStep } from "./device.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const PASSED_MS = 31000; // longer than the message about a deletion stays

const undo = () => [...document.querySelectorAll(".toasts button")].at(-1);
const isInSight = () => {
  const button = [...document.querySelectorAll(".toasts button")].at(-1);
  const { top, bottom, left, right } = button?.getBoundingClientRect() ?? {};
  return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth
    && button.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
};

await withBrowser(async (context) => {
  await save(...Array.from({ length: 60 }, (_, n) => qso({ callsignWorked: `26AT${100 + n}`, qsoAt: new Date(Date.now() - (n + 1) * 3600000).toISOString() })));
  await context.clock.install();
  const app = await context.newPage();
  await openByLink(app, process.env.QSOSYNC_WRITE_KEY);
  await becomes(app, isInStep, "the app is up to date");
  const log = await context.newPage();
  await log.goto(`${origin}/profile/#log`);
  await app.goto(`${origin}/app/#logbook`);
  for (const [name, page] of [["app", app], ["log", log]]) {
    const has = (callsign) => isStored((items) => items.some(({ callsignWorked }) => callsignWorked === callsign.name), callsign.is, `${name}: ${callsign.name} is ${callsign.is ? "" : "not "}in the log`);
    const remove = async (callsign) => {
      await page.locator("#qsos .q", { hasText: callsign }).click();
      await (await fromMenu(page, "Delete")).click();
      await page.waitForSelector(".toasts button");
    };
    await page.setViewportSize({ width: 360, height: 640 });
    await becomes(page, () => document.querySelectorAll("#qsos .rows li").length >= 50, `${name}: the list is shown`);
    const last = name === "app" ? "26AT140" : "26AT141";
    await remove(last);
    ok(await page.evaluate(() => scrollY) > 1000, `${name}: the list is scrolled far down`);
    await becomes(page, isInSight, `${name}: Undo is in sight on a phone`);
    await page.evaluate(() => scrollTo(0, 300));
    await becomes(page, isInSight, `${name}: Undo stays in sight when the page is scrolled`);
    await page.evaluate(() => document.querySelector(".toasts button").focus()); // until now, the next row had the focus
    is(await page.evaluate(() => document.activeElement === [...document.querySelectorAll(".toasts button")].at(-1)), true, `${name}: Undo has the focus`);
    await isAccessible(page, `${name} with Undo is accessible`);
    await page.clock.fastForward(PASSED_MS);
    is(await page.evaluate(() => document.activeElement?.closest(".toasts") !== null), true, `${name}: Undo stays while it has the focus`);
    await has({ name: last, is: false });
    await page.keyboard.press("Enter");
    await has({ name: last, is: true });
    await becomes(page, () => !document.querySelector(".toasts button:is(:focus)"), `${name}: Undo disappears after its use`);

    // Only the newest message is shown.
    const [first, second] = name === "app" ? ["26AT112", "26AT113"] : ["26AT114", "26AT115"];
    await becomes(page, () => document.querySelectorAll("#qsos .rows li").length >= 50, `${name}: the list is shown again`);
    await page.evaluate(() => { const at = Date.now(); window.now = Date.now; Date.now = () => at; }); // no message ends
    await remove(first);
    await remove(second);
    await becomes(page, () => document.querySelectorAll(".toasts button").length === 1, `${name}: a second deletion replaces the message`);
    await page.locator(".toasts button").first().click();
    await has({ name: second, is: true });
    await becomes(page, () => document.querySelector(".toasts")?.innerText === "Restored.", `${name}: Undo reports its outcome`);
    await page.evaluate(() => document.querySelector(".toasts > *").remove());
    await becomes(page, (callsign) => document.querySelector(".toasts")?.innerText.includes(`Deleted: ${callsign}`), `${name}: the message about the first deletion returns`, first);
    await page.evaluate(() => { Date.now = window.now; });
    await page.evaluate(() => document.activeElement.blur());
    await page.mouse.move(1, 1);
    await page.clock.fastForward(PASSED_MS);
    await becomes(page, () => !document.querySelector(".toasts button"), `${name}: without focus and pointer Undo disappears by itself`);
    await has({ name: first, is: false });
    await page.setViewportSize({ width: 1280, height: 844 });
  }
  ok(await log.evaluate(undo) === undefined, "no button Undo is left");
}, { member });
