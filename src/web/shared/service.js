// Sends the profile's requests to the service, and explains refusals in words.
import { say } from "./language.js";
import { formatQuery, parseQuery } from "./query.js";

/** @import { Answers, Changes } from "./types.js" */
/** @typedef {{field: string, message: string}} Detail the fault in a rejected field */

const NOT_GRANTED = "PROFILE.LOG_NOT_GRANTED";
const TOO_MANY_AT_ONCE = "GENERIC.TOO_MANY_AT_ONCE"; // the request had no effect
const ATTEMPTS = 3;

// The requests' folder next to the page. The app uses the profile's requests.
const DATA = document.body.classList.contains("app") ? "../profile/data/" : "data/";

/** QSOs and cards per request. */
export const QSOS_SHOWN = 50;
export const CARDS_SHOWN = 12;

export class Refusal extends Error {
  /**
   * @param {number} status 0: no answer
   * @param {string} code
   * @param {Detail[]} details
   * @param {number | null} waitSeconds
   */
  constructor(status, code, details, waitSeconds) {
    super(code);
    this.status = status;
    this.code = code;
    this.details = details;
    this.waitSeconds = waitSeconds;
  }
  toString() {
    return explain(this);
  }
}

/** The station whose log this page shows, from the address; null: the member's own log. */
export const station = parseQuery(location.search).get("log") ?? null;
/**
 * Returns a path whose query contains the station whose log this page shows. For the member's own
 * log, returns the path unchanged.
 * @param {string} path can contain a query
 */
export function inLog(path) {
  if (station === null) return path;
  return `${path}${path.includes("?") ? "&" : "?"}${formatQuery({ log: station })}`;
}

/** @param {Response} response */
const readJson = (response) => response.json();
/** @param {Response} response */
async function refusalOf(response) {
  const { error = {} } = await response.json().catch(() => ({}));
  return new Refusal(
    response.status,
    error.code || "",
    error.details || [],
    Number(response.headers.get("Retry-After")) || null,
  );
}
/**
 * Sends a request, and repeats the request at most twice if the service is busy. Returns the answer
 * or the refusal.
 * @param {string} path
 * @param {RequestInit} options
 * @returns {Promise<Response | Refusal>}
 */
async function ask(path, options) {
  for (let attempt = 1; ; attempt++) {
    let response;
    try {
      response = await fetch(DATA + inLog(path), { cache: "no-store", ...options });
    } catch {
      return new Refusal(0, "", [], null);
    }
    if (response.ok) return response;
    const refusal = await refusalOf(response);
    if (refusal.code !== TOO_MANY_AT_ONCE || attempt === ATTEMPTS) return refusal;
    await new Promise((goOn) => setTimeout(goOn, 1000 * (refusal.waitSeconds || 1)));
  }
}
/**
 * Returns the answer, by default parsed from JSON; null if the answer is empty. Throws a Refusal if
 * the request fails.
 * @param {string} path
 * @param {RequestInit} options
 * @param {(response: Response) => Promise<any>} read
 * @returns {Promise<any>}
 */
export async function request(path, options, read = readJson) {
  const answer = await ask(path, options);
  if (!(answer instanceof Refusal)) return answer.status === 204 ? null : read(answer);
  if (answer.status === 401) document.dispatchEvent(new Event("signed-out"));
  if (answer.code === NOT_GRANTED) document.dispatchEvent(new Event("not-granted"));
  throw answer;
}
/**
 * Returns the answer to a GET request. The browser can keep the answer, but asks the service each
 * time whether the answer is still valid.
 * @template {keyof Answers} Path
 * @param {Path} path
 * @returns {Promise<Answers[Path]>}
 */
export function get(path) {
  return request(path, { cache: "no-cache" });
}
/**
 * @param {object} body
 * @returns {RequestInit}
 */
export function post(body) {
  return {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
}
/**
 * Sends a change, and then dispatches the event "changed" on the document. Parts of the page that
 * depend on the data listen for this event.
 * @template {keyof Changes} Path
 * @param {Path} path
 * @param {object} body
 * @returns {Promise<Changes[Path]>}
 */
export async function change(path, body = {}) {
  const answer = await request(path, post(body));
  document.dispatchEvent(new Event("changed"));
  return answer;
}
/**
 * @param {string} path
 * @returns {Promise<null>}
 */
export function remove(path) {
  return request(path, { method: "DELETE" });
}

/** @type {Record<string, string>} */
const SENTENCES = {
  [NOT_GRANTED]: "You can't use this station's log now.",
  "PROFILE.MADE_BY_OTHER": "Only the operator who created this key or token can revoke it.",
  "PROFILE.NAME_TAKEN": "This name is taken. Choose another name.",
  "PROFILE.TOO_MANY": "You already have ten, the maximum. Revoke one first.",
  "SIGN_IN.PASSKEY_COPIED": "This passkey was copied. Please remove the passkey from your account.",
  "PROFILE.STORAGE_FULL":
    "Your log has no room for this. Ask your club's operator, or remove your picture.",
  "PROFILE.NO_DOUBLES": "These are two contacts, so they can't be merged.",
  "PROFILE.NO_PICTURES": "The club shows no pictures on cards.",
  "PROFILE.CROSS_SITE": "This browser is too old for this page. Please use a newer browser.",
};
// The pages' names for fields; messages from the service follow the name.
/** @type {Record<string, string>} */
const FIELDS = {
  name: "Name",
  callsign: "Callsign",
  locator: "Locator",
  member: "Member",
  until: "Until",
  password: "Password",
  current: "Password",
  passkey: "Passkey",
  text: "One line about the club",
  link: "Website",
  contact: "Contact",
  legal: "Legal notice (imprint): text or a link",
  address: "This service's address, for links and QR codes",
};
const MESSAGES = [
  "is required",
  "is not valid",
  "must be UTF-8",
  "must be one line of text",
  "must not contain control characters",
  "must be at most {n} characters long",
  "must be 1 to {n} characters long",
  "must be a locator of 4 or 6 characters",
  "must be an address that starts with https: or http:",
  "must be an address on this site",
  "must be the member's callsign",
  "must be your own callsign",
  "must be a member's callsign",
  "must not be in the past",
];
/** @param {Detail} detail */
function explainDetail({ field, message }) {
  const [n = ""] = /\d+(?= characters long$)/.exec(message) ?? [];
  const known = MESSAGES.find((text) => text.replace("{n}", n) === message.replaceAll("//", ""));
  const name = Object.hasOwn(FIELDS, field) ? say(FIELDS[field]) : field;
  return known ? `${name}: ${say(known, { n })}` : `${name} ${message}`;
}
/**
 * Explains a refusal in the reader's language. Messages that only programs can cause are not
 * translated. If the error is not a refusal, throws the error again.
 * @param {unknown} refusal
 */
export function explain(refusal) {
  if (!(refusal instanceof Refusal)) throw refusal;
  if (refusal.status === 0) return say("The service can't be reached. Please try again.");
  if (refusal.status === 401) return say("You are no longer signed in.");
  if (refusal.status === 429 || refusal.code === TOO_MANY_AT_ONCE)
    return say(
      "Too many requests. Please try again in {n} second.|Too many requests. Please try again in {n} seconds.",
      { n: refusal.waitSeconds || 60 },
    );
  if (SENTENCES[refusal.code]) return say(SENTENCES[refusal.code]);
  if (refusal.details.length) return refusal.details.map(explainDetail).join("; ");
  return say("The service couldn't do this ({code}). Please try again later.", {
    code: refusal.code || refusal.status,
  });
}
