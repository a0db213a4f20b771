// Shows the section for the plan by which the log's owner numbers the CB channels. The forms in
// Logbook and in the app, and the import of sheets, use the plan.
import { element, find } from "../../shared/page.js";
import { say } from "../../shared/language.js";
import { change, explain } from "../../shared/service.js";
import { PLANS } from "../../shared/words/tuning.js";

/** @import { Member } from "../types.js" */

/** @param {Member} member */
export async function showChannels(member) {
  const chosen = member.channelPlan ?? "";
  /** @type {[string, string][]} */
  const plans = [...PLANS].map(([code, { name }]) => [code, say(name)]);
  find("plans").replaceChildren(
    ...[["", say("From my callsign")], ...plans].map(([code, name]) => {
      const choose = async () => {
        try {
          await change("channel-plan", { channelPlan: code });
        } catch (refusal) {
          find("plans-done").textContent = explain(refusal);
          return;
        }
        find("plans-done").textContent = "";
        member.channelPlan = code || null;
        showChannels(member);
        /** @type {HTMLElement | null} */
        const shown = find("plans").querySelector("[aria-current]");
        shown?.focus();
      };
      const current = code === chosen ? "true" : null;
      const kind = { type: "button", class: "go", "aria-current": current, click: choose };
      return element("li", {}, element("button", kind, name));
    }),
  );
}
