// Shows the section Alerts: the member's rules, the latest alerts, the ways to the member, and the
// limits of all alerts. alert-rule.js shows a rule as a sentence.
import { drawing, element, find, hour, moveFocus, plain, typed } from "../../shared/page.js";
import { actOf, buttonOf } from "../../shared/lists.js";
import { dayOf, itemOf } from "../../shared/parts/item.js";
import { badgeOf, callsignOf, drawTuning, shortAge } from "../../shared/parts/row.js";
import { change, get } from "../../shared/service.js";
import { TOAST_MS, showToast } from "../../shared/toast.js";
import { capital, say } from "../../shared/language.js";
import { NEW_RULE, editRule, factsOf, nameOf } from "./alert-rule.js";
import { addWay, showWay } from "./alert-ways.js";
import { changeLimit, changeMuted, changeQuiet, explainFault, hoursOf } from "./alert-limits.js";

/** @import { Alert, AlertRule, Alerts, AlertWay } from "../types.js" */

// The paths of the icons, by the kind of way.
const ICONS = {
  PUSH: "M8 3.5h8a1.5 1.5 0 0 1 1.5 1.5v14a1.5 1.5 0 0 1-1.5 1.5H8A1.5 1.5 0 0 1 6.5 19V5A1.5 1.5 0 0 1 8 3.5zM11 17.5h2",
  WEB: "M4.5 6h15v10h-8l-4 3.5V16h-3z",
};
/** @param {keyof typeof ICONS} kind */
const iconOf = (kind) =>
  drawing(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    drawing("path", { d: ICONS[kind] }),
  );

/** @param {string} sentence @param {string} kind */
function tell(sentence, kind = "") {
  showToast(element("p", { class: `note ${kind}` }, sentence), TOAST_MS);
}
/**
 * Runs a step, and shows the section again. If the service refuses the step, shows the reason.
 * Returns whether the step succeeded.
 * @param {() => Promise<unknown>} step
 */
async function run(step) {
  try {
    await step();
    await showAlerts();
    return true;
  } catch (refusal) {
    tell(explainFault(refusal), "bad");
    return false;
  }
}

/** @param {AlertRule} rule @param {Alerts} alerts */
function rowOfRule(rule, alerts) {
  const node = element("input", {
    type: "checkbox",
    checked: rule.isOn,
    "aria-label": capital(nameOf(rule)),
  });
  node.addEventListener("change", async () => {
    const isOn = node.checked;
    if (!(await run(() => change(`alerts/${rule.number}/on`, { on: isOn })))) node.checked = !isOn;
    moveFocus(document.querySelector(`[data-rule="${rule.number}"] input`), node);
  });
  const row = itemOf({
    name: typed(capital(nameOf(rule))),
    line: factsOf(rule),
    end: [element("label", { class: "switch" }, node)],
    open: () => editRule(rule, alerts, run, tell),
  });
  row.setAttribute("data-rule", rule.number);
  return row;
}

/** @type {Record<string, string>} */
const REASONS = {
  HOUR: "the hourly maximum was reached",
  QUIET: "quiet hours",
  MUTED: "all alerts were muted",
};
/** @type {Record<string, [string, string]>} */
const STATES = { FAILED: ["bad", "failed"], WAITING: ["wait", "waiting to be sent"] };
/** @param {Alert} alert */
function rowOfAlert(alert) {
  const { at, callsign, rule, spotter, state, held } = alert;
  const row = itemOf({
    name: callsignOf(callsign),
    badge: state in STATES ? badgeOf(STATES[state][0], say(STATES[state][1])) : null,
    line: held
      ? [say("Held back: {why}", { why: say(REASONS[held]) })]
      : [
          typed(rule ?? say("trial")),
          drawTuning(alert),
          say("heard by {callsign}", { callsign: plain(spotter) }),
        ],
    end: [element("time", { datetime: at, title: `${hour(at)} UTC` }, shortAge(at))],
  });
  if (held) row.classList.add("gone");
  return row;
}

/** @param {AlertWay} way */
async function tryWay(way) {
  const isSent = await run(() => change(`alerts/ways/${way.number}/try`));
  if (isSent) tell(say("A trial alert is on its way: {name}", { name: way.name }));
}
/** @param {AlertWay} way */
function rowOfWay(way) {
  return itemOf({
    lead: iconOf(way.kind),
    name: typed(way.name),
    badge: way.hasFailed || way.hasEnded ? badgeOf("bad", say("failed")) : null,
    line: [typed(way.address)],
    end: [actOf(say("Try it"), way.name, () => tryWay(way))],
    open: () => showWay(way, run),
  });
}

/** @param {Alerts} alerts */
function limitsOf(alerts) {
  const { quietFrom, quietTo, hourly, mutes } = alerts;
  /** @type {[string, string, () => void][]} */
  const rows = [
    [
      say("Quiet hours"),
      hoursOf(quietFrom, quietTo) ?? say("none"),
      () => changeQuiet(alerts, run),
    ],
    [say("At most"), say("{n} an hour", { n: hourly }), () => changeLimit(alerts, run)],
    [say("Muted stations"), mutes.join(", ") || say("none"), () => changeMuted(alerts, run)],
  ];
  return rows.map(([name, state, open]) => itemOf({ name, end: [typed(state)], open }));
}

/** Returns the end of today, in the reader's time zone. */
function midnight() {
  const day = new Date();
  day.setHours(24, 0, 0, 0);
  return day.toISOString();
}
/** @param {Alerts} alerts */
function notesOf({ isOn, isSending, mutedUntil }) {
  const sentences = [
    ...(isOn ? [] : [say("No alerts are sent: the operator has switched them off.")]),
    ...(isOn && !isSending
      ? [say("Nothing sends alerts on this server. Ask your club's operator to set this up.")]
      : []),
    ...(mutedUntil
      ? [
          say("All alerts are muted until {hour} UTC.", {
            hour: hour(mutedUntil),
          }),
        ]
      : []),
  ];
  return sentences.map((sentence) => element("p", { class: "note" }, sentence));
}
/** @param {Alerts} alerts */
function rulesOf(alerts) {
  const { rules } = alerts;
  const isOn = rules.filter((rule) => rule.isOn).length;
  return element(
    "ul",
    { class: "items", id: "alert-rules" },
    dayOf(say("Tell me about"), say("{n} on", { n: isOn })),
    ...rules.map((rule) => rowOfRule(rule, alerts)),
    rules.length ? null : element("li", { class: "muted" }, say("No alerts yet.")),
  );
}
/** @param {Alerts} alerts */
function latestOf({ latest }) {
  if (!latest.length) return null;
  const [sent, held] = ["SENT", "HELD"].map(
    (wanted) => latest.filter(({ state }) => state === wanted).length,
  );
  const counts = say("{sent} sent, {held} held back", { sent, held });
  return element(
    "ul",
    { class: "items", id: "alert-latest" },
    dayOf(say("Latest alerts"), counts),
    ...latest.map(rowOfAlert),
  );
}
/** @param {Alerts} alerts */
function waysOf(alerts) {
  const { ways, maxWays } = alerts;
  const add = buttonOf("Add", () => addWay(run), "link");
  const none = say("Nowhere yet. Add a device or an address.");
  return element(
    "ul",
    { class: "items", id: "alert-ways" },
    dayOf(say("Where alerts go"), ways.length < maxWays ? add : null),
    ...ways.map(rowOfWay),
    ways.length ? null : element("li", { class: "muted" }, none),
  );
}
/** Loads the alerts, and shows them. Can be called repeatedly. */
export async function showAlerts() {
  const alerts = await get("alerts");
  const { rules, mutedUntil, maxRules } = alerts;
  const mute = () =>
    run(() => change("alerts/settings", { mutedUntil: mutedUntil ? null : midnight() }));
  const add = () => editRule(NEW_RULE, alerts, run, tell);
  find("alerts").replaceChildren(
    ...notesOf(alerts),
    element(
      "div",
      { class: "buttons" },
      buttonOf(mutedUntil ? "Unmute" : "Mute all for today", mute),
      rules.length < maxRules ? buttonOf("New alert", add, "main") : null,
    ),
    element(
      "div",
      { class: "with-aside" },
      element("div", {}, rulesOf(alerts), latestOf(alerts)),
      element(
        "div",
        { class: "aside" },
        waysOf(alerts),
        element(
          "ul",
          { class: "items", id: "alert-limits" },
          dayOf(say("For all alerts")),
          ...limitsOf(alerts),
        ),
      ),
    ),
  );
}
