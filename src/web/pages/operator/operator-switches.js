// Shows the section Switches: the switch for uploads, and the club's details and choices.
import { choice, find, findAs, input } from "../../shared/page.js";
import { act, ask, explainAct } from "./operator-service.js";
import { KeptForm } from "../../shared/kept-form.js";
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
export async function showSwitches() {
  const switches = await ask("switches");
  const uploads = input("uploads");
  uploads.checked = switches.uploads;
  uploads.disabled = false;
  uploads.addEventListener("change", async () => {
    const wanted = uploads.checked;
    if (!(await tell("uploads-done", () => act("uploads", { on: wanted }))))
      uploads.checked = !wanted;
  });
  for (const name of FIELDS) {
    fieldOf(name).value = switches[name] ?? "";
    fieldOf(name).maxLength = switches[`${name}Maximum`];
  }
  input("club-numbers").checked = switches.numbers !== "off";
  choice("club-accent").value = switches.accent ?? "blue";
  input("club-pictures").checked = switches.pictures !== "off";
  const kept = new KeptForm(findAs("club", HTMLFormElement), "club");
  findAs("club", HTMLFormElement).addEventListener("submit", async (event) => {
    event.preventDefault();
    const club = Object.fromEntries(FIELDS.map((name) => [name, fieldOf(name).value]));
    await tell("club-done", async () => {
      const numbers = input("club-numbers").checked ? "on" : "off";
      const accent = choice("club-accent").value;
      const pictures = input("club-pictures").checked ? "on" : "off";
      await act("club", { ...club, numbers, accent, pictures });
      document.documentElement.dataset.accent = accent;
      const saved = await ask("switches");
      for (const name of FIELDS) fieldOf(name).value = saved[name] ?? "";
      kept.saved();
    });
  });
}
