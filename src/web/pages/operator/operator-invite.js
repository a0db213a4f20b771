// Invites members: shows the link of one invitation with a message to send, or a list of
// invitations to save. Each secret is shown only once.
import { day, element, typed } from "../../shared/page.js";
import { buttonOf, copyButton } from "../../shared/lists.js";
import { act, save } from "./operator-service.js";
import { openDialog } from "../../shared/dialog.js";
import { askBeforeLeaving, letLeave } from "../site/unsaved-warning.js";
import { qrOf } from "../../shared/qr.js";
import { language, LANGUAGES, say, sayIn } from "../../shared/language.js";

/** @import { Invitation, OperatorMember as Member } from "../types.js" */

/**
 * Opens a dialog with a secret that is shown only once. Until the dialog is closed, the browser
 * asks for confirmation before the operator leaves the page.
 * @param {Parameters<typeof openDialog>} dialog
 */
export async function openSecret(...dialog) {
  askBeforeLeaving(openSecret);
  await openDialog(...dialog);
  letLeave(openSecret);
}
/**
 * Returns the message to send to the member, in the language `code`.
 * @param {string} callsign
 * @param {{link: string, expiresAt: string}} invitation
 * @param {string} code
 */
async function messageFor(callsign, { link, expiresAt }, code) {
  const speak = await sayIn(code);
  const until = new Intl.DateTimeFormat(code, { timeZone: "UTC", dateStyle: "long" }).format(
    new Date(expiresAt),
  );
  return speak(
    "Hello {callsign}, our club keeps a logbook for you. Open this link to sign in. It works once, until {day}, and is only for you: {link} Set a password there so that you can sign in again any time.",
    { callsign, day: until, link },
  );
}
/**
 * @param {Member} member
 * @param {Invitation} invitation
 */
export function showInvitation(member, invitation) {
  const message = element("textarea", { rows: "6", readonly: true });
  const languages = element(
    "select",
    {},
    ...Object.entries(LANGUAGES).map(([code, name]) =>
      element("option", { value: code, lang: code, selected: code === language }, name),
    ),
  );
  const write = async () => {
    message.value = await messageFor(member.callsign, invitation, languages.value);
    message.lang = languages.value;
  };
  languages.addEventListener("change", write);
  write();
  const { qr } = invitation;
  return openSecret([say("Invitation for"), " ", typed(member.callsign)], (close) => [
    element(
      "p",
      {},
      say("This link works once, until {day}. It is shown only once. A new link replaces it.", {
        day: day(invitation.expiresAt),
      }),
    ),
    element(
      "p",
      { class: "address" },
      element("code", { class: "shown-secret" }, invitation.link),
      " ",
      copyButton(invitation.link, "Copy link"),
    ),
    qr ? qrOf(qr, say("QR code for the invitation")) : null,
    element(
      "div",
      { class: "stack" },
      element("label", {}, element("span", {}, say("Message language")), languages),
      element("label", {}, element("span", {}, say("Message to send")), message),
    ),
    element(
      "div",
      { class: "buttons" },
      copyButton(() => message.value, "Copy message"),
      element("button", { type: "button", class: "main", click: () => close("yes") }, say("Done")),
    ),
  ]);
}
/** @param {Member} member */
export async function invite(member) {
  await showInvitation(member, await act(`members/${member.number}/invite`));
}
/** @param {string[]} callsigns */
export async function inviteAll(callsigns) {
  const { items, csv } = await act("invitations", { list: callsigns.join("\n") });
  const file = new Blob([csv], { type: "text/csv" });
  await openSecret(say("Invitations"), (close) => [
    element(
      "p",
      {},
      say(
        "{n} invitation was created. Save the list now: it is shown only once.|{n} invitations were created. Save the list now: it is shown only once.",
        { n: items.length },
      ),
    ),
    element(
      "ul",
      { class: "items details" },
      ...items.map(({ callsign, link }) =>
        element("li", {}, typed(callsign), " ", element("code", {}, link)),
      ),
    ),
    element(
      "div",
      { class: "buttons" },
      buttonOf("Download as CSV", () => save(file, "qsosync-invitations.csv"), "main"),
      buttonOf("Done", () => close("yes")),
    ),
  ]);
}
