// Shows the section Stations: the operators of each station, each with the last day of the
// permission.
import { day, element, find, findAs, input, typed } from "../../shared/page.js";
import { act, ask, runnerOf } from "./operator-service.js";
import { confirmed } from "../../shared/dialog.js";
import { KeptForm } from "../../shared/kept-form.js";
import { say } from "../../shared/language.js";

/** @import { Station, StationOperator } from "../types.js" */

const run = runnerOf("stations-done", showList);

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
  return element(
    "li",
    {},
    element(
      "div",
      {},
      typed(callsign),
      " ",
      element(
        "small",
        {},
        until ? say("until {day}", { day: lastDay(until) }) : say("no end date"),
      ),
    ),
    element(
      "button",
      {
        type: "button",
        class: "danger",
        "aria-label": `${say("End")}: ${callsign}`,
        click: revoke,
      },
      say("End"),
    ),
  );
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
    element("button", {}, say("Let the member operate it")),
  );
  const kept = new KeptForm(form, `grant ${station.number}`);
  return form;
}
/** @param {Station} station */
function cardOf(station) {
  const page = element("input", { type: "checkbox", checked: station.page });
  page.addEventListener("change", () =>
    run(() => act(`stations/${station.number}/page`, { on: page.checked }), say("Saved.")),
  );
  return element(
    "section",
    { class: "card" },
    element("h3", {}, typed(station.callsign), " ", element("small", {}, typed(station.locator))),
    station.operators.length
      ? element("ul", { class: "items" }, ...station.operators.map((one) => rowOf(station, one)))
      : element("p", { class: "muted" }, say("Nobody may operate it yet.")),
    formOf(station),
    element(
      "label",
      { class: "check" },
      page,
      " ",
      element("span", {}, say("Public page: is this callsign in the log?")),
    ),
  );
}
async function showList() {
  const { items } = await ask("stations");
  find("stations").replaceChildren(...items.map(cardOf));
}
export async function showStations() {
  const kept = new KeptForm(findAs("station-add", HTMLFormElement), "station");
  findAs("station-add", HTMLFormElement).addEventListener("submit", async (event) => {
    event.preventDefault();
    const callsign = input("station-callsign");
    const locator = input("station-locator");
    await run(async () => {
      await act("stations", { callsign: callsign.value, locator: locator.value });
      callsign.value = locator.value = "";
      kept.saved();
    }, say("Station added. Now choose who may operate it."));
  });
  await showList();
}
