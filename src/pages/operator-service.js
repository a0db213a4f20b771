// The operator's questions to the service, and what operators do there. Where the password was
// given too long ago, it is asked for, and what was being done goes on.
import { element } from "./page.js";
import { Refusal, explain, request } from "./service.js";
import { openDialog } from "./dialog.js";
import { say } from "./language.js";

/** @typedef {import("./answers.js").OperatorAnswers} Answers */
/** @typedef {import("./answers.js").OperatorActs} Acts */

/** @type {Record<string, string>} */
const SENTENCES = {
  "OPERATOR.NO_ROLE":
    "This page is for operators of the club. One of them can give you the role: qsosync-admin member set CALLSIGN --operator on",
  "OPERATOR.PROOF_TOO_OLD": "Nothing was changed. This needs your password.",
  "OPERATOR.LAST_OPERATOR": "The club needs an operator. Make somebody else an operator first.",
  "OPERATOR.OWN_MEMBERSHIP":
    "You can't do this to yourself. Another operator or the command on the server can.",
  "OPERATOR.CALLSIGN_TAKEN":
    "Another member already has this callsign, perhaps spelled differently.",
  "OPERATOR.STILL_ACTIVE": "Disable the member first.",
  "OPERATOR.STATION": "Nobody signs in as a station. Let a member operate it.",
  "OPERATOR.NO_STATION": "Only members operate stations.",
  "OPERATOR.DISABLED": "The member is disabled. Enable the member first.",
};
/**
 * A refusal in the reader's language, as explain() has them for all pages.
 * @param {unknown} refusal
 */
export function explainAct(refusal) {
  if (refusal instanceof Refusal && SENTENCES[refusal.code]) return say(SENTENCES[refusal.code]);
  return explain(refusal);
}

/** Whether the password was given; the dialog stays until it is right, or left. */
function prove() {
  const field = element("input", {
    type: "password",
    autofocus: true,
    autocomplete: "current-password",
    required: true,
    maxlength: "200",
  });
  const trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  return openDialog(say("Confirm your password"), (close) => [
    element(
      "p",
      {},
      say("You last typed it more than 15 minutes ago. After that you can continue."),
    ),
    trouble,
    element(
      "form",
      {
        /** @param {SubmitEvent} event */
        submit: async (event) => {
          event.preventDefault();
          try {
            await request("../../profile/data/prove", post({ password: field.value }));
            close("yes");
          } catch (refusal) {
            const isWrong = refusal instanceof Refusal && refusal.details.length > 0;
            trouble.textContent = isWrong ? say("The password is wrong.") : explain(refusal);
            trouble.hidden = false;
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
        element("button", { class: "main" }, say("Continue")),
      ),
    ),
  ]);
}
/** @type {Promise<boolean> | null} one question for all that wait for it */
let proving = null;

/**
 * @param {object} body
 * @returns {RequestInit}
 */
function post(body) {
  return {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
}
/**
 * @template Result
 * @param {() => Promise<Result>} step
 * @returns {Promise<Result>}
 */
async function withProof(step) {
  try {
    return await step();
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    if (refusal.status === 401) location.assign("../sign-in?next=operator/");
    if (refusal.code !== "OPERATOR.PROOF_TOO_OLD") throw refusal;
    proving ??= prove();
    const isProved = await proving;
    proving = null;
    if (!isProved) throw refusal;
    return step();
  }
}
/**
 * @template {keyof Answers} Path
 * @param {Path} path
 * @returns {Promise<Answers[Path]>}
 */
export function ask(path) {
  return withProof(() => request(path, {}));
}
/**
 * @template {keyof Acts} Path
 * @param {Path} path
 * @param {object} body
 * @returns {Promise<Acts[Path]>}
 */
export function act(path, body = {}) {
  return withProof(() => request(path, post(body)));
}
/**
 * An answer that is kept as a file, after it was read to its end.
 * @param {string} path
 * @returns {Promise<Blob>}
 */
export function actForFile(path) {
  return withProof(() => request(path, post({}), (response) => response.blob()));
}
/**
 * Saves a file that the page has, as a click on a link to it would.
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
