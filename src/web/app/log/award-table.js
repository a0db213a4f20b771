// Formats awards as the CSV file that the service also offers (src/site/profile/awards_table.c).
// The functions are pure.
import { SUBJECTS } from "./award-counts.js";

/** @import { Awards } from "../types.js" */

const COLUMNS = [
  ...["kind", "name", "country", "qsos", "confirmed", "bands", "modes", "confirmedBands"],
  ...["confirmedModes", "firstAt", "firstCallsign", "firstConfirmedAt"],
  ...["firstConfirmedCallsign", "state"],
];
const KINDS = { divisions: "division", squares: "square", special: "special station" };
/**
 * Formats a value as the service does (src/transfer/csv.c): an apostrophe precedes a text that a
 * spreadsheet would take for a formula.
 * @param {unknown} value
 */
function cellOf(value) {
  const text = String(value ?? "");
  const isFormula = /^[=@\t\r]|^[+-](?:[^]*[^\d.]|$)/.test(text);
  const marked = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(text) ? `"${marked.replaceAll('"', '""')}"` : marked;
}
/**
 * Returns a CSV file with the items worked, followed by the missing divisions.
 * @param {Awards} awards
 */
export function formatCsv(awards) {
  const rows = SUBJECTS.flatMap((subject) =>
    awards[subject].map((award) => [
      ...[KINDS[subject], award.name, award.country, award.qsos, award.confirmed],
      ...[award.bands, award.modes, award.confirmedBands, award.confirmedModes].map((choices) =>
        choices?.join(" "),
      ),
      ...[award.first, award.firstConfirmed].flatMap((qso) => [qso?.qsoAt, qso?.callsign]),
      award.confirmed ? "confirmed" : "worked",
    ]),
  );
  const missing = awards.missing.map(({ number, country }) => [
    ...["division", number, country, 0, 0],
    ...["", "", "", "", "", "", "", "", "missing"],
  ]);
  return [COLUMNS, ...rows, ...missing].map((row) => `${row.map(cellOf).join()}\r\n`).join("");
}
