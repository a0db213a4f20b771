// Revokes the app's key. The link to a new key does not return to the same message.
import { becomes, is, isStored, logIt, openByLink, ok, origin, withBrowser } from "./browser.js";
import { isInStep, newKey, revoke } from "./device.js";

const { QSOSYNC_CALLSIGN: callsign, QSOSYNC_PASSWORD: password } = process.env;
const isTold = () => document.getElementById("key-trouble") !== null;
const isSetup = () => document.getElementById("setup").hidden === false;

await withBrowser(async (context) => {
  const page = await context.newPage();
  await openByLink(page, newKey(callsign, "phone"));
  await becomes(page, isInStep, "the app is up to date");
  revoke(callsign, "phone");
  await page.fill("#callsignWorked", "26AT110");
  await logIt(page);
  await becomes(page, isTold, "the app reports that its key was revoked");
  await page.locator("#key-trouble button").click();
  await becomes(page, isSetup, "the message's button opens the setup of a new key");
  is(await page.evaluate(isTold), false, "the setup does not show the message");
  await page.evaluate(() => window.app.synchronise());
  await page.waitForTimeout(500);
  is(await page.evaluate(isTold), false, "a failed attempt does not show the message again");
  await page.click("#views a[href='#log']");
  await becomes(page, isTold, "the message is shown again with the log if the key was not replaced");
  await page.locator("#key-trouble button").click();
  await page.click("#setup-form button");
  await page.locator("#sign-in").waitFor();
  await page.click("#sign-in");
  await page.fill("input[name=callsign]", callsign);
  await page.fill("input[name=password]", password);
  await page.click("main form button");
  await page.waitForURL(/\/app\//);
  await becomes(page, isSetup, "after the sign-in the app continues with the setup");
  is(await page.evaluate(isTold), false, "the message stays hidden after the sign-in");
  await page.click("#setup-form button");
  await becomes(page, isInStep, "one tap creates and uses a new key");
  is([await page.evaluate(isSetup), await page.evaluate(isTold), new URL(page.url()).hash], [false, false, ""], "the log is open with the new key");
  await isStored((items) => items.map(({ callsignWorked }) => callsignWorked), ["26AT110"], "the waiting QSO is sent");
  await page.reload();
  await becomes(page, isInStep, "the app is up to date after a reload");
  ok(!await page.evaluate(isSetup) && page.url().startsWith(`${origin}/app/`), "the log is open after a reload");
}, { allowed: [/status of 401/] });
