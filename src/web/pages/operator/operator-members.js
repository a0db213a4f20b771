// Shows the section Members: the list of members, page by page, with a search. operator-add.js adds
// members in a sheet, operator-member.js shows the sheet of one member, and operator-aside.js fills
// the panels next to the list.
import { element, find, findAs, input, moveFocus } from "../../shared/page.js";
import { formatQuery } from "../../shared/query.js";
import { ask, explainAct } from "./operator-service.js";
import { Refusal } from "../../shared/service.js";
import { say } from "../../shared/language.js";
import { RowList } from "../../shared/parts/row.js";
import { openSheet } from "../../shared/parts/sheet.js";
import { showAside } from "./operator-aside.js";
import { itemOfMember } from "./operator-rows.js";

/** @import { OperatorMember as Member } from "../types.js" */

const PAGE = 50;

/**
 * Waits for the module of a sheet, which is loaded when the sheet first opens. Throws a refusal if
 * loading fails.
 * @template Module
 * @param {Promise<Module>} module
 */
async function loaded(module) {
  try {
    return await module;
  } catch {
    throw new Refusal(0, "", [], null);
  }
}

/** The list of members with its search. */
class MemberList {
  list = new RowList({
    name: say("Members"),
    open: (number) => this.open(number, true),
    moved: (number) => this.list.chosen && this.open(number, false),
    itemOf: itemOfMember,
  });
  head = element("h3", { class: "day" });
  search = findAs("member-search", HTMLFormElement);
  more = element("button", { type: "button", hidden: true }, say("Show more"));
  none = element("p", { class: "muted", hidden: true }, say("No matching members."));
  trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  /** @type {Map<string, Member>} by number */
  members = new Map();
  /** @type {Member | null} */
  last = null;
  asked = 0;

  constructor() {
    input("search").placeholder = say("Search callsign");
    find("members").replaceChildren(this.trouble, this.list.node, this.none, this.more);
    this.more.addEventListener("click", () => this.tell(() => this.read(0)));
    this.search.addEventListener("submit", (event) => {
      event.preventDefault();
      this.tell(() => this.load());
    });
    input("search").addEventListener("search", () => this.tell(() => this.load()));
    for (const one of this.search.querySelectorAll("[name=group]"))
      one.addEventListener("change", () => this.tell(() => this.load()));
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
    const { last } = this;
    const query = formatQuery({
      search: input("search").value.trim(),
      group: String(new FormData(this.search).get("group")),
      order: "use",
      limit: Math.min(200, limit || PAGE),
      ...(!limit &&
        last && {
          after: last.callsign,
          afterNumber: last.number,
          afterDay: last.lastUsedOn ?? "never",
        }),
    });
    const page = await ask(`members?${query}`);
    if (asked !== this.asked) return false;
    if (limit) this.members.clear();
    for (const member of page.items) this.members.set(member.number, member);
    if (limit) this.list.replace(page.items, true, false);
    else this.list.add(page.items, true);
    this.showHead(page.members, page.active);
    this.last = page.items.at(-1) ?? null;
    this.more.hidden = !page.more;
    this.none.hidden = this.members.size > 0;
    this.list.node.hidden = this.members.size === 0;
    return true;
  }
  /** @param {number} members @param {number} active */
  showHead(members, active) {
    this.head.replaceChildren(
      element(
        "span",
        {},
        say("{n} member|{n} members", { n: members }),
        ", ",
        say("{n} active this month", { n: active }),
      ),
      element("span", {}, say("QSOs per week, last half year")),
    );
    this.list.node.prepend(this.head);
  }
  /** @param {string} number @param {boolean} wantsFocus */
  open(number, wantsFocus) {
    const member = this.members.get(number);
    if (!member) return null;
    return this.tell(async () => {
      const { openMember } = await loaded(import("./operator-member.js"));
      this.list.choose(number);
      const done = await openMember(member, (by) => {
        const next = this.list.neighbour(number, by);
        if (next) this.open(next, false);
      });
      if (this.list.chosen === number) this.list.choose(null);
      if (!done && wantsFocus) this.list.focus(number);
      if (!done) return;
      find("done").textContent = done;
      if (!(await this.read(Math.max(PAGE, this.members.size)))) return;
      const row = this.list.find(number)?.querySelector("button");
      moveFocus(row ?? find("members-title"));
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

let hasForm = false;
/** Opens the sheet for new members. @param {MemberList} list */
async function openAdding(list) {
  const { Adding } = await loaded(import("./operator-add.js"));
  if (!hasForm) new Adding(() => list.load());
  hasForm = true;
  const adding = find("adding");
  const place = find("section-members");
  adding.hidden = false;
  openSheet({
    title: [say("Add members")],
    body: [adding],
    closed: (hadFocus) => {
      adding.hidden = true;
      place.append(adding);
      if (hadFocus) find("add-members").focus();
    },
  });
  find("add-list").focus();
}

export async function showMembers() {
  const list = new MemberList();
  find("add-members").addEventListener("click", () => list.tell(() => openAdding(list)));
  await list.load();
  showAside((callsign) => {
    input("search").value = callsign;
    return list.tell(async () => {
      await list.load();
      const [found] = list.members.keys();
      if (found) list.open(found, true);
    });
  });
}
