// Tests how a file's text becomes the rows of a sheet.
import assert from "node:assert/strict";
import test from "node:test";
import { COLUMNS_MAX, ROWS_MAX, SheetRefusal } from "../../pages/sheet-rows.js";
import { encodingsOf, readText, separatorOf } from "../../pages/sheet-text.js";

/** Runs a work to its end. */
function finish(work) {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
const rowsOf = (text) => finish(readText(text)).rows;

test("cells keep separators and line ends in quotation marks, and doubled marks become one", () => {
  assert.deepEqual(rowsOf('a,b,c\r\n1,"Newington, CT",3\r\n4,"two\nlines",""""\r\n'), [
    ["a", "b", "c"],
    ["1", "Newington, CT", "3"],
    ["4", "two\nlines", '"'],
  ]);
});
test("a quotation mark without a partner, or within a cell, is text", () => {
  assert.deepEqual(rowsOf('a,b\n1,"open\n2,5" whip\n'), [
    ["a", "b"],
    ["1", '"open'],
    ["2", '5" whip'],
  ]);
});
test("empty rows count, and empty cells at the end of a row do not", () => {
  assert.deepEqual(rowsOf("a;b;;\n\n1;2;;\n"), [["a", "b"], [], ["1", "2"]]);
});
test("the separator is the one that gives most rows the same number of cells", () => {
  assert.equal(separatorOf("Datum;QRG\n1.2.2026;27,555\n2.2.2026;27,565\n"), ";");
  assert.equal(separatorOf("Date\tTime\tNote\n1\t2\ta, b, c\n"), "\t");
  assert.equal(separatorOf("Date,Call,Note\n1,2,a; b\n3,4,c; d; e\n"), ",");
  assert.equal(separatorOf("CALL QSO_DATE TIME_ON\n26AT101 20260101 900\n"), " ");
  assert.deepEqual(rowsOf("sep=|\na|b\n"), [["a", "b"]]);
});
test("an apostrophe that marks a formula as text is removed, and other apostrophes stay", () => {
  assert.deepEqual(rowsOf("'=1+1,'n Abend,'-10\n"), [["=1+1", "'n Abend", "-10"]]);
});
test("a sheet with too many rows or columns is refused with the limit", () => {
  const is = (kind, n) => (error) =>
    error instanceof SheetRefusal && error.kind === kind && error.n === n;
  assert.throws(() => rowsOf("a,b\n".repeat(ROWS_MAX + 1)), is("rows", ROWS_MAX));
  assert.throws(() => rowsOf(`${"a,".repeat(16000)}a\n`), is("columns", COLUMNS_MAX));
  assert.equal(rowsOf(`a,b${",".repeat(16000)}\n`)[0].length, 2);
});
test("encodings that fit are offered with lines that they decode differently", () => {
  const bytes = Buffer.from("Datum;Gerät\n1.2.2026;Präsident\n", "latin1");
  assert.deepEqual(
    encodingsOf(bytes)
      .slice(0, 3)
      .map(({ name, records }) => [name, records[0]]),
    [
      ["CP1252", "Datum;Gerät"],
      ["CP1250", "Datum;Gerät"],
      ["CP1251", "Datum;Gerдt"],
    ],
  );
});
