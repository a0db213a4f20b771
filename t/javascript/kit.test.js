// Tests fields of a newer service that are unknown to this kit. A member's change keeps the values
// of these fields. Another program's change to such a field is handled like any other change.
import assert from "node:assert/strict";
import test from "node:test";
import { isSame, normalise, makeClientId } from "../../clients/qsosync-fields.js";
import { MemoryStorage } from "../../clients/qsosync-storage.js";
import { LocalLog, readOutbox } from "../../clients/qsosync-sync.js";
import { ModelLine, ModelService } from "./model-service.js";

const clientId = "00000000-0000-4000-8000-000000000001";
const qso = { clientId, band: "ELEVEN_METERS", qsoAt: "2026-05-17T19:00:00.000Z" };

/** Returns a synchronised device whose log has one QSO. */
async function start(values) {
  const service = new ModelService(() => 0.5);
  const storage = new MemoryStorage();
  const log = new LocalLog(storage, { now: () => service.now });
  const write = (entry) =>
    service.answer("/logs/batch", { method: "POST", body: JSON.stringify({ entries: [entry] }) });
  const synchronise = async () =>
    assert.equal(await log.synchronise(new ModelLine(service, () => "pass")), "done");
  const kept = async () =>
    (await storage.change((records) => records.get("qsos", clientId)))?.qso ?? null;
  write({ ...qso, ...values });
  await synchronise();
  return { service, storage, log, write, synchronise, kept };
}
const stored = ({ service }) => service.log.qsos.get(clientId);

test("a written QSO contains unknown fields, but no fields that the service sets", () => {
  const written = normalise({ ...qso, id: "7", syncedAt: "2026", weather: "Sunny", sky: [1] });
  assert.deepEqual([written.weather, written.sky], ["Sunny", [1]]);
  for (const name of ["id", "createdAt", "syncedAt", "spottedAt", "crossConfirmedAt"])
    assert.equal(name in written, false, name);
});
test("an unknown field makes two QSOs differ, unless it has no value in both", () => {
  assert.equal(isSame({ ...qso, weather: "Sunny" }, qso), false);
  assert.equal(isSame({ ...qso, sky: [1] }, { ...qso, sky: [1] }), true);
  for (const none of [null, false, undefined])
    assert.equal(isSame({ ...qso, sky: none }, qso), true);
  assert.equal(isSame({ ...qso, clouds: 0 }, qso), false);
});
test("changing a QSO keeps its other fields, known or unknown", async () => {
  const all = await start({ weather: "Sunny", radio: "handheld" });
  await all.log.save({ ...(await all.kept()), notes: "changed" });
  await all.synchronise();
  assert.deepEqual(
    [stored(all).notes, stored(all).weather, stored(all).radio],
    ["changed", "Sunny", "handheld"],
  );
  assert.equal((await all.kept()).weather, "Sunny");
});
test("a change applies to the current QSO, not to the version at the start of editing", async () => {
  const all = await start({ weather: "Sunny", radio: "handheld" });
  const begun = await all.kept();
  all.write({ ...qso, weather: "Fog", radio: "base", notes: "theirs" });
  await all.synchronise();
  await all.log.save({ ...begun, notes: "mine" }, false, { notes: "mine" });
  await all.synchronise();
  assert.deepEqual(
    [stored(all).notes, stored(all).weather, stored(all).radio],
    ["mine", "Fog", "base"],
  );
});
test("a change to an unknown field conflicts with a waiting change, and the choice is stored", async () => {
  for (const [choice, weather, notes] of [
    ["mine", "Sunny", "mine"],
    ["theirs", "Fog", null],
  ]) {
    const all = await start({ weather: "Sunny" });
    await all.log.save({ ...(await all.kept()), notes: "mine" });
    all.write({ ...qso, weather: "Fog" });
    await all.synchronise();
    const [entry] = await readOutbox(all.storage);
    assert.equal(entry.state, "conflict");
    await all.log.resolve(clientId, choice);
    await all.synchronise();
    assert.deepEqual([stored(all).weather, stored(all).notes], [weather, notes]);
    assert.deepEqual(await readOutbox(all.storage), []);
  }
});

// Tests that the kit can create the clientId of a new QSO in any context.

const VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * Does some work as on a page that is served over http in a home network, where crypto.randomUUID
 * is missing.
 */
async function withoutSecureContext(work) {
  const { randomUUID } = Crypto.prototype;
  delete Crypto.prototype.randomUUID;
  try {
    return await work();
  } finally {
    Crypto.prototype.randomUUID = randomUUID;
  }
}

test("a clientId is a random UUID, in any context", async () => {
  const made = [makeClientId(), makeClientId()];
  await withoutSecureContext(() => made.push(makeClientId(), makeClientId()));
  for (const id of made) assert.match(id, VERSION_4);
  assert.equal(new Set(made).size, made.length);
  assert.equal(normalise({ clientId: made[3] }).clientId, made[3]);
});

test("a log on a device stores a QSO without a secure context", async () => {
  const storage = new MemoryStorage();
  const qso = { band: "PMR446", channel: 8, qsoAt: "2026-05-17T10:00Z" };
  const id = await withoutSecureContext(() => new LocalLog(storage).save(qso));
  assert.deepEqual(
    (await readOutbox(storage)).map(({ key }) => key),
    [id],
  );
});

test("two tabs that save new QSOs with one clientId at the same time keep both QSOs", async () => {
  const storage = new MemoryStorage();
  const clientId = makeClientId();
  const qso = { clientId, band: "PMR446", channel: 8, qsoAt: "2026-05-17T10:00Z" };
  const ids = await Promise.all(
    [1, 2].map((channel) => new LocalLog(storage).save({ ...qso, channel }, true)),
  );
  assert.equal(ids[0], clientId);
  assert.notEqual(ids[1], clientId);
  const kept = (await readOutbox(storage)).map(({ key, qso: { channel } }) => [key, channel]);
  assert.deepEqual(kept, [
    [ids[0], 1],
    [ids[1], 2],
  ]);
  await new LocalLog(storage).save({ ...qso, channel: 3 });
  assert.equal((await readOutbox(storage)).length, 2);
});

// Tests requests that arrive late, after a newer request, and undoing after the log was restored
// from a backup.

function devices() {
  const service = new ModelService(() => 0.5);
  const storage = new MemoryStorage();
  const open = () => new LocalLog(storage, { now: () => service.now });
  const line = (meanwhile) => new ModelLine(service, () => "pass", meanwhile);
  return { service, storage, open, line };
}
/** Returns a line on which a request with this method waits until `meanwhile` is done. */
function slowLine({ service }, method, meanwhile) {
  const slow = new ModelLine(service, () => "pass");
  const request = slow.request.bind(slow);
  slow.request = async (path, options) => {
    if (options?.method === method) await meanwhile();
    return request(path, options);
  };
  return slow;
}
async function isEverywhere({ service, storage, open, line }, notes) {
  for (let pass = 0; pass < 3; pass++) assert.equal(await open().synchronise(line()), "done");
  assert.deepEqual(await readOutbox(storage), []);
  assert.equal(service.log.qsos.get(clientId)?.notes, notes);
}

test("an old state that arrives late is replaced by the newer state again", async () => {
  const all = devices();
  await all.open().save({ ...qso, notes: "old" });
  const slow = slowLine(all, "POST", async () => {
    await all.open().save({ ...qso, notes: "new" });
    assert.equal(await all.open().synchronise(all.line()), "done");
  });
  assert.equal(await all.open().synchronise(slow), "busy");
  assert.equal(all.service.log.qsos.get(clientId).notes, "old");
  await isEverywhere(all, "new");
});

test("a QSO that was saved again survives a deletion that arrives late", async () => {
  const all = devices();
  await all.open().save({ ...qso, notes: "old" });
  await all.open().synchronise(all.line());
  await all.open().delete(clientId);
  const slow = slowLine(all, "DELETE", async () => {
    await all.open().save({ ...qso, notes: "new" });
    assert.equal(await all.open().synchronise(all.line()), "done");
  });
  assert.equal(await all.open().synchronise(slow), "busy");
  assert.equal(all.service.log.qsos.has(clientId), false);
  await isEverywhere(all, "new");
});

for (const [way, fate] of [
  ["the service answers", "pass"],
  ["a download contains", "cut"],
])
  test(`a state that was sent twice does not replace a newer state, if ${way} one copy`, async () => {
    const all = devices();
    const write = async (notes, line = all.line()) => {
      await all.open().save({ ...qso, notes });
      return all.open().synchronise(line);
    };
    const slow = slowLine(all, "POST", async () => {
      const second = slowLine(all, "POST", async () => {
        second.fate = () => fate;
      });
      await all.open().synchronise(second);
      assert.equal(await all.open().synchronise(all.line()), "done");
      assert.equal(await write("new"), "done");
    });
    assert.equal(await write("old", slow), "busy");
    assert.equal(all.service.log.qsos.get(clientId).notes, "old");
    await isEverywhere(all, "new");
  });

test("a later change by another device is not mistaken for a late arrival", async () => {
  const all = devices();
  await all.open().save({ ...qso, notes: "old" });
  const slow = slowLine(all, "POST", async () => {
    await all.open().save({ ...qso, notes: "new" });
    await all.open().synchronise(all.line());
  });
  await all.open().synchronise(slow);
  await isEverywhere(all, "new");
  all.service.now += 600000;
  all.service.answer("/logs/batch", {
    method: "POST",
    body: JSON.stringify({ entries: [{ ...qso, notes: "old" }] }),
  });
  await isEverywhere(all, "old");
});

test("undoing a deletion restores a QSO that a restored log had lost", async () => {
  const all = devices();
  await all.open().save({ ...qso, notes: "old" });
  await all.open().synchronise(all.line());
  const backup = all.service.backup();
  await all.open().save({ ...qso, notes: "new" });
  await all.open().synchronise(all.line());
  const order = await all.open().delete(clientId, all.service.now + 600000);
  all.service.restore(backup);
  await all.open().synchronise(all.line());
  assert.equal(await all.open().takeBack(clientId, order, undefined), true);
  await isEverywhere(all, "new");
});

// Tests two devices that synchronise one log at the same time after a restore from a backup.

test("an older version that another device sends again overwrites nothing unnoticed", async () => {
  const service = new ModelService(() => 0.5);
  const line = new ModelLine(service, () => "pass");
  const storages = [new MemoryStorage(), new MemoryStorage()];
  const [first, second] = storages.map(
    (storage) => new LocalLog(storage, { now: () => service.now }),
  );
  const empty = service.backup();
  await first.save({ ...qso, notes: "older" });
  await first.synchronise(line);
  await second.synchronise(line);
  await first.save({ ...qso, notes: "newer" });
  await first.synchronise(line);
  service.restore(empty);
  // The first device sends its version again while the older version is in flight.
  const slow = new ModelLine(service, () => "pass");
  const request = slow.request.bind(slow);
  slow.request = async (path, options) => {
    if (options?.method === "POST") await first.synchronise(line);
    return request(path, options);
  };
  await second.synchronise(slow);
  for (let pass = 0; pass < 3; pass++)
    for (const log of [first, second]) await log.synchronise(line);
  const conflicts = (await readOutbox(storages[0])).filter(({ state }) => state === "conflict");
  assert.deepEqual(
    conflicts.map(({ qso: mine, theirs }) => [mine.notes, theirs.notes]),
    [["newer", "older"]],
    "both versions are shown",
  );
});
