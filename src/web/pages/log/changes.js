// Creates texts and elements for acts in the history, for their writers and for their changes. The
// section History uses this file, and Logbook uses it for the history of one QSO.
import { day, element, hour, number, typed } from "../../shared/page.js";
import { changeOf } from "../../shared/parts/change.js";
import { fieldName, fieldValue } from "../../shared/words/qso-words.js";
import { say } from "../../shared/language.js";

/** @import { Act, Change, Child, Writer } from "../types.js" */

/** @type {Record<string, string>} */
const KINDS = {
  CREATED: "new",
  CHANGED: "changed",
  DELETED: "deleted",
  RESTORED: "restored",
};
/** @type {Record<string, string>} titles by kind of change; "changed" is also for several kinds */
const TITLES = {
  created: "Logged {n} QSO|Logged {n} QSOs",
  uploaded: "Uploaded {n} QSO|Uploaded {n} QSOs",
  changed: "Changed {n} QSO|Changed {n} QSOs",
  deleted: "Deleted {n} QSO|Deleted {n} QSOs",
  restored: "Restored {n} QSO|Restored {n} QSOs",
};
const COUNTED = /** @type {const} */ (["created", "changed", "deleted", "restored"]);

/** @param {Writer | null} writer */
export function writerName(writer) {
  if (writer?.kind === "OPERATOR") return say("the operator");
  const name = writer?.name ?? say("unknown, before the history began");
  return writer?.operator ? `${writer.operator}, ${name}` : name;
}
/** @typedef {{created: number, changed: number, deleted: number, restored: number}} Counts */
/** @param {Counts} act */
const kindsOf = (act) => COUNTED.filter((kind) => act[kind]);
/** @param {Counts} act */
export const totalOf = (act) => COUNTED.reduce((total, kind) => total + act[kind], 0);

/**
 * Returns an act in words, such as "Logged 4 QSOs".
 * @param {Act} act
 */
export function actTitle(act) {
  const n = totalOf(act);
  const kinds = kindsOf(act);
  switch (act.work) {
    case "IMPORT":
      return act.subject ? say("Imported {name}", { name: act.subject }) : say("Imported a file");
    case "UNDO":
      return say("Undid {n} change|Undid {n} changes", { n });
    case "RESTORE":
      return say("Restored a backup");
    case "MERGE":
      return act.subject
        ? say("Merged two QSOs with {callsign}", { callsign: act.subject })
        : say("Merged two QSOs");
  }
  if (kinds.length !== 1) return say(TITLES.changed, { n });
  const isUpload = kinds[0] === "created" && act.writer?.kind === "TOKEN";
  return say(TITLES[isUpload ? "uploaded" : kinds[0]], { n });
}
/** @param {Counts} act */
function countsOf(act) {
  return [
    act.created ? say("{count} new", { count: number(act.created) }) : null,
    act.changed ? say("{count} changed", { count: number(act.changed) }) : null,
    act.deleted ? say("{count} deleted", { count: number(act.deleted) }) : null,
    act.restored ? say("{count} restored", { count: number(act.restored) }) : null,
  ]
    .filter(Boolean)
    .join(", ");
}
/**
 * Returns the first changed field of a QSO in full, and the number of other changed fields.
 * @param {Change["fields"]} fields
 * @param {boolean} isBack whether the old values replace the new values
 */
export function shortChange(fields, isBack = false) {
  const [{ name, old, new: fresh }, ...more] = fields;
  const values = [old, fresh].map((value) => fieldValue(name, value));
  if (isBack) values.reverse();
  return element(
    "span",
    {},
    changeOf(values[0], values[1]),
    more.length ? ` ${say("and {n} more", { n: more.length })}` : null,
  );
}
const NAMED = 2; // callsigns that an act names, if it has more changes than examples
/**
 * Returns some of an act's QSOs, or the change of its only QSO.
 * @param {Change[]} examples
 * @param {number} total
 */
function examplesOf(examples, total) {
  const [first] = examples;
  if (total === 1 && first.kind === "CHANGED" && first.fields.length)
    return element("span", {}, nameOf(first), ": ", shortChange(first.fields));
  if (total === 1) return element("span", {}, nameOf(first), `, ${hour(first.qsoAt)}`);
  const shown = total > examples.length ? examples.slice(0, NAMED) : examples;
  const names = shown.flatMap((one, index) => [index ? ", " : "", nameOf(one)]);
  const rest = total - shown.length;
  return element("span", {}, ...names, rest ? ` ${say("and {n} more", { n: rest })}` : null);
}
/** @param {{callsignWorked: string | null}} qso */
const nameOf = ({ callsignWorked }) => typed(callsignWorked || say("no callsign"));
/**
 * Returns the facts about an act, for the line below its title.
 * @param {Act} act
 * @returns {Child[]}
 */
export function actFacts(act) {
  const { examples = [] } = act;
  const isPlain = act.work === "SYNC" && kindsOf(act).length === 1;
  if (isPlain) return examples.length ? [examplesOf(examples, totalOf(act))] : [];
  const subject =
    act.work === "UNDO" && act.subject ? say("changes by {name}", { name: act.subject }) : null;
  return [countsOf(act), subject];
}
/**
 * Returns the request to undo everything that the act's writer has written since the act began;
 * null if the writer is unknown.
 * @param {Act} act
 */
export function wishSince({ writer, beganAt }) {
  return (
    writer && {
      writer: writer.kind,
      ...(writer.number ? { number: writer.number } : {}),
      since: beganAt,
    }
  );
}
/**
 * Returns the day and time at which an act began and, if different, the time at which it ended. The
 * day of the end is omitted if it is the first day.
 * @param {string} began
 * @param {string} ended
 */
export function span(began, ended) {
  const [first, last] = [`${day(began)}, ${hour(began)}`, `${day(ended)}, ${hour(ended)}`];
  if (first === last) return `${first} UTC`;
  return `${first} – ${day(began) === day(ended) ? hour(ended) : last} UTC`;
}
/** @param {{band: string, qsoAt: string, callsignWorked: string | null}} qso */
export function qsoName(qso) {
  return element(
    "span",
    {},
    typed(qso.callsignWorked || say("no callsign")),
    ` · ${qso.band === "PMR446" ? "PMR446" : "11 m"} · ${day(qso.qsoAt)}, ${hour(qso.qsoAt)} UTC`,
  );
}
/**
 * Returns one change as a list item: old values next to new values, or all values of a created or
 * deleted QSO.
 * @param {Change} change
 * @param {...Child} heading
 */
export function changeItem(change, ...heading) {
  const isWhole = change.kind === "CREATED" || change.kind === "DELETED";
  return element(
    "li",
    {},
    element(
      "div",
      { class: "name" },
      ...heading,
      element("span", { class: "tag" }, say(KINDS[change.kind])),
    ),
    element(
      "dl",
      { class: "fields-of-qso" },
      ...change.fields.flatMap(({ name, old, new: fresh }) => [
        element("dt", {}, fieldName(name)),
        element(
          "dd",
          {},
          isWhole
            ? fieldValue(name, change.kind === "CREATED" ? fresh : old)
            : changeOf(fieldValue(name, old), fieldValue(name, fresh)),
        ),
      ]),
    ),
  );
}
