// Finds the division, the square and the special station for which a QSO counts. The functions are
// pure, and apply the service's rules (src/qso/awards.h and match.h).
import { compact, numberOf } from "../words/callsigns.js";

/** @import { Entry, SpotWorth as Worth, Values } from "../types.js" */

/**
 * Returns whether a callsign belongs to a station on the air for an activation or an event.
 * @param {string | null | undefined} callsign
 */
function isSpecial(callsign) {
  if (!numberOf(callsign)) return false;
  const call = compact(callsign).replace(/^\d+\/(?=\d*[A-Z])/, ""); // 161/21SD333
  const [isStation, unit, rest = ""] = /^\d*[A-Z]+(\d*)(?:\/(.*))?$/.exec(call) ?? [];
  if (isStation === undefined) return false;
  const isActivation = /^(?:0+|DXP?|EXP|SES|IOTA|(?:A[FNS]|EU|NA|OC|SA)\d{1,3})$/;
  const isOther = (/** @type {string} */ suffix) =>
    !unit && /^[A-Z][A-Z\d]*$/.test(suffix) && !/^(?:P|MM?|AM?|QRP)$/.test(suffix);
  return (
    /^0+$/.test(unit) ||
    rest.split("/").some((suffix) => isActivation.test(suffix) || isOther(suffix))
  );
}

/**
 * Returns the six-character locator of a place.
 * @param {number} lat
 * @param {number} lng
 */
export function locatorOf(lat, lng) {
  const [x, y] = [Math.min(359.999999, lng + 180), Math.min(179.999999, lat + 90)];
  /** @type {(value: number, first: string) => string} */
  const letter = (value, first) => String.fromCharCode(first.charCodeAt(0) + Math.floor(value));
  return [letter(x / 20, "A"), letter(y / 10, "A"), Math.floor((x % 20) / 2), Math.floor(y % 10)]
    .concat([letter((x % 2) * 12, "a"), letter((y % 1) * 24, "a")])
    .join("");
}
/**
 * Asks the device for its position. Calls `show` with the locator, or `fail` if the device does not
 * share its position.
 * @param {(locator: string) => void} show
 * @param {() => void} fail
 */
export function askLocator(show, fail) {
  if (!navigator.geolocation) return fail();
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => show(locatorOf(coords.latitude, coords.longitude)),
    fail,
    { timeout: 20000, maximumAge: 600000 },
  );
}
/** @param {Values} qso */
function squareOf({ dxLocator, dxLat, dxLng }) {
  const isPlace = typeof dxLat === "number" && typeof dxLng === "number";
  const locator = dxLocator ?? (isPlace ? locatorOf(dxLat, dxLng) : "");
  const square = locator.trim().slice(0, 4).toUpperCase();
  return /^[A-R]{2}\d\d$/.test(square) ? square : "";
}
/**
 * @param {Values} qso can lack some fields
 * @returns {Worth}
 */
export function worthOf(qso) {
  const { callsignWorked: callsign, band, mode = null } = qso;
  return {
    division: numberOf(callsign),
    square: squareOf(qso),
    special: isSpecial(callsign) ? compact(callsign) : null,
    ...{ band, mode },
  };
}
/**
 * Returns whether a QSO counts for awards. An entry for a station that was only heard does not.
 * @param {Values} qso
 */
export function isCounted(qso) {
  return qso.qsoStatus !== "HRD";
}

/**
 * Returns a stored QSO with its waiting change, if any; null if the QSO's deletion is waiting. A
 * changed QSO remains confirmed if its station, time and band are unchanged.
 * @param {Values} qso
 * @param {Entry | undefined} entry
 * @returns {Values | null}
 */
export function asItWaits(qso, entry) {
  if (!entry) return qso;
  if (entry.kind === "delete") return null;
  /** @type {Values} */
  const waiting = entry.qso;
  const isSame =
    waiting.qsoAt === qso.qsoAt &&
    waiting.band === qso.band &&
    compact(waiting.callsignWorked) === compact(qso.callsignWorked);
  return { ...waiting, id: qso.id, crossConfirmedAt: isSame ? qso.crossConfirmedAt : null };
}
