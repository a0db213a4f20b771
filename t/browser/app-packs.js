// Tests that the app gives the same answers whether the QSOs of a log are in packs, partly unpacked, or unpacked.
import { api, becomes, is, ok, openByLink, origin, qso, save, withBrowser } from "./browser.js";
import { areUnpacked, download, isInStep } from "./device.js";

const QSOS = 1250; // in pages of 500
const key = process.env.QSOSYNC_WRITE_KEY;

// Creates the database as the version without packs did, with a QSO that was never sent.
const makeEarlier = (waiting) => new Promise((resolve, reject) => {
  const opening = indexedDB.open("qsosync-app", 4);
  opening.onupgradeneeded = () => {
    for (const store of ["state", "qsos", "outbox", "settings"]) opening.result.createObjectStore(store, { keyPath: "key" });
    opening.transaction.objectStore("qsos").createIndex("at", "at");
  };
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const transaction = opening.result.transaction("outbox", "readwrite");
    transaction.objectStore("outbox").put({ key: waiting.clientId, kind: "save", qso: waiting, base: null, sent: [], revision: 1, order: 1, state: "waiting" });
    transaction.oncomplete = () => { opening.result.close(); resolve(); };
    transaction.onabort = () => reject(transaction.error);
  };
});
// Keeps the packs until the test unpacks some of them.
const keepPacks = () => {
  let held;
  Object.defineProperty(window, "app", {
    get: () => held,
    set: (app) => {
      held = app;
      window.unpack = app.storage.unpack.bind(app.storage);
      app.storage.unpack = async () => false;
    },
  });
};
const countOf = (name) => new Promise((resolve, reject) => {
  const request = window.app.storage.store(name).count();
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
// Collects all answers of the storage, the list, the form and the awards.
const ask = async () => {
  const { app } = window;
  const { storage } = app;
  const after = (from, most) => storage.change((records) => records.after("qsos", from, most));
  const line = ({ key: id, qso: one }) => `${id} ${one.qsoAt} ${one.callsignWorked} ${one.notes}`;
  const answers = { count: await storage.count(), log: (await after("", Infinity)).map(line) };
  const [, middle] = answers.log.slice(answers.log.length / 2);
  answers.some = (await after(middle.slice(0, 36), 7)).map(line);
  answers.one = await storage.qso(middle.slice(0, 36));
  answers.none = await storage.qso("00000000-0000-4000-8000-000000000000");
  for (const call of ["1", "19A", "19AT1", "19AT12", "26AT101", "nobody"])
    answers[`worked ${call}`] = (await app.worked(call)).map((one) => `${one.callsignWorked} ${one.qsoAt}`);
  for (const division of [19, 26, 161])
    for (const [band, mode] of [["ELEVEN_METERS", "USB"], ["ELEVEN_METERS", "FM"], ["PMR446", "FM"]])
      for (const square of ["JO59", "JO01", "KP20"])
        answers[`news ${division} ${band} ${mode} ${square}`] = await app.news({ division, square, special: "19AT5", band, mode });
  await app.loadLogbook();
  for (const [sought, state, band] of [["", "", ""], ["19AT7", "", ""], ["2019-05", "", ""], ["2019-05-1", "spotted", ""], ["", "", "PMR446"], ["19AT", "", "PMR446"], ["", "confirmed", ""]]) {
    document.getElementById("search-text").value = sought;
    document.getElementById("search-confirmed").value = state === "confirmed" ? "yes" : "";
    document.getElementById("search-state").value = state === "confirmed" ? "" : state;
    document.getElementById("search-band").value = band;
    document.getElementById("search-band").dispatchEvent(new Event("input", { bubbles: true }));
    await app.logbook.refreshed;
    answers[`list ${sought} ${state} ${band}`] = document.getElementById("qsos").innerText;
  }
  location.hash = "#awards";
  while (!app.awards) await new Promise((goOn) => setTimeout(goOn, 20));
  app.awards.renew();
  while (app.awards.isStale || app.awards.isCounting || !document.querySelector("#awards-air > *")) await new Promise((goOn) => setTimeout(goOn, 20));
  answers.awards = document.getElementById("awards").innerText;
  location.hash = "#logbook";
  return answers;
};
function compare(got, expected, rule) {
  const differ = Object.keys(expected).filter((name) => JSON.stringify(got[name]) !== JSON.stringify(expected[name]));
  ok(differ.length === 0, rule, ...differ.slice(0, 5).map((name) => `${name}: ${JSON.stringify(got[name]).slice(0, 300)} is not ${JSON.stringify(expected[name]).slice(0, 300)}`));
}

await withBrowser(async (context) => {
  const modes = ["USB", "LSB", "FM", null];
  const make = (place) => qso({
    callsignWorked: `${place % 7 ? 19 : 161}AT${place % 400}`, qsoAt: new Date(Date.UTC(2019, 4, 1) + place * 3660000).toISOString(), notes: `number ${place}`,
    mode: modes[place % 4], dxLocator: [null, "JO59jw", "JO01aa"][place % 3], ...(place % 10 === 0 && { band: "PMR446", frequencyMhz: null, channel: 1 + place % 8, mode: "FM" }),
  });
  for (let start = 0; start < QSOS; start += 125) await save(...Array.from({ length: 125 }, (_, place) => make(start + place)));
  const page = await context.newPage();
  await page.goto(`${origin}/`);
  const waiting = { ...make(0), clientId: crypto.randomUUID(), qsoAt: "2018-05-17T12:00:00.000Z", notes: "of the earlier version" };
  await page.evaluate(makeEarlier, waiting);
  await page.addInitScript(keepPacks);
  await openByLink(page, key);
  await becomes(page, isInStep, "the log is on the device");
  is([await page.evaluate(countOf, "packs"), await page.evaluate(countOf, "qsos")], [3, 1], "each downloaded page is one record");
  is((await download(key)).filter(({ clientId }) => clientId === waiting.clientId).map(({ notes }) => notes), [waiting.notes], "a QSO that waited in the earlier version's database was sent");
  await page.goto(`${origin}/app/#logbook`);
  const first = await page.evaluate(ask);
  is([first.count, first.log.length, first.some.length, first.one.notes !== undefined, first.none], [QSOS + 1, QSOS + 1, 7, true, null], "the form reads QSOs in packs");
  ok(first["worked 19AT12"].length > 2 && /19AT7/.test(first["list 19AT7  "]) && /1,251 QSOs/.test(first.awards), "a search finds QSOs in packs", first["worked 19AT12"].length, first["list 19AT7  "].slice(0, 200), first.awards.slice(0, 200));
  await page.reload();
  await becomes(page, isInStep, "the app is opened again");
  compare(await page.evaluate(ask), first, "the answers stay the same after a reload");

  const { items } = await (await api("GET", "/logs?limit=500", null)).json();
  const changed = { ...items[7], notes: "changed meanwhile" };
  for (const name of ["id", "crossConfirmedAt", "createdAt", "syncedAt", "spottedAt"]) delete changed[name];
  await save(changed, qso({ callsignWorked: "26AT101", qsoAt: "2019-05-17T12:00:30.000Z" }));
  await api("DELETE", `/logs/${items[9].clientId}`, null);
  await page.evaluate(() => window.app.synchronise());
  await becomes(page, async ([id, gone]) => (await window.app.storage.qso(id))?.notes === "changed meanwhile" && !await window.app.storage.qso(gone), "changes and deletions on the service arrive on the device", [changed.clientId, items[9].clientId]);
  is(await page.evaluate(countOf, "qsos"), 3, "each changed or new QSO has its own record");
  const now = await page.evaluate(ask);
  is(now.count, QSOS + 1, "the count includes the new QSO, but not the deleted QSO");

  for (let round = 0; round < 3; round++) is(await page.evaluate(() => window.unpack()), true, "the app moves some QSOs to their own records");
  is(await page.evaluate(countOf, "qsos"), 303, "a hundred QSOs are unpacked at once");
  compare(await page.evaluate(ask), now, "the answers are the same for a partly unpacked log");
  is(await page.evaluate(async () => {
    const { put } = IDBObjectStore.prototype;
    let count = 0;
    IDBObjectStore.prototype.put = function putOrNot(...values) {
      if (count++ > 50) throw new DOMException("the test fills the storage", "QuotaExceededError");
      return put.apply(this, values);
    };
    const error = await window.unpack().catch(({ name }) => name);
    IDBObjectStore.prototype.put = put;
    return error;
  }), "QuotaExceededError", "a full storage stops the unpacking");
  compare(await page.evaluate(ask), now, "a full storage loses nothing");

  is(await page.evaluate(async () => {
    const { app } = window;
    const { unpack } = app.storage;
    let count = 0;
    app.storage.unpack = async () => { count++; throw new DOMException("the test fills the storage", "QuotaExceededError"); };
    for (let pass = 0; pass < 4; pass++) {
      await app.synchronise();
      await new Promise((goOn) => setTimeout(goOn, 100));
    }
    app.storage.unpack = unpack;
    return count;
  }), 1, "after a write fails, only one pass tries to unpack, because it reads all packs again");

  const other = await context.newPage();
  await other.goto(`${origin}/app/#logbook`);
  await becomes(other, areUnpacked, "another tab unpacks the remaining QSOs");
  for (const one of [page, other]) {
    is([await one.evaluate(countOf, "qsos"), await one.evaluate(() => window.app.storage.count())], [QSOS + 1, QSOS + 1], "all QSOs have their own records");
    compare(await one.evaluate(ask), now, "the answers are the same in each tab");
  }
}, { isOwn: true });
