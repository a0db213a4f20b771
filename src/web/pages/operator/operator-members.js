// Shows the section Members: the list of members, page by page, with a search. operator-add.js adds
// members, and operator-member.js shows the dialog of one member.
import {
  choice,
  day,
  element,
  find,
  findAs,
  input,
  moveFocus,
  number,
  typed,
} from "../../shared/page.js";
import { headOf } from "../../shared/lists.js";
import { formatQuery } from "../../shared/query.js";
import { ask, explainAct } from "./operator-service.js";
import { Refusal } from "../../shared/service.js";
import { say } from "../../shared/language.js";
import { Adding } from "./operator-add.js";

/** @import { OperatorMember as Member } from "../types.js" */

const PAGE = 50;

/**
 * Loads the module for a member's dialog when a dialog is first opened. Throws a refusal if loading
 * fails.
 */
async function loadMember() {
  try {
    return await import("./operator-member.js");
  } catch {
    throw new Refusal(0, "", [], null);
  }
}

/** @param {Member} member */
function stateOf(member) {
  const tags = [
    member.operator ? say("operator") : "",
    member.active ? "" : say("disabled"),
    member.invitedUntil ? say("invited until {day}", { day: day(member.invitedUntil) }) : "",
  ].filter((tag) => tag);
  return tags.flatMap((tag) => [element("span", { class: "tag" }, tag), " "]);
}
/**
 * @param {Member} member
 * @param {(member: Member) => void} open
 */
function rowOf(member, open) {
  return element(
    "tr",
    { role: "row", "data-number": member.number },
    element(
      "th",
      { role: "rowheader", scope: "row" },
      element(
        "button",
        { type: "button", class: "member", click: () => open(member) },
        typed(member.callsign),
      ),
    ),
    element("td", { role: "cell" }, member.locator),
    element("td", { role: "cell", class: "right", "data-name": say("QSOs") }, number(member.qsos)),
    element(
      "td",
      { role: "cell", "data-name": say("Last use") },
      member.lastUsedOn ? day(member.lastUsedOn) : say("never"),
    ),
    element("td", { role: "cell", class: "wide" }, ...stateOf(member)),
  );
}

/** The list of members with its search. */
class MemberList {
  rows = element("tbody", { role: "rowgroup" });
  more = element("button", { type: "button", hidden: true }, say("Show more"));
  none = element("p", { class: "muted", hidden: true }, say("No matching members."));
  trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  /** @type {Member | null} */
  last = null;
  asked = 0;

  constructor() {
    find("members").replaceChildren(
      this.trouble,
      element(
        "table",
        { class: "list", role: "table" },
        element("caption", { class: "unseen" }, say("Members by callsign")),
        headOf([say("Callsign"), say("Locator"), say("QSOs"), say("Last use"), say("Status")]),
        this.rows,
      ),
      this.none,
      this.more,
    );
    this.more.addEventListener("click", () => this.tell(() => this.read(0)));
    findAs("member-search", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      this.tell(() => this.load());
    });
    choice("group").addEventListener("change", () => this.tell(() => this.load()));
  }
  load() {
    return this.read(PAGE);
  }
  /**
   * Loads members into the list. Returns false if a newer request has replaced this request, whose
   * answer is then dropped.
   * @param {number} limit number of members to load from the beginning of the list; 0: loads the
   *   next page
   */
  async read(limit) {
    const asked = ++this.asked;
    const query = formatQuery({
      search: input("search").value.trim(),
      group: choice("group").value,
      limit: Math.min(200, limit || PAGE),
      ...(!limit && this.last && { after: this.last.callsign, afterNumber: this.last.number }),
    });
    const page = await ask(`members?${query}`);
    if (asked !== this.asked) return false;
    if (limit) this.rows.replaceChildren();
    this.rows.append(...page.items.map((member) => rowOf(member, (one) => this.open(one))));
    this.last = page.items.at(-1) ?? null;
    this.more.hidden = !page.more;
    this.none.hidden = this.rows.children.length > 0;
    return true;
  }
  /** @param {Member} member */
  open(member) {
    return this.tell(async () => {
      const { openMember } = await loadMember();
      const done = await openMember(member);
      if (!done) return;
      find("done").textContent = done;
      if (!(await this.read(Math.max(PAGE, this.rows.children.length)))) return;
      const row = this.rows.querySelector(`[data-number="${member.number}"] button`);
      moveFocus(row instanceof HTMLElement ? row : find("members-title"));
    });
  }
  /** @param {() => Promise<unknown>} step */
  async tell(step) {
    try {
      await step();
      this.trouble.hidden = true;
    } catch (refusal) {
      this.trouble.textContent = explainAct(refusal);
      this.trouble.hidden = false;
    }
  }
}

export async function showMembers() {
  const list = new MemberList();
  new Adding(() => list.load());
  await list.load();
}
