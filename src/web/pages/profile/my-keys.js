// Shows the sections for programs' keys and for upload tokens. Each section has a list, and a form
// that creates a new key or token. A secret is shown only once, directly after its creation.
import {
  age,
  day,
  drawing,
  element,
  find,
  hour,
  moveFocus,
  plain,
  typed,
} from "../../shared/page.js";
import { actOf } from "../../shared/lists.js";
import { itemOf } from "../../shared/parts/item.js";
import { badgeOf, daysSince, lastSeen } from "../../shared/parts/row.js";
import { Refusal, change, explain, get, station } from "../../shared/service.js";
import { REJECTIONS } from "../../shared/words/rejections.js";
import { keyPrograms, tokenPrograms } from "./key-programs.js";
import { showSecret } from "./made-key.js";
import { confirmed } from "../../shared/dialog.js";
import { say } from "../../shared/language.js";

/** @import { Child, Credential, LastRefusal, Member } from "../types.js" */
/** @import { Program } from "./key-programs.js" */

const UNUSED_DAYS = 365;

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
    none: "No keys yet. Create a key for each program. You can revoke each key separately.",
    form: "Create a key",
    full: "You can have {n} keys. Revoke a key to create another.",
    asks: "Revoke this key?",
    follows: "The program that uses this key loses access to your log. This can't be undone.",
    gone: "This key was already revoked.",
  },
  tokens: {
    section: "uploads",
    none: "No upload tokens yet.",
    form: "Create an upload token",
    full: "You can have {n} tokens. Revoke a token to create another.",
    asks: "Revoke this token?",
    follows: "The program that uses this token can no longer upload. This can't be undone.",
    gone: "This token was already revoked.",
  },
};

/** @param {string} path */
const iconOf = (path) =>
  drawing("svg", { viewBox: "0 0 24 24", class: "icon" }, drawing("path", { d: path }));
const KEY =
  "M8 15.5a3.5 3.5 0 1 1 2.5-6H19l1.5 2-1.5 2-2-1-1.5 1.5-1.5-1.5h-3.3A3.5 3.5 0 0 1 8 15.5z";

/** @param {Credential} item */
function lastUse({ lastUsedOn, lastUsedBy }) {
  if (!lastUsedOn) return say("never used");
  const day = lastSeen(lastUsedOn);
  return lastUsedBy
    ? say("last used: {day}, by {program}", { day, program: lastUsedBy })
    : say("last used: {day}", { day });
}

/**
 * @param {Credential} item
 * @param {((item: Credential) => void) | null} revoke null: the item belongs to another operator of
 *   the station
 */
function rowOf(item, revoke) {
  const scope =
    item.scope === "WRITE"
      ? say("writes QSOs")
      : item.scope === "READ"
        ? say("only reads")
        : item.isPolo
          ? "Ham2K PoLo"
          : item.mayRead
            ? say("can also read your log")
            : null;
  const isUnused = daysSince(item.lastUsedOn ?? item.createdAt.slice(0, 10)) > UNUSED_DAYS;
  return itemOf({
    lead: iconOf(KEY),
    name: typed(item.name),
    badge: item.isApp ? badgeOf("", say("app")) : isUnused ? badgeOf("wait", say("unused")) : null,
    line: [
      scope,
      lastUse(item),
      ...(item.madeBy ? [say("created by {callsign}", { callsign: item.madeBy })] : []),
    ],
    end: revoke ? [actOf(say("Revoke"), item.name, () => revoke(item))] : [],
    below: [refusalOf(item)],
  });
}

const APP_FOLLOWS =
  "The app that uses this key loses access to your log, and its device is signed out. This can't be undone.";

/** @type {Record<string, string>} */
const POLO_SENTENCES = {
  "it is on another band":
    "PoLo sent {n} QSO on another band. It stays in PoLo.|PoLo sent {n} QSOs on other bands. They stay in PoLo.",
  "the storage has no room for the details that only PoLo uses":
    "Your log has no room for some details of {n} QSO. These details stay in PoLo.|Your log has no room for some details of {n} QSOs. These details stay in PoLo.",
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
 * A list of keys or tokens in an element of the page. A button replaces the list with a chip for
 * each program, which creates a key. If the program does not determine what the key may do, a form
 * asks the member.
 */
class CredentialList {
  items = element("ul", { class: "items" });
  count = element("p", { class: "muted" });
  trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  rejections = element("div");
  once = element("div", { class: "once" });
  title = element("h3", { tabindex: "-1" });
  /** @type {Program | null} */
  program = null;
  /** @type {string[]} names in use */
  names = [];
  nameField = element("input", { maxlength: "80", required: true, autocomplete: "off" });
  scopeField = element(
    "select",
    {},
    element("option", { value: "WRITE" }, say("read and write")),
    element("option", { value: "READ" }, say("read")),
  );
  readField = element("input", { type: "checkbox" });
  button = element("button", { class: "main" });
  /** @type {(() => Promise<boolean>) | null} closes the secret that is shown */
  closeSecret = null;

  /**
   * @param {"keys" | "tokens"} name
   * @param {boolean} allowed whether new credentials can be created
   * @param {string} maker callsign of the signed-in member
   */
  constructor(name, allowed, maker) {
    this.maker = maker;
    this.name = name;
    this.kind = KINDS[name];
    this.allowed = allowed;
    this.button.textContent = say(this.kind.form);
    const chips = (name === "keys" ? keyPrograms() : tokenPrograms()).map((program) =>
      element(
        "button",
        { type: "button", class: "chip", click: () => this.choose(program) },
        program.name,
      ),
    );
    this.create = element(
      "button",
      { type: "button", class: "main", click: () => this.ask() },
      iconOf("M12 6v12M6 12h12"),
      say(this.kind.form),
    );
    this.foot = element("div", { class: "foot buttons" }, this.create);
    this.list = element(
      "div",
      { class: "credentials" },
      this.items,
      this.count,
      this.rejections,
      document.getElementById(`${name}-notes`),
      this.foot,
    );
    this.chipsFoot = element("div", { class: "foot buttons" }, this.cancelButton());
    this.chips = element(
      "fieldset",
      { class: "question", hidden: true },
      element("legend", {}, element("h3", { tabindex: "-1" }, say(this.kind.form))),
      element("div", { class: "chips" }, ...chips),
      document.getElementById(`${name}-others`),
      this.chipsFoot,
    );
    this.form = this.createForm();
    find(name).replaceChildren(this.trouble, this.list, this.chips, this.form, this.once);
    this.listen();
  }
  cancelButton() {
    return element("button", { type: "button", click: () => this.showList() }, say("Cancel"));
  }
  createForm() {
    return element(
      "form",
      { hidden: true, submit: (event) => this.submit(event) },
      this.title,
      element(
        "div",
        { class: "stack" },
        element(
          "label",
          {},
          element("span", {}, say("Name, such as the program's name")),
          this.nameField,
        ),
        this.name === "keys"
          ? element("label", {}, element("span", {}, say("The program may")), this.scopeField)
          : element(
              "label",
              { class: "check" },
              this.readField,
              element("span", {}, say("The program can also read your log")),
            ),
      ),
      element("div", { class: "foot buttons" }, this.button, this.cancelButton()),
    );
  }
  listen() {
    // Other tabs could have created or revoked credentials.
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.refresh().catch(() => {});
    });
    const back = find(this.name).closest("section")?.querySelector("a.back");
    back?.addEventListener("click", async (event) => {
      if (!this.closeSecret) return this.showList(null);
      event.preventDefault();
      if (await this.closeSecret()) location.hash = back.getAttribute("href") ?? "";
    });
  }
  ask() {
    this.tell(null);
    this.showPart("chips");
    this.chips.querySelector("h3")?.focus();
  }
  /** @param {Program} program */
  choose(program) {
    this.program = program;
    this.nameField.value = this.freeName(program.name);
    this.scopeField.value = program.scope ?? "WRITE";
    this.readField.checked = false;
    this.tell(null);
    if (program.scope || program.isPolo) return this.make();
    this.title.textContent = plain(program.name);
    this.showPart("form");
    this.title.focus();
  }
  /** Returns a name that is not in use. @param {string} name */
  freeName(name) {
    let [free, n] = [name, 1];
    while (this.names.includes(free)) free = `${name} ${++n}`;
    return free;
  }
  /**
   * Shows a part of the section. An empty list also shows the chips, so that the first key takes no
   * additional tap.
   * @param {"list" | "chips" | "form" | "secret"} part
   */
  showPart(part) {
    const isEmpty = part === "list" && this.allowed && !this.items.childElementCount;
    this.list.hidden = part !== "list";
    this.chips.hidden = part !== "chips" && !isEmpty;
    this.chipsFoot.hidden = isEmpty;
    this.form.hidden = part !== "form";
  }
  /** @param {HTMLElement | null} focus */
  showList(focus = this.foot.hidden ? this.chips.querySelector("h3") : this.create) {
    this.showPart("list");
    focus?.focus();
  }
  /** @param {unknown} refusal null: hides the message */
  tell(refusal) {
    this.trouble.hidden = refusal === null;
    this.trouble.textContent = refusal ? explain(refusal) : "";
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
    // The keys of a member's own apps are in the list of devices.
    const listed = all.filter(({ isApp }) => station !== null || !isApp);
    this.items.replaceChildren(...listed.map((item) => rowOf(item, isOwn(item) ? revoke : null)));
    const items = all.filter(isOwn);
    const isFull = items.length >= max;
    this.count.textContent = !items.length
      ? say(this.kind.none)
      : isFull
        ? say(this.kind.full, { n: max })
        : "";
    this.names = items.map(({ name }) => name);
    this.chips.disabled = isFull;
    this.foot.hidden = isFull || !this.allowed || !listed.length;
    if (!this.list.hidden) this.showPart("list");
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
      return false;
    try {
      await change(`${this.name}/${item.number}/revoke`);
      this.tell(null);
    } catch (refusal) {
      // If another tab or an operator has already revoked the credential, shows a message, and
      // refreshes the list.
      const isGone = refusal instanceof Refusal && refusal.status === 404;
      this.tell(isGone ? null : refusal);
      if (!isGone) return false;
      this.trouble.hidden = false;
      this.trouble.textContent = say(kind.gone);
    }
    await this.refresh().catch((refusal) => this.tell(refusal));
    moveFocus(find(`${kind.section}-title`));
    return true;
  }
  /** @param {Event} event */
  submit(event) {
    event.preventDefault();
    this.make();
  }
  async make() {
    const { program } = this;
    if (!program) return;
    this.chips.disabled = this.button.disabled = true;
    const name = this.nameField.value;
    try {
      const made =
        this.name === "keys"
          ? await change("keys", {
              name,
              scope: this.scopeField.value,
              ...(program.isForApp ? { app: "elsewhere" } : {}),
            })
          : await change("tokens", {
              name,
              mayRead: this.readField.checked,
              isPolo: program.isPolo === true,
            });
      this.showPart("secret");
      const closed = () => {
        this.closeSecret = null;
        this.showList();
      };
      const revoke = async () => {
        const item = { ...made, name, isApp: program.isForApp };
        if (!(await this.revoke(/** @type {any} */ (item)))) return;
        this.once.replaceChildren();
        await this.closeSecret?.();
      };
      this.closeSecret = showSecret(this.once, made, program, name, closed, revoke);
      this.chips.disabled = this.button.disabled = false;
      await this.refresh();
    } catch (refusal) {
      this.chips.disabled = this.button.disabled = false;
      this.tell(refusal);
    }
  }
}

/** @param {Member} member */
export async function showKeys({ signedInAs }) {
  await new CredentialList("keys", true, signedInAs).refresh();
}
/** @param {Member} member */
export async function showUploads({ uploadAddress, signedInAs }) {
  find("uploads-off").hidden = uploadAddress !== null;
  await new CredentialList("tokens", uploadAddress !== null, signedInAs).refresh();
}
