// Tests how the text of a file becomes rows, and how the rows become records. For each file in
// t/data/sheets, expected.json contains the columns, the questions, the answers and the records.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { unfold } from "../../pages/adif-encodings.js";
import { readAdif } from "../../pages/adif-reader.js";
import { fieldOf, layoutKey, recognise } from "../../pages/sheet-columns.js";
import { questionsOf } from "../../pages/sheet-questions.js";
import { formatRecords, readRecords } from "../../pages/sheet-records.js";
import { COLUMNS_MAX, ROWS_MAX, SheetRefusal } from "../../pages/sheet-rows.js";
import { survey } from "../../pages/sheet-survey.js";
import { encodingsOf, readText, separatorOf } from "../../pages/sheet-text.js";
import {
  callsOfNumber,
  dayOf,
  readChannel,
  readDate,
  readTime,
  readTuning,
  utcOf,
} from "../../pages/sheet-values.js";

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
test("a quotation mark without a partner does not take the rows below into its cell", () => {
  assert.deepEqual(rowsOf('a;b;c\n1;2;"3\n4;5;6\n7;8;9"\n'), [
    ["a", "b", "c"],
    ["1", "2", '"3'],
    ["4", "5", "6"],
    ["7", "8", '9"'],
  ]);
  assert.equal(rowsOf('a,b,c\n1,2,"with\nAnn, Bob, Cid"\n')[1][2], "with\nAnn, Bob, Cid");
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
  assert.throws(() => rowsOf(",".repeat(30000)), is("columns", COLUMNS_MAX));
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

const folder = new URL("../data/sheets/", import.meta.url);
const expected = JSON.parse(readFileSync(new URL("expected.json", folder), "utf8"));
const NOBODY = { plan: "", callsign: "" };
const READER = { zone: "Europe/Berlin", now: Date.parse("2026-11-27T16:57:00Z"), ...NOBODY };

/** Reads a text as a sheet, with answers, in the log of an owner. */
function readWith(text, given = {}, owner = NOBODY) {
  const reader = { ...READER, ...owner };
  const table = recognise(finish(readText(text)));
  const facts = finish(survey(table, READER.now));
  const answers = { ...given };
  for (const { id, chosen } of questionsOf(table, facts, answers, reader))
    if (chosen !== null) answers[id] ??= chosen;
  const questions = questionsOf(table, facts, answers, reader);
  const { records, remarks } = finish(readRecords(table, facts, answers, owner));
  return { table, questions, records, remarks };
}
/** Reads a file of t/data/sheets with answers. */
function readSheet(name, encoding, given) {
  const bytes = unfold(readFileSync(new URL(name, folder)));
  return readWith(new TextDecoder(encoding).decode(bytes), given);
}
/** Returns the values of some ADIF fields in each record. */
const valuesOf = ({ records }, ...names) =>
  records.map(({ fields }) => names.map((name) => new Map(fields).get(name) ?? "").join(" "));
/** Returns a record as the service receives it, without the marks of ADIF. */
function readable({ bytes, found }) {
  const decoder = new TextDecoder();
  return found.map(
    ({ line, fields }) =>
      `${line}: ${fields.map(({ name, start, end }) => `${name}=${decoder.decode(bytes.subarray(start, end))}`).join(" ")}`,
  );
}
for (const [name, { encoding, fields, questions, answers, records, remarks }] of Object.entries(
  expected,
)) {
  test(`${name}: columns, questions, records and remarks are as expected`, () => {
    const read = readSheet(name, encoding, answers);
    assert.equal(read.table.columns.map(({ field }) => field).join(" "), fields);
    assert.deepEqual(
      read.questions.map(({ id, cell, chosen }) => `${id}: ${cell} -> ${chosen}`),
      questions,
    );
    assert.deepEqual(
      read.questions.filter(({ id, chosen }) => chosen === null && !(id in answers)),
      [],
      "every open question is answered",
    );
    assert.deepEqual(readable(formatRecords(read.records)), records);
    assert.deepEqual(
      read.remarks.map(({ row, kind, text }) => `${row}: ${kind} ${text}`),
      remarks,
    );
  });
}
test("the plan of the log decides what a channel is, and an unclear channel is a question", () => {
  const sheet = (...channels) =>
    `Date,UTC,Call,Channel,Band\n${channels.map((one) => `2026-05-03,12:40,26AT101,${one},11m\n`).join("")}`;
  const read = (owner, channels, given) => {
    const { questions, ...rest } = readWith(sheet(...channels), given, { ...NOBODY, ...owner });
    const asked = questions.filter(({ id }) => id === "plan").map(({ cell }) => cell);
    const fields = ["FREQ", "APP_QSOSYNC_CB_CHANNEL", "APP_SHEET_CHANNEL"];
    return [asked.join(), ...valuesOf(rest, ...fields).map((one) => one.trim())];
  };
  assert.deepEqual(read({ plan: "uk", callsign: "26AT1" }, ["19", "19A"]), [
    "",
    "27.781 UK 19",
    "27.195 19A",
  ]);
  assert.deepEqual(read({ callsign: "13HN1" }, ["9", "41"]), ["", "27.065", "26.565 DE 41"]);
  assert.deepEqual(read({ callsign: "30SD1" }, ["9", "40"]), ["", "27.065", "27.405"]);
  assert.deepEqual(read({ callsign: "30SD1" }, ["9", "55"], { plan: "export" }), [
    "55",
    "27.065",
    "27.585 EXPORT 55",
  ]);
  assert.deepEqual(read({ callsign: "26AT1" }, ["19"], { plan: "none" }), ["19", "19"]);
  assert.deepEqual(read({ plan: "pl", callsign: "161AT1" }, ["19", "55"], { plan: "de" }), [
    "55",
    "27.180 PL 19",
    "26.705 DE 55",
  ]);
  assert.deepEqual(read({}, ["9"], { plan: "eu" }), ["9", "27.065"], "nothing is known offline");
});
test("there are files for 25 layouts, and each is expected", () => {
  const files = readdirSync(folder).filter((name) => name !== "expected.json");
  assert.deepEqual(files.sort(), Object.keys(expected).sort());
  assert.ok(files.length >= 25);
});
test("records are read as the reader of ADIF files reads them", () => {
  const { records } = readSheet("own-export.csv", "utf-8", {});
  const { bytes, found } = formatRecords(records);
  const again = [...readAdif(bytes)];
  assert.deepEqual(
    again.map(({ fields, end }) => [fields, end]),
    found.map(({ fields, end }) => [fields, end]),
  );
});
test("a local time that a clock skips in spring counts from the hour before, and is named", () => {
  const local = Date.UTC(2026, 2, 29, 2, 30);
  assert.deepEqual(utcOf(local, "Europe/Berlin"), {
    ms: Date.UTC(2026, 2, 29, 1, 30),
    trouble: "skipped",
  });
  assert.deepEqual(utcOf(local, "-05:00"), { ms: Date.UTC(2026, 2, 29, 7, 30), trouble: null });
});
test("dates are read in all forms, and names of months in all languages", () => {
  const day = (cell, order = "dmy") => {
    const read = readDate(cell);
    const found = read && dayOf(read, order);
    return found && `${found.year}-${found.month}-${found.day}`;
  };
  for (const cell of [
    "2026-11-27",
    "20261127",
    "2026/11/27",
    "27.11.2026",
    "27. 11. 2026",
    "27.11.26",
    "27/11/2026",
    "27-11-26",
    "Fr, 27.11.2026",
    "27-Nov-2026",
    "27. November 2026",
    "27 de noviembre 2026",
    "27 novembre 2026",
    "27 listopada 2026",
    "27 ноября 2026",
    "Nov 27, 2026",
    "2026-11-27T12:03:00Z",
    "46353",
  ])
    assert.equal(day(cell), "2026-11-27", cell);
  assert.equal(day("11/27/2026", "mdy"), "2026-11-27");
  assert.equal(day("26/11/27", "ymd"), "2026-11-27");
  for (const cell of ["31.04.2026", "26AT101", "27,555", "2026", "599", "27.555.00"])
    assert.equal(day(cell), null, cell);
});
test("times are read in all forms", () => {
  const time = (cell) => {
    const read = readTime(cell);
    return read && `${read.hours}:${read.minutes}:${read.seconds} ${read.zone}`;
  };
  for (const cell of ["12:03", "12:03:00", "1203", "120300", "12.03", "12h03", "12:03 PM"])
    assert.equal(time(cell), "12:3:0 null", cell);
  assert.equal(time("0.5020833"), "12:3:0 null");
  assert.deepEqual(
    ["900", "5", "12:03Z", "21:12J", "12:03 UTC", "12:03+02:00", "12:05 AM"].map(time),
    [
      "9:0:0 null",
      "0:5:0 null",
      "12:3:0 UTC",
      "21:12:0 +09:00",
      "12:3:0 UTC",
      "12:3:0 +02:00",
      "0:5:0 null",
    ],
  );
  assert.equal(time("12:03:00-05:00"), "12:3:0 -05:00");
  for (const cell of ["25:99", "13:00 PM", "noon", "9.5", "1260", "12:03-12:10"])
    assert.equal(time(cell), null);
});
test("frequencies are read in all forms", () => {
  for (const cell of [
    "27.555",
    "27,555",
    "27555",
    "27555.0",
    "27555,0",
    "27.555.00",
    "27555000",
    "27 555",
    "27,555.0",
    "27.555 MHz",
  ])
    assert.equal(readTuning(cell)?.mhz, 27.555, cell);
  assert.deepEqual(
    ["ch 26", "K26", "26 USB", "26", "14MHz"].map((cell) => {
      const { mhz, channel, isBare, isBand, mode } = readTuning(cell);
      return [mhz, channel, isBare, isBand, mode];
    }),
    [
      [null, 26, false, false, ""],
      [null, 26, false, false, ""],
      [26, null, true, false, "USB"],
      [26, null, true, false, ""],
      [14, null, false, true, ""],
    ],
  );
});
test("a number in place of a callsign has the callsigns that spreadsheets read so", () => {
  const calls = (cell) => callsOfNumber(cell).map(({ callsign }) => callsign);
  for (const cell of ["14E10", "1.4E+11", "1,40E+11", "140000000000"])
    assert.deepEqual(calls(cell), ["14E10", "140E9"], cell);
  assert.deepEqual(calls("2.6E+102"), ["26E101", "260E100"]);
});
test("a header that gives an offset from UTC, or says that it is not UTC, leaves the zone open", () => {
  const isAsked = (header) =>
    readWith(`Date,${header},Call,Freq\n2026-09-28,12:03,26AT101,27.555\n`).questions.some(
      ({ id }) => id === "zone",
    );
  for (const header of ["Zeit (UTC+1)", "Time (GMT-2)", "Time (local not UTC)"])
    assert.ok(isAsked(header), header);
  for (const header of ["UTC", "Time (GMT)"]) assert.ok(!isAsked(header), header);
});
const DATES = "Date,UTC,Call,Freq\n";
const dated = (...dates) => DATES + dates.map((date) => `${date},12:03,26AT1,27.555\n`).join("");
test("one or two dates in the future do not decide the order of day and month", () => {
  const orderOf = (...dates) => readWith(dated(...dates)).questions.map(({ id }) => id);
  assert.deepEqual(orderOf("01/02/2026", "11/12/2026"), ["order"]);
  assert.deepEqual(orderOf("01/02/2026", "11/12/2026", "10/12/2026", "09/12/2026"), []);
});
test("dates that do not exist or are in the future leave no question without an answer", () => {
  for (const date of ["31.02.2026", "01.05.2031", "45.67", "29.02."])
    for (const { id, answers } of readWith(dated(date)).questions)
      assert.ok(answers.length, `${date}: ${id}`);
});
test("without headers, 27555 and 12.03 next to a column of dates are not dates", () => {
  const fieldsOf = (row) => recognise({ name: "", rows: [row.split(" ")] }).columns;
  for (const row of [
    "28.09.2026 12:03 26AT101 27555 USB 59 57",
    "28.09.2026 12.03 26AT101 27,555 USB 59 57",
  ])
    assert.equal(
      fieldsOf(row)
        .map(({ field }) => field)
        .join(" "),
      "date time callsignWorked frequencyMhz mode hisReport myReport",
    );
});
const CHANNELS = "Date,UTC,Call,Channel,Mode\n";
const channelled = (...cells) =>
  CHANNELS + cells.map((cell) => `2026-09-28,12:03,26AT1,${cell},\n`).join("");
test("next to channels that only CB has, a channel with a tone can be on PMR446", () => {
  const sheet = channelled("8-12", "19", "9 AM");
  const names = ["FREQ", "APP_QSOSYNC_BAND", "MODE", "APP_SHEET_TONE"];
  assert.deepEqual(valuesOf(readWith(sheet, { channels: "pmr", plan: "eu" }), ...names), [
    "446.09375 PMR446  ",
    "27.185   ",
    "27.065  AM ",
  ]);
  assert.deepEqual(valuesOf(readWith(sheet, { channels: "11m", plan: "eu" }), ...names), [
    "27.055   12",
    "27.185   ",
    "27.065  AM ",
  ]);
});
test("a column of channels that are all dates now is asked about", () => {
  const { questions } = readWith(channelled("2026-12-08", "2026-07-03"), { "changed 3": "dmy" });
  assert.deepEqual(
    questions.map(({ id, chosen }) => `${id} ${chosen}`),
    ["channels pmr", "changed 3 null"],
  );
});
test("a text in the column of channels is kept, also next to a band", () => {
  const sheet = "Date,UTC,Call,Channel,Band,Freq\n";
  const rows = [
    "19,11m,",
    "27.555,11m,",
    "mobile,11m,",
    "K19 or 20,11m,",
    "mobile,11m,27.185",
    "-,11m,",
  ];
  const text = sheet + rows.map((row) => `2026-09-28,12:03,26AT1,${row}\n`).join("");
  assert.deepEqual(valuesOf(readWith(text), "FREQ", "APP_SHEET_CHANNEL"), [
    " 19",
    "27.555 ",
    " mobile",
    "K19 or 20 ",
    "27.185 mobile",
    " ",
  ]);
});
test("27 without a unit is a band, not a frequency", () => {
  const sheet = "Date,UTC,Call,Freq\n2026-09-28,12:03,26AT1,27\n";
  assert.deepEqual(valuesOf(readWith(sheet, { bare: "MHz" }), "FREQ", "BAND"), [" 11m"]);
});
const called = (...calls) =>
  DATES + calls.map((call) => `2026-09-28,12:03,${call},27.555\n`).join("");
test("a number in the column of callsigns is asked about", () => {
  const { questions } = readWith(called("260000", "26AT1"));
  assert.deepEqual(
    questions.map(({ id, answers }) => `${id}: ${answers.map(({ value }) => value).join(" ")}`),
    ["call 260000: 26E4 260E3 omit"],
  );
});
test("callsigns such as 14E10 need no answer, so numbers are asked about before them", () => {
  const calls = [1, 2, 3, 4, 5, 6, 7].map((n) => `14E1${n}`);
  const sheet = called(...calls, "1.4E+20", "14AT1");
  const { questions, records } = readWith(sheet, { "call 1.4E+20": "14E19" });
  assert.equal(questions[0].id, "call 1.4E+20");
  assert.deepEqual(valuesOf({ records }, "CALL"), [...calls, "14E19", "14AT1"]);
});
test("dates without a year continue after the new year, and before it", () => {
  const days = (...dates) => readWith(dated(...dates), { year: "2025", order: "dmy" });
  const read = days("3.1.", "20.12.", "2.1.", "30.12.", "28.12.2023", "1.1.");
  assert.deepEqual(valuesOf(read, "QSO_DATE"), [
    ...["20250103", "20241220", "20250102", "20241230", "20231228", "20240101"],
  ]);
  assert.deepEqual(
    read.remarks.map(({ row, kind }) => `${row} ${kind}`),
    ["3 otherYear", "4 otherYear", "5 otherYear", "7 otherYear"],
  );
});
test("two columns of reports with one header are asked about", () => {
  const { questions } = readWith("Date,UTC,Call,RST,RST\n2026-09-28,12:03,26AT1,59,57\n");
  assert.deepEqual(
    questions.find(({ id }) => id === "sent")?.answers.map(({ value }) => value),
    ["3", "4"],
  );
});
test("sheets without headers have the same choices only if their columns are the same", () => {
  const keyOf = (row) => layoutKey(recognise({ name: "", rows: [row.split(" ")] }));
  const row = "2026-09-28 12:03 26AT101 27.555 59";
  assert.equal(keyOf(row), keyOf("2026-09-29 12:04 26AT102 27.565 55"));
  assert.notEqual(keyOf(row), keyOf("26AT101 2026-09-28 12:03 27.555 59"));
});
test("a text that is too long is neither a value nor a header", () => {
  assert.equal(readDate(`1.1.2026 ${"x".repeat(80)}`), null);
  assert.equal(readTime(`12:03:00.${"0".repeat(80)}`), null);
  assert.equal(readTuning(`27.${"5".repeat(80)}`), null);
  assert.equal(readChannel(`8-${"1".repeat(80)}`), null);
  assert.equal(fieldOf(`Date (${"x".repeat(80)})`), undefined);
});
test("the wider a sheet is, the fewer of its rows are judged", () => {
  const stepOf = (width) => recognise({ name: "", rows: Array(2000).fill(Array(width).fill("x")) });
  assert.deepEqual(
    [10, 250].map((width) => stepOf(width).step),
    [1, 8],
  );
});
