// Signing in: by the form without JavaScript, by an invitation, by another device's code; and signing out, here and
// from there. The members are 21SD333, who has a password and keys, and 26AT101, who is new.
import { api, becomes, is, look, ok, origin, qso, readQrCode, signOut, tabTo, waitFor, weigh, withBrowser } from "./browser.js";

const member = { callsign: "21SD333", password: process.env.QSOSYNC_PASSWORD };
const invitation = process.env.QSOSYNC_INVITATION; // of 26AT101
const CHOSEN = "a phrase of my own";
const quiet = [/status of 40[01]/];

async function fillIn(page, { callsign, password }) {
  await page.fill("[name=callsign]", callsign);
  await page.fill("[name=password]", password);
  await page.click("main button");
}
const heading = (page) => page.innerText("h1");

// Without JavaScript.
await withBrowser(async (context) => {
  const page = await context.newPage();
  const asksToSignIn = async (rule) => {
    await page.goto(`${origin}/profile/`);
    ok(await page.waitForURL(/\/sign-in/, { timeout: 10000 }).then(() => true, () => false), rule, page.url());
  };
  await asksToSignIn("who is not signed in comes from the profile to the form");
  await fillIn(page, { ...member, password: "wrong password" });
  is(await page.innerText("#trouble"), "Callsign or password is wrong.", "a wrong password is told as text");
  is([await page.inputValue("[name=callsign]"), await page.inputValue("[name=password]")], ["21SD333", ""], "after a wrong password the callsign is still there, and the password is not");
  await fillIn(page, { callsign: "nobody", password: member.password });
  is(await page.innerText("#trouble"), "Callsign or password is wrong.", "an unknown callsign is told by the same sentence");
  await fillIn(page, { ...member, callsign: "21 sd-333" });
  is([new URL(page.url()).pathname, await heading(page)], ["/profile/", "21SD333"], "the form signs in without JavaScript, by any spelling of the callsign");
  await page.goto(`${origin}/`);
  is(await page.textContent("#account.menu form"), "Sign out", "the front page of who is signed in has the button that signs out");
  await page.goto(`${origin}/cluster/list`);
  is(await page.textContent("#account.menu form"), "Sign out", "so has the list of spots");
  await signOut(page);
  is([new URL(page.url()).pathname, await page.innerText("#account")], ["/", "Sign in"], "the button signs out without JavaScript");
  await asksToSignIn("who has signed out has to sign in again");
  await page.click("main >> text=I have a link");
  await page.fill("[name=token]", `${origin}/welcome/#qsosyncin_nothing`);
  await page.click("main button");
  ok((await page.innerText("#trouble")).startsWith("This link is not from this service"), "without JavaScript a link that is none is told to be none", await page.innerText("main"));
}, { script: false, allowed: quiet });

// An invitation, in steps that are counted: what a member presses, and what is typed.
await withBrowser(async (context) => {
  const page = await context.newPage();
  let touches = 1; // the link itself
  const press = async (selector) => { touches++; await page.click(selector); };
  await page.goto(invitation);
  await look(page, "welcome");
  await press("#state button");
  await page.waitForURL(`${origin}/profile/`);
  await page.waitForSelector("#offer form");
  is(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie])), '[{"qsosync-member":"26AT101"},{},""]', "the browser's storage holds nothing of the link, and pages cannot read the session");
  await page.goBack().catch(() => {});
  ok(!page.url().includes("qsosyncin_"), "going back shows no token in the address", page.url());
  await page.goto(`${origin}/profile/`);
  await page.waitForSelector("#first-steps >> visible=true");
  await look(page, "profile-new-member");

  const field = "#offer input[autocomplete=new-password]";
  const refused = async (password, sentence) => {
    await page.fill(field, password);
    await page.click("#offer button.main");
    await waitFor(page, (said) => [...document.querySelectorAll("#offer .note.bad")].some((note) => !note.hidden && note.textContent === said), sentence);
    is([await page.getAttribute(field, "aria-invalid"), await page.inputValue(field), await page.evaluate((input) => document.activeElement.matches(input), field)],
      ["true", password, true], `a password is refused at its field, which keeps it: ${sentence}`);
  };
  await refused("short", "The password is shorter than 10 characters.");
  await refused("password123", "It is a common password and easy to guess.");
  await page.check("#offer input[type=checkbox]");
  is(await page.getAttribute(field, "type"), "text", "the password can be read where its switch is on");
  await page.fill(field, CHOSEN);
  await press("#offer button.main");
  await page.waitForSelector("#offer [role=status]");
  await press('#first-steps a[href="#access"]');
  await page.waitForSelector("#keys form");
  await press("#keys form button");
  await page.waitForSelector("#keys .secret");
  const setup = new URL(await page.getAttribute("#keys .secret a.button", "href"));
  is([setup.protocol, setup.searchParams.get("url")], ["qsosync:", `${origin}/api/v1`], "a program on the same device is set up by a link");
  touches++; // that link, or the phone's camera
  const saved = await api("POST", "/logs/batch", { entries: [qso({ operatorCallsign: "26AT101" })] }, setup.searchParams.get("key"));
  is((await saved.json()).results[0].error ?? null, null, "the program's first QSO is in the log");
  process.stdout.write(`# from the invitation to the first QSO: ${touches} touches, and the password typed once\n`);
  ok(touches <= 6, "six touches lead from the invitation to the first QSO", touches);
  await page.click("#keys .secret >> text=Done");
  await page.click("#tabs >> text=My log");
  await becomes(page, () => document.querySelectorAll("#qsos tbody tr").length === 1 && document.getElementById("first-steps").hidden, "the log shows it, and leads nobody any more");
  await signOut(page);
  await page.waitForURL(`${origin}/`);
  is(await page.evaluate(() => localStorage.length), 0, "a browser that has signed out knows no member");

  await page.goto(invitation);
  await page.click("#state button");
  await page.waitForSelector("#trouble");
  is(await page.innerText("#trouble"), "This link was already used. Each link works once.", "a link that was used is told to be used");
  is(page.url(), `${origin}/welcome/`, "its token is gone from the address");
  await look(page, "welcome-used");
  await page.goto("about:blank");
  await page.goto(`${origin}/welcome/#${process.env.QSOSYNC_REPLACED}`);
  await page.click("#state button");
  await becomes(page, () => document.getElementById("trouble")?.innerText === "A newer link has replaced this one.", "a link that was replaced is told to be");
  await page.goto(`${origin}/sign-in`);
  await look(page, "sign-in");
  await fillIn(page, { callsign: "26AT101", password: CHOSEN });
  await becomes(page, () => document.querySelectorAll("#qsos tbody tr").length === 1, "the chosen password signs in, and the log comes first");
  is(await page.locator("#offer > *").count(), 0, "no further password is offered");
}, { allowed: quiet });

// Two browsers of one member.
await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(`${origin}/profile/#account`);
  await page.waitForSelector("#devices li");
  await page.click("#add-device");
  await page.waitForSelector("#device-link svg.qr");
  const link = await page.innerText("#device-link .shown-secret");
  is(await readQrCode(context, page.locator("#device-link svg.qr")), link, "a camera reads the link for another device from the code");
  await becomes(page, () => /^[89]:\d\d$/.test(document.querySelector("#device-link [role=timer]").innerText), "the time that is left counts down from ten minutes");
  await look(page, "profile-account");
  await withBrowser(async (other) => {
    const there = await other.newPage();
    await there.goto(link);
    await there.click("#state button");
    await there.waitForSelector("#figures dd");
    is(await there.locator("#offer > *").count(), 0, "the code signs in and lets nobody set a password");
    await becomes(page, () => document.getElementById("device-link").innerText === "The other device is signed in.", "the first device says that the other one is in");
    is(await page.locator("#devices li").count(), 3, "every signed-in device is listed");
    is(await page.locator("#devices .tag").count(), 1, "this one is marked");

    // One ends the other's session, while somebody types there.
    await there.fill("#search-text", "26AT");
    await page.locator("#devices li", { hasNot: page.locator(".tag") }).first().getByRole("button").click();
    await becomes(page, () => document.querySelectorAll("#devices li").length === 2, "a device that was signed out leaves the list");
    await there.press("#search-text", "Enter");
    await there.waitForSelector("dialog");
    await look(there, "profile-signed-out");
    await there.fill("dialog [type=password]", "wrong password");
    await there.click("dialog button.main");
    await becomes(there, () => document.querySelector("dialog .note.bad").innerText === "Callsign or password is wrong.", "a wrong password is told in the question");
    await there.fill("dialog [type=password]", member.password);
    await there.click("dialog button.main");
    await becomes(there, () => !document.querySelector("dialog"), "who signs in again goes on in the same page");
    is(await there.inputValue("#search-text"), "26AT", "what was typed before the session ended is still there");
    await there.press("#search-text", "Enter");
    await becomes(there, () => document.querySelector("#qsos tbody tr"), "and works");

    await page.reload();
    await page.click("#sign-out-others");
    await page.locator("dialog .danger").click();
    await becomes(page, () => document.querySelectorAll("#devices li").length === 1, "all other devices are signed out at once");
    await there.goto("about:blank");
    await there.goto(`${origin}/profile/#account`);
    await becomes(there, () => location.pathname === "/sign-in", "they have to sign in again");
    await fillIn(there, member);
    await becomes(there, () => location.hash === "#account" && document.querySelector("#devices li"), "and come back to where they were");
    await there.goto(link);
    await there.click("text=Sign in with the link");
    await becomes(there, () => document.getElementById("trouble")?.innerText.startsWith("This link was already used."), "the code works once; who is signed in is asked first");
  }, { allowed: quiet });
}, { member });

// By the keyboard alone.
await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(`${origin}/sign-in`);
  await tabTo(page, "[name=callsign]");
  await page.keyboard.type(member.callsign);
  await tabTo(page, "[name=password]");
  await page.keyboard.type(member.password);
  await page.keyboard.press("Enter");
  await page.waitForSelector("#figures dd");
  await tabTo(page, '#tabs [href="#account"]');
  await page.keyboard.press("Enter");
  await page.waitForSelector("#devices li");
  await tabTo(page, "#add-device");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#device-link svg.qr");
  await tabTo(page, "#device-link button");
  await page.keyboard.press("Enter");
  await becomes(page, async () => (await navigator.clipboard.readText()).includes("/welcome/#qsosyncin_"), "the link for another device is made and copied by the keyboard alone");
  await page.keyboard.press("Home");
  await page.reload();
  // All that the section asks for: an answer after the end of the session would be a refusal.
  await becomes(page, () => document.querySelector("#devices li") && document.getElementById("delete-what")?.textContent, "the section is whole");
  await tabTo(page, ".menu summary");
  await page.keyboard.press("Enter");
  await tabTo(page, "#account button");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${origin}/`);
  ok(true, "a member signs in and out by the keyboard alone");
});

// What a first visit costs.
await withBrowser(async (context) => {
  for (const path of ["/sign-in", "/welcome/"]) await weigh(context, path, 23552);
  await weigh(context, "/", 25600); // with what keeps its spots up to date, and installs the app
}, {});
