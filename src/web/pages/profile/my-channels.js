// Shows the section for the member's plan of CB channels, which the forms in this browser use, in
// Logbook and in the app.
import { element, find } from "../../shared/page.js";
import { recall, remember } from "../../shared/logs.js";
import { say } from "../../shared/language.js";
import { PLANS } from "../../shared/words/tuning.js";

export async function showChannels() {
  const chosen = recall("plan") ?? "";
  /** @type {[string, string][]} */
  const plans = [...PLANS].map(([code, { name }]) => [code, say(name)]);
  find("plans").replaceChildren(
    ...[["", say("From my callsign")], ...plans].map(([code, name]) => {
      const choose = () => {
        remember("plan", code);
        showChannels();
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
