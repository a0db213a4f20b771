// The operator's page: what a volunteer does there in an evening.
import { readFileSync } from "node:fs";
import { asksBeforeLeaving, becomes, is, look, ok, origin, readQrCode, weigh, withBrowser } from "./browser.js";

const me = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };

await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(`${origin}/operator/`);
  await page.waitForURL(/\/sign-in/);
  ok(true, "who is not signed in is asked to sign in first");
  await page.fill("input[name=callsign]", me.callsign);
  await page.fill("input[name=password]", me.password);
  await page.click("main form button");
  await page.waitForURL(`${origin}/operator/`);
  const row = (callsign) => page.locator("#members tbody tr", { hasText: callsign });
  await becomes(page, () => document.querySelectorAll("#members tbody tr").length === 3, "afterwards the page lists the members");
  is(await page.locator("#members img").count(), 0, "markup in a callsign does nothing");
  ok((await page.innerText("#members")).includes("<IMG SRC=X>"), "and shows as text");
  await look(page, "operator-members");

  // Adding.
  await page.fill("#add-list", "13TH101, JO59\n26-at-101; IO91\n13TH102\n");
  await page.click("#add button");
  await becomes(page, () => document.querySelectorAll("#add-report tbody tr").length === 2, "a list with faults shows them");
  const report = await page.innerText("#add-report");
  ok(report.includes("2 lines have errors") && report.includes("26AT101 is already a member") && report.includes("The locator is missing"), "and what is wrong", report);
  is(await page.locator("#add-next button").count(), 0, "and can not be added");
  await look(page, "operator-faults");
  await page.fill("#add-list", "13TH101, JO59\n13TH103\tIO91wm");
  is(await page.innerText("#add-report"), "", "the report goes when the list changes");
  await page.focus("#add-list");
  for (const key of ["Tab", "Enter"]) await page.keyboard.press(key);
  await becomes(page, () => document.querySelectorAll("#add-report tbody tr").length === 2, "a good list shows what would be added");
  is(await row("13TH101").count(), 0, "and adds nothing yet");
  await page.click("#add-next button");
  await becomes(page, () => document.querySelectorAll("#members tbody tr").length === 5, "a click adds all of them");
  await page.click("#add-next button");
  await page.waitForSelector("dialog");
  const links = await page.locator("dialog li code").allInnerTexts();
  ok(links.length === 2 && links.every((link) => link.startsWith(`${origin}/welcome/#qsosyncin_`)), "and another one invites them", links);
  ok(await asksBeforeLeaving(page), "so does leaving with the links of many");
  const [list] = await Promise.all([page.waitForEvent("download"), page.click("dialog button.main")]);
  const table = readFileSync(await list.path(), "utf8");
  is(table, `callsign,link\r\n13TH101,${links[0]}\r\n13TH103,${links[1]}\r\n`, "the invitations are saved as a list");
  await page.click("dialog >> text=Done");

  // One member.
  await page.fill("#search", "th-101");
  await page.keyboard.press("Enter");
  await becomes(page, () => document.querySelectorAll("#members tbody tr").length === 1, "a search finds a callsign in another spelling");
  await page.focus("#members tbody button");
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog");
  await becomes(page, () => document.querySelector("dialog").innerText.includes("Not signed in anywhere"), "a member opens by keys");
  await look(page, "operator-member");
  await page.click("dialog >> text='Invite'");
  await page.waitForSelector("dialog svg.qr");
  const link = await page.innerText("dialog .shown-secret");
  is(await readQrCode(context, page.locator("dialog svg.qr")), link, "a camera reads the invitation");
  await becomes(page, () => document.querySelector("dialog textarea").value.startsWith("Hello 13TH101"), "with a text to send");
  await page.selectOption("dialog select", "nl");
  await becomes(page, () => document.querySelector("dialog textarea").value.startsWith("Hallo 13TH101, onze club"), "in the member's language");
  ok((await page.inputValue("dialog textarea")).includes(link), "which holds the link");
  await look(page, "operator-invitation");
  is([await asksBeforeLeaving(page), new URL(page.url()).pathname], [true, "/operator/"], "leaving with an invitation on the screen asks first, and no means no");
  await page.click("dialog >> text=Done");
  const last = page.locator("dialog").last();
  // The list as it was asked for is late, and another one is asked for meanwhile.
  let late = null;
  await page.route(/members\?search=th-101&/, async (route) => { await new Promise((done) => { late = done; }); await route.continue(); });
  await page.getByLabel("New callsign").fill("13TH102");
  await page.keyboard.press("Enter");
  await page.locator("dialog").last().getByRole("button", { name: "Rename" }).click();
  await page.waitForSelector("dialog", { state: "detached" });
  await becomes(page, () => document.getElementById("done").innerText.includes("was renamed"), "a member is renamed after a question");
  await page.fill("#search", "13TH102");
  await page.keyboard.press("Enter");
  await becomes(page, () => document.querySelector("#members tbody")?.innerText.includes("13TH102"), "and found by the new callsign");
  await Promise.all([page.waitForResponse(/members\?search=th-101&/), late()]);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  is(await page.locator("#members tbody tr").count(), 1, "which a late answer to an earlier question does not undo");
  await page.click("#members tbody button");
  await page.click("dialog >> text='Disable'");
  await page.keyboard.press("Escape");
  await page.locator("dialog").first().getByRole("button", { name: "Close" }).click();
  is(await page.locator("#members .tag", { hasText: "disabled" }).count(), 0, "a question that is left changes nothing");
  await page.click("#members tbody button");
  await page.click("dialog >> text='Disable'");
  await page.locator("dialog").last().getByRole("button", { name: "Disable" }).click();
  await becomes(page, () => document.querySelector("#members .tag")?.innerText === "disabled", "one that is answered disables the member");

  // The end of a membership, with the password asked for in the middle.
  await page.fill("#search", "26AT101");
  await page.keyboard.press("Enter");
  await becomes(page, () => document.querySelector("#members tbody")?.innerText.includes("26AT101"), "a member is found");
  await page.click("#members tbody button");
  await becomes(page, () => document.querySelector("dialog .items"), "the browsers of a member are listed");
  await page.click("dialog >> text='Delete'");
  const button = last.locator("button.danger");
  ok(await button.isDisabled(), "nothing is deleted before the callsign is typed");
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
  await becomes(page, () => document.body.innerText.includes("The password is wrong."), "a wrong password is asked for again");
  await page.fill("dialog input[type=password]", me.password);
  const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  is(JSON.parse(readFileSync(await file.path(), "utf8")).qsoCount, 3, "with the right one what was begun goes on: everything of the member is saved");
  await becomes(page, () => document.body.innerText.includes("Delete permanently"), "only then the log may be deleted");
  await look(page, "operator-delete");
  await button.click();
  await becomes(page, () => document.getElementById("done").innerText.includes("26AT101 was deleted"), "and the member is gone");
  await becomes(page, () => document.querySelectorAll("#members tbody tr").length === 0 && document.activeElement.id === "members-title", "from the list, too, and the focus is where one can go on");

  // The other sections.
  await page.click(".tabs >> text=Health");
  await becomes(page, () => document.querySelectorAll("#findings li").length >= 5, "the health of the logbook is told");
  const health = await page.innerText("#section-health");
  ok(health.includes("there was never a backup") && health.includes("backup --to") && health.includes("schema version"), "in the words of the commands", health);
  ok(health.includes("21SD333") && health.includes("FREQUENCY_FORMAT_INVALID"), "with what was refused, and to whom");
  await look(page, "operator-health");
  await page.click(".tabs >> text=Switches");
  await page.check("#uploads");
  await becomes(page, () => document.getElementById("uploads-done").innerText === "Saved.", "uploads are switched on");
  await page.fill("#club-name", "11 m <b>Club</b>");
  await page.fill("#club-link", "ftp://x");
  await page.evaluate(() => { document.getElementById("club").noValidate = true; });
  await page.click("#club button");
  await becomes(page, () => document.getElementById("club-done").innerText.startsWith("Website: must"), "a wrong link is named");
  await page.fill("#club-link", "https://club.example.org");
  await page.click("#club button");
  await becomes(page, () => document.getElementById("club-done").innerText === "Saved.", "and a right one saved");
  await look(page, "operator-switches");
  await page.click(".tabs >> text=Activity");
  await becomes(page, () => document.querySelectorAll("#acts tbody tr").length > 8, "the acts are listed");
  const acts = await page.innerText("#acts");
  ok(["member add", "member invite", "member rename", "member export", "member delete", "uploads on", "club set"].every((act) => acts.includes(act)), "each by the name of its command", acts);
  await look(page, "operator-log");
  for (const [code, word] of [["de", "Protokoll"], ["nl", "Schakelaars"]]) {
    await page.evaluate((chosen) => localStorage.setItem("qsosync-language", chosen), code);
    await page.goto(`${origin}/operator/`);
    await page.reload();
    await becomes(page, (text) => document.body.innerText.includes(text) && document.querySelectorAll("#members tbody tr").length > 0, `the page speaks ${code}`, word);
    await page.click("#members tbody button");
    await page.waitForSelector("dialog");
    if (code === "de") await look(page, "operator-member-de");
  }
  await page.goto(`${origin}/profile/`);
  await becomes(page, () => document.querySelector('.top nav a[href="../operator/"]'), "an operator's profile leads to the page");
  await weigh(context, "/operator/");
}, { allowed: [/status of 40[01389]/] });
