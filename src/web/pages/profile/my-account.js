// The section Account: the member's locator and password. Other modules show the member's devices,
// passkeys, the code for another device, and the deletion of the log.
import { element, find, input, typed } from "../../shared/page.js";
import { change, explain, get } from "../../shared/service.js";
import { confirmed } from "../../shared/dialog.js";
import { createPasswordForm } from "../site/password.js";
import { say } from "../../shared/language.js";
import { knowCallsign, refreshDevices, showDevices, signOut } from "./my-devices.js";
import { addPasskey, refreshPasskeys } from "./my-passkeys.js";
import { offerCode } from "./my-device-code.js";
import { offerDeletion } from "./my-deletion.js";

/** @import { Member } from "../types.js" */

/** @param {Member} member */
function offerLocator(member) {
  const field = input("locator");
  const done = find("locator-done");
  field.value = member.locator;
  find("own-locator").onsubmit = async (event) => {
    event.preventDefault();
    try {
      await change("locator", { locator: field.value });
      const { locator, club } = await get("me");
      member.locator = field.value = locator;
      find("member")
        .querySelector("small")
        ?.replaceChildren(typed(`${locator} · ${club}`));
      done.className = "good";
      done.textContent = say("Saved.");
    } catch (refusal) {
      done.className = "bad";
      done.textContent = explain(refusal);
    }
  };
}

/** @param {Member} member */
function offerPassword(member) {
  const state = find("password-state");
  state.hidden = member.hasPassword;
  state.textContent = say("You have no password yet. This device is signed in without one.");
  find("password").replaceChildren(
    element(
      "p",
      {},
      say(
        "A new password signs out all your other devices. Programs' keys and tokens keep working.",
      ),
    ),
    createPasswordForm(member, null, () => {
      offerPassword(member);
      state.hidden = false;
      state.setAttribute("role", "status");
      state.textContent = say("Your password is set.");
      refreshDevices();
    }),
  );
}

/** @param {Member} member */
export async function showAccount(member) {
  knowCallsign(member.callsign);
  offerLocator(member);
  offerPassword(member);
  find("sign-out-others").onclick = async () => {
    const text = say(
      "All other browsers have to sign in again, and their apps stop syncing. Unsent QSOs stay on their device. Programs' keys and tokens keep working.",
    );
    if (await confirmed(say("Sign out all others?"), [text], say("Sign out all others")))
      await signOut("devices");
  };
  find("add-passkey").onsubmit = addPasskey;
  offerCode();
  await Promise.all([showDevices(), refreshPasskeys(), offerDeletion(member)]);
}
