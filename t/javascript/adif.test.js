// The reader of ADIF files, by the cases that the readers of the service and of the client kit
// share; and the slices that a file is cut into.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { lettersOf, readAdif } from "../../src/pages/log/adif-reader.js";
import { sliceAdif } from "../../src/pages/log/adif-slices.js";

const table = readFileSync(new URL("../data/adif_records.tsv", import.meta.url), "utf8");
const ESCAPES = { n: "\n", r: "\r", t: "\t", "\\": "\\" };
const unescape = (cell) =>
  cell.replace(/\\(?:x([0-9a-f]{2})|(.))/g, (_, hex, letter) =>
    hex ? String.fromCharCode(parseInt(hex, 16)) : ESCAPES[letter],
  );
const escape = (text) =>
  text.replace(/[^ -[\]-~]/g, (byte) => {
    const [letter] = Object.entries(ESCAPES).find(([, value]) => value === byte) ?? [];
    return `\\${letter ?? `x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`}`;
  });
const bytesOf = (letters) => Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
const ofText = (text) => new TextEncoder().encode(text);

/** A record or a trouble, as the table writes it. */
function describe(letters, { kind, line, fields, trouble }) {
  if (kind === "wrong") return `${line}! ${trouble}`;
  const values = new Map();
  for (const { name, start, end, isCut } of fields) {
    const value = letters.slice(start, end);
    if (!values.has(name) || value.trim()) values.set(name, `${isCut ? "~" : ""}=${escape(value)}`);
  }
  return `${line}:${[...values].map(([name, value]) => ` ${name}${value};`).join("")}`;
}

for (const line of table.split("\n").filter((row) => row && !row.startsWith("#"))) {
  const [rule, file, ...expected] = line.split("\t");
  test(rule, () => {
    const letters = unescape(file);
    const found = [...readAdif(bytesOf(letters))].filter(({ kind }) => kind !== "header");
    assert.deepEqual(
      found.map((one) => describe(letters, one)),
      expected,
    );
  });
}

// Slices: whole records, and together the whole file.

const field = (name, value) => `<${name}:${ofText(value).length}>${value}`;
const record = (notes = "", call = "26AT101") =>
  `${field("CALL", call)}${field("NOTES", notes)}<EOR>\n`;

function check(text) {
  const slices = sliceAdif(ofText(text));
  assert.equal(slices.map((slice) => slice.text).join(""), text);
  return slices;
}
const counts = (text) => check(text).map(({ records }) => records);

test("a file of a few records is one slice", () => {
  assert.deepEqual(counts(`Header<EOH>${record()}${record()}`), [2]);
});

test("an empty file is one slice without records", () => {
  assert.deepEqual(counts(""), [0]);
  assert.deepEqual(counts("no ADIF"), [0]);
});

test("a slice has at most 500 records", () => {
  assert.deepEqual(counts(record().repeat(1203)), [500, 500, 203]);
  assert.deepEqual(counts(record().repeat(500)), [500]);
});

test("a slice of large records ends before it is too long", () => {
  assert.deepEqual(counts(record("x".repeat(200000)).repeat(5)), [2, 2, 1]);
});

test("records without any end are cut between them", () => {
  const file = Array.from({ length: 1203 }, (_, n) => `${field("CALL", `26AT${n}`)}\n`).join("");
  assert.deepEqual(counts(file), [500, 500, 203]);
});

test("a value that is not UTF-8 is Windows-1252, and its length is that of the text", () => {
  const letters = "K\xf6ln<EOH>\n<QTH:4:S>K\xf6ln<NAME:3>\x80\xc3\xbc<NOTES:1>x<EOR>\xf6";
  const [{ text }] = sliceAdif(bytesOf(letters));
  assert.equal(text, "Köln<EOH>\n<QTH:5:S>Köln<NAME:5>€ü<NOTES:1>x<EOR>ö");
});

test("a byte order mark is left out", () => {
  assert.equal(sliceAdif(bytesOf("\xef\xbb\xbfa"))[0].text, "a");
  assert.equal(lettersOf(ofText("ä")), "\xc3\xa4");
});
