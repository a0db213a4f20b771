// Adds and removes ways for alerts: this browser, a chat service, or another web address.
// A web address receives a text, from a template in which the service replaces {title}, {text} and
// {link}.
import { element, find, typed } from "../../shared/page.js";
import { buttonOf } from "../../shared/lists.js";
import { Question } from "../../shared/parts/question.js";
import { closeSheet, openSheet } from "../../shared/parts/sheet.js";
import { change, remove } from "../../shared/service.js";
import { say } from "../../shared/language.js";
import { explainFault } from "./alert-limits.js";

/** @import { AlertWay, Attributes, RunAlertStep as Run } from "../types.js" */

/**
 * A chat service: the names of its fields, and the function that returns the request to it.
 * @typedef {object} Kind
 * @property {string} name
 * @property {string[]} fields
 * @property {(...values: string[]) => AlertRequest} request
 */
/** @typedef {{address: string, body: string, headers?: string, isPut?: boolean}} AlertRequest */

/** @param {string} host can begin with "https:" @param {...string} path */
function addressOf(host, ...path) {
  const [, rest] = /^(?:https:\/\/)?(.*?)\/*$/.exec(host) ?? [];
  return ["https:", "", rest, ...path].join("/");
}
const LINE = "{title}: {text} {link}";
const AUTHORIZED = "Authorization: Bearer";

/** @type {Record<string, Kind>} */
const KINDS = {
  ntfy: {
    name: "ntfy",
    fields: ["Topic", "Server, if it is not ntfy.sh"],
    request: (topic, server) => ({
      address: addressOf(server || "ntfy.sh"),
      body: JSON.stringify({ topic, title: "{title}", message: "{text}", click: "{link}" }),
    }),
  },
  discord: {
    name: "Discord",
    fields: ["Webhook address"],
    request: (webhook) => ({
      address: addressOf(webhook),
      body: JSON.stringify({ content: LINE }),
    }),
  },
  telegram: {
    name: "Telegram",
    fields: ["Bot token", "Chat ID"],
    request: (token, chat) => ({
      address: addressOf("api.telegram.org", `bot${token}`, "sendMessage"),
      body: JSON.stringify({ chat_id: chat, text: LINE }),
    }),
  },
  gotify: {
    name: "Gotify",
    fields: ["Server", "Application token"],
    request: (server, token) => ({
      address: addressOf(server, "message"),
      headers: `X-Gotify-Key: ${token}`,
      body: JSON.stringify({ title: "{title}", message: "{text} {link}" }),
    }),
  },
  matrix: {
    name: "Matrix",
    fields: ["Server", "Room", "Access token"],
    request: (server, room, token) => ({
      address: addressOf(
        server,
        `_matrix/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.message/{id}`,
      ),
      headers: `${AUTHORIZED} ${token}`,
      isPut: true,
      body: JSON.stringify({ msgtype: "m.text", body: LINE }),
    }),
  },
};

/**
 * Returns the browser's registration of the service worker that shows alerts while no page is open.
 * Throws a sentence if this browser cannot show alerts.
 */
async function workerOfAlerts() {
  if (!("PushManager" in window && navigator.serviceWorker))
    throw say("This browser can't show alerts while it is closed.");
  if ((await Notification.requestPermission()) !== "granted")
    throw say(
      "This browser blocks notifications. Allow them for this page in the browser's settings.",
    );
  // The address has no version, so that an upgrade does not end the subscription.
  const { href } = new URL("../pages/alert-worker.js", location.href);
  return navigator.serviceWorker.register(href);
}
/**
 * Waits until a service worker can receive alerts.
 * @param {ServiceWorkerRegistration} registration
 */
function activeWorker({ active, waiting, installing }) {
  const worker = active ?? waiting ?? installing;
  if (!worker || worker.state === "activated") return Promise.resolve();
  return new Promise((/** @type {(value?: unknown) => void} */ done) =>
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") done();
    }),
  );
}
/** Subscribes this browser to alerts. */
async function subscribe() {
  const registration = await workerOfAlerts();
  const { key } = await change("alert-key");
  await activeWorker(registration);
  const { pushManager } = registration;
  await (await pushManager.getSubscription())?.unsubscribe(); // can be for an earlier key
  const bytes = atob(key.replace(/-/g, "+").replace(/_/g, "/"));
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)),
  });
  const { endpoint, keys } = subscription.toJSON();
  await change("alerts/push", { name: say("Browser"), endpoint, ...keys });
}

/** @param {string} name @param {Attributes} attributes */
function fieldOf(name, attributes = {}) {
  const field = element("input", { autocomplete: "off", spellcheck: "false", ...attributes });
  return {
    field,
    node: element("label", { class: "whole" }, element("span", {}, say(name)), field),
  };
}
/**
 * The fields of a way, and the function that adds the way.
 * @typedef {{body: Node[], add: () => Promise<unknown>}} Form
 */
/** @returns {Form} */
function formOfBrowser() {
  const words = say("This browser shows a notification for each alert, even while it is closed.");
  return { body: [element("p", {}, words)], add: subscribe };
}
/** @param {Kind} kind @returns {Form} */
function formOfKind({ name, fields, request }) {
  const shown = fields.map((field) => fieldOf(field));
  const add = () => {
    const made = request(...shown.map(({ field }) => field.value.trim()));
    return change("alerts/ways", { kind: "WEB", name, format: "JSON", ...made });
  };
  return { body: shown.map(({ node }) => node), add };
}
/** @returns {Form} */
function formOfAddress() {
  const name = fieldOf("Name", { maxlength: 80 });
  const address = fieldOf("Web address", { type: "url" });
  const template = element("textarea", { rows: 4, spellcheck: "false" });
  template.value = LINE;
  const words = say("Text of the request; {words} are replaced", {
    words: "{title}, {text}, {link}",
  });
  const add = () =>
    change("alerts/ways", {
      ...{ kind: "WEB", name: name.field.value, address: address.field.value },
      ...{ format: "TEXT", body: template.value },
    });
  return {
    body: [
      name.node,
      address.node,
      element("label", { class: "whole" }, element("span", {}, words), template),
    ],
    add,
  };
}
/** @param {string} kind */
function formOf(kind) {
  if (kind === "push") return formOfBrowser();
  return kind in KINDS ? formOfKind(KINDS[kind]) : formOfAddress();
}

/**
 * Opens a sheet that adds a way.
 * @param {Run} run
 */
export function addWay(run) {
  const kinds = [
    { value: "push", name: [say("This browser")] },
    ...Object.entries(KINDS).map(([value, { name }]) => ({ value, name: [name] })),
    { value: "web", name: [say("Another web address")] },
  ];
  const place = element("div", { class: "alert-way" });
  const trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  let form = formOf("push");
  const show = () => place.replaceChildren(...form.body);
  const question = new Question(say("Where alerts go"), [], kinds, "push");
  question.node.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    form = formOf(target.value);
    show();
  });
  show();
  const add = async () => {
    trouble.hidden = true;
    try {
      await form.add();
    } catch (refusal) {
      trouble.textContent = typeof refusal === "string" ? refusal : explainFault(refusal);
      trouble.hidden = false;
      return;
    }
    closeSheet();
    await run(async () => {});
  };
  openSheet({
    title: [say("Add")],
    body: [question.node, place, trouble],
    foot: [buttonOf("Add", add, "main")],
    closed: focusTitle,
  });
}
/** @param {boolean} hadFocus */
function focusTitle(hadFocus) {
  if (hadFocus) find("alerts-title").focus();
}
/**
 * Opens a way in a sheet, which can remove the way.
 * @param {AlertWay} way
 * @param {Run} run
 */
export function showWay(way, run) {
  const end = async () => {
    if (await run(() => remove(`alerts/ways/${way.number}`))) closeSheet();
  };
  openSheet({
    title: [typed(way.name)],
    body: [element("p", {}, typed(way.address))],
    foot: [buttonOf("Remove", end, "danger")],
    closed: focusTitle,
  });
}
