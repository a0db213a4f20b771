// The section Members: their list, a page at a time, and adding them by a list, of which the page
// shows first what would happen. What is done to one member is in operator-member.js.
import { choice, day, element, find, findAs, input, number, typed } from "./page.js";
import { headOf } from "./lists.js";
import { act, ask, explainAct } from "./operator-service.js";
import { invite, inviteAll, openMember } from "./operator-member.js";
import { say } from "./language.js";

/**
 * @typedef {import("./answers.js").OperatorMember} Member
 * @typedef {import("./answers.js").MemberLine} Line
 */

const PAGE = 50;

// -- The list -------------------------------------------------------------------------------------

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

/** The list with its search; the result loads it again. */
function createList() {
  const rows = element("tbody", { role: "rowgroup" });
  const more = element("button", { type: "button", hidden: true }, say("Show more"));
  const none = element("p", { class: "muted", hidden: true }, say("No member is like that."));
  const trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  /** @type {Member | null} */
  let last = null;
  /** @param {() => Promise<void>} step */
  const tell = async (step) => {
    try {
      await step();
      trouble.hidden = true;
    } catch (refusal) {
      trouble.textContent = explainAct(refusal);
      trouble.hidden = false;
    }
  };
  /** @param {Member} member */
  const open = (member) =>
    tell(async () => {
      const done = await openMember(member);
      if (!done) return;
      find("done").textContent = done;
      await load(Math.max(PAGE, rows.children.length));
      const row = rows.querySelector(`[data-number="${member.number}"] button`);
      if (row instanceof HTMLElement) row.focus();
      else find("members-title").focus();
    });
  /** @param {number} limit 0: the next page */
  async function load(limit) {
    const values = new URLSearchParams({
      search: input("search").value.trim(),
      group: choice("group").value,
      limit: String(Math.min(200, limit || PAGE)),
    });
    if (!limit && last) {
      values.set("after", last.callsign);
      values.set("afterNumber", last.number);
    }
    const page = await ask(`members?${values}`);
    if (limit) rows.replaceChildren();
    rows.append(...page.items.map((member) => rowOf(member, open)));
    last = page.items.at(-1) ?? null;
    more.hidden = !page.more;
    none.hidden = rows.children.length > 0;
  }
  find("members").replaceChildren(
    trouble,
    element(
      "table",
      { class: "list", role: "table" },
      element("caption", { class: "unseen" }, say("Members by callsign")),
      headOf([say("Callsign"), say("Locator"), say("QSOs"), say("Last use"), say("State")]),
      rows,
    ),
    none,
    more,
  );
  more.addEventListener("click", () => tell(() => load(0)));
  findAs("member-search", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    tell(() => load(PAGE));
  });
  choice("group").addEventListener("change", () => tell(() => load(PAGE)));
  return { load: () => load(PAGE), tell };
}

// -- Adding ---------------------------------------------------------------------------------------

// What is wrong with a line, by the service's word for it.
/** @type {Record<string, string>} */
const FAULTS = {
  text: "This is no text in UTF-8.",
  callsign: "There is no callsign of 1 to 20 characters.",
  missing: "The locator is missing.",
  locator: "{written} is no locator of 4 or 6 characters, such as JO59jw.",
  more: "There is more than a callsign and a locator.",
  twice: "Line {otherLine} has the same callsign, perhaps in another spelling.",
  exists: "There is a member {other} already.",
  login: "{other} has it as login name.",
  length: "The list is too long. Add it in parts.",
};
/** @param {Line} line */
function reasonOf(line) {
  const fault = line.fault ?? "";
  return Object.hasOwn(FAULTS, fault)
    ? say(FAULTS[fault], {
        written: line.written ?? "",
        other: line.other ?? "",
        otherLine: line.otherLine,
      })
    : (line.reason ?? "");
}
/**
 * @param {Line[]} lines
 * @param {string} title
 */
function tableOf(lines, title) {
  return element(
    "table",
    { class: "list", role: "table" },
    element("caption", {}, title),
    headOf([say("Line"), say("Callsign"), say("Locator")]),
    element(
      "tbody",
      { role: "rowgroup" },
      ...lines.map((line) =>
        element(
          "tr",
          { role: "row" },
          element("td", { role: "cell", "data-name": say("Line") }, number(line.line)),
          element("td", { role: "cell" }, typed(line.callsign ?? line.written ?? "")),
          element(
            "td",
            { role: "cell", class: line.fault ? "wide bad" : "wide" },
            line.fault ? typed(reasonOf(line)) : line.locator,
          ),
        ),
      ),
    ),
  );
}
/** @param {() => Promise<void>} reload */
function offerAdding(reload) {
  const list = findAs("add-list", HTMLTextAreaElement);
  const report = find("add-report");
  const next = find("add-next");
  const clear = () => {
    report.replaceChildren();
    next.replaceChildren();
  };
  /** @param {unknown} refusal */
  const tell = (refusal) =>
    report.replaceChildren(element("p", { class: "note bad" }, explainAct(refusal)));
  /** @param {boolean} dryRun */
  async function send(dryRun) {
    clear();
    try {
      const answer = await act("members", { list: list.value, dryRun });
      if (answer.added > 0) await showAdded(answer.lines);
      else showPreview(answer);
    } catch (refusal) {
      tell(refusal);
    }
  }
  /** @param {import("./answers.js").AddedMembers} answer */
  function showPreview({ lines, faults }) {
    if (faults > 0)
      report.replaceChildren(
        element(
          "p",
          { class: "note bad" },
          say(
            "{n} line cannot be taken; nothing was added.|{n} lines cannot be taken; nothing was added.",
            {
              n: faults,
            },
          ),
        ),
        tableOf(
          lines.filter((line) => line.fault),
          say("Lines to correct"),
        ),
      );
    else if (lines.length === 0) report.textContent = say("The list is empty.");
    else {
      report.replaceChildren(tableOf(lines, say("What would be added")));
      next.replaceChildren(
        element(
          "button",
          { type: "button", class: "main", click: () => send(false) },
          say("Add {n} member|Add {n} members", { n: lines.length }),
        ),
      );
    }
  }
  /** @param {Line[]} lines */
  async function showAdded(lines) {
    const callsigns = lines.map((line) => line.callsign ?? "");
    list.value = "";
    report.replaceChildren(
      element(
        "p",
        { class: "good" },
        say("{n} member was added.|{n} members were added.", { n: lines.length }),
      ),
    );
    next.replaceChildren(
      element(
        "button",
        {
          type: "button",
          class: "main",
          click: async () => {
            try {
              await (callsigns.length === 1 ? inviteOne(callsigns[0]) : inviteAll(callsigns));
              await reload();
            } catch (refusal) {
              tell(refusal);
            }
          },
        },
        say("Invite them"),
      ),
    );
    await reload();
  }
  list.addEventListener("input", clear);
  findAs("add", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    send(true);
  });
}
/** @param {string} callsign */
async function inviteOne(callsign) {
  const { items } = await ask(`members?${new URLSearchParams({ search: callsign })}`);
  const member = items.find((item) => item.callsign === callsign);
  if (member) await invite(member);
}

export async function showMembers() {
  const list = createList();
  offerAdding(list.load);
  await list.load();
}
