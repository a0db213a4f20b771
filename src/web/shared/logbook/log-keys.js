// Handles the keys of Logbook. The keys work while Logbook is shown, except in fields and modal
// dialogs. The keys of a row are in parts/row.js, and the keys of its details in parts/sheet.js.
import { openDialog } from "../dialog.js";
import { element } from "../page.js";
import { say } from "../language.js";

/**
 * All keys in four groups. `isHere`: the keys of the group work in Logbook.
 * @type {[name: string, keys: [key: string, text: string][], isHere: boolean][]}
 */
const GROUPS = [
  [
    "Logbook",
    [
      ["N", "Log a QSO"],
      ["/", "Search"],
      ["Ctrl Z", "Undo"],
      ["?", "Show these keys"],
    ],
    true,
  ],
  [
    "In a list",
    [
      ["↑ ↓", "Previous or next QSO"],
      ["Enter", "Show the details"],
      ["Space", "Select"],
      ["E", "Edit"],
    ],
    true,
  ],
  [
    "Log",
    [
      ["Enter", "Next field, then log"],
      ["← →", "Frequency by 5 kHz"],
      ["Page ↑ ↓", "Frequency by 50 kHz"],
    ],
    false,
  ],
  [
    "Details and map",
    [
      ["Esc", "Close"],
      ["Ctrl Enter", "Save"],
      ["+ −", "Nearer or farther"],
      ["0", "Show the whole map"],
    ],
    true,
  ],
];

/** @param {typeof GROUPS[number]} group */
function groupOf([name, keys, isHere]) {
  return element(
    "section",
    {},
    element("h3", {}, say(name)),
    element(
      "dl",
      { class: "facts" },
      ...keys.flatMap(([key, text]) => [
        element("dt", { class: isHere ? "here" : null }, say(text)),
        element("dd", {}, element("kbd", {}, key)),
      ]),
    ),
  );
}
/** Lists the keys in a dialog. Keys that work in Logbook are in the colour of text. */
async function showKeys() {
  const content = element("div", { class: "keys" }, ...GROUPS.map(groupOf));
  await openDialog(
    say("Keyboard"),
    (close) => [
      content,
      element(
        "p",
        { class: "buttons" },
        element("button", { type: "button", click: () => close("") }, say("Close")),
      ),
    ],
    "wide",
  );
}
/** Adds the list of keys to the account menu, on devices with a pointer. */
function offerKeys() {
  if (!matchMedia("(hover: hover)").matches) return;
  document
    .querySelector("#account > div > form")
    ?.before(
      element(
        "button",
        { type: "button", id: "show-keys", click: showKeys },
        say("Keyboard"),
        element("small", {}, "?"),
      ),
    );
}

/**
 * Calls a function when its key is pressed. The key "?" lists all keys.
 * @param {HTMLElement} section contains Logbook
 * @param {Record<string, () => unknown>} work
 */
export function watchKeys(section, work) {
  if (!document.getElementById("show-keys")) offerKeys();
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
