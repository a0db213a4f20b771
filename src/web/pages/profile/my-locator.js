// Shows the section for the member's locator.
import { find, input, typed } from "../../shared/page.js";
import { change, explain, get } from "../../shared/service.js";
import { say } from "../../shared/language.js";

/** @import { Member } from "../types.js" */

/** @param {Member} member */
export async function showLocator(member) {
  const field = input("locator");
  const done = find("locator-done");
  field.value = member.locator;
  find("own-locator").onsubmit = async (event) => {
    event.preventDefault();
    try {
      await change("locator", { locator: field.value });
      const { locator, club } = await get("me");
      member.locator = field.value = locator;
      find("member")
        .querySelector("small")
        ?.replaceChildren(typed(`${locator} · ${club}`));
      done.className = "good";
      done.textContent = say("Saved.");
    } catch (refusal) {
      done.className = "bad";
      done.textContent = explain(refusal);
    }
  };
}
