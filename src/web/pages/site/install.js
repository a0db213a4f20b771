// Offers to install the app, on pages with a link to the app. Uses the browser's own prompt. If the
// browser does not have a prompt, shows instructions for this browser.
import { element } from "../../shared/page.js";
import { say } from "../../shared/language.js";

const MENU = "Use the browser's menu to install the app or to add it to the home screen.";
/** @type {Event | null} the browser's prompt, shown when the reader presses the button */
let question = null;
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  question = event;
});

// Instructions for browsers without a prompt. The first row that matches is used.
/** @type {[RegExp, string][]} */
const WAYS = [
  [/iPhone|iPad/, "On an iPhone or iPad: open the app, then Share, then Add to Home Screen."],
  [/Android.*Firefox|Firefox.*Android/, "In Firefox: open the app, then the menu, then Install."],
  [/Firefox/, "Firefox can't install apps on this system. Use a bookmark instead."],
  [/Macintosh.*Version\/.*Safari/, "In Safari: open the app, then File, then Add to Dock."],
];

/**
 * Returns instructions for this browser, as a text for say().
 * @param {string} userAgent
 * @param {boolean} isSecure whether the page is in a secure context
 */
function wayToInstall(userAgent, isSecure) {
  if (!isSecure) return "The app can be installed only if its address starts with https.";
  return WAYS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? MENU;
}

/**
 * Shows the button or the instructions in a place, or nothing in the installed app.
 * @param {HTMLElement} place
 */
export function offerInstall(place) {
  if (matchMedia("(display-mode: standalone)").matches) return;
  const way = element(
    "small",
    { class: "muted" },
    say(wayToInstall(navigator.userAgent, isSecureContext)),
  );
  const button = element("button", { type: "button" }, say("Install the app"));
  button.addEventListener("click", () => /** @type {any} */ (question).prompt());
  addEventListener("beforeinstallprompt", () => place.replaceChildren(button));
  place.replaceChildren(question ? button : way);
  place.hidden = false;
  window.addEventListener("appinstalled", () => {
    place.replaceChildren(
      element("small", { role: "status", class: "muted" }, say("The app is installed.")),
    );
  });
}
