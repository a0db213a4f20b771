// Tests the locators of new QSOs, in the app and in Logbook. The station's locator is found in the log, and the
// member's own locator is a setting of the profile.
import { becomes, is, isStored, logIt, ok, openByLink, origin, qso, save, withBrowser } from "./browser.js";
import { isInStep } from "./device.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const HOME = "JO59jw"; // the member's own locator
const at = (day) => `2026-01-${String(day).padStart(2, "0")}T03:04:05Z`;

await withBrowser(async (context) => {
  await save(qso({ callsignWorked: "26AT101", qsoAt: at(1), dxLocator: "IO91wm" }), qso({ callsignWorked: "26-at-101", qsoAt: at(2), dxLocator: "IO92ab" }),
    qso({ callsignWorked: "26AT101", qsoAt: at(3), dxLocator: null }), qso({ callsignWorked: "1AT7", qsoAt: at(4), dxLocator: null }), qso({ callsignWorked: "1AT7", qsoAt: at(1), dxLocator: "GG87" }),
    qso({ callsignWorked: "9AT1", qsoAt: at(1), dxLocator: "KO02aa" }),
    ...Array.from({ length: 60 }, (_, n) => qso({ callsignWorked: `9AT1${n}`, qsoAt: at(10), dxLocator: "JN58" })));

  const app = await context.newPage();
  await openByLink(app, process.env.QSOSYNC_WRITE_KEY);
  await becomes(app, isInStep, "the app is up to date");
  const log = await context.newPage();
  await log.goto(`${origin}/profile/#log`);
  await log.getByRole("button", { name: "Log a QSO" }).click();
  await log.waitForSelector("dialog #callsignWorked");

  for (const [page, name, prefix] of [[app, "the app", "A"], [log, "Logbook", "B"]]) {
    const value = (id) => page.inputValue(`#form #${id}`);
    const type = (callsign) => page.fill("#form #callsignWorked", callsign);
    const filled = (locator, rule) => becomes(page, (text) => document.querySelector("#form #dxLocator").value === text, `${name}: ${rule}`, locator);
    const press = () => logIt(page);
    const note = (text) => page.fill("#form #notes", `${prefix} ${text}`);
    const stored = (text, expected, rule) => isStored((items) => items.filter(({ notes }) => notes === `${prefix} ${text}`)
      .map(({ callsignWorked, dxLocator, myLocator }) => [callsignWorked, dxLocator, myLocator]), [expected], `${name}: ${rule}`);
    const isEmptied = () => becomes(page, () => document.querySelector("#form #callsignWorked").value === "", `${name} is ready for the next QSO`);

    is(await value("myLocator"), HOME, `${name}: the form has the member's own locator`);
    await type("26AT101");
    await filled("IO92ab", "the newest locator of a station in the log is filled in");
    ok(/km/.test(await page.innerText("#form #way")), `${name}: distance and bearing appear with the locator`);
    await type("26AT102");
    await filled("", "a filled-in locator is removed when the callsign changes");
    await type("26AT101/P");
    await page.waitForTimeout(300);
    is(await value("dxLocator"), "", `${name}: a portable station gets no locator`);
    await note("quick");
    await type("26AT101");
    await press(); // saves before the log is searched
    await isEmptied();
    await stored("quick", ["26AT101", "IO92ab", HOME], "a QSO that is saved quickly still gets both locators");

    // A typed locator stays, and a removed locator stays removed.
    await page.fill("#form #dxLocator", "JO40");
    await type("26AT101");
    await page.waitForTimeout(300);
    is(await value("dxLocator"), "JO40", `${name}: a typed locator stays`);
    await page.fill("#form #dxLocator", "");
    await type("9AT1");
    await filled("KO02aa", "removing a locator affects only that station");
    await type("26AT101");
    await filled("", "a removed locator is not filled in again for the same station");
    await page.locator("#form #more summary").click();
    await page.fill("#form #myLocator", "");
    await note("removed");
    await press();
    await isEmptied();
    await stored("removed", ["26AT101", null, null], "a QSO is saved without the locators if both are removed");
    is(await value("myLocator"), "", `${name}: a removed own locator is not filled in for the next QSO`);
    await page.fill("#form #myLocator", HOME);
    await type("9AT1");
    await filled("KO02aa", "only the station's own callsign counts, not longer callsigns");
    await type("");
    await filled("", "an empty form has no locator");
    await page.locator("#form #more summary").click();
  }

  // A draft includes filled-in locators.
  await app.fill("#callsignWorked", "26AT101");
  await becomes(app, () => document.getElementById("dxLocator").value === "IO92ab", "a locator is filled in");
  await app.reload();
  await becomes(app, () => document.getElementById("dxLocator")?.value === "IO92ab", "a filled-in locator is restored after a reload");
  await app.fill("#callsignWorked", "14AT1");
  await becomes(app, () => document.getElementById("dxLocator").value === "", "a restored locator is removed when the callsign changes");
  await app.fill("#callsignWorked", "");

  await log.keyboard.press("Escape");

  // The member moves: the profile stores the new locator, and the app receives it.
  await log.goto(`${origin}/profile/#profile/locator`);
  await becomes(log, (home) => document.getElementById("locator").value === home, "the profile shows the member's locator", HOME);
  await becomes(log, () => document.querySelector("#locator-map .land") !== null && /^\d+\.\d\d° N, /.test(document.getElementById("locator-place").innerText), "the map and the coordinates of the locator are shown");
  await log.click("#locator-precision button >> nth=0");
  is(await log.inputValue("#locator"), HOME.slice(0, 4), "the locator can be reduced to its square");
  await context.grantPermissions(["geolocation"]);
  await context.setGeolocation({ latitude: 52.52, longitude: 13.4 });
  await log.click("#locator-here");
  await becomes(log, () => document.getElementById("locator").value === "JO62qm", "the device gives the locator of its place");
  const { width, height } = await log.locator("#locator-map .frame").boundingBox();
  await log.click("#locator-map .frame", { position: { x: width / 4, y: height / 2 } });
  ok(/^JO52[a-x]{2}$/.test(await log.inputValue("#locator")), "a tap on the map chooses the locator of that place", await log.inputValue("#locator"));
  await log.focus("#locator-map .frame");
  for (const key of ["ArrowLeft", "Enter"]) await log.keyboard.press(key);
  ok(/^JO[56]2[a-x]{2}$/.test(await log.inputValue("#locator")), "Enter chooses the middle of the map", await log.inputValue("#locator"));
  await log.fill("#locator", "JO5");
  await log.click("#own-locator .main");
  await becomes(log, () => /Locator: must be a locator of 4 or 6 characters/.test(document.getElementById("locator-done").innerText), "an invalid locator is rejected in words");
  await log.fill("#locator", "kp03AB");
  await log.click("#own-locator .main");
  await becomes(log, () => document.getElementById("locator-done").innerText === "Saved." && document.getElementById("locator").value === "KP03ab"
    && document.getElementById("member").innerText.includes("KP03ab"), "members can set their own locator, in any case");
  await app.reload();
  await becomes(app, () => document.getElementById("myLocator")?.value === "KP03ab", "the app uses the new locator in new QSOs");
  await log.goto(`${origin}/profile/#log`);
  await log.getByRole("button", { name: "Log a QSO" }).click();
  await becomes(log, () => document.querySelector("#form #myLocator")?.value === "KP03ab", "Logbook uses the new locator in new QSOs");
  await log.keyboard.press("Escape");

  // A stored QSO gets no locator automatically.
  await log.goto(`${origin}/profile/#log?text=1AT7`);
  await log.reload();
  await becomes(log, () => document.querySelectorAll("#qsos .rows li").length === 2, "a search finds the QSO without a locator");
  await log.locator("#qsos .q").first().click();
  await log.getByRole("button", { name: "Edit" }).click();
  await log.getByRole("button", { name: "Use the station's locator, GG87" }).waitFor();
  is(await log.inputValue("#form #dxLocator"), "", "an edited QSO offers the log's locator, and keeps its own");
}, { member, allowed: [/status of 400 .*\/locator/] });
