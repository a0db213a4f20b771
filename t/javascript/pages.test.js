// Tests how a page formats numbers, times and user texts. The module is loaded into an empty page.
// Each page is loaded for a reader of one language.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, writeFileSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { readMonths, readSearch } from "../../src/web/shared/words/search-text.js";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { fitsQuery, knowWorked, neededOfSpot } from "../../src/web/shared/awards/cluster-needed.js";
import { daysOfStrip, percent, shadeOf, withGaps } from "../../src/web/shared/figures.js";

const root = mkdtempSync(join(tmpdir(), "qsosync-page-"));
test.after(() => rmSync(root, { recursive: true }));
globalThis.addEventListener = () => {};
globalThis.document = {
  documentElement: { dataset: {} },
  querySelector: () => null,
  querySelectorAll: () => [],
  getElementById: () => null,
  body: { classList: { contains: () => false } },
};
globalThis.location = { search: "" };

async function pageOf(language) {
  const folder = join(root, language);
  for (const name of ["account.js", "page.js", "language.js", "query.js", "service.js"])
    cpSync(new URL(`../../src/web/shared/${name}`, import.meta.url), join(folder, "shared", name));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(
    join(folder, "shared", "languages.js"),
    'export const LANGUAGES = { en: "E", de: "D" };',
  );
  writeFileSync(
    join(folder, "shared", "texts-de.js"),
    `export const form = (n) => Number(n !== 1);
    export const TEXTS = { "must be at most {n} characters long": "höchstens {n} Zeichen" };`,
  );
  globalThis.localStorage = { getItem: () => null };
  Object.defineProperty(globalThis, "navigator", {
    value: { languages: [language] },
    configurable: true,
  });
  return import(pathToFileURL(join(folder, "shared/page.js")));
}
const english = await pageOf("en");
const german = await pageOf("de");
const cards = await (async () => {
  const path = (name) => join(root, "en", "pages", "profile", `${name}.js`);
  for (const name of ["card-art", "card-drawing", "card-qsos", "card-text"])
    cpSync(new URL(`../../src/web/pages/profile/${name}.js`, import.meta.url), path(name));
  const [drawing, qsos] = await Promise.all(
    ["card-drawing", "card-qsos"].map((name) => import(pathToFileURL(path(name)))),
  );
  return { ...drawing, ...qsos };
})();
const NOW = Date.parse("2026-05-20T12:00:00Z");
const ageOf = (page, seconds) => page.age(NOW - seconds * 1000, NOW);

test("control characters that would reorder or hide text are shown by their names", () => {
  assert.equal(english.plain("26AT\u202e101"), "26AT[U+202E]101");
  assert.equal(english.plain("a\u0000b\u009fc\u2066"), "a[U+0000]b[U+009F]c[U+2066]");
  assert.equal(english.plain("two\nlines\tof Zürich <b>"), "two\nlines\tof Zürich <b>");
  assert.equal(english.plain(7), "7");
});

test("a fault of a field is explained in the reader's language, with its number", async () => {
  const { explain, Refusal } = await import(pathToFileURL(join(root, "de/shared/service.js")));
  const details = [{ field: "name", message: "must be at most 80 characters long" }];
  assert.equal(
    explain(new Refusal(400, "VALIDATION.FAILED", details, null)),
    "Name: höchstens 80 Zeichen",
  );
});

test("numbers have the separators of the reader's language", () => {
  assert.equal(english.number(12345), "12,345");
  assert.equal(german.number(12345), "12.345");
  assert.equal(english.number(27.5555, 3), "27.556");
  assert.equal(german.number(446.00625, 5), "446,00625");
  assert.equal(english.number(27, 3), "27.000");
});

test("days and hours are in UTC", () => {
  assert.equal(english.day("2026-05-20T23:59:59Z"), "May 20, 2026");
  assert.equal(german.day("2026-05-20"), "20.05.2026");
  assert.equal(english.hour("2026-05-20T00:05:00Z"), "00:05");
  assert.equal(german.hour("2026-05-20T23:59:59+02:00"), "21:59");
});

test("an age is shown in its largest unit, rounded down", () => {
  assert.equal(ageOf(english, 0), "now");
  assert.equal(ageOf(english, 59), "59 sec. ago");
  assert.equal(ageOf(english, 60), "1 min. ago");
  assert.equal(ageOf(english, 3599), "59 min. ago");
  assert.equal(ageOf(english, 2 * 3600), "2 hr. ago");
  assert.equal(ageOf(german, 3 * 86400), "vor 3 Tagen");
  assert.equal(ageOf(english, 800 * 86400), "2 yr. ago");
});

test("a future time, due to a wrong clock, is shown as now", () => {
  assert.equal(ageOf(english, -90), "now");
});

// Tests the marks on the spots page for the items that a spot would add to the log.

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
    assert.deepEqual(neededOfSpot({ division, square, special, band, mode }, known), news);
  });
test("a visitor without a session sees no marks", () => {
  const worth = { division: 30, square: "IN80", special: null, band: "11m", mode: "USB" };
  assert.deepEqual(neededOfSpot(worth, null), []);
});
/** @type {[string[], boolean, boolean][]} */
const WISHES = [
  [["new division"], true, true],
  [["new in this mode"], true, true],
  [["not confirmed yet"], false, true],
  [[], false, false],
];
for (const [news, isNew, isOpen] of WISHES)
  test(`the filters for new and for unconfirmed spots are applied to ${news}`, () => {
    assert.deepEqual([fitsQuery(news, "new"), fitsQuery(news, "open")], [isNew, isOpen]);
    assert.ok(fitsQuery(news, ""));
  });

// Each accent colour of a club must be readable on the background (WCAG 2.1, 1.4.3).

const css = readFileSync(new URL("../../src/web/shared/ui.css", import.meta.url), "utf8");

function luminance(colour) {
  const full = colour.length === 4 ? colour.replace(/[0-9a-f]/g, "$&$&") : colour;
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(full.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a, b) {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}
const coloursOf = (text) =>
  Object.fromEntries(
    [...text.matchAll(/(--[\w-]+): (#[0-9a-f]{3,6});/g)].map(([, name, value]) => [name, value]),
  );

const roots = [...css.matchAll(/:root \{([^}]*)\}/g)].map(([, text]) => coloursOf(text));
const clubs = [...css.matchAll(/\[data-accent="(\w+)"\] \{([^}]*)\}/g)];
const choices = readFileSync(new URL("../../src/store/club/club.c", import.meta.url), "utf8")
  .match(/CLUB_ACCENT\].*?ONE_OF\("(.*?)"/s)[1]
  .split(/, | or /);

for (const [index, tone] of ["light", "dark"].entries())
  for (const name of choices)
    test(`${name} is readable, ${tone}`, () => {
      const own = clubs.filter(([, is]) => is === name)[index];
      assert.ok(own || name === choices[0], "the style sheet has the colour");
      const colours = {
        ...roots[0],
        ...(index ? roots[1] : {}),
        ...(own ? coloursOf(own[2]) : {}),
      };
      for (const [above, behind] of [
        ["--accent", "--page"],
        ["--accent", "--surface"],
        ["--accent", "--soft"],
        ["--on-accent", "--accent"],
        ["--text", "--soft"],
        ...["--page", "--surface", "--sunken"].flatMap((behind) => [
          ["--text", behind],
          ["--muted", behind],
        ]),
        ...["good", "new", "wait", "bad"].map((state) => [`--${state}`, `--soft-${state}`]),
        ["--on-good", "--good"],
        ["--page", "--text"],
      ])
        assert.ok(
          contrast(colours[above], colours[behind]) >= 4.5,
          `${above} on ${behind}: ${contrast(colours[above], colours[behind]).toFixed(2)}`,
        );
    });

// Tests the figures of a log.

const row = (month, qsos = 1, confirmed = 0) => ({ month, qsos, confirmed });

test("an empty set has no share", () => {
  assert.equal(percent(0, 0), null);
  assert.equal(percent(0, 5), 0);
  assert.equal(percent(1, 4), 25);
});

test("months without QSOs are included", () => {
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

test("a strip of days begins on a Monday, and ends today or with old days", () => {
  const days = { from: "2026-05-01", qsos: [0, 4, 1] };
  const now = Date.parse("2026-05-20T12:00:00Z"); // a Wednesday
  const recent = daysOfStrip(days, 4, now);
  assert.deepEqual(
    [recent.length, recent[0], recent[5], recent.at(-1)],
    [
      24,
      { day: "2026-04-27", qsos: 0 },
      { day: "2026-05-02", qsos: 4 },
      { day: "2026-05-20", qsos: 0 },
    ],
  );
  const old = daysOfStrip(days, 2, Date.parse("2027-01-01T00:00:00Z"));
  assert.deepEqual([old[0].day, old.at(-1)], ["2026-04-20", { day: "2026-05-03", qsos: 1 }]);
});
test("the shade of a day grows with its QSOs", () => {
  assert.deepEqual(
    [0, 1, 6, 25, 56, 57, 100].map((qsos) => shadeOf(qsos, 100)),
    [0, 1, 1, 2, 3, 4, 4],
  );
});

test("a card's form has the words and limits that the service validates", () => {
  const table = readFileSync(new URL("../../schema/card_design.tsv", import.meta.url), "utf8");
  const rows = table.split("\n").filter((line) => line && !line.startsWith("#"));
  const row = Object.fromEntries(rows.map((line) => [line.split("\t")[0], line.split("\t")]));
  assert.deepEqual(Object.keys(cards.readDesign({})).sort(), Object.keys(row).sort());
  assert.equal(row.background[4], [...cards.BACKGROUNDS, cards.PICTURE].join(" "));
  assert.equal(row.fields[4], cards.FIELDS.join(" "));
  assert.deepEqual(row.lines.slice(2, 4), [String(cards.LINES), String(cards.LINE_MAX)]);
});
test("any stored value becomes a design that can be drawn", () => {
  const hostile = { toString: 1, valueOf: 1 };
  const values = [null, undefined, 7, "text", [], hostile, [hostile], { length: -1 }, true];
  for (const value of values)
    for (const stored of [
      value,
      ...["background", "paper", "ink", "lines", "fields"].map((name) => ({ [name]: value })),
    ]) {
      const design = cards.readDesign(stored);
      assert.ok([...cards.BACKGROUNDS, cards.PICTURE].includes(design.background));
      assert.match(design.paper + design.ink, /^#[0-9a-f]{6}#[0-9a-f]{6}$/i);
      assert.ok([...design.lines, ...design.fields].every((one) => typeof one === "string"));
    }
});

test("each design has room for long callsigns, names and notes", () => {
  const measure = (text, bold) => text.length * (bold ? 0.95 : 0.6); // wider than any font
  const qso = { qsoAt: "2026-05-17T19:42:00Z", band: "PMR446", channel: 16, mode: "DIGITAL" };
  const long = "W".repeat(20);
  for (const background of [...cards.BACKGROUNDS, cards.PICTURE])
    for (const count of [1, 2, 3])
      for (const lines of [[], ["Schneverdingen"], Array(3).fill("M".repeat(60))]) {
        const fields = [...cards.FIELDS];
        const notes = "note ".repeat(80);
        const own = { ...qso, rstSent: "599", myLocator: "JO59jw", txPowerW: 12, notes };
        const card = { from: long, to: long, isMine: true, qsos: Array(count).fill(own) };
        const design = cards.readDesign({ background, lines, fields });
        const shapes = cards.drawCard({ ...card, design, picture: null }, measure);
        const what = `${background}, ${count} QSOs, ${lines.length} lines`;
        const frame = shapes.find(({ kind }) => kind === "frame");
        assert.ok(frame.y > 0 && frame.y + frame.height <= cards.CARD.height, what);
        for (const { kind, x, y, text, size, bold, anchor } of shapes) {
          if (kind !== "text") continue;
          const width = measure(text, bold) * size;
          const left = anchor === "end" ? x - width : x;
          assert.ok(left >= 8 && left + width <= cards.CARD.width - 8, `${what}: ${text}`);
          const isInside = y - size > frame.y && y < frame.y + frame.height;
          assert.ok(y < frame.y || isInside, `${what}: ${text} crosses the frame`);
        }
        assert.ok(
          shapes.filter(({ text }) => text === long).length >= 2,
          `${what}: callsigns are whole`,
        );
      }
});
test("a search that a member types becomes the words that are compared with the log", () => {
  const months = readMonths(["en", "de", "es"]);
  const places = [
    { number: 56, names: ["Norway", "Norwegen"] },
    { number: 2, names: ["United States", "Vereinigte Staaten"] },
    { number: 108, names: ["Scotland", "Schottland"] },
  ];
  for (const [typed, words] of [
    ["  bari   26at101 ", "bari 26at101"],
    ["17 May", "????-05-17"],
    ["17. März 2026 robert", "2026-03-17 robert"],
    ["May 17, 2026", "2026-05-17"],
    ["17 de mayo de 2026", "2026-05-17"],
    ["sept. 2025", "2025-09"],
    ["mai", "mai|????-05"],
    ["17.5.2026", "2026-05-17"],
    ["17.5.", "????-05-17"],
    ["17/5/2026", "2026-05-17"],
    ["2026-05-17", "2026-05-17"],
    ["5/9 27.5 27,555", "5/9 27.5 27,555"],
    ["norw", "norw|#56"],
    ["staaten", "staaten|#2"],
    ["s", "s"],
  ])
    assert.equal(readSearch(typed, months, places), words, typed);
  const many = Array.from({ length: 13 }, (_, number) => ({ number, names: ["Island"] }));
  assert.equal(
    readSearch("island", months, many),
    "island",
    "a name of many places is only a text",
  );
});
