// Tests signing in with the form without JavaScript, with an invitation, and with another device's code. Also tests
// signing out, in this browser and from another device. The members are 21SD333, who has a password and keys, and
// 26AT101, who is new.
import { api, becomes, closeSecret, is, look, ok, openSection, origin, qso, readQrCode, signOut, tabTo, waitFor, weigh, withBrowser } from "./browser.js";

const member = { callsign: "21SD333", password: process.env.QSOSYNC_PASSWORD };
const invitation = process.env.QSOSYNC_INVITATION; // for 26AT101
const CHOSEN = "a phrase of my own";
const quiet = [/status of 40[01]/];

async function fillIn(page, { callsign, password }) {
  await page.fill("[name=callsign]", callsign);
  await page.fill("[name=password]", password);
  await page.click("main button");
}
const heading = (page) => page.innerText("h1");

// The member signs in without JavaScript.
await withBrowser(async (context) => {
  const page = await context.newPage();
  const asksToSignIn = async (rule) => {
    await page.goto(`${origin}/profile/`);
    ok(await page.waitForURL(/\/sign-in/, { timeout: 10000 }).then(() => true, () => false), rule, page.url());
  };
  await asksToSignIn("without a session the profile redirects to the form");
  await fillIn(page, { ...member, password: "wrong password" });
  is(await page.innerText("#trouble"), "Callsign or password is wrong.", "a wrong password is reported as text");
  is([await page.inputValue("[name=callsign]"), await page.inputValue("[name=password]")], ["21SD333", ""], "after a wrong password the form keeps the callsign, but not the password");
  await fillIn(page, { callsign: "nobody", password: member.password });
  is(await page.innerText("#trouble"), "Callsign or password is wrong.", "an unknown callsign gets the same message");
  await fillIn(page, { ...member, callsign: "21 sd-333" });
  is([new URL(page.url()).pathname, await heading(page)], ["/profile/", "21SD333"], "the form signs the member in without JavaScript, with any spelling of the callsign");
  await page.goto(`${origin}/`);
  is(await page.textContent("#account.menu form"), "Sign out", "the front page of a signed-in member has the button to sign out");
  await page.goto(`${origin}/cluster/list`);
  is(await page.textContent("#account.menu form"), "Sign out", "the list of spots has the button to sign out");
  await signOut(page);
  is([new URL(page.url()).pathname, await page.innerText("#account")], ["/", "Sign in"], "the button signs out without JavaScript");
  await asksToSignIn("after signing out, the profile asks to sign in again");
  await page.click("main >> text=I have a link, or no password");
  await page.fill("[name=token]", `${origin}/welcome/#qsosyncin_nothing`);
  await page.click("main button");
  ok((await page.innerText("#trouble")).startsWith("This link is not from this service"), "without JavaScript an invalid link is reported", await page.innerText("main"));
}, { script: false, allowed: quiet });

// The member uses an invitation. The test counts the member's taps and typed texts.
await withBrowser(async (context) => {
  const page = await context.newPage();
  let touches = 1; // the link itself
  const press = async (selector) => { touches++; await page.click(selector); };
  await page.goto(invitation);
  await look(page, "welcome");
  await press("#use-link");
  await page.waitForURL(`${origin}/profile/`);
  await page.waitForSelector("#offer .note");
  await becomes(page, () => /^\d\d:\d\d UTC$/.test(document.getElementById("clock")?.innerText), "the head shows the time in UTC");
  is(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie])), '[{"qsosync-member":"26AT101"},{},""]', "the browser stores no part of the link, and pages cannot read the session");
  await page.goBack().catch(() => {});
  ok(!page.url().includes("qsosyncin_"), "going back shows no token in the address", page.url());
  await page.goto(`${origin}/profile/`);
  await page.waitForSelector("#first-steps >> visible=true");
  await look(page, "profile-new-member");

  ok(await page.evaluate(() => document.querySelector("#offer .note").offsetHeight <= 60), "the reminder of the password has one line");
  const isReminded = () => page.locator("#offer .note").isVisible();
  for (const [section, wanted] of [["awards", false], ["profile/keys", false], ["profile", true], ["log", true]]) {
    await openSection(page, section);
    await page.waitForSelector(`#section-${section.split("/").at(-1)} >> visible=true`);
    is(await isReminded(), wanted, `the section ${section} ${wanted ? "reminds" : "does not remind"} of the password`);
  }
  await page.click("#offer >> text=Set a password");
  await page.waitForSelector("#password form");
  is(await page.locator("#offer > *").count(), 0, "the reminder disappears when the member opens it");
  const field = "#password input[autocomplete=new-password]";
  const refused = async (password, sentence) => {
    await page.fill(field, password);
    await page.click("#password button.main");
    await waitFor(page, (said) => [...document.querySelectorAll("#password .note.bad")].some((note) => !note.hidden && note.textContent === said), sentence);
    is([await page.getAttribute(field, "aria-invalid"), await page.inputValue(field), await page.evaluate((input) => document.activeElement.matches(input), field)],
      ["true", password, true], `a password is refused at its field, which keeps the text: ${sentence}`);
  };
  await refused("short", "The password is shorter than 10 characters.");
  await refused("password123", "It is a common password and easy to guess.");
  await page.check("#password input[type=checkbox]");
  is(await page.getAttribute(field, "type"), "text", "the switch shows the password");
  await page.fill(field, CHOSEN);
  await page.click("#password button.main");
  await becomes(page, () => document.getElementById("password-state").textContent === "Your password is set.", "the section confirms that the password is set");
  await page.click(".top nav >> text=Logbook");
  await press('#first-steps a[href="#profile/keys"]');
  await press("#keys .chip:last-child");
  await press("#keys form .main");
  await page.waitForSelector("#keys .secret");
  const setup = new URL(await page.getAttribute("#keys .secret a.button", "href"));
  is([setup.protocol, setup.searchParams.get("url")], ["qsosync:", `${origin}/api/v1`], "a link sets up a program on the same device");
  touches++; // that link, or the phone's camera
  const saved = await api("POST", "/logs/batch", { entries: [qso({ operatorCallsign: "26AT101" })] }, setup.searchParams.get("key"));
  is((await saved.json()).results[0].error ?? null, null, "the program's first QSO is in the log");
  process.stdout.write(`# from the invitation to the first QSO: ${touches} taps, without the password, which the invitation's page can also set\n`);
  ok(touches <= 6, "the first QSO takes at most six taps from the invitation", touches);
  await closeSecret(page);
  await page.click(".top nav >> text=Logbook");
  await becomes(page, () => document.querySelectorAll("#qsos .rows li").length === 1 && document.getElementById("first-steps").hidden, "the log shows the QSO, and hides the first steps");
  await signOut(page);
  await page.waitForURL(`${origin}/`);
  is(await page.evaluate(() => localStorage.length), 0, "a browser without a session stores no member");

  await page.goto(invitation);
  await page.waitForSelector("#trouble");
  is(await page.innerText("#trouble"), "This link was already used. Each link works once.", "a used link is reported as used");
  is(page.url(), `${origin}/welcome/`, "the token of a used link disappears from the address");
  await look(page, "welcome-used");
  await page.goto("about:blank");
  await page.goto(`${origin}/welcome/#${process.env.QSOSYNC_REPLACED}`);
  await becomes(page, () => document.getElementById("trouble")?.innerText === "A newer link has replaced this one.", "a replaced link is reported as replaced");
  await page.goto(`${origin}/sign-in`);
  await look(page, "sign-in");
  await fillIn(page, { callsign: "26AT101", password: CHOSEN });
  await becomes(page, () => document.querySelectorAll("#qsos .rows li").length === 1, "the chosen password signs the member in, and the log is shown first");
  is(await page.locator("#offer > *").count(), 0, "the page does not ask a member with a password to set a password");
}, { allowed: quiet });

// One member has two browsers.
await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(`${origin}/profile/#profile/devices`);
  await page.waitForSelector("#devices li");
  await openSection(page, "profile/another");
  await page.click("#add-device");
  await page.waitForSelector("#device-link svg.qr");
  const link = await page.innerText("#device-link .shown-secret");
  is(await readQrCode(context, page.locator("#device-link svg.qr")), link, "a camera reads the link for another device from the code");
  await becomes(page, () => /^[89]:\d\d$/.test(document.querySelector("#device-link [role=timer]").innerText), "a timer counts down from ten minutes");
  await look(page, "profile-another");
  await withBrowser(async (other) => {
    const there = await other.newPage();
    await there.goto(link);
    await there.click("#use-link");
    await there.waitForSelector("#figures dd");
    is(await there.locator("#offer > *").count(), 0, "the code signs the member in, without offering to set a password");
    await becomes(page, () => document.getElementById("device-link").innerText === "The other device is signed in.", "the first device reports that the other device is signed in");
    await openSection(page, "profile/devices");
    await becomes(page, () => document.querySelectorAll("#devices li").length === 3, "the list shows the new device");
    is(await page.locator("#devices li").count(), 3, "the list has every signed-in device");
    is(await page.locator("#devices .badge").count(), 1, "the list marks the current device");

    // Another browser ends the session while the member is typing.
    await there.fill("#search-text", "26AT");
    await page.locator("#devices li", { hasNot: page.locator(".tag") }).first().getByRole("button").click();
    await becomes(page, () => document.querySelectorAll("#devices li").length === 2, "a device that was signed out leaves the list");
    await there.press("#search-text", "Enter");
    await there.waitForSelector("dialog");
    await look(there, "profile-signed-out");
    await there.fill("dialog [type=password]", "wrong password");
    await there.click("dialog button.main");
    await becomes(there, () => document.querySelector("dialog .note.bad").innerText === "Callsign or password is wrong.", "a wrong password is reported in the dialog");
    await there.fill("dialog [type=password]", member.password);
    await there.click("dialog button.main");
    await becomes(there, () => !document.querySelector("dialog"), "a member who signs in again continues on the same page");
    is(await there.inputValue("#search-text"), "26AT", "text typed before the end of the session is kept");
    await there.press("#search-text", "Enter");
    await becomes(there, () => document.querySelector("#qsos .rows li"), "the search works after signing in again");

    await page.reload();
    await page.click("#sign-out-others");
    await page.locator("dialog .danger").click();
    await becomes(page, () => document.querySelectorAll("#devices li").length === 1, "all other devices are signed out at once");
    await there.goto("about:blank");
    await there.goto(`${origin}/profile/#profile/devices`);
    await becomes(there, () => location.pathname === "/sign-in", "a device that was signed out must sign in again");
    await fillIn(there, member);
    await becomes(there, () => location.hash === "#profile/devices" && document.querySelector("#devices li"), "signing in returns to the previous page");
    await there.goto(link);
    await becomes(there, () => document.getElementById("trouble")?.innerText.startsWith("This link was already used."), "a device's code works only once");
  }, { allowed: quiet });
}, { member });

// The page is used only by keyboard.
await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(`${origin}/sign-in`);
  await tabTo(page, "[name=callsign]");
  await page.keyboard.type(member.callsign);
  await tabTo(page, "[name=password]");
  await page.keyboard.type(member.password);
  await page.keyboard.press("Enter");
  await page.waitForSelector("#figures dd");
  await tabTo(page, ".menu summary");
  await page.keyboard.press("Enter");
  await tabTo(page, ".menu a.of-row");
  await page.keyboard.press("Enter");
  await becomes(page, () => document.activeElement?.id === "profile-title", "the account menu opens the profile by keyboard");
  await page.waitForSelector('[href="#profile/another"]');
  await tabTo(page, '[href="#profile/another"]');
  await page.keyboard.press("Enter");
  await page.waitForSelector("#add-device");
  await tabTo(page, "#add-device");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#device-link svg.qr");
  await tabTo(page, "#device-link button");
  await page.keyboard.press("Enter");
  await becomes(page, async () => (await navigator.clipboard.readText()).includes("/welcome/#qsosyncin_"), "the link for another device is created and copied with only the keyboard");
  await page.keyboard.press("Home");
  await page.reload();
  // All requests of the section must finish, because they would be refused after the end of the session.
  await page.waitForLoadState("networkidle");
  await page.waitForSelector("#add-device");
  await tabTo(page, ".menu summary");
  await page.keyboard.press("Enter");
  await tabTo(page, "#account form button");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${origin}/`);
  ok(true, "a member signs in and out with only the keyboard");
});

// The size of a first visit is limited.
await withBrowser(async (context) => {
  for (const path of ["/sign-in", "/welcome/"]) await weigh(context, path, 34816); // including the disc
  await weigh(context, "/", 59392); // including the rows of its spots, the disc and the land on it
}, {});
