// Tests the reader of ADIF files and the slices of a file. The cases are shared with the readers of
// the service and the client kit.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { decodeValue, findEncoding, unfold } from "../../src/web/pages/log/adif-encodings.js";
import { isAdx, readAdif } from "../../src/web/pages/log/adif-reader.js";
import { lineInFile, sliceAdif } from "../../src/web/pages/log/adif-slices.js";
import { adxToAdi } from "../../src/web/pages/log/adx.js";
import { gather } from "../../src/web/pages/log/adif-together.js";

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

/** Returns a record or a fault, as the table writes it. */
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

// Files in ADX are converted as the service converts them.
const files = readFileSync(new URL("../data/adx_files.tsv", import.meta.url), "utf8");
for (const line of files.split("\n").filter((row) => row && !row.startsWith("#"))) {
  const [rule, file, expected] = line.split("\t");
  test(rule, () => {
    const bytes = bytesOf(unescape(file));
    assert.ok(isAdx(bytes));
    let result;
    try {
      result = escape(String.fromCharCode(...adxToAdi(bytes)));
    } catch (fault) {
      result = `${fault.line}! ${fault.message}`;
    }
    assert.equal(result, expected);
  });
}
test("an ADX file of 20,000 records is converted, and hostile files are refused", () => {
  const one = "<RECORD><CALL>26AT101</CALL><NOTES>a &amp; b</NOTES></RECORD>\n";
  const adi = adxToAdi(ofText(`<ADX><RECORDS>${one.repeat(20000)}</RECORDS></ADX>`));
  assert.equal([...readAdif(adi)].length, 20000);
  assert.throws(() => adxToAdi(ofText(`<ADX>${"<HEADER>".repeat(1000000)}`)), { line: 1 });
  assert.throws(() => adxToAdi(ofText(`<ADX ${"a ".repeat(1000000)}`)), { line: 1 });
  assert.throws(() => adxToAdi(ofText(`<ADX>${"<!--".repeat(1000000)}`)), { line: 1 });
  const long = `<ADX><RECORDS><RECORD><NOTES>${"x".repeat(1048577)}</NOTES>`;
  assert.throws(() => adxToAdi(ofText(long)), { message: /more than 1 MiB/ });
});

// Each slice has whole records, and all slices together are the whole file.

const field = (name, value) => `<${name}:${ofText(value).length}>${value}`;
const record = (notes = "", call = "26AT101") =>
  `${field("CALL", call)}${field("NOTES", notes)}<EOR>\n`;

const sliceBytes = (bytes, encoding) => sliceAdif(bytes, [...readAdif(bytes)], encoding);
function check(text) {
  const slices = sliceBytes(ofText(text), "utf-8");
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

test("a file of records without <EOR> is cut between the records", () => {
  const file = Array.from({ length: 1203 }, (_, n) => `${field("CALL", `26AT${n}`)}\n`).join("");
  assert.deepEqual(counts(file), [500, 500, 203]);
});

test("a value that is not UTF-8 gets the length of its converted text", () => {
  const letters = "K\xf6ln<EOH>\n<QTH:4:S>K\xf6ln<NAME:2>\xc3\xbc<NOTES:1>x<EOR>\xf6";
  const [{ text }] = sliceBytes(bytesOf(letters), "cp1252");
  assert.equal(text, "K\ufffdln<EOH>\n<QTH:5:S>Köln<NAME:2>ü<NOTES:1>x<EOR>\ufffd");
});

test("a value with a byte outside the encoding is emptied", () => {
  const [{ text }] = sliceBytes(bytesOf("<QTH:2>\x81\xf6<NAME:1>x<EOR>"), "cp1252");
  assert.equal(text, "<QTH:0><NAME:1>x<EOR>");
});

// The cases for encodings are those of t/admin_import_encodings.t, which tests the command and the
// client kit.

const fieldOf = (name, letters) => `<${name}:${letters.length}>${letters}`;
const recordOf = (qth, more = fieldOf("BAND", "11m")) =>
  `${fieldOf("CALL", "26AT101")}${fieldOf("QTH", qth)}${more}<EOR>\n`;
function encodingOf(letters) {
  const bytes = unfold(bytesOf(letters));
  return findEncoding(bytes, [...readAdif(bytes)]);
}
const namesOf = (letters) => encodingOf(letters).map(({ name }) => name);

test("a UTF-8 file needs no encoding", () => {
  assert.equal(encodingOf(recordOf("K\xc3\xb6ln")), null);
  assert.equal(encodingOf(`K\xf6ln<EOH>${recordOf("Bath")}`), null);
  assert.equal(encodingOf(recordOf("K\xf6ln", fieldOf("BAND", "20m"))), null);
});

test("each suitable encoding is shown with the member's own records", () => {
  const records = ["K\xf6ln", "Bath", "J\xfcnkerath", "M\xfcnchen", "Th\xfcr"];
  const choices = encodingOf(records.map((qth) => recordOf(qth)).join(""));
  assert.deepEqual(
    choices.map(({ name, records: [first] }) => [name, first]),
    [
      ["CP1250", "26AT101 · Köln"],
      ["CP1251", "26AT101 · Kцln"],
      ["CP1252", "26AT101 · Köln"],
      ["CP1253", "26AT101 · Kφln"],
      ["CP850", "26AT101 · K÷ln"],
      ["KOI8-R", "26AT101 · KЖln"],
    ],
  );
  assert.deepEqual(choices[2].records, [
    "26AT101 · Köln",
    "26AT101 · Jünkerath",
    "26AT101 · München",
  ]);
});

test("an encoding that gives invalid text is not suitable", () => {
  assert.deepEqual(namesOf(recordOf("K\xf6ln") + recordOf("\x81") + recordOf("\xc5 x")), [
    "CP1251",
  ]);
  assert.deepEqual(namesOf(recordOf("\x81\x98\xb0")), []);
});

test("a file can declare its encoding", () => {
  for (const [header, name] of [
    ["x <ENCODING:12>windows-1251 <EOH>", "windows-1251"],
    ["x <APP_X_CHARSET:6:S>KOI8-R <EOH>", "KOI8-R"],
    ["Log of X\nEncoding: Windows-1253\n<EOH>", "Windows-1253"],
    ['charset="ISO-8859-1"<EOH>', "ISO-8859-1"],
    ["x <ENCODING:5>CP850 <EOH>", "CP850"],
  ])
    assert.equal(encodingOf(header + recordOf("K\xf6ln")), name);
  assert.ok(Array.isArray(encodingOf(`no encoding specified<EOH>${recordOf("K\xf6ln")}`)));
});

test("the encoding is found from an _INTL field", () => {
  const intl = String.fromCharCode(...ofText("Москва"));
  const more = `${fieldOf("QTH_INTL", intl)}${fieldOf("BAND", "11m")}`;
  const file = recordOf("\xcc\xee\xf1\xea\xe2\xe0", more) + recordOf("K\xf6ln");
  assert.equal(encodingOf(file), "CP1251");
});

test("UTF-16 is recognised with and without a byte order mark", () => {
  const text = `x<EOH>${fieldOf("QTH", "Köln")}<EOR>`;
  for (const form of ["utf16le", "utf16be"])
    for (const mark of ["", "\ufeff"]) {
      const bytes = Buffer.from(mark + text, "utf16le");
      if (form === "utf16be") bytes.swap16();
      assert.equal(new TextDecoder().decode(unfold(new Uint8Array(bytes))), text);
    }
  assert.equal(unfold(bytesOf("\xef\xbb\xbfa")).length, 1);
});

test("CP850 has all its characters", () => {
  const bytes = Uint8Array.from({ length: 48 }, (_, index) => 0x80 + index);
  assert.equal(decodeValue(bytes, "CP850"), "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»");
  assert.equal(decodeValue(bytesOf("\xd5"), "CP850"), "ı");
});

// Records that can belong to one QSO are moved into one slice.

const calls = ({ text }) => [...text.matchAll(/<CALL:\d+>(\w+)/g)].map(([, call]) => call);
const numbered = (count) => Array.from({ length: count }, (_, n) => record("", `26AT${n + 1}`));

test("records with a common key are moved into the first slice that has the key", () => {
  const slices = check(`${numbered(1203).join("")}`);
  const keys = [
    [
      [1, "a"],
      [2, "b"],
      [500, "own"],
    ],
    [
      [1, "a"],
      [2, "c"],
      [3, "d"],
    ],
    [
      [1, "c"],
      [1, "b"],
      [203, "d"],
    ],
  ];
  assert.equal(gather(slices, keys).size, 3);
  assert.deepEqual(
    slices.map(({ records }) => records),
    [503, 499, 201],
  );
  assert.deepEqual(calls(slices[0]).slice(-4), ["26AT500", "26AT501", "26AT502", "26AT1001"]);
  assert.deepEqual(calls(slices[1]).slice(0, 2), ["26AT503", "26AT504"]);
  assert.deepEqual(calls(slices[1]).slice(-2), ["26AT1000", "26AT1203"]);
  assert.deepEqual(slices.flatMap(calls).length, 1203);
});

test("a record with keys of two sets joins the earlier records of both sets", () => {
  const slices = check(numbered(1001).join(""));
  gather(slices, [[[1, "a"]], [[1, "b"]], [[1, "a"], [1, "b"]]]); // prettier-ignore
  assert.deepEqual(
    slices.map(({ records }) => records),
    [502, 499, 0],
  );
});

test("slices without common keys stay unchanged", () => {
  const slices = check(numbered(501).join(""));
  assert.equal(gather(slices, [[[1, "a"]], [[1, "b"]]]).size, 0); // prettier-ignore
  assert.equal(gather(slices, [[], []]).size, 0);
});

test("a header stays in its slice, and is not counted as a record", () => {
  const slices = check(`Header<EOH>\n${numbered(501).join("")}`);
  gather(slices, [[[499, "a"]], [[1, "b"], [2, "a"]]]); // prettier-ignore
  assert.equal(slices[0].text.startsWith("Header<EOH>"), true);
  assert.deepEqual(calls(slices[0]).slice(-2), ["26AT499", "26AT501"]);
});

test("a slice gathers at most 2,000 records", () => {
  const slices = check(numbered(5000).join(""));
  const all = Array.from({ length: 500 }, (_, n) => [n + 1, "a"]);
  gather(
    slices,
    slices.map(() => all),
  );
  assert.equal(slices[0].records, 2000);
  assert.equal(slices.flatMap(calls).length, 5000);
});

test("a line of a slice is mapped to its line in the file", () => {
  const slices = check(`Header\r\n<EOH>\n${numbered(1001).join("\n")}`);
  gather(slices, [[[1, "a"]], [], [[1, "a"]]]); // prettier-ignore
  const [first] = slices;
  const lines = first.text.split("\n");
  const lineOf = (call) => 1 + lines.findIndex((line) => line.includes(`>${call}<`));
  assert.equal(lineInFile(first, lineOf("26AT499"), 499), 3 + 2 * 498);
  assert.equal(lineInFile(first, lineOf("26AT1000"), 500), 3 + 2 * 999);
  assert.equal(lineInFile(slices[1], 3, 1), 3 + 2 * 499);
});
