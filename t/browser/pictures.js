// Takes the pictures of the papers, under the names in src/manual/papers.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { becomes, logIt, origin, withBrowser } from "./browser.js";

const me = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const folder = process.env.QSOSYNC_PICTURES;
mkdirSync(folder, { recursive: true });

await withBrowser(async (context) => {
  const draw = async (name, path, width, height, question) => {
    const page = await context.newPage();
    await page.setViewportSize({ width, height });
    await page.goto(origin + path);
    await becomes(page, question, `${path} is ready for its picture`);
    await page.evaluate(() => document.fonts.ready);
    if (name) await page.screenshot({ path: join(folder, `${name}.png`) });
    return page;
  };
  await draw("front", "/", 1366, 768, () => document.querySelectorAll("#spots tr").length >= 3);
  await draw("cluster", "/cluster/", 1366, 768, () => document.querySelectorAll(".spots-table tbody tr").length >= 8 && document.querySelector("#compass .dot") !== null);
  await draw("log", "/profile/#log", 1366, 900, () => document.querySelectorAll("#qsos .rows li").length >= 12 && document.querySelector("#figures dd") !== null);
  await draw("operator", "/operator/", 1366, 768, () => document.querySelectorAll("#members .rows li").length >= 8 && !document.getElementById("aside").hidden);
  const app = await draw("", "/app/", 390, 780, () => document.getElementById("keep-log")?.hidden === false);
  await app.click("#keep");
  await becomes(app, () => document.getElementById("log")?.hidden === false && document.getElementById("state")?.dataset.outcome === "done", "the app has the log");
  await app.fill("#callsignWorked", "19AT808");
  await logIt(app);
  await becomes(app, () => document.getElementById("said")?.textContent.includes("19AT808"), "a QSO is saved in the app");
  await app.screenshot({ path: join(folder, "app.png") });
}, { member: me });
