// Formats the times and frequencies of QSOs, and the service's reasons for rejections.
import { say } from "../language.js";
import { REJECTIONS } from "./rejections.js";
import { toneOf } from "./qso-words.js";

/** @typedef {Record<string, any>} AnyQso */

/** @param {string} iso */
export function timeOf(iso) {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)}`;
}
/** @param {AnyQso} qso */
export function tuningOf(qso) {
  if (qso.band !== "PMR446")
    return [qso.frequencyMhz ?? "11 m", qso.mode].filter(Boolean).join(" ");
  return [`PMR ${qso.channel}`, toneOf(qso), qso.mode].filter(Boolean).join(" ");
}

/**
 * Returns the service's reason for a rejection; codes become sentences.
 * @param {string} reason
 */
export function reasonOf(reason) {
  const sentence = Object.hasOwn(REJECTIONS, reason) ? REJECTIONS[reason][1] : null;
  return sentence ? say(sentence) : reason;
}
