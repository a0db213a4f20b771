// Shows a new key or token once, with its address, its QR code and the steps for the program.
import { element, oneAtATime, typed } from "../../shared/page.js";
import { copyButton } from "../../shared/lists.js";
import { confirmed } from "../../shared/dialog.js";
import { askBeforeLeaving, letLeave } from "../site/unsaved-warning.js";
import { qrOf } from "../../shared/qr.js";
import { get } from "../../shared/service.js";
import { say } from "../../shared/language.js";

/** @import { Made, Program } from "./key-programs.js" */
/** @import { QrCode } from "../types.js" */

const REASON = "a secret that is shown once";
const LOOK_MS = 4000;

/**
 * @param {string} label
 * @param {string} text
 * @param {string} kind a class of the text
 * @param {() => void} [copied]
 */
function lineOf(label, text, kind, copied) {
  return element(
    "div",
    {},
    element("small", {}, label),
    element(
      "p",
      { class: "address" },
      element("code", { class: kind }, text),
      " ",
      copyButton(text, "Copy", copied),
    ),
  );
}
/**
 * Returns a button that shares a link with another program or a nearby device; null if the browser
 * does not support sharing.
 * @param {ShareData} what
 * @param {() => void} shared
 */
function shareButton(what, shared) {
  if (!navigator.share) return null;
  const button = element("button", { type: "button" }, say("Share"));
  button.addEventListener("click", () => {
    navigator.share(what).then(shared, () => {}); // the reader can cancel sharing
  });
  return button;
}
/**
 * Returns whether a program has used the key or token.
 * @param {"keys" | "tokens"} kind
 * @param {string} number of the key or token
 */
async function isUsed(kind, number) {
  const { items } = await get(kind).catch(() => ({ items: [] }));
  return items.some((one) => one.number === number && one.lastUsedOn);
}
/**
 * Returns a line that waits for the program's first request. The line stops waiting when it is
 * removed from the page.
 * @param {"keys" | "tokens"} kind
 * @param {string} number of the key or token
 * @param {string} name
 * @param {() => void} connected
 */
function waitingLine(kind, number, name, connected) {
  const text = element("span", {}, say("Waiting for the first request of the program …"));
  const line = element("p", { class: "muted", role: "status" }, text);
  const look = setInterval(async () => {
    if (!line.isConnected) return clearInterval(look);
    if (document.hidden) return;
    if (!(await isUsed(kind, number)) || !line.isConnected) return;
    clearInterval(look);
    line.className = "good";
    text.replaceChildren(say("The program is connected:"), " ", typed(name));
    connected();
  }, LOOK_MS);
  return line;
}
/**
 * Returns a link and a button that pass the content of a QR code on without a camera.
 * @param {QrCode} qr
 * @param {boolean} isForApp
 * @param {() => void} used
 */
function linksOf({ text }, isForApp, used) {
  return element(
    "p",
    { class: "buttons" },
    element(
      "a",
      {
        class: "button",
        href: text,
        click: used,
        ...(isForApp ? { target: "_blank", rel: "noopener noreferrer" } : {}),
      },
      isForApp ? say("Open it on this device") : say("Set up a program on this device"),
    ),
    shareButton(isForApp ? { url: text } : { text }, used),
  );
}
/**
 * Returns the QR code of a secret, next to the steps for the program. The QR code of the app's key
 * opens the app.
 * @param {Made} made
 * @param {Program} program
 * @param {() => void} used called when the reader has passed the secret on
 */
function waysOf(made, { name, scope, isForApp = false, help, docs }, used) {
  const isKey = "key" in made;
  const qr = isKey && isForApp ? made.app : made.qr;
  const content = isForApp
    ? say("QR code that opens the app")
    : isKey
      ? say("QR code with address and key")
      : say("QR code with the address");
  return element(
    "div",
    { class: "how" },
    qr ? qrOf(qr, content) : null,
    element(
      "div",
      {},
      element("h3", {}, name),
      element("p", { class: "muted" }, ...help(made)),
      docs
        ? element(
            "p",
            {},
            element("a", { href: `../docs/${docs}`, target: "_blank" }, say("Documentation")),
          )
        : null,
      qr && isKey && (isForApp || !scope) ? linksOf(qr, isForApp, used) : null,
    ),
  );
}
/**
 * Shows a secret until the reader closes it. If the reader has not copied or used the secret, the
 * page asks before it removes the secret. The browser asks before the reader leaves the page.
 * Returns a function that closes the secret, and resolves to whether the secret is closed.
 * @param {HTMLElement} place
 * @param {Made} made
 * @param {Program} program
 * @param {string} name of the key or token
 * @param {() => void} closed
 * @param {() => void} revoke
 */
export function showSecret(place, made, program, name, closed, revoke) {
  const isKey = "key" in made;
  const kind = isKey ? "keys" : "tokens";
  const { addressOf = (/** @type {string} */ address) => address } = program;
  const secret = isKey ? made.key : program.isPolo ? made.address : made.token;
  let isSafe = false;
  const used = () => {
    isSafe = true;
  };
  async function close() {
    if (
      card.isConnected &&
      !isSafe &&
      !(await isUsed(kind, made.number)) &&
      !(await confirmed(
        say("Close it without a copy?"),
        [say("It is not shown again. Without a copy, no program can use it.")],
        say("Close"),
      ))
    )
      return false;
    letLeave(REASON);
    card.remove();
    closed();
    return true;
  }
  const label = isKey ? say("Key") : program.isPolo ? say("Address") : say("Token");
  const card = element(
    "section",
    { class: "secret", "aria-label": say("Shown once"), copy: used },
    element("h3", { tabindex: "-1", class: "note" }, say("Copy it now. It is shown only once.")),
    element(
      "p",
      { class: "muted" },
      say("Anyone who has it gets the same access to your log. Give it only to the program."),
    ),
    lineOf(label, secret, "shown-secret", used),
    program.isPolo ? null : lineOf(say("Address"), addressOf(made.address), ""),
    waysOf(made, program, used),
    waitingLine(kind, made.number, name, used),
    element(
      "div",
      { class: "foot buttons" },
      element("button", { type: "button", class: "main", click: oneAtATime(close) }, say("Done")),
      element("button", { type: "button", click: revoke }, say("Revoke")),
    ),
  );
  askBeforeLeaving(REASON);
  place.replaceChildren(card);
  card.querySelector("h3")?.focus();
  return close;
}
