// The section Health: what status and the doctor say of the logbook, in the command's own words,
// and what was refused to members' programs.
import { age, day, element, find, hour, number, typed } from "../site/page.js";
import { copyButton } from "../site/lists.js";
import { ask } from "./operator-service.js";
import { say } from "../site/language.js";

/**
 * @typedef {import("../site/answers.js").Finding} Finding
 * @typedef {import("../site/answers.js").OperatorRefusal} OperatorRefusal
 */

/** @type {Record<string, string>} */
const CLASSES = { ok: "good", warning: "warn", trouble: "bad" };

/** @param {Finding} finding */
function findingOf(finding) {
  return element(
    "li",
    { lang: "en" },
    element(
      "div",
      {},
      element("strong", { class: CLASSES[finding.level] }, finding.level),
      " ",
      element("span", { class: "muted" }, finding.check),
      " ",
      typed(finding.message),
    ),
    finding.fix
      ? element(
          "p",
          { class: "note warn address" },
          element("code", {}, finding.fix),
          " ",
          copyButton(finding.fix),
        )
      : null,
  );
}
/** @param {OperatorRefusal} refusal */
function refusalOf(refusal) {
  return element(
    "li",
    {},
    element("strong", {}, typed(refusal.callsign)),
    " · ",
    typed(refusal.key),
    " · ",
    element(
      "time",
      { datetime: refusal.at, title: `${day(refusal.at)}, ${hour(refusal.at)} UTC` },
      age(refusal.at),
    ),
    " · ",
    element("code", {}, refusal.code),
    refusal.field ? element("span", {}, " (", element("code", {}, refusal.field), ")") : null,
    refusal.count > 1 ? ` × ${number(refusal.count)}` : null,
  );
}
export async function showHealth() {
  const health = await ask("health");
  const counts = health.refused.map(({ code, count }) => `${code} ${number(count)}`).join(", ");
  find("doctor-address").textContent = `qsosync-admin doctor ${location.origin}`;
  find("findings").replaceChildren(
    element("ul", { class: "items" }, ...health.doctor.checks.map(findingOf)),
  );
  find("facts").replaceChildren(
    element(
      "dl",
      { class: "fields-of-qso", lang: "en" },
      ...health.facts.flatMap(({ label, value }) => [
        element("dt", {}, label),
        element("dd", {}, typed(value)),
      ]),
    ),
  );
  find("refusals").replaceChildren(
    element(
      "p",
      {},
      counts
        ? say("Rejected QSOs since counting began, by code: {counts}", { counts })
        : say("No QSOs were rejected."),
    ),
    element("ul", { class: "items" }, ...health.refusals.map(refusalOf)),
  );
}
