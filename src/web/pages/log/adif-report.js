// Shows the preview and the report of an import: the records by their outcome, and in the preview,
// chips with the counts, which filter the records. A corrected QSO shows both values.
import { element, number, typed } from "../../shared/page.js";
import { actOf } from "../../shared/lists.js";
import { bringsOf, drawBrings, newsOf } from "./adif-brings.js";
import { changeOf } from "../../shared/parts/change.js";
import { dayOf, itemOf } from "../../shared/parts/item.js";
import { callsignOf, dayName } from "../../shared/parts/row.js";
import { fieldName, fieldValue } from "../../shared/words/qso-words.js";
import { isRecord, lineInFile, textOf, valueOf } from "./adif-slices.js";
import { say } from "../../shared/language.js";

/**
 * @import {
 *   AdifPiece as Piece, AdifSlice as Slice, ImportCounts, ImportDetail, ImportPart, ImportValue,
 *   KnownWorth as Known
 * } from "../types.js"
 */
/**
 * A record of the file with the service's notes about it. `isCorrected`: the member has corrected
 * and saved the rejected record.
 * @typedef {{slice: Slice, piece: Piece, outcome: string, line: number, details: ImportDetail[],
 *   values: ImportValue[], isCorrected?: boolean}} Line
 */
/** @typedef {ImportCounts & {withoutPlace: Map<string | null, number>, lines: Line[]}} Report */

const SHOWN = 200; // maximum number of records shown in a group
const COUNTS = /** @type {const} */ ([
  "imported",
  "updated",
  "unchanged",
  "repeated",
  "rejected",
  "otherBands",
  "newIds",
]);
/** The outcomes of records, each with its chip, in the order of the chips. */
const OUTCOMES = {
  n: "New",
  c: "Corrected",
  u: "Unchanged",
  r: "Repeated",
  o: "Other bands",
  x: "Rejected",
};
/** @type {Record<string, string>} reasons not to import a record, by the letter of its outcome */
const REASONS = { r: "repeated in the file", o: "on other bands: skipped", u: "in your log" };
/** @type {Record<string, string>} words for the service's notes on values */
const NOTES = { "left out": "skipped", changed: "changed" };

/**
 * Returns the report on the slices that the service has answered.
 * @param {{slices: Slice[], parts: Map<Slice, ImportPart>}} transfer
 */
export function reportOn({ slices, parts }) {
  /** @type {Report} */
  const report = {
    imported: 0,
    updated: 0,
    unchanged: 0,
    repeated: 0,
    rejected: 0,
    otherBands: 0,
    newIds: 0,
    withoutPlace: new Map(),
    lines: [],
  };
  for (const slice of slices) {
    const part = parts.get(slice);
    if (!part) continue;
    for (const name of COUNTS) report[name] += part[name];
    for (const { field, count } of part.withoutPlace)
      report.withoutPlace.set(field, (report.withoutPlace.get(field) || 0) + count);
    const lines = slice.pieces.filter(isRecord).map((piece, index) => ({
      slice,
      piece,
      outcome: part.outcomes[index] ?? "x",
      line: piece.line,
      /** @type {ImportDetail[]} */
      details: [],
      /** @type {ImportValue[]} */
      values: [],
    }));
    const lineOf = (/** @type {{line: number, record: number}} */ one) => {
      const line = lines[one.record - 1];
      if (line) line.line = lineInFile(slice, one.line, one.record);
      return line;
    };
    for (const detail of part.details) lineOf(detail)?.details.push(detail);
    for (const value of part.values) lines[value.record - 1]?.values.push(value);
    report.lines.push(...lines);
  }
  return report;
}
/** @param {Line} line @returns {string} such as "2026-04-03", or empty */
function dayOfLine(line) {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(valueOf(line, "qso_date")) ?? [];
  const date = day ? `${year}-${month}-${day}` : "";
  return Number.isNaN(Date.parse(date)) ? "" : date;
}
/** @param {Line} line */
function hourOfLine(line) {
  const [, hours, minutes] = /^(\d\d)(\d\d)/.exec(valueOf(line, "time_on")) ?? [];
  return hours ? `${hours}:${minutes}` : "";
}
/** @param {Line} line */
function tuningOfLine(line) {
  return [valueOf(line, "freq") || valueOf(line, "band"), valueOf(line, "mode")]
    .filter(Boolean)
    .join(" ");
}
/** @param {Line} line */
function whenOf(line) {
  const day = dayOfLine(line);
  return [day && dayName(day), hourOfLine(line)].filter(Boolean).join(", ");
}
/** @param {Line} line */
export const placeOf = ({ slice, line }) =>
  slice.unit === "row" ? say("row {n}", { n: number(line) }) : say("line {n}", { n: number(line) });
/** @param {Line} line */
function nameOf(line) {
  const callsign = valueOf(line, "call");
  return callsign ? callsignOf(callsign) : say("no callsign");
}
/** @param {ImportDetail} detail */
function noteOf({ kind, field, message }) {
  const text = [field, message].filter(Boolean).join(" ");
  return element("span", {}, NOTES[kind] ? `${say(NOTES[kind])}: ` : null, typed(text));
}
/** @param {ImportValue} value */
const isCorrection = ({ kind }) => kind === "corrected";

/**
 * Returns a list item for a corrected QSO, with the values that change.
 * @param {Line} line
 * @param {((line: Line) => boolean) | null} keep switches whether the member's values are kept, and
 *   returns whether they are now kept; null: without a button
 */
function correctedItem(line, keep) {
  const kept = line.values.filter((value) => !isCorrection(value));
  const changes = line.values
    .filter(isCorrection)
    .map(({ field, before, after }) =>
      element(
        "span",
        {},
        line.values.length > 1 ? `${fieldName(field)} ` : null,
        changeOf(fieldValue(field, before), fieldValue(field, after)),
      ),
    );
  const name = `${valueOf(line, "call")}, ${whenOf(line)}`;
  const button =
    keep &&
    actOf(say("Keep mine"), name, () => button?.setAttribute("aria-pressed", String(keep(line))));
  button?.setAttribute("aria-pressed", "false");
  return itemOf({
    name: nameOf(line),
    line: [
      whenOf(line),
      tuningOfLine(line),
      ...kept.map(({ field, before }) =>
        element(
          "span",
          {},
          say("{field} stays", { field: fieldName(field) }),
          " ",
          fieldValue(field, before),
        ),
      ),
      ...line.details.map(noteOf),
    ],
    end: [...changes, button],
  });
}
/**
 * Returns a button that opens a rejected record in the form; null if the record has no fields.
 * @param {Line} line
 * @returns {HTMLElement | null}
 */
function correctButton(line) {
  if (line.outcome !== "x" || !line.piece.found?.fields.length) return null;
  const name = valueOf(line, "call") || placeOf(line);
  const button = actOf(say("Correct it"), name, async () => {
    const { correctLine } = await import("./adif-correct.js");
    await correctLine(line, button, () => button.replaceWith(say("in your log")));
  });
  return button;
}
/** @param {Line} line */
function otherItem(line) {
  const reason = line.isCorrected ? "in your log" : REASONS[line.outcome];
  return itemOf({
    name: nameOf(line),
    line: [
      placeOf(line),
      ...line.details.map(({ field, message }) =>
        typed([field, message].filter(Boolean).join(" ")),
      ),
      line.details.length ? null : whenOf(line),
    ],
    end: reason ? [say(reason)] : [correctButton(line)].filter((node) => node !== null),
  });
}
/**
 * @param {Line} line
 * @param {HTMLElement | null} badge
 */
function newItem(line, badge) {
  const reports = [valueOf(line, "rst_sent"), valueOf(line, "rst_rcvd")]
    .filter(Boolean)
    .join(" / ");
  return itemOf({
    lead: hourOfLine(line),
    name: nameOf(line),
    badge,
    line: [
      tuningOfLine(line),
      line.details.length ? placeOf(line) : null,
      ...line.details.map(noteOf),
    ],
    end: reports ? [typed(reports)] : [],
  });
}
/**
 * Returns an item with the number of records that are not shown; no item if all are shown.
 * @param {number} count of all records
 */
function restOf(count) {
  const n = count - SHOWN;
  return n > 0 ? [element("li", { class: "muted" }, say("and {n} more", { n }))] : [];
}
/**
 * Returns the first records, followed by the number of the others.
 * @param {Line[]} lines
 * @param {(line: Line) => HTMLElement} create
 */
const firstOf = (lines, create) => [...lines.slice(0, SHOWN).map(create), ...restOf(lines.length)];
/**
 * Returns a heading with the number of records, followed by the first records.
 * @param {string} title
 * @param {Line[]} lines
 * @param {(line: Line) => HTMLElement} create
 */
const groupOf = (title, lines, create) =>
  lines.length ? [dayOf(title, number(lines.length)), ...firstOf(lines, create)] : [];
/**
 * Returns the new records by day, with the newest day first.
 * @param {Line[]} lines
 * @param {(line: Line) => HTMLElement | null} badgeOfLine
 */
function newGroups(lines, badgeOfLine) {
  /** @type {Map<string, Line[]>} */
  const days = new Map();
  for (const line of lines) {
    const day = dayOfLine(line);
    const known = days.get(day);
    if (known) known.push(line);
    else days.set(day, [line]);
  }
  let left = SHOWN;
  return [...days]
    .sort()
    .reverse()
    .flatMap(([day, all]) => {
      const shown = all.slice(0, Math.max(0, left));
      left -= all.length;
      if (!shown.length) return [];
      return [
        dayOf(day ? say("New: {day}", { day: dayName(day) }) : say("New"), number(all.length)),
        ...shown.map((line) => newItem(line, badgeOfLine(line))),
      ];
    });
}
/** @type {(lines: Line[], outcomes: string) => Line[]} */
const withOutcome = (lines, outcomes) => lines.filter(({ outcome }) => outcomes.includes(outcome));

/**
 * Returns the list items of the preview: corrected records, records not taken, and new records by
 * day. Unchanged records are shown only if their chip is chosen.
 * @param {Report} report
 * @param {string} outcome the letter of the chosen chip; empty: all
 * @param {(line: Line) => boolean} keep
 * @param {(line: Line) => HTMLElement | null} badgeOfLine
 */
function groupsOf({ lines }, outcome, keep, badgeOfLine) {
  const chosen = outcome ? withOutcome(lines, outcome) : lines;
  const shownNew = withOutcome(chosen, "n");
  return [
    ...groupOf(say("Corrected: your QSO gets the file's value"), withOutcome(chosen, "c"), (line) =>
      correctedItem(line, keep),
    ),
    ...groupOf(say("Not taken"), withOutcome(chosen, "xor"), otherItem),
    ...newGroups(shownNew, badgeOfLine),
    ...(outcome === "u" ? groupOf(say("Unchanged"), chosen, otherItem) : []),
    ...restOf(shownNew.length),
  ];
}
/**
 * Returns chips with the counts, a list of the records, and a panel with the file's additions to
 * the awards. A chosen chip filters the list.
 * @param {Report} report
 * @param {Known | null} known what the log already contains; null: unknown
 * @param {(line: Line) => boolean} keep
 */
export function previewOf(report, known, keep) {
  const list = element("ul", { class: "items" });
  const aside = element("div", {});
  /** @type {Set<Line>} */
  const kept = new Set();
  const count = () =>
    bringsOf(
      report.lines.filter((line) => !kept.has(line)),
      known,
    );
  const first = count();
  const tell = () => aside.replaceChildren(...drawBrings(count(), known));
  const keepAndTell = (/** @type {Line} */ line) => {
    const isKept = keep(line);
    if (isKept) kept.add(line);
    else kept.delete(line);
    tell();
    return isKept;
  };
  /** @type {[string, string, number][]} */
  const counts = [
    ["", say("All"), report.lines.length],
    ...Object.entries(OUTCOMES).map(
      ([outcome, name]) =>
        /** @type {[string, string, number]} */ ([
          outcome,
          say(name),
          withOutcome(report.lines, outcome).length,
        ]),
    ),
  ];
  const chips = counts
    .filter(([outcome, , count]) => count || !outcome)
    .map(([outcome, name, count]) =>
      element(
        "button",
        { type: "button", class: "chip", "data-outcome": outcome, click: () => show(outcome) },
        `${name} · ${number(count)}`,
      ),
    );
  const show = (/** @type {string} */ outcome) => {
    for (const chip of chips)
      chip.setAttribute("aria-pressed", String(chip.dataset.outcome === outcome));
    list.replaceChildren(...groupsOf(report, outcome, keepAndTell, (line) => newsOf(first, line)));
  };
  show("");
  tell();
  return [
    element("div", { class: "chips", role: "group" }, ...chips),
    element("div", { class: "with-aside" }, list, aside),
  ];
}
/**
 * Returns the result of an import: the numbers of added and corrected QSOs, the records that are
 * not in the log, and the corrected QSOs.
 * @param {Report} report
 */
export function resultOf(report) {
  const { imported: n, updated: m } = report;
  const corrected = withOutcome(report.lines, "c");
  const missing = withOutcome(report.lines, "xor");
  return {
    title: m
      ? say("{n} QSO added, {m} corrected|{n} QSOs added, {m} corrected", { n, m: number(m) })
      : say("{n} QSO added|{n} QSOs added", { n }),
    groups: [
      missing.length
        ? element(
            "ul",
            { class: "items" },
            dayOf(say("Not in your log"), fileOf(missing)),
            ...firstOf(missing, otherItem),
          )
        : null,
      corrected.length
        ? element(
            "ul",
            { class: "items" },
            ...groupOf(say("Corrected"), corrected, (line) => correctedItem(line, null)),
          )
        : null,
    ],
  };
}
/**
 * Returns a link that downloads a file with the given records.
 * @param {Line[]} lines
 */
function fileOf(lines) {
  const link = element("a", { href: "#", download: "not-imported.adi" });
  link.textContent = say("Download {n} row|Download {n} rows", { n: lines.length });
  link.addEventListener("click", () => {
    const text = lines
      .filter(({ isCorrected }) => !isCorrected)
      .map(({ slice, piece }) => textOf(slice, piece))
      .join("\n");
    const address = URL.createObjectURL(new Blob([`<eoh>\n${text}\n`], { type: "text/plain" }));
    link.href = address;
    setTimeout(() => URL.revokeObjectURL(address), 60000);
  });
  return link;
}
/**
 * Returns a paragraph with the fields that the service does not store; null: there are no such
 * fields.
 * @param {Report} report
 */
export function withoutPlaceOf({ withoutPlace }) {
  if (!withoutPlace.size) return null;
  const fields = [...withoutPlace].map(
    ([field, count]) => `${field || say("other fields")} (${number(count)})`,
  );
  const text = say("Fields that this log doesn't store:");
  return element("p", { class: "muted" }, text, " ", typed(fields.join(", ")));
}
