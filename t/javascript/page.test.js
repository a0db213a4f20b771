// How a page shows numbers, times and texts that somebody typed. The module is loaded into a page
// of nothing; each case is a reader of one language.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

const root = mkdtempSync(join(tmpdir(), "qsosync-page-"));
test.after(() => rmSync(root, { recursive: true }));
globalThis.addEventListener = () => {};
globalThis.document = {
  documentElement: { dataset: {} },
  querySelectorAll: () => [],
  getElementById: () => null,
};

async function pageOf(language) {
  const folder = join(root, language);
  for (const name of ["account.js", "page.js", "language.js"])
    cpSync(new URL(`../../src/pages/site/${name}`, import.meta.url), join(folder, "site", name));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "languages.js"), 'export const LANGUAGES = { en: "E", de: "D" };');
  writeFileSync(
    join(folder, "texts-de.js"),
    "export const form = (n) => Number(n !== 1); export const TEXTS = {};",
  );
  globalThis.localStorage = { getItem: () => null };
  Object.defineProperty(globalThis, "navigator", {
    value: { languages: [language] },
    configurable: true,
  });
  return import(pathToFileURL(join(folder, "site/page.js")));
}
const english = await pageOf("en");
const german = await pageOf("de");
const NOW = Date.parse("2026-05-20T12:00:00Z");
const ageOf = (page, seconds) => page.age(NOW - seconds * 1000, NOW);

test("controls that would reorder or hide a text are shown by their names", () => {
  assert.equal(english.plain("26AT\u202e101"), "26AT[U+202E]101");
  assert.equal(english.plain("a\u0000b\u009fc\u2066"), "a[U+0000]b[U+009F]c[U+2066]");
  assert.equal(english.plain("two\nlines\tof Zürich <b>"), "two\nlines\tof Zürich <b>");
  assert.equal(english.plain(7), "7");
});

test("numbers have the marks of the reader's language", () => {
  assert.equal(english.number(12345), "12,345");
  assert.equal(german.number(12345), "12.345");
  assert.equal(english.number(27.5555, 3), "27.556");
  assert.equal(german.number(446.00625, 5), "446,00625");
  assert.equal(english.number(27, 3), "27.000");
});

test("days and hours are those of UTC", () => {
  assert.equal(english.day("2026-05-20T23:59:59Z"), "May 20, 2026");
  assert.equal(german.day("2026-05-20"), "20.05.2026");
  assert.equal(english.hour("2026-05-20T00:05:00Z"), "00:05");
  assert.equal(german.hour("2026-05-20T23:59:59+02:00"), "21:59");
});

test("an age is told in its largest unit, rounded down", () => {
  assert.equal(ageOf(english, 0), "now");
  assert.equal(ageOf(english, 59), "59 sec. ago");
  assert.equal(ageOf(english, 60), "1 min. ago");
  assert.equal(ageOf(english, 3599), "59 min. ago");
  assert.equal(ageOf(english, 2 * 3600), "2 hr. ago");
  assert.equal(ageOf(german, 3 * 86400), "vor 3 Tagen");
  assert.equal(ageOf(english, 800 * 86400), "2 yr. ago");
});

test("a time that is still to come, by a clock that is wrong, is now", () => {
  assert.equal(ageOf(english, -90), "now");
});
