// Turns the rows of a sheet into ADIF records, with the answers to the questions about the sheet.
// A record takes the same route as a record of an ADIF file.
import { readTone } from "../../shared/words/tuning.js";
import { fieldOf, isAlone } from "./sheet-columns.js";
import { channelOf, labelOf, ownChannelOf } from "./sheet-plans.js";
import { hasCbOnly, isWrittenCall, openReports, orderOf, valueOfDate } from "./sheet-questions.js";
import { isDateInstead, isPmr } from "./sheet-survey.js";
import {
  dayOf,
  fold,
  isLocator,
  isNumberInCall,
  readChannel,
  readDate,
  readTime,
  readTuning,
  readYes,
  timeInDate,
  utcOf,
} from "./sheet-values.js";

/**
 * @import {
 *   AdifFound as Found, SheetDay as Day, SheetFacts as Facts, SheetOwner as Owner,
 *   SheetTable as Table
 * } from "../types.js"
 */
/**
 * A remark on a row: it counts as the next day or in another year; its local time exists twice, or
 * was skipped; or the row is not a QSO, or is left out by an answer.
 * @typedef {{row: number, text: string,
 *   kind: "nextDay" | "otherYear" | "twice" | "skipped" | "note" | "omitted"}} Remark
 */
/** @typedef {{row: number, fields: [name: string, value: string][]}} SheetRecord */
/** @typedef {{records: SheetRecord[], remarks: Remark[]}} Result */
/** @typedef {Record<string, string>} Answers */

const ROWS_IN_STEP = 500;
const JUMP_MS = 12 * 36e5;
const DAY_MS = 864e5;
const NEW_YEAR_MS = 270 * DAY_MS; // a longer way in one year is a shorter way over the new year
/** @type {Record<string, string>} fields of ADIF that take a cell as it is */
const AS_IT_IS = {
  submode: "SUBMODE",
  rstSent: "RST_SENT",
  rstReceived: "RST_RCVD",
  operatorCallsign: "STATION_CALLSIGN",
  operator: "OPERATOR",
  notes: "NOTES",
  radio: "MY_RIG",
  antenna: "MY_ANTENNA",
  name: "NAME",
  qth: "QTH",
  country: "COUNTRY",
  clientId: "APP_QSOSYNC_CLIENT_ID",
  qsoStatus: "APP_QSOSYNC_QSO_STATUS",
};
/** @type {Record<string, string>} the letters of ADIF for the ways of a QSL */
const VIA = { direct: "D", direkt: "D", bureau: "B", buro: "B", eqsl: "E", ecard: "E" };

/**
 * A time with milliseconds, as in an export of the service. The records of such a sheet are those
 * that the service exports, so a row that was not edited changes nothing.
 */
const EXACT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const two = (/** @type {number} */ n) => String(n).padStart(2, "0");

/**
 * Returns the field of each column after the answers.
 * @param {Table} table
 * @param {Answers} answers
 */
function decided(table, answers) {
  const open = openReports(table);
  return table.columns.map((column) => {
    const at = open.indexOf(column);
    let { field } = column;
    if (at >= 0) {
      const isSent =
        open.length === 2 ? answers.sent === String(column.index) : answers.sent === "sent";
      field = isSent ? "rstSent" : "rstReceived";
    } else if (/^(?:hisReport|myReport|report|reportE)$/.test(field)) field = "extra";
    else if (field === "qslE") field = answers.qsl === "sent" ? "qslSent" : "qslReceived";
    return { ...column, field };
  });
}
/**
 * Returns the name of the ADIF field in which a column without a field is kept.
 * @param {string} header
 * @param {number} index
 */
function extraName(header, index) {
  const plain = header.normalize("NFD").replace(/\p{Mn}/gu, "");
  const name = plain
    .toUpperCase()
    .replace(/[^A-Z\d]+/g, "_")
    .replace(/^_+|_+$/g, "");
  const letters = index < 26 ? "" : String.fromCharCode(64 + Math.floor(index / 26));
  return `APP_SHEET_${(name || `COLUMN_${letters}${String.fromCharCode(65 + (index % 26))}`).slice(0, 40)}`;
}

/** Reads the rows of a sheet from top to bottom, because a row can use the date of a row above. */
class RowReader {
  /**
   * @param {Table} table
   * @param {Facts} facts
   * @param {Answers} answers
   * @param {Owner} owner of the log
   */
  constructor(table, facts, answers, owner) {
    this.owner = owner;
    this.table = table;
    this.answers = answers;
    this.order = answers.order ?? orderOf(facts) ?? "dmy";
    this.columns = decided(table, answers);
    /** @type {Result} */
    this.result = { records: [], remarks: [] };
    /** @type {Map<string, number>} */
    this.places = new Map(this.columns.map(({ field, index }) => [field, index]));
    /** @type {Day | null} the last date of a row, or a date above the rows */
    this.day = this.dayOfCell(answers.day ?? table.dateAbove);
    /** @type {Day | null} the last date of a row that exists */
    this.before = null;
    this.daysAfter = 0;
    /** @type {number | null} the last time below the same date, in ms */
    this.last = null;
    this.hasCbOnly = hasCbOnly(facts);
    this.hasUtc = ["wsjtx", "sota"].includes(table.layout);
  }

  /** @param {string} cell */
  dayOfCell(cell) {
    const date = readDate(cell);
    const { year, serial } = this.answers;
    return (
      date &&
      dayOf(date, this.order, { year: Number(year) || undefined, is1904: serial === "1904" })
    );
  }

  /**
   * Takes the date of a row. A log without years can continue after the new year.
   * @param {number} row
   * @param {string} cell
   */
  takeDay(row, cell) {
    const date = readDate(cell);
    this.day = this.dayOfCell(cell);
    this.daysAfter = 0;
    this.last = null;
    if (date?.kind === "short" && this.before) {
      const { year } = this.before;
      const inYear = (/** @type {number} */ one) => dayOf(date, this.order, { year: one });
      this.day = inYear(year);
      const after = this.day ? msOf(this.day) - msOf(this.before) : 0;
      if (Math.abs(after) > NEW_YEAR_MS) {
        this.day = inYear(year - Math.sign(after));
        this.remark(row, "otherYear", cell);
      }
    }
    this.before = this.day ?? this.before;
  }

  /**
   * @param {number} row
   * @param {Remark["kind"]} kind
   * @param {string} text
   */
  remark(row, kind, text) {
    this.result.remarks.push({ row, kind, text });
  }

  /**
   * Returns the time of a cell; "omit": an answer leaves the row out; null: not a time.
   * @param {string} cell
   */
  timeOfCell(cell) {
    const time = readTime(cell);
    if (!time) return null;
    const { zeros } = this.answers;
    const isLost = [1, 2, 3, 5].includes(time.digits);
    if (isLost && zeros === "omit") return "omit";
    if (time.digits > 0 && time.digits < 3 && zeros === "hours") {
      const hours = Number(cell);
      return hours < 24 ? { ...time, hours, minutes: 0 } : null;
    }
    return time;
  }

  /**
   * Reads the date and the time of a row into the fields of a record. Returns false if an answer
   * leaves the row out.
   * @param {number} row
   * @param {(field: string) => string} of returns the row's cell of a field
   * @param {SheetRecord["fields"]} fields
   */
  readWhen(row, of, fields) {
    const both = of("qsoAt");
    if (EXACT.test(both)) {
      fields.push(["QSO_DATE", both.slice(0, 10).replaceAll("-", "")]);
      fields.push(["TIME_ON", both.slice(11, 19).replaceAll(":", "")]);
      fields.push(["APP_QSOSYNC_QSO_AT", both]);
      return true;
    }
    const own = of("date") || both;
    const date = readDate(own);
    if (own) this.takeDay(row, own);
    const cell =
      of("time") || timeInDate(date) || (this.places.has("time") ? "" : (this.answers.time ?? ""));
    const time = this.timeOfCell(cell);
    if (time === "omit") return false;
    if (!this.day || !time) {
      const raw = this.day ? isoDay(this.day).replaceAll("-", "") : own;
      if (raw) fields.push(["QSO_DATE", raw]);
      if (cell) fields.push(["TIME_ON", time ? `${two(time.hours)}${two(time.minutes)}` : cell]);
      return true;
    }
    const clock = ((time.hours * 60 + time.minutes) * 60 + time.seconds) * 1000;
    if (!own && this.last !== null && this.last - clock > JUMP_MS) {
      this.daysAfter++;
      this.remark(row, "nextDay", cell);
    }
    this.last = clock;
    const { year, month, day } = this.day;
    const local = Date.UTC(year, month - 1, day) + this.daysAfter * DAY_MS + clock;
    const ms = this.toUtc(row, local, time.zone, cell);
    fields.push(...stampOf("QSO_DATE", "TIME_ON", ms));
    this.readEnd(of, local, time.zone, fields);
    return true;
  }

  /**
   * @param {number} row 0: without remarks
   * @param {number} local
   * @param {string | null} zone of the cell
   * @param {string} cell
   */
  toUtc(row, local, zone, cell) {
    const { ms, trouble } = utcOf(
      local,
      zone ?? (this.hasUtc ? "UTC" : (this.answers.zone ?? "UTC")),
    );
    if (trouble && row) this.remark(row, trouble, cell);
    return ms;
  }

  /**
   * Reads the end of a QSO. An end before the start is on the next day.
   * @param {(field: string) => string} of
   * @param {number} start
   * @param {string | null} zone
   * @param {SheetRecord["fields"]} fields
   */
  readEnd(of, start, zone, fields) {
    const date = readDate(of("dateOff"));
    const end = this.timeOfCell(of("timeOff") || timeInDate(date));
    if (!end || end === "omit") return;
    const clock = ((end.hours * 60 + end.minutes) * 60 + end.seconds) * 1000;
    const day = date && this.dayOfCell(of("dateOff"));
    const from = day ? Date.UTC(day.year, day.month - 1, day.day) : start - (start % DAY_MS);
    const local = from + clock < start ? from + clock + DAY_MS : from + clock;
    fields.push(...stampOf("QSO_DATE_OFF", "TIME_OFF", this.toUtc(0, local, end.zone ?? zone, "")));
  }

  /**
   * Returns the channel on 11 m that a number means in the log, or else after the answer; null:
   * only the number is known.
   * @param {string} name
   */
  cbChannel(name) {
    const { plan = "none" } = this.answers;
    const own = ownChannelOf(name, this.owner);
    return own ?? (plan === "none" ? null : channelOf(name, plan));
  }

  /**
   * Reads the band, the frequency and the channel.
   * @param {(field: string) => string} of
   * @param {SheetRecord["fields"]} fields
   */
  readTuning(of, fields) {
    const { answers } = this;
    const band = bandOf(of("band"));
    const named = of("channel");
    // A column of channels can have a frequency, or a text that the service refuses by name.
    const other = readChannel(named) || !/[\p{L}\d]/u.test(named) ? "" : named;
    const cell = of("frequencyMhz") || (/[1-9]/.test(other) ? other : "");
    if (other && other !== cell) fields.push(["APP_SHEET_CHANNEL", other]);
    const tuning = readTuning(cell);
    const isChannel =
      tuning && (tuning.channel !== null || (tuning.isBare && answers.bare === "channel"));
    const written = readChannel(isChannel ? String(tuning.channel ?? tuning.mhz) : named);
    const mode = tuning?.mode || written?.mode;
    if (mode && !of("mode")) fields.push(["MODE", mode]);
    const isWholeBand = (tuning?.isBand || tuning?.isBare) && Math.floor(tuning.mhz ?? 0) === 27;
    const hasMhz = tuning?.mhz && !isChannel && !isWholeBand;
    if (hasMhz) fields.push(["FREQ", (tuning.mhz ?? 0).toFixed(6).replace(/0{1,3}$/, "")]);
    else if (cell && !tuning) fields.push(["FREQ", cell]);
    const tones = [written?.tone, of("ctcssTone"), of("dcsCode")].filter(Boolean).join(" ");
    // In a sheet with channels that only CB has, only a channel with a tone is on PMR446.
    const canBePmr = !this.hasCbOnly || (tones && written && written.channel <= 16);
    const isOnPmr =
      band === "pmr" ||
      (!band && ((answers.channels === "pmr" && canBePmr) || isPmrMhz(tuning?.mhz)));
    const name = written ? `${written.channel}${written.letter}` : "";
    if (isOnPmr) {
      if (!hasMhz && written)
        fields.push(["FREQ", (446.00625 + (written.channel - 1) * 0.0125).toFixed(5)]);
      if (!hasMhz && written)
        fields.push(
          ["APP_QSOSYNC_BAND", "PMR446"],
          ["APP_QSOSYNC_CHANNEL", String(written.channel)],
        );
      readTones(of, written?.tone ?? "", fields);
      return;
    }
    if (tones) fields.push(["APP_SHEET_TONE", tones]);
    const channel = !hasMhz && name ? this.cbChannel(name) : null;
    if (channel) {
      fields.push(["FREQ", channel.mhz]);
      const label = labelOf(channel);
      if (label) fields.push(["APP_QSOSYNC_CB_CHANNEL", label]);
    } else if (name) fields.push(["APP_SHEET_CHANNEL", name]);
    const isEleven = !hasMhz && (name || isWholeBand);
    if (band) fields.push(["BAND", band]);
    else if (isEleven || (!hasMhz && answers.band === "11m")) fields.push(["BAND", "11m"]);
  }

  /**
   * Reads the other cells of a row.
   * @param {(field: string) => string} of
   * @param {string[]} cells
   * @param {SheetRecord["fields"]} fields
   */
  readRest(of, cells, fields) {
    const mode = of("mode");
    if (/^digital$/i.test(mode)) fields.push(["APP_QSOSYNC_MODE", "DIGITAL"]);
    else if (/^[UL]SB$/.test(mode) && EXACT.test(of("qsoAt")))
      fields.push(["MODE", "SSB"], ["SUBMODE", mode]);
    else if (mode) fields.push(["MODE", mode]);
    const { station } = this.table;
    for (const [field, name] of Object.entries(AS_IT_IS)) {
      const value = of(field) || (field === "operatorCallsign" ? station.operatorCallsign : "");
      if (value) fields.push([name, value.replace(/\r?\n/g, "\r\n")]); // as in ADIF
    }
    for (const [field, name] of [
      ["dxLocator", "GRIDSQUARE"],
      ["myLocator", "MY_GRIDSQUARE"],
    ]) {
      const value = of(field) || (field === "myLocator" ? station.myLocator : "");
      if (isLocator(value)) fields.push([name, value]);
      else if (value) fields.push([`APP_SHEET_${name}`, value]);
    }
    readOwn(of, fields);
    const power = of("txPowerW");
    if (power) fields.push(["TX_PWR", power.replace(",", ".").replace(/\s*(?:w|watts?)$/i, "")]);
    for (const [field, name] of [
      ["qslSent", "QSL_SENT"],
      ["qslReceived", "QSL_RCVD"],
    ]) {
      // ADIF has no field for a QSL card that was not sent, so an export of the service has none.
      if (of(field) === "false")
        fields.push([`APP_QSOSYNC_${field === "qslSent" ? "QSL_SENT" : "QSL_RECEIVED"}`, "false"]);
      const yes = of(field) !== "false" && of(field) && readYes(of(field));
      if (yes) fields.push([name, yes === "N" ? "N" : "Y"]);
      if (yes === "D" || yes === "B") if (!of("qslVia")) fields.push([`${name}_VIA`, yes]);
      if (yes === null) fields.push([`APP_SHEET_${name}`, of(field)]);
    }
    const via = of("qslVia");
    if (via) fields.push(VIA[fold(via)] ? ["QSL_SENT_VIA", VIA[fold(via)]] : ["QSL_VIA", via]);
    for (const { field, header, index } of this.columns) {
      const value = cells[index]?.trim();
      if (field === "extra" && value) fields.push([extraName(header, index), value]);
    }
  }

  /**
   * Reads a row with several cells.
   * @param {string[]} cells
   * @param {number} row
   */
  readRow(cells, row) {
    /** @type {Map<number, string>} values that replace a cell that a spreadsheet has changed */
    const restored = new Map();
    for (const column of this.columns) {
      const cell = cells[column.index] ?? "";
      if (!isDateInstead(column, cell)) continue;
      const answer = this.answers[`changed ${column.index}`];
      if (answer === "omit") return this.remark(row, "omitted", cell);
      restored.set(column.index, answer === "empty" ? "" : valueOfDate(cell, answer, column.field));
    }
    const of = (/** @type {string} */ field) => {
      const index = this.places.get(field);
      if (index === undefined) return "";
      return (restored.get(index) ?? cells[index] ?? "").trim();
    };
    const call = of("callsignWorked");
    const [when, tuned] = [of("time") || of("qsoAt"), of("frequencyMhz") || of("channel")];
    if (!call && !when && !tuned)
      return this.remark(row, "note", cells.filter(Boolean).join(" · "));
    const answer = this.answers[`call ${call}`] ?? (isWrittenCall(call) ? call : undefined);
    const callsign = isNumberInCall(call) ? answer : call;
    if (callsign === undefined || callsign === "omit") return this.remark(row, "omitted", call);
    /** @type {SheetRecord["fields"]} */
    const fields = callsign ? [["CALL", callsign]] : [];
    if (!this.readWhen(row, of, fields)) return this.remark(row, "omitted", of("time"));
    this.readTuning(of, fields);
    if (
      this.answers.band === "omit" &&
      !fields.some(([name]) => name === "BAND" || name === "FREQ")
    )
      return this.remark(row, "omitted", call);
    this.readRest(of, cells, fields);
    this.result.records.push({ row, fields });
  }

  /**
   * @param {string[]} cells
   * @param {number} row
   */
  take(cells, row) {
    if (!cells.length) return;
    if (isAlone(cells) && this.columns.length > 1) {
      const cell = cells.find((one) => one.trim()) ?? "";
      if (!this.dayOfCell(cell) || readDate(cell)?.kind === "serial")
        return this.remark(row, "note", cell);
      this.takeDay(row, cell);
      return;
    }
    if (cells[0].startsWith("#") && !/^#?\d*$/.test(cells[0]))
      return this.remark(row, "note", cells.filter(Boolean).join(" · "));
    const isHeader = this.table.header >= 0 && cells.filter(fieldOf).length > cells.length / 2;
    if (isHeader && !readTime(cells[this.places.get("time") ?? -1] ?? "")) return;
    this.readRow(cells, row);
  }
}
/** @param {Day} day */
const msOf = ({ year, month, day }) => Date.UTC(year, month - 1, day);
/** @param {Day} day */
const isoDay = ({ year, month, day }) => `${year}-${two(month)}-${two(day)}`;
/**
 * @param {string} date the name of a field
 * @param {string} time the name of a field
 * @param {number} ms
 * @returns {SheetRecord["fields"]}
 */
function stampOf(date, time, ms) {
  const iso = new Date(ms).toISOString();
  const seconds = iso.slice(17, 19);
  const clock = `${iso.slice(11, 13)}${iso.slice(14, 16)}${seconds === "00" ? "" : seconds}`;
  return [
    [date, iso.slice(0, 10).replaceAll("-", "")],
    [time, clock],
  ];
}
/**
 * Returns the name of a band in ADIF, "pmr" for PMR446, or an empty text.
 * @param {string} cell
 */
function bandOf(cell) {
  const text = fold(cell);
  if (!text) return "";
  if (isPmr(cell)) return "pmr";
  if (/^(?:11|11m|11meters?|11metres?|11mt|11mtr|cb|27|27mhz|elevenmeters)$/.test(text))
    return "11m";
  return /^\d+$/.test(text) && Number(text) <= 160
    ? `${text}m`
    : cell.replace(/\s/g, "").toLowerCase();
}
/** @param {number | null | undefined} mhz */
const isPmrMhz = (mhz) => (mhz ?? 0) > 446 && (mhz ?? 0) < 446.2;
/**
 * Reads the tone of a QSO on PMR446. A tone that has several meanings is kept as it is.
 * @param {(field: string) => string} of
 * @param {string} tone after the channel
 * @param {SheetRecord["fields"]} fields
 */
function readTones(of, tone, fields) {
  for (const cell of [of("ctcssTone") || tone, of("dcsCode")]) {
    const read = readTone(cell)?.tone;
    if (read?.ctcssTone) fields.push(["APP_QSOSYNC_CTCSS_TONE", read.ctcssTone]);
    if (read?.dcsCode) fields.push(["APP_QSOSYNC_DCS_CODE", read.dcsCode]);
    if (!read) fields.push(["APP_SHEET_TONE", cell]);
  }
}
/**
 * Reads values that only an export of the service has. The standard field is needed too, because
 * the service's field counts only if both agree.
 * @param {(field: string) => string} of
 * @param {SheetRecord["fields"]} fields
 */
function readOwn(of, fields) {
  for (const [field, name, own, letters] of COORDINATES) {
    const value = of(field);
    if (!value || Number.isNaN(Number(value))) continue;
    const thousandths = Math.round(Math.abs(Number(value)) * 60000);
    const degrees = String(Math.floor(thousandths / 60000)).padStart(3, "0");
    const minutes = ((thousandths % 60000) / 1000).toFixed(3).padStart(6, "0");
    fields.push([name, `${letters[Number(value) < 0 ? 1 : 0]}${degrees} ${minutes}`], [own, value]);
  }
  const path = of("path").toUpperCase();
  if (path) fields.push(["ANT_PATH", path[0]], ["APP_QSOSYNC_PATH", path]);
  const split = of("splitKhz");
  const mhz = Number(fields.find(([name]) => name === "FREQ")?.[1]);
  if (split && mhz) {
    fields.push(["FREQ_RX", (mhz - Number(split) / 1000).toFixed(6).replace(/0{1,3}$/, "")]);
    fields.push(["APP_QSOSYNC_SPLIT_KHZ", split]);
  }
}
const COORDINATES = [
  ["dxLat", "LAT", "APP_QSOSYNC_DX_LAT", "NS"],
  ["dxLng", "LON", "APP_QSOSYNC_DX_LNG", "EW"],
];
/**
 * Turns the rows of a sheet into records, in steps.
 * @param {Table} table
 * @param {Facts} facts
 * @param {Answers} answers
 * @param {Owner} owner of the log
 * @returns {Generator<void, Result>}
 */
export function* readRecords(table, facts, answers, owner) {
  const reader = new RowReader(table, facts, answers, owner);
  for (let at = table.first; at < table.rows.length; at++) {
    if (at % ROWS_IN_STEP === 0) yield;
    reader.take(table.rows[at], at + 1);
  }
  return reader.result;
}
/**
 * Returns records as ADIF, with the places of all values, as the reader of ADIF files finds them.
 * @param {SheetRecord[]} records
 */
export function formatRecords(records) {
  const encoder = new TextEncoder();
  /** @type {Found[]} */
  const found = [];
  /** @type {Uint8Array[]} */
  const parts = [];
  let at = 0;
  const put = (/** @type {Uint8Array} */ bytes) => {
    parts.push(bytes);
    at += bytes.length;
  };
  const end = encoder.encode("<EOR>");
  for (const { row, fields } of records) {
    /** @type {Found["fields"]} */
    const places = [];
    for (const [name, text] of fields) {
      const value = encoder.encode(text);
      const tag = at;
      put(encoder.encode(`<${name}:${value.length}>`));
      places.push({ name, tag, start: at, end: at + value.length, isCut: false });
      put(value);
    }
    put(end);
    found.push({ kind: "record", line: row, fields: places, trouble: "", end: at });
  }
  const bytes = new Uint8Array(at);
  let start = 0;
  for (const part of parts) {
    bytes.set(part, start);
    start += part.length;
  }
  return { bytes, found };
}
