// Adds members from a list: shows a preview with the faults of each line, adds the members, and
// offers to invite the new members.
import { element, find, findAs, number, oneAtATime, typed } from "../../shared/page.js";
import { KeptForm } from "../../shared/kept-form.js";
import { headOf } from "../../shared/lists.js";
import { formatQuery } from "../../shared/query.js";
import { act, ask, explainAct } from "./operator-service.js";
import { Refusal } from "../../shared/service.js";
import { say } from "../../shared/language.js";

/**
 * @import {
 *   AddedMembers, MemberLine as Line, OperatorMember as Member
 * } from "../types.js"
 */

/** Loads the module for invitations, which few visits need. Throws a refusal if loading fails. */
async function loadInvitations() {
  try {
    return await import("./operator-invite.js");
  } catch {
    throw new Refusal(0, "", [], null);
  }
}

// Words for the faults of a line, by the service's code.
/** @type {Record<string, string>} */
const FAULTS = {
  text: "This is not UTF-8 text.",
  callsign: "The callsign must be 1 to 20 characters long.",
  missing: "The locator is missing.",
  locator: "{written} is not a locator of 4 or 6 characters, such as JO59jw.",
  more: "The line contains more than a callsign and a locator.",
  twice: "Line {otherLine} has the same callsign, perhaps spelled differently.",
  exists: "{other} is already a member.",
  login: "{other} uses this as a login name.",
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
export class Adding {
  list = findAs("add-list", HTMLTextAreaElement);
  report = find("add-report");
  next = find("add-next");

  /** @param {() => Promise<unknown>} reload */
  constructor(reload) {
    this.reload = reload;
    this.list.addEventListener("input", () => this.clear());
    this.kept = new KeptForm(findAs("add", HTMLFormElement), "add");
    findAs("add", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      this.send(true);
    });
  }
  clear() {
    this.report.replaceChildren();
    this.next.replaceChildren();
  }
  /** @param {string} text @param {() => void} click */
  offer(text, click) {
    this.next.replaceChildren(element("button", { type: "button", class: "main", click }, text));
  }
  /** @param {unknown} refusal */
  tell(refusal) {
    this.report.replaceChildren(element("p", { class: "note bad" }, explainAct(refusal)));
  }
  /** @param {boolean} dryRun */
  async send(dryRun) {
    this.clear();
    try {
      const answer = await act("members", { list: this.list.value, dryRun });
      if (answer.added > 0) await this.showAdded(answer.lines);
      else this.showPreview(answer);
    } catch (refusal) {
      this.tell(refusal);
    }
  }
  /** @param {AddedMembers} answer */
  showPreview({ lines, faults }) {
    if (faults > 0) {
      const text = say(
        "{n} line has errors. Nobody was added.|{n} lines have errors. Nobody was added.",
        { n: faults },
      );
      const faulty = lines.filter((line) => line.fault);
      this.report.replaceChildren(
        element("p", { class: "note bad" }, text),
        tableOf(faulty, say("Lines to correct")),
      );
    } else if (lines.length === 0) {
      this.report.textContent = say("The list is empty.");
    } else {
      this.report.replaceChildren(tableOf(lines, say("To be added")));
      const text = say("Add {n} member|Add {n} members", { n: lines.length });
      this.offer(text, () => this.send(false));
    }
  }
  /** @param {Line[]} lines */
  async showAdded(lines) {
    const callsigns = lines.map((line) => line.callsign ?? "");
    const text = say("{n} member was added.|{n} members were added.", { n: lines.length });
    this.list.value = "";
    this.kept.saved();
    this.report.replaceChildren(element("p", { class: "good" }, text));
    this.offer(
      say("Invite them"),
      oneAtATime(() => this.invite(callsigns)),
    );
    await this.reload();
  }
  /** @param {string[]} callsigns */
  async invite(callsigns) {
    try {
      const { invite, inviteAll } = await loadInvitations();
      await (callsigns.length === 1 ? inviteOne(callsigns[0], invite) : inviteAll(callsigns));
      await this.reload();
    } catch (refusal) {
      this.tell(refusal);
    }
  }
}
/** @param {string} callsign @param {(member: Member) => Promise<void>} invite */
async function inviteOne(callsign, invite) {
  const { items } = await ask(`members?${formatQuery({ search: callsign })}`);
  const member = items.find((item) => item.callsign === callsign);
  if (member) await invite(member);
}
