// Tests the operator's page with a volunteer's tasks in one evening.
import { asksBeforeLeaving, becomes, clickTwice, contentOf, fits, is, look, ok, origin, readQrCode, waitUntil, weigh, withBrowser } from "./browser.js";

const me = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };

await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(`${origin}/operator/`);
  await page.waitForURL(/\/sign-in/);
  ok(true, "a visitor without a session must sign in first");
  await page.fill("input[name=callsign]", me.callsign);
  await page.fill("input[name=password]", me.password);
  await page.click("main form button");
  await page.waitForURL(`${origin}/operator/`);
  const closeSheet = () => page.locator(".sheet").getByRole("button", { name: "Close" }).click();
  const choose = async (name) => {
    await page.locator(".sheet-foot").getByRole("button", { name: "More" }).click();
    await page.locator(".sheet-foot .popover").getByRole("button", { name, exact: true }).click();
  };
  const row = (callsign) => page.locator("#members .rows li", { hasText: callsign });
  await becomes(page, () => document.querySelectorAll("#members .rows li").length === 3, "after signing in, the page lists the members");
  is(await page.locator("#members img").count(), 0, "markup in a callsign adds no element");
  ok((await page.innerText("#members")).includes("<IMG SRC=X>"), "markup in a callsign shows as text");

  await page.setViewportSize({ width: 1100, height: 844 });
  is(await page.evaluate(() => [...document.querySelectorAll("#members .m > *")].filter((part) => part.getBoundingClientRect().right > part.closest("#members").getBoundingClientRect().right).map((part) => part.textContent)),
    [], "at 1,100 pixels, no part of a row leaves the list");
  if (process.env.QSOSYNC_SCREENSHOTS) await page.screenshot({ path: `${process.env.QSOSYNC_SCREENSHOTS}/operator-1100.png` });
  await page.setViewportSize({ width: 1280, height: 720 });
  const app = await context.newPage();
  await app.goto(`${origin}/app/`);
  await becomes(app, () => document.querySelector("#club").checkVisibility() && document.querySelector(".top .menu summary").innerText === "21SD333",
    "the app's head links to the operator's page, and the menu has the member's callsign, as on the pages");
  await app.click("#club");
  await app.waitForURL(`${origin}/operator/`);
  await app.close();

  // The operator adds members.
  await page.click("#add-members");
  await becomes(page, () => document.activeElement.id === "add-list", "a sheet for new members opens, with the focus in its list");
  await page.fill("#add-list", "13TH101, JO59\n26-at-101; IO91\n13TH102\n");
  await page.click("#add button");
  await becomes(page, () => document.querySelectorAll("#add-report tbody tr").length === 2, "a list with faults shows the faulty lines");
  const report = await page.innerText("#add-report");
  ok(report.includes("2 lines have errors") && report.includes("26AT101 is already a member") && report.includes("The locator is missing"), "the report names each fault", report);
  is(await page.locator("#add-next button").count(), 0, "members from a list with faults cannot be added");
  await look(page, "operator-faults");
  await page.fill("#add-list", "13TH101, JO59\n13TH103\tIO91wm");
  is(await page.innerText("#add-report"), "", "the report disappears when the list changes");
  await page.focus("#add-list");
  for (const key of ["Tab", "Enter"]) await page.keyboard.press(key);
  await becomes(page, () => document.querySelectorAll("#add-report tbody tr").length === 2, "a valid list shows a preview");
  is(await row("13TH101").count(), 0, "the preview adds no member");
  await page.click("#add-next button");
  await becomes(page, () => document.querySelectorAll("#members .rows li").length === 5, "a click adds all members of the list");
  await clickTwice(page.locator("#add-next button"));
  await page.waitForSelector("dialog:modal");
  const links = await page.locator("dialog:modal li code").allInnerTexts();
  ok(links.length === 2 && links.every((link) => link.startsWith(`${origin}/welcome/#qsosyncin_`)), "another click creates their invitations", links);
  ok(await asksBeforeLeaving(page), "leaving with several invitations on the screen asks first");
  const [list] = await Promise.all([page.waitForEvent("download"), page.click("dialog:modal button.main")]);
  const table = await contentOf(list);
  is(table, `callsign,link\r\n13TH101,${links[0]}\r\n13TH103,${links[1]}\r\n`, "a click saves the invitations as a file");
  is(await page.locator("dialog:modal").count(), 1, "two clicks create the invitations once");
  await page.click("dialog:modal >> text=Done");
  await closeSheet();
  is(await page.evaluate(() => document.activeElement.id), "add-members", "closing the sheet returns the focus to its button");

  await page.click("#member-search label >> text=operators");
  await becomes(page, () => document.querySelectorAll("#members .rows li").length === 1, "a chip shows only the operators");
  await page.click("#member-search label >> text=all members");
  await becomes(page, () => document.querySelectorAll("#members .rows li").length === 5, "another chip shows all members again");

  // The operator changes one member.
  await page.fill("#search", "th-101");
  await page.keyboard.press("Enter");
  await becomes(page, () => document.querySelectorAll("#members .rows li").length === 1, "a search finds a callsign in another spelling");
  await page.focus("#members .q");
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog");
  await becomes(page, () => document.querySelector("dialog").innerText.includes("Not signed in anywhere"), "Enter opens a member's sheet");
  await look(page, "operator-member");
  await page.click(".sheet >> text=New sign-in link");
  await page.waitForSelector("dialog svg.qr");
  const link = await page.innerText("dialog .shown-secret");
  is(await readQrCode(context, page.locator("dialog svg.qr")), link, "a camera reads the invitation");
  await becomes(page, () => document.querySelector("dialog textarea").value.startsWith("Hello 13TH101"), "an invitation has a text to send");
  await page.selectOption("dialog select", "nl");
  await becomes(page, () => document.querySelector("dialog textarea").value.startsWith("Hallo 13TH101, onze club"), "the text to send is in the chosen language");
  ok((await page.inputValue("dialog textarea")).includes(link), "the text to send contains the link");
  await look(page, "operator-invitation");
  is([await asksBeforeLeaving(page), new URL(page.url()).pathname], [true, "/operator/"], "leaving with an invitation on the screen asks first, and No stays on the page");
  await page.click("dialog >> text=Done");
  const last = page.locator("dialog").last();
  // The answer with the list is delayed, and the page requests the list again meanwhile.
  let late = null;
  await page.route(/members\?search=th-101&/, async (route) => { await new Promise((done) => { late = done; }); await route.continue(); });
  await page.locator(".sheet").getByRole("button", { name: "Rename: Callsign" }).click();
  await page.getByLabel("New callsign").fill("13TH102");
  await page.keyboard.press("Enter");
  await page.locator("dialog").last().getByRole("button", { name: "Rename" }).click();
  await page.waitForSelector("dialog", { state: "detached" });
  await becomes(page, () => document.getElementById("done").innerText.includes("was renamed"), "a member is renamed after a confirmation");
  await page.fill("#search", "13TH102");
  await page.keyboard.press("Enter");
  await becomes(page, () => document.querySelector("#members .rows")?.innerText.includes("13TH102"), "a renamed member is found by the new callsign");
  await Promise.all([page.waitForResponse(/members\?search=th-101&/), late()]);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  is(await page.locator("#members .rows li").count(), 1, "a late answer to an earlier search does not replace the newer result");
  await page.click("#members .q");
  await choose("Remove the QSL card");
  await page.locator("dialog").last().getByRole("button", { name: "Remove the QSL card" }).click();
  await becomes(page, () => document.querySelector("dialog .note.bad")?.innerText === "The member has no QSL card.", "removing a card that does not exist is reported");
  await closeSheet();
  await page.click("#members .q");
  await choose("Disable");
  await page.keyboard.press("Escape");
  await closeSheet();
  is(await page.locator("#members .badge", { hasText: "disabled" }).count(), 0, "cancelling the confirmation changes nothing");
  await page.click("#members .q");
  await choose("Disable");
  await page.locator("dialog").last().getByRole("button", { name: "Disable" }).click();
  await becomes(page, () => document.querySelector("#members .badge")?.innerText === "disabled", "confirming disables the member");

  // The history of a log is shown.
  await page.fill("#search", "26AT101");
  await page.keyboard.press("Enter");
  await becomes(page, () => document.querySelector("#members .rows")?.innerText.includes("26AT101"), "a member with QSOs is found");
  await page.click("#members .q");
  await page.click("dialog summary >> text=History");
  await becomes(page, () => document.querySelector("dialog details .items")?.innerText.includes("Logged 3 QSOs"), "the history counts the QSOs that a program wrote");
  const undoing = page.locator("dialog details .undo");
  await page.locator("dialog details").getByRole("button", { name: /^Undo:/ }).click();
  await becomes(page, () => document.querySelector("dialog .undo .group h3")?.innerText === "3 QSOs will be deleted", "a preview counts the changes of an undo");
  await look(page, "operator-undo");
  await undoing.getByRole("button", { name: "Undo 3 changes" }).click();
  await page.keyboard.press("Escape");
  await becomes(page, () => document.querySelectorAll("dialog").length === 1, "Escape closes the confirmation");
  is(await page.locator("dialog details .items > li").count(), 1, "closing the confirmation undoes nothing");
  await undoing.getByRole("button", { name: "Undo 3 changes" }).click();
  await page.locator("dialog").last().getByRole("button", { name: "Undo", exact: true }).click();
  await becomes(page, () => document.querySelector("dialog details [role=status]")?.innerText === "Done: 3 deleted.", "the undo reports its changes");
  ok((await page.innerText("dialog details .items")).startsWith("Undid 3 changes\nthe operator"), "the history shows the undo as the operator's", await page.innerText("dialog details .items"));
  await page.locator("dialog details").getByRole("button", { name: /^Undo: the operator/ }).click();
  await becomes(page, () => document.querySelector("dialog .undo .group h3")?.innerText === "3 QSOs will get their old values back", "an undo can be undone");
  await undoing.getByRole("button", { name: "Undo 3 changes" }).click();
  await page.locator("dialog").last().getByRole("button", { name: "Undo", exact: true }).click();
  await becomes(page, () => document.querySelector("dialog details [role=status]")?.innerText === "Done: 3 restored.", "undoing the undo restores the QSOs");
  await closeSheet();

  // The operator removes a member's card.
  await page.fill("#search", "21SD333");
  await page.keyboard.press("Enter");
  await becomes(page, () => document.querySelector("#members .rows")?.innerText.includes("21SD333"), "a member with a card is found");
  await context.request.put(`${origin}/profile/data/card`, { data: { lines: ["Hello"] }, headers: { Origin: origin } });
  await page.click("#members .q");
  await choose("Remove the QSL card");
  await page.route(/members\?search=21SD333&/, async (route) => { await new Promise((done) => { late = done; }); await route.continue(); });
  await page.locator("dialog").last().getByRole("button", { name: "Remove the QSL card" }).click();
  await becomes(page, () => document.getElementById("done").innerText === "The QSL card of 21SD333 was removed.", "confirming removes a member's card");
  is(await (await context.request.get(`${origin}/profile/data/card`)).text(), "{}", "the member no longer has a card");

  // A membership ends. The password is requested in the middle of the task.
  await page.fill("#search", "26AT101");
  await Promise.all([page.waitForResponse(/members\?search=21SD333&/), late()]);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  is(await page.evaluate(() => document.activeElement.id), "search", "a late list does not take the focus from the search field");
  await page.keyboard.press("Enter");
  await becomes(page, () => document.querySelector("#members .rows")?.innerText.includes("26AT101"), "a search finds a member");
  await page.click("#members .q");
  await becomes(page, () => document.querySelector("dialog .items"), "the browsers of a member are listed");
  await choose("Delete");
  const button = last.locator("button.danger");
  ok(await button.isDisabled(), "nothing can be deleted before the callsign is typed");
  await page.keyboard.type("26at101");
  let refused = false;
  await page.route("**/export", async (route) => {
    if (refused) return route.continue();
    refused = true;
    return route.fulfill({ status: 403, contentType: "application/json", body: '{"error":{"code":"OPERATOR.PROOF_TOO_OLD"}}' });
  });
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog input[type=password]");
  await page.fill("dialog input[type=password]", "not the password");
  await page.keyboard.press("Enter");
  await becomes(page, () => document.body.innerText.includes("The password is wrong."), "after a wrong password the page asks again");
  await page.fill("dialog input[type=password]", me.password);
  const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  is(JSON.parse(await contentOf(file)).qsoCount, 3, "after the right password the export continues, and contains all QSOs of the member");
  await becomes(page, () => document.body.innerText.includes("Delete permanently"), "the log can be deleted only after the export");
  await look(page, "operator-delete");
  await button.click();
  await becomes(page, () => document.getElementById("done").innerText.includes("26AT101 was deleted"), "a click deletes the member after the export");
  await becomes(page, () => document.querySelectorAll("#members .rows li").length === 0 && document.activeElement.id === "members-title", "the deleted member leaves the list, and the focus moves to the heading");

  // Other clubs are added and removed.
  const other = process.env.QSOSYNC_OTHER;
  await page.click("#tabs >> text=Other clubs");
  await becomes(page, () => document.querySelector("#peers .what")?.innerText.includes("<b>There</b>"), "the other clubs are listed, and markup in their names has no effect");
  await page.click("#peers .opens");
  const club = await page.innerText(".sheet");
  ok(club.includes(`http://${other}`) && /Paired since\s+\d+ \w+ \d+/.test(club) && /Last request\s+never/.test(club), "each club shows the state of its visits in a sheet", club);
  await page.keyboard.press("Escape");
  ok((await page.innerText("#section-peers")).includes("qsosync-admin peer enter CODE"), "the page explains where to enter a code");
  const [address, told] = [page.locator("#peer-address"), page.locator("#peers-done")];
  await page.route("**/data/peers", async (route) => {
    await new Promise((done) => setTimeout(done, 500)); // a slow list: the form accepts the next address once it shows the outcome
    await route.continue();
  });
  await address.fill(origin);
  await page.keyboard.press("Enter");
  await becomes(page, () => document.getElementById("peers-done").innerText.startsWith("Please enter another club's address."), "the service's own address gets no code");
  await address.fill(`http://${other}`);
  await page.keyboard.press("Enter");
  await becomes(page, () => document.getElementById("peers-done").innerText.startsWith("This club is already paired."), "a paired address gets no code");
  await page.unroute("**/data/peers");
  await address.fill("https://log.example.org");
  await page.locator("#peer-add").evaluate((form) => { form.requestSubmit(); form.requestSubmit(); });
  await page.waitForSelector("dialog .shown-secret");
  const code = await page.innerText("dialog .shown-secret");
  ok(code.startsWith(`${origin}#`) && (await page.innerText("dialog")).includes("within 7 days: qsosync-admin peer enter CODE"), "another address gets a code, with instructions", code);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.click("dialog >> text=Copy code");
  await becomes(page, () => document.querySelector("dialog").innerText.includes("Copied"), "a tap on Copy copies the code");
  is(await page.evaluate(() => navigator.clipboard.readText()), code, "the clipboard has the whole code");
  ok(await asksBeforeLeaving(page), "leaving with a code on the screen asks first");
  is(await page.locator("dialog").count(), 1, "a form that is sent twice creates one code");
  await look(page, "operator-code");
  await page.click("dialog >> text=Done");
  await page.waitForSelector("dialog", { state: "detached" });
  ok(!(await page.content()).includes(code), "after Done the page no longer contains the code");
  await page.click("#peers .opens");
  await page.click(".sheet >> text=Remove");
  await page.click("dialog:modal >> text=Cancel");
  is(await page.locator("#peers li").count(), 1, "cancelling the confirmation removes no club");
  await look(page, "operator-peers");
  await page.click(".sheet >> text=Remove");
  await page.locator("dialog:modal").getByRole("button", { name: "Remove" }).click();
  await becomes(page, () => document.getElementById("peers").innerText === "No other clubs yet.", "confirming removes the club");
  is(await told.innerText(), `${other} was removed.`, "the page reports the removal");

  // The other sections of the page are used.
  await page.click("#tabs >> text=Service");
  await becomes(page, () => document.querySelectorAll("#findings li").length >= 5, "the page shows the state of the logbook");
  await becomes(page, () => /Each member can have 64 MiB/.test(document.getElementById("storage-most").innerText), "the health shows the storage limit per member");
  const health = await page.innerText("#section-health");
  ok(health.includes("no backup was ever made") && health.includes("backup --to") && health.includes("schema version"), "findings use the words of the commands", health);
  ok(health.includes("21SD333") && health.includes("FREQUENCY_FORMAT_INVALID"), "the health names the rejected values and their members");
  await look(page, "operator-health");
  await page.click("a[href='#health/switches']");
  await page.check("#uploads");
  await becomes(page, () => document.getElementById("switches-done").innerText === "Saved.", "a switch turns uploads on");
  ok(await page.isChecked("#club-pictures"), "cards have pictures by default");
  await page.uncheck("#club-pictures");
  await waitUntil(async () => (await (await context.request.get(`${origin}/operator/data/switches`)).json()).pictures === "off");
  ok(true, "a switch is saved when it is switched");
  is(await page.isChecked("#club-sandbox"), false, "authors have no sandboxes by default");
  await page.check("#club-sandbox");
  await waitUntil(async () => (await (await context.request.get(`${origin}/operator/data/switches`)).json()).sandbox === "on");
  ok(true, "a switch allows sandboxes");
  await page.click("#club-open");
  await page.fill("#club-name", "11 m <b>Club</b>");
  await page.fill("#club-link", "ftp://x");
  await page.evaluate(() => { document.getElementById("club").noValidate = true; });
  await page.click("#club button");
  await becomes(page, () => document.getElementById("club-done").innerText.startsWith("Website: must"), "an invalid link is reported at its field");
  await page.fill("#club-link", "https://club.example.org");
  await page.click("#club button");
  await becomes(page, () => document.getElementById("club-done").innerText === "Saved.", "the page saves a valid link");
  is((await (await context.request.get(`${origin}/operator/data/switches`)).json()).pictures, "off", "saving the club's details leaves the switches as they are");
  await look(page, "operator-club");
  await page.keyboard.press("Escape");
  ok((await page.innerText("#club-line")).startsWith("11 m <b>Club</b>"), "the row of the club shows its name");
  await look(page, "operator-switches");
  await page.setViewportSize({ width: 390, height: 844 });
  is(await page.evaluate(() => [...document.querySelectorAll(".in-head")].filter((title) => title.checkVisibility() && title.getBoundingClientRect().width > 1).map((title) => title.textContent)),
    ["Switches"], "on a phone, the head has one title");
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto(`${origin}/operator/#log`);
  await becomes(page, () => location.hash === "#health/log", "the old address opens the activity list");
  await becomes(page, () => document.querySelectorAll("#acts li").length > 8, "the activity list has the acts");
  const acts = await page.innerText("#acts");
  ok(["member add", "member invite", "member rename", "member export", "member delete", "card remove", "peer add", "peer remove", "uploads on", "club set"].every((act) => acts.includes(act)), "each act has the name of its command", acts);
  await look(page, "operator-log");
  await page.setViewportSize({ width: 360, height: 640 });
  await page.reload();
  await becomes(page, () => {
    const tabs = [...document.querySelectorAll("#tabs a")].map((tab) => tab.getBoundingClientRect());
    const open = document.querySelector("#tabs [aria-current]")?.getBoundingClientRect();
    return tabs.length === 4 && new Set(tabs.map(({ top }) => top)).size === 1 && open.left >= 0 && open.right <= innerWidth;
  }, "on a phone the tabs are in one row, with the open tab in sight");
  await page.setViewportSize({ width: 1280, height: 844 });
  for (const [code, word] of [["de", "Mitglieder"], ["nl", "Andere clubs"]]) {
    await page.evaluate((chosen) => localStorage.setItem("qsosync-language", chosen), code);
    await page.goto(`${origin}/operator/`);
    await page.reload();
    await becomes(page, (text) => document.body.innerText.includes(text) && document.querySelectorAll("#members .rows li").length > 0, `the page is translated into ${code}`, word);
    await page.click("#members .q");
    await page.waitForSelector("dialog");
    if (code === "de") await fits(page, "operator-member-de");
  }
  await page.goto(`${origin}/profile/`);
  await becomes(page, () => document.querySelector('.top nav a[href="../operator/"]'), "an operator's profile links to the operator's page");
  await page.evaluate(() => localStorage.removeItem("qsosync-language"));
  await weigh(context, "/operator/");
}, { allowed: [/status of 40[01389]/] });
