// Shows messages at the bottom of the screen, at any scroll position. Each message disappears after
// a while, unless it has the focus or the pointer.
import { element } from "./page.js";

/** The time for which the member can undo an action. */
export const UNDO_MS = 10000;
const LOOK_MS = 250;

/**
 * @param {HTMLElement} place parent of the messages
 * @param {HTMLElement} node
 * @param {number} ms minimum display time
 * @param {() => void} ended called when the message disappears automatically
 */
export function showToast(place, node, ms, ended = () => {}) {
  const toasts =
    place.querySelector(":scope > .toasts") ??
    place.appendChild(element("div", { class: "toasts", role: "status" }));
  toasts.append(node);
  const end = Date.now() + ms;
  const look = setInterval(() => {
    if (node.isConnected && (Date.now() < end || node.matches(":hover, :focus-within"))) return;
    clearInterval(look);
    if (!node.isConnected) return;
    node.remove();
    ended();
  }, LOOK_MS);
}
