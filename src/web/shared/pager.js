// Shows lists that are loaded page by page.
import { element } from "./page.js";
import { formatQuery } from "./query.js";
import { say } from "./language.js";

const PAGE = 50;

/**
 * Shows the first page of a list, and a button that loads the next page. `read` receives the query,
 * and resolves to the items and the next cursor.
 * @param {HTMLElement} place
 * @param {string} none the text for an empty list
 * @param {(query: string) => Promise<{items: HTMLElement[], nextCursor: string | null}>} read
 * @param {(refusal: unknown) => string} explain
 */
export async function showPages(place, none, read, explain) {
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
      trouble.replaceChildren(element("p", { class: "note bad", role: "alert" }, explain(refusal)));
      more.hidden = false;
    }
    more.disabled = false;
  }
  more.addEventListener("click", add);
  place.replaceChildren(list, trouble, more);
  await add();
}
