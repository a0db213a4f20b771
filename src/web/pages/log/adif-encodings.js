// Finds the encoding of an ADIF file: the encoding that the file states or shows by its _INTL
// fields, or otherwise all encodings that fit. Applies the rules of "qsosync-admin import"
// (src/transfer/survey.c).
import { decodeUtf8, lettersOf } from "./adif-reader.js";

/** @import { AdifField as Field, AdifFound as Found } from "../types.js" */
/**
 * An encoding that fits, and some sample records decoded with this encoding.
 * @typedef {{name: string, records: string[]}} Choice
 */

const CANDIDATES = ["CP1250", "CP1251", "CP1252", "CP1253", "CP850", "KOI8-R"];
const SAMPLES = 3;
const SAMPLE_CHARACTERS = 60;
// The characters of CP850 from 0x80 on, because browsers do not support this encoding.
const CP850 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ" +
  "áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐" +
  "└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀" +
  "ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0";
// Control characters and box-drawing characters, which are unlikely in a log's texts.
const UNLIKELY = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2500-\u259f]/;
const STATED = [
  /<(?:\w+_)?(?:encoding|charset|codepage):\d+(?::\w*)?>([^<]*)/gi,
  /(?:encoding|charset|codepage)[\s=:"']+([\w-]+)/gi,
];

/** @type {Map<string, ((bytes: Uint8Array) => string) | null>} */
const decoders = new Map();

/**
 * Returns a function that decodes bytes, and throws if the bytes do not fit the encoding; null: the
 * encoding is unknown.
 * @param {string} name
 */
function decoderOf(name) {
  const known = decoders.get(name);
  if (known !== undefined) return known;
  let decode = null;
  try {
    const decoder = new TextDecoder(name, { fatal: true });
    decode = (/** @type {Uint8Array} */ bytes) => decoder.decode(bytes);
  } catch {
    if (/^(?:cp|ibm)?850$/i.test(name)) decode = decode850;
  }
  decoders.set(name, decode);
  return decode;
}
/** @param {Uint8Array} bytes */
function decode850(bytes) {
  return lettersOf(bytes).replace(/[\x80-\xff]/g, (byte) => CP850[byte.charCodeAt(0) - 0x80]);
}

/**
 * Returns a value as text; null if the value does not fit the encoding.
 * @param {Uint8Array} value
 * @param {string} name the encoding, used if the value is not UTF-8
 */
export function decodeValue(value, name) {
  const whole = decodeUtf8(value);
  if (whole !== null) return whole;
  try {
    const text = decoderOf(name)?.(value) ?? "";
    return UNLIKELY.test(text) ? null : text;
  } catch {
    return null;
  }
}

/**
 * Converts a file in UTF-16 to UTF-8, and removes a byte order mark.
 * @param {Uint8Array} bytes
 */
export function unfold(bytes) {
  const letters = lettersOf(bytes.subarray(0, 4));
  const form = /^(?:\xff\xfe|[^\0]\0[^\0]\0)/.test(letters)
    ? "utf-16le"
    : /^(?:\xfe\xff|\0[^\0]\0[^\0])/.test(letters)
      ? "utf-16be"
      : null;
  if (form) return new TextEncoder().encode(new TextDecoder(form).decode(bytes));
  return letters.startsWith("\xef\xbb\xbf") ? bytes.subarray(3) : bytes;
}

/**
 * Returns the first encoding other than UTF-8 that a header names and the page can decode; null: no
 * such encoding.
 * @param {string} header
 */
function statedIn(header) {
  for (const pattern of STATED)
    for (const [, name] of header.matchAll(pattern)) {
      const label = name.trim();
      if (label && !/^utf-?8$/i.test(label) && decoderOf(label)) return label;
    }
  return null;
}

/**
 * Returns the fields of a record that are not UTF-8, each with the value of its _INTL field, or
 * null.
 * @param {Uint8Array} bytes
 * @param {Found} record
 */
function oddFieldsOf(bytes, { fields }) {
  /** @type {(field: Field) => string | null} */
  const textOf = ({ start, end }) => decodeUtf8(bytes.subarray(start, end));
  return fields
    .filter((field) => textOf(field) === null)
    .map((field) => {
      const intl = fields.find(({ name }) => name === `${field.name}_INTL`);
      return { ...field, intl: intl ? textOf(intl) : null };
    });
}

/**
 * Returns whether a QSO seems to be on a band other than 11 m and PMR446. The service decides; the
 * page only avoids needless questions.
 * @param {Uint8Array} bytes
 * @param {Found} record
 */
function isElsewhere(bytes, { fields }) {
  /** @type {(name: string) => string} */
  const textOf = (name) => {
    const field = fields.find((one) => one.name === name);
    return field ? lettersOf(bytes.subarray(field.start, field.end)).trim() : "";
  };
  return (
    /^(?!1[01]m|70cm)(?:[\d.]+[cm]?m|submm)$/i.test(textOf("BAND")) &&
    !/^(?:2[678]|446)/.test(textOf("FREQ"))
  );
}

/**
 * Returns a sample of a record: its callsign and the fields that depend on the encoding.
 * @param {Uint8Array} bytes
 * @param {Found} record
 * @param {Field[]} odd
 * @param {string} name the encoding
 */
function sampleOf(bytes, { fields }, odd, name) {
  const call = fields.filter((field) => field.name === "CALL");
  const texts = [...call, ...odd.filter((field) => field.name !== "CALL")].map(({ start, end }) =>
    decodeValue(bytes.subarray(start, end), name),
  );
  return [...texts.join(" · ")].slice(0, SAMPLE_CHARACTERS).join("");
}

/**
 * Returns the encoding of a file's values that are not UTF-8 (null if all values are UTF-8), or a
 * list of choices. The list is empty if no encoding fits.
 * @param {Uint8Array} bytes
 * @param {Found[]} found
 * @returns {string | null | Choice[]}
 */
export function findEncoding(bytes, found) {
  if (decodeUtf8(bytes) !== null) return null;
  const odd = found
    .filter((one) => one.kind === "record" && !isElsewhere(bytes, one))
    .map((record) => ({ record, fields: oddFieldsOf(bytes, record) }))
    .filter(({ fields }) => fields.length > 0);
  if (!odd.length) return null;
  const [first] = found;
  const stated = first.kind === "header" && statedIn(lettersOf(bytes.subarray(0, first.end)));
  if (stated) return stated;
  const fields = odd.flatMap((one) => one.fields);
  /** @type {(field: Field, name: string) => string | null} */
  const read = ({ start, end }, name) => decodeValue(bytes.subarray(start, end), name);
  const fitting = CANDIDATES.filter((name) => fields.every((field) => read(field, name) !== null));
  const pairs = fields.filter(({ intl }) => intl);
  const same = fitting.find((name) =>
    pairs.every((field) => read(field, name)?.trim() === field.intl?.trim()),
  );
  if (pairs.length && same) return same;
  return fitting.map((name) => ({
    name,
    records: odd.slice(0, SAMPLES).map((one) => sampleOf(bytes, one.record, one.fields, name)),
  }));
}
