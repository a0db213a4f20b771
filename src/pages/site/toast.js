// Messages over the end of the screen, in sight wherever the page is scrolled. Each goes after a
// while, but not while somebody has the focus or the pointer on it.
import { element } from "./page.js";

const LOOK_MS = 250;

/**
 * @param {HTMLElement} place which the message belongs to
 * @param {HTMLElement} node
 * @param {number} ms for which it is shown at least
 * @param {() => void} ended it has gone by itself
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
