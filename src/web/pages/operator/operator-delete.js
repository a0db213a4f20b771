// Shows the dialog that saves all data about a member as a file, and then deletes the member.
import { element, number, typed } from "../../shared/page.js";
import { buttonOf } from "../../shared/lists.js";
import { act, actForFile, baseOf, explainAct, save } from "./operator-service.js";
import { openDialog } from "../../shared/dialog.js";
import { Refusal } from "../../shared/service.js";
import { say } from "../../shared/language.js";

/** @import { OperatorMember as Member } from "../types.js" */

// Statuses after which the request is repeated, at most ATTEMPTS times; 0: the connection was lost.
// Deleting a large log can take longer than the time limit of some front servers.
const PATIENT = [0, 502, 504];
const ATTEMPTS = 20;

/**
 * Disables the member, downloads everything as a file, then deletes the member. Each step requires
 * the previous step.
 */
class Deletion {
  isSaved = false;
  field = element("input", {
    autofocus: true,
    maxlength: "20",
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
  });
  trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  said = element("p", { role: "status" });
  button = element("button", { class: "danger", disabled: true }, say("Save the file first"));

  /**
   * @param {Member} member
   * @param {(value: string) => void} close
   */
  constructor(member, close) {
    this.member = member;
    this.close = close;
    this.base = baseOf(member);
    this.field.addEventListener("input", () => {
      this.button.disabled = !this.isTyped();
    });
  }
  isTyped() {
    return this.field.value.trim().toUpperCase() === this.member.callsign.toUpperCase();
  }
  async keep() {
    const { member } = this;
    this.said.textContent = say("Preparing the file.");
    if (member.active) await act(`${this.base}/disable`);
    member.active = false;
    const file = await actForFile(`${this.base}/export`);
    if (!/"qsoCount":\d+\s*\}\s*$/.test(await file.slice(-200).text()))
      throw new Refusal(0, "", [], null);
    save(file, `qsosync-${member.callsign.replace(/[^A-Za-z0-9-]/g, "_")}.json`);
    this.isSaved = true;
    this.said.textContent = say(
      "{callsign} is disabled, and the file is saved. Check that you have the file, then delete the member.",
      { callsign: member.callsign },
    );
    this.button.textContent = say("Delete permanently");
  }
  async remove() {
    this.said.textContent = say("Deleting the log.");
    for (let attempts = 0; ; attempts++) {
      try {
        await act(`${this.base}/delete`, { callsign: this.field.value.trim() });
        break;
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        if (refusal.status === 404 && attempts > 0) break;
        if (!PATIENT.includes(refusal.status) || attempts === ATTEMPTS) throw refusal;
      }
    }
    this.close("yes");
  }
  /** @param {Event} event */
  async submit(event) {
    event.preventDefault();
    if (!this.isTyped()) return;
    this.trouble.hidden = true;
    this.button.disabled = true;
    try {
      await (this.isSaved ? this.remove() : this.keep());
    } catch (refusal) {
      this.trouble.textContent = explainAct(refusal);
      this.trouble.hidden = false;
    }
    this.button.disabled = false;
  }
  content() {
    const text = say(
      "This deletes {count} QSOs, keys and spots. Other members' QSOs lose their confirmations. This can't be undone. First the member is disabled, and you get a file with all their data to hand over.",
      { count: number(this.member.qsos) },
    );
    const cancel = buttonOf("Cancel", () => this.close(""));
    return [
      element("p", {}, text),
      this.trouble,
      element(
        "form",
        { class: "stack", submit: (event) => this.submit(event) },
        element("label", {}, element("span", {}, say("Type the callsign to confirm")), this.field),
        this.said,
        element("div", { class: "buttons" }, cancel, this.button),
      ),
    ];
  }
}

/** @param {Member} member */
export function askToDelete(member) {
  return openDialog([say("Delete"), " ", typed(member.callsign)], (close) =>
    new Deletion(member, close).content(),
  );
}
