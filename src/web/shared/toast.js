// Shows a message at the bottom of the screen, at any scroll position. A message disappears after a
// while, unless it has the focus or the pointer. A page shows one message at a time. A newer
// message covers an older message, which returns if its button can still be used.
import { element } from "./page.js";

/** The time after which a message disappears, in ms. */
export const TOAST_MS = 8000;
/** The time after which the message about a deletion disappears, in ms. */
export const DELETED_MS = 30000;
const LOOK_MS = 250;

const toasts = element("div", { class: "toasts", role: "status" });
/** @type {{node: HTMLElement, end: number}[]} covered messages with a button, oldest first */
let covered = [];
/** @type {{node: HTMLElement, end: number} | null} */
let shown = null;
/** @type {ReturnType<typeof setInterval> | undefined} */
let looking;

function look() {
  if (!shown) return;
  const { node, end } = shown;
  if (node.isConnected && (Date.now() < end || node.matches(":hover, :focus-within"))) return;
  node.remove();
  covered = covered.filter((one) => Date.now() < one.end);
  shown = covered.pop() ?? null;
  if (shown) toasts.replaceChildren(shown.node);
}
/**
 * @param {HTMLElement} node
 * @param {number} ms minimum display time
 */
export function showToast(node, ms) {
  if (!toasts.isConnected) document.querySelector("main")?.append(toasts);
  if (shown?.node.isConnected && shown.node.querySelector("button")) covered.push(shown);
  toasts.replaceChildren(node);
  shown = { node, end: Date.now() + ms };
  looking ??= setInterval(look, LOOK_MS);
}
