// Shows the section Service: the output of the commands status and doctor (in their own words), the
// members' storage, and rejected requests from members' programs.
import { age, day, element, find, hour, number, typed } from "../../shared/page.js";
import { copyButton, headOf } from "../../shared/lists.js";
import { itemOf } from "../../shared/parts/item.js";
import { lightOf } from "./operator-rows.js";
import { ask } from "./operator-service.js";
import { say } from "../../shared/language.js";

/** @import { Finding, MemberStorage, OperatorRefusal } from "../types.js" */

/** @param {Finding} finding */
function findingOf(finding) {
  return itemOf({
    lead: lightOf(finding.level),
    name: element("span", { lang: "en" }, finding.check),
    line: [typed(finding.message, { lang: "en" })],
    below: [
      finding.fix
        ? element(
            "p",
            { class: "note warn address" },
            element("code", {}, finding.fix),
            " ",
            copyButton(finding.fix),
          )
        : null,
    ],
  });
}
/** @param {OperatorRefusal} refusal */
function refusalOf({ callsign, key, at, code, field, count }) {
  return itemOf({
    name: typed(callsign),
    line: [
      typed(key),
      element("code", {}, code),
      field ? element("code", {}, field) : "",
      count > 1 ? `× ${number(count)}` : "",
    ],
    end: [element("time", { datetime: at, title: `${day(at)}, ${hour(at)} UTC` }, age(at))],
  });
}
const MIB = 2 ** 20;
/** @param {MemberStorage} storage */
function storageRowOf({ callsign, history, extraFields, polo, cards, knownRecords, bytes }) {
  /** @type {[string, number][]} */
  const cells = [
    [say("History"), history],
    [say("Extra fields"), extraFields],
    ["PoLo", polo],
    [say("QSL cards"), cards],
    [say("Known records"), knownRecords],
    [say("Total"), bytes],
  ];
  return element(
    "tr",
    { role: "row" },
    element("th", { role: "rowheader", scope: "row" }, typed(callsign)),
    ...cells.map(([name, value]) =>
      element("td", { role: "cell", "data-name": name }, number(value / MIB, 1)),
    ),
  );
}
/** @param {MemberStorage[]} all @param {number} most maximum number of bytes per member */
function storageOf(all, most) {
  const rule = element(
    "p",
    { class: "muted" },
    say("Each member can have {n} MiB. If that is full, the oldest history is removed first.", {
      n: number(most / MIB),
    }),
  );
  if (!all.length) return [rule, element("p", {}, say("Nobody has such data yet."))];
  const names = [
    say("History"),
    say("Extra fields"),
    "PoLo",
    say("QSL cards"),
    say("Known records"),
    say("Total"),
  ];
  return [
    rule,
    element(
      "table",
      { class: "list", role: "table" },
      element("caption", {}, say("MiB per member")),
      headOf([say("Callsign"), ...names]),
      element("tbody", { role: "rowgroup" }, ...all.map(storageRowOf)),
    ),
  ];
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
  find("storage").replaceChildren(...storageOf(health.storage, health.storageMax));
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
