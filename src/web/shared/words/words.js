// Formats the times, frequencies and values of QSOs, and the service's reasons for rejections.
import { say } from "../language.js";
import { fieldValue } from "./qso-words.js";
import { REJECTIONS } from "./rejections.js";
import { normalise } from "../qsosync-fields.js";

/** @typedef {Record<string, any>} AnyQso */

/**
 * Returns the names of the fields in some QSOs, without the fields that people do not read. Fields
 * that only a newer service has are last.
 * @param {...AnyQso} qsos
 */
export function fieldsOf(...qsos) {
  const names = new Set(qsos.flatMap((qso) => Object.keys(normalise(qso))));
  return [...names].filter((name) => name !== "clientId" && name !== "sendSpot");
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
  if (name === "qsoAt" && value) return `${value.slice(0, 10)} ${value.slice(11, 19)}`;
  return fieldValue(name, value);
}

/**
 * Returns the service's reason for a rejection; codes become sentences.
 * @param {string} reason
 */
export function reasonOf(reason) {
  const sentence = Object.hasOwn(REJECTIONS, reason) ? REJECTIONS[reason][1] : null;
  return sentence ? say(sentence) : reason;
}
