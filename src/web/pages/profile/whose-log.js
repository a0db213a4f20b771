// Links to the member's own log and to the logs of stations that the member may operate. For a
// station, also shows the public page for looking up callsigns in the station's log.
import { day, element, find, typed } from "../../shared/page.js";
import { formatQuery } from "../../shared/query.js";
import { copyButton } from "../../shared/lists.js";
import { change, explain, station } from "../../shared/service.js";
import { qrOf } from "../../shared/qr.js";
import { say } from "../../shared/language.js";

/** @import { LogPage, Member } from "../types.js" */

/** @param {LogPage} page */
function cardOf(page) {
  const place = element("div", { hidden: !page.on });
  const trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  const wish = element("input", { type: "checkbox", id: "log-page", checked: page.on });
  wish.addEventListener("change", async () => {
    try {
      await change("log-page", { on: wish.checked });
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
  return element(
    "section",
    { class: "card", "aria-labelledby": "log-page-title" },
    element("h3", { id: "log-page-title" }, say("Am I in the log?")),
    element(
      "p",
      {},
      say(
        "A public page where stations can check on which bands, modes and days they are in this log.",
      ),
    ),
    element("label", { class: "check" }, wish, " ", element("span", {}, say("Show this page"))),
    trouble,
    place,
  );
}

/** @param {Member} member */
export function showLogs({ callsign, signedInAs, stations, logPage }) {
  /** @type {(name: string, href: string, until: string | null) => HTMLElement} */
  const link = (name, href, until) =>
    element(
      "a",
      { href, class: "button", ...(name === callsign ? { "aria-current": "true" } : {}) },
      typed(name),
      ...(until ? [" ", element("small", {}, say("until {day}", { day: day(until) }))] : []),
    );
  find("member").after(
    element(
      "nav",
      { id: "logs", class: "buttons", "aria-label": say("Whose log") },
      link(signedInAs, `./${location.hash}`, null),
      ...stations.map(({ callsign: name, until }) =>
        link(name, `./?${formatQuery({ log: name })}${location.hash}`, until),
      ),
    ),
  );
  if (station === null || !logPage) return;
  find("logs").append(
    element(
      "a",
      { href: `../app/#station=${encodeURIComponent(callsign)}`, class: "button main" },
      say("Open the app"),
    ),
  );
  find("member").classList.add("station");
  find("feed").hidden = true;
  find("everything").hidden = true;
  find("section-access").append(cardOf(logPage));
}
