// Tests the language of a page. Each case is a separate browser, which loads its own copy of the
// module.
import assert from "node:assert/strict";
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

const folder = mkdtempSync(join(tmpdir(), "qsosync-language-"));
test.after(() => rmSync(folder, { recursive: true }));
copyFileSync(
  new URL("../../src/web/shared/language.js", import.meta.url),
  join(folder, "language.js"),
);
writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
writeFileSync(
  join(folder, "languages.js"),
  'export const LANGUAGES = { en: "E", de: "D", nl: "N", sv: "S" };',
);
writeFileSync(
  join(folder, "texts-de.js"),
  `export const form = (n) => Number(n !== 1);
  export const TEXTS = {
    "Copy": "Kopieren",
    "{n} QSO|{n} QSOs": ["{n} Funkgespräch", "{n} Funkgespräche"],
  };`,
);
writeFileSync(join(folder, "texts-nl.js"), "export const form = () => 0, TEXTS = {};");

let number = 0;
async function browser(languages, stored = null) {
  Object.defineProperty(globalThis, "navigator", { value: { languages }, configurable: true });
  globalThis.localStorage = {
    getItem() {
      if (stored instanceof Error) throw stored;
      return stored;
    },
  };
  return import(`${pathToFileURL(join(folder, "language.js"))}?${number++}`);
}

test("the browser's first available language is chosen", async () => {
  assert.equal((await browser(["fr-CH", "de-CH", "en"])).language, "de");
  assert.equal((await browser(["fr"])).language, "en");
  assert.equal((await browser([])).language, "en");
});

test("the reader's choice takes precedence", async () => {
  assert.equal((await browser(["de"], "nl")).language, "nl");
  assert.equal((await browser(["de"], "constructor")).language, "de");
});

test("a browser without storage uses its own languages", async () => {
  assert.equal((await browser(["de"], new Error("no storage"))).language, "de");
});

test("dates have the format of the reader's country", async () => {
  assert.equal((await browser(["en", "de-CH"], "de")).locale, "de-CH");
  assert.equal((await browser(["en"], "de")).locale, "de");
});

test("texts have values and plural forms", async () => {
  const { say } = await browser(["de"]);
  assert.equal(say("Copy"), "Kopieren");
  assert.equal(say("{n} QSO|{n} QSOs", { n: 1 }), "1 Funkgespräch");
  assert.equal(say("{n} QSO|{n} QSOs", { n: 0 }), "0 Funkgespräche");
});

test("numbers have the format of the reader's language", async () => {
  const { say, sayIn } = await browser(["de"]);
  assert.equal(say("{n} QSO|{n} QSOs", { n: 12345 }), "12.345 Funkgespräche");
  assert.equal((await sayIn("en"))("{n} QSO|{n} QSOs", { n: 12345 }), "12,345 QSOs");
  assert.equal(say("{n} QSO|{n} QSOs", { n: 999 }), "999 Funkgespräche");
});

// Unicode's plural rules define which numbers have the same form.
test("every language has the necessary plural forms, each for its numbers", () => {
  const languages = new URL("../../src/languages/", import.meta.url);
  const files = readdirSync(languages).filter((name) => name.endsWith(".po"));
  assert.ok(files.length >= 7);
  for (const file of files) {
    const [, count, rule] = /nplurals=(\d+); plural=(.+);\\n"/.exec(
      readFileSync(new URL(file, languages), "utf8"),
    );
    const form = new Function("n", `return Number(${rule});`);
    const code = file.slice(0, -3).replace(/^pt$/, "pt-PT");
    const rules = new Intl.PluralRules(code);
    const kinds = new Map();
    for (let n = 0; n < 1000; n++) {
      const kind = rules.select(n);
      if (!kinds.has(kind)) kinds.set(kind, form(n));
      assert.equal(form(n), kinds.get(kind), `${file}: ${n}`);
    }
    assert.deepEqual([...new Set(kinds.values())].sort(), [...Array(Number(count)).keys()], file);
  }
});

test("a text without a translation is shown in English", async () => {
  const { say } = await browser(["de"]);
  assert.equal(say("{n} spot|{n} spots", { n: 1 }), "1 spot");
  assert.equal(say("{n} spot|{n} spots", { n: 2 }), "2 spots");
  assert.equal(say("{who} said {what}", { who: "{what}" }), "{what} said {what}");
});

test("a language whose texts cannot be loaded falls back to English", async () => {
  const { language, locale, say } = await browser(["sv", "en-GB"]);
  assert.equal(language, "en");
  assert.equal(locale, "en-GB");
  assert.equal(say("Copy"), "Copy");
});

test("a country has its name in the reader's language, and a part of a country keeps its own", async () => {
  const { country } = await browser(["de"]);
  assert.deepEqual(
    [country("Germany", "DE"), country("England", "GB"), country("Kosovo", ""), country("X", "?")],
    ["Deutschland", "England", "Kosovo", "X"],
  );
});

test("an element with a different visible text is translated by its message, with a value", async () => {
  const { translate } = await browser(["de"]);
  const nodes = [
    { textContent: " Copy\n", dataset: { say: "" } },
    { textContent: "3 QSOs", dataset: { say: "{n} QSO|{n} QSOs", n: "3" } },
  ];
  globalThis.document = { documentElement: {} };
  translate({ querySelectorAll: (wanted) => (wanted === "[data-say]" ? nodes : []) });
  assert.deepEqual(
    nodes.map(({ textContent }) => textContent),
    ["Kopieren", "3 Funkgespräche"],
  );
});
