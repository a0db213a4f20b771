// Writes an ADIF file with the unsent QSOs, for a member whose device cannot send them. Each record
// also has the service's own fields, so an import produces the same QSO.
import { ADIF_ROWS, MODES_OF_ADIF } from "./tables.js";
import { FIELDS, normalise } from "../../shared/qsosync-fields.js";

/** @typedef {Record<string, any>} AnyQso */

/** @param {string} name the service's name of a field */
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
 * Replaces control characters, and "<" where other programs would read it as the beginning of a
 * field. Lines end with CR LF. The service's own field has the unchanged text.
 * @param {unknown} value
 */
function escapeText(value) {
  return String(value)
    .replaceAll("\r\n", "\n")
    .replace(/<(?=[a-z/])/gi, "(")
    .replace(/[\0-\x1f\x7f]/g, (control) => (control === "\n" ? "\r\n" : " "));
}
/**
 * Returns a text as the service writes it into its own fields (src/adif/to_fields.c).
 * @param {unknown} value
 */
function encoded(value) {
  return String(value).replace(/[^ -~]|[%<]/gu, (character) =>
    [...new TextEncoder().encode(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
      .join(""),
  );
}

/** Splits a report and a serial number as the service does (src/adif/serials.c). */
const WITH_SERIAL = /^([\d+-][^\0- <\x7f]+) (?=.*\d)(?!0+$)([a-z\d][a-z\d/-]*)$/i;

/**
 * @param {string} report
 * @param {string} field the field for the report
 * @param {string} serialField the field for the serial number in the report
 */
function reportTags(report, field, serialField) {
  const [, alone, serial] = WITH_SERIAL.exec(report) ?? [report, report];
  if (!serial) return [tag(field, alone)];
  return [tag(field, alone), tag(`${serialField}${/\D/.test(serial) ? "_STRING" : ""}`, serial)];
}

/**
 * Returns the frequency of a QSO in MHz, or null.
 * @param {AnyQso} qso
 */
function frequencyOf(qso) {
  if (qso.band === "PMR446") return 446.00625 + (qso.channel - 1) * 0.0125;
  return qso.frequencyMhz === null ? null : Number(qso.frequencyMhz);
}
/** @param {number} mhz */
const formatMhz = (mhz) => mhz.toFixed(5).replace(/0{1,2}$/, "");
/**
 * Returns a coordinate in the format N051 30.441.
 * @param {number} value
 * @param {string} directions the letters for positive and negative values
 */
function formatCoordinate(value, directions) {
  const thousandths = Math.round(Math.abs(value) * 60000);
  const degrees = String(Math.floor(thousandths / 60000)).padStart(3, "0");
  const minutes = ((thousandths % 60000) / 1000).toFixed(3).padStart(6, "0");
  return `${directions[value < 0 ? 1 : 0]}${degrees} ${minutes}`;
}

/**
 * A field whose value in the QSO is not null.
 * @typedef {{name: string, field: string, letters: string, qso: AnyQso}} Value
 */
/** @type {(value: Value) => string[]} */
const writeText = ({ name, field, qso }) => [tag(name, escapeText(qso[field]))];
/** @type {(value: Value) => string[]} */
const writeFrequency = ({ name, qso }) => [tag(name, formatMhz(frequencyOf(qso) ?? 0))];
/** @type {(value: Value) => string[]} */
function writeLetter({ name, field, letters, qso }) {
  const letter =
    letters[FIELDS.find((one) => one.name === field)?.choices?.indexOf(qso[field]) ?? -1];
  return letter ? [tag(name, letter)] : [];
}
/**
 * @type {Record<string, (value: Value) => string[]>} functions that return the tags for a value, by
 *   the form in ADIF_ROWS
 */
const WRITERS = {
  text: writeText,
  station: writeText,
  locator: writeText,
  power: writeText,
  notes: writeText, // unsplit: only the service extracts NAME and QTH from the notes
  frequency: writeFrequency,
  channel: writeFrequency,
  path: writeLetter,
  time: ({ qso: { qsoAt } }) => [
    tag("QSO_DATE", qsoAt.slice(0, 10).replaceAll("-", "")),
    tag("TIME_ON", qsoAt.slice(11, 19).replaceAll(":", "")),
  ],
  band: ({ name, qso }) => (qso.band === "ELEVEN_METERS" ? [tag(name, "11m")] : []),
  // A receiving frequency outside the band is omitted, because other programs would misinterpret
  // it.
  split: ({ name, qso: { band, splitKhz, ...qso } }) => {
    const frequency = frequencyOf({ band, ...qso });
    const [lowest, highest] = band === "PMR446" ? [446, 446.2] : [26, 28];
    const receiving = Math.round(((frequency ?? 0) - splitKhz / 1000) * 1e6) / 1e6;
    return lowest <= receiving && receiving <= highest ? [tag(name, formatMhz(receiving))] : [];
  },
  mode: ({ qso }) =>
    (MODES_OF_ADIF[qso.mode] ?? []).map((word, place) => tag(place ? "SUBMODE" : "MODE", word)),
  report: ({ name, field, qso }) =>
    reportTags(qso[field], name, name === "RST_SENT" ? "STX" : "SRX"),
  // The place 0, 0 is omitted, because other programs would interpret this place as unknown.
  coordinate: ({ name, field, qso }) => {
    const [lat, lng] = [qso.dxLat, qso.dxLng].map(
      (value) => value !== null && formatCoordinate(value, "++"),
    );
    if (lat === lng && lat === "+000 00.000") return [];
    return [tag(name, formatCoordinate(qso[field], name === "LAT" ? "NS" : "EW"))];
  },
  qsl: ({ name, field, qso }) => (qso[field] ? [tag(name, "Y")] : []),
  qsl_via: (value) => [
    ...writeLetter(value),
    ...(value.qso.qslVia === "EQSL" && value.qso.qslSent ? [tag("EQSL_QSL_SENT", "Y")] : []),
  ],
};

/**
 * Returns the standard fields of a QSO, as the service writes them (src/adif/to_fields.c).
 * @param {AnyQso} qso
 */
export function standardTags(qso) {
  return ADIF_ROWS.flatMap(([name, field, form, letters]) =>
    (qso[field] ?? null) === null ? [] : WRITERS[form]({ name, field, letters, qso }),
  );
}

// Fields that a standard field represents completely; every other field also has a field of the
// service's own.
const STANDARD_ALONE = [
  ...["frequencyMhz", "callsignWorked", "operatorCallsign", "dxLocator", "myLocator", "txPowerW"],
  ...["path", "rstSent", "rstReceived", "sendSpot"],
];

/** @param {AnyQso} qso */
function formatRecord(qso) {
  const tags = standardTags(qso);
  for (const [name, value] of Object.entries(normalise(qso)))
    if (value !== null && !STANDARD_ALONE.includes(name))
      tags.push(tag(ownName(name), encoded(value)));
  return `${tags.join(" ")} <EOR>\n`;
}

/** @param {AnyQso[]} qsos unsent QSOs, as the service expects */
export function formatAdif(qsos) {
  return `${tag("ADIF_VER", "3.1.5")} ${tag("PROGRAMID", "QSOsync")} <EOH>\n${qsos.map(formatRecord).join("")}`;
}
