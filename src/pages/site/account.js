// The way to sign in or out, in the head of each page. Pages that the program makes know who is
// signed in; the others, which are files, go by what the last one of those said. It is a hint and
// no more: the service alone decides who is signed in.
const NAME = "qsosync-member";

/** The callsign of who was signed in here last; empty: nobody. */
export function lastMember() {
  try {
    return localStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
}
/**
 * @param {string} name
 * @param {string} value empty: none is kept
 */
function keep(name, value) {
  try {
    if (value) localStorage.setItem(name, value);
    else localStorage.removeItem(name);
  } catch {
    /* a browser that stores nothing shows "Sign in" on files, and them blue */
  }
}
/** @param {boolean} are whether the member operates stations, which the app offers then */
export function rememberStations(are) {
  keep("qsosync-operates", are ? "1" : "");
}
/** @param {string} callsign empty: nobody is signed in */
export function rememberMember(callsign) {
  keep(NAME, callsign);
  if (!callsign) rememberStations(false);
}

/**
 * The menu as the program makes it for who is signed in.
 * @param {HTMLAnchorElement} link to the page that signs in
 */
function showMenu(link) {
  const [menu, name, body, own, form, button] = [
    "details",
    "summary",
    "div",
    "a",
    "form",
    "button",
  ].map((kind) => document.createElement(kind));
  menu.className = "menu";
  name.textContent = lastMember();
  own.setAttribute("href", link.href.replace(/sign-in$/, "profile/#account"));
  own.textContent = "Account";
  menu.id = link.id;
  form.setAttribute("method", "post");
  form.setAttribute("action", link.href.replace(/sign-in$/, "sign-out"));
  button.textContent = "Sign out";
  own.dataset.say = button.dataset.say = "";
  form.append(button);
  body.append(own, form, ...document.querySelectorAll(".top .language"));
  menu.append(name, body);
  link.replaceWith(menu);
}
const account = document.getElementById("account");
if (account) {
  if (account.dataset.member !== undefined) {
    rememberMember(account.dataset.member);
    // For the pages that are files, the app among them (page.js).
    keep("qsosync-accent", document.documentElement.dataset.accent ?? "");
  } else if (account instanceof HTMLAnchorElement && lastMember()) showMenu(account);
}
// Another tab has signed out: what this one shows, and its address, are that member's.
const shown = account && lastMember();
addEventListener("storage", ({ key, newValue }) => {
  if (key === NAME && shown && newValue !== shown) location.replace(location.pathname);
});
// A touch beside the menu closes it, and so does Escape.
/** @param {Event} event */
function closeMenu(event) {
  const menu = document.querySelector("#account.menu");
  const isKey = event instanceof KeyboardEvent;
  if (!menu?.hasAttribute("open") || (isKey && event.key !== "Escape")) return;
  if (!isKey && menu.contains(/** @type {Node} */ (event.target))) return;
  menu.removeAttribute("open");
  if (isKey) menu.querySelector("summary")?.focus();
}
addEventListener("click", closeMenu);
addEventListener("keydown", closeMenu);
// If the other module does not load, signing out goes on without its question.
addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.closest("#account")) return;
  event.preventDefault();
  const signOut = import("./sign-out.js").then((module) => module.signOut(form));
  signOut.catch(() => form.submit());
});
