// Shows the sections for programs' keys and for upload tokens. Each section has a list, and a form
// that creates a new key or token. A secret is shown only once, directly after its creation.
import { age, day, element, find, hour, moveFocus, typed } from "../../shared/page.js";
import { actOf, copyButton } from "../../shared/lists.js";
import { itemOf } from "../../shared/parts/item.js";
import { badgeOf } from "../../shared/parts/row.js";
import { Refusal, change, explain, get, station } from "../../shared/service.js";
import { REJECTIONS } from "../../shared/words/rejections.js";
import { showSecret } from "./made-key.js";
import { confirmed } from "../../shared/dialog.js";
import { say } from "../../shared/language.js";

/** @import { Child, Credential, LastRefusal, Member } from "../types.js" */

// Sentences about a program's rejected requests, by error code.
/** @type {Record<string, string>} */
const REFUSALS = {
  "API_KEYS.READ_ONLY": "The program tried to write, but this key is read-only.",
  "GENERIC.RATE_LIMITED": "The program sent too many requests.",
  "GENERIC.TOO_MANY_AT_ONCE": "The program sent too many requests.",
  "VALIDATION.FAILED": "The program sent an invalid request.",
};
/**
 * Returns the reason for a rejection. Names of fields are shown as code. A sentence from the
 * service begins with the name of the field, and is not translated.
 * @param {LastRefusal} refusal
 * @returns {Child[]}
 */
function reasonOf({ code, field }) {
  if (Object.hasOwn(REFUSALS, code))
    return [say(REFUSALS[code]), ...(field ? [" (", element("code", {}, field), ")"] : [])];
  const [fields, sentence = null] = Object.hasOwn(REJECTIONS, code) ? REJECTIONS[code] : [null];
  const name = field ?? fields; // rejections from old releases lack the field
  if (sentence)
    return [
      ...(name ? [element("code", {}, name), ": "] : []),
      say(sentence),
      " ",
      element("small", {}, code),
    ];
  return name && code.startsWith(`${name} `)
    ? [element("code", {}, name), typed(code.slice(name.length))]
    : [typed(code)];
}
/** @param {Credential} key */
function refusalOf(key) {
  const last = key.lastRefusal;
  if (!last) return null;
  const count = Object.hasOwn(REFUSALS, last.code)
    ? []
    : [say("{n} QSO was rejected:|{n} QSOs were rejected, the first:", { n: last.count }), " "];
  return element(
    "p",
    { class: "note warn" },
    element("strong", {}, say("Last rejected request")),
    ", ",
    element(
      "time",
      { datetime: last.at, title: `${day(last.at)}, ${hour(last.at)} UTC` },
      age(last.at),
    ),
    ": ",
    ...count,
    ...reasonOf(last),
  );
}

const KINDS = {
  keys: {
    section: "keys",
    none: "No keys yet. Create one for each program. You can revoke each one separately.",
    form: "Create a key",
    full: "You can have {n} keys. Revoke one to create another.",
    used: "{n} of {max} keys",
    asks: "Revoke this key?",
    follows: "The program that uses it loses access to your log. This can't be undone.",
    gone: "This key was already revoked.",
  },
  tokens: {
    section: "uploads",
    none: "No upload tokens yet.",
    form: "Create an upload token",
    full: "You can have {n} tokens. Revoke one to create another.",
    used: "{n} of {max} tokens",
    asks: "Revoke this token?",
    follows: "The program that uses it can no longer upload. This can't be undone.",
    gone: "This token was already revoked.",
  },
};

/**
 * @param {Credential} item
 * @param {((item: Credential) => void) | null} revoke null: the item belongs to another operator of
 *   the station
 */
function rowOf(item, revoke) {
  const scope =
    item.scope === "WRITE"
      ? say("read and write")
      : item.scope === "READ"
        ? say("read")
        : item.isPolo
          ? "Ham2K PoLo"
          : item.mayRead
            ? say("can also read your log")
            : null;
  const made = say("created {day}", { day: day(item.createdAt) });
  const used = item.lastUsedOn
    ? say("last used {day}", { day: day(item.lastUsedOn) })
    : say("never used");
  const kind = item.isApp ? say("app") : scope;
  return itemOf({
    name: typed(item.name),
    badge: kind === null ? null : badgeOf("", kind),
    line: [
      element("code", {}, `${item.hint}…`),
      made,
      ...(item.madeBy ? [say("created by {callsign}", { callsign: item.madeBy })] : []),
      used,
    ],
    end: revoke ? [actOf(say("Revoke"), item.name, () => revoke(item))] : [],
    below: [refusalOf(item)],
  });
}

const APP_FOLLOWS =
  "The app that uses it loses access to your log, and its device is signed out. This can't be undone.";
// Purposes of a key, each with the necessary scope and a suggested name.
const PURPOSES = [
  { title: "A logging program", scope: "WRITE", name: "Program {n}", isForApp: false },
  { title: "The app, on a phone or a computer", scope: "WRITE", name: "App {n}", isForApp: true },
  {
    title: "A program that only reads the log",
    scope: "READ",
    name: "Reader {n}",
    isForApp: false,
  },
];
/** @typedef {typeof PURPOSES[number]} Purpose */

/** @param {(purpose: Purpose) => void} take */
function createPurposes(take) {
  const buttons = PURPOSES.map((purpose, index) => {
    const button = element(
      "button",
      { type: "button", "aria-pressed": String(index === 0) },
      say(purpose.title),
    );
    button.addEventListener("click", () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      take(purpose);
    });
    return button;
  });
  return element(
    "div",
    { class: "purposes", role: "group", "aria-labelledby": "purposes-title" },
    element("p", { id: "purposes-title", class: "muted" }, say("What is this key for?")),
    element("div", { class: "buttons" }, ...buttons),
  );
}

/** @type {Record<string, string>} */
const POLO_SENTENCES = {
  "it is on another band":
    "PoLo sent {n} QSO on another band. It stays in PoLo.|PoLo sent {n} QSOs on other bands. They stay in PoLo.",
  "there is no room for what only PoLo knows of it":
    "Your log has no room for the details of {n} QSO that only PoLo has. They stay in PoLo.|Your log has no room for the details of {n} QSOs that only PoLo has. They stay in PoLo.",
};
/**
 * Returns a rejection in words. The profile shows the rejections of records from PoLo, because PoLo
 * cannot show them. The reason is a sentence from the service.
 * @param {{ reason: string, count: number }} rejection
 */
function poloRejectionOf({ reason, count }) {
  const sentence = Object.hasOwn(POLO_SENTENCES, reason)
    ? [say(POLO_SENTENCES[reason], { n: count })]
    : [
        say(
          "PoLo sent {n} QSO that could not be added:|PoLo sent {n} QSOs that could not be added:",
          { n: count },
        ),
        " ",
        typed(reason),
      ];
  return element("p", { class: "note warn" }, ...sentence);
}

/**
 * A list of keys or tokens in an element of the page, with the form that creates a new key or
 * token.
 */
class CredentialList {
  items = element("ul", { class: "items" });
  count = element("p", { class: "muted" });
  trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  purpose = PURPOSES[0];
  /** @type {string[]} names in use */
  names = [];
  suggested = "";
  nameField = element("input", { maxlength: "80", required: true, autocomplete: "off" });
  /** @type {HTMLSelectElement | null} */
  scopeField = null;
  /** @type {HTMLInputElement | null} */
  readField = null;
  /** @type {HTMLInputElement | null} */
  poloField = null;
  rejections = element("div");

  /**
   * @param {"keys" | "tokens"} name
   * @param {boolean} allowed whether new credentials can be created
   * @param {string} maker callsign of the signed-in member
   */
  constructor(name, allowed, maker) {
    this.maker = maker;
    this.name = name;
    this.kind = KINDS[name];
    this.place = find(name);
    // Disabled until the list has arrived and a name is suggested, because the form is invalid
    // without a name.
    this.button = element("button", { class: "main", disabled: true }, say(this.kind.form));
    const special = name === "keys" ? [this.createScope()] : this.createChoices();
    this.place.replaceChildren(
      this.items,
      this.count,
      this.trouble,
      ...(name === "keys" ? [createPurposes((purpose) => this.choose(purpose))] : []),
      element(
        "form",
        { class: "fields", hidden: !allowed, submit: (event) => this.make(event) },
        element(
          "label",
          {},
          element("span", {}, say("Name, such as the program's name")),
          this.nameField,
        ),
        ...special,
        this.button,
      ),
      element("div", { class: "once" }),
      this.rejections,
    );
    // Other tabs could have created or revoked credentials.
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.refresh().catch(() => {});
    });
  }
  createScope() {
    this.scopeField = element(
      "select",
      {},
      element("option", { value: "WRITE" }, say("read and write")),
      element("option", { value: "READ" }, say("read")),
    );
    return element("label", {}, element("span", {}, say("The program may")), this.scopeField);
  }
  createChoices() {
    this.readField = element("input", { type: "checkbox" });
    this.poloField = element("input", { type: "checkbox", id: "for-polo" });
    return [
      element(
        "label",
        { class: "check" },
        this.readField,
        element("span", {}, say("The program can also read your log")),
      ),
      element(
        "label",
        { class: "check" },
        this.poloField,
        element("span", {}, say("For Ham2K PoLo (experimental): syncs, changes and deletes QSOs")),
      ),
    ];
  }
  /** @param {Purpose} purpose */
  choose(purpose) {
    this.purpose = purpose;
    if (this.scopeField) this.scopeField.value = purpose.scope;
    this.suggestName();
  }
  /** @param {unknown} refusal null: hides the message */
  tell(refusal) {
    this.trouble.hidden = refusal === null;
    this.trouble.textContent = refusal ? explain(refusal) : "";
  }
  /** Suggests a name, so that members need not invent a name. Keeps a name that was typed. */
  suggestName() {
    const isSuggested = this.nameField.value === this.suggested;
    const { names, purpose } = this;
    let n = names.length + 1;
    while (names.includes(say(purpose.name, { n }))) n++;
    this.suggested = say(purpose.name, { n });
    if (isSuggested || !this.nameField.value) this.nameField.value = this.suggested;
  }
  async refresh() {
    const { items: all, max, poloRejections = [] } = await get(this.name);
    this.rejections.replaceChildren(...poloRejections.map(poloRejectionOf));
    // The credentials of a station's other operators are not counted for the member, who cannot
    // revoke them.
    /** @param {Credential} item */
    const isOwn = ({ madeBy }) => station === null || madeBy === this.maker;
    /** @param {Credential} item */
    const revoke = (item) => this.revoke(item);
    this.items.replaceChildren(...all.map((item) => rowOf(item, isOwn(item) ? revoke : null)));
    const items = all.filter(isOwn);
    const isFull = items.length >= max;
    this.count.textContent = !items.length
      ? say(this.kind.none)
      : isFull
        ? say(this.kind.full, { n: max })
        : say(this.kind.used, { n: items.length, max });
    this.names = items.map(({ name }) => name);
    this.suggestName();
    const { nameField, scopeField, readField, poloField, button } = this;
    for (const field of [nameField, scopeField, readField, poloField, button])
      if (field) field.disabled = isFull;
  }
  /** @param {Credential} item */
  async revoke(item) {
    const { kind } = this;
    if (
      !(await confirmed(
        say(kind.asks),
        [typed(item.name), ". ", say(item.isApp ? APP_FOLLOWS : kind.follows)],
        say("Revoke"),
      ))
    )
      return;
    try {
      await change(`${this.name}/${item.number}/revoke`);
      this.tell(null);
    } catch (refusal) {
      // If another tab or an operator has already revoked the credential, shows a message, and
      // refreshes the list.
      const isGone = refusal instanceof Refusal && refusal.status === 404;
      this.tell(isGone ? null : refusal);
      if (!isGone) return;
      this.trouble.hidden = false;
      this.trouble.textContent = say(kind.gone);
    }
    await this.refresh().catch((refusal) => this.tell(refusal));
    moveFocus(find(`${kind.section}-title`));
  }
  /** @param {Event} event */
  async make(event) {
    event.preventDefault();
    this.button.disabled = true;
    try {
      const made = await change(this.name, {
        name: this.nameField.value,
        ...(this.scopeField ? { scope: this.scopeField.value } : {}),
        ...(this.purpose.isForApp ? { app: "elsewhere" } : {}),
        ...(this.readField ? { mayRead: this.readField.checked } : {}),
        ...(this.poloField ? { isPolo: this.poloField.checked } : {}),
      });
      this.tell(null);
      this.nameField.value = "";
      for (const box of [this.readField, this.poloField]) if (box) box.checked = false;
      showSecret(this.place, made, this.purpose.isForApp);
      await this.refresh();
    } catch (refusal) {
      this.button.disabled = false;
      this.tell(refusal);
    }
  }
}

/** @param {Member} member */
export async function showKeys({ address, signedInAs }) {
  find("address").textContent = address;
  find("address-copy").replaceChildren(copyButton(address));
  await new CredentialList("keys", true, signedInAs).refresh();
}
/** @param {Member} member */
export async function showUploads({ uploadAddress, signedInAs }) {
  find("uploads-off").hidden = uploadAddress !== null;
  find("upload-place").hidden = uploadAddress === null;
  if (uploadAddress !== null) {
    const log11dx = uploadAddress.replace(/cloudlog$/, "api/wsjtx/upload-qso.php");
    find("upload-address").textContent = uploadAddress;
    find("upload-copy").replaceChildren(copyButton(uploadAddress));
    find("log11dx-address").textContent = log11dx;
    find("log11dx-copy").replaceChildren(copyButton(log11dx));
  }
  await new CredentialList("tokens", uploadAddress !== null, signedInAs).refresh();
}
