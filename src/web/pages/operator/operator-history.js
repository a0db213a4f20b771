// Shows an operator the history of a member's log: the writers with their counts, and undo.
// Operators see only counts of QSOs.
import { element } from "../../shared/page.js";
import { itemOf } from "../../shared/lists.js";
import { showPages } from "../../shared/pager.js";
import { act, ask, explainAct } from "./operator-service.js";
import { confirmed } from "../../shared/dialog.js";
import { actName, span, undoButtons } from "../log/changes.js";
import { offerUndo } from "../log/undo.js";
import { say } from "../../shared/language.js";

/** @import { Act, OperatorMember as Member } from "../types.js" */

class MemberHistory {
  list = element("div");
  done = element("p", { role: "status", tabindex: "-1" });

  /** @param {Member} member */
  constructor(member) {
    this.member = member;
  }
  /**
   * @param {HTMLElement} place
   * @param {object} wish
   */
  offer(place, wish) {
    const { callsign, number } = this.member;
    return offerUndo(place, {
      ask: (path, body) => act(`members/${number}/${path}`, body),
      explain: explainAct,
      wish,
      confirm: () =>
        confirmed(
          say("Undo this in the log of {callsign}?", { callsign }),
          [say("The member's history shows that an operator undid it. It can be undone, too.")],
          say("Undo"),
        ),
      done: async (outcome) => {
        await this.show();
        this.done.textContent = outcome;
        this.done.focus();
      },
    });
  }
  /** @param {Act} one */
  itemOf(one) {
    const place = element("div", { class: "undo" });
    const { ofAct, ofWriter } = undoButtons(one, (wish) => this.offer(place, wish));
    const parts = [span(one.beganAt, one.endedAt), one.tooOld ? say("Too old to undo.") : ""];
    const buttons = element("div", { class: "buttons" }, ofAct, ofWriter);
    return itemOf(actName(one), parts, null, buttons, place);
  }
  show() {
    return showPages(
      this.list,
      say("Nothing has changed since history began."),
      async (query) => {
        const page = await ask(`members/${this.member.number}/history?${query}`);
        return { ...page, items: page.items.map((one) => this.itemOf(one)) };
      },
      explainAct,
    );
  }
}

/**
 * @param {Member} member
 * @returns {HTMLElement[]}
 */
export function showHistoryOf(member) {
  const history = new MemberHistory(member);
  history.show();
  return [history.done, history.list];
}
