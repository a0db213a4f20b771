// What is new in a spot: the marks of the cluster page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { knowWorked, newsOfSpot } from "../../src/pages/cluster-news.js";

const known = knowWorked({
  locator: "JO59jw",
  divisions: [13, 26],
  worked: [
    {
      band: "11m",
      mode: "USB",
      divisions: [13, 26],
      confirmedDivisions: [26],
      squares: ["IO91", "JO31"],
      confirmedSquares: ["IO91"],
    },
    {
      band: "pmr446",
      mode: null,
      divisions: [13],
      confirmedDivisions: [],
      squares: [],
      confirmedSquares: [],
    },
  ],
});
/** @type {[number, string, string, string[]][]} */
const CASES = [
  [26, "IO91", "11m", []],
  [26, "", "11m", []],
  [0, "", "11m", []],
  [26, "IO92", "11m", ["new square"]],
  [26, "IO91", "pmr446", ["new on this band"]],
  [13, "JO31", "11m", ["not yet confirmed"]],
  [13, "", "pmr446", ["not yet confirmed"]],
  [26, "JO31", "11m", ["not yet confirmed"]],
  [13, "IO92", "11m", ["new square"]],
  [30, "IN80", "11m", ["new division", "new square"]],
  [30, "IO91", "pmr446", ["new division"]],
];
for (const [division, square, band, news] of CASES)
  test(`${division} ${square} ${band} is ${news.join(", ") || "nothing new"}`, () => {
    assert.deepEqual(newsOfSpot({ division, square, band }, known), news);
  });
test("nothing is marked for who is not signed in", () => {
  assert.deepEqual(newsOfSpot({ division: 30, square: "IN80", band: "11m" }, null), []);
});
