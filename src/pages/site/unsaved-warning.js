// Asks before the reader leaves the page while something would be lost by it: the browser's own
// question, as long as there is a reason.

/** @type {Set<unknown>} */
const reasons = new Set();

/** @param {BeforeUnloadEvent} event */
function ask(event) {
  event.preventDefault();
  event.returnValue = true; // for browsers that go by this alone
}
/** @param {unknown} reason whatever tells it from others */
export function askBeforeLeaving(reason) {
  reasons.add(reason);
  window.addEventListener("beforeunload", ask);
}
/** @param {unknown} reason which has gone */
export function letLeave(reason) {
  reasons.delete(reason);
  if (!reasons.size) window.removeEventListener("beforeunload", ask);
}
