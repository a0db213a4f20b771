// Makes the browser ask before the reader leaves a page, if the reader would lose unsaved data.

/** @type {Set<unknown>} */
const reasons = new Set();

/** @param {BeforeUnloadEvent} event */
function ask(event) {
  event.preventDefault();
  event.returnValue = true; // some browsers ask only if this value is set
}
/** @param {unknown} reason any value that identifies the reason */
export function askBeforeLeaving(reason) {
  reasons.add(reason);
  window.addEventListener("beforeunload", ask);
}
/** @param {unknown} reason the reason that no longer applies */
export function letLeave(reason) {
  reasons.delete(reason);
  if (!reasons.size) window.removeEventListener("beforeunload", ask);
}
