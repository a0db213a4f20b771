// How the app says things: a QSO in a line, what the service refuses.
import { say } from "../pages/language.js";
import { REJECTIONS } from "../pages/rejections.js";
import { normalise } from "./qsosync-fields.js";

/** @typedef {Record<string, any>} AnyQso */

/** The names that people read, by field. */
/** @type {Record<string, string>} */
const NAMES = {
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

/**
 * The fields of some QSOs that people read, those without a name here last.
 * @param {...AnyQso} qsos
 */
export function fieldsOf(...qsos) {
  const names = new Set([
    ...Object.keys(NAMES),
    ...qsos.flatMap((qso) => Object.keys(normalise(qso))),
  ]);
  for (const other of ["clientId", "sendSpot"]) names.delete(other);
  return [...names];
}
/** @param {string} field that has no name here keeps the service's */
export function nameOf(field) {
  return Object.hasOwn(NAMES, field) ? say(NAMES[field]) : field;
}

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
/**
 * @param {string} name of a field
 * @param {any} value
 */
export function valueOf(name, value) {
  if (name === "band") return value === "PMR446" ? value : "11 m";
  if (name === "qsoAt" && value) return `${value.slice(0, 10)} ${value.slice(11, 19)}`;
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
