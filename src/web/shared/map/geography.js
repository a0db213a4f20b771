// Converts locators to places on the globe, and computes the distance, bearing and path between two
// places. Units are degrees and kilometres.

/** @typedef {{lat: number, lng: number}} Place */

const RADIUS_KM = 6371;
/** The circumference of the globe, in kilometres. */
export const AROUND_KM = 2 * Math.PI * RADIUS_KM;
/** @type {(degrees: number) => number} */
const radians = (degrees) => (degrees * Math.PI) / 180;
/** @type {(radians: number) => number} */
const degrees = (value) => (value * 180) / Math.PI;

/**
 * Returns the centre of a locator with 4 or 6 characters; null if invalid.
 * @param {string} text
 * @returns {Place | null}
 */
export function parseLocator(text) {
  const match = /^([A-R])([A-R])(\d)(\d)(?:([A-X])([A-X]))?$/.exec(text.trim().toUpperCase());
  if (!match) return null;
  /** @type {(index: number) => number} */
  const letter = (index) => match[index].charCodeAt(0) - 65;
  const lng = letter(1) * 20 - 180 + Number(match[3]) * 2;
  const lat = letter(2) * 10 - 90 + Number(match[4]);
  if (match[5] === undefined) return { lat: lat + 0.5, lng: lng + 1 };
  return { lat: lat + (letter(6) + 0.5) / 24, lng: lng + (letter(5) + 0.5) / 12 };
}

/**
 * Returns the angle between two places, seen from the centre of the globe, in radians.
 * @param {Place} from
 * @param {Place} to
 */
function angle(from, to) {
  const a =
    Math.sin(radians(to.lat - from.lat) / 2) ** 2 +
    Math.cos(radians(from.lat)) *
      Math.cos(radians(to.lat)) *
      Math.sin(radians(to.lng - from.lng) / 2) ** 2;
  return 2 * Math.asin(Math.min(1, Math.sqrt(a)));
}
/**
 * @param {Place} from
 * @param {Place} to
 */
export function distanceKm(from, to) {
  return RADIUS_KM * angle(from, to);
}
/**
 * Returns the bearing in degrees, clockwise from north, from -180 to 180.
 * @param {Place} from
 * @param {Place} to
 */
export function exactBearing(from, to) {
  const turn = radians(to.lng - from.lng);
  const y = Math.sin(turn) * Math.cos(radians(to.lat));
  const x =
    Math.cos(radians(from.lat)) * Math.sin(radians(to.lat)) -
    Math.sin(radians(from.lat)) * Math.cos(radians(to.lat)) * Math.cos(turn);
  return degrees(Math.atan2(y, x));
}
/**
 * Returns the bearing in whole degrees, clockwise from north, 0 to 359.
 * @param {Place} from
 * @param {Place} to
 */
export function bearing(from, to) {
  return Math.round(exactBearing(from, to) + 360) % 360;
}

/**
 * Returns the shortest path as a list of places at most four degrees apart, including both ends. If
 * the ends are the same place or opposite places, returns only the ends.
 * @param {Place} from
 * @param {Place} to
 * @returns {Place[]}
 */
export function greatCircle(from, to) {
  const whole = angle(from, to);
  const steps = Math.max(1, Math.ceil(degrees(whole) / 4));
  if (whole < 1e-6 || Math.PI - whole < 1e-6) return [from, to];
  return Array.from({ length: steps + 1 }, (_, step) => {
    const a = Math.sin((1 - step / steps) * whole) / Math.sin(whole);
    const b = Math.sin((step / steps) * whole) / Math.sin(whole);
    const x =
      a * Math.cos(radians(from.lat)) * Math.cos(radians(from.lng)) +
      b * Math.cos(radians(to.lat)) * Math.cos(radians(to.lng));
    const y =
      a * Math.cos(radians(from.lat)) * Math.sin(radians(from.lng)) +
      b * Math.cos(radians(to.lat)) * Math.sin(radians(to.lng));
    const z = a * Math.sin(radians(from.lat)) + b * Math.sin(radians(to.lat));
    return { lat: degrees(Math.atan2(z, Math.hypot(x, y))), lng: degrees(Math.atan2(y, x)) };
  });
}
