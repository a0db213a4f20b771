// The fields of a QSO and their values in words, where a reader looks at all of them. A field that
// stands in no row keeps the API's name.
import { day, hour, typed } from "./page.js";
import { say } from "./language.js";

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
  operatorCallsign: "My callsign",
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
  spottedAt: "Spotted",
  crossConfirmedAt: "Confirmed",
};
const TIMES = new Set(["qsoAt", "spottedAt", "crossConfirmedAt"]);
/** @type {Record<string, Record<string, string>>} */
const CHOICES = {
  band: { ELEVEN_METERS: "11 m" },
  path: { SP: "Short", LP: "Long" },
  qsoStatus: { HRD: "Heard", WKD: "Worked", CFM: "Confirmed" },
  qslVia: { DIRECT: "Mail", BUREAU: "Bureau", EQSL: "eQSL", ECARD: "Electronic card" },
};
const UNTRANSLATED = new Set(["11 m", "eQSL"]);

/** @param {string} field */
export function fieldName(field) {
  return Object.hasOwn(NAMES, field) ? say(NAMES[field]) : field;
}
/**
 * @param {string} field
 * @param {unknown} value
 */
export function fieldValue(field, value) {
  if (value === null || value === "") return "–";
  if (typeof value === "boolean") return say(value ? "yes" : "no");
  if (TIMES.has(field) && typeof value === "string") return `${day(value)}, ${hour(value)}`;
  const word = CHOICES[field]?.[String(value)];
  if (!word) return typed(value);
  return UNTRANSLATED.has(word) ? word : say(word);
}
