// Shows a question with two to five answers. Each answer can state the consequences for the
// reader's data. No answer is chosen at first, unless the caller specifies an answer.
import { element } from "../page.js";

/** @import { Child } from "../types.js" */
/**
 * @typedef {object} Answer
 * @property {string} value
 * @property {Child[]} name
 * @property {Child} [meaning] effect of the answer, shown at the right
 */

let questions = 0;

export class Question {
  /**
   * @param {string} title
   * @param {Child[]} why
   * @param {Answer[]} answers
   * @param {string | null} chosen
   * @param {"h2" | "h3"} heading
   */
  constructor(title, why, answers, chosen = null, heading = "h3") {
    const name = `question-of-${++questions}`;
    this.title = element(heading, { tabindex: "-1" }, title);
    this.radios = answers.map(({ value }) =>
      element("input", { type: "radio", name, value, checked: value === chosen }),
    );
    this.node = element(
      "fieldset",
      { class: "question" },
      element("legend", {}, this.title),
      element("p", { class: "muted" }, ...why),
      ...answers.map(({ name: words, meaning }, index) =>
        element(
          "label",
          { class: "option" },
          this.radios[index],
          element("b", {}, ...words),
          (meaning ?? "") === "" ? null : element("span", { class: "muted" }, meaning),
        ),
      ),
    );
  }
  /**
   * Returns the value of the chosen answer. If no answer is chosen, returns null, and moves the
   * focus to the answers.
   */
  take() {
    const chosen = this.radios.find(({ checked }) => checked);
    if (!chosen) this.radios[0].focus();
    return chosen?.value ?? null;
  }
}
