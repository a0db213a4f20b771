// What is sent and arrives late, after something newer; and what is taken back after the log was
// restored from a backup.
import assert from "node:assert/strict";
import test from "node:test";
import { LocalLog, readOutbox } from "../../clients/qsosync-sync.js";
import { MemoryStorage } from "../../clients/qsosync-storage.js";
import { ModelLine, ModelService } from "./model-service.js";

const clientId = "00000000-0000-4000-8000-000000000001";
const qso = { clientId, band: "ELEVEN_METERS", qsoAt: "2026-05-17T19:00:00.000Z" };

function start() {
  const service = new ModelService(() => 0.5);
  const storage = new MemoryStorage();
  const open = () => new LocalLog(storage, { now: () => service.now });
  const line = (meanwhile) => new ModelLine(service, () => "pass", meanwhile);
  return { service, storage, open, line };
}
/** A line on which a request of that method waits until something else was done. */
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

test("a state that arrives after a newer one does not replace it", async () => {
  const all = start();
  await all.open().save({ ...qso, notes: "old" });
  const slow = slowLine(all, "POST", async () => {
    await all.open().save({ ...qso, notes: "new" });
    assert.equal(await all.open().synchronise(all.line()), "done");
  });
  assert.equal(await all.open().synchronise(slow), "busy");
  assert.equal(all.service.log.qsos.get(clientId).notes, "old");
  await isEverywhere(all, "new");
});

test("a deletion that arrives after the QSO was saved again does not remove it", async () => {
  const all = start();
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
  ["a download brings", "cut"],
])
  test(`a state that was sent twice, of which ${way} one, does not replace a newer one`, async () => {
    const all = start();
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

test("what another device writes later is no late arrival", async () => {
  const all = start();
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

test("a deletion that is taken back brings back what a restored log lost", async () => {
  const all = start();
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
