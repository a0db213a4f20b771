// Shows almost confirmed QSOs in Logbook: each QSO, the rule that prevents the confirmation, and
// what to do. If a single value differs, the member can take the other member's value.
import { element, find, hour } from "../../shared/page.js";
import { QsoRows } from "../../shared/logbook/log-rows.js";
import { actOf } from "../../shared/lists.js";
import { changeOf } from "../../shared/parts/change.js";
import { badgeOf, callsignOf } from "../../shared/parts/row.js";
import { closeSheet, openSheet } from "../../shared/parts/sheet.js";
import { drawVersus } from "../../shared/parts/versus.js";
import { change, get } from "../../shared/service.js";
import { DELETED_MS, TOAST_MS } from "../../shared/toast.js";
import { fieldValue, writtenOf } from "../../shared/words/qso-words.js";
import { say } from "../../shared/language.js";
import { latestOf, rowOf } from "../../shared/logbook/server-book.js";

/** @import { LogActs, NearMatch, Qso } from "../types.js" */

/** @type {Record<string, [string, string]>} the rule, and how to fix the QSO */
const REASONS = {
  BAND: ["The bands differ.", "Agree on the band. Whoever is wrong should correct the QSO."],
  CALLSIGN: [
    "The callsigns differ by a prefix or a suffix.",
    "21SD333, 161/21SD333 and 21SD333/P are three different stations. Compare how each of you wrote the two callsigns. Whoever is wrong should correct the QSO.",
  ],
};
const MS_PER_MINUTE = 60000;
const MINUTES_PER_HOUR = 60;

/**
 * Returns the difference between two times in words.
 * @param {string} mine
 * @param {string} theirs
 */
function timeReason(mine, theirs) {
  const minutes = Math.round((Date.parse(theirs) - Date.parse(mine)) / MS_PER_MINUTE);
  const n = Math.abs(minutes);
  if (n % MINUTES_PER_HOUR === 0)
    return say(
      minutes > 0
        ? "their time is {n} hour later|their time is {n} hours later"
        : "their time is {n} hour earlier|their time is {n} hours earlier",
      { n: n / MINUTES_PER_HOUR },
    );
  return say(
    minutes > 0
      ? "their time is {n} minute later|their time is {n} minutes later"
      : "their time is {n} minute earlier|their time is {n} minutes earlier",
    { n },
  );
}
/**
 * Returns the two values of the only field that differs, in words.
 * @param {Qso} qso
 * @param {NonNullable<NearMatch["theirs"]>} theirs
 */
function valuesOf(qso, { field, value }) {
  const both = [qso[field], value];
  const isOneDay = String(both[0]).slice(0, 10) === String(both[1]).slice(0, 10);
  return both.map((one) =>
    field === "qsoAt" && isOneDay
      ? hour(String(one))
      : field === "channel"
        ? `PMR ${one}`
        : fieldValue(field, one),
  );
}
/** @type {QsoRows | undefined} */
let rows;

/**
 * Shows that a QSO changed after the list was loaded: the version in the list, and the newer
 * version.
 * @param {Qso} qso
 * @param {Qso | null} newer null: deleted
 * @param {HTMLElement[]} foot
 */
function showNewer(qso, newer, foot) {
  const when = (/** @type {Qso | null} */ one) =>
    one?.syncedAt ? fieldValue("syncedAt", one.syncedAt) : say("deleted");
  openSheet({
    title: [callsignOf(qso.callsignWorked), badgeOf("wait", say("two versions"))],
    body: [
      element("p", {}, say("This QSO changed after the list was loaded. Nothing is overwritten.")),
      drawVersus([
        { qso: writtenOf(qso), name: say("Before"), origin: String(when(qso)) },
        { qso: newer && writtenOf(newer), name: say("Now"), origin: String(when(newer)) },
      ]),
    ],
    foot,
    closed: () => document.dispatchEvent(new Event("changed")),
  });
}
/**
 * Stores a QSO, unless another program has changed it since a version.
 * @param {LogActs} acts
 * @param {Qso} qso
 * @param {Qso} since
 * @param {(newer: Qso) => HTMLElement[]} footOf returns the buttons below both versions
 * @returns {Promise<boolean>} whether the QSO is stored
 */
async function save(acts, qso, since, footOf) {
  const entry = { ...writtenOf(qso), baseSyncedAt: since.syncedAt };
  const { error } = (await change("qsos", { entries: [entry] })).results[0];
  if (error === "CONFLICT") {
    const newer = await latestOf(since);
    showNewer(since, newer, newer ? footOf(newer) : []);
  } else if (error)
    acts.tell("bad", TOAST_MS, say("The service rejected this QSO: {reason}", { reason: error }));
  else document.dispatchEvent(new Event("changed"));
  return !error;
}
/**
 * Gives the QSO the other member's value. The row leaves the list, and the focus moves to the next
 * row. A message with an undo button is shown.
 * @param {LogActs} acts
 * @param {Qso} qso
 * @param {NonNullable<NearMatch["theirs"]>} theirs
 */
async function takeTheirs(acts, qso, theirs) {
  const fresh = { ...qso, [theirs.field]: theirs.value };
  const isTaken = await save(acts, fresh, qso, (newer) => {
    const again = () => {
      closeSheet();
      acts.orTell(() => takeTheirs(acts, newer, theirs));
    };
    const take = element("button", { type: "button", class: "main" }, say("Take theirs"));
    take.addEventListener("click", again);
    return newer[theirs.field] === theirs.value ? [] : [take];
  });
  if (!isTaken) return;
  // Undo replaces only this version.
  const stored = latestOf(fresh).catch(() => null);
  const taken = rows?.take(String(qso.id));
  const undo = async () => {
    note.remove();
    if (!(await save(acts, qso, (await stored) ?? qso, () => []))) return;
    showNear(acts, (await get("near-matches")).items); // with the QSO's new version
    rows?.focus(String(qso.id));
  };
  const note = acts.tell(
    "",
    DELETED_MS,
    say("{callsign} has the same value now", { callsign: qso.callsignWorked ?? "" }),
    " ",
    element("button", { type: "button", click: () => acts.orTell(undo) }, say("Undo")),
  );
  if (taken?.next) rows?.focus(taken.next);
  else find("near-chip").focus();
}
/**
 * Returns the line below a QSO: the reason, the two values, and what the member can do.
 * @param {LogActs} acts
 * @param {NearMatch} match
 */
function lineOf(acts, match) {
  const { qso, reason, theirs } = match;
  if (!theirs) {
    const known = REASONS[reason];
    return element(
      "p",
      { class: "below" },
      known ? say(known[0]) : reason,
      known ? element("small", {}, " ", say(known[1])) : null,
    );
  }
  const [mine, other] = valuesOf(qso, theirs);
  const take = () => acts.orTell(() => takeTheirs(acts, qso, theirs));
  return element(
    "p",
    { class: "below differs" },
    element(
      "span",
      { class: "muted" },
      theirs.field === "qsoAt"
        ? timeReason(String(qso.qsoAt), String(theirs.value))
        : say("they logged {value}", {
            value: other instanceof Node ? (other.textContent ?? "") : other,
          }),
    ),
    changeOf(mine, other),
    qso.clientId === null ? null : actOf(say("Take theirs"), qso.callsignWorked ?? "", take),
  );
}
/**
 * @param {LogActs} acts
 * @param {NearMatch[]} items
 */
export function showNear(acts, items) {
  if (!items.length) {
    find("near").replaceChildren(element("p", { class: "card" }, say("None.")));
    return;
  }
  rows ??= new QsoRows(say("Almost confirmed"), acts);
  rows.showQsos(
    items.map(({ qso }) => rowOf(qso, [null, null])),
    { isFirst: true, isLast: true, hasDays: true, below: (index) => lineOf(acts, items[index]) },
  );
  find("near").replaceChildren(rows.node);
}
