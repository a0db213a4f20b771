// Shows the limits of all alerts in sheets: quiet hours, a maximum per hour, and muted stations.
import { element, find, once, typed } from "../../shared/page.js";
import { actOf, buttonOf } from "../../shared/lists.js";
import { itemOf } from "../../shared/parts/item.js";
import { Question } from "../../shared/parts/question.js";
import { closeSheet, openSheet } from "../../shared/parts/sheet.js";
import { Refusal, change, explain } from "../../shared/service.js";
import { say } from "../../shared/language.js";

/** @import { Alerts, Child, RunAlertStep as Run } from "../types.js" */

/** @type {Record<string, string>} what to do about a rejected field */
const REMEDIES = {
  callsigns: "Enter callsigns, such as 26AT101, or 19CT* for all that start with 19CT.",
  callsign: "Enter a callsign.",
  name: "Enter a name.",
  from: "Enter two different hours.",
  quiet: "Enter two different hours.",
  address: "Enter an https address that can be reached from the Internet.",
  headers: "A token can't contain spaces or line ends.",
  body: "Enter the text of the request.",
};
/**
 * Explains a refusal in words for the forms of alerts.
 * @param {unknown} refusal
 */
export function explainFault(refusal) {
  if (refusal instanceof Refusal && refusal.code === "ALERTS.TOO_MANY")
    return say("This is the maximum. Remove one first, or try again in an hour.");
  const field = refusal instanceof Refusal ? refusal.details[0]?.field : undefined;
  return field && Object.hasOwn(REMEDIES, field) ? say(REMEDIES[field]) : explain(refusal);
}

/** @param {number} minutes of the day */
const clock = (minutes) =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
/** @param {string} text */
function minutesOf(text) {
  const [hours, minutes] = text.split(":").map(Number);
  return hours * 60 + minutes;
}
/** The time zone of this browser. */
const zone = once(() => Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC");
const YEARS = 10;
const DAY_MS = 86400000;
/**
 * Returns this browser's time zone with its offsets from UTC in the next years, because the service
 * has no tables of time zones. An offset is a time in seconds and the minutes ahead of UTC from
 * then on.
 */
export function zoneOf() {
  const offsetAt = (/** @type {number} */ ms) => -new Date(ms).getTimezoneOffset();
  const first = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const offsets = [`${first / 1000}:${offsetAt(first)}`];
  for (let day = first; day < first + YEARS * 365 * DAY_MS; day += DAY_MS) {
    if (offsetAt(day) === offsetAt(day + DAY_MS)) continue;
    let [before, after] = [day, day + DAY_MS];
    while (after - before > 60000) {
      const middle = Math.round((before + after) / 120000) * 60000;
      if (offsetAt(middle) === offsetAt(day)) before = middle;
      else after = middle;
    }
    offsets.push(`${after / 1000}:${offsetAt(after)}`);
  }
  return { zone: zone(), offsets: offsets.join(" ") };
}
/**
 * Returns hours in words; null: any hour.
 * @param {number | null} from minutes of the day
 * @param {number | null} to
 */
export function hoursOf(from, to) {
  if (from === null || to === null) return null;
  return say("between {from} and {to}", { from: clock(from), to: clock(to) });
}
/**
 * Returns fields for hours. Hours apply only if both fields are filled in.
 * @param {string} title
 * @param {{from: number | null, to: number | null}} hours
 * @param {(from: number | null, to: number | null) => void} changed
 */
export function hoursFields(title, { from, to }, changed) {
  const fields = [from, to].map((minutes) =>
    element("input", { type: "time", value: minutes === null ? "" : clock(minutes) }),
  );
  const where = say("In your local time ({zone}). To remove the hours, clear both fields.", {
    zone: zone().replaceAll("_", " "),
  });
  const node = element(
    "fieldset",
    { class: "question" },
    element("legend", {}, element("h3", {}, title)),
    element("p", { class: "muted" }, where),
    element(
      "div",
      { class: "fields" },
      element("label", {}, element("span", {}, say("From")), fields[0]),
      element("label", {}, element("span", {}, say("Until")), fields[1]),
    ),
  );
  node.addEventListener("input", () => {
    const isWhole = fields.every(({ value }) => value);
    const [first, last] = fields.map(({ value }) => (isWhole ? minutesOf(value) : null));
    changed(first, last);
  });
  return node;
}

/**
 * Opens a sheet with a button to save. If the service refuses, the sheet shows why, and stays open.
 * @param {string} title
 * @param {Child[]} body
 * @param {() => Promise<unknown>} save
 * @param {Run} run
 */
function openForm(title, body, save, run) {
  const trouble = element("p", {
    class: "note bad",
    role: "alert",
    hidden: true,
  });
  const submit = async () => {
    try {
      await save();
    } catch (refusal) {
      trouble.textContent = explainFault(refusal);
      trouble.hidden = false;
      return;
    }
    closeSheet();
    await run(async () => {});
  };
  openSheet({
    title: [title],
    body: [...body, trouble],
    foot: [buttonOf("Save", submit, "main")],
    closed: (hadFocus) => {
      if (hadFocus) find("alerts-title").focus();
    },
  });
}
/** @param {Alerts} alerts @param {Run} run */
export function changeQuiet({ quietFrom, quietTo }, run) {
  let hours = { quietFrom, quietTo };
  const shown = { from: quietFrom, to: quietTo };
  const fields = hoursFields(say("No alerts"), shown, (from, to) => {
    hours = { quietFrom: from, quietTo: to };
  });
  const save = () => change("alerts/settings", { ...hours, ...zoneOf() });
  openForm(say("Quiet hours"), [fields], save, run);
}
/** @param {Alerts} alerts @param {Run} run */
export function changeLimit({ hourly }, run) {
  const answers = [...new Set([1, 3, 5, 10, 60, hourly])]
    .sort((one, other) => one - other)
    .map((n) => ({ value: String(n), name: [say("{n} an hour", { n })] }));
  const question = new Question(say("At most"), [], answers, String(hourly));
  const save = () => change("alerts/settings", { hourly: Number(question.take()) });
  openForm(say("At most"), [question.node], save, run);
}
/** @param {Alerts} alerts @param {Run} run */
export function changeMuted({ mutes }, run) {
  const field = element("input", {
    maxlength: 20,
    autocapitalize: "characters",
    autocomplete: "off",
    spellcheck: "false",
  });
  const end = async (/** @type {string} */ callsign) => {
    if (await run(() => change("alerts/mutes/remove", { callsign }))) closeSheet();
  };
  const rows = mutes.map((callsign) =>
    itemOf({ name: typed(callsign), end: [actOf(say("Unmute"), callsign, () => end(callsign))] }),
  );
  openForm(
    say("Muted stations"),
    [
      element("ul", { class: "items" }, ...rows),
      element("label", { class: "whole" }, element("span", {}, say("Callsign")), field),
    ],
    () => change("alerts/mutes", { callsign: field.value }),
    run,
  );
}
