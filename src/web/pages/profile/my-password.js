// Shows the section for the member's password.
import { element, find } from "../../shared/page.js";
import { createPasswordForm } from "../site/password.js";
import { say } from "../../shared/language.js";

/** @import { Member } from "../types.js" */

/** @param {Member} member */
export async function showPassword(member) {
  const state = find("password-state");
  state.hidden = member.hasPassword;
  state.textContent = say("You have no password yet. This device is signed in without a password.");
  find("password").replaceChildren(
    element(
      "p",
      {},
      say(
        "A new password signs out all your other devices. Programs' keys and tokens keep working.",
      ),
    ),
    createPasswordForm(member, () => {
      showPassword(member);
      state.hidden = false;
      state.setAttribute("role", "status");
      state.textContent = say("Your password is set.");
    }),
  );
}
