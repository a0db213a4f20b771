// The figures of a log.
import assert from "node:assert/strict";
import test from "node:test";
import { percent, withGaps, yearsOf } from "../../src/pages/log/figures.js";

const row = (month, qsos = 1, confirmed = 0) => ({ month, qsos, confirmed });

test("a share of nothing is none", () => {
  assert.equal(percent(0, 0), null);
  assert.equal(percent(0, 5), 0);
  assert.equal(percent(1, 4), 25);
});

test("months without QSOs stand between the others", () => {
  assert.deepEqual(withGaps([row("2025-11", 3, 2), row("2026-02", 1)]), [
    row("2025-11", 3, 2),
    row("2025-12", 0),
    row("2026-01", 0),
    row("2026-02", 1),
  ]);
  assert.deepEqual(withGaps([row("0001-01")]), [row("0001-01")]);
});

test("the newest 36 months are shown", () => {
  const months = withGaps([row("1999-01"), row("2026-05")]);
  assert.equal(months.length, 36);
  assert.equal(months[0].month, "2023-06");
  assert.equal(months.at(-1).month, "2026-05");
});

test("the months of a year are summed", () => {
  assert.deepEqual(yearsOf([row("2024-11", 3, 2), row("2024-12", 4), row("2026-02", 1, 1)]), [
    { name: "2024", qsos: 7, confirmed: 2 },
    { name: "2026", qsos: 1, confirmed: 1 },
  ]);
  assert.deepEqual(yearsOf([]), []);
});
