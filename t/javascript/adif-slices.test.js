// Slices of an ADIF file: whole records, and together the whole file.
import assert from "node:assert/strict";
import test from "node:test";
import { decodeAdif, sliceAdif } from "../../src/pages/log/adif-slices.js";

const field = (name, value, length = value.length) => `<${name}:${length}>${value}`;
const record = (notes = "") => `${field("CALL", "26AT101")}${field("NOTES", notes)}<EOR>\n`;

function check(text) {
  const slices = sliceAdif(text);
  assert.equal(slices.map((slice) => slice.text).join(""), text);
  let end = 0;
  for (const slice of slices) {
    end += slice.text.length;
    assert.equal(slice.end, end);
  }
  return slices;
}
const counts = (text) => check(text).map((slice) => slice.records);

test("a file of a few records is one slice", () => {
  assert.deepEqual(counts(`Header<EOH>${record()}${record()}`), [2]);
});

test("an empty file is one slice without records", () => {
  assert.deepEqual(counts(""), [0]);
  assert.deepEqual(counts("no ADIF"), [0]);
});

test("a slice has at most 500 records", () => {
  assert.deepEqual(counts(record().repeat(1203)), [500, 500, 203]);
});

test("a slice of large records ends before it is too long", () => {
  const slices = check(record("x".repeat(100000)).repeat(5));
  assert.deepEqual(
    slices.map((slice) => slice.records),
    [2, 2, 1],
  );
});

test("a record's end inside a value is no end", () => {
  assert.deepEqual(counts(record("a <EOR> b")), [1]);
  assert.deepEqual(counts(record(record())), [1]);
});

test("lengths count bytes or characters, whichever fits", () => {
  const text = "Zürich <eor> é";
  const bytes = new TextEncoder().encode(text).length;
  for (const length of [bytes, text.length])
    assert.deepEqual(counts(`${field("NOTES", text, length)}<EOR>`), [1]);
});

test("a wrong length loses no record after it", () => {
  assert.deepEqual(counts(`${field("NOTES", "abc", 9999999)}<EOR>${record()}`), [2]);
});

test("a tag beyond the bound has no value", () => {
  const file = (zeros) => `<NOTES:${"0".repeat(zeros)}5><EOR><EOR>`;
  assert.deepEqual(counts(file(100)), [1]);
  assert.deepEqual(counts(file(200)), [2]);
});

test("the last record may lack its end", () => {
  assert.deepEqual(counts(`${record()}${field("CALL", "1AT1")}`), [1]);
});

test("what is not UTF-8 is Windows-1252", () => {
  const bytes = (...values) => new Uint8Array(values).buffer;
  assert.equal(decodeAdif(bytes(0x5a, 0xc3, 0xbc)), "Zü");
  assert.equal(decodeAdif(bytes(0x5a, 0xfc)), "Zü");
});
