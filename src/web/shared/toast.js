// Shows a message at the bottom of the screen, at any scroll position. A message disappears after a
// while, unless it has the focus or the pointer. A newer message replaces an older message.
import { element } from "./page.js";

/** The time after which a message disappears, in ms. */
export const TOAST_MS = 8000;
/** The time after which the message about a deletion disappears, in ms. */
export const DELETED_MS = 30000;
const LOOK_MS = 250;

/**
 * @param {HTMLElement} place parent of the messages
 * @param {HTMLElement} node
 * @param {number} ms minimum display time
 */
export function showToast(place, node, ms) {
  const toasts =
    place.querySelector(":scope > .toasts") ??
    place.appendChild(element("div", { class: "toasts", role: "status" }));
  toasts.replaceChildren(node);
  const end = Date.now() + ms;
  const look = setInterval(() => {
    if (node.isConnected && (Date.now() < end || node.matches(":hover, :focus-within"))) return;
    clearInterval(look);
    node.remove();
  }, LOOK_MS);
}
