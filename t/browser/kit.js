// Keeps a log in IndexedDB with the client kit, as a page of another author would.
import { is, ok, origin, withBrowser } from "./browser.js";

/** Loads the kit into the page, as its first lines do. */
const load = (page) => page.evaluate(async (key) => {
  const at = (name) => import(`/docs/clients/${name}`);
  const { IndexedDbStorage } = await at("qsosync-indexeddb.js");
  Object.assign(window, await at("qsosync-log.js"));
  window.storage = await IndexedDbStorage.open("kit");
  window.service = new window.Log(`${location.origin}/api/v1`, key);
  window.log = new window.LocalLog(window.storage);
}, process.env.QSOSYNC_WRITE_KEY);

await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(`${origin}/docs/`);
  const run = (work, ...values) => page.evaluate(work, ...values);
  await load(page);
  await run(() => window.log.save({ band: "PMR446", channel: 8, qsoAt: "2026-05-17T19:42:00Z" }));
  const read = () => run(async () => (await window.readLog(window.storage)).map((qso) => qso.channel).join(" "));
  is(await read(), "8", "a saved QSO is in the log before it is sent");
  is(await run(() => window.log.synchronise(window.service)), "done", "a page synchronises its log");
  is((await run(() => window.readOutbox(window.storage))).length, 0, "nothing waits after a synchronisation");

  const failed = await run(() =>
    window.storage
      .change(async (records) => {
        await records.put("state", { key: "sync", run: "lost" });
        throw new Error("not now");
      })
      .catch((error) => error.message),
  );
  is(failed, "not now", "a change reports why it failed");
  const state = await run(() => window.storage.change((records) => records.get("state", "sync")));
  ok(state.run !== "lost" && state.since, "a change that fails leaves the database as it was");

  await page.reload();
  await load(page);
  is(await read(), "8", "a page that is opened again has its log");
  const [{ clientId }] = await run(() => window.readLog(window.storage));
  await run((clientId) => window.log.delete(clientId), clientId);
  is(await read(), "", "a deleted QSO leaves the log at once");
  is(await run(() => window.log.synchronise(window.service)), "done", "a page sends a deletion");
});
