// Signs in again over the page whose session has ended: what stands in the page, and what somebody
// typed into it, stays.
import { element } from "./page.js";
import { say } from "./language.js";
import { signInTrouble } from "./sign-in.js";

let isOpen = false;

/**
 * Whether the member has signed in again. `back` is the page to come back to, for who signs in on a
 * page of its own.
 * @param {string} callsign
 * @param {string} back
 * @returns {Promise<boolean>}
 */
export function signInAgain(callsign, back) {
  if (isOpen) return Promise.resolve(false);
  isOpen = true;
  const trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  const password = element("input", {
    type: "password",
    required: true,
    maxlength: "800",
    autocomplete: "current-password",
    autofocus: true,
  });
  const dialog = element(
    "dialog",
    { "aria-labelledby": "again" },
    element("h2", { id: "again" }, say("You are not signed in any more.")),
    element("p", {}, say("Sign in, and go on where you were. What you have typed is still there.")),
  );
  const form = element(
    "form",
    { class: "stack" },
    trouble,
    element(
      "label",
      {},
      element("span", {}, say("Callsign")),
      element("input", { value: callsign, readonly: true, autocomplete: "username" }),
    ),
    element("label", {}, element("span", {}, say("Password")), password),
    element(
      "p",
      {},
      element(
        "a",
        { href: `../sign-in?next=${encodeURIComponent(back)}` },
        say("Another way to sign in"),
      ),
    ),
    element(
      "div",
      { class: "buttons" },
      element("button", { type: "button", click: () => dialog.close("") }, say("Not now")),
      element("button", { class: "main" }, say("Sign in")),
    ),
  );
  /** @param {string} sentence */
  function tell(sentence) {
    trouble.textContent = sentence;
    trouble.hidden = false;
    password.focus();
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const response = await fetch("../sign-in", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ callsign, password: password.value }),
      });
      if (response.ok) dialog.close("yes");
      else tell(await signInTrouble(response));
    } catch {
      tell(say("No connection to the service. Please try again."));
    }
  });
  dialog.append(form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      isOpen = false;
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
  });
}
