// Shows the section Activity, which lists operators' acts.
import { day, element, find, hour, typed } from "../../shared/page.js";
import { itemOf } from "../../shared/parts/item.js";
import { ask, explainAct } from "./operator-service.js";
import { formatQuery } from "../../shared/query.js";
import { say } from "../../shared/language.js";

/** @import { OperatorAct } from "../types.js" */

/** @param {OperatorAct} one */
function rowOf(one) {
  return itemOf({
    name: element("code", { lang: "en" }, one.act),
    line: [
      one.subject ? typed(one.subject) : "",
      one.operator ? typed(one.operator) : say("command line"),
      one.details ? typed(one.details) : "",
    ],
    end: [element("time", { datetime: one.at }, `${day(one.at)}, ${hour(one.at)} UTC`)],
  });
}
export async function showLog() {
  const rows = element("ul", { class: "items" });
  const more = element("button", { type: "button", hidden: true }, say("Show more"));
  const trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  find("acts").replaceChildren(rows, trouble, more);
  /** @type {string | null} */
  let next = null;
  async function load() {
    const page = await ask(next ? `log?${formatQuery({ before: next })}` : "log");
    rows.append(...page.items.map(rowOf));
    next = page.next;
    more.hidden = next === null;
  }
  more.addEventListener("click", async () => {
    try {
      await load();
      trouble.hidden = true;
    } catch (refusal) {
      trouble.textContent = explainAct(refusal);
      trouble.hidden = false;
    }
  });
  await load();
}
