// Fields that a newer service has and this kit does not know: what a member changes leaves them as
// they are, and what another program changes in them is met like any other change.
import assert from "node:assert/strict";
import test from "node:test";
import { isSame, normalise } from "../../clients/qsosync-fields.js";
import { LocalLog, readOutbox } from "../../clients/qsosync-sync.js";
import { MemoryStorage } from "../../clients/qsosync-storage.js";
import { ModelLine, ModelService } from "./model-service.js";

const clientId = "00000000-0000-4000-8000-000000000001";
const qso = { clientId, band: "ELEVEN_METERS", qsoAt: "2026-05-17T19:00:00.000Z" };

/** A device in step with a log that has one QSO. */
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

test("what is written passes on fields that are not known, and none that the service sets", () => {
  const written = normalise({ ...qso, id: "7", syncedAt: "2026", weather: "Sunny", sky: [1] });
  assert.deepEqual([written.weather, written.sky], ["Sunny", [1]]);
  for (const name of ["id", "createdAt", "syncedAt", "spottedAt", "crossConfirmedAt"])
    assert.equal(name in written, false, name);
});
test("a field that is not known makes two QSOs differ, unless both have no value in it", () => {
  assert.equal(isSame({ ...qso, weather: "Sunny" }, qso), false);
  assert.equal(isSame({ ...qso, sky: [1] }, { ...qso, sky: [1] }), true);
  for (const none of [null, false, undefined])
    assert.equal(isSame({ ...qso, sky: none }, qso), true);
  assert.equal(isSame({ ...qso, clouds: 0 }, qso), false);
});
test("who changes a QSO leaves its other fields as they are, known or not", async () => {
  const all = await start({ weather: "Sunny", radio: "handheld" });
  await all.log.save({ ...(await all.kept()), notes: "changed" });
  await all.synchronise();
  assert.deepEqual(
    [stored(all).notes, stored(all).weather, stored(all).radio],
    ["changed", "Sunny", "handheld"],
  );
  assert.equal((await all.kept()).weather, "Sunny");
});
test("changes are made to the QSO as it is by now, not as it was when somebody began", async () => {
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
test("a change of a field that is not known meets what waits here, and the choice is kept", async () => {
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
