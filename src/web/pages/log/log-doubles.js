// Shows possible duplicates in Logbook: pairs of QSOs that look like one contact. Each pair shows
// the values that would remain after a merge. The member can merge the pair or declare that the
// QSOs are two contacts, and can undo either action.
import { day, element, find } from "../../shared/page.js";
import { changeOf } from "../../shared/parts/change.js";
import { itemOf } from "../../shared/parts/item.js";
import { showPages } from "../../shared/pager.js";
import { formatQuery } from "../../shared/query.js";
import { change, explain, get } from "../../shared/service.js";
import { fieldName, fieldValue } from "../../shared/words/qso-words.js";
import { qsoName } from "./changes.js";
import { say } from "../../shared/language.js";

/** @import { Double } from "../types.js" */

const NOT_SHOWN = new Set(["id", "clientId", "crossConfirmedAt", "syncedAt", "createdAt"]);

/**
 * Returns the value of a field in words. Times include seconds, because the times in a pair often
 * differ only by seconds.
 * @param {string} name
 * @param {unknown} value
 */
function valueOf(name, value) {
  return name === "qsoAt" && typeof value === "string"
    ? `${day(value)}, ${value.slice(11, 19)}`
    : fieldValue(name, value);
}
/**
 * Returns the fields that differ: values that a merge drops, followed by the value that remains.
 * @param {Double} pair
 */
function differencesOf({ older, newer, merged }) {
  const sides = [older, newer, merged].map((qso) => new Map(Object.entries(qso)));
  const rows = [...sides[2]].flatMap(([name, remains]) => {
    const values = [sides[0].get(name), sides[1].get(name)];
    if (NOT_SHOWN.has(name) || values[0] === values[1]) return [];
    const dropped = values.filter((value) => value !== remains && (value ?? "") !== "");
    return [
      element("dt", {}, fieldName(name)),
      element(
        "dd",
        {},
        dropped.length
          ? changeOf(
              element(
                "span",
                {},
                ...dropped.flatMap((value, index) => [index ? ", " : null, valueOf(name, value)]),
              ),
              valueOf(name, remains),
            )
          : element("b", {}, valueOf(name, remains)),
      ),
    ];
  });
  return rows.length
    ? element("dl", { class: "fields-of-qso" }, ...rows)
    : element("p", { class: "muted" }, say("Both have the same values."));
}

/**
 * Returns the buttons for a pair. When a button is pressed, the outcome and an undo button replace
 * these buttons.
 * @param {Double} pair
 */
function buttonsOf({ older, newer }) {
  const ids = { one: older.id, other: newer.id };
  const name = `${older.callsignWorked ?? ""} ${older.qsoAt}`;
  const buttons = element("div", { class: "buttons" });
  const trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  /**
   * @param {string} text
   * @param {() => Promise<(Node | string)[]>} work returns the content that replaces the buttons
   */
  const buttonOf = (text, work) => {
    const button = element("button", { type: "button", "aria-label": `${text}: ${name}` }, text);
    button.addEventListener("click", async () => {
      button.disabled = trouble.hidden = true;
      try {
        buttons.replaceChildren(...(await work()));
        buttons.querySelector("button")?.focus();
        document.dispatchEvent(new Event("changed"));
      } catch (refusal) {
        button.disabled = trouble.hidden = false;
        trouble.textContent = explain(refusal);
      }
    });
    return button;
  };
  /**
   * @param {string} outcome
   * @param {() => Promise<unknown>} back
   * @returns {(Node | string)[]}
   */
  const undoable = (outcome, back) => [
    element("span", { role: "status" }, outcome),
    buttonOf(say("Undo"), async () => {
      await back();
      return choices();
    }),
  ];
  /** @returns {(Node | string)[]} */
  const choices = () => [
    buttonOf(say("Merge"), async () => {
      const { act } = await change("doubles/merge", ids);
      const outcome = say("The two QSOs are now one.");
      return act ? undoable(outcome, () => change("undo", { act })) : [outcome];
    }),
    buttonOf(say("Not the same"), async () => {
      await change("doubles/apart", { ...ids, apart: true });
      return undoable(say("Both QSOs are kept."), () =>
        change("doubles/apart", { ...ids, apart: false }),
      );
    }),
  ];
  buttons.append(...choices());
  return element("div", {}, buttons, trouble);
}

/** @param {Double} pair */
function itemOfPair(pair) {
  return itemOf({
    name: qsoName(pair.older),
    below: [differencesOf(pair), buttonsOf(pair)],
  });
}
/**
 * Loads the next pairs, newest first. The service searches only a part of the log per request, so
 * an answer can be empty.
 * @param {string} query
 */
async function readPairs(query) {
  let page = await get(`doubles?${query}`);
  while (!page.items.length && page.nextCursor !== null)
    page = await get(`doubles?${formatQuery({ after: page.nextCursor })}`);
  return { items: page.items.map(itemOfPair), nextCursor: page.nextCursor };
}

export async function showDoubles() {
  const pairs = element("div");
  find("doubles").replaceChildren(
    element(
      "p",
      { class: "muted" },
      say("A merge drops the values that are struck through. You can also undo it in History."),
    ),
    pairs,
  );
  await showPages(pairs, say("No pair of QSOs looks like one contact."), readPairs, explain);
}
