// Creates and uses passkeys through the browser. This module is loaded only when somebody uses a
// passkey.
import { say } from "../../shared/language.js";
import { signInTrouble } from "./sign-in.js";

/** @import { PasskeyChallenge as Challenge } from "../types.js" */

/** @param {ArrayBuffer} bytes */
function encode(bytes) {
  const base64 = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
/** @param {string} text */
function decode(text) {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
}
/**
 * @param {string[]} ids
 * @returns {PublicKeyCredentialDescriptor[]}
 */
function describe(ids) {
  return ids.map((id) => ({ type: "public-key", id: decode(id) }));
}
/**
 * Explains a browser's refusal to create or use a passkey. Throws any other error.
 * @param {unknown} error
 */
export function explainPasskey(error) {
  if (!(error instanceof DOMException)) throw error;
  return error.name === "InvalidStateError"
    ? say("This device already has a passkey for your account.")
    : say("No passkey was used. You can try again.");
}

/**
 * Creates a passkey for the member. Returns the browser's answer in the service's format.
 * @param {Challenge} options
 */
export async function makePasskey({ challenge, rpId, user, callsign, known }) {
  const made = await navigator.credentials.create({
    publicKey: {
      challenge: decode(challenge),
      rp: { id: rpId, name: rpId },
      user: { id: decode(user), name: callsign, displayName: callsign },
      pubKeyCredParams: [{ type: "public-key", alg: -7 }],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      excludeCredentials: describe(known),
      attestation: "none",
    },
  });
  const { response } = /** @type {PublicKeyCredential} */ (made);
  const attested = /** @type {AuthenticatorAttestationResponse} */ (response);
  return {
    clientData: encode(attested.clientDataJSON),
    authenticatorData: encode(attested.getAuthenticatorData()),
  };
}
/**
 * Signs a challenge with a passkey. Returns the signature in the service's format.
 * @param {Pick<Challenge, "challenge" | "rpId">} options
 * @param {string[]} known allowed passkeys; empty: any passkey on the device
 */
export async function usePasskey({ challenge, rpId }, known) {
  const used = await navigator.credentials.get({
    publicKey: {
      challenge: decode(challenge),
      rpId,
      allowCredentials: describe(known),
      userVerification: "required",
    },
  });
  const { rawId, response } = /** @type {PublicKeyCredential} */ (used);
  const signed = /** @type {AuthenticatorAssertionResponse} */ (response);
  return {
    credential: encode(rawId),
    clientData: encode(signed.clientDataJSON),
    authenticatorData: encode(signed.authenticatorData),
    signature: encode(signed.signature),
  };
}

/**
 * Signs in with a passkey, and opens the next page. Returns a message if the sign-in fails,
 * otherwise an empty text.
 * @param {string} next
 */
export async function signIn(next) {
  const path = "sign-in/passkey";
  try {
    const asked = await fetch(path, { cache: "no-store" });
    if (!asked.ok) return await signInTrouble(asked);
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(await usePasskey(await asked.json(), [])),
    });
    if (!response.ok) return await signInTrouble(response);
    location.assign(next);
    return "";
  } catch (error) {
    return error instanceof DOMException
      ? explainPasskey(error)
      : say("The service can't be reached. Please try again.");
  }
}
