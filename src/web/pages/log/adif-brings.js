// Counts and shows what a file adds to the log's awards. The functions apply the service's rules
// (src/qso/awards.h) to the callsigns and locators of the file's records.
import { element, number } from "../../shared/page.js";
import { isCounted, worthOf } from "../../shared/awards/award-rules.js";
import { countryName } from "../../shared/words/countries.js";
import { dayOf, itemOf } from "../../shared/parts/item.js";
import { badgeOf } from "../../shared/parts/row.js";
import { capital, say } from "../../shared/language.js";
import { valueOf } from "./adif-slices.js";

/** @import { AdifLine as Line, KnownWorth as Known, Values } from "../types.js" */
/**
 * The items that are new for the log, each with the first record that adds the item.
 * @typedef {{divisions: Map<number, Line>, special: Map<string, Line>, squares: Map<string, Line>}}
 *   Brings
 */

const NAMES_MAX = 6; // maximum number of names in a row

/**
 * Returns the values of a record that are new for the log, as far as awards depend on them.
 * @param {Line} line
 * @returns {Values | null} null: none
 */
function addedBy(line) {
  const { outcome, values } = line;
  if (outcome === "n")
    return {
      callsignWorked: valueOf(line, "call"),
      dxLocator: valueOf(line, "gridsquare"),
      qsoStatus: valueOf(line, "app_qsosync_qso_status"),
    };
  const corrected = values.filter(({ kind }) => kind === "corrected");
  return outcome === "c"
    ? Object.fromEntries(corrected.map(({ field, after }) => [field, after]))
    : null;
}
/** @param {Line} line */
const timeOf = (line) => valueOf(line, "qso_date") + valueOf(line, "time_on");

/**
 * @param {Line[]} lines
 * @param {Known | null} known null: unknown, so nothing is new
 */
export function bringsOf(lines, known) {
  /** @type {Brings} */
  const brings = { divisions: new Map(), special: new Map(), squares: new Map() };
  if (!known) return brings;
  /** @type {<Item>(found: Map<Item, Line>, old: Set<Item>, item: Item, line: Line) => void} */
  const add = (found, old, item, line) => {
    if (item && !old.has(item) && !found.has(item)) found.set(item, line);
  };
  const timed = lines.map((line) => ({ line, at: timeOf(line), qso: addedBy(line) }));
  for (const { line, qso } of timed.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))) {
    if (!qso || !isCounted(qso)) continue;
    const { division, special, square } = worthOf(qso);
    add(brings.divisions, known.divisions, division, line);
    add(brings.special, known.special, special ?? "", line);
    add(brings.squares, known.squares, square, line);
  }
  return brings;
}

/** @param {string} text */
const newBadge = (text) => badgeOf("new", capital(say(text)));
/**
 * Returns the badge of a record for the most important item that the record adds.
 * @param {Brings} brings
 * @param {Line} line
 */
export function newsOf({ divisions, special, squares }, line) {
  const isFirst = (/** @type {Map<unknown, Line>} */ found) => [...found.values()].includes(line);
  if (isFirst(divisions)) return newBadge("new division");
  if (isFirst(squares)) return newBadge("new square");
  return isFirst(special) ? newBadge("new special station") : null;
}

/** @param {string[]} names */
function listed(names) {
  const n = names.length - NAMES_MAX;
  return [...names.slice(0, NAMES_MAX), ...(n > 0 ? [say("and {n} more", { n })] : [])].join(", ");
}
/**
 * Returns the panel that shows what the file adds to the awards.
 * @param {Brings} brings
 * @param {Known | null} known null: no panel
 */
export function drawBrings({ divisions, special, squares }, known) {
  if (!known) return [];
  const countries = [...divisions.keys()].sort((a, b) => a - b).map(countryName);
  const [old, added] = [known.squares.size, squares.size];
  const rows = [
    divisions.size
      ? itemOf({
          name: say("{n} new division|{n} new divisions", { n: divisions.size }),
          line: [listed(countries)],
          end: [newBadge("new division")],
        })
      : null,
    special.size
      ? itemOf({
          name: say("{n} special station|{n} special stations", { n: special.size }),
          line: [listed([...special.keys()])],
          end: [newBadge("new special station")],
        })
      : null,
    added
      ? itemOf({
          name: say("{n} new square|{n} new squares", { n: added }),
          line: [say("from {old} to {all}", { old: number(old), all: number(old + added) })],
        })
      : null,
  ].filter((row) => row !== null);
  const none = itemOf({ name: say("Nothing new for your awards") });
  return [
    element(
      "ul",
      { class: "items" },
      dayOf(say("What the file adds")),
      ...(rows.length ? rows : [none]),
    ),
  ];
}
/**
 * Returns the awards after an import, with the changes.
 * @param {Known} before
 * @param {Known} after
 */
export function drawGains(before, after) {
  /** @type {[string, "divisions" | "squares" | "special"][]} */
  const parts = [
    [say("Divisions"), "divisions"],
    [say("Squares"), "squares"],
    [say("Special stations"), "special"],
  ];
  return element(
    "dl",
    { class: "figures" },
    ...parts.map(([name, part]) => {
      const change = after[part].size - before[part].size;
      return element(
        "div",
        {},
        element("dt", {}, name),
        element(
          "dd",
          {},
          number(after[part].size),
          " ",
          change > 0 ? element("small", { class: "muted" }, `+${number(change)}`) : null,
        ),
      );
    }),
  );
}
