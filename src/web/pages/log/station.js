// Runs the public page of a station's log: shows the bands, modes and days of contacts with a
// callsign, the log's figures, and the station's last spots.
import {
  age,
  element,
  figureOf,
  find,
  input,
  number,
  timeFormat,
  typed,
} from "../../shared/page.js";
import { Disc } from "../../shared/parts/disc.js";
import { markOf } from "../../shared/parts/row.js";
import { parseLocator } from "../../shared/map/geography.js";
import { fieldValue } from "../../shared/words/qso-words.js";
import { say } from "../../shared/language.js";
import { formatQuery } from "../../shared/query.js";

const days = timeFormat({ day: "numeric", month: "long", year: "numeric" });
/** @param {string} on */
const longDay = (on) => days().format(new Date(on));
const REACH_KM = 8000; // distance that the disc shows
const log = location.pathname.split("/").at(-1) ?? "";

/**
 * @typedef {{band: string, mode: string | null, day: string}} Contact
 * @typedef {{callsign: string, locator: string, qsos: number, divisions: number, squares: number,
 *   spots: {spottedAt: string, dxCallsign: string | null, frequencyHz: number,
 *     mode: string | null}[]}} Summary
 */

/**
 * Returns a panel with the answer: a heading, with the contacts or a hint below the heading.
 * @param {(Node | string)[]} head
 * @param {Node} below
 * @param {boolean} isFound
 */
function panelOf(head, below, isFound) {
  const kind = isFound ? "answer-head yes" : "answer-head";
  return [
    element("section", { class: "panel answer" }, element("p", { class: kind }, ...head), below),
  ];
}
/** @param {string} callsign @param {Contact[]} worked */
function answerOf(callsign, worked) {
  if (!worked.length)
    return panelOf([say("{callsign} is not in the log.", { callsign })], hint(), false);
  const tick = markOf("confirmed").firstElementChild;
  return panelOf(
    [...(tick ? [tick] : []), say("Yes, {callsign} is in the log.", { callsign })],
    element(
      "dl",
      { class: "facts" },
      ...worked.flatMap(({ band, mode, day: on }) => [
        element("dt", {}, longDay(on)),
        element(
          "dd",
          {},
          [fieldValue("band", band), mode ? fieldValue("mode", mode) : ""].join(" ").trim(),
        ),
      ]),
    ),
    true,
  );
}
function hint() {
  const contact = document.getElementById("contact")?.cloneNode(true);
  return element(
    "p",
    { class: "muted" },
    say("Please check the spelling."),
    ...(contact ? [` ${say("You can also ask the club:")} `, ...contact.childNodes] : []),
  );
}
/** @param {Response} response */
function refusalOf(response) {
  const minutes = Math.ceil((Number(response.headers.get("Retry-After")) || 60) / 60);
  return response.status === 429
    ? say(
        "Too many lookups. Please try again in {n} minute.|Too many lookups. Please try again in {n} minutes.",
        { n: minutes },
      )
    : response.status === 400
      ? say("Please type a callsign of at most 20 characters.")
      : say("The service can't be reached. Please try again.");
}
/** @param {string} callsign */
async function ask(callsign) {
  try {
    const response = await fetch(`${log}/worked?${formatQuery({ call: callsign })}`);
    if (!response.ok) return [element("p", { class: "note bad" }, refusalOf(response))];
    /** @type {{worked: Contact[]}} */
    const { worked } = await response.json();
    return answerOf(callsign, worked);
  } catch {
    return [
      element("p", { class: "note bad" }, say("The service can't be reached. Please try again.")),
    ];
  }
}
let asked = 0; // number of questions; late answers to earlier questions are dropped
find("ask").addEventListener("submit", async (event) => {
  event.preventDefault();
  const mine = ++asked;
  const answer = await ask(input("call").value.trim().toUpperCase());
  if (mine === asked) find("answer").replaceChildren(...answer);
});

async function showSummary() {
  const response = await fetch(`${log}/summary`);
  if (!response.ok) return;
  /** @type {Summary} */
  const { qsos, divisions, squares, spots } = await response.json();
  find("numbers").replaceChildren(
    figureOf(say("QSOs"), number(qsos)),
    figureOf(say("Divisions"), number(divisions)),
    figureOf(say("Squares"), number(squares)),
  );
  find("spots").hidden = !spots.length;
  find("spot-list").replaceChildren(
    ...spots.map(({ spottedAt, dxCallsign, frequencyHz, mode }) =>
      element(
        "li",
        {},
        typed(dxCallsign ?? "–"),
        ` · ${frequencyHz ? `${number(frequencyHz / 1e6, 3)} MHz` : ""} ${mode ?? ""} · `,
        age(spottedAt),
      ),
    ),
  );
}
showSummary().catch(() => {}); // the page works even without the numbers
const home = parseLocator(find("air").dataset.locator ?? "");
if (home) {
  const disc = new Disc();
  disc.show({ home, reach: REACH_KM });
  find("air").replaceChildren(disc.node);
}
