// Shows the dialog of one member, with the actions that an operator can take. The command
// qsosync-admin has the same actions.
import { day, element, typed } from "../../shared/page.js";
import { buttonOf, fold } from "../../shared/lists.js";
import { act, ask, baseOf, explainAct } from "./operator-service.js";
import { confirmed, openDialog } from "../../shared/dialog.js";
import { lastUse, nameOfDevice, pathOfDevice } from "../site/devices.js";
import { showHistoryOf } from "./operator-history.js";
import { KeptForm } from "../../shared/kept-form.js";
import { say } from "../../shared/language.js";
import { invite, showInvitation } from "./operator-invite.js";
import { askToDelete } from "./operator-delete.js";

/** @import { Device, OperatorMember as Member } from "../types.js" */

/**
 * Returns a form with one field. Submitting the form calls `step` with the value of the field. The
 * draft is dropped if the dialog is then closed.
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
 * Returns an element that lists the devices on which the member is signed in.
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
 * Shows the dialog until it is closed. Resolves to the last outcome in words; empty: nothing that
 * the list shows has changed.
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
