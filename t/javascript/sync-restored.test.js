// Two devices of one log that was restored from a backup, at the same time.
import assert from "node:assert/strict";
import test from "node:test";
import { LocalLog, readOutbox } from "../../clients/qsosync-sync.js";
import { MemoryStorage } from "../../clients/qsosync-storage.js";
import { ModelLine, ModelService } from "./model-service.js";

const clientId = "00000000-0000-4000-8000-000000000001";
const qso = { clientId, band: "ELEVEN_METERS", qsoAt: "2026-05-17T19:00:00.000Z" };

test("an older state that another device sends again overwrites nothing silently", async () => {
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
  // The first device sends its state again while the older one is on its way.
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
    "both are shown",
  );
});
