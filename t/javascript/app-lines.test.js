// Lines from paper, and the channels and frequencies that they and the form name.
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

// Beside one another, as they are served.
const folder = mkdtempSync(join(tmpdir(), "qsosync-"));
const load = (name) => import(pathToFileURL(join(folder, name)));
writeFileSync(join(folder, "package.json"), '{"type":"module"}');
for (const name of ["src/app/channels.js", "src/app/lines.js", "clients/qsosync-fields.js"])
  copyFileSync(
    fileURLToPath(new URL(`../../${name}`, import.meta.url)),
    join(folder, name.split("/").pop()),
  );
const { channelOfFrequency, frequencyOfChannel, readFrequency, stepFrequency } =
  await load("channels.js");
const { readLines } = await load("lines.js");
rmSync(folder, { recursive: true });

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
      [null, "No time was understood."],
      [null, "No callsign was understood."],
    ],
  );
});
