// A question before something that cannot be undone.
import { element } from "./page.js";
import { say } from "./language.js";

/**
 * Whether the reader pressed the button of that name; closing it in any other way means no.
 * @param {string} title
 * @param {import("./page.js").Child[]} text
 * @param {string} name
 * @returns {Promise<boolean>}
 */
export function confirmed(title, text, name) {
  return new Promise((resolve) => {
    const dialog = element(
      "dialog",
      { "aria-labelledby": "question" },
      element("h2", { id: "question" }, title),
      element("p", {}, ...text),
    );
    dialog.append(
      element(
        "div",
        { class: "buttons" },
        element(
          "button",
          { type: "button", autofocus: true, click: () => dialog.close("") },
          say("Cancel"),
        ),
        element(
          "button",
          { type: "button", class: "danger", click: () => dialog.close("yes") },
          name,
        ),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
