// Counts the statistics and the places of QSOs. The results have the same format as the service's
// answers /profile/data/statistics and map, and follow the same rules (src/site/profile). Does not
// use the page or the storage.
import { isCounted, worthOf } from "../../shared/awards/award-rules.js";
import { familyOf } from "../../shared/awards/cluster-needed.js";
import { isoDay } from "../../shared/figures.js";
import { parseLocator } from "../../shared/map/geography.js";
import { compact, countryOf, numberOf } from "../../shared/words/callsigns.js";
import { exactPlace, kmOf, locatorOfStation, placeOfStation } from "./search.js";

/** @import { LogMap, NewsKind, Place, Statistics, Values } from "../types.js" */
/**
 * @typedef {object} Placed a QSO on the map
 * @property {string} at
 * @property {Place | null} place null: unknown
 * @property {string | null} callsign
 * @property {boolean} exact false: the place is the middle of the locator
 * @property {boolean} confirmed
 */

const MS_PER_DAY = 86400000;
const DAYS = 371; // 53 weeks
const MONTHS = 12;
const DISTANCES = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20100]; // km, exclusive
// The map shows the newest QSOs only, as the service's map does (src/site/profile/map.c).
const PLACED_MAX = 10000;
const POINTS_MAX = 5000;
const LENGTH_OF_SQUARE = 4;
/** @type {NewsKind[]} what a QSO can add to a log, in ascending order of value */
const KINDS = ["mode", "band", "special", "square", "division"];

/**
 * @template Key
 * @param {Map<Key, number>} counts
 * @param {Key} key
 */
const increase = (counts, key) => counts.set(key, (counts.get(key) ?? 0) + 1);
/**
 * Keeps the earlier of two months.
 * @template Key
 * @param {Map<Key, string>} firsts
 * @param {Key} key
 * @param {string} month
 */
function keepFirst(firsts, key, month) {
  const known = firsts.get(key);
  if (known === undefined || month < known) firsts.set(key, month);
}
/**
 * Returns whether a QSO is earlier than another QSO. If both have the same time, the QSO with the
 * lower id is earlier.
 * @param {Values} a
 * @param {Values} b
 */
const isEarlier = (a, b) =>
  a.qsoAt === b.qsoAt ? (a.id ?? Infinity) < (b.id ?? Infinity) : a.qsoAt < b.qsoAt;
/** @param {string} newest a time @returns {string[]} twelve months, the newest last */
function monthsUntil(newest) {
  const [year, month] = newest.split("-").map(Number);
  return Array.from({ length: MONTHS }, (_, place) =>
    isoDay(Date.UTC(year, month - MONTHS + place)).slice(0, 7),
  );
}

export class LogCounts {
  qsos = 0;
  confirmed = 0;
  /** @type {Map<string, {qsos: number, confirmed: number}>} */
  months = new Map();
  hours = Array(24).fill(0);
  confirmedHours = Array(24).fill(0);
  distances = DISTANCES.map((belowKm) => ({ belowKm, qsos: 0, confirmed: 0 }));
  /** @type {Map<string, number>} */
  bands = new Map();
  /** @type {Map<string, number>} */
  modes = new Map();
  /** @type {Map<number, number>} */
  divisions = new Map();
  /** @type {Map<string, number>} */
  squares = new Map();
  /** @type {Map<string, number>} QSOs by day */
  days = new Map();
  /** @type {Set<string>} */
  stations = new Set();
  /** @type {Map<string, Set<string>>} stations by month */
  stationsOf = new Map();
  /** @type {Map<number, string>} the month of a division's first QSO */
  firstOfDivision = new Map();
  /** @type {Map<string, string>} */
  firstOfSquare = new Map();
  /** @type {Map<string, number>} the longest distance, by month */
  farthestOf = new Map();
  /** @type {Statistics["farthest"]} */
  farthest = null;
  /** @type {Map<string, Values>} the earliest QSO of each kind, such as with a division */
  #firsts = new Map();
  /** @type {Placed[]} at least the newest QSOs */
  #placed = [];

  /** @param {string} home the member's locator */
  constructor(home) {
    this.home = home;
  }

  /** @param {Values} qso */
  add(qso) {
    const { band, callsignWorked, mode, qsoAt } = qso;
    const month = qsoAt.slice(0, 7);
    const hour = Number(qsoAt.slice(11, 13));
    const isConfirmed = Boolean(qso.crossConfirmedAt);
    this.qsos++;
    this.confirmed += Number(isConfirmed);
    const ofMonth = this.months.get(month) ?? { qsos: 0, confirmed: 0 };
    ofMonth.qsos++;
    ofMonth.confirmed += Number(isConfirmed);
    this.months.set(month, ofMonth);
    this.hours[hour]++;
    this.confirmedHours[hour] += Number(isConfirmed);
    increase(this.days, qsoAt.slice(0, 10));
    increase(this.bands, band);
    if (mode) increase(this.modes, mode);
    this.#addStation(compact(callsignWorked), month);
    const division = numberOf(callsignWorked);
    if (division) {
      increase(this.divisions, division);
      keepFirst(this.firstOfDivision, division, month);
    }
    const square = locatorOfStation(qso).slice(0, LENGTH_OF_SQUARE);
    if (square.length === LENGTH_OF_SQUARE) {
      increase(this.squares, square);
      keepFirst(this.firstOfSquare, square, month);
    }
    if (isCounted(qso)) this.#addFirsts(qso);
    this.#addDistance(qso, month, isConfirmed);
    this.#addPoint(qso, isConfirmed);
  }
  /** @param {Values} qso */
  #addFirsts(qso) {
    const { division, square, special, band, mode } = worthOf(qso);
    const inMode = mode && `${division} ${band} ${familyOf(mode)}`;
    const parts = division
      ? { division, special, band: `${division} ${band}`, mode: inMode, square }
      : { square };
    for (const [kind, part] of Object.entries(parts)) {
      const first = this.#firsts.get(`${kind} ${part}`);
      if (part && (!first || isEarlier(qso, first))) this.#firsts.set(`${kind} ${part}`, qso);
    }
  }
  /** Returns the most valuable thing that was new with a QSO, by the clientIds of QSOs. */
  news() {
    /** @type {Map<string, NewsKind>} */
    const news = new Map();
    for (const kind of KINDS)
      for (const [part, { clientId }] of this.#firsts)
        if (part.startsWith(`${kind} `)) news.set(clientId, kind);
    return news;
  }
  /**
   * @param {string} call compact
   * @param {string} month
   */
  #addStation(call, month) {
    if (!call) return;
    this.stations.add(call);
    const ofMonth = this.stationsOf.get(month) ?? new Set();
    this.stationsOf.set(month, ofMonth.add(call));
  }
  /**
   * @param {Values} qso
   * @param {string} month
   * @param {boolean} isConfirmed
   */
  #addDistance(qso, month, isConfirmed) {
    const km = kmOf(qso, this.home);
    if (km === null) return;
    const group = this.distances.find(({ belowKm }) => km < belowKm) ?? this.distances.at(-1);
    if (group) {
      group.qsos++;
      group.confirmed += Number(isConfirmed);
    }
    this.farthestOf.set(month, Math.max(km, this.farthestOf.get(month) ?? 0));
    const { farthest } = this;
    if (farthest && (km < farthest.km || (km === farthest.km && qso.qsoAt <= farthest.qsoAt)))
      return;
    const callsign = qso.callsignWorked ?? null;
    this.farthest = { km, callsign, locator: locatorOfStation(qso), qsoAt: qso.qsoAt };
  }
  /**
   * @param {Values} qso
   * @param {boolean} isConfirmed
   */
  #addPoint(qso, isConfirmed) {
    this.#placed.push({
      at: qso.qsoAt,
      place: placeOfStation(qso),
      callsign: qso.callsignWorked ?? null,
      exact: exactPlace(qso) !== null,
      confirmed: isConfirmed,
    });
    if (this.#placed.length === 2 * PLACED_MAX) this.#dropOlder();
  }
  /** Keeps only the newest QSOs for the map. */
  #dropOlder() {
    this.#placed.sort((a, b) => (a.at < b.at ? 1 : -1));
    this.#placed.length = Math.min(this.#placed.length, PLACED_MAX);
  }

  /**
   * Returns the statistics. The last year ends with the given day.
   * @param {string} newest
   * @returns {Statistics}
   */
  statistics(newest) {
    const { bands, divisions, farthest, modes, squares } = this;
    const from = Math.max(0, Date.parse(newest) - (DAYS - 1) * MS_PER_DAY);
    const days = Array.from({ length: DAYS }, (_, place) => isoDay(from + place * MS_PER_DAY));
    /** @type {(counts: Map<string, number>) => {name: string, qsos: number}[]} */
    const rowsOf = (counts) => [...counts].map(([name, qsos]) => ({ name, qsos }));
    return {
      qsos: this.qsos,
      confirmed: this.confirmed,
      stations: this.stations.size,
      lastSyncOn: null,
      months: [...this.months]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([month, counts]) => ({ month, ...counts })),
      hours: this.hours,
      confirmedHours: this.confirmedHours,
      distances: this.distances,
      bands: rowsOf(bands),
      modes: rowsOf(modes),
      recentMonths: this.#recentMonths(newest),
      recentDays: { from: isoDay(from), qsos: days.map((day) => this.days.get(day) ?? 0) },
      squareCount: squares.size,
      squares: [],
      divisions: [...divisions]
        .sort(([, a], [, b]) => b - a)
        .map(([number, qsos]) => {
          const { country: name, iso } = countryOf(number);
          return { number, name, iso, qsos };
        }),
      farthest: farthest && { ...farthest, km: Math.round(farthest.km) },
    };
  }
  /** @param {string} newest */
  #recentMonths(newest) {
    /** @type {(firsts: Map<unknown, string>, month: string) => number} */
    const until = (firsts, month) => [...firsts.values()].filter((first) => first <= month).length;
    return monthsUntil(newest).map((month) => ({
      month,
      stations: this.stationsOf.get(month)?.size ?? 0,
      divisions: until(this.firstOfDivision, month),
      squares: until(this.firstOfSquare, month),
      km: Math.round(
        Math.max(0, ...[...this.farthestOf].map(([other, km]) => (other <= month ? km : 0))),
      ),
    }));
  }

  /** @returns {LogMap} the places, the newest last */
  map() {
    this.#dropOlder();
    /** @type {Map<string, Placed & {count: number}>} the newest first */
    const points = new Map();
    for (const one of this.#placed) {
      if (!one.place) continue;
      const key = `${one.place.lat} ${one.place.lng} ${one.callsign}`;
      const point = points.get(key) ?? { ...one, count: 0 };
      point.count++;
      point.confirmed ||= one.confirmed;
      points.set(key, point);
    }
    return {
      columns: ["lat", "lng", "exact", "confirmed", "count", "callsign"],
      points: [...points.values()]
        .slice(0, POINTS_MAX)
        .reverse()
        .map(({ place, exact, confirmed, count, callsign }) => [
          ...[place?.lat ?? 0, place?.lng ?? 0, exact, confirmed, count, callsign],
        ]),
      more: this.qsos > PLACED_MAX || points.size > POINTS_MAX,
      home: parseLocator(this.home),
    };
  }
}
