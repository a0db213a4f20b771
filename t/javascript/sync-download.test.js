// Tests the first download of a log: the progress, stopping, and continuing with the next page.
import assert from "node:assert/strict";
import test from "node:test";
import { ServiceError } from "../../clients/qsosync.js";
import { LocalLog, readOutbox } from "../../clients/qsosync-sync.js";
import { MemoryStorage } from "../../clients/qsosync-storage.js";
import { ModelLine, ModelService, randomOf } from "./model-service.js";

const QSOS = 50;
const PAGE = 7; // the page size of the model
const PAGES = Math.ceil(QSOS / PAGE);

const qsoOf = (number, values = {}) => ({
  clientId: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
  band: "PMR446",
  channel: 1 + (number % 16),
  qsoAt: "2026-05-17T10:00:00.000Z",
  ...values,
});
function serviceWithLog(options) {
  const service = new ModelService(() => 0.5, options);
  for (let number = 0; number < QSOS; number++) service.batch([qsoOf(number)]);
  service.now += 60000; // all stamps are in the past
  return service;
}
/** Returns a device with the given storage. The device records its requests and its progress. */
function deviceOf(service, storage) {
  const device = { asked: [], told: [] };
  device.log = new LocalLog(storage, {
    now: () => service.now,
    progress: (received, total) => {
      device.told.push([received, total]);
      device.onProgress?.();
    },
  });
  device.line = new ModelLine(service, () => "well");
  const { request } = device.line;
  device.line.request = (path, options) => {
    device.asked.push(path);
    return request.call(device.line, path, options);
  };
  return device;
}
async function copiesOf(storage) {
  const copies = await storage.change((records) => records.after("qsos", "", Infinity));
  return copies.map(({ qso }) => [qso.clientId, qso.channel, qso.syncedAt]).sort();
}
const ofService = (service) =>
  [...service.log.qsos.values()]
    .map(({ clientId, channel, syncedAt }) => [clientId, channel, syncedAt])
    .sort();

test("a first download reports its progress, and later changes have no total", async () => {
  const service = serviceWithLog();
  const storage = new MemoryStorage();
  const device = deviceOf(service, storage);
  assert.equal(await device.log.synchronise(device.line), "done");
  const told = Array.from({ length: PAGES }, (_, page) => [
    Math.min(QSOS, PAGE * (page + 1)),
    QSOS,
  ]);
  assert.deepEqual(device.told, told);
  service.batch([qsoOf(QSOS)]);
  device.told.length = 0;
  assert.equal(await device.log.synchronise(device.line), "done");
  assert.deepEqual(device.told, [[1, null]]);
});

// Each rule has the greatest number of pages that are requested at the same time. `ms` is the time
// that each page takes on the test clock.
for (const [rule, { ms = 0, ahead, most }] of Object.entries({
  "six pages are under way if each arrives soon": { most: 6 },
  "six pages are under way even if each names only the next": { ahead: 1, most: 6 },
  "two pages are under way if each takes long": { ms: 10500, most: 2 },
  "two pages are under way if the first pages were slow": { ms: 1500, most: 2 },
}))
  test(`${rule}, and each is requested once`, async () => {
    const device = deviceOf(serviceWithLog({ ahead }), new MemoryStorage());
    const { request } = device.line;
    let onTheWay = 0;
    const seen = [];
    device.line.request = async (path, options) => {
      seen.push(++onTheWay);
      const answer = await request(path, options);
      // Lets other requests start meanwhile.
      for (let turn = 0; turn < 50; turn++) await new Promise((done) => setImmediate(done));
      device.line.service.now += ms;
      onTheWay--;
      return answer;
    };
    assert.equal(await device.log.synchronise(device.line), "done");
    assert.equal(device.asked.length, PAGES);
    assert.equal(new Set(device.asked).size, PAGES);
    assert.equal(Math.max(...seen), most);
  });

test("after a failure nothing is requested in advance", async () => {
  const service = serviceWithLog();
  const first = deviceOf(service, new MemoryStorage());
  let number = 0;
  first.line.fate = () => (++number === 4 ? "limited" : "well");
  assert.equal(await first.log.synchronise(first.line), "limited");
  assert.ok(first.asked.length <= 9, "only requests under way were sent");
  assert.equal(first.log.requests.size, 0, "no request is under way afterwards");
});

test("a first download compares any number of waiting QSOs", async () => {
  const service = serviceWithLog();
  const storage = new MemoryStorage();
  const device = deviceOf(service, storage);
  const [same, changed, others] = [qsoOf(2), qsoOf(QSOS - 2, { channel: 16 }), 60];
  for (const qso of [same, changed]) await device.log.save(qso);
  for (let number = 1; number <= others; number++) await device.log.save(qsoOf(QSOS + number));
  assert.equal(await device.log.synchronise(device.line), "done");
  const left = await readOutbox(storage);
  assert.deepEqual(
    left.map(({ key, state }) => [key, state]),
    [[changed.clientId, "conflict"]],
  );
  assert.deepEqual(await copiesOf(storage), ofService(service));
  assert.equal(service.log.qsos.size, QSOS + others);
});

test("a first download reads no single QSOs from the storage, and stores each QSO once", async () => {
  class CountingStorage extends MemoryStorage {
    counts = { changes: 0, questions: 0, qsos: 0 };
    change(work) {
      this.counts.changes++;
      return super.change((records) =>
        work({
          get: (...which) => (this.counts.questions++, records.get(...which)),
          after: (...which) => (this.counts.questions++, records.after(...which)),
          put: (store, record) => {
            if (store === "qsos") this.counts.qsos++;
            return records.put(store, record);
          },
          remove: records.remove,
        }),
      );
    }
  }
  const storage = new CountingStorage();
  const device = deviceOf(serviceWithLog(), storage);
  await device.log.save(qsoOf(QSOS + 1));
  assert.equal(await device.log.synchronise(device.line), "done");
  const { changes, questions, qsos } = storage.counts;
  const others = 12; // requests before and after the download, and for the QSO that is sent
  assert.ok(changes <= PAGES + others, `${changes} changes for ${PAGES} pages`);
  assert.ok(questions <= 2 * PAGES + 2 * others, `${questions} reads for ${PAGES} pages`);
  assert.ok(
    qsos >= QSOS && qsos <= QSOS + 2,
    `${qsos} QSOs stored for ${QSOS} downloaded and one sent`,
  );
});

// Pages arrive in any order while the log changes. A page requested in advance may no longer be
// the next page.
for (let seed = 1; seed <= 60; seed++)
  test(`a log that changes during its download arrives complete, from seed ${seed}`, async () => {
    const random = randomOf(seed);
    const upTo = (number) => 1 + Math.floor(random() * number);
    const service = new ModelService(random, { limit: upTo(6), ahead: upTo(8) });
    let size = upTo(90);
    for (let number = 0; number < size; number++) service.batch([qsoOf(number)]);
    service.now += 60000;
    const before = new Set(service.log.qsos.keys());
    const share = random() * 0.5;
    const change = () => {
      if (random() > share) return;
      const { clientId } = qsoOf(Math.floor(random() * size));
      if (random() < 0.3) service.batch([qsoOf(size++)]);
      else if (random() < 0.5 || !service.log.qsos.has(clientId))
        service.batch([{ ...qsoOf(0), clientId, channel: upTo(16) }]);
      else {
        service.delete(clientId);
        before.delete(clientId); // the QSO can be stored again after the last page was read
      }
    };
    const storage = new MemoryStorage();
    const device = deviceOf(service, storage);
    device.line.meanwhile = async () => {
      for (let turns = upTo(20); turns > 0; turns--)
        await new Promise((done) => setImmediate(done));
      change();
    };
    assert.equal(await device.log.synchronise(device.line), "done");
    const kept = new Set((await copiesOf(storage)).map(([clientId]) => clientId));
    for (const clientId of before) assert.ok(kept.has(clientId), `${clientId} is stored`);
    device.line.meanwhile = async () => {};
    assert.equal(await device.log.synchronise(device.line), "done");
    assert.deepEqual(await copiesOf(storage), ofService(service));
  });

for (let stopAt = 1; stopAt < PAGES; stopAt++)
  test(`a download stopped after page ${stopAt} continues after that page, even after a reload`, async () => {
    const service = serviceWithLog();
    const storage = new MemoryStorage();
    const first = deviceOf(service, storage);
    first.onProgress = () => first.told.length === stopAt && first.log.stop();
    assert.equal(await first.log.synchronise(first.line), "stopped");
    assert.equal((await copiesOf(storage)).length, PAGE * stopAt);
    assert.ok(
      first.asked.length <= stopAt + 11,
      "five pages can arrive early, and six can be under way",
    );

    // The log changes meanwhile, including pages that were already read.
    service.batch([qsoOf(1, { channel: 16 })]);
    service.batch([qsoOf(QSOS + 1)]);
    service.delete(qsoOf(3).clientId);
    service.delete(qsoOf(QSOS - 2).clientId);

    const second = deviceOf(service, storage);
    assert.equal(await second.log.synchronise(second.line), "done");
    assert.match(second.asked[0], /[?&]cursor=/);
    assert.ok(second.told[0][0] > PAGE * stopAt);
    assert.equal(second.told[0][1], QSOS);
    if (second.asked.some((path) => path.includes("/ids")))
      assert.fail("the deletions arrive without a list of all ids");
    assert.equal(await second.log.synchronise(second.line), "done");
    assert.deepEqual(await copiesOf(storage), ofService(service));
  });

test("stopping ends the wait for a missing answer", async () => {
  const storage = new MemoryStorage();
  const log = new LocalLog(storage);
  const line = {
    request: (path, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(new ServiceError("no answer")));
        log.stop();
      }),
  };
  assert.equal(await log.synchronise(line), "stopped");
});

test("a pass without changes writes twice: at its start and at its end", async () => {
  class NotingStorage extends MemoryStorage {
    written = [];
    change(work) {
      return super.change((records) =>
        work({
          ...records,
          put: (store, record) => {
            this.written.push(store);
            return records.put(store, record);
          },
        }),
      );
    }
  }
  const storage = new NotingStorage();
  const device = deviceOf(serviceWithLog(), storage);
  assert.equal(await device.log.synchronise(device.line), "done");
  storage.written.length = 0;
  assert.equal(await device.log.synchronise(device.line), "done");
  assert.deepEqual(storage.written, ["state", "state"]);
});
