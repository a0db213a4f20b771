// Lines from paper, and the channels and frequencies that they and the form name.
import assert from "node:assert/strict";
import test from "node:test";
import {
  channelOfFrequency,
  frequencyOfChannel,
  readFrequency,
  stepFrequency,
} from "../../app/channels.js";
import { readLines } from "../../app/lines.js";

test("CB channels have their frequencies, those out of order too", () => {
  for (const [channel, mhz] of [
    [1, "26.965"],
    [4, "27.005"],
    [19, "27.185"],
    [22, "27.225"],
    [23, "27.255"],
    [24, "27.235"],
    [25, "27.245"],
    [26, "27.265"],
    [40, "27.405"],
  ]) {
    assert.equal(frequencyOfChannel(channel), mhz);
    assert.equal(channelOfFrequency(mhz), channel);
  }
  for (const none of [0, 41, NaN]) assert.equal(frequencyOfChannel(none), null);
  for (const none of ["26.995", "27.555", ""]) assert.equal(channelOfFrequency(none), null);
});

test("a frequency is read as people write it, and stepped within the band", () => {
  for (const text of ["27.555", "27,555", "27555", "555", " 27.555 "])
    assert.equal(readFrequency(text), "27.555");
  for (const text of ["", "x", "27.5555", "1e3"]) assert.equal(readFrequency(text), null);
  assert.equal(stepFrequency("27.555", 5), "27.560");
  assert.equal(stepFrequency("28.000", 10), "28.000");
  assert.equal(stepFrequency("26.000", -5), "26.000");
});

test("what a line says holds for those below it", () => {
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

test("a line that is not understood says so", () => {
  const troubles = readLines("26at101\n1930 nothing\n", "2026-05-17", {});
  assert.deepEqual(
    troubles.map(({ qso, trouble }) => [qso, trouble]),
    [
      [null, "No time found."],
      [null, "No callsign found."],
    ],
  );
});

test("words before the callsign hold, words behind it are of one QSO", () => {
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

test("a report of one digit is the strength, in telegraphy with its tone", () => {
  const [phone, telegraphy] = readLines("1930 26at1 9\ncw 26at2 5 3", "2026-05-17", {});
  assert.equal(phone.qso.rstSent, "59");
  assert.deepEqual([telegraphy.qso.rstSent, telegraphy.qso.rstReceived], ["559", "539"]);
});

test("bands that the service does not have are told at each line, until another follows", () => {
  const text = "1930 26at1\n40m cw\n26at2\n14.060 26at3\n27.555 26at4";
  assert.deepEqual(
    readLines(text, "2026-05-17", {}).map(({ trouble }) => Boolean(trouble)),
    [false, true, true, false],
  );
});
