// Tests the app's counts of its log, by the service's table of callsigns and by places, including
// QSOs that wait. t/profile_awards.t checks that the counts equal those of the service.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { callsignsIn, compact, numberOf } from "../../pages/callsigns.js";
import { readFrequency, stepFrequency } from "../../pages/frequency.js";
import { Counts } from "../../app/award-counts.js";
import { firstContext, readLine, splitLines } from "../../app/lines.js";
import { LogCounts } from "../../app/log-counts.js";
import { isSought, soughtOf } from "../../app/search.js";
import { hasWords, readWords } from "../../app/search-words.js";
import { Packs } from "../../src/web/app/log/packs.js";
import { asItWaits, worthOf } from "../../pages/award-rules.js";

/** Reads several lines, each with the context of the lines above. */
function readLines(text, today, values) {
  const context = firstContext(today, values);
  return splitLines(text)
    .map((line) => readLine(line, context))
    .filter(Boolean);
}

/** @param {string} name of a table in t/data */
const readCases = (name) =>
  readFileSync(new URL(`../data/${name}`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line && !line.startsWith("#"))
    .map((line) => line.split("\t"));
const CASES = readCases("divisions.tsv");

test("letter case is folded in every alphabet, as in the service", () => {
  for (const [callsign, form] of readCases("letters.tsv")) assert.equal(compact(callsign), form);
});

test("a callsign has the division and the special status that the service gives it", () => {
  assert.ok(CASES.some(([, , special]) => special) && CASES.length > 500);
  for (const [callsign, division, special = ""] of CASES)
    assert.deepEqual(
      [numberOf(callsign.trim()), worthOf({ callsignWorked: callsign.trim() }).special !== null],
      [Number(division), special === "special"],
      callsign,
    );
});

const qso = (values) => ({
  ...{ band: "ELEVEN_METERS", qsoAt: "2026-05-17T19:00:00.000Z", crossConfirmedAt: null },
  ...values,
});
test("a position without a locator counts for its square", () => {
  const counts = new Counts();
  for (const values of [
    { dxLocator: "IO91wm" },
    { dxLat: 51.5, dxLng: -0.1 },
    { dxLocator: "JO31", dxLat: 51.5, dxLng: -0.1 },
    { dxLat: 51.5 },
    { dxLocator: "IO92", qsoStatus: "HRD" },
  ])
    counts.add(qso({ callsignWorked: "26AT1", dxLocator: null, ...values }));
  assert.deepEqual(
    counts.end().squares.map(({ name, qsos }) => [name, qsos]),
    [
      ["IO91", 2],
      ["JO31", 1],
    ],
  );
});

test("QSOs with the same time are sorted by id, unsent QSOs last", () => {
  const counts = new Counts();
  counts.add(qso({ callsignWorked: "26AT1" }));
  counts.add(qso({ callsignWorked: "26AT2", id: 10 }));
  counts.add(qso({ callsignWorked: "26AT3", id: 9 }));
  assert.equal(counts.end().divisions[0].first.callsign, "26AT3");
});

test("a waiting QSO replaces its stored version", () => {
  const stored = qso({ callsignWorked: "26AT1", crossConfirmedAt: "2026-05-18T19:00:00.000Z" });
  const change = (values) => ({ kind: "save", qso: { ...qso(stored), ...values } });
  assert.equal(asItWaits(stored, undefined), stored);
  assert.equal(asItWaits(stored, { kind: "delete", qso: stored }), null);
  const confirmed = asItWaits(stored, change({ notes: "new", crossConfirmedAt: null }));
  assert.equal(confirmed.crossConfirmedAt, stored.crossConfirmedAt);
  assert.equal(confirmed.notes, "new");
  for (const values of [{ callsignWorked: "13SD1" }, { qsoAt: "2025" }, { band: "PMR446" }])
    assert.equal(asItWaits(stored, change(values)).crossConfirmedAt, null);
});

// Tests lines from paper, and the frequencies that lines and the form use.

test("a frequency is read in the usual spellings, and stepped within the band", () => {
  for (const text of ["27.555", "27,555", "27555", "555", " 27.555 "])
    assert.equal(readFrequency(text), "27.555");
  for (const text of ["", "x", "27.5555", "1e3", "27"]) assert.equal(readFrequency(text), null);
  assert.equal(stepFrequency("27.555", 5), "27.560");
  assert.equal(stepFrequency("28.000", 10), "28.000");
  assert.equal(stepFrequency("26.000", -5), "26.000");
});

test("values in a line also apply to the lines below it", () => {
  const text =
    "date 2026-05-17\n27.555 usb\n1930 26at101 57 55 jn61 loud\n5 1at5\nch 8\n1940 13sd7";
  const read = readLines(text, "2026-01-01", {}).map(({ qso }) => qso);
  assert.deepEqual(
    read.map((qso) => [qso.qsoAt, qso.callsignWorked, qso.band, qso.frequencyMhz, qso.channel]),
    [
      ["2026-05-17T19:30:00.000Z", "26AT101", "ELEVEN_METERS", "27.555", null],
      ["2026-05-17T19:35:00.000Z", "1AT5", "ELEVEN_METERS", "27.555", null],
      ["2026-05-17T19:40:00.000Z", "13SD7", "PMR446", null, 8],
    ],
  );
  const [{ rstSent, rstReceived, dxLocator, notes }] = read;
  assert.deepEqual([rstSent, rstReceived, dxLocator, notes], ["57", "55", "JN61", "loud"]);
});

test("a line asks for the meaning of an unclear word, and takes its usual meaning first", () => {
  const read = (line, answers) => readLine(line, firstContext("1998-03-14", {}), answers);
  const { qso, unclear } = read("1915 19lr03 59 5 jo22");
  assert.deepEqual([qso.rstReceived, unclear.map(({ word }) => word)], ["55", ["5"]]);
  assert.equal(read("1915 19lr03 59 5 jo22", { report: "5" }).qso.rstReceived, "5");
  const noted = read("1915 19lr03 59 5 el yagi", { report: "notes" }).qso;
  assert.deepEqual([noted.rstReceived, noted.notes], [null, "5 el yagi"]);
  assert.deepEqual(read("1915 19lr03 5 7").unclear, []);
  const day = read("03/04/1998 1915 19lr03");
  assert.deepEqual(
    [day.qso.qsoAt, day.unclear[0].answers.map(([value]) => value)],
    ["1998-04-03T19:15:00.000Z", ["1998-04-03", "1998-03-04"]],
  );
  const american = read("03/04/1998 1915 19lr03", { day: "1998-03-04" });
  assert.equal(american.qso.qsoAt, "1998-03-04T19:15:00.000Z");
  assert.deepEqual(read("03/14/1998 1915 19lr03").unclear, []);
});

test("a line can repeat the callsign above, and shorten a day and a frequency", () => {
  const read = readLines('15.3. 27565 lsb 1at106 1930\n0810 1at106\n12 "', "1998-03-14", {});
  assert.deepEqual(
    read.map(({ qso }) => qso && [qso.qsoAt, qso.callsignWorked, qso.frequencyMhz, qso.mode]),
    [
      null,
      ["1998-03-15T08:10:00.000Z", "1AT106", "27.565", "LSB"],
      ["1998-03-15T08:12:00.000Z", "1AT106", "27.565", "LSB"],
    ],
  );
});

test("a line in local time is stored in UTC", () => {
  const context = { ...firstContext("1998-03-14", {}), isLocal: true };
  const { qso } = readLine("1906 161lr012", context);
  assert.equal(qso.qsoAt, new Date("1998-03-14T19:06:00").toISOString());
});

test("a line that cannot be parsed reports the missing part", () => {
  const troubles = readLines("26at101\n1930 nothing\n", "2026-05-17", {});
  assert.deepEqual(
    troubles.map(({ qso, trouble }) => [qso, trouble]),
    [
      [null, "No time found."],
      [null, "No callsign found."],
    ],
  );
});

test("a line reports an invalid time, day or channel", () => {
  for (const [line, wrong] of [
    ["2561 26at101 57 55", "The time must be from 0000 to 2359."],
    ["19:75 26at101", "The time must be from 0000 to 2359."],
    ["75 26at101", "The time must be from 0000 to 2359."],
    ["date 2026-13-45 1930 26at101", "Write a day as 2026-05-17."],
    ["31.2.2026 1930 26at101", "Write a day as 2026-05-17."],
    ["cb 45 1930 26at101", "CB channels are 1 to 40, and those of your plan."],
    ["cb45 1930 26at101", "CB channels are 1 to 40, and those of your plan."],
    ["1930 ch 8 ???", "No callsign or name found."],
  ]) {
    const [{ qso, trouble }] = readLines(`1930\n${line}`, "2026-05-17", {});
    assert.deepEqual([line, qso, trouble], [line, null, wrong]);
  }
});

test("a name replaces the callsign on PMR446", () => {
  const text =
    "ch 8\n1930 Peter 59 57 jn61 loud\n1931 JÜRGEN MAIER-LÜDERS 5 9\n1932 anna nice talk\n1933 13sd7";
  const read = readLines(text, "2026-05-17", {});
  assert.deepEqual(
    read.map(({ qso, trouble }) => [qso?.callsignWorked, qso?.notes, qso?.rstSent, trouble]),
    [
      [null, "Name: Peter\nloud", "59", null],
      [null, "Name: JÜRGEN MAIER-LÜDERS", "55", null],
      [null, "Name: anna\nnice talk", null, null],
      ["13SD7", null, null, null],
    ],
  );
  const [{ trouble }] = readLines("27.555\n1930 Peter 59 57", "2026-05-17", {});
  assert.equal(trouble, "No callsign found.");
});

test("words before the callsign apply to later lines, words after it only to its QSO", () => {
  const text = `
{ A contest,
  written down later }
# its head
mycall 21sd333/p
mygrid jo59jw
nickname Hill

date 26-5-17
11m usb 27.555 1930
26at101 5 7 #jn61 @Bob < strong > fading
     1at5 ,33 .007
  59 cb 19 am 14fr7 .12 .jn18
day + ch8 88.5 fm 0005 13sd7
17.6.2026 11m 1200 2sd2`;
  const read = readLines(text, "2026-01-01", {}).map(({ qso }) => qso);
  const names = ["qsoAt", "callsignWorked", "frequencyMhz", "channel", "ctcssTone", "mode"];
  assert.deepEqual(
    read.map((qso) => names.map((name) => qso[name])),
    [
      ["2026-05-17T19:30:00.000Z", "26AT101", "27.555", null, null, "USB"],
      ["2026-05-17T19:30:00.000Z", "1AT5", "27.555", null, null, "USB"],
      ["2026-05-17T19:59:00.000Z", "14FR7", "27.185", null, null, "AM"],
      ["2026-05-18T00:05:00.000Z", "13SD7", null, 8, "88.5", "FM"],
      ["2026-06-17T12:00:00.000Z", "2SD2", null, null, null, "FM"],
    ],
  );
  assert.deepEqual(
    read.map(({ rstSent, rstReceived }) => [rstSent, rstReceived]),
    [
      ["55", "57"],
      ["59 033", "59 007"],
      ["59 034", "59 12"],
      ["59 035", null],
      ["59 036", null],
    ],
  );
  const [{ dxLocator, notes, operatorCallsign, myLocator }] = read;
  assert.deepEqual(
    [dxLocator, notes, operatorCallsign, myLocator],
    ["JN61", "Name: Bob\nstrong fading", "21SD333/P", "JO59jw"],
  );
});

test("a report with one digit is the strength, and gets readability and a telegraphy tone", () => {
  const [phone, telegraphy] = readLines("1930 26at1 9\ncw 26at2 5 3", "2026-05-17", {});
  assert.equal(phone.qso.rstSent, "59");
  assert.deepEqual([telegraphy.qso.rstSent, telegraphy.qso.rstReceived], ["559", "539"]);
});

test("bands that the service lacks are reported at each line, until a known band follows", () => {
  const text = "1930 26at1\n40m cw\n26at2\n14.060 26at3\n27.555 26at4";
  assert.deepEqual(
    readLines(text, "2026-05-17", {}).map(({ trouble }) => Boolean(trouble)),
    [false, true, true, false],
  );
});

// Tests that packs of QSOs answer like one sorted index while packs are added and removed.

const [PACKS, SIZE] = [20, 50];

/** Imitates the part of IndexedDB's store that packs need. */
class Store {
  records = new Map();
  last = 0;
  #answer(result) {
    const request = { result };
    queueMicrotask(() => request.onsuccess());
    return request;
  }
  getAllKeys = () => this.#answer([...this.records.keys()]);
  get = (number) => this.#answer(this.records.get(number));
  put = (records) => (this.records.set(++this.last, records), this.#answer(this.last));
  delete = (number) => void this.records.delete(number);
}
const callOf = (number) => `${(number * 7919) % 100}AT${number % 10}`;
const keyOf = (number) => String(number).padStart(5, "0");
let reads = 0;
const recordOf = (number) => ({
  key: keyOf(number),
  qso: {},
  get call() {
    reads++;
    return callOf(number);
  },
});
const packOf = (number) => Array.from({ length: SIZE }, (_, at) => recordOf(number * SIZE + at));

const sorted = (numbers) =>
  numbers
    .map((number) => [callOf(number), keyOf(number)])
    .sort(([a, first], [b, second]) => (a === b ? (first < second ? -1 : 1) : a < b ? -1 : 1));
const numbersOf = (from, to) => Array.from({ length: to - from }, (_, at) => from + at);
const ask = (packs, range, most) =>
  packs.merge([], "call", range, most).map(({ call, key }) => [call, key]);

async function fill() {
  const [store, packs] = [new Store(), new Packs({ call: "call" })];
  for (let number = 0; number < PACKS; number++) await packs.add(store, packOf(number));
  return { store, packs };
}

test("merged packs are in the order of the index", async () => {
  const { packs } = await fill();
  const all = sorted(numbersOf(0, PACKS * SIZE));
  assert.deepEqual(ask(packs, null), all);
  assert.deepEqual(ask(packs, null, 7), all.slice(0, 7));
  for (const [lowerOpen, upperOpen] of [
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ]) {
    const range = { lower: "26AT1", upper: "50AT3", lowerOpen, upperOpen };
    const part = all.filter(
      ([call]) =>
        (lowerOpen ? call > "26AT1" : call >= "26AT1") &&
        (upperOpen ? call < "50AT3" : call <= "50AT3"),
    );
    assert.deepEqual(ask(packs, range), part);
    for (const most of [1, 2, 30, part.length])
      assert.equal(packs.keyFromEnd("call", range, most), part.at(-most)[0]);
    assert.equal(packs.keyFromEnd("call", range, part.length + 1), null);
  }
  assert.deepEqual(ask(packs, { lower: "x" }), []);
});

test("adding or removing a pack keeps the other packs sorted", async () => {
  const { store, packs } = await fill();
  reads = 0;
  ask(packs, null, 1);
  assert.equal(reads, PACKS * SIZE + 1);
  await packs.add(store, packOf(PACKS));
  reads = 0;
  ask(packs, null, 1);
  assert.equal(reads, SIZE + 1, "only the new pack is read");
  await packs.remove(
    store,
    packs.some(SIZE / 2).map(({ key }) => key),
  );
  reads = 0;
  ask(packs, null, 1);
  assert.equal(reads, SIZE / 2 + 1, "only the rest of the oldest pack is read");
  assert.deepEqual(ask(packs, null), sorted(numbersOf(SIZE / 2, (PACKS + 1) * SIZE)));
  const other = new Packs({ call: "call" });
  await other.follow(store);
  assert.deepEqual(ask(other, null), ask(packs, null), "another tab has the same answers");
});

test("searches and filters find the same QSOs as the service", () => {
  const { qsos, cases, filters } = JSON.parse(
    readFileSync(new URL("../data/searches.json", import.meta.url), "utf8"),
  );
  assert.ok(cases.length > 25);
  for (const [text, found, why] of cases) {
    const words = readWords(text);
    const names = Object.keys(qsos).filter(
      (name) =>
        hasWords(words, qsos[name]) && (!words.day || qsos[name].qsoAt.startsWith(words.day)),
    );
    assert.deepEqual(names, found, why);
  }
  assert.ok(filters.length > 8);
  for (const [wish, found, why] of filters) {
    const sought = soughtOf(new Map(Object.entries(wish)));
    const band = "ELEVEN_METERS";
    const names = Object.keys(qsos).filter((name) => isSought({ band, ...qsos[name] }, sought));
    assert.deepEqual(names, found, why);
  }
});

test("a QSO is new for the most valuable thing that the log lacked before", () => {
  const counts = new LogCounts("JO59");
  const rows = [
    ["e", "26AT9", "04", "FM", {}],
    ["d", "26AT0/DX", "04", "USB", { dxLocator: "IO92" }],
    ["c", "26AT1", "03", "LSB", { dxLocator: "IO92" }],
    ["b", "26AT1", "02", "USB", { dxLocator: "IO91" }],
    ["a", "26AT1", "01", "USB", { qsoStatus: "HRD" }],
    ["f", "26AT1", "05", "FM", { band: "PMR446" }],
    ["g", "Peter", "06", "FM", { band: "PMR446", dxLocator: "JO01" }],
    ["h", "26AT1", "02", "USB", { id: 5 }],
  ];
  for (const [clientId, callsignWorked, hour, mode, others] of rows) {
    const qsoAt = `2026-01-01T${hour}:00Z`;
    counts.add({ clientId, callsignWorked, qsoAt, mode, band: "ELEVEN_METERS", ...others });
  }
  assert.deepEqual(Object.fromEntries([...counts.news()].sort()), {
    ...{ b: "square", c: "square", d: "special", e: "mode", f: "band", g: "square", h: "division" },
  });
});
test("the map has the places of the newest 10,000 QSOs, and says if there are more", () => {
  const at = (place) => new Date(Date.UTC(2020, 0, 1) + place * 60000).toISOString();
  const locatorOf = (place) => (place === 0 ? "QF22" : place === 1 ? "JN61" : "IO91");
  const mapOf = (count) => {
    const counts = new LogCounts("JO59");
    for (let place = count - 1; place >= 0; place--)
      counts.add({ qsoAt: at(place), band: "PMR446", dxLocator: locatorOf(place) });
    return counts.map();
  };
  const inFull = mapOf(10000);
  assert.equal(inFull.more, false);
  assert.deepEqual(
    inFull.points.map((point) => point[4]),
    [1, 1, 9998],
  );
  const without = mapOf(10001);
  assert.equal(without.more, true);
  assert.deepEqual(
    without.points.map((point) => point[4]),
    [1, 9999],
  );
  assert.deepEqual(
    mapOf(45000).points.map((point) => point[4]),
    [10000],
  );
});
test("a text has one callsign, or several after commas or as whole words", () => {
  for (const [text, callsigns] of [
    ["26AT101, 14FR2 3AT7", ["26AT101", "14FR2", "3AT7"]],
    ["26AT101 14FR2", ["26AT101", "14FR2"]],
    ["161/21SD333 26AT0/DX", ["161/21SD333", "26AT0/DX"]],
    ["26 AT 101", ["26 AT 101"]],
    ["26AT 101", ["26AT 101"]],
    ["1 at / dx", ["1 at / dx"]],
    ["26 AT 101; 14FR2,", ["26 AT 101", "14FR2"]],
    [" 26AT101 ", ["26AT101"]],
    [" , ", []],
    ["", []],
  ])
    assert.deepEqual(callsignsIn(text), callsigns, text);
});
