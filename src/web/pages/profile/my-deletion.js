// Shows the section that deletes the member's log, after the member has typed the callsign.
import { find, findAs, input, number } from "../../shared/page.js";
import { change, explain, get } from "../../shared/service.js";
import { say } from "../../shared/language.js";

/** @import { Member } from "../types.js" */

/** @param {Member} member */
export async function showDeletion(member) {
  const field = input("delete-callsign");
  const button = findAs("delete-button", HTMLButtonElement);
  const isTyped = () => field.value.trim().toUpperCase() === member.callsign.toUpperCase();
  async function tellWhatFollows() {
    const { qsos } = await get("statistics");
    find("delete-what").textContent = say(
      "This deletes {count} QSOs and their spots. Other members' QSOs lose their confirmations. Programs that sync also delete their copies. This can't be undone. Download your log first.",
      { count: number(qsos) },
    );
  }
  field.addEventListener("input", () => {
    button.disabled = !isTyped();
  });
  find("delete").addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!isTyped()) return;
    button.disabled = true;
    try {
      const { deleted } = await change("delete-log", { callsign: field.value.trim() });
      find("deleted").textContent = say("{n} QSO was deleted.|{n} QSOs were deleted.", {
        n: deleted,
      });
      field.value = "";
      await tellWhatFollows();
    } catch (refusal) {
      find("deleted").textContent = explain(refusal);
      button.disabled = !isTyped();
    }
  });
  await tellWhatFollows();
}
