// Shows the section Activity, which lists operators' acts.
import { day, element, find, hour, typed } from "../../shared/page.js";
import { headOf } from "../../shared/lists.js";
import { ask, explainAct } from "./operator-service.js";
import { formatQuery } from "../../shared/query.js";
import { say } from "../../shared/language.js";

/** @import { OperatorAct } from "../types.js" */

/** @param {OperatorAct} act */
function rowOf(act) {
  return element(
    "tr",
    { role: "row" },
    element(
      "td",
      { role: "cell" },
      element("time", { datetime: act.at }, `${day(act.at)}, ${hour(act.at)} UTC`),
    ),
    element(
      "td",
      { role: "cell" },
      act.operator ? typed(act.operator) : element("span", {}, say("command line")),
    ),
    element("td", { role: "cell", lang: "en" }, element("code", {}, act.act)),
    element("td", { role: "cell" }, act.subject ? typed(act.subject) : null),
    element("td", { role: "cell", class: "wide" }, act.details ? typed(act.details) : null),
  );
}
export async function showLog() {
  const rows = element("tbody", { role: "rowgroup" });
  const more = element("button", { type: "button", hidden: true }, say("Show more"));
  const trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  find("acts").replaceChildren(
    element(
      "table",
      { class: "list", role: "table" },
      element("caption", { class: "unseen" }, say("Activity")),
      headOf([say("When"), say("Operator"), say("Action"), say("Subject"), say("Details")]),
      rows,
    ),
    trouble,
    more,
  );
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
