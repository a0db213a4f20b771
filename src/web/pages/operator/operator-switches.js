// Shows the section Switches: a row for each switch, and a sheet with the club's details.
import { choice, find, findAs, input } from "../../shared/page.js";
import { act, ask, explainAct } from "./operator-service.js";
import { KeptForm } from "../../shared/kept-form.js";
import { openSheet } from "../../shared/parts/sheet.js";
import { say } from "../../shared/language.js";

/** @import { Club } from "../types.js" */

/** @typedef {keyof Club} Field */
/** @type {Field[]} */
const FIELDS = ["name", "text", "link", "contact", "legal", "address"];

/** @param {Field} name */
function fieldOf(name) {
  const field = find(`club-${name}`);
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) return field;
  throw new Error(`club-${name} is no field`);
}
/**
 * Runs a step, and shows the outcome at `place`. Returns whether the step succeeded.
 * @param {string} place
 * @param {() => Promise<unknown>} step
 */
async function tell(place, step) {
  const said = find(place);
  try {
    await step();
    said.className = "good";
    said.textContent = say("Saved.");
    return true;
  } catch (refusal) {
    said.className = "bad";
    said.textContent = explainAct(refusal);
    return false;
  }
}
/**
 * @param {string} id
 * @param {boolean} isOn
 * @param {(isOn: boolean) => Promise<unknown>} turn
 */
function showSwitch(id, isOn, turn) {
  const node = input(id);
  node.checked = isOn;
  node.disabled = false;
  node.addEventListener("change", async () => {
    const wanted = node.checked;
    if (!(await tell("switches-done", () => turn(wanted)))) node.checked = !wanted;
  });
}
/** @param {Record<Field, string | null>} club */
function showClub(club) {
  for (const name of FIELDS) fieldOf(name).value = club[name] ?? "";
  find("club-line").textContent = [club.name, club.text].filter(Boolean).join(" · ");
}
function openClub() {
  const form = find("club");
  form.hidden = false;
  openSheet({
    title: [say("The club")],
    body: [form],
    closed: (hadFocus) => {
      form.hidden = true;
      find("section-switches").append(form);
      if (hadFocus) find("club-open").focus();
    },
  });
}
export async function showSwitches() {
  const switches = await ask("switches");
  showSwitch("uploads", switches.uploads, (on) => act("uploads", { on }));
  for (const name of /** @type {const} */ (["numbers", "pictures", "sandbox", "alerts"])) {
    const isOn = name === "sandbox" ? switches[name] === "on" : switches[name] !== "off";
    showSwitch(`club-${name}`, isOn, (wanted) => act("club", { [name]: wanted ? "on" : "off" }));
  }
  for (const name of FIELDS) fieldOf(name).maxLength = switches[`${name}Maximum`];
  showClub(switches);
  choice("club-accent").value = switches.accent ?? "blue";
  const kept = new KeptForm(findAs("club", HTMLFormElement), "club");
  find("club-open").addEventListener("click", openClub);
  findAs("club", HTMLFormElement).addEventListener("submit", async (event) => {
    event.preventDefault();
    const club = Object.fromEntries(FIELDS.map((name) => [name, fieldOf(name).value]));
    await tell("club-done", async () => {
      const accent = choice("club-accent").value;
      await act("club", { ...club, accent });
      document.documentElement.dataset.accent = accent;
      showClub(await ask("switches"));
      kept.saved();
    });
  });
}
