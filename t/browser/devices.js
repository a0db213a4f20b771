// Tests that a browser and its app are one device in the list. They have one name, and lose access together.
import { becomes, closeSecret, createKey, is, isStored, logIt, ok, origin, signIn, signOut, waitFor, withBrowser } from "./browser.js";
import { isInStep } from "./device.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const PIXEL = { userAgent: "Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36" };
const tellsName = () => Object.defineProperty(navigator, "userAgentData", { value: { getHighEntropyValues: async () => ({ model: "Pixel 8" }) } });
const REFUSED = [/status of 401/];
const isNamed = (names) => {
  const shown = [...document.querySelectorAll("#devices .what > b")].map(({ textContent }) => textContent);
  return shown.sort().join("; ") === names.join("; ");
};

async function setUp(page) {
  await page.goto("about:blank");
  await page.goto(`${origin}/app/#setup`);
  await becomes(page, () => document.getElementById("device").value === "Pixel 8", "a phone suggests its model");
  await page.click("#setup-form button");
  await becomes(page, isInStep, "the app is up to date");
}
async function loseAccess(page, rule) {
  await waitFor(page, () => window.app);
  await page.evaluate(() => window.app.synchronise());
  await becomes(page, () => document.getElementById("key-trouble") !== null, rule);
  is((await page.request.get(`${origin}/profile/data/me`)).status(), 401, "the browser of the device is signed out");
}

await withBrowser(async (context) => {
  const page = await context.newPage();
  const openList = async () => {
    await page.goto("about:blank");
    await page.goto(`${origin}/profile/#profile/devices`);
  };
  await withBrowser(async (phone) => {
    await signIn(phone, member);
    const there = await phone.newPage();
    await there.goto(`${origin}/app/#setup`);
    await becomes(there, () => document.getElementById("device").value === "App, Android", "a phone that hides its model suggests its system");
    await phone.addInitScript(tellsName);
    await setUp(there);

    // The member signs out all other devices.
    await openList();
    await becomes(page, isNamed, "a browser and its app are one entry", ["A browser", "Chrome on Linux", "Pixel 8"]);
    ok((await page.locator("#devices li", { hasText: "Pixel 8" }).innerText()).includes("Chrome on Android · keeps the log · last used: today"), "a device shows its browser, and that it keeps the log");
    await page.click("#sign-out-others");
    ok((await page.locator("dialog").innerText()).includes("their apps stop syncing"), "the question warns that apps stop syncing");
    await page.locator("dialog .danger").click();
    await becomes(page, isNamed, "signing out all other devices leaves one device", ["Chrome on Linux"]);
    await there.fill("#callsignWorked", "26AT110");
    await logIt(there);
    await loseAccess(there, "the app of another device loses access");
    const told = await there.innerText("#key-trouble");
    ok(told.includes("This device was signed out") && told.includes("Unsent QSOs stay here"), "the app reports the end of its session", told);
    await there.reload();
    await becomes(there, () => window.app?.outbox.size === 1, "unsent QSOs stay on a device that was signed out");

    // The device signs out and in again, with the log kept.
    await signIn(phone, member);
    await setUp(there);
    await isStored((items) => items.map(({ callsignWorked }) => callsignWorked), ["26AT110"], "unsent QSOs are sent after the next sign-in");
    await becomes(there, isInStep, "the app shows that the QSOs were sent");
    await there.goto(`${origin}/profile/#profile/devices`);
    await becomes(there, isNamed, "a device that signs in again has one entry", ["Chrome on Linux", "Pixel 8"]);
    await becomes(there, () => [...document.querySelectorAll("#devices li")].some(({ innerText }) => innerText.includes("Pixel 8") && innerText.includes("keeps the log, all synced")), "a device shows whether its own QSOs wait");
    await signOut(there);
    await there.click("dialog button >> text=Keep it and sign out");
    await there.waitForURL(/sign-in|\/$/);
    await openList();
    await becomes(page, isNamed, "an app without a session stays in the list", ["Chrome on Linux", "Pixel 8"]);
    ok((await page.locator("#devices li", { hasText: "Pixel 8" }).innerText()).includes("not signed in · keeps the log"), "an app without a session is shown as such");
    await signIn(phone, member);
    await there.goto(`${origin}/profile/#profile/devices`);
    await becomes(there, isNamed, "after the next sign-in browser and app are one device again", ["Chrome on Linux", "Pixel 8"]);

    // The device is signed out, and its key is revoked.
    await openList();
    await page.locator("#devices li", { hasText: "Pixel 8" }).getByRole("button").click();
    await becomes(page, isNamed, "a device that was signed out leaves the list", ["Chrome on Linux"]);
    await there.goto(`${origin}/app/`);
    await loseAccess(there, "the app loses access when its device is signed out");
  }, { allowed: REFUSED, device: PIXEL });

  // A key is created for an app in another browser, which is set up by a link.
  await page.goto(`${origin}/profile/#profile/keys`);
  await createKey(page, "The app");
  await closeSecret(page);
  await openList();
  await becomes(page, isNamed, "an app that is set up by a link is an entry", ["Chrome on Linux", "The app"]);
  await page.locator("#devices li", { hasText: "The app" }).getByRole("button").click();
  await becomes(page, isNamed, "an app without a browser is signed out like a device", ["Chrome on Linux"]);
}, { member });
