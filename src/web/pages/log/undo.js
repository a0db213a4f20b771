// Undoes writes to a log, and restores deleted QSOs: shows a preview, and then a button for the
// action. The member's page lists the skipped QSOs; the operator's page only counts them.
import { element, number, typed } from "../../shared/page.js";
import { qsoName, writerName } from "./changes.js";
import { say } from "../../shared/language.js";

/** @import { Child, LeftCause, UndoAnswer } from "../types.js" */
/**
 * @typedef {object} Undoing
 * @property {(path: "undo" | "undo/preview", wish: object) => Promise<UndoAnswer>} ask
 * @property {(refusal: unknown) => string} explain
 * @property {{deleted?: boolean}} wish identifies the changes to undo; `deleted` restores deleted
 * QSOs
 * @property {Child} [before] a notice above the preview
 * @property {() => Promise<boolean>} [confirm] asks for confirmation
 * @property {(outcome: string) => Promise<void>} done shows the new state
 */

/**
 * Runs all steps of one undo, and shows the progress.
 * @param {Undoing["ask"]} ask
 * @param {"undo" | "undo/preview"} path
 * @param {object} wish
 * @param {HTMLElement} place
 */
async function run(ask, path, wish, place) {
  const bar = element("progress", { max: "1", value: "0" });
  const text = element("span");
  place.replaceChildren(element("p", { role: "status" }, element("label", {}, text, " ", bar)));
  /** @type {NonNullable<UndoAnswer["leftItems"]>} */
  const left = [];
  /** @type {string | null} */
  let state = null;
  /** @type {LeftCause[]} */
  const causes = [];
  for (;;) {
    /** @type {UndoAnswer} */
    const answer = await ask(path, { ...wish, ...(state === null ? {} : { state }) });
    left.push(...(answer.leftItems ?? []));
    causes.push(...(answer.leftCauses ?? []));
    bar.max = answer.total || 1;
    bar.value = answer.done;
    text.textContent = say("{done} of {all}", {
      done: number(answer.done),
      all: number(answer.total),
    });
    state = answer.state;
    if (state === null) return { ...answer, leftItems: left, leftCauses: causes };
  }
}
/**
 * @param {UndoAnswer} answer
 * @param {boolean} isDone
 */
function outcomeOf({ restored, deleted, left }, isDone) {
  const parts = [
    restored ? say("{count} restored", { count: number(restored) }) : null,
    deleted ? say("{count} deleted", { count: number(deleted) }) : null,
    left
      ? say("{count} skipped because someone else changed them later", { count: number(left) })
      : null,
  ].filter(Boolean);
  if (!parts.length) return say("Nothing left to undo.");
  return `${say(isDone ? "Done:" : "Preview:")} ${parts.join(", ")}.`;
}
/**
 * Returns the reasons why QSOs are skipped, with counts.
 * @param {LeftCause[]} causes
 */
function createCauses(causes) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { reason, writer } of causes) {
    const text =
      reason === "CLIENT_ID_IN_USE"
        ? say("another QSO now has its ID")
        : say("changed later by {name}", { name: writerName(writer) });
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const items = [...counts].map(([text, count]) =>
    element("li", {}, `${number(count)} × `, typed(text)),
  );
  return element("ul", { class: "details" }, ...items);
}
/**
 * Returns the QSOs that somebody else changed later, which are skipped unless the reader chooses
 * them.
 * @param {UndoAnswer} preview
 */
function createChoice({ left, leftItems = [], leftCauses = [] }) {
  const boxes = leftItems.map((item) => ({
    item,
    box: element("input", { type: "checkbox", value: item.id }),
  }));
  const all = element("input", { type: "checkbox" });
  /** @type {(box: HTMLElement, ...text: Child[]) => HTMLElement} */
  const line = (box, ...text) =>
    element("label", { class: "check" }, box, " ", element("span", {}, ...text));
  const node = !left
    ? null
    : !leftItems.length
      ? element("div", {}, createCauses(leftCauses), line(all, say("Also undo the skipped QSOs")))
      : element(
          "details",
          {},
          element("summary", {}, say("Show the skipped QSOs, and choose some to undo")),
          line(all, say("all of them")),
          element(
            "ul",
            { class: "details" },
            ...boxes.map(({ item, box }) =>
              element("li", {}, line(box, qsoName(item), " · ", typed(writerName(item.writer)))),
            ),
          ),
        );
  return {
    node,
    include: () =>
      all.checked
        ? "all"
        : boxes
            .filter(({ box }) => box.checked)
            .map(({ item }) => item.id)
            .join(" "),
  };
}
/**
 * Shows a preview, and then a button for the action.
 * @param {HTMLElement} place
 * @param {Undoing} undoing
 */
export async function offerUndo(place, { ask, explain, wish, before, confirm, done }) {
  /** @param {unknown} refusal */
  const troubleOf = (refusal) =>
    element("p", { class: "note bad", role: "alert" }, explain(refusal));
  try {
    const preview = await run(ask, "undo/preview", wish, place);
    const isEmpty = preview.restored + preview.deleted + preview.left === 0;
    const title = isEmpty && wish.deleted ? say("No deleted QSOs") : outcomeOf(preview, false);
    const heading = element("h3", { tabindex: "-1" }, title);
    const choice = createChoice(preview);
    const progress = element("div");
    const name = wish.deleted ? say("Restore") : say("Undo");
    const start = element("button", { type: "button", class: "main" }, name);
    const cancel = element("button", { type: "button" }, say("Cancel"));
    cancel.addEventListener("click", () => place.replaceChildren());
    place.replaceChildren(
      ...[
        heading,
        isEmpty ? null : before,
        choice.node,
        element("div", { class: "buttons" }, isEmpty ? null : start, cancel),
        progress,
      ].filter((node) => node instanceof Node),
    );
    heading.focus();
    start.addEventListener("click", async () => {
      if (confirm && !(await confirm())) return;
      const include = choice.include();
      start.disabled = cancel.disabled = true;
      try {
        const { through } = preview;
        const all = { ...wish, through, ...(include ? { include } : {}) };
        await done(outcomeOf(await run(ask, "undo", all, progress), true));
      } catch (refusal) {
        progress.replaceChildren(
          troubleOf(refusal),
          element("p", {}, say("The changes undone so far are in the list.")),
        );
        start.disabled = cancel.disabled = false;
      }
    });
  } catch (refusal) {
    place.replaceChildren(troubleOf(refusal));
  }
}
