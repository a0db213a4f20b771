// The section Keys and programs: keys for programs and tokens for uploads. Both are lists with a
// form that makes one more; a secret is shown once, in the answer that made it.
import { age, copyButton, day, element, find, hour, typed } from "./page.js";
import { qrOf } from "./qr.js";
import { change, explain, get } from "./service.js";
import { REJECTIONS } from "./rejections.js";
import { confirmed } from "./dialog.js";
import { say } from "./language.js";

/**
 * @typedef {import("./answers.js").Credential} Credential
 * @typedef {import("./answers.js").MadeKey | import("./answers.js").MadeToken} Made
 * @typedef {import("./page.js").Child} Child
 */

// What a program was refused.
/** @type {Record<string, string>} */
const REFUSALS = {
  "API_KEYS.READ_ONLY": "The program wanted to write, and this key may only read.",
  "GENERIC.RATE_LIMITED": "The program sent too many requests.",
  "VALIDATION.FAILED": "The program sent a request that is not valid.",
};
/**
 * A field's name is code; a sentence of the service begins with its field, and stays in the
 * service's words.
 * @param {import("./answers.js").LastRefusal} refusal
 * @returns {Child[]}
 */
function reasonOf({ code, field }) {
  if (Object.hasOwn(REFUSALS, code))
    return [say(REFUSALS[code]), ...(field ? [" (", element("code", {}, field), ")"] : [])];
  const [name, sentence = null] = Object.hasOwn(REJECTIONS, code) ? REJECTIONS[code] : [field];
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
    : [say("{n} QSO was refused:|{n} QSOs were refused, the first:", { n: last.count }), " "];
  return element(
    "p",
    { class: "note warn" },
    element("strong", {}, say("Last refusal")),
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
    title: "Your keys",
    none: "No keys yet. Make one for each program: each can be revoked alone.",
    form: "Make a key",
    full: "{n} keys are the most. Revoke one, and you can make another.",
    used: "{n} of {max} keys",
    asks: "Revoke this key?",
    follows: "The program that uses it cannot reach your log any more. This cannot be undone.",
  },
  tokens: {
    title: "Your upload tokens",
    none: "No upload tokens yet.",
    form: "Make an upload token",
    full: "{n} tokens are the most. Revoke one, and you can make another.",
    used: "{n} of {max} tokens",
    asks: "Revoke this token?",
    follows: "The program that uses it cannot upload any more. This cannot be undone.",
  },
};

/**
 * Warns the reader who leaves the page while it shows a secret, which cannot be shown again.
 * @param {Event} event
 */
function warn(event) {
  event.preventDefault();
}
/** @param {string} text */
function isSetupLink(text) {
  return text.startsWith("qsosync://config?");
}
/**
 * @param {HTMLElement} place
 * @param {Made} made
 */
function showSecret(place, made) {
  const secret = "key" in made ? made.key : made.token;
  const qr = "qr" in made ? made.qr : null;
  const done = element("button", { type: "button", class: "main" }, say("Done"));
  const card = element(
    "section",
    { class: "card secret", "aria-label": say("Shown once") },
    element("h4", { tabindex: "-1" }, say("Copy it now: it is shown this once only")),
    element(
      "p",
      {},
      say(
        "Whoever has it can do with your log what it allows. Give it to the program, and to nobody else.",
      ),
    ),
    element(
      "p",
      { class: "address" },
      element("code", { class: "shown-secret" }, secret),
      " ",
      copyButton(secret),
    ),
    element(
      "p",
      { class: "address" },
      say("Address:"),
      " ",
      element("code", {}, made.address),
      " ",
      copyButton(made.address),
    ),
    qr && element("p", {}, say("A program with a camera can read both from here:")),
    qr && qrOf(qr, say("QR code with address and key")),
    qr && isSetupLink(qr.text)
      ? element(
          "p",
          {},
          element("a", { class: "button", href: qr.text }, say("Set up a program on this device")),
        )
      : null,
    element("p", {}, done),
  );
  window.addEventListener("beforeunload", warn);
  done.addEventListener("click", () => {
    window.removeEventListener("beforeunload", warn);
    card.remove();
    place.querySelector("h3")?.focus();
  });
  place.querySelector(".once")?.replaceChildren(card);
  card.querySelector("h4")?.focus();
}

/**
 * @param {Credential} item
 * @param {(item: Credential) => void} revoke
 */
function rowOf(item, revoke) {
  const scope =
    item.scope === "WRITE" ? say("read and write") : item.scope === "READ" ? say("read") : null;
  const made = say("made on {day}", { day: day(item.createdAt) });
  const used = item.lastUsedOn
    ? say("last used on {day}", { day: day(item.lastUsedOn) })
    : say("never used");
  return element(
    "li",
    {},
    element(
      "div",
      { class: "row" },
      element(
        "div",
        {},
        element(
          "div",
          { class: "name" },
          element("strong", {}, typed(item.name)),
          scope ? element("span", { class: "tag" }, scope) : null,
        ),
        element(
          "small",
          { class: "muted parts" },
          element("code", {}, `${item.hint}…`),
          " · ",
          element("span", {}, made),
          " · ",
          element("span", {}, used),
        ),
      ),
      element(
        "button",
        {
          type: "button",
          class: "danger",
          "aria-label": `${say("Revoke")}: ${item.name}`,
          click: () => revoke(item),
        },
        say("Revoke"),
      ),
    ),
    refusalOf(item),
  );
}

/**
 * A list with its form in an element that stays; `allowed`: whether more can be made.
 * @param {"keys" | "tokens"} name
 * @param {boolean} allowed
 */
function createList(name, allowed) {
  const kind = KINDS[name];
  const place = find(name);
  const items = element("ul", { class: "items" });
  const count = element("p", { class: "muted" });
  const trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  let suggested = "";
  const nameField = element("input", { maxlength: "80", required: true, autocomplete: "off" });
  const scopeField =
    name === "keys"
      ? element(
          "select",
          {},
          element("option", { value: "WRITE" }, say("read and write")),
          element("option", { value: "READ" }, say("read")),
        )
      : null;
  const button = element("button", { class: "main" }, say(kind.form));
  const form = element(
    "form",
    { class: "fields", hidden: !allowed },
    element("label", {}, element("span", {}, say("Name, such as the program's")), nameField),
    scopeField
      ? element("label", {}, element("span", {}, say("The program may")), scopeField)
      : null,
    button,
  );
  place.replaceChildren(
    element("h3", { tabindex: "-1" }, say(kind.title)),
    items,
    count,
    trouble,
    form,
    element("div", { class: "once" }),
  );

  /** @type {(refusal: unknown) => void} */
  const tell = (refusal) => {
    trouble.hidden = refusal === null;
    trouble.textContent = refusal ? explain(refusal) : "";
  };
  async function refresh() {
    const list = await get(name);
    items.replaceChildren(...list.items.map((item) => rowOf(item, revoke)));
    const isFull = list.items.length >= list.max;
    count.textContent = !list.items.length
      ? say(kind.none)
      : isFull
        ? say(kind.full, { n: list.max })
        : say(kind.used, { n: list.items.length, max: list.max });
    // A name to begin with: nobody has to think of one for the first program.
    const isSuggested = nameField.value === suggested;
    suggested = say("Program {n}", { n: list.items.length + 1 });
    if (isSuggested || !nameField.value) nameField.value = suggested;
    for (const field of [nameField, scopeField, button]) if (field) field.disabled = isFull;
  }
  /** @param {Credential} item */
  async function revoke(item) {
    if (
      !(await confirmed(say(kind.asks), [typed(item.name), ". ", say(kind.follows)], say("Revoke")))
    )
      return;
    try {
      await change(`${name}/${item.number}/revoke`);
      tell(null);
      await refresh();
      place.querySelector("h3")?.focus();
    } catch (refusal) {
      tell(refusal);
    }
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      const made = await change(name, {
        name: nameField.value,
        ...(scopeField ? { scope: scopeField.value } : {}),
      });
      tell(null);
      nameField.value = "";
      showSecret(place, made);
      await refresh();
    } catch (refusal) {
      button.disabled = false;
      tell(refusal);
    }
  });
  return refresh();
}

/** @param {import("./answers.js").Member} member */
export async function showAccess(member) {
  find("address").textContent = member.address;
  find("address-copy").replaceChildren(copyButton(member.address));
  const uploads = member.uploadAddress;
  find("uploads-off").hidden = uploads !== null;
  find("upload-place").hidden = uploads === null;
  if (uploads !== null) {
    find("upload-address").textContent = uploads;
    find("upload-copy").replaceChildren(copyButton(uploads));
  }
  await Promise.all([createList("keys", true), createList("tokens", uploads !== null)]);
}
