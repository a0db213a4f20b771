// Explains failed sign-ins.
import { say } from "../../shared/language.js";

// Messages by error code; src/site/sign_in/outcome.c has the texts for pages without JavaScript.
/** @type {Record<string, string>} */
const TROUBLES = {
  "SIGN_IN.WRONG": "Callsign or password is wrong.",
  "SIGN_IN.PASSKEY_WRONG":
    "This passkey doesn't work here. Please try again, or use your password.",
  "SIGN_IN.PASSKEY_COPIED": "This passkey was copied. Please remove the passkey from your account.",
  "SIGN_IN.NOT_ENCRYPTED": "You can sign in only at an address that starts with https.",
  "SIGN_IN.LINK_UNKNOWN": "This link is not from this service, or part of it is missing.",
  "SIGN_IN.LINK_USED": "This link was already used. Each link works once.",
  "SIGN_IN.LINK_EXPIRED": "This link has expired.",
  "SIGN_IN.LINK_REPLACED": "A newer link has replaced this one.",
  "PROFILE.CROSS_SITE": "This browser is too old for this page. Please use a newer browser.",
};

/** @param {Response} response */
export async function signInTrouble(response) {
  const { error = {} } = await response.json().catch(() => ({}));
  if (response.status === 429)
    return say("Too many attempts. Please wait {n} seconds.", {
      n: Number(response.headers.get("Retry-After")) || 60,
    });
  return TROUBLES[error.code]
    ? say(TROUBLES[error.code])
    : say("The service couldn't do this ({code}). Please try again later.", {
        code: error.code || response.status,
      });
}
