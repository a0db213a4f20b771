// Adds the wanted page's fragment to the sign-in form, which works without this file. Browsers do
// not send the part after the #.
import { element, find, hasPasskeys, input } from "../../shared/page.js";
import { say } from "../../shared/language.js";

const next = input("next");
if (next.value && !next.value.includes("#")) next.value += location.hash;
if (hasPasskeys) {
  const trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  /** @param {Event} event */
  const click = async ({ target }) => {
    const { signIn } = await import("./passkey.js");
    trouble.textContent = await signIn(next.value);
    trouble.hidden = !trouble.textContent;
    /** @type {HTMLElement} */ (target).focus();
  };
  find("passkey").append(
    element("button", { type: "button", click }, say("Sign in with a passkey")),
    trouble,
  );
}
