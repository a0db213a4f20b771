// Sends the operator's requests to the service. If the last proof of identity is too old, the
// functions ask for a passkey or the password, and then continue.
import { element, find } from "../../shared/page.js";
import { Refusal, explain, post, remove as removeOnce, request } from "../../shared/service.js";
import { withProof } from "../site/reauthenticate.js";
import { say } from "../../shared/language.js";

/**
 * @import {
 *   OperatorActs as Acts, OperatorAnswers as Answers, OperatorMember as Member
 * } from "../types.js"
 */

/** @type {Record<string, string>} */
const SENTENCES = {
  "OPERATOR.NO_ROLE":
    "This page is for the club's operators. An operator can make you one: qsosync-admin member set CALLSIGN --operator on",
  "OPERATOR.PROOF_TOO_OLD": "Nothing was changed. Enter your password first.",
  "OPERATOR.LAST_OPERATOR": "The club needs an operator. Make someone else an operator first.",
  "OPERATOR.OWN_MEMBERSHIP":
    "You can't do this to yourself. Ask another operator, or use the command on the server.",
  "OPERATOR.CALLSIGN_TAKEN":
    "Another member already has this callsign, perhaps spelled differently.",
  "OPERATOR.STILL_ACTIVE": "Disable the member first.",
  "OPERATOR.STATION": "Nobody signs in as a station. Let a member operate it.",
  "OPERATOR.NO_STATION": "Only members operate stations.",
  "OPERATOR.DISABLED": "The member is disabled. Enable the member first.",
  "OPERATOR.NO_CARD": "The member has no QSL card.",
  "OPERATOR.NO_ADDRESS": "First save this service's address, with https:, under Switches.",
  "OPERATOR.PAIRED": "This club is already paired. To start over, remove the club first.",
};
/**
 * Explains a refusal in the reader's language, like explain() on the other pages.
 * @param {unknown} refusal
 */
export function explainAct(refusal) {
  if (refusal instanceof Refusal && SENTENCES[refusal.code]) return say(SENTENCES[refusal.code]);
  return explain(refusal);
}

/**
 * @template Result
 * @param {() => Promise<Result>} step
 * @returns {Promise<Result>}
 */
async function asOperator(step) {
  try {
    return await withProof(step);
  } catch (refusal) {
    if (refusal instanceof Refusal && refusal.status === 401)
      location.assign("../sign-in?next=operator/");
    throw refusal;
  }
}
/**
 * @template {keyof Answers} Path
 * @param {Path} path
 * @returns {Promise<Answers[Path]>}
 */
export function ask(path) {
  return asOperator(() => request(path, {}));
}
/**
 * @template {keyof Acts} Path
 * @param {Path} path
 * @param {object} body
 * @returns {Promise<Acts[Path]>}
 */
export function act(path, body = {}) {
  return asOperator(() => request(path, post(body)));
}
/** @param {`peers/${string}`} path */
export function remove(path) {
  return asOperator(() => removeOnce(path));
}
/**
 * Returns a function that runs a step, shows the section's list again, and then shows the outcome
 * at `place`.
 * @param {string} place
 * @param {() => Promise<void>} showList
 */
export function runnerOf(place, showList) {
  /**
   * @param {() => Promise<unknown>} step
   * @param {string} said
   */
  return async (step, said, explainTrouble = explainAct) => {
    const done = find(place);
    done.textContent = "";
    let [kind, outcome] = ["good", said];
    try {
      await step();
    } catch (refusal) {
      [kind, outcome] = ["bad", explainTrouble(refusal)];
    }
    // A reader of the outcome can act again at once, so nothing may still be running then.
    try {
      await showList();
    } finally {
      done.className = kind;
      done.textContent = outcome;
    }
  };
}
/**
 * Requests a file. Resolves to the file once the file has arrived completely.
 * @param {string} path
 * @returns {Promise<Blob>}
 */
export function actForFile(path) {
  return asOperator(() => request(path, post({}), (response) => response.blob()));
}
/**
 * Saves a file from memory, like a click on a download link.
 * @param {Blob} file
 * @param {string} name
 */
export function save(file, name) {
  const address = URL.createObjectURL(file);
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

/**
 * Returns the path at which the requests about a member begin.
 * @param {Member} member
 * @returns {`members/${string}`}
 */
export function baseOf(member) {
  return `members/${member.number}`;
}
