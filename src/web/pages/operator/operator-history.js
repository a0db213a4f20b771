// Shows an operator the history of a member's log: the writers with their counts, and undo.
// Operators see only counts of QSOs.
import { element, typed } from "../../shared/page.js";
import { actOf } from "../../shared/lists.js";
import { itemOf } from "../../shared/parts/item.js";
import { showPages } from "../../shared/pager.js";
import { act, ask, explainAct } from "./operator-service.js";
import { confirmed } from "../../shared/dialog.js";
import { actFacts, actTitle, span, wishSince, writerName } from "../log/changes.js";
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
   * @param {Record<string, unknown>} wish
   */
  offer(place, wish) {
    const { callsign, number } = this.member;
    return offerUndo({
      ask: (path, body) => act(`members/${number}/${path}`, body),
      explain: explainAct,
      wish,
      title: say("Undo these changes?"),
      show: ({ title, body, foot }) => {
        const heading = element("h3", { tabindex: "-1" }, ...title);
        const shown = body.filter((child) => child instanceof Node);
        place.replaceChildren(heading, ...shown, element("div", { class: "buttons" }, ...foot));
        heading.focus();
      },
      close: () => place.replaceChildren(),
      confirm: () =>
        confirmed(
          say("Undo this in the log of {callsign}?", { callsign }),
          [
            say(
              "The member's history shows that an operator undid this. The undo can be undone, too.",
            ),
          ],
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
    const when = span(one.beganAt, one.endedAt);
    const name = `${writerName(one.writer)}, ${when}`;
    /** @type {(text: string, wish: Record<string, unknown> | null) => HTMLElement | null} */
    const button = (text, wish) => wish && actOf(text, name, () => this.offer(place, wish));
    const since = one.tooOld ? null : wishSince(one);
    return itemOf({
      name: typed(actTitle(one)),
      line: [
        typed(writerName(one.writer)),
        ...actFacts(one),
        when,
        one.tooOld ? say("Too old to undo.") : null,
      ],
      end: [button(say("Undo"), one.tooOld ? null : { act: one.number })],
      below: [button(say("Undo everything this program has done since then"), since), place],
    });
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
