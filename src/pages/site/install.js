// Offers to install the app, on pages that lead to it: by the browser's own question where it asks
// one, and otherwise by a sentence about how this browser does it.
import { element } from "./page.js";
import { say } from "./language.js";

const MENU = "Use the browser's menu to install the app or to add it to the home screen.";
/** @type {Event | null} the browser's question, which the page may ask when the reader wishes */
let question = null;
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  question = event;
});

// How it is done where no page can ask for it; the first row that fits the browser counts.
/** @type {[RegExp, string][]} */
const WAYS = [
  [/iPhone|iPad/, "On an iPhone or iPad: open the app, then Share, then Add to Home Screen."],
  [/Android.*Firefox|Firefox.*Android/, "In Firefox: open the app, then the menu, then Install."],
  [/Firefox/, "Firefox can't install apps on this system. Use a bookmark instead."],
  [/Macintosh.*Version\/.*Safari/, "In Safari: open the app, then File, then Add to Dock."],
];

/**
 * How this browser installs the app, in a sentence that say() knows.
 * @param {string} userAgent
 * @param {boolean} isSecure whether the page is in a secure context
 */
function wayToInstall(userAgent, isSecure) {
  if (!isSecure) return "The app can be installed only if its address starts with https.";
  return WAYS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? MENU;
}

/**
 * Fills a place with the button, or the sentence; with nothing in the installed app.
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
