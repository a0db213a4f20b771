// Links to the member's own log and to the logs of stations that the member may operate, in a
// section and in the account menu. For a station, another section has the switch for the public
// page on which callsigns are looked up in the station's log.
import { day, element, find } from "../../shared/page.js";
import { formatQuery } from "../../shared/query.js";
import { copyButton } from "../../shared/lists.js";
import { callsignOf } from "../../shared/parts/row.js";
import { change, explain, station } from "../../shared/service.js";
import { qrOf } from "../../shared/qr.js";
import { say } from "../../shared/language.js";

/** @import { LogPage, Member } from "../types.js" */

/** @param {LogPage} page */
function switchOf(page) {
  const place = element("div", { hidden: !page.on });
  const trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  const wish = element("input", { type: "checkbox", id: "log-page", checked: page.on });
  wish.addEventListener("change", async () => {
    try {
      await change("log-page", { on: wish.checked });
      page.on = wish.checked;
      trouble.hidden = true;
    } catch (refusal) {
      wish.checked = !wish.checked;
      trouble.textContent = explain(refusal);
      trouble.hidden = false;
    }
    place.hidden = !wish.checked;
  });
  place.append(
    element(
      "p",
      { class: "address" },
      element("a", { href: page.address }, page.address),
      " ",
      copyButton(page.address),
    ),
    ...(page.qr ? [qrOf(page.qr, say("QR code for this page"))] : []),
  );
  return [
    element("label", { class: "check" }, wish, " ", element("span", {}, say("Show this page"))),
    trouble,
    place,
  ];
}
/** @param {Member} member */
export async function showLogPage({ logPage }) {
  if (logPage) find("log-page-place").replaceChildren(...switchOf(logPage));
}

/** @param {Member} member @param {string} hash the section to open */
function linksOf({ callsign, signedInAs, stations }, hash) {
  /** @type {(name: string, href: string, until: string | null) => HTMLElement} */
  const link = (name, href, until) =>
    element(
      "a",
      { href, ...(name === callsign ? { "aria-current": "true" } : {}) },
      callsignOf(name),
      ...(until ? [" ", element("small", {}, say("until {day}", { day: day(until) }))] : []),
    );
  return [
    link(signedInAs, `./${hash}`, null),
    ...stations.map(({ callsign: name, until }) =>
      link(name, `./?${formatQuery({ log: name })}${hash}`, until),
    ),
  ];
}
/** @param {Member} member */
export async function showLogs(member) {
  find("logs").replaceChildren(
    ...linksOf(member, "").map((link) => {
      link.className = "go";
      return element("li", {}, link);
    }),
  );
  find("log-in-app").hidden = station === null;
  if (station !== null)
    find("log-in-app").replaceChildren(
      element(
        "a",
        { href: `../app/#station=${encodeURIComponent(member.callsign)}`, class: "button main" },
        say("Open the app"),
      ),
    );
}
/**
 * Adds links to the logs to the account menu. On the page of a station, also shows the station in
 * the head, and hides the parts that concern only members.
 * @param {Member} member
 */
export function offerLogs(member) {
  document.querySelector("#account > div")?.prepend(
    element("p", { id: "log-as-menu" }, say("Log as")),
    ...linksOf(member, location.hash).map((link) => {
      link.className = "of-log";
      return link;
    }),
    element("hr"),
  );
  if (station === null) return;
  document.body.classList.add("of-station");
  find("account").before(
    element("p", { class: "as" }, say("as {callsign}", { callsign: member.callsign })),
  );
  find("feed").hidden = true;
  find("everything").hidden = true;
}
