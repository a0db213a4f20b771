// Creates texts and elements for acts in the history, for their writers and for their changes. The
// section History uses this file, and also Logbook, for the history of one QSO.
import { day, element, hour, number, typed } from "../../shared/page.js";
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
/** @type {Record<string, string>} */
const WORKS = { IMPORT: "import", UNDO: "undone", RESTORE: "restored backup", MERGE: "merged" };

/** @param {Writer | null} writer */
export function writerName(writer) {
  if (writer?.kind === "OPERATOR") return say("the operator");
  const name = writer?.name ?? say("unknown, before the history began");
  return writer?.operator ? `${writer.operator}, ${name}` : name;
}
/** @param {Act} act */
function workName(act) {
  const work = WORKS[act.work];
  return !work ? null : act.subject ? `${say(work)}: ${act.subject}` : say(work);
}
/** @param {{created: number, changed: number, deleted: number, restored: number}} act */
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
 * Returns an act in words: its writer, the kind of work, and the counts.
 * @param {Act} act
 */
export function actName(act) {
  const work = workName(act);
  return element(
    "div",
    { class: "name" },
    element("strong", {}, typed(writerName(act.writer))),
    work ? element("span", { class: "tag" }, typed(work)) : null,
    element("span", {}, countsOf(act)),
  );
}
/**
 * Returns the buttons that undo an act, or all writes by the act's writer since the act; null if
 * the act is too old.
 * @param {Act} act
 * @param {(wish: object) => unknown} offer
 */
export function undoButtons(act, offer) {
  const { writer } = act;
  const name = `${writerName(writer)}, ${span(act.beganAt, act.endedAt)}`;
  /** @type {(text: string, wish: object) => HTMLElement} */
  const button = (text, wish) =>
    element(
      "button",
      { type: "button", "aria-label": `${text}: ${name}`, click: () => offer(wish) },
      text,
    );
  if (act.tooOld) return { ofAct: null, ofWriter: null };
  const since = writer && {
    writer: writer.kind,
    ...(writer.number ? { number: writer.number } : {}),
    since: act.beganAt,
  };
  return {
    ofAct: button(say("Undo"), { act: act.number }),
    ofWriter: since && button(say("Undo everything this program has done since then"), since),
  };
}
/**
 * Returns the day and time at which an act began and, if different, the day and time at which it
 * ended.
 * @param {string} began
 * @param {string} ended
 */
export function span(began, ended) {
  const [first, last] = [`${day(began)}, ${hour(began)}`, `${day(ended)}, ${hour(ended)}`];
  if (first === last) return `${first} UTC`;
  return `${first} – ${day(began) === day(ended) ? hour(ended) : last} UTC`;
}
/**
 * Returns the times of an act, for a list below a heading with the day on which the act ended.
 * @param {string} began
 * @param {string} ended
 */
export function hours(began, ended) {
  return day(began) !== day(ended)
    ? span(began, ended)
    : hour(began) === hour(ended)
      ? `${hour(ended)} UTC`
      : `${hour(began)} – ${hour(ended)} UTC`;
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
        isWhole
          ? element("dd", {}, fieldValue(name, change.kind === "CREATED" ? fresh : old))
          : element(
              "dd",
              {},
              element("del", {}, fieldValue(name, old)),
              " → ",
              element("ins", {}, fieldValue(name, fresh)),
            ),
      ]),
    ),
  );
}
