// The section History: who wrote into the log, what each changed, what was deleted; and taking
// back, which says first what would happen.
import { day, element, find, findAs, number, typed } from "../site/page.js";
import { itemOf } from "../site/lists.js";
import { formatQuery } from "../site/query.js";
import { change, explain, get } from "../site/service.js";
import { changeItem, countsOf, hours, qsoName, span, workName, writerName } from "./changes.js";
import { say } from "../site/language.js";

const PAGE = 50;

/**
 * @typedef {import("../site/answers.js").Act} Act
 * @typedef {import("../site/answers.js").UndoAnswer} UndoAnswer
 * @typedef {import("../site/page.js").Child} Child
 */

/** @param {unknown} refusal */
function troubleOf(refusal) {
  return element("p", { class: "note bad", role: "alert" }, explain(refusal));
}
/**
 * A list that is read page by page: `read` gets the query, and gives the items and the next cursor.
 * @param {HTMLElement} place
 * @param {string} none what an empty list says
 * @param {(query: string) => Promise<{items: HTMLElement[], nextCursor: string | null}>} read
 */
async function showPages(place, none, read) {
  const list = element("ul", { class: "items" });
  const more = element("button", { type: "button", hidden: true }, say("Show more"));
  const trouble = element("div");
  /** @type {string | null} */
  let after = null;
  async function add() {
    more.disabled = true;
    try {
      const { items, nextCursor } = await read(
        formatQuery({ limit: PAGE, ...(after !== null && { after }) }),
      );
      list.append(...items);
      more.hidden = nextCursor === null;
      after = nextCursor;
      trouble.replaceChildren();
      if (!list.children.length) trouble.append(element("p", { class: "muted" }, none));
    } catch (refusal) {
      trouble.replaceChildren(troubleOf(refusal));
      more.hidden = false;
    }
    more.disabled = false;
  }
  more.addEventListener("click", add);
  place.replaceChildren(list, trouble, more);
  await add();
}

// -- taking back ----------------------------------------------------------------------------------

/**
 * Runs all slices of one undo, and reports progress.
 * @param {"undo" | "undo/preview"} path
 * @param {object} wish
 * @param {HTMLElement} place
 */
async function takeBack(path, wish, place) {
  const bar = element("progress", { max: "1", value: "0" });
  const text = element("span");
  place.replaceChildren(element("p", { role: "status" }, element("label", {}, text, " ", bar)));
  /** @type {UndoAnswer["leftItems"]} */
  const left = [];
  /** @type {string | null} */
  let state = null;
  for (;;) {
    /** @type {UndoAnswer} */
    const answer = await change(path, { ...wish, ...(state === null ? {} : { state }) });
    left.push(...answer.leftItems);
    bar.max = answer.total || 1;
    bar.value = answer.done;
    text.textContent = say("{done} of {all}", {
      done: number(answer.done),
      all: number(answer.total),
    });
    state = answer.state;
    if (state === null) return { ...answer, leftItems: left };
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
 * The QSOs that somebody else changed later: they stay, unless they are chosen.
 * @param {UndoAnswer} preview
 */
function createChoice({ left, leftItems }) {
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
    : element(
        "details",
        {},
        element("summary", {}, say("See which were skipped, and choose some to undo")),
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
/** @type {Record<string, string>} */
const REVOKED_AT = { KEY: "keys", TOKEN: "tokens" };
/**
 * A program that still holds its version would send it again.
 * @param {Act} act
 */
function offerRevocation({ writer }) {
  if (!writer || writer.revoked || !Object.hasOwn(REVOKED_AT, writer.kind)) return null;
  const place = element("div", { class: "note warn" });
  const button = element("button", { type: "button", class: "danger" }, say("Revoke it first"));
  place.append(
    element(
      "p",
      {},
      say("The program can still write and may send its version again:"),
      " ",
      typed(writerName(writer)),
    ),
    button,
  );
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await change(`${REVOKED_AT[writer.kind]}/${writer.number}/revoke`);
      place.replaceChildren(say("It is revoked."));
    } catch (refusal) {
      place.append(troubleOf(refusal));
      button.disabled = false;
    }
  });
  return place;
}
/**
 * First what would happen, then the button that does it.
 * @param {HTMLElement} place
 * @param {object} wish
 * @param {Child} before what to think of first
 */
async function offerUndo(place, wish, before) {
  try {
    const preview = await takeBack("undo/preview", wish, place);
    const heading = element("h3", { tabindex: "-1" }, outcomeOf(preview, false));
    const choice = createChoice(preview);
    const progress = element("div");
    const run = element("button", { type: "button", class: "main" }, say("Undo"));
    const cancel = element("button", { type: "button" }, say("Cancel"));
    cancel.addEventListener("click", () => place.replaceChildren());
    const isEmpty = preview.restored + preview.deleted + preview.left === 0;
    place.replaceChildren(
      ...[
        heading,
        isEmpty ? null : before,
        choice.node,
        element("div", { class: "buttons" }, isEmpty ? null : run, cancel),
        progress,
      ].filter((node) => node instanceof Node),
    );
    heading.focus();
    run.addEventListener("click", async () => {
      const include = choice.include();
      run.disabled = cancel.disabled = true;
      try {
        const answer = await takeBack(
          "undo",
          { ...wish, through: preview.through, ...(include ? { include } : {}) },
          progress,
        );
        await showHistory();
        find("history-done").textContent =
          `${outcomeOf(answer, true)} ${say("You can undo this, too. It is now in the list.")}`;
        find("history-title").focus();
      } catch (refusal) {
        progress.replaceChildren(
          troubleOf(refusal),
          element("p", {}, say("What was undone so far is in the list.")),
        );
        run.disabled = cancel.disabled = false;
      }
    });
  } catch (refusal) {
    place.replaceChildren(troubleOf(refusal));
  }
}

// -- acts -----------------------------------------------------------------------------------------

/** @param {Act} act */
function actItem(act) {
  const name = `${writerName(act.writer)}, ${span(act.beganAt, act.endedAt)}`;
  const place = element("div", { class: "undo" });
  const changes = element("div");
  const menu = element("div", { class: "buttons" });
  const details = element(
    "details",
    {},
    element("summary", {}, say("What changed")),
    menu,
    changes,
  );
  details.addEventListener("toggle", () => {
    if (!details.open || changes.children.length) return;
    showPages(changes, say("It is no longer kept."), async (query) => {
      const page = await get(`history/${act.number}?${query}`);
      return { ...page, items: page.items.map((one) => changeItem(one, qsoName(one))) };
    });
  });
  /** @type {(text: string, wish: object) => HTMLElement} */
  const button = (text, wish) =>
    element(
      "button",
      {
        type: "button",
        "aria-label": `${text}: ${name}`,
        click: () => offerUndo(place, wish, offerRevocation(act)),
      },
      text,
    );
  const { writer } = act;
  const since = writer && {
    writer: writer.kind,
    ...(writer.number ? { number: writer.number } : {}),
    since: act.beganAt,
  };
  const work = workName(act);
  if (since && !act.tooOld)
    menu.append(button(say("Undo everything this program has done since then"), since));
  return itemOf(
    element(
      "div",
      { class: "name" },
      element("strong", {}, typed(writerName(writer))),
      work ? element("span", { class: "tag" }, typed(work)) : null,
      element("span", {}, countsOf(act)),
    ),
    [hours(act.beganAt, act.endedAt), act.tooOld ? say("Too old to undo.") : ""],
    act.tooOld ? null : button(say("Undo"), { act: act.number }),
    details,
    place,
  );
}
/** Acts with a heading before those of each day. */
function byDay() {
  let last = "";
  return (/** @type {Act} */ act) => {
    const name = day(act.endedAt);
    const heading = name === last ? [] : [element("li", { class: "day" }, element("h3", {}, name))];
    last = name;
    return [...heading, actItem(act)];
  };
}
/** @param {import("../site/answers.js").RemovedQso} removed */
function removedItem({ qso, deletedAt, writer }) {
  const place = element("div", { class: "undo" });
  const text = say("Restore");
  return itemOf(
    qsoName(qso),
    [say("deleted by {name}", { name: writerName(writer) }), span(deletedAt, deletedAt)],
    element(
      "button",
      {
        type: "button",
        "aria-label": `${text}: ${qso.callsignWorked ?? ""} ${qso.qsoAt}`,
        click: () => offerUndo(place, { deleted: true, ids: String(qso.id) }, null),
      },
      text,
    ),
    place,
  );
}

/** Shows the history as it is now; may be called again. */
export async function showHistory() {
  find("history-done").textContent = "";
  find("undo-deleted").replaceChildren();
  findAs("bring-all-back", HTMLButtonElement).onclick = () =>
    offerUndo(find("undo-deleted"), { deleted: true }, null);
  let count = 0;
  const items = byDay();
  await Promise.all([
    showPages(find("acts"), say("Nothing has changed since history began."), async (query) => {
      const page = await get(`history?${query}`);
      find("history-days").textContent = page.days
        ? say("Changes and deletions are kept for {n} days.", { n: page.days })
        : say("The operator has switched history off.");
      return { ...page, items: page.items.flatMap(items) };
    }),
    showPages(find("deleted-qsos"), say("No deleted QSOs"), async (query) => {
      const page = await get(`deleted?${query}`);
      count += page.items.length;
      find("bring-all").hidden = count === 0;
      return { ...page, items: page.items.map(removedItem) };
    }),
  ]);
}
