// The clientId of a new QSO: the engine makes one wherever a page runs.
import assert from "node:assert/strict";
import test from "node:test";
import { makeClientId, normalise } from "../../clients/qsosync-fields.js";
import { LocalLog, readOutbox } from "../../clients/qsosync-sync.js";
import { MemoryStorage } from "../../clients/qsosync-storage.js";

const VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A page by http in a home network has no crypto.randomUUID. */
async function withoutSecureContext(work) {
  const { randomUUID } = Crypto.prototype;
  delete Crypto.prototype.randomUUID;
  try {
    return await work();
  } finally {
    Crypto.prototype.randomUUID = randomUUID;
  }
}

test("a clientId is a random UUID, in a secure context and in another one", async () => {
  const made = [makeClientId(), makeClientId()];
  await withoutSecureContext(() => made.push(makeClientId(), makeClientId()));
  for (const id of made) assert.match(id, VERSION_4);
  assert.equal(new Set(made).size, made.length);
  assert.equal(normalise({ clientId: made[3] }).clientId, made[3]);
});

test("a log on a device keeps a QSO where the page is no secure context", async () => {
  const storage = new MemoryStorage();
  const qso = { band: "PMR446", channel: 8, qsoAt: "2026-05-17T10:00Z" };
  const id = await withoutSecureContext(() => new LocalLog(storage).save(qso));
  assert.deepEqual(
    (await readOutbox(storage)).map(({ key }) => key),
    [id],
  );
});

test("two tabs that save a new QSO by the same clientId at once keep both", async () => {
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
