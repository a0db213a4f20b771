// Creates the form "Try it" in the API description. The form sends a GET request to this service,
// with a READ key that the reader types, or with the key of a sandbox. The key is only in this
// page's memory.
import { element } from "../../shared/page.js";
import { say } from "../../shared/language.js";

const API = "../api/v1";
const SHOWN_MAX = 20000; // maximum number of characters shown
const HEADERS = ["Content-Type", "ETag", "Link", "Retry-After", "X-Log-Epoch", "X-Next-Before"];

const OF_SANDBOX = "qsosync_sandbox"; // beginning of a sandbox's key

let key = ""; // the last key whose scope was READ, or the key of a sandbox

/**
 * @param {string} path
 * @param {string} typed
 */
function ask(path, typed) {
  /** @type {Record<string, string>} */
  const headers = typed ? { Authorization: `Bearer ${typed}` } : {};
  return fetch(API + path, { headers, cache: "no-store", credentials: "omit" });
}
/**
 * Returns a message if the key can write, otherwise an empty text.
 * @param {string} typed @returns {Promise<string>}
 */
async function refuseKey(typed) {
  if (typed === key) return "";
  const answer = await ask("/me", typed);
  if (answer.ok && (await answer.json()).scope !== "READ" && !typed.startsWith(OF_SANDBOX))
    return say("This key can write. Use a READ key here.");
  if (answer.ok) key = typed;
  return "";
}
/** @param {string} path @param {Response} answer */
async function textOf(path, answer) {
  const { pathname, search } = new URL(API + path, location.href);
  const names = HEADERS.filter((name) => answer.headers.has(name));
  const text = await answer.text();
  let body = text;
  try {
    body = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    /* bodies that are not JSON are not formatted */
  }
  return [
    `GET ${pathname}${search}`,
    `${answer.status} ${answer.statusText}`,
    ...names.map((name) => `${name}: ${answer.headers.get(name)}`),
    "",
    body.length > SHOWN_MAX ? `${body.slice(0, SHOWN_MAX)}…` : body,
  ].join("\n");
}
/** Creates a sandbox. @returns {Promise<string>} its key */
async function makeSandbox() {
  const answer = await fetch("sandbox", { method: "POST" });
  if (!answer.ok) throw new Error(`no sandbox: ${answer.status}`);
  return (await answer.json()).key;
}
/**
 * Returns a button that creates a sandbox, puts its key into the field, and shows the key.
 * @param {HTMLInputElement} secret
 */
function sandboxOf(secret) {
  const said = element("p", { role: "status" });
  async function click() {
    button.disabled = true;
    try {
      secret.value = key = await makeSandbox();
      const what = say("A WRITE key for a log of your own, which is deleted after a day:");
      said.replaceChildren(what, " ", element("code", {}, key));
    } catch {
      said.textContent = say("All sandboxes are in use. Please try again later.");
    }
    button.disabled = false;
  }
  const button = element("button", { type: "button", click }, say("Get a sandbox"));
  return [button, said];
}
/** @param {string} path as in the description, such as /logs/{clientId} */
export function formOf(path) {
  const target = element("input", { value: path === "/logs" ? `${path}?limit=2` : path });
  const secret = element("input", { type: "password", autocomplete: "off", value: key });
  const shown = element("code");
  const answer = element("pre", { tabindex: "0", hidden: true }, shown);
  async function send(/** @type {Event} */ event) {
    event.preventDefault();
    const wanted = target.value.trim();
    const typed = secret.value.trim();
    try {
      shown.textContent =
        (await refuseKey(typed)) || (await textOf(wanted, await ask(wanted, typed)));
    } catch {
      shown.textContent = say("The service can't be reached. Please try again.");
    }
    answer.hidden = false;
  }
  return element(
    "form",
    { class: "card", submit: send },
    element("label", {}, say("Path and query"), " ", target),
    " ",
    element("label", {}, say("READ key"), " ", secret),
    " ",
    element("button", {}, say("Send")),
    " ",
    ...(document.querySelector("[data-sandbox]") ? sandboxOf(secret) : []),
    element(
      "p",
      { class: "muted" },
      say("The key stays on this page and is forgotten when you leave."),
    ),
    answer,
  );
}
