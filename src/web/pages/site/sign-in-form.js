// Adds the fragment of the next page's address to the sign-in form. Browsers do not send the
// fragment, the part after the #, to the service. Makes the passkey button work. The form also
// works without this file.
import { find, hasPasskeys, input } from "../../shared/page.js";

const next = input("next");
if (next.value && !next.value.includes("#")) next.value += location.hash;
const place = document.getElementById("passkey");
if (place && !hasPasskeys) {
  place.remove();
  document.querySelector("main form button")?.classList.add("main");
}
place?.querySelector("button")?.addEventListener("click", async ({ target }) => {
  const { signIn } = await import("./passkey.js");
  const trouble = find("passkey-trouble");
  trouble.textContent = await signIn(next.value);
  trouble.hidden = !trouble.textContent;
  /** @type {HTMLElement} */ (target).focus();
});
