// Plays a new member's first minutes: the invitation's link, a password, and a key for a phone, which reads the QR code
// and sends a QSO. Then another browser signs in with the password. The test counts clicks and typed texts.
import { becomes, closeSecret, is, look, ok, origin, readQrCode, signOut, withBrowser } from "./browser.js";

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
  await page.waitForSelector("#state form");
  const posted = () => asked.filter((one) => one.startsWith("POST")).map((one) => new URL(one.split(" ")[1]).pathname);
  is(posted(), ["/welcome/look"], "nothing uses the invitation before a button is pressed, so mail scanners do not use it");
  is(page.url(), `${origin}/welcome/`, "the page removes the token from the address at once");
  is(await page.innerText("h1"), "26AT101, welcome to the log.", "the page names the member");
  ok(/works once, until \w+day,? \d+ \w+\./.test(await page.innerText("#state")), "the page names the last day of the link", await page.innerText("#state"));
  await look(page, "welcome-invitation");
  const field = page.locator("#state input[autocomplete=new-password]");
  const refuses = async (value, rule) => {
    await field.fill(value);
    await page.locator("#state form button").click();
    await becomes(page, () => document.querySelector("#state .fault")?.innerText.length > 0 && document.activeElement.matches("[aria-invalid]"), rule);
  };
  await refuses("short", "a password that is too short is rejected at its field");
  is(posted(), ["/welcome/look"], "a password that is too short does not use the invitation");
  await field.fill(password);
  steps += 1;
  await click(page.locator("#state form button"));
  await becomes(page, () => document.getElementById("member")?.innerText.includes("26AT101"), "the password opens the profile, signed in");
  is(page.url(), `${origin}/profile/`, "the address no longer contains the token");
  const token = process.env.QSOSYNC_INVITATION.split("#")[1];
  is(asked.filter((one) => one.includes(token)), [], "no address and no referrer contained the token");
  await page.waitForSelector("#first-steps >> visible=true");
  is(await page.locator("#offer form").count(), 0, "the page asks for a password only once");

  await click(page.locator("#first-steps a[href='#profile/keys']"));
  await page.waitForSelector("#keys .chip >> visible=true");
  await click(page.locator("#keys .chip").first());
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
  is(steps, 5, "the first synchronised QSO takes five steps: the link, three clicks, and one typed password");
  await closeSecret(page);
  await click(page.locator(".top nav >> text=Logbook"));
  await becomes(page, () => document.getElementById("qsos").innerText.includes("21SD333"), "the QSO is in the member's log");
  const [cookie] = await context.cookies(origin);
  is([cookie.httpOnly, cookie.sameSite, cookie.path], [true, "Strict", "/"], "no script can read the cookie, and other sites do not send it");
});

await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(process.env.QSOSYNC_INVITATION);
  await becomes(page, () => document.getElementById("trouble")?.innerText.includes("used"), "the page reports that an invitation was used");
  await page.goto(`${origin}/profile/`);
  await page.waitForURL((url) => url.pathname === "/sign-in"); // the page reloads itself once more, with the cookie if the cookie exists
  ok(true, "without a session the profile redirects to the sign-in page");
  await page.fill("input[name=callsign]", "26-at-101");
  await page.fill("input[name=password]", password);
  await page.click("main form button.main");
  await becomes(page, () => document.getElementById("member")?.innerText.includes("26AT101"), "callsign and password sign the member in, with the callsign in any spelling");
  await signOut(page);
  await page.waitForURL(`${origin}/`);
  await page.goto(`${origin}/profile/`);
  await page.waitForURL((url) => url.pathname === "/sign-in");
  ok(true, "signing out ends the session");
}, { allowed: [/status of 40[19]/] });
