// Looks at each view in Firefox on a desktop and a phone: nothing is wider than the screen, no text is cut, and at
// most one button is filled. views.js looks at more in Chromium.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { is, isTooWide, ok, origin, waitUntil } from "./browser.js";
import { Firefox } from "./other-browser.js";
import { APP, findCutTexts, findFilledButtons, GUEST, MEMBER } from "./view-checks.js";

const SCREENS = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const profile = mkdtempSync(join(tmpdir(), "qsosync-firefox-"));
const firefox = new Firefox(profile);

async function visit(views) {
  for (const [view, path] of Object.entries(views)) {
    await firefox.page.goto("about:blank");
    await firefox.page.goto(origin + path, { waitUntil: "networkidle0" });
    for (const [screen, size] of Object.entries(SCREENS)) {
      const name = `${view}-${screen} in Firefox`;
      await firefox.page.setViewport(size);
      await firefox.look(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(() => done(true))); }));
      is(await firefox.look(isTooWide), null, `${name} is not wider than the screen`);
      is(await firefox.look(findCutTexts), [], `${name} cuts no text`);
      const filled = await firefox.look(findFilledButtons);
      ok(filled.length <= 1, `${name} has at most one filled button`, ...filled);
    }
  }
}

try {
  await firefox.start();
  await visit(GUEST);
  await firefox.open(`${origin}/sign-in`);
  await firefox.signIn({ callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD });
  await waitUntil(() => firefox.look(() => location.pathname.endsWith("/profile/") && document.querySelector("#qsos .rows li") !== null));
  await visit(MEMBER);
  await firefox.open(`${origin}/app/#key=${process.env.QSOSYNC_WRITE_KEY}`);
  await waitUntil(() => firefox.look(() => document.querySelector("#whose .main") !== null));
  await firefox.look(() => document.querySelector("#whose .main").click());
  await waitUntil(() => firefox.look(() => document.querySelector("#views")?.hidden === false));
  await visit(APP);
} finally {
  await firefox.close();
  rmSync(profile, { recursive: true, force: true });
}
