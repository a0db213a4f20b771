// Dialogs: a question before something that cannot be undone, and whatever else a page asks apart
// from its sections.
import { element } from "./page.js";
import { say } from "./language.js";

/**
 * Shows a dialog until close(value) is called, or the reader leaves it; whether it was closed with
 * "yes".
 * @param {string | import("./page.js").Child[]} title
 * @param {(close: (value: string) => void) => import("./page.js").Child[]} build
 * @returns {Promise<boolean>}
 */
export function openDialog(title, build) {
  return new Promise((resolve) => {
    const name = `question-${document.querySelectorAll("dialog").length}`;
    const dialog = element(
      "dialog",
      { "aria-labelledby": name },
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
 * Whether the reader pressed the button of that name; closing it in any other way means no.
 * @param {string} title
 * @param {import("./page.js").Child[]} text
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
