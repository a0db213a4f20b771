// The section Keys and programs: keys for programs and tokens for uploads. Both are lists with a
// form that makes one more; a secret is shown once, in the answer that made it.
import { age, copyButton, day, element, find, hour, typed } from "./page.js";
import { itemOf, nameOf } from "./lists.js";
import { Refusal, change, explain, get } from "./service.js";
import { offerInstall } from "./install.js";
import { REJECTIONS } from "./rejections.js";
import { showSecret } from "./made-key.js";
import { confirmed } from "./dialog.js";
import { say } from "./language.js";

/**
 * @typedef {import("./answers.js").Credential} Credential
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
    gone: "This key was revoked before.",
  },
  tokens: {
    title: "Your upload tokens",
    none: "No upload tokens yet.",
    form: "Make an upload token",
    full: "{n} tokens are the most. Revoke one, and you can make another.",
    used: "{n} of {max} tokens",
    asks: "Revoke this token?",
    follows: "The program that uses it cannot upload any more. This cannot be undone.",
    gone: "This token was revoked before.",
  },
};

/**
 * @param {Credential} item
 * @param {(item: Credential) => void} revoke
 */
function rowOf(item, revoke) {
  const scope =
    item.scope === "WRITE"
      ? say("read and write")
      : item.scope === "READ"
        ? say("read")
        : item.mayRead
          ? say("may read your log, too")
          : null;
  const made = say("made on {day}", { day: day(item.createdAt) });
  const used = item.lastUsedOn
    ? say("last used on {day}", { day: day(item.lastUsedOn) })
    : say("never used");
  return itemOf(
    nameOf(item.name, scope),
    [element("code", {}, `${item.hint}…`), made, used],
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
    refusalOf(item),
  );
}

// What a key can be for, what it has to be allowed for that, and the name that it is offered.
const PURPOSES = [
  { title: "A logging program", scope: "WRITE", name: "Program {n}", isForApp: false },
  { title: "The app, on a phone or a computer", scope: "WRITE", name: "App {n}", isForApp: true },
  { title: "What only reads the log", scope: "READ", name: "Reader {n}", isForApp: false },
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
    element("p", { id: "purposes-title", class: "muted" }, say("What the key is for")),
    element("div", { class: "buttons" }, ...buttons),
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
  let [purpose] = PURPOSES;
  let length = 0;
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
  const readField = name === "tokens" ? element("input", { type: "checkbox" }) : null;
  // Until the list is there, which suggests the name: without one a click would do nothing.
  const button = element("button", { class: "main", disabled: true }, say(kind.form));
  const purposes = scopeField
    ? createPurposes((chosen) => {
        purpose = chosen;
        scopeField.value = purpose.scope;
        suggestName();
      })
    : null;
  const form = element(
    "form",
    { class: "fields", hidden: !allowed },
    element("label", {}, element("span", {}, say("Name, such as the program's")), nameField),
    scopeField
      ? element("label", {}, element("span", {}, say("The program may")), scopeField)
      : null,
    readField
      ? element(
          "label",
          { class: "check" },
          readField,
          element("span", {}, say("The program may read your log, too")),
        )
      : null,
    button,
  );
  place.replaceChildren(
    element("h3", { tabindex: "-1" }, say(kind.title)),
    items,
    count,
    trouble,
    ...(purposes ? [purposes] : []),
    form,
    element("div", { class: "once" }),
  );

  /** @type {(refusal: unknown) => void} */
  const tell = (refusal) => {
    trouble.hidden = refusal === null;
    trouble.textContent = refusal ? explain(refusal) : "";
  };
  // A name to begin with: nobody has to think of one for the first program.
  function suggestName() {
    const isSuggested = nameField.value === suggested;
    suggested = say(purpose.name, { n: length + 1 });
    if (isSuggested || !nameField.value) nameField.value = suggested;
  }
  async function refresh() {
    const list = await get(name);
    items.replaceChildren(...list.items.map((item) => rowOf(item, revoke)));
    const isFull = list.items.length >= list.max;
    count.textContent = !list.items.length
      ? say(kind.none)
      : isFull
        ? say(kind.full, { n: list.max })
        : say(kind.used, { n: list.items.length, max: list.max });
    length = list.items.length;
    suggestName();
    for (const field of [nameField, scopeField, readField, button])
      if (field) field.disabled = isFull;
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
    } catch (refusal) {
      // In another tab, or by an operator: what the reader wants has been done.
      const isGone = refusal instanceof Refusal && refusal.status === 404;
      tell(isGone ? null : refusal);
      if (!isGone) return;
      trouble.hidden = false;
      trouble.textContent = say(kind.gone);
    }
    await refresh().catch(tell);
    place.querySelector("h3")?.focus();
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      const made = await change(name, {
        name: nameField.value,
        ...(scopeField ? { scope: scopeField.value } : {}),
        ...(readField ? { mayRead: readField.checked } : {}),
      });
      tell(null);
      nameField.value = "";
      if (readField) readField.checked = false;
      showSecret(place, made, purpose.isForApp);
      await refresh();
    } catch (refusal) {
      button.disabled = false;
      tell(refusal);
    }
  });
  // What was made or revoked in another tab meanwhile.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) refresh().catch(() => {});
  });
  return refresh();
}

/** What a cluster program sends so that it gets only spots that are new in this log. */
async function showFeedLine() {
  const node = find("feed-line");
  node.hidden = false;
  try {
    const { code } = await change("feed-code");
    node.textContent = `set/new ${code}`;
    find("feed-copy").replaceChildren(copyButton(node.textContent));
  } catch (refusal) {
    node.textContent = explain(refusal);
  }
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
  find("feed-show").addEventListener("click", () => showFeedLine());
  offerInstall(find("install"));
  await Promise.all([createList("keys", true), createList("tokens", uploads !== null)]);
}
