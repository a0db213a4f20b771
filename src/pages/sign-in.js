// What the service answers to who cannot be signed in, in words.
import { say } from "./language.js";

// By the service's code; the pages that work without JavaScript say the same (sign_in_page.c).
/** @type {Record<string, string>} */
const TROUBLES = {
  "SIGN_IN.WRONG": "Callsign or password is wrong.",
  "SIGN_IN.NOT_ENCRYPTED": "Signing in needs an address that begins with https.",
  "SIGN_IN.LINK_UNKNOWN": "This link is not one of this service, or was not copied whole.",
  "SIGN_IN.LINK_USED": "This link was used already. Each works once.",
  "SIGN_IN.LINK_EXPIRED": "This link is too old.",
  "SIGN_IN.LINK_REPLACED": "A newer link has taken the place of this one.",
  "PROFILE.CROSS_SITE":
    "The browser does not say that this page asked. Please use a newer browser.",
};

/** @param {Response} response */
export async function signInTrouble(response) {
  const { error = {} } = await response.json().catch(() => ({}));
  if (response.status === 429)
    return say("Too many attempts. Seconds to wait: {n}.", {
      n: Number(response.headers.get("Retry-After")) || 60,
    });
  return TROUBLES[error.code]
    ? say(TROUBLES[error.code])
    : say("The service could not do this ({code}). Please try again later.", {
        code: error.code || response.status,
      });
}
