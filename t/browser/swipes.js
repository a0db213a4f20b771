// On a phone, a swipe to the left over a row of Logbook deletes the QSO. Scrolling and short movements do not.
import { becomes, is, isStored, ok, origin, qso, save, waitFor, withBrowser } from "./browser.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

await withBrowser(async (context) => {
  await save(...Array.from({ length: 40 }, (_, n) => qso({ callsignWorked: `26AT${100 + n}`, qsoAt: `2026-01-02T03:${10 + n}:00Z` })));
  const page = await context.newPage();
  await page.goto(`${origin}/profile/#log`);
  await becomes(page, () => document.querySelectorAll("#qsos .q").length === 40, "Logbook is shown");
  const touch = await context.newCDPSession(page);
  // Moves a finger over the third row, in steps.
  const move = async (right, down, isLifted = true) => {
    const { x, y, width, height } = await page.locator("#qsos .q").nth(2).boundingBox();
    const [left, top] = [x + width * 0.8, y + height / 2];
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: left, y: top }] });
    for (let step = 1; step <= 8; step++)
      await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x: left + (right * step) / 8, y: top + (down * step) / 8 }] });
    if (isLifted) await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };
  const rows = () => page.locator("#qsos .q").count();
  const isQuiet = () => !document.querySelector("[data-swiped], .sheet");

  await move(-80, 0);
  await waitFor(page, isQuiet);
  is(await rows(), 40, "a short swipe has no effect");
  await move(200, 0);
  await waitFor(page, isQuiet);
  is(await rows(), 40, "a swipe to the right has no effect");
  await move(-200, -220);
  await waitFor(page, isQuiet);
  is(await rows(), 40, "scrolling with a movement to the left has no effect");
  await page.evaluate(() => scrollTo(0, 0));
  const gone = await page.locator("#qsos .callsign").nth(2).innerText();
  await move(-220, 10, false);
  await becomes(page, () => document.querySelector("[data-swiped]")?.dataset.swiped === "Delete", "the row follows the finger and uncovers the name of the action");
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await becomes(page, (call) => document.querySelectorAll("#qsos .q").length === 39 && document.querySelector(".toasts, .note")?.ownerDocument.body.innerText.includes(`Deleted: ${call}`),
    "a long swipe to the left deletes the QSO", gone);
  await isStored((qsos) => qsos.length, 39, "the service has deleted the QSO");
  ok(await page.evaluate(isQuiet), "a swipe opens no details");
  await page.getByRole("button", { name: "Undo" }).click();
  await becomes(page, () => document.querySelectorAll("#qsos .q").length === 40, "Undo restores the QSO");
  is(await page.locator("#qsos .callsign").nth(2).innerText(), gone, "the restored row is in its previous place");
  await page.locator("#qsos .q").nth(2).click();
  await becomes(page, () => document.querySelector(".sheet"), "a tap still opens a row's details");
}, { member, device: phone });
