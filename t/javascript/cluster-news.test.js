// What is new in a spot: the marks of the cluster page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fitsWish, knowWorked, newsOfSpot } from "../../src/pages/cluster/cluster-news.js";

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
      special: ["13AT/DX", "26AT0"],
      confirmedSpecial: ["26AT0"],
    },
    {
      band: "pmr446",
      mode: null,
      divisions: [13],
      confirmedDivisions: [],
      squares: [],
      confirmedSquares: [],
      special: [],
      confirmedSpecial: [],
    },
  ],
});
/** @type {[number, string, string | null, string, string | null, string[]][]} */
const CASES = [
  [26, "IO91", null, "11m", "USB", []],
  [26, "IO91", null, "11m", "SSB", []],
  [26, "", null, "11m", "LSB", []],
  [26, "", null, "11m", null, []],
  [0, "", null, "11m", "FM", []],
  [26, "IO92", null, "11m", "USB", ["new square"]],
  [26, "IO91", null, "pmr446", "FM", ["new on this band"]],
  [26, "IO91", null, "11m", "FM", ["new in this mode"]],
  [26, "IO92", null, "11m", "CW", ["new square", "new in this mode"]],
  [13, "JO31", null, "11m", "USB", ["not confirmed yet"]],
  [13, "", null, "pmr446", null, ["not confirmed yet"]],
  [26, "JO31", null, "11m", "USB", ["not confirmed yet"]],
  [13, "IO92", null, "11m", "USB", ["new square"]],
  [30, "IN80", null, "11m", "USB", ["new division", "new square"]],
  [30, "IO91", null, "pmr446", "FM", ["new division"]],
  [30, "IN80", "30AT0", "11m", "FM", ["new division", "new special station", "new square"]],
  [26, "IO91", "26AT0", "11m", "USB", []],
  [26, "IO91", "26AT00", "11m", "USB", ["new special station"]],
  [26, "IO91", "13AT/DX", "11m", "USB", ["not confirmed yet"]],
];
for (const [division, square, special, band, mode, news] of CASES)
  test(`${division} ${square} ${special} ${band} ${mode} is ${news.join(", ") || "nothing new"}`, () => {
    assert.deepEqual(newsOfSpot({ division, square, special, band, mode }, known), news);
  });
test("nothing is marked for who is not signed in", () => {
  const worth = { division: 30, square: "IN80", special: null, band: "11m", mode: "USB" };
  assert.deepEqual(newsOfSpot(worth, null), []);
});
/** @type {[string[], boolean, boolean][]} */
const WISHES = [
  [["new division"], true, true],
  [["new in this mode"], true, true],
  [["not confirmed yet"], false, true],
  [[], false, false],
];
for (const [news, isNew, isOpen] of WISHES)
  test(`a wish for what is new, or not confirmed, is held against ${news}`, () => {
    assert.deepEqual([fitsWish(news, "new"), fitsWish(news, "open")], [isNew, isOpen]);
    assert.ok(fitsWish(news, ""));
  });
