// How the app says things: a QSO in a line, what the service refuses, where a callsign is from.
import { say } from "../pages/language.js";
import { REJECTIONS } from "../pages/rejections.js";
import { locale } from "../pages/language.js";
import { DIVISIONS } from "./divisions.js";
import { compact } from "./storage.js";

/** @typedef {Record<string, any>} AnyQso */

/** The names that people read, by field. */
/** @type {Record<string, string>} */
export const NAMES = {
  band: "Band",
  qsoAt: "Time, UTC",
  frequencyMhz: "Frequency, MHz",
  channel: "Channel",
  ctcssTone: "CTCSS tone, Hz",
  dcsCode: "DCS code",
  mode: "Mode",
  callsignWorked: "Callsign worked",
  operatorCallsign: "My callsign, where it is another",
  dxLocator: "Their locator",
  dxLat: "Their latitude",
  dxLng: "Their longitude",
  txPowerW: "Power, W",
  myLocator: "My locator",
  splitKhz: "Split, kHz",
  path: "Path",
  qsoStatus: "State",
  rstSent: "RST sent",
  rstReceived: "RST received",
  qslSent: "QSL sent",
  qslReceived: "QSL received",
  qslVia: "QSL by",
  notes: "Notes",
  radio: "Radio",
  antenna: "Antenna",
};

/** @param {string} iso */
export function timeOf(iso) {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)}`;
}
/** @param {AnyQso} qso */
export function tuningOf(qso) {
  if (qso.band !== "PMR446")
    return [qso.frequencyMhz ?? "11 m", qso.mode].filter(Boolean).join(" ");
  const tone = qso.ctcssTone ?? qso.dcsCode;
  return [`PMR ${qso.channel}`, tone, qso.mode].filter(Boolean).join(" ");
}
/** @param {any} value */
export function valueOf(value) {
  if (typeof value === "boolean") return value ? say("yes") : say("no");
  return value === null || value === undefined ? "–" : String(value);
}

/**
 * Why the service refuses it, in words where it gave a code.
 * @param {string} reason
 */
export function reasonOf(reason) {
  const sentence = Object.hasOwn(REJECTIONS, reason) ? REJECTIONS[reason][1] : null;
  return sentence ? say(sentence) : reason;
}

/**
 * The number and name of the division that a callsign begins with; null: none.
 * @param {string} callsign
 */
export function divisionOf(callsign) {
  const number = /^(\d{1,3})[A-Z]/.exec(compact(callsign))?.[1];
  const row = number ? DIVISIONS[Number(number)] : "";
  if (!number || !row) return null;
  const [name, country] = row.split("|");
  if (!country) return { number, name };
  // Some divisions are parts of a country: the English name tells them apart.
  const english = new Intl.DisplayNames("en", { type: "region" }).of(country);
  if (english !== name) return { number, name };
  return { number, name: new Intl.DisplayNames(locale, { type: "region" }).of(country) ?? name };
}
