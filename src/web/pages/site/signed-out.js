// Asks the member to sign in again in a dialog after the session has ended, so that the page's
// content and typed text stay.
import { openDialog } from "../../shared/dialog.js";
import { element } from "../../shared/page.js";
import { formatQuery } from "../../shared/query.js";
import { say } from "../../shared/language.js";
import { signInTrouble } from "./sign-in.js";

let isOpen = false;

/**
 * @param {string} callsign
 * @param {string} back
 * @param {(value: string) => void} close
 */
function formOf(callsign, back, close) {
  const trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  const password = element("input", {
    type: "password",
    required: true,
    maxlength: "800",
    autocomplete: "current-password",
    autofocus: true,
  });
  /** @param {string} sentence */
  function tell(sentence) {
    trouble.textContent = sentence;
    trouble.hidden = false;
    password.focus();
  }
  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    try {
      const response = await fetch("../sign-in", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ callsign, password: password.value }),
      });
      if (response.ok) close("yes");
      else tell(await signInTrouble(response));
    } catch {
      tell(say("The service can't be reached. Please try again."));
    }
  }
  const name = element("input", { value: callsign, readonly: true, autocomplete: "username" });
  const href = `../sign-in?${formatQuery({ next: back })}`;
  return element(
    "form",
    { class: "stack", submit },
    trouble,
    element("label", {}, element("span", {}, say("Callsign")), name),
    element("label", {}, element("span", {}, say("Password")), password),
    element("p", {}, element("a", { href }, say("Another way to sign in"))),
    element(
      "div",
      { class: "buttons" },
      element("button", { type: "button", click: () => close("") }, say("Not now")),
      element("button", { class: "main" }, say("Sign in")),
    ),
  );
}

/**
 * Opens the dialog. Resolves to whether the member has signed in again. The dialog also links to
 * the sign-in page, which returns to the page `back` after signing in.
 * @param {string} callsign
 * @param {string} back
 * @returns {Promise<boolean>}
 */
export async function signInAgain(callsign, back) {
  if (isOpen) return false;
  isOpen = true;
  const text = say("Sign in to continue. Your text is still here.");
  const hasSignedIn = await openDialog(say("You are no longer signed in."), (close) => [
    element("p", {}, text),
    formOf(callsign, back, close),
  ]);
  isOpen = false;
  return hasSignedIn;
}
