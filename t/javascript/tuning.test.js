// Tests the reader of typed frequencies, channels and tones, by the cases that the service's reader
// also has.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { channelOn, plansOf, readPmr, readTone, readTuning } from "../../pages/tuning.js";

const CASES = readFileSync(new URL("../data/tunings.tsv", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line && !line.startsWith("#"))
  .map((line) => line.split("\t"));

const channel = ({ mhz, plan, name }) => `${mhz} ${plan} ${name}`;
const tone = ({ ctcssTone, dcsCode }) => ctcssTone ?? dcsCode ?? "";
const asked = (answers, form) => `? ${answers.map(form).join(" / ")}`;
const WRITE = {
  "11m": (text, plan, callsign) => {
    const read = readTuning(text, plan, callsign);
    if (!read?.ask) return read && (read.channel ? channel(read.channel) : (read.mhz ?? "11m"));
    return asked(read.ask, channel);
  },
  pmr: (text) => {
    const read = readPmr(text);
    const end = read?.ask ? asked(read.ask, tone) : tone(read?.tone ?? {});
    return read && `${read.channel} ${end}`.trim();
  },
  tone: (text) => {
    const read = readTone(text);
    return read && (read.ask ? asked(read.ask, tone) : tone(read.tone) || "none");
  },
};

test("typed frequencies, channels and tones mean what the service reads", () => {
  assert.ok(CASES.length > 130);
  for (const [kind, plan, callsign, text, meaning] of CASES)
    assert.equal(WRITE[kind](text, plan, callsign) ?? "-", meaning, `${kind} ${plan} ${text}`);
});
test("a frequency has the number of the member's plan, or else of the forty", () => {
  for (const [mhz, plan, callsign, number] of [
    ["26.565", "", "13AT1", "de 41"],
    ["26.565", "eu", "13AT1", null],
    ["27.601", "uk", "", "uk 1"],
    ["27.185", "uk", "", "eu 19"],
    ["27.195", "de", "", "a 19A"],
    ["27.180", "", "161AT1", "pl 19"],
    ["27.585", "export", "", "export 55"],
    ["27.635", "ru5", "", "ru5 D19"],
    ["27.555", "", "", null],
    ["27.956", "uk", "", null],
  ]) {
    const found = channelOn(mhz, plan, callsign);
    assert.equal(found && `${found.plan} ${found.name}`, number, `${mhz} ${plan}`);
  }
  assert.deepEqual(plansOf("26AT101"), ["uk", "eu"]);
});
