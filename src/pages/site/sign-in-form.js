// The sign-in form works without this file, which adds the fragment of the wanted page. Browsers
// keep the part after the #, but do not send it.
import { element, find, hasPasskeys, input } from "./page.js";
import { say } from "./language.js";

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
