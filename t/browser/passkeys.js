// Passkeys, with Chromium's virtual authenticator: added in the profile, used to sign in and at the operator's page,
// refused as a copy, removed.
import { execFileSync } from "node:child_process";
import { becomes, is, look, ok, origin, signOut, withBrowser } from "./browser.js";

const me = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const NAME = "Phone <b>1</b>";
const letProofsEnd = () => execFileSync("sqlite3", [process.env.QSOSYNC_DB, ".timeout 10000", "UPDATE sessions SET proved_at = 1"]);
const inDialog = (text) => [...document.querySelectorAll("dialog h2")].some((title) => title.textContent === text);

await withBrowser(async (context) => {
  const page = await context.newPage();
  const device = await context.newCDPSession(page);
  const tell = (method, values) => device.send(`WebAuthn.${method}`, values);
  await tell("enable");
  const { authenticatorId } = await tell("addVirtualAuthenticator", { options: {
    protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true,
  } });
  const credentials = async () => (await tell("getCredentials", { authenticatorId })).credentials;

  await page.goto(`${origin}/profile/#account`);
  await page.waitForSelector("#passkeys-card >> visible=true");
  letProofsEnd();
  await page.fill("#passkey-name", NAME);
  await page.click("#add-passkey button");
  await becomes(page, inDialog, "before a passkey is added the password is asked for", "Confirm your password");
  is((await credentials()).length, 0, "no passkey is made before");
  await page.fill("dialog [type=password]", me.password);
  await page.click("dialog button.main");
  await becomes(page, () => document.querySelectorAll("#passkeys li").length === 1, "the passkey is in the list");
  ok((await page.innerText("#passkeys")).includes(NAME), "it has the name that was typed, as text", await page.innerText("#passkeys"));
  const [made] = await credentials();
  is([made.isResidentCredential, made.rpId], [true, "localhost"], "the device finds it without a callsign, for this host alone");
  await page.fill("#passkey-name", "Once more");
  await page.click("#add-passkey button");
  await becomes(page, () => document.getElementById("passkeys-trouble").textContent === "This device already has a passkey for your account.", "one device has one passkey of a member");
  await look(page, "profile-passkeys");

  await signOut(page);
  await page.waitForURL(`${origin}/`);
  const signIn = async () => {
    await page.goto(`${origin}/sign-in?next=profile/%23data`);
    await page.click("#passkey button");
  };
  await signIn();
  await becomes(page, () => location.pathname === "/profile/" && location.hash === "#data" && document.getElementById("member")?.textContent.startsWith("21SD333"), "a passkey signs in without callsign and password, and leads to what was wanted");

  letProofsEnd();
  await page.goto(`${origin}/operator/`);
  await becomes(page, inDialog, "the operator's page asks for a passkey or the password", "Confirm it's you");
  await look(page, "operator-passkey");
  await tell("setUserVerified", { authenticatorId, isUserVerified: false });
  await page.click("dialog button.main");
  await becomes(page, () => document.querySelector("dialog .note.bad").textContent.startsWith("No passkey was used."), "a device that does not know who holds it opens nothing");
  await tell("setUserVerified", { authenticatorId, isUserVerified: true });
  await page.click("dialog button.main");
  await becomes(page, () => document.querySelectorAll("#members tbody tr").length === 1, "a passkey opens the operator's page");
  letProofsEnd();
  await page.reload();
  await becomes(page, inDialog, "the operator's page asks again after its time", "Confirm it's you");
  await page.fill("dialog [type=password]", me.password);
  await page.press("dialog [type=password]", "Enter");
  await becomes(page, () => document.querySelectorAll("#members tbody tr").length === 1, "the password still opens it");

  // A copy of the key that has signed less often.
  await signOut(page);
  await page.waitForURL(`${origin}/`);
  const [used] = await credentials();
  await tell("removeCredential", { authenticatorId, credentialId: used.credentialId });
  await tell("addCredential", { authenticatorId, credential: { ...used, signCount: 0 } });
  await signIn();
  await becomes(page, () => document.querySelector("#passkey .note")?.textContent.startsWith("A copy of this passkey exists."), "a copy is refused, and told");
  await look(page, "sign-in-passkey");
  await page.fill("[name=callsign]", me.callsign);
  await page.fill("[name=password]", me.password);
  await page.click("form .main");
  await page.waitForURL(/\/profile\//);
  await page.goto(`${origin}/profile/#account`);
  await becomes(page, () => document.querySelector("#passkeys .note.warn"), "the list tells of the copy");
  await page.click("#passkeys .danger");
  await page.click("dialog .danger");
  await becomes(page, () => document.querySelectorAll("#passkeys li").length === 0, "a passkey is removed");
  await signOut(page);
  await page.waitForURL(`${origin}/`);
  await signIn();
  await becomes(page, () => document.querySelector("#passkey .note")?.textContent.startsWith("This passkey doesn't work here."), "it signs nobody in after that");

  await page.goto(`${origin.replace("localhost", "127.0.0.1")}/sign-in`);
  await page.waitForLoadState("networkidle");
  is(await page.locator("#passkey button").count(), 0, "an address that is a number offers no passkey, for browsers allow none there");
}, { member: me, allowed: [/status of 40[013]/, /pubKeyCredParams is missing/] });
