// Contains the fields of a QSO that a program may write, with the service's rules. Converts values
// into the format that the service stores, and finds values that the service would reject, with the
// service's reasons. This is an ES module without dependencies.

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} kind
 * @property {boolean} [required]
 * @property {string[]} [bands] that can have the field; none: all bands
 * @property {string[]} [demanding] bands whose QSOs must have the field
 * @property {string[]} [choices]
 * @property {number} [minimum]
 * @property {number} [maximum] of a text: its length in characters
 * @property {string} [pattern]
 * @property {string} [format] the service's code for a malformed value
 * @property {string} [range] the service's code for a value out of bounds
 */
/** @typedef {Record<string, string | number | boolean | null | undefined>} Values of a QSO */

/** @type {Field[]} in the order in which the service checks them */
export const FIELDS = [
  // @fields
];
/** Fields that only the service sets. */
const READ_ONLY = [
  // @read-only
];
const KNOWN = new Set([...FIELDS.map(({ name }) => name), ...READ_ONLY]);

const SPACE = /^[\s\u0085\ufeff]+|[\s\u0085\ufeff]+$/gu;
const DATETIME =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2})(?:\.(\d+))?)?(Z|[+-]\d{2}(?::?\d{2})?)$/i;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LOCATOR = /^[a-r]{2}\d{2}([a-x]{2})?$/i;

/** @param {string} text */
function trim(text) {
  return text.replace(SPACE, "");
}

/**
 * Returns the instant of a date-time with a time zone, in milliseconds; null if invalid.
 * @param {unknown} text
 */
export function parseTime(text) {
  const match = DATETIME.exec(trim(String(text)));
  if (!match) return null;
  const [, day, minute, second = "00", fraction = "", zone] = match;
  const ms = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day) return null;
  const zoned = /^z$/i.test(zone) ? "Z" : zone.length === 3 ? `${zone}:00` : zone;
  const at = Date.parse(
    `${day}T${minute}:${second}.${fraction.slice(0, 3).padEnd(3, "0")}${zoned.replace(/^(.\d\d)(\d\d)$/, "$1:$2")}`,
  );
  return Number.isNaN(at) ? null : at;
}

/**
 * Returns a value in the format that the service stores. An empty value becomes null, or false in a
 * boolean field. Apart from spaces and case, an invalid value is returned unchanged.
 * @param {Field} field
 * @param {unknown} value
 * @returns {any}
 */
function normaliseValue(field, value) {
  if (field.kind === "boolean") return value ?? false;
  if (value === null || value === undefined) return null;
  if (typeof value !== "string") return value;
  const text = trim(value);
  if (text === "") return null;
  if (field.kind === "uuid") return text.toLowerCase();
  if (field.kind === "datetime") {
    const ms = parseTime(text);
    return ms === null ? text : new Date(ms).toISOString();
  }
  if (field.kind === "locator" && LOCATOR.test(text))
    return text.slice(0, 4).toUpperCase() + text.slice(4).toLowerCase();
  return text;
}

/**
 * Returns a clientId for a new QSO: a random UUID. A page served over http, for example in a home
 * network, is not a secure context. Such a page has no crypto.randomUUID, so the function also
 * works without it.
 */
export function makeClientId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/**
 * Returns a whole QSO to send, with every field that may be written, in the service's format.
 * Fields that this module does not define are included unchanged: a newer service could have these
 * fields, and it clears fields that a sent QSO lacks. sendSpot, which is not stored, is included if
 * it is true.
 * @param {Values} values
 * @returns {any}
 */
export function normalise(values) {
  /** @type {Record<string, unknown>} */
  const qso = {};
  for (const field of FIELDS) qso[field.name] = normaliseValue(field, values[field.name]);
  if (qso.sendSpot !== true) delete qso.sendSpot;
  for (const [name, value] of Object.entries(values)) if (!KNOWN.has(name)) qso[name] = value;
  return qso;
}

/**
 * Formats a value for comparison. A missing value equals false, because the service returns false
 * as the default of a field that was not sent.
 * @param {any} value
 */
const textOf = (value) => JSON.stringify(value === false ? null : (value ?? null));

/**
 * Returns whether two QSOs have the same values, apart from sendSpot and the fields that the
 * service sets.
 * @param {Values} one
 * @param {Values} other
 */
export function isSame(one, other) {
  const [a, b] = [normalise(one), normalise(other)];
  return Object.keys({ ...a, ...b }).every(
    (name) => name === "sendSpot" || a[name] === b[name] || textOf(a[name]) === textOf(b[name]),
  );
}

/**
 * For each kind of field, the function that returns a value's fault; null: no fault.
 * @type {Record<string, (field: Field, value: any) => string | null>}
 */
const JUDGES = {
  uuid: (field, value) => (UUID.test(value) ? null : (field.format ?? "must be a UUID")),
  datetime: (field, value) =>
    parseTime(value) === null ? (field.format ?? "must be a date-time") : null,
  choice: (field, value) =>
    field.choices?.includes(value) ? null : `must be one of ${field.choices?.join(", ")}`,
  boolean: (_, value) => (typeof value === "boolean" ? null : "must be true or false"),
  locator: (field, value) => (LOCATOR.test(value) ? null : (field.format ?? "must be a locator")),
  pattern: (field, value) =>
    new RegExp(field.pattern ?? "").test(value)
      ? null
      : (field.format ?? "does not have the required format"),
  frequency: (field, value) =>
    !/^\d{1,3}\.\d{3}$/.test(value)
      ? (field.format ?? "must have 3 decimals")
      : judgeBounds(field, Math.round(Number(value) * 1000), "a frequency in kHz"),
  integer: (field, value) =>
    Number.isInteger(value) ? judgeBounds(field, value, "an integer") : "must be an integer",
  real: (field, value) =>
    typeof value === "number" && Number.isFinite(value)
      ? judgeBounds(field, value, "a number")
      : "must be a number",
  text: (field, value) => {
    if (typeof value !== "string") return "must be a string";
    if (/\u0000|\p{Surrogate}/u.test(value))
      return "must not contain U+0000 or half of a surrogate pair";
    return [...value].length > (field.maximum ?? Infinity)
      ? `must be at most ${field.maximum} characters`
      : null;
  },
};
/**
 * @param {Field} field
 * @param {number} value
 * @param {string} noun
 */
function judgeBounds(field, value, noun) {
  const { minimum = -Infinity, maximum = Infinity } = field;
  if (value >= minimum && value <= maximum) return null;
  return field.range ?? `must be ${noun} from ${minimum} to ${maximum}`;
}

/**
 * Returns the faults of values that the service would reject, by field name: the service's code, or
 * its sentence without the field's name.
 * @param {Values} values
 * @returns {Map<string, string>} in the service's order; the service would report only the first
 * fault
 */
export function findFaults(values) {
  const qso = normalise(values);
  /** @type {Map<string, string>} */
  const faults = new Map();
  for (const field of FIELDS) {
    const value = qso[field.name] ?? null;
    const isDemanded = field.required || field.demanding?.includes(qso.band);
    /** @type {string | null} */
    let fault = null;
    if (value === null) fault = isDemanded ? "is required" : null;
    else if (field.bands && !field.bands.includes(qso.band))
      fault = "must be absent or null on this band";
    else fault = JUDGES[field.kind](field, value);
    if (fault) faults.set(field.name, fault);
  }
  return faults;
}
