// Plays a new member's first minutes: the invitation's link, a password, and a key for a phone, which reads the QR code
// and sends a QSO. Then another browser signs in with the password. The test counts clicks and typed texts.
import { becomes, is, ok, origin, readQrCode, signOut, withBrowser } from "./browser.js";

const password = "three big antennas";
let steps = 0;
async function click(locator) {
  steps += 1;
  await locator.click();
}

await withBrowser(async (context) => {
  const page = await context.newPage();
  const asked = [];
  context.on("request", (request) => asked.push(`${request.method()} ${request.url()} ${request.headers().referer ?? ""}`));
  await page.goto(process.env.QSOSYNC_INVITATION);
  steps += 1;
  await page.waitForSelector("#state button");
  is(asked.filter((one) => one.startsWith("POST")), [], "nothing is sent before the button is pressed, so mail scanners do not use the invitation");
  is(page.url(), `${origin}/welcome/`, "the address already lacks the token");
  await click(page.locator("#state button"));
  await becomes(page, () => document.getElementById("member")?.innerText.includes("26AT101"), "the link of the invitation opens the profile, signed in");
  is(page.url(), `${origin}/profile/`, "the address no longer contains the token");
  const token = process.env.QSOSYNC_INVITATION.split("#")[1];
  is(asked.filter((one) => one.includes(token)), [], "no address and no referrer contained the token");

  const offer = page.locator("#offer form");
  await offer.locator("input[autocomplete=new-password]").fill(password);
  steps += 1;
  await click(offer.locator("button.main"));
  await becomes(page, () => !document.querySelector("#offer form"), "the member chooses a password, and is asked for it once");

  await click(page.locator("#first-steps a[href='#profile/keys']"));
  await page.waitForSelector("#keys form button.main >> visible=true");
  await click(page.locator("#keys form button.main"));
  await page.waitForSelector("#keys .secret");
  ok(true, "a key is created without typing");
  const code = new URL(await readQrCode(context, page.locator("#keys .secret svg").first()));
  const key = [...code.searchParams.values()].find((value) => value.startsWith("qsosync_"));
  const address = [...code.searchParams.values()].find((value) => value.startsWith("http"));
  is(address, `${origin}/api/v1`, "the phone reads the address from the QR code");
  const answer = await fetch(`${address}/logs/batch`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ entries: [{ clientId: crypto.randomUUID(), band: "ELEVEN_METERS", qsoAt: new Date().toISOString(), callsignWorked: "21SD333" }] }),
  });
  is(answer.status, 200, "the phone sends its first QSO");
  is(steps, 6, "the first synchronised QSO takes six steps: the link, four clicks, and one typed password");
  await click(page.getByRole("button", { name: "Done" }));
  await click(page.locator(".top nav >> text=Logbook"));
  await becomes(page, () => document.getElementById("qsos").innerText.includes("21SD333"), "the QSO is in the member's log");
  const [cookie] = await context.cookies(origin);
  is([cookie.httpOnly, cookie.sameSite, cookie.path], [true, "Strict", "/"], "no script can read the cookie, and other sites do not send it");
});

await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(process.env.QSOSYNC_INVITATION);
  await page.click("#state button");
  await becomes(page, () => document.getElementById("trouble")?.innerText.includes("used"), "a used invitation is reported");
  await page.goto(`${origin}/profile/`);
  await page.waitForURL((url) => url.pathname === "/sign-in"); // the page reloads itself once more, with the cookie if the cookie exists
  ok(true, "without a session the profile redirects to the sign-in page");
  await page.fill("input[name=callsign]", "26-at-101");
  await page.fill("input[name=password]", password);
  await page.click("form button.main");
  await becomes(page, () => document.getElementById("member")?.innerText.includes("26AT101"), "callsign and password sign the member in, with the callsign in any spelling");
  await signOut(page);
  await page.waitForURL(`${origin}/`);
  await page.goto(`${origin}/profile/`);
  await page.waitForURL((url) => url.pathname === "/sign-in");
  ok(true, "signing out ends the session");
}, { allowed: [/status of 40[19]/] });
