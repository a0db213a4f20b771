// Shows the section Stations: a list, and a sheet with the operators of a station, each with the
// last day of the permission.
import { day, element, find, findAs, input, oneAtATime, typed } from "../../shared/page.js";
import { actOf } from "../../shared/lists.js";
import { itemOf } from "../../shared/parts/item.js";
import { callsignOf } from "../../shared/parts/row.js";
import { openSheet } from "../../shared/parts/sheet.js";
import { act, ask, runnerOf } from "./operator-service.js";
import { confirmed } from "../../shared/dialog.js";
import { KeptForm } from "../../shared/kept-form.js";
import { say } from "../../shared/language.js";

/** @import { Station, StationOperator } from "../types.js" */

const run = runnerOf("stations-done", showList);
/** @type {string | null} number of the station in the sheet */
let open = null;

/** @param {Station} station @param {StationOperator} operator */
function rowOf(station, { callsign, until }) {
  const revoke = async () => {
    const follows = say("Keys that this member created for the station are also revoked.");
    if (
      await confirmed(say("Revoke this permission?"), [typed(callsign), ". ", follows], say("End"))
    )
      await run(
        () => act(`stations/${station.number}/revoke`, { member: callsign }),
        say("{callsign} may no longer operate the station.", { callsign }),
      );
  };
  return itemOf({
    name: callsignOf(callsign),
    line: [until ? say("until {day}", { day: lastDay(until) }) : say("no end date")],
    end: [actOf(say("End"), callsign, revoke)],
  });
}
/** @param {string} until the midnight after the last day */
function lastDay(until) {
  return day(new Date(until).getTime() - 1);
}
/** @param {Station} station */
function formOf(station) {
  const member = element("input", {
    name: "member",
    required: true,
    maxlength: "20",
    size: "12",
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
  });
  const until = element("input", { name: "until", type: "date" });
  const form = element(
    "form",
    {
      class: "fields",
      submit: async (event) => {
        event.preventDefault();
        const wish = { member: member.value, until: until.value };
        const grant = async () => {
          await act(`stations/${station.number}/grant`, wish);
          kept.saved();
        };
        await run(grant, say("{callsign} may operate the station.", { callsign: wish.member }));
      },
    },
    element("label", {}, element("span", {}, say("Member's callsign")), member),
    element("label", {}, element("span", {}, say("Last day (optional)")), until),
    element("button", {}, say("Let the member operate the station")),
  );
  const kept = new KeptForm(form, `grant ${station.number}`);
  return form;
}
/** Shows a station in the sheet, with the outcome of the last act. @param {Station} station */
function openStation(station) {
  const page = element("input", { type: "checkbox", checked: station.page });
  page.addEventListener("change", () =>
    run(() => act(`stations/${station.number}/page`, { on: page.checked }), say("Saved.")),
  );
  const done = find("stations-done");
  openSheet({
    title: [callsignOf(station.callsign), element("small", { class: "muted" }, station.locator)],
    body: [
      done,
      station.operators.length
        ? element("ul", { class: "items" }, ...station.operators.map((one) => rowOf(station, one)))
        : element("p", { class: "muted" }, say("Nobody may operate this station yet.")),
      formOf(station),
      element(
        "label",
        { class: "check" },
        page,
        " ",
        element("span", {}, say("Public page: is this callsign in the log?")),
      ),
    ],
    closed: (hadFocus) => {
      find("stations").before(done);
      open = null;
      if (hadFocus) find("stations").querySelector("button")?.focus();
    },
  });
  open = station.number; // after the previous sheet is closed
}
/** @param {Station} station */
function itemOfStation(station) {
  return itemOf({
    name: callsignOf(station.callsign),
    line: [station.locator, say("{n} QSO|{n} QSOs", { n: station.qsos })],
    end: [
      station.operators.length
        ? station.operators.map(({ callsign }) => callsign).join(", ")
        : say("Nobody may operate this station yet."),
    ],
    open: () => openStation(station),
  });
}
async function showList() {
  const { items } = await ask("stations");
  find("stations").replaceChildren(element("ul", { class: "items" }, ...items.map(itemOfStation)));
  const shown = items.find(({ number }) => number === open);
  if (shown) openStation(shown);
}
export async function showStations() {
  const kept = new KeptForm(findAs("station-add", HTMLFormElement), "station");
  const add = oneAtATime(() => {
    const callsign = input("station-callsign");
    const locator = input("station-locator");
    return run(async () => {
      const known = (await ask("stations")).items.map(({ number }) => number);
      await act("stations", { callsign: callsign.value, locator: locator.value });
      callsign.value = locator.value = "";
      kept.saved();
      const added = (await ask("stations")).items.find(({ number }) => !known.includes(number));
      open = added?.number ?? null;
    }, say("Station added. Now choose who may operate it."));
  });
  findAs("station-add", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    add();
  });
  await showList();
}
