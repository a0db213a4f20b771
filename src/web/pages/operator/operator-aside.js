// Fills the panels next to the list of members: the state of the service, the members who have not
// signed in yet, and the last acts in words. If a panel cannot be filled, the list still works.
import { age, element, find, typed } from "../../shared/page.js";
import { formatQuery } from "../../shared/query.js";
import { lightOf } from "./operator-rows.js";
import { ask } from "./operator-service.js";
import { say } from "../../shared/language.js";

/** @import { Finding, OperatorAct, OperatorMember as Member } from "../types.js" */

const [FINDINGS, WAITING, ACTS] = [6, 5, 5]; // rows of the panels
const MS_PER_DAY = 86400000;
const ORDER = ["trouble", "warning", "ok"];
// Sentences about acts, by the name of the act's command. Other acts are shown by that name.
/** @type {Record<string, string>} */
const SENTENCES = {
  "member add": "{operator} added {subject}",
  "member invite": "{operator} invited {subject}",
  "member rename": "{operator} renamed {subject}",
  "member disable": "{operator} disabled {subject}",
  "member enable": "{operator} enabled {subject}",
  "member delete": "{operator} deleted {subject}",
  "station add": "{operator} added the station {subject}",
  "peer add": "{operator} added the club {subject}",
  "club set": "{operator} changed the club's data",
  "member set": "{operator} changed {subject}",
  "member export": "{operator} exported the log of {subject}",
  "member sign-out": "{operator} signed {subject} out",
  "card remove": "{operator} removed the QSL card of {subject}",
  "station set": "{operator} changed the station {subject}",
  "peer enter": "{operator} paired the club {subject}",
  "peer remove": "{operator} removed the club {subject}",
  "uploads on": "{operator} turned uploads on",
  "uploads off": "{operator} turned uploads off",
};

/** @param {Finding} finding */
function findingOf({ level, check, message }) {
  return element(
    "li",
    { title: message },
    lightOf(level),
    element("span", { lang: "en" }, level === "ok" ? check : message),
  );
}
async function showLight() {
  const { doctor } = await ask("health");
  const found = [...doctor.checks].sort((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level));
  const open = found.filter(({ level }) => level !== "ok").length;
  find("light-title").textContent = open
    ? say("{n} thing needs attention|{n} things need attention", { n: open })
    : say("All is well");
  find("light").replaceChildren(
    ...found.slice(0, Math.max(FINDINGS, Math.min(open, 2 * FINDINGS))).map(findingOf),
    element("li", {}, element("a", { href: "#health" }, say("Service"))),
  );
}
/** @param {Member} member */
function waitOf({ callsign, invitedUntil, invitationExpiredAt }) {
  if (invitedUntil) {
    const n = Math.max(0, Math.ceil((Date.parse(invitedUntil) - Date.now()) / MS_PER_DAY));
    return say(
      "{callsign} has not signed in, {n} day left|{callsign} has not signed in, {n} days left",
      { callsign, n },
    );
  }
  return invitationExpiredAt
    ? say("The invitation of {callsign} has expired", { callsign })
    : say("{callsign} has not been invited yet", { callsign });
}
/** @param {(callsign: string) => void} open */
async function showWaiting(open) {
  const { items, more } = await ask(
    `members?${formatQuery({ group: "unused", order: "use", limit: WAITING })}`,
  );
  find("waiting").hidden = !items.length;
  find("waiting-list").replaceChildren(
    ...items.map((member) =>
      element(
        "li",
        {},
        element("span", {}, waitOf(member)),
        element(
          "button",
          { type: "button", class: "link", click: () => open(member.callsign) },
          say("Show"),
        ),
      ),
    ),
    ...(more ? [element("li", { class: "muted" }, say("and more"))] : []),
  );
}
/** @param {OperatorAct} one */
function actOf({ at, operator, act, subject }) {
  const names = { operator: operator ?? say("The command line"), subject: subject ?? "" };
  return element(
    "li",
    {},
    Object.hasOwn(SENTENCES, act)
      ? element("span", {}, say(SENTENCES[act], names))
      : element(
          "span",
          {},
          `${names.operator}: `,
          element("code", { lang: "en" }, act),
          " ",
          typed(names.subject),
        ),
    element("small", {}, age(at)),
  );
}
async function showLately() {
  const { items } = await ask("log");
  find("lately").replaceChildren(
    ...items.slice(0, ACTS).map(actOf),
    element("li", {}, element("a", { href: "#health/log" }, say("All activity"))),
  );
}
/**
 * Fills the panels, and then shows them together, so that no panel moves another panel.
 * @param {(callsign: string) => void} open shows a member
 */
export async function showAside(open) {
  await Promise.allSettled([showWaiting(open), showLately(), showLight()]);
  find("aside").hidden = false;
}
