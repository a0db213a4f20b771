// Computes the sun's height above a place's horizon, the night on the map, and the local time of a
// place. Uses the low-precision formulas of the Astronomical Almanac, accurate to 0.01 degrees
// until 2050.
import { AROUND_KM, distanceKm } from "./geography.js";
import { WORLD, project } from "./projection.js";

/** @import { Place } from "../types.js" */

const DAY_MS = 86400000;
const J2000_MS = Date.UTC(2000, 0, 1, 12);
const STEP = 3; // degrees between two points on the edge of the night

/** @type {(degrees: number) => number} */
const radians = (degrees) => (degrees * Math.PI) / 180;
/** @type {(radians: number) => number} */
const degrees = (value) => (value * 180) / Math.PI;

/**
 * Returns the place directly below the sun.
 * @param {number} ms
 * @returns {Place}
 */
export function placeUnderSun(ms) {
  const days = (ms - J2000_MS) / DAY_MS;
  const anomaly = radians(357.528 + 0.9856003 * days);
  const longitude = radians(
    280.46 + 0.9856474 * days + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly),
  );
  const tilt = radians(23.439 - 0.0000004 * days);
  const ascension = Math.atan2(Math.cos(tilt) * Math.sin(longitude), Math.cos(longitude));
  const lng = degrees(ascension) - 280.46061837 - 360.98564736629 * days;
  return {
    lat: degrees(Math.asin(Math.sin(tilt) * Math.sin(longitude))),
    lng: ((((lng + 180) % 360) + 360) % 360) - 180,
  };
}
/**
 * Returns the sun's height above the horizon, in degrees; negative below the horizon.
 * @param {Place} place
 * @param {number} ms
 */
export function sunHeight(place, ms) {
  return 90 - (distanceKm(place, placeUnderSun(ms)) / AROUND_KM) * 360;
}
/**
 * Returns the part of the map where it is night, as a path in the units of projection.js.
 * @param {number} ms
 */
export function nightPath(ms) {
  const sun = placeUnderSun(ms);
  const slope = Math.tan(radians(Math.abs(sun.lat) < 0.01 ? 0.01 : sun.lat));
  const dark = slope > 0 ? WORLD.y + WORLD.height : WORLD.y;
  let path = `M${WORLD.x} ${dark}`;
  for (let lng = -180; lng <= 180; lng += STEP) {
    const lat = degrees(Math.atan(-Math.cos(radians(lng - sun.lng)) / slope));
    const { x, y } = project({ lat, lng });
    path += `L${x} ${y.toFixed(1)}`;
  }
  return `${path}L${WORLD.x + WORLD.width} ${dark}Z`;
}

/**
 * Returns the minutes by which the clocks of a zone are ahead of UTC.
 * @param {string} zone
 * @param {number} ms
 */
function minutesAhead(zone, ms) {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    timeZoneName: "longOffset",
  }).formatToParts(ms);
  const [, sign, hours, minutes] =
    /([+-])(\d+):(\d+)/.exec(parts.find((part) => part.type === "timeZoneName")?.value ?? "") || [];
  return sign ? Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) : 0;
}
/**
 * Returns the minutes by which a zone's standard time, without summer time, is ahead of UTC.
 * @param {string} zone
 * @param {number} ms
 */
function standardTime(zone, ms) {
  const year = new Date(ms).getUTCFullYear();
  return Math.min(...[0, 6].map((month) => minutesAhead(zone, Date.UTC(year, month, 1))));
}
/**
 * Returns the minutes by which a station's clock is ahead of UTC, or null if unknown. If the
 * browser lists the country's time zones, the zone nearest to the place's longitude is used;
 * without a place, only a time that all zones share. Otherwise, the sun's time is used, rounded to
 * hours.
 * @param {string} country two-letter code, or empty
 * @param {Place | null} place
 * @param {number} ms
 */
export function clockAhead(country, place, ms) {
  const bySun = place ? place.lng * 4 : null;
  /** @type {string[]} */
  let zones = [];
  try {
    /** @type {any} */
    const region = country ? new Intl.Locale(`und-${country}`) : null;
    zones = region?.getTimeZones?.() ?? region?.timeZones ?? [];
  } catch {
    /* this browser does not list the time zones of countries */
  }
  const ahead = zones.map((zone) => minutesAhead(zone, ms));
  if (ahead.length && bySun !== null) {
    const away = zones.map((zone) => Math.abs(standardTime(zone, ms) - bySun));
    return ahead[away.indexOf(Math.min(...away))];
  }
  if (ahead.length && ahead.every((minutes) => minutes === ahead[0])) return ahead[0];
  return bySun === null ? null : Math.round(bySun / 60) * 60;
}
