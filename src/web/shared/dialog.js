// Shows dialogs: confirmations of actions that cannot be undone, and content outside a page's
// sections.
import { element } from "./page.js";
import { say } from "./language.js";

/** @import { Child } from "./types.js" */

/**
 * Shows a dialog until close(value) is called, or the reader closes the dialog. Resolves to whether
 * the value is "yes".
 * @param {string | Child[]} title
 * @param {(close: (value: string) => void) => Child[]} build
 * @param {string | null} kind a class of the dialog, such as "wide"
 * @returns {Promise<boolean>}
 */
export function openDialog(title, build, kind = null) {
  return new Promise((resolve) => {
    const name = `question-${document.querySelectorAll("dialog").length}`;
    const dialog = element(
      "dialog",
      { class: kind, "aria-labelledby": name },
      element("h2", { id: name, tabindex: "-1" }, ...[title].flat()),
    );
    dialog.append(element("div", {}, ...build((value) => dialog.close(value))));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
/**
 * Asks for confirmation. Resolves to whether the reader pressed the button with the given name.
 * @param {string} title
 * @param {Child[]} text
 * @param {string} name
 * @returns {Promise<boolean>}
 */
export function confirmed(title, text, name) {
  return openDialog(title, (close) => [
    element("p", {}, ...text),
    element(
      "div",
      { class: "buttons" },
      element("button", { type: "button", autofocus: true, click: () => close("") }, say("Cancel")),
      element("button", { type: "button", class: "danger", click: () => close("yes") }, name),
    ),
  ]);
}
