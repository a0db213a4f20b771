// Shows a new key or token once, with links and QR codes that transfer the secret to a program on
// this or another device.
import { element, typed } from "../../shared/page.js";
import { copyButton } from "../../shared/lists.js";
import { askBeforeLeaving, letLeave } from "../site/unsaved-warning.js";
import { qrOf } from "../../shared/qr.js";
import { get } from "../../shared/service.js";
import { say } from "../../shared/language.js";

/** @import { MadeKey, MadeToken, QrCode } from "../types.js" */
/** @typedef {MadeKey | MadeToken} Made */

const REASON = "a secret that is shown once";
const LOOK_MS = 4000;

/** @param {string} text */
function lineOf(text) {
  return [element("code", {}, text), " ", copyButton(text)];
}
/**
 * Returns a button that shares a link with another program or a nearby device; null if the browser
 * does not support sharing.
 * @param {ShareData} what
 */
function shareButton(what) {
  if (!navigator.share) return null;
  const button = element("button", { type: "button" }, say("Share"));
  button.addEventListener("click", () => {
    navigator.share(what).catch(() => {}); // the reader has cancelled sharing
  });
  return button;
}
/** @param {QrCode} qr contains the address and the key */
function partsOfSetup(qr) {
  return [
    element(
      "p",
      {},
      say("Some programs scan this setup code. In others, enter the address and the key:"),
    ),
    qrOf(qr, say("QR code with address and key")),
    element(
      "p",
      { class: "buttons" },
      element("a", { class: "button", href: qr.text }, say("Set up a program on this device")),
      shareButton({ text: qr.text }),
    ),
  ];
}
/** @param {QrCode} qr contains PoLo's address */
function partsOfPolo(qr) {
  return [
    element(
      "p",
      {},
      say(
        "In PoLo, type DEVMODE into the callsign field. Then enter this address as a custom server, in the settings of its sync:",
      ),
    ),
    qrOf(qr, say("QR code with the address")),
  ];
}
/**
 * Returns a foldable part with the link to the app. The link's QR code is drawn only while the part
 * is open, because two codes next to each other confuse cameras.
 * @param {QrCode} qr contains the link to the app
 * @param {boolean} isOpen
 */
function partsOfApp(qr, isOpen) {
  const place = element("div");
  const details = element(
    "details",
    { class: "open-app", open: isOpen },
    element("summary", {}, say("Open in the app")),
    element("p", {}, say("The app logs QSOs, online and offline.")),
    element(
      "p",
      { class: "buttons" },
      element(
        "a",
        { class: "button", href: qr.text, target: "_blank", rel: "noopener noreferrer" },
        say("Open it on this device"),
      ),
      shareButton({ url: qr.text }),
    ),
    element("p", {}, say("On another device, scan this with the camera:")),
    place,
  );
  const draw = () => {
    place.replaceChildren(...(details.open ? [qrOf(qr, say("QR code that opens the app"))] : []));
  };
  details.addEventListener("toggle", draw);
  draw();
  return details;
}
/**
 * Returns a line that waits for the program's first request. The line stops waiting when it is
 * removed from the page.
 * @param {"keys" | "tokens"} kind
 * @param {string} number of the key or token
 */
function waitingLine(kind, number) {
  const text = element("span", {}, say("Waiting for the first request of the program …"));
  const line = element("p", { class: "muted", role: "status" }, text);
  const look = setInterval(async () => {
    if (!line.isConnected) return clearInterval(look);
    if (document.hidden) return;
    const { items } = await get(kind).catch(() => ({ items: [] }));
    const made = items.find((one) => one.number === number);
    if (!made?.lastUsedOn || !line.isConnected) return;
    clearInterval(look);
    line.className = "good";
    text.replaceChildren(say("The program is connected:"), " ", typed(made.name));
  }, LOOK_MS);
  return line;
}
/**
 * Shows the secret until the reader closes it. Until then, the page asks for confirmation before
 * the reader leaves the page.
 * @param {HTMLElement} place
 * @param {Made} made
 * @param {boolean} isForApp
 */
export function showSecret(place, made, isForApp) {
  const polo = "token" in made ? made.qr : null;
  const secret = "key" in made ? made.key : polo ? made.address : made.token;
  const { qr, app } = "key" in made ? made : { qr: null, app: null };
  const done = element("button", { type: "button", class: "main" }, say("Done"));
  const opening = app && partsOfApp(app, isForApp);
  const card = element(
    "section",
    { class: "card secret", "aria-label": say("Shown once") },
    element("h3", { tabindex: "-1" }, say("Copy it now. It is shown only once.")),
    element(
      "p",
      {},
      say("Anyone who has it gets the same access to your log. Give it only to the program."),
    ),
    isForApp ? opening : null,
    element(
      "p",
      { class: "address" },
      element("code", { class: "shown-secret" }, secret),
      " ",
      copyButton(secret),
    ),
    polo ? null : element("p", { class: "address" }, say("Address:"), " ", ...lineOf(made.address)),
    ...(polo ? partsOfPolo(polo) : []),
    ...(qr && !isForApp ? partsOfSetup(qr) : []),
    isForApp ? null : opening,
    waitingLine("key" in made ? "keys" : "tokens", made.number),
    element("p", {}, done),
  );
  askBeforeLeaving(REASON);
  done.addEventListener("click", () => {
    letLeave(REASON);
    card.remove();
    place.querySelector("h3")?.focus();
  });
  place.querySelector(".once")?.replaceChildren(card);
  card.querySelector("h3")?.focus();
}
