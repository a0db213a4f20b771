// Reads the frequencies, channels and tones that people type. The service has the same rules
// (src/qso/tuning.c); t/data/tunings.tsv contains their cases. Does not use the page. The form
// loads this module when it is first needed, because of its tables.
import { CALLING } from "../calling.js";
import { PLANS as PLAN_ROWS, RUNS as RUN_ROWS } from "../channel-plans.js";
import { DCS_CODES, MORE_TONES_HZ, TONES_HZ } from "../tones.js";
import { countryOf, divisionOf, numberOf } from "./callsigns.js";

/**
 * @typedef {object} Channel
 * @property {string} mhz with three decimals
 * @property {string} plan code of the plan; a: a channel with an A, which no plan defines
 * @property {string} name such as 41, 19A or C15
 */
/**
 * @typedef {{mhz?: string, channel?: Channel, ask?: Channel[]}} Tuning without values, the text
 *   names only the band
 */
/** @typedef {{ctcssTone: string | null, dcsCode: string | null}} Tone */
/** @typedef {{tone?: Tone, ask?: Tone[]}} ToneRead */

const STEP_HZ = 10000;
const PMR_LOW_HZ = 446006250;
const PMR_STEP_HZ = 12500;
const PMR_CHANNELS = 16;
/** The plans by their codes; `possible` are the plans from which the number of a member can be. */
export const PLANS = new Map(
  PLAN_ROWS.split("\n").map((row) => {
    const [code, name, divisions, possible] = row.split("|");
    return [
      code,
      { name, divisions: divisions.split(" ").map(Number), possible: possible.split(" ") },
    ];
  }),
);
const RUNS = RUN_ROWS.split("\n").map((row) => {
  const [plan, letter, after, ...numbers] = row.split("|");
  const [first, last, hz] = numbers.map(Number);
  return { plan, letter, after, first, last, hz };
});
const [ANY] = PLANS.values();

/** @param {number} hz */
const mhzOf = (hz) => (Math.floor((hz + 500) / 1000) / 1000).toFixed(3);
/**
 * Returns the plans from which a number can be that the owner of this callsign wrote.
 * @param {string | null | undefined} callsign
 */
export function plansOf(callsign) {
  const division = numberOf(callsign);
  return ([...PLANS.values()].find(({ divisions }) => divisions.includes(division)) ?? ANY)
    .possible;
}
/**
 * @param {string} plan
 * @param {string} letter of a grid; empty: none, which means C in a plan with grids
 * @param {number} number
 * @returns {Channel[]} one or none
 */
function find(plan, letter, number) {
  const run = RUNS.find(
    (one) =>
      one.plan === plan &&
      number >= one.first &&
      number <= one.last &&
      (one.letter === letter || (!letter && one.letter === "C")),
  );
  if (!run) return [];
  const mhz = mhzOf(run.hz + (number - run.first) * STEP_HZ);
  return [{ mhz, plan, name: `${run.letter}${number}${run.after}` }];
}
/**
 * Returns the channels that a number can mean, in the first list of plans that has the number.
 * @param {string[][]} lists
 * @param {string} letter
 * @param {number} number
 */
function findFirst(lists, letter, number) {
  for (const plans of lists) {
    const found = plans.flatMap((plan) => find(plan, letter, number));
    if (found.length)
      return found.filter(({ mhz }, at) => found.findIndex((one) => one.mhz === mhz) === at);
  }
  return [];
}
/**
 * Returns the channel on a frequency: in the member's plan, or else among the forty and the
 * channels with an A.
 * @param {string} mhz
 * @param {string} plan code of the plan that the member has set; empty: none
 * @param {string | null} [callsign]
 * @returns {Channel | null}
 */
export function channelOn(mhz, plan, callsign) {
  for (const code of [plan || plansOf(callsign)[0], "eu", "a"])
    for (const { plan: of, first, last, hz, letter, after } of RUNS) {
      const place = Math.round((Number(mhz) * 1e6 - hz) / STEP_HZ);
      const number = first + place;
      if (of === code && number >= first && number <= last && mhzOf(hz + place * STEP_HZ) === mhz)
        return { mhz, plan: code, name: `${letter}${number}${after}` };
    }
  return null;
}

/** @param {string} text */
const plain = (text) => text.trim().toLowerCase().replaceAll(",", ".").replace(/\s+/g, " ");
/** @param {string} text without the words for a channel */
const withoutWord = (text) =>
  text.replace(
    /^(channel|canale|canal|kanaal|kanał|kanal|ch|cb|k|#|pmr446|pmr)[. ]*(?=[a-l]?\d)/,
    "",
  );
/**
 * Returns the frequency in Hz; null: the text is not a frequency.
 * @param {string} text
 */
function readHz(text) {
  const [, whole, rest = "", unit = ""] = /^(\d{2,8})(?:\.(\d+))? ?(mhz|khz|hz)?$/.exec(text) ?? [];
  if (!whole) return null;
  const isUsual = unit || rest || [3, 5, 8].includes(whole.length);
  if (!isUsual) return null;
  if (!unit && !rest && whole.length === 3) return Number(`27${whole}000`);
  const decimals = unit ? { mhz: 6, khz: 3, hz: 0 }[unit] : rest ? 6 : 8 - whole.length;
  return Number(whole + rest.slice(0, decimals).padEnd(decimals ?? 0, "0"));
}

/**
 * Reads a frequency or a channel on 11 m.
 * @param {string} text
 * @param {string} plan code of the plan that the member has set; empty: none
 * @param {string | null} [callsign] the member's, from which the plan is guessed
 * @returns {Tuning | null} null: the text has no meaning
 */
export function readTuning(text, plan, callsign) {
  const typed = plain(text);
  if (/^(27 ?mhz|11 ?m|cb)$/.test(typed)) return {};
  const hz = readHz(typed);
  if (hz !== null) return hz >= 26e6 && hz <= 28e6 ? { mhz: mhzOf(hz) } : null;
  const [, named, rest] = /^(eu|de|uk|pl|ru5|ru0|export) ?(.+)$/.exec(typed) ?? [];
  const [, before, digits, after] =
    /^(?:([a-l])[ -]?)?(\d{1,2})(?:[ -]?([a-l]))?$/.exec(withoutWord(rest ?? typed)) ?? [];
  if (!digits || (before && after)) return null;
  const number = Number(digits);
  const lists = named
    ? [[named]]
    : after === "a"
      ? [["a"]]
      : plan
        ? [[plan], ANY.possible]
        : [plansOf(callsign), ANY.possible, [...PLANS.keys()]];
  const letter = after === "a" && !named ? "" : (before || after || "").toUpperCase();
  const found = findFirst(lists, letter, number);
  if (!found.length) return null;
  return found.length > 1 ? { ask: found } : { channel: found[0], mhz: found[0].mhz };
}

/** @param {string} ctcssTone @returns {Tone} */
const ctcss = (ctcssTone) => ({ ctcssTone, dcsCode: null });
/** @param {string} dcsCode @returns {Tone} */
const dcs = (dcsCode) => ({ ctcssTone: null, dcsCode });
/**
 * Returns the tones that a number above 38 can mean: radios number these tones differently, and
 * people also leave out the decimal, or the letters of a DCS code.
 * @param {string} digits
 */
function tonesOf(digits) {
  const number = Number(digits);
  const more = MORE_TONES_HZ[number - TONES_HZ.length - 1];
  const cut = [...TONES_HZ, ...MORE_TONES_HZ].filter((hz) => hz.startsWith(`${digits}.`));
  const codes = DCS_CODES.includes(digits) ? [dcs(`D${digits}N`), dcs(`D${digits}I`)] : [];
  return [...codes, ...[...(more ? [more] : []), ...cut].map(ctcss)];
}
/**
 * Reads a tone: the number of one of the 38 tones, Hz or a DCS code.
 * @param {string} text
 * @returns {ToneRead | null} null: the text has no meaning
 */
export function readTone(text) {
  const typed = plain(text);
  if (typed === "" || typed === "0") return { tone: { ctcssTone: null, dcsCode: null } };
  const [, digits, decimal, unit] = /^(\d{1,3})(?:\.(\d))? ?(hz)?$/.exec(typed) ?? [];
  const exact = decimal ? `${digits}.${decimal}` : `${digits}.0`;
  if (decimal) return digits.length > 1 ? { tone: ctcss(exact) } : null;
  if (unit) return [...TONES_HZ, ...MORE_TONES_HZ].includes(exact) ? { tone: ctcss(exact) } : null;
  if (digits && digits.length < 3 && Number(digits) <= TONES_HZ.length)
    return Number(digits) ? { tone: ctcss(TONES_HZ[Number(digits) - 1]) } : null;
  if (digits) {
    const ask = tonesOf(digits);
    return ask.length ? { ask } : null;
  }
  const [, , code, end = ""] = /^(dcs|dtcs|dpl|d)? ?([0-7]{3}) ?([nir])?$/.exec(typed) ?? [];
  return code ? { tone: dcs(`D${code}${end.toUpperCase().replace("R", "I")}`) } : null;
}
/**
 * Reads a channel of PMR446, with the tone that can follow.
 * @param {string} text
 * @returns {({channel: number} & ToneRead) | null} null: the text has no meaning
 */
export function readPmr(text) {
  const typed = plain(text);
  const [, decimals] = /^446\.(\d{3,}) ?(?:mhz)?$/.exec(typed) ?? [];
  if (decimals) {
    const place = (446e6 + Number(decimals.slice(0, 6).padEnd(6, "0")) - PMR_LOW_HZ) / PMR_STEP_HZ;
    const channel = Math.round(place) + 1;
    const isNear = Math.abs(place - Math.round(place)) * PMR_STEP_HZ <= 1000;
    return isNear && channel >= 1 && channel <= PMR_CHANNELS ? { channel } : null;
  }
  const [, digits, , tone] =
    /^(\d{1,2})((?:[-/:. ]|$)(?:[-/:. ]|con|com|mit|sub-?ton[eo]?|ton[eo]?|ctcss|dcs)*)(.*)$/.exec(
      withoutWord(typed),
    ) ?? [];
  const channel = Number(digits);
  if (!digits || channel < 1 || channel > PMR_CHANNELS) return null;
  const read = readTone(tone);
  return read && { channel, ...read };
}

/**
 * Returns the calling frequencies for a member: those of the country, of the continent, and of all.
 * @param {string} callsign
 */
export function callingFor(callsign) {
  const division = numberOf(callsign);
  const iso = division ? (countryOf(division).iso ?? "").toLowerCase() : "";
  const regions = [iso, division ? divisionOf(division).continent : "", "*"];
  const rows = CALLING.split("\n").map((row) => row.split("|"));
  const sorted = regions.flatMap((region) => rows.filter(([of]) => of === region));
  return sorted
    .map(([, mhz, mode, purpose]) => ({ mhz, mode, purpose }))
    .filter(({ mhz }, place, all) => all.findIndex((one) => one.mhz === mhz) === place);
}
