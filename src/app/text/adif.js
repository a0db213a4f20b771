// Writes an ADIF file of QSOs that the service does not have yet, for a member whose key no longer
// works. Each record also has the service's own fields, so an import produces the same QSO.
import { MODES_OF_ADIF } from "./tables.js";
import { FIELDS, normalise } from "../qsosync-fields.js";

/** @typedef {Record<string, any>} AnyQso */

/** @param {string} name of a field of the service */
function ownName(name) {
  return `APP_QSOSYNC_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
/**
 * @param {string} name
 * @param {unknown} value
 */
function tag(name, value) {
  const text = String(value);
  return `<${name}:${new TextEncoder().encode(text).length}>${text}`;
}

/**
 * A text without "<", which readers would take for the beginning of a field. Our own field has the
 * unchanged text.
 * @param {unknown} value
 */
function escapeText(value) {
  return String(value).replace(/<(?=[a-z_/])/gi, "(");
}
/**
 * A text as the service writes it into its own fields (src/adif/record.c).
 * @param {unknown} value
 */
function encoded(value) {
  return String(value).replace(/[^ -~]|[%<]/gu, (character) =>
    [...new TextEncoder().encode(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
      .join(""),
  );
}

/** @type {Record<string, string>} */
const QSL_WAYS = { DIRECT: "D", BUREAU: "B", EQSL: "E", ECARD: "E" };
/** @type {Record<string, string>} */
const PATHS = { SP: "S", LP: "L" };

/** Splits a report and a serial number as the service does (src/adif/serials.c). */
const WITH_SERIAL = /^([\d+-][^\0- <\x7f]+) (?=.*\d)(?!0+$)([a-z\d][a-z\d/-]*)$/i;

/**
 * @param {string} report
 * @param {string} field for the report
 * @param {string} serialField for the number in it
 */
function reportTags(report, field, serialField) {
  const [, alone, serial] = WITH_SERIAL.exec(report) ?? [report, report];
  if (!serial) return [tag(field, alone)];
  return [tag(field, alone), tag(`${serialField}${/\D/.test(serial) ? "_STRING" : ""}`, serial)];
}

/** @param {AnyQso} qso whose frequency in MHz is returned; null: none */
function frequencyOf(qso) {
  if (qso.band === "PMR446") return 446.00625 + (qso.channel - 1) * 0.0125;
  return qso.frequencyMhz === null ? null : Number(qso.frequencyMhz);
}
/**
 * A coordinate as N051 30.441.
 * @param {number} value
 * @param {string} directions
 */
function formatCoordinate(value, directions) {
  const thousandths = Math.round(Math.abs(value) * 60000);
  const degrees = String(Math.floor(thousandths / 60000)).padStart(3, "0");
  const minutes = ((thousandths % 60000) / 1000).toFixed(3).padStart(6, "0");
  return `${directions[value < 0 ? 1 : 0]}${degrees} ${minutes}`;
}

// Fields that a standard field represents completely; every other field also has a field of the
// service's own.
const STANDARD_ALONE = [
  ...["frequencyMhz", "callsignWorked", "operatorCallsign", "dxLocator", "myLocator", "txPowerW"],
  ...["path", "rstSent", "rstReceived", "qslSent", "qslReceived", "sendSpot"],
];

/** @param {AnyQso} qso */
function formatRecord(qso) {
  const tags = [
    tag("QSO_DATE", qso.qsoAt.slice(0, 10).replaceAll("-", "")),
    tag("TIME_ON", qso.qsoAt.slice(11, 19).replaceAll(":", "")),
  ];
  if (qso.band === "ELEVEN_METERS") tags.push(tag("BAND", "11m"));
  const frequency = frequencyOf(qso);
  /** @type {(mhz: number) => string} */
  const formatMhz = (mhz) => mhz.toFixed(5).replace(/0{1,2}$/, "");
  if (frequency !== null) tags.push(tag("FREQ", formatMhz(frequency)));
  if (frequency !== null && qso.splitKhz !== null)
    tags.push(tag("FREQ_RX", formatMhz(frequency - qso.splitKhz / 1000)));
  if (qso.dxLat !== null) tags.push(tag("LAT", formatCoordinate(qso.dxLat, "NS")));
  if (qso.dxLng !== null) tags.push(tag("LON", formatCoordinate(qso.dxLng, "EW")));
  if (qso.path in PATHS) tags.push(tag("ANT_PATH", PATHS[qso.path]));
  if (qso.qslVia in QSL_WAYS) tags.push(tag("QSL_SENT_VIA", QSL_WAYS[qso.qslVia]));
  if (qso.qslVia === "EQSL") tags.push(tag("EQSL_QSL_SENT", qso.qslSent ? "Y" : "N"));
  const [mode, submode] = MODES_OF_ADIF[qso.mode] ?? [];
  if (mode) tags.push(tag("MODE", mode));
  if (submode) tags.push(tag("SUBMODE", submode));
  for (const { name, adif } of FIELDS)
    if (adif && qso[name] !== null) tags.push(tag(adif, escapeText(qso[name])));
  if (qso.rstSent !== null) tags.push(...reportTags(qso.rstSent, "RST_SENT", "STX"));
  if (qso.rstReceived !== null) tags.push(...reportTags(qso.rstReceived, "RST_RCVD", "SRX"));
  tags.push(tag("QSL_SENT", qso.qslSent ? "Y" : "N"), tag("QSL_RCVD", qso.qslReceived ? "Y" : "N"));
  for (const [name, value] of Object.entries(normalise(qso)))
    if (value !== null && !STANDARD_ALONE.includes(name))
      tags.push(tag(ownName(name), encoded(value)));
  return `${tags.join(" ")} <EOR>\n`;
}

/** @param {AnyQso[]} qsos complete, in the service's form */
export function formatAdif(qsos) {
  return `${tag("ADIF_VER", "3.1.5")} ${tag("PROGRAMID", "QSOsync")} <EOH>\n${qsos.map(formatRecord).join("")}`;
}
