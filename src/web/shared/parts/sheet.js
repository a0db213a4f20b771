// Shows details in a sheet. On a wide screen, the sheet is at the right of a list, which stays
// usable. On a phone, the sheet is at the bottom, above everything else. A page has at most one
// sheet.
import { drawing, element } from "../page.js";
import { say } from "../language.js";

/** @import { Child } from "../types.js" */
/**
 * @typedef {object} Sheet
 * @property {Child[]} title
 * @property {Child[]} body
 * @property {Child[]} [foot] buttons
 * @property {(by: number) => void} [step] shows the next (1) or previous (-1) details
 * @property {Record<string, () => void>} [keys] further keys, such as "e"
 * @property {() => Promise<boolean>} [mayClose] asks the reader whether the sheet may be closed
 * @property {(hadFocus: boolean) => void} [closed] called when these details are no longer shown;
 *   if the sheet had the focus, moves the focus to the row
 */

const DESK = matchMedia("(min-width: 62rem)");
const SWIPE = 60; // pixels downward that close the sheet

/** @type {{node: HTMLDialogElement, sheet: Sheet} | null} */
let shown = null;

/** Returns whether a sheet is open. */
export const isSheetOpen = () => shown !== null;

/** @param {HTMLElement} head */
function closeOnSwipe(head) {
  let start = 0;
  head.addEventListener("touchstart", ({ touches }) => (start = touches[0].clientY), {
    passive: true,
  });
  head.addEventListener("touchend", ({ changedTouches }) => {
    if (changedTouches[0].clientY - start > SWIPE) leaveSheet();
  });
}
/** @param {KeyboardEvent} event */
function press(event) {
  const { key, target } = event;
  const isTyping =
    target instanceof Element && target.matches("input, textarea, select, [contenteditable]");
  if (!shown || isTyping || event.altKey || event.ctrlKey || event.metaKey) return;
  const by = { ArrowDown: 1, ArrowUp: -1 }[key];
  const more = shown.sheet.keys?.[key.toLowerCase()];
  if (by && shown.sheet.step) shown.sheet.step(by);
  else if (more) more();
  else return;
  event.preventDefault();
}
function create() {
  const node = element("dialog", {
    class: "sheet",
    "aria-labelledby": "sheet-title",
  });
  node.addEventListener("keydown", press);
  node.addEventListener("cancel", (event) => {
    if (event.target !== node) return;
    event.preventDefault();
    leaveSheet();
  });
  // If Esc is pressed repeatedly, browsers close a dialog without a cancelable event.
  node.addEventListener("close", () => {
    if (shown?.node === node) closeSheet();
  });
  node.addEventListener("click", ({ target }) => {
    if (target === node) leaveSheet(); // outside the content of a modal sheet
  });
  return node;
}
// On a wide screen, the sheet is not modal, so the browser does not close it with Esc.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !shown || document.querySelector("dialog:modal")) return;
  event.preventDefault(); // otherwise, the browser closes a question that this key opens
  leaveSheet();
});

/**
 * Opens the sheet, or changes its content. The focus moves into a new sheet. After that, the focus
 * stays in the list or in the sheet.
 * @param {Sheet} sheet
 */
export function openSheet(sheet) {
  const isNew = !shown;
  const node = shown?.node ?? create();
  const hadFocus = node.contains(document.activeElement);
  shown?.sheet.closed?.(false);
  const title = element("h2", { id: "sheet-title", tabindex: "-1" }, ...sheet.title);
  const close = element(
    "button",
    {
      type: "button",
      class: "glyph",
      "aria-label": say("Close"),
      click: leaveSheet,
    },
    drawing(
      "svg",
      { viewBox: "0 0 18 18", "aria-hidden": "true" },
      drawing("path", { d: "M4 4l10 10M14 4L4 14" }),
    ),
  );
  const head = element("div", { class: "sheet-head" }, title, close);
  closeOnSwipe(head);
  const body = element("div", { class: "sheet-body" }, ...sheet.body);
  // Without controls, the body itself takes the focus, so that the arrow keys can scroll it.
  if (!body.querySelector("button, a, input")) body.tabIndex = 0;
  node.replaceChildren(
    head,
    body,
    ...(sheet.foot?.length ? [element("div", { class: "sheet-foot" }, ...sheet.foot)] : []),
  );
  shown = { node, sheet };
  if (isNew) {
    document.body.append(node);
    if (DESK.matches) node.show();
    else node.showModal();
  }
  if (isNew || hadFocus) title.focus();
}

/** Closes the sheet. If its content asks the reader first, the reader can keep the sheet open. */
async function leaveSheet() {
  if (shown?.sheet.mayClose && !(await shown.sheet.mayClose())) return;
  closeSheet();
}
/** Closes the sheet, if one is open. */
export function closeSheet() {
  if (!shown) return;
  const { node, sheet } = shown;
  const hadFocus = node.contains(document.activeElement);
  shown = null;
  node.close();
  node.remove();
  sheet.closed?.(hadFocus);
}
