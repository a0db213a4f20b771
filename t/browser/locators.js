// Locators of new QSOs: the station's from the log, and the own one from the membership, in the app and in My log.
import { becomes, is, isStored, ok, openByLink, origin, qso, save, withBrowser } from "./browser.js";
import { isInStep } from "./device.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const HOME = "JO59jw"; // the member's
const at = (day) => `2026-01-${String(day).padStart(2, "0")}T03:04:05Z`;

await withBrowser(async (context) => {
  await save(qso({ callsignWorked: "26AT101", qsoAt: at(1), dxLocator: "IO91wm" }), qso({ callsignWorked: "26-at-101", qsoAt: at(2), dxLocator: "IO92ab" }),
    qso({ callsignWorked: "26AT101", qsoAt: at(3), dxLocator: null }), qso({ callsignWorked: "1AT7", qsoAt: at(4), dxLocator: null }), qso({ callsignWorked: "1AT7", qsoAt: at(1), dxLocator: "GG87" }),
    qso({ callsignWorked: "9AT1", qsoAt: at(1), dxLocator: "KO02aa" }),
    ...Array.from({ length: 60 }, (_, n) => qso({ callsignWorked: `9AT1${n}`, qsoAt: at(10), dxLocator: "JN58" })));

  const app = await context.newPage();
  await openByLink(app, process.env.QSOSYNC_WRITE_KEY);
  await becomes(app, isInStep, "the app is in step");
  const log = await context.newPage();
  await log.goto(`${origin}/profile/#log`);
  await log.getByRole("button", { name: "Log a QSO" }).click();
  await log.waitForSelector("dialog #callsignWorked");

  for (const [page, name, prefix] of [[app, "the app", "A"], [log, "My log", "B"]]) {
    const value = (id) => page.inputValue(`#form #${id}`);
    const type = (callsign) => page.fill("#form #callsignWorked", callsign);
    const filled = (locator, rule) => becomes(page, (text) => document.querySelector("#form #dxLocator").value === text, `${name}: ${rule}`, locator);
    const press = () => page.press("#form #callsignWorked", "Enter");
    const note = (text) => page.fill("#form #notes", `${prefix} ${text}`);
    const stored = (text, expected, rule) => isStored((items) => items.filter(({ notes }) => notes === `${prefix} ${text}`)
      .map(({ callsignWorked, dxLocator, myLocator }) => [callsignWorked, dxLocator, myLocator]), [expected], `${name}: ${rule}`);
    const isEmptied = () => becomes(page, () => document.querySelector("#form #callsignWorked").value === "", `${name} is ready for the next QSO`);

    is(await value("myLocator"), HOME, `${name}: the own locator stands in the form`);
    await type("26AT101");
    await filled("IO92ab", "the newest locator that the log has of a station is filled in");
    ok(/km/.test(await page.innerText("#form #way")), `${name}: distance and bearing are there with it`);
    await type("26AT102");
    await filled("", "it goes when the callsign is another one");
    await type("26AT101/P");
    await page.waitForTimeout(300);
    is(await value("dxLocator"), "", `${name}: a portable station has another place`);
    await note("quick");
    await type("26AT101");
    await press(); // at once, before the log has been asked
    await isEmptied();
    await stored("quick", ["26AT101", "IO92ab", HOME], "both locators are saved, however quickly");

    // What somebody typed or removed stays so.
    await page.fill("#form #dxLocator", "JO40");
    await type("26AT101");
    await page.waitForTimeout(300);
    is(await value("dxLocator"), "JO40", `${name}: a locator that was typed stays`);
    await page.fill("#form #dxLocator", "");
    await type("9AT1");
    await filled("KO02aa", "a locator was removed for that station alone");
    await type("26AT101");
    await filled("", "and stays away from it");
    await page.locator("#form #more summary").click();
    await page.fill("#form #myLocator", "");
    await note("removed");
    await press();
    await isEmptied();
    await stored("removed", ["26AT101", null, null], "a QSO is saved without both if they are removed");
    is(await value("myLocator"), "", `${name}: the own locator stays away from the next QSO, too`);
    await page.fill("#form #myLocator", HOME);
    await type("9AT1");
    await filled("KO02aa", "the station itself counts, not those whose callsigns begin so");
    await type("");
    await filled("", "an empty form has no locator");
    await page.locator("#form #more summary").click();
  }

  // A draft knows what was filled in.
  await app.fill("#callsignWorked", "26AT101");
  await becomes(app, () => document.getElementById("dxLocator").value === "IO92ab", "a locator is filled in");
  await app.reload();
  await becomes(app, () => document.getElementById("dxLocator")?.value === "IO92ab", "it is there after a reload");
  await app.fill("#callsignWorked", "14AT1");
  await becomes(app, () => document.getElementById("dxLocator").value === "", "and goes with the callsign");
  await app.fill("#callsignWorked", "");

  await log.keyboard.press("Escape");

  // The member moves: the profile takes the new locator, and the app learns it.
  await log.goto(`${origin}/profile/#account`);
  await becomes(log, (home) => document.getElementById("locator").value === home, "the profile shows the member's locator", HOME);
  await log.fill("#locator", "JO5");
  await log.click("#own-locator button");
  await becomes(log, () => /Locator: must be a locator of 4 or 6 characters/.test(document.getElementById("locator-done").innerText), "what is not a locator is refused in words");
  await log.fill("#locator", "kp03AB");
  await log.click("#own-locator button");
  await becomes(log, () => document.getElementById("locator-done").innerText === "Saved." && document.getElementById("locator").value === "KP03ab"
    && document.getElementById("member").innerText.includes("KP03ab"), "a member sets the own locator, in any case");
  await app.reload();
  await becomes(app, () => document.getElementById("myLocator")?.value === "KP03ab", "the app has it in new QSOs");
  await log.goto(`${origin}/profile/#log`);
  await log.getByRole("button", { name: "Log a QSO" }).click();
  await becomes(log, () => document.querySelector("#form #myLocator")?.value === "KP03ab", "so has My log");
  await log.keyboard.press("Escape");

  // A QSO of the log gets none by itself.
  await log.goto(`${origin}/profile/#log?text=1AT7`);
  await log.reload();
  await becomes(log, () => document.querySelectorAll("#qsos tbody tr").length === 2, "a QSO without a locator is found");
  await log.locator("#qsos tbody tr summary").first().click();
  await log.getByRole("button", { name: "Edit" }).click();
  await log.getByRole("button", { name: "Use the station's locator, GG87" }).waitFor();
  is(await log.inputValue("#form #dxLocator"), "", "a QSO that is edited is offered the log's locator, and keeps its own");
}, { member, allowed: [/status of 400 .*\/locator/] });
