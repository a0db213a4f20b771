// Tests that typed text that was not saved is restored after Escape, after a reload, and after a tab was killed.
import { api, becomes, download, is, isStored, ok, origin, qso, save, signOut, withBrowser } from "./browser.js";
import { killTab } from "./device.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const isKept = (name) => new RegExp("Your earlier text is here").test((name ? document.getElementById(name) : document.querySelector("dialog"))?.innerText ?? "");
const value = (page, id) => page.locator(`dialog #${id}`).inputValue();

await withBrowser(async (context) => {
  const stored = qso({ callsignWorked: "26AT101", notes: "as it is", radio: "old", qsoAt: "2026-01-02T03:04:05Z" });
  const other = qso({ callsignWorked: "1AT7", notes: "another", qsoAt: "2026-01-01T03:04:05Z" });
  await save(stored, other);
  let page = await context.newPage();
  const open = async () => {
    await page.goto(`${origin}/profile/#log`);
    await becomes(page, () => document.querySelectorAll("#qsos .rows li").length >= 2, "Logbook is shown");
  };
  const openNew = async () => {
    if (await page.locator(".sheet").count()) await page.keyboard.press("Escape"); // the sheet covers the button
    await page.getByRole("button", { name: "Log a QSO" }).click();
    await page.waitForSelector("dialog #callsignWorked");
  };
  const openEdit = async (callsign) => {
    await page.locator("#qsos .q", { hasText: callsign }).click();
    await page.locator(".sheet").getByRole("button", { name: "Edit" }).click();
    await page.waitForSelector("dialog #callsignWorked");
  };
  // These actions close a page without saving.
  const ways = {
    "a reload": async () => { await page.reload(); await becomes(page, () => document.querySelectorAll("#qsos .rows li").length >= 2, "the page is loaded again"); },
    "the end of the tab": async () => { await killTab(context, page); page = await context.newPage(); await open(); },
  };

  // A new QSO has a draft.
  await open();
  await openNew();
  ok(!await page.evaluate(isKept), "an empty form mentions no draft");
  await page.fill("dialog #callsignWorked", "13HN7");
  await page.fill("dialog #notes", 'half a "note"');
  const escape = async () => { await page.keyboard.press("Escape"); await page.waitForSelector("dialog.wide", { state: "detached" }); };
  for (const [way, lose] of Object.entries({ Escape: escape, ...ways })) {
    await lose();
    await openNew();
    is([await value(page, "callsignWorked"), await value(page, "notes")], ["13HN7", 'half a "note"'], `a new QSO is restored after ${way}`);
    ok(await page.evaluate(isKept), `the dialog reports that the text is not saved, after ${way}`);
  }
  await page.getByRole("button", { name: "Discard it" }).click();
  is([await value(page, "callsignWorked"), await value(page, "notes")], ["", ""], "a draft is discarded");
  await page.keyboard.press("Escape");
  await openNew();
  is([await value(page, "callsignWorked"), await page.evaluate(isKept)], ["", false], "a discarded draft does not return");
  await page.fill("dialog #callsignWorked", "13HN8");

  // Each QSO in the log has its own draft, in addition to the draft of the new QSO.
  await page.keyboard.press("Escape");
  await openEdit("1AT7");
  await page.fill("dialog #notes", "another one, typed");
  await openEdit("26AT101");
  is(await page.evaluate(isKept), false, "a QSO in which nothing was typed has no draft");
  await page.fill("dialog #notes", "typed");
  for (const [way, lose] of Object.entries(ways)) {
    await lose();
    await openEdit("26AT101");
    is([await value(page, "callsignWorked"), await value(page, "notes")], ["26AT101", "typed"], `text typed into a QSO is restored after ${way}`);
    ok(await page.evaluate(isKept), `the details of a QSO mention the draft after ${way}`);
  }
  await save({ ...stored, radio: "new" });
  await page.reload();
  await openEdit("26AT101");
  is([await value(page, "notes"), await value(page, "radio")], ["typed", "new"], "a field that another program changed meanwhile has its new value");
  await page.locator("dialog .save").click();
  await isStored((items) => items.filter(({ clientId }) => clientId === stored.clientId).map(({ notes, radio }) => [notes, radio]), [["typed", "new"]], "saving writes only the typed fields");
  await page.waitForSelector("dialog form", { state: "detached" });
  await openEdit("26AT101");
  is(await page.evaluate(isKept), false, "saving removes the draft");
  await page.keyboard.press("Escape");
  await openEdit("1AT7");
  is(await value(page, "notes"), "another one, typed", "another QSO has its own draft");
  await page.locator("dialog #leave").click();
  await page.waitForSelector("dialog form", { state: "detached" });
  await openEdit("1AT7");
  is(await value(page, "notes"), "another", "Cancel discards the draft");
  // Before Escape discards typed text, the page asks.
  await page.fill("dialog #notes", "more");
  await page.keyboard.press("Escape");
  await becomes(page, () => /Discard your changes/.test(document.querySelector("dialog:modal")?.innerText), "Escape asks whether to discard the changes");
  await page.keyboard.press("Escape");
  await becomes(page, () => !document.querySelector("dialog:modal") && document.querySelector(".sheet #notes")?.value === "more", "another Escape closes the question and keeps the form");
  await page.locator(".sheet #notes").press("Escape");
  await page.getByRole("button", { name: "Discard them" }).click();
  await page.waitForSelector(".sheet", { state: "detached" });
  ok(await page.evaluate(() => document.activeElement?.matches("#qsos .q")), "the focus returns to the row");
  await openEdit("1AT7");
  is(await value(page, "notes"), "another", "the form no longer has discarded text");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".sheet", { state: "detached" });
  await openNew();
  is(await value(page, "callsignWorked"), "13HN8", "the new QSO keeps its draft");
  await page.locator("dialog .save").click();
  await isStored((items) => items.filter(({ callsignWorked }) => callsignWorked === "13HN8").length, 1, "the new QSO is saved once");
  await page.keyboard.press("Escape");

  // A renewal of the list keeps the place of a member who is about to edit a QSO.
  await page.locator("#qsos .q", { hasText: "1AT7" }).click();
  await save(qso({ callsignWorked: "19AT5", qsoAt: "2026-01-03T03:04:05Z" }));
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await becomes(page, () => document.getElementById("qsos").innerText.includes("19AT5"), "the list is renewed after another program has saved a QSO");
  is(await page.locator("#sheet-title").innerText(), "1AT7", "the details of a QSO stay open while the list is renewed");

  // The operator's page has drafts.
  const fields = { members: ["add-list", "13TH101, JO59\n13TH102"], stations: ["station-callsign", "14/AT0"], peers: ["peer-address", "https://other"], switches: ["club-text", "Wednesdays"] };
  for (const [section, [id, text]] of Object.entries(fields)) {
    const place = { members: "adding", switches: "club" }[section] ?? `section-${section}`;
    const show = async () => {
      await page.goto(`${origin}/operator/#${section}`);
      await page.reload();
      await page.waitForSelector(`#section-${section}:not(.filling)`);
      if (section === "members") await page.click("#add-members");
      if (section === "switches") await page.click("#club-open");
      await page.waitForSelector(`#${id}`);
    };
    await show();
    ok(!await page.evaluate(isKept, place), `${section} mentions no draft before typing`);
    await page.fill(`#${id}`, text);
    await show();
    await becomes(page, isKept, `${section} reports that typed text is not saved`, place);
    is(await page.inputValue(`#${id}`), text, `${section} has the text after a reload`);
    await killTab(context, page);
    page = await context.newPage();
    await show();
    is(await page.inputValue(`#${id}`), text, `${section} has the text after the end of the tab`);
  }
  await page.goto(`${origin}/operator/#members`);
  await page.reload();
  await page.waitForSelector("#members .rows li");
  await page.click("#add-members");
  await page.fill("#add-list", "13TH101, JO59");
  await page.click("#add button.main");
  await page.click("#add-next button");
  await becomes(page, () => document.getElementById("members").innerText.includes("13TH101"), "a member is added");
  await page.reload();
  await page.waitForSelector("#members .rows li");
  await page.click("#add-members");
  await page.waitForSelector("#add-list");
  is([await page.inputValue("#add-list"), await page.evaluate(isKept, "adding")], ["", false], "adding removes the draft of the list");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "13TH101" }).click();
  await page.locator(".sheet").getByRole("button", { name: "Rename: Callsign" }).click();
  await page.getByLabel("New callsign").fill("13TH1");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".sheet", { state: "detached" });
  await page.getByRole("button", { name: "13TH101" }).click();
  await page.locator(".sheet").getByRole("button", { name: "Rename: Callsign" }).click();
  is(await page.getByLabel("New callsign").inputValue(), "13TH1", "a member's sheet restores the text typed before Escape");
  await page.getByLabel("New callsign").fill("13TH109");
  await page.keyboard.press("Enter");
  await page.locator("dialog").last().getByRole("button", { name: "Rename" }).click();
  await becomes(page, () => document.getElementById("members").innerText.includes("13TH109"), "the member is renamed");
  await page.getByRole("button", { name: "13TH109" }).click();
  await page.locator(".sheet").getByRole("button", { name: "Rename: Callsign" }).click();
  is(await page.getByLabel("New callsign").inputValue(), "", "after renaming, the sheet has no draft");
  await page.keyboard.press("Escape");

  // The next member in this browser finds no drafts.
  await page.click("#add-members");
  await page.fill("#add-list", "a secret, JO59");
  await page.keyboard.press("Escape");
  await signOut(page);
  await becomes(page, () => document.getElementById("account")?.innerText === "Sign in", "the member signs out");
  is(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]).includes("secret")), false, "no draft is left after signing out");
  ok((await download()).length === 4 && (await api("GET", "/me")).ok, "the log has the saved QSOs");
}, { member });

// In the app, a QSO that is being edited keeps its draft while another QSO is edited.
await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(`${origin}/app/#key=${process.env.QSOSYNC_WRITE_KEY}`);
  await page.locator("#whose .main").click();
  await becomes(page, () => document.querySelectorAll("#recent .rows li").length === 4, "the log is on the device");
  const edit = (callsign) => page.evaluate(async (call) => {
    const { app } = window;
    const [found] = (await app.worked(call)).filter(({ callsignWorked }) => callsignWorked === call);
    app.form.edit(found);
  }, callsign);
  const typed = async () => [await page.inputValue("#callsignWorked"), await page.inputValue("#notes")];
  await page.fill("#callsignWorked", "19AT1");
  await edit("26AT101");
  await page.fill("#notes", "one");
  await edit("1AT7");
  await page.fill("#notes", "two");
  await page.reload();
  await becomes(page, () => document.getElementById("notes").value === "two" && !document.getElementById("editing").hidden, "after a reload the app continues with the QSO that was being edited");
  await edit("26AT101");
  is(await typed(), ["26AT101", "one"], "the other QSO's draft has its typed text");
  await page.locator("#leave").click();
  is(await typed(), ["19AT1", ""], "the new QSO is restored after a reload");
  await edit("26AT101");
  is(await typed(), ["26AT101", "typed"], "Cancel discards the draft of this QSO");
  await edit("1AT7");
  is(await typed(), ["1AT7", "two"], "Cancel keeps the drafts of other QSOs");
});
