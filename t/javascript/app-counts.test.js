// What the app counts of its log: by the service's table of callsigns, and by places; and what
// stands for a QSO that waits. That its counts are the service's is held by t/profile_awards.t.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { numberOf } from "../../app/callsigns.js";
import { Counts } from "../../app/counts.js";
import { asItWaits, worthOf } from "../../app/worth.js";

const CASES = readFileSync(new URL("../data/divisions.tsv", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line && !line.startsWith("#"))
  .map((line) => line.split("\t"));

test("a callsign has its division, and is a special station's or not, as the service says", () => {
  assert.ok(CASES.some(([, , special]) => special) && CASES.length > 500);
  for (const [callsign, division, special = ""] of CASES)
    assert.deepEqual(
      [numberOf(callsign.trim()), worthOf({ callsignWorked: callsign.trim() }).special !== null],
      [Number(division), special === "special"],
      callsign,
    );
});

const qso = (values) => ({
  ...{ band: "ELEVEN_METERS", qsoAt: "2026-05-17T19:00:00.000Z", crossConfirmedAt: null },
  ...values,
});
test("a place without a locator counts for its square", () => {
  const counts = new Counts();
  for (const values of [
    { dxLocator: "IO91wm" },
    { dxLat: 51.5, dxLng: -0.1 },
    { dxLocator: "JO31", dxLat: 51.5, dxLng: -0.1 },
    { dxLat: 51.5 },
    { dxLocator: "IO92", qsoStatus: "HRD" },
  ])
    counts.add(qso({ callsignWorked: "26AT1", dxLocator: null, ...values }));
  assert.deepEqual(
    counts.end().squares.map(({ name, qsos }) => [name, qsos]),
    [
      ["IO91", 2],
      ["JO31", 1],
    ],
  );
});

test("of two QSOs of one time, that which the service has comes first", () => {
  const counts = new Counts();
  counts.add(qso({ callsignWorked: "26AT1" }));
  counts.add(qso({ callsignWorked: "26AT2", id: 10 }));
  counts.add(qso({ callsignWorked: "26AT3", id: 9 }));
  assert.equal(counts.end().divisions[0].first.callsign, "26AT3");
});

test("what waits stands in place of what is stored", () => {
  const stored = qso({ callsignWorked: "26AT1", crossConfirmedAt: "2026-05-18T19:00:00.000Z" });
  const change = (values) => ({ kind: "save", qso: { ...qso(stored), ...values } });
  assert.equal(asItWaits(stored, undefined), stored);
  assert.equal(asItWaits(stored, { kind: "delete", qso: stored }), null);
  const confirmed = asItWaits(stored, change({ notes: "new", crossConfirmedAt: null }));
  assert.equal(confirmed.crossConfirmedAt, stored.crossConfirmedAt);
  assert.equal(confirmed.notes, "new");
  for (const values of [{ callsignWorked: "13SD1" }, { qsoAt: "2025" }, { band: "PMR446" }])
    assert.equal(asItWaits(stored, change(values)).crossConfirmedAt, null);
});
