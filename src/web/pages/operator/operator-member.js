// Shows the sheet of one member, with the actions that an operator can take. The command
// qsosync-admin has the same actions.
import { day, element, figureOf, number, typed } from "../../shared/page.js";
import { actOf, buttonOf, fold } from "../../shared/lists.js";
import { moreOf } from "../../shared/parts/chips.js";
import { weekLineOf } from "../../shared/parts/weeks.js";
import { badgeOf, callsignOf, lastSeen } from "../../shared/parts/row.js";
import { closeSheet, openSheet } from "../../shared/parts/sheet.js";
import { noteOf, placeOf, weeksOf } from "./operator-rows.js";
import { act, ask, baseOf, explainAct } from "./operator-service.js";
import { confirmed } from "../../shared/dialog.js";
import { lastUse, nameOfDevice, pathOfDevice } from "../site/devices.js";
import { showHistoryOf } from "./operator-history.js";
import { KeptForm } from "../../shared/kept-form.js";
import { say } from "../../shared/language.js";
import { invite, showInvitation } from "./operator-invite.js";
import { askToDelete } from "./operator-delete.js";

/** @import { Device, OperatorMember as Member } from "../types.js" */

/**
 * Returns a form with one field. Submitting the form calls `step` with the value of the field. The
 * draft is dropped if the sheet is then closed.
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

class MemberSheet {
  done = "";
  trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  /** @type {() => void} */
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
      this.close();
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
  devices() {
    return [
      element("h3", {}, say("Signed in on")),
      devicesOf(this.member, (step) => this.attempt(step)),
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
      "The card's picture and text are deleted. This can't be undone.",
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
    this.close();
  }
  /**
   * Returns a fact with a button. When the button is pressed, a form replaces the value and the
   * button.
   * @param {string} name
   * @param {string} value
   * @param {string} button
   * @param {() => HTMLElement} form
   */
  fact(name, value, button, form) {
    const place = element("dd", {}, typed(value), " ");
    const open = () => {
      const made = form();
      place.replaceChildren(made);
      made.querySelector("input")?.focus();
    };
    place.append(actOf(say(button), name, open));
    return [element("dt", {}, name), place];
  }
  facts() {
    const { member } = this;
    const ways = [
      member.hasPassword ? say("password") : "",
      say("{n} device|{n} devices", { n: member.browsers }),
    ];
    return element(
      "dl",
      { class: "facts" },
      ...this.fact(say("Locator"), member.locator, "Change", () =>
        formOf(
          this.base,
          "Locator",
          member.locator,
          { maxlength: "6", spellcheck: "false" },
          "Change",
          (locator) =>
            this.change("locator", { locator }, "The locator of {callsign} was changed."),
        ),
      ),
      ...this.fact(say("Callsign"), member.callsign, "Rename", () =>
        formOf(
          this.base,
          "New callsign",
          "",
          { maxlength: "20", autocapitalize: "characters", spellcheck: "false" },
          "Rename",
          (callsign) => this.rename(callsign),
        ),
      ),
      ...(member.station
        ? []
        : [
            element("dt", {}, say("Signs in with")),
            element("dd", {}, ways.filter(Boolean).join(", ")),
          ]),
      element("dt", {}, say("Programs")),
      element("dd", {}, say("{n} active key|{n} active keys", { n: member.activeKeys })),
      element("dt", {}, say("Member since")),
      element("dd", {}, day(member.createdAt)),
    );
  }
  figures() {
    const { member } = this;
    const weeks = weeksOf(member);
    /** @type {[string, string][]} */
    const rows = [
      [say("QSOs"), number(member.qsos)],
      [say("This week"), number(weeks.at(-1) ?? 0)],
      [say("Last seen"), lastSeen(member.lastUsedOn)],
    ];
    return [
      element("dl", { class: "figures" }, ...rows.map(([name, value]) => figureOf(name, value))),
      weekLineOf(weeks, true),
    ];
  }
  /** Returns the button for a sign-in link, and the button for a menu with the rare actions. */
  foot() {
    const { member } = this;
    const hasSignedIn = member.hasPassword || member.browsers > 0;
    const menu = moreOf([
      member.station || !hasSignedIn ? null : buttonOf("Invite again", () => this.inviteAgain()),
      member.station ? null : this.roleButton(),
      this.activeButton(),
      buttonOf("Remove the QSL card", () => this.removeCard()),
      buttonOf("Delete", () => this.remove(), "bad"),
    ]);
    return [
      member.station ? null : buttonOf("New sign-in link", () => this.invite(), "main"),
      menu,
    ].filter((node) => node !== null);
  }

  content() {
    const note = noteOf(this.member);
    return {
      title: [
        callsignOf(this.member.callsign),
        element("small", { class: "muted" }, placeOf(this.member.callsign)),
        note && badgeOf(...note),
      ],
      body: [
        this.trouble,
        ...this.figures(),
        this.facts(),
        ...(this.member.station ? [] : this.devices()),
        fold(say("History"), () => showHistoryOf(this.member)),
      ],
      foot: this.foot(),
    };
  }
}

/**
 * Shows the sheet until it is closed. Resolves to the last outcome in words; empty: nothing that
 * the list shows has changed.
 * @param {Member} member
 * @param {(by: number) => void} step shows another member
 * @returns {Promise<string>}
 */
export function openMember(member, step) {
  const sheet = new MemberSheet(member);
  return new Promise((resolve) => {
    sheet.close = closeSheet;
    openSheet({ ...sheet.content(), step, closed: () => resolve(sheet.done) });
  });
}
