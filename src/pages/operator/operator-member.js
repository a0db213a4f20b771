// The dialog of one member, with the actions of an operator. Texts match the command qsosync-admin,
// which does the same.
import { day, element, number, typed } from "../site/page.js";
import { copyButton, fold } from "../site/lists.js";
import { act, actForFile, ask, explainAct, save } from "./operator-service.js";
import { confirmed, openDialog } from "../site/dialog.js";
import { lastUse, nameOfDevice, pathOfDevice } from "../site/devices.js";
import { askBeforeLeaving, letLeave } from "../site/unsaved-warning.js";
import { showHistoryOf } from "./operator-history.js";
import { KeptForm } from "../site/kept-form.js";
import { qrOf } from "../site/qr.js";
import { Refusal } from "../site/service.js";
import { LANGUAGES, language, say, sayIn } from "../site/language.js";

/** @import { Device, Invitation, OperatorMember as Member } from "../site/types.js" */

/**
 * @param {string} name
 * @param {() => void} step
 * @param {string} kind
 */
export function buttonOf(name, step, kind = "") {
  return element("button", { type: "button", class: kind || null, click: step }, say(name));
}

/**
 * @param {Member} member
 * @returns {`members/${string}`}
 */
function baseOf(member) {
  return `members/${member.number}`;
}

// -- Invitations ----------------------------------------------------------------------------------

/**
 * A dialog with a secret that is shown only once: leaving the page asks first.
 * @param {Parameters<typeof openDialog>} dialog
 */
export async function openSecret(...dialog) {
  askBeforeLeaving(openSecret);
  await openDialog(...dialog);
  letLeave(openSecret);
}
/**
 * The text for the member, in the member's language.
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
    "Hello {callsign}, our club keeps a logbook for you. Open this link to sign in. It works once, until {day}, and is for you alone: {link} Set a password there so that you can sign in again any time.",
    { callsign, day: until, link },
  );
}
/**
 * @param {Member} member
 * @param {Invitation} invitation
 */
function showInvitation(member, invitation) {
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
    qr ? qrOf(qr, say("QR code of the invitation")) : null,
    element(
      "div",
      { class: "stack" },
      element("label", {}, element("span", {}, say("Language of the message")), languages),
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

// -- Changes --------------------------------------------------------------------------------------

/**
 * A form with one field that changes the member and closes the dialog.
 * @param {string} base
 * @param {string} name
 * @param {string} value
 * @param {Record<string, string>} attributes
 * @param {string} button
 * @param {(value: string) => Promise<void>} step
 */
function formOf(base, name, value, attributes, button, step) {
  const field = element("input", {
    name: "text",
    value,
    required: true,
    autocomplete: "off",
    ...attributes,
  });
  const form = element(
    "form",
    {
      class: "fields",
      /** @param {SubmitEvent} event */
      submit: async (event) => {
        event.preventDefault();
        await step(field.value.trim());
        if (!form.closest("dialog[open]")) kept.saved();
      },
    },
    element("label", {}, element("span", {}, say(name)), field),
    element("button", {}, say(button)),
  );
  const kept = new KeptForm(form, `${base} ${name}`);
  return form;
}
/**
 * The devices where the member is signed in.
 * @param {Member} member
 * @param {(step: () => Promise<unknown>) => Promise<void>} attempt
 */
function devicesOf(member, attempt) {
  const place = element("div", {});
  const base = baseOf(member);
  /** @param {Device} device */
  function rowOf(device) {
    const used = lastUse(device);
    return element(
      "li",
      { class: "row" },
      element(
        "div",
        {},
        typed(nameOfDevice(device)),
        element(
          "small",
          { class: "muted" },
          used ? say("last {day}", { day: day(used) }) : say("never used"),
          device.isThis ? ` · ${say("this browser")}` : null,
        ),
      ),
      device.isThis
        ? null
        : buttonOf("Sign out", () =>
            attempt(async () => {
              await act(`${base}/${pathOfDevice(device)}/sign-out`);
              await load();
            }),
          ),
    );
  }
  async function load() {
    const { items } = await ask(`${base}/devices`);
    if (!items.length) {
      place.replaceChildren(element("p", { class: "muted" }, say("Not signed in anywhere.")));
      return;
    }
    place.replaceChildren(
      element("ul", { class: "items" }, ...items.map(rowOf)),
      buttonOf("Sign out everywhere", () =>
        attempt(async () => {
          await act(`${base}/sign-out`);
          await load();
        }),
      ),
    );
  }
  attempt(load);
  return place;
}

// -- Deletion -------------------------------------------------------------------------------------

// Deleting a large log takes longer than the timeout of some front servers. The service continues
// anyway, and a repeated request resumes from there.
const PATIENT = [0, 502, 504];
const ATTEMPTS = 20;

/**
 * Disables the member, downloads everything as a file, then deletes the member. Each step requires
 * the previous one.
 */
class Deletion {
  isSaved = false;
  field = element("input", {
    autofocus: true,
    maxlength: "20",
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
  });
  trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  said = element("p", { role: "status" });
  button = element("button", { class: "danger", disabled: true }, say("Save the file first"));

  /**
   * @param {Member} member
   * @param {(value: string) => void} close
   */
  constructor(member, close) {
    this.member = member;
    this.close = close;
    this.base = baseOf(member);
    this.field.addEventListener("input", () => {
      this.button.disabled = !this.isTyped();
    });
  }
  isTyped() {
    return this.field.value.trim().toUpperCase() === this.member.callsign.toUpperCase();
  }
  async keep() {
    const { member } = this;
    this.said.textContent = say("Preparing the file.");
    if (member.active) await act(`${this.base}/disable`);
    member.active = false;
    const file = await actForFile(`${this.base}/export`);
    if (!/"qsoCount":\d+\s*\}\s*$/.test(await file.slice(-200).text()))
      throw new Refusal(0, "", [], null);
    save(file, `qsosync-${member.callsign.replace(/[^A-Za-z0-9-]/g, "_")}.json`);
    this.isSaved = true;
    this.said.textContent = say(
      "{callsign} is disabled, and the file is saved. Check that you have it, then delete the member.",
      { callsign: member.callsign },
    );
    this.button.textContent = say("Delete permanently");
  }
  async remove() {
    this.said.textContent = say("Deleting the log.");
    for (let attempts = 0; ; attempts++) {
      try {
        await act(`${this.base}/delete`, { callsign: this.field.value.trim() });
        break;
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        if (refusal.status === 404 && attempts > 0) break;
        if (!PATIENT.includes(refusal.status) || attempts === ATTEMPTS) throw refusal;
      }
    }
    this.close("yes");
  }
  /** @param {Event} event */
  async submit(event) {
    event.preventDefault();
    if (!this.isTyped()) return;
    this.trouble.hidden = true;
    this.button.disabled = true;
    try {
      await (this.isSaved ? this.remove() : this.keep());
    } catch (refusal) {
      this.trouble.textContent = explainAct(refusal);
      this.trouble.hidden = false;
    }
    this.button.disabled = false;
  }
  content() {
    const text = say(
      "This deletes {count} QSOs, keys and spots. Other members' QSOs lose their confirmations. This can't be undone. First the member is disabled, and you get a file with all their data to hand over.",
      { count: number(this.member.qsos) },
    );
    const cancel = buttonOf("Cancel", () => this.close(""));
    return [
      element("p", {}, text),
      this.trouble,
      element(
        "form",
        { class: "stack", submit: (event) => this.submit(event) },
        element("label", {}, element("span", {}, say("Type the callsign to confirm")), this.field),
        this.said,
        element("div", { class: "buttons" }, cancel, this.button),
      ),
    ];
  }
}

/** @param {Member} member */
function askToDelete(member) {
  return openDialog([say("Delete"), " ", typed(member.callsign)], (close) =>
    new Deletion(member, close).content(),
  );
}

// -- The dialog -----------------------------------------------------------------------------------

class MemberDialog {
  done = "";
  trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  /** @type {(value: string) => void} */
  close = () => {};

  /** @param {Member} member */
  constructor(member) {
    this.member = member;
    this.base = baseOf(member);
  }
  /** @param {() => Promise<unknown>} step */
  async attempt(step) {
    this.trouble.hidden = true;
    try {
      await step();
    } catch (refusal) {
      this.trouble.textContent = explainAct(refusal);
      this.trouble.hidden = false;
    }
  }
  /** @param {string} sentence */
  note(sentence) {
    this.done = say(sentence, { callsign: this.member.callsign });
  }
  /**
   * @param {"locator" | "rename" | "operator" | "enable" | "disable" | "remove-card"} path
   * @param {object} body
   * @param {string} sentence
   */
  change(path, body, sentence) {
    return this.attempt(async () => {
      await act(`${this.base}/${path}`, body);
      this.note(sentence);
      this.close("yes");
    });
  }
  /**
   * @param {string} question
   * @param {string} text
   * @param {string} button
   * @param {() => Promise<void>} step
   */
  async afterQuestion(question, text, button, step) {
    const title = say(question, { callsign: this.member.callsign });
    if (await confirmed(title, [say(text)], say(button))) await step();
  }

  // -- sign-in

  invite() {
    return this.attempt(async () => {
      await invite(this.member);
      this.note("{callsign} was invited.");
    });
  }
  inviteAgain() {
    return this.afterQuestion(
      "Invite {callsign} again?",
      "The member is signed out everywhere, and the password stops working. Keys and tokens keep working.",
      "Invite again",
      () =>
        this.attempt(async () => {
          await showInvitation(this.member, await act(`${this.base}/invite`, { new: true }));
          this.note("{callsign} was invited.");
        }),
    );
  }
  signIn() {
    const { member } = this;
    const hasSignedIn = member.hasPassword || member.browsers > 0;
    return [
      element("h3", {}, say("Sign-in")),
      element(
        "div",
        { class: "buttons" },
        buttonOf("Invite", () => this.invite(), "main"),
        hasSignedIn ? buttonOf("Invite again", () => this.inviteAgain()) : null,
      ),
      devicesOf(member, (step) => this.attempt(step)),
    ];
  }

  // -- changes

  /** @param {string} callsign */
  rename(callsign) {
    return this.afterQuestion(
      "Rename {callsign}?",
      "QSOs without a station callsign now count under the new callsign. Their confirmations are checked again.",
      "Rename",
      () => this.change("rename", { callsign }, "{callsign} was renamed."),
    );
  }
  roleButton() {
    return this.member.operator
      ? buttonOf("Remove the operator role", () =>
          this.change("operator", { on: false }, "{callsign} is no longer an operator."),
        )
      : buttonOf("Make an operator", () =>
          this.afterQuestion(
            "Make {callsign} an operator?",
            "Operators can do everything on this page, even to you.",
            "Make an operator",
            () => this.change("operator", { on: true }, "{callsign} is now an operator."),
          ),
        );
  }
  activeButton() {
    return this.member.active
      ? buttonOf("Disable", () =>
          this.afterQuestion(
            "Disable {callsign}?",
            "The member's keys, tokens and browsers stop working at once. The log stays, and you can enable the member again.",
            "Disable",
            () => this.change("disable", {}, "{callsign} is disabled."),
          ),
        )
      : buttonOf("Enable", () => this.change("enable", {}, "{callsign} is enabled."));
  }
  removeCard() {
    return this.afterQuestion(
      "Remove the QSL card of {callsign}?",
      "Its picture and text are deleted. This can't be undone.",
      "Remove the QSL card",
      () => this.change("remove-card", {}, "The QSL card of {callsign} was removed."),
    );
  }
  async remove() {
    const { member } = this;
    const wasActive = member.active;
    if (await askToDelete(member)) this.note("{callsign} was deleted.");
    else if (wasActive !== member.active) this.note("{callsign} is disabled.");
    else return;
    this.close("yes");
  }
  changes() {
    return [
      element("h3", {}, say("Changes")),
      formOf(
        this.base,
        "Locator",
        this.member.locator,
        { maxlength: "6", spellcheck: "false" },
        "Change",
        (locator) => this.change("locator", { locator }, "The locator of {callsign} was changed."),
      ),
      formOf(
        this.base,
        "New callsign",
        "",
        { maxlength: "20", autocapitalize: "characters", spellcheck: "false" },
        "Rename",
        (callsign) => this.rename(callsign),
      ),
      element(
        "div",
        { class: "buttons" },
        this.roleButton(),
        this.activeButton(),
        buttonOf("Remove the QSL card", () => this.removeCard()),
        buttonOf("Delete", () => this.remove(), "danger"),
      ),
    ];
  }

  content() {
    const { member } = this;
    const facts = [
      member.locator,
      say("{n} QSO|{n} QSOs", { n: member.qsos }),
      say("{n} active key|{n} active keys", { n: member.activeKeys }),
      say("added {day}", { day: day(member.createdAt) }),
    ];
    return [
      element("p", { class: "muted" }, facts.join(" · ")),
      this.trouble,
      ...this.signIn(),
      ...this.changes(),
      fold(say("History"), () => showHistoryOf(member)),
      element(
        "div",
        { class: "buttons" },
        element("button", { type: "button", click: () => this.close("") }, say("Close")),
      ),
    ];
  }
}

/**
 * Resolves to the outcome in words; empty: the list has not changed.
 * @param {Member} member
 * @returns {Promise<string>}
 */
export async function openMember(member) {
  const dialog = new MemberDialog(member);
  await openDialog([typed(member.callsign)], (close) => {
    dialog.close = close;
    return dialog.content();
  });
  return dialog.done;
}
