// Lists the member's last imports below the place for a file. A row opens the import's changes,
// with their undo.
import { day, element, find, hour, number, typed } from "../../shared/page.js";
import { dayOf, itemOf } from "../../shared/parts/item.js";
import { get } from "../../shared/service.js";
import { say } from "../../shared/language.js";

/** @import { Act } from "../types.js" */

const ACTS_READ = 100;
const SHOWN = 5;

/** @param {Act} act */
function importItem(act) {
  const row = itemOf({
    name: act.subject ? typed(act.subject) : say("a file"),
    line: [
      `${day(act.beganAt)}, ${hour(act.beganAt)}`,
      act.changed ? say("{n} corrected", { n: number(act.changed) }) : null,
    ],
    end: [number(act.created)],
    open: async () => {
      const { showAct } = await import("./history.js");
      showAct(act, row, { section: "import", show: showEarlier });
    },
  });
  return row;
}
/** Shows the last imports. Without an import, or if they cannot be loaded, the list stays empty. */
export async function showEarlier() {
  const acts = await get(`history?limit=${ACTS_READ}`).then(
    ({ items }) => items,
    () => [],
  );
  const imports = acts.filter(({ work }) => work === "IMPORT").slice(0, SHOWN);
  find("earlier").replaceChildren(
    ...(imports.length
      ? [
          dayOf(say("Earlier imports"), element("span", {}, say("QSOs"))),
          ...imports.map(importItem),
        ]
      : []),
  );
}
