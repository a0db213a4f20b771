// Shows the section Service: the output of the commands status and doctor (in their own words), the
// members' storage, and rejected requests from members' programs.
import { age, day, element, find, hour, number, typed } from "../../shared/page.js";
import { copyButton } from "../../shared/lists.js";
import { itemOf } from "../../shared/parts/item.js";
import { callsignOf } from "../../shared/parts/row.js";
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
/** @param {number} bytes */
const mib = (bytes) => `${number(bytes / MIB, 1)} MiB`;
/** @param {MemberStorage} storage */
function storageOf({ callsign, history, extraFields, polo, cards, knownRecords, bytes }) {
  /** @type {[string, number][]} */
  const kinds = [
    [say("History"), history],
    [say("Extra fields"), extraFields],
    ["PoLo", polo],
    [say("QSL cards"), cards],
    [say("Known records"), knownRecords],
  ];
  return itemOf({
    name: callsignOf(callsign),
    line: kinds.filter(([, size]) => size).map(([name, size]) => `${name} ${mib(size)}`),
    end: [mib(bytes)],
  });
}
export async function showHealth() {
  const health = await ask("health");
  const counts = health.refused.map(({ code, count }) => `${code} ${number(count)}`).join(", ");
  find("doctor-address").textContent = `qsosync-admin doctor ${location.origin}`;
  find("findings").replaceChildren(
    element("ul", { class: "items" }, ...health.doctor.checks.map(findingOf)),
  );
  find("facts").replaceChildren(
    ...health.facts.map(({ label, value }) => itemOf({ name: label, end: [typed(value)] })),
  );
  find("storage-most").replaceChildren(
    say(
      "Each member can have {n} MiB. When this space is full, the oldest history is removed first.",
      {
        n: number(health.storageMax / MIB),
      },
    ),
    health.storage.length ? "" : ` ${say("Nobody has such data yet.")}`,
  );
  find("storage").replaceChildren(...health.storage.map(storageOf));
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
