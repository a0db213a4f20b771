// For make bench: the app's first download over a line, from the moment in which the page is opened until the log is in
// step, in ms, with the touch that wants the log.
import { ok, openByLink, waitFor, withBrowser } from "./browser.js";
import { isInStep } from "./device.js";

const MOST_MS = 500000;

await withBrowser(async (context) => {
  const page = await context.newPage();
  const start = Date.now();
  await openByLink(page, process.env.QSOSYNC_WRITE_KEY, process.env.QSOSYNC_LINE);
  await waitFor(page, isInStep, null, MOST_MS);
  const took = Date.now() - start;
  const count = await page.evaluate(() => window.app.storage.count());
  ok(count === Number(process.env.QSOSYNC_QSOS), "the whole log is there", count);
  process.stdout.write(`downloaded in ${took} ms\n`);
});
