// Handles the keys of Logbook. The keys work while Logbook is shown, except in fields and modal
// dialogs. The keys of a row are in parts/row.js, and the keys of its details in parts/sheet.js.
import { openDialog } from "../dialog.js";
import { element } from "../page.js";
import { say } from "../language.js";

/** @type {[string, string][]} */
const KEYS = [
  ["/", "Search"],
  ["N", "Log a QSO"],
  ["↑ ↓", "Previous or next QSO"],
  ["Enter", "Show the details"],
  ["Space", "Select"],
  ["E", "Edit"],
  ["Esc", "Close"],
  ["Ctrl Z", "Undo"],
  ["?", "Show these keys"],
];

/** Lists the keys in a dialog. */
async function showKeys() {
  await openDialog(say("Keyboard"), (close) => [
    element(
      "dl",
      { class: "facts" },
      ...KEYS.flatMap(([key, text]) => [
        element("dt", {}, say(text)),
        element("dd", {}, element("kbd", {}, say(key))),
      ]),
    ),
    element(
      "p",
      { class: "buttons" },
      element("button", { type: "button", click: () => close("") }, say("Close")),
    ),
  ]);
}

/**
 * Calls a function when its key is pressed. The key "?" lists all keys.
 * @param {HTMLElement} section contains Logbook
 * @param {Record<string, () => unknown>} work
 */
export function watchKeys(section, work) {
  /** @type {Record<string, () => unknown>} */
  const all = { ...work, "?": showKeys };
  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    const act = Object.hasOwn(all, key.toLowerCase()) ? all[key.toLowerCase()] : null;
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!(target instanceof Element) || target.matches("input, select, textarea")) return;
    if (section.hidden || document.querySelector("dialog:modal")) return;
    event.preventDefault();
    act();
  });
}
