// Shows the bar of a selection at the bottom of the screen: the number of selected QSOs, and
// buttons for these QSOs. Esc ends the selection.
import { drawing, element } from "../page.js";
import { say } from "../language.js";

export class SelectBar {
  count = element("b", { role: "status" });
  acts = element("span", { class: "select-acts" });
  done = () => {};

  /** @param {HTMLElement} place parent of the bar */
  constructor(place) {
    this.place = place;
    const close = element(
      "button",
      { type: "button", class: "glyph", "aria-label": say("Done"), click: () => this.done() },
      drawing(
        "svg",
        { viewBox: "0 0 18 18", "aria-hidden": "true" },
        drawing("path", { d: "M4 4l10 10M14 4L4 14" }),
      ),
    );
    this.node = element(
      "div",
      { class: "select-bar", role: "group", "aria-label": say("Selected QSOs") },
      this.count,
      this.acts,
      close,
    );
    document.addEventListener("keydown", ({ key }) => {
      if (key === "Escape" && this.isShown && !document.querySelector("dialog[open]")) this.done();
    });
  }
  get isShown() {
    return this.node.isConnected;
  }
  get hasFocus() {
    return this.node.contains(document.activeElement);
  }
  /**
   * Shows the bar.
   * @param {Node[]} acts buttons for the selected QSOs
   * @param {() => void} done ends the selection
   */
  show(acts, done) {
    this.done = done;
    this.acts.replaceChildren(...acts);
    this.place.append(this.node);
  }
  /** Shows how many QSOs are selected. @param {number} count */
  tell(count) {
    this.count.textContent = say("{n} QSO|{n} QSOs", { n: count });
    this.acts.hidden = count === 0;
  }
  /** Removes the bar. */
  hide() {
    this.node.remove();
  }
}
