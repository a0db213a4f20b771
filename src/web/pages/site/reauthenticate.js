// If the last proof of identity is too old, asks for a passkey or the password, and then continues.
import { element, hasPasskeys } from "../../shared/page.js";
import { Refusal, explain, post, request } from "../../shared/service.js";
import { openDialog } from "../../shared/dialog.js";
import { say } from "../../shared/language.js";

/** @import { PasskeyChallenge } from "../types.js" */

const DATA = "../../profile/data/"; // relative to data/ of any page that uses this module

/** @returns {Promise<PasskeyChallenge>} */
const findChallenge = () => request(`${DATA}passkeys/challenge`, {});

/**
 * @param {(close: string) => void} close
 * @param {(sentence: string) => void} tell
 */
function passkeyButton(close, tell) {
  const click = async () => {
    const { explainPasskey, usePasskey } = await import("./passkey.js");
    try {
      const options = await findChallenge();
      const signed = await usePasskey(options, options.known);
      await request(`${DATA}passkeys/prove`, post(signed));
      close("yes");
    } catch (error) {
      tell(error instanceof Refusal ? explain(error) : explainPasskey(error));
    }
  };
  return element("button", { type: "button", class: "main", click }, say("Use a passkey"));
}

/**
 * Resolves to whether the identity was proved. The dialog stays open until the proof succeeds or
 * the reader closes the dialog.
 * @param {boolean} byPasskey
 */
function prove(byPasskey) {
  const field = element("input", {
    type: "password",
    autofocus: !byPasskey,
    autocomplete: "current-password",
    required: true,
    maxlength: "200",
  });
  const trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  /** @param {string} sentence */
  function tell(sentence) {
    trouble.textContent = sentence;
    trouble.hidden = false;
  }
  return openDialog(byPasskey ? say("Confirm it's you") : say("Confirm your password"), (close) => [
    element(
      "p",
      {},
      byPasskey
        ? say("Use a passkey or your password to continue.")
        : say(
            "You last entered your password more than 15 minutes ago. Enter it again to continue.",
          ),
    ),
    trouble,
    byPasskey ? element("p", {}, passkeyButton(close, tell)) : null,
    element(
      "form",
      {
        /** @param {SubmitEvent} event */
        submit: async (event) => {
          event.preventDefault();
          try {
            await request(`${DATA}prove`, post({ password: field.value }));
            close("yes");
          } catch (refusal) {
            const isWrong = refusal instanceof Refusal && refusal.details.length > 0;
            tell(isWrong ? say("The password is wrong.") : explain(refusal));
            field.value = "";
            field.focus();
          }
        },
      },
      element("label", {}, element("span", {}, say("Password")), " ", field),
      element(
        "div",
        { class: "buttons" },
        element("button", { type: "button", click: () => close("") }, say("Cancel")),
        element("button", { class: byPasskey ? null : "main" }, say("Continue")),
      ),
    ),
  ]);
}
async function ask() {
  const { known } = hasPasskeys ? await findChallenge() : { known: [] };
  return prove(known.length > 0);
}
/** @type {Promise<boolean> | null} the result of the open dialog, which all callers share */
let proving = null;

/**
 * @template Result
 * @param {() => Promise<Result>} step
 * @returns {Promise<Result>}
 */
export async function withProof(step) {
  try {
    return await step();
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.code !== "OPERATOR.PROOF_TOO_OLD") throw refusal;
    proving ??= ask();
    const isProved = await proving.finally(() => {
      proving = null;
    });
    if (!isProved) throw refusal;
    return step();
  }
}
