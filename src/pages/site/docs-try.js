// The form behind "Try it" in the description of the API: sends a GET request to this service, by a
// READ key that the reader types. The key stays in this page, and is gone with it.
import { element } from "./page.js";
import { say } from "./language.js";

const API = "../api/v1";
const SHOWN_MAX = 20000; // characters of a body
const HEADERS = ["Content-Type", "ETag", "Link", "Retry-After", "X-Log-Epoch", "X-Next-Before"];

let key = ""; // that is known to be a READ key

/**
 * @param {string} path
 * @param {string} typed
 */
function ask(path, typed) {
  /** @type {Record<string, string>} */
  const headers = typed ? { Authorization: `Bearer ${typed}` } : {};
  return fetch(API + path, { headers, cache: "no-store", credentials: "omit" });
}
/** @param {string} typed @returns {Promise<string>} why it is not used; empty: it is */
async function refuseKey(typed) {
  if (typed === key) return "";
  const answer = await ask("/me", typed);
  if (answer.ok && (await answer.json()).scope !== "READ")
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
    /* no JSON is shown as it is */
  }
  return [
    `GET ${pathname}${search}`,
    `${answer.status} ${answer.statusText}`,
    ...names.map((name) => `${name}: ${answer.headers.get(name)}`),
    "",
    body.length > SHOWN_MAX ? `${body.slice(0, SHOWN_MAX)}…` : body,
  ].join("\n");
}
/** @param {string} path as the description has it, such as /logs/{clientId} */
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
    element(
      "p",
      { class: "muted" },
      say("The key stays on this page and is forgotten when you leave."),
    ),
    answer,
  );
}
