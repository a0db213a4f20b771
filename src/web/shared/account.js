// Shows the sign-in link or the account menu in the head of each page. Pages that the service
// creates contain the signed-in member. Static pages show the member whose name this browser stored
// last. That name is only a hint, because only the service decides who is signed in.
const NAME = "qsosync-member";
// The name in the head of static pages, which do not contain the club's name.
export const NAMELESS = "QSOsync";

/** Returns the callsign of the member who is probably signed in; empty: nobody. */
export function lastMember() {
  try {
    return localStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
}
/**
 * @param {string} name
 * @param {string} value empty: removes the stored value
 */
function keep(name, value) {
  try {
    if (value) localStorage.setItem(name, value);
    else localStorage.removeItem(name);
  } catch {
    /* if the browser stores nothing, static pages show "Sign in" and the default colours */
  }
}
/**
 * @param {boolean} are whether the member operates stations; the app then offers the stations' logs
 */
export function rememberStations(are) {
  keep("qsosync-operates", are ? "1" : "");
}
/** @param {string} callsign empty: nobody is signed in */
export function rememberMember(callsign) {
  keep(NAME, callsign);
  if (!callsign) rememberStations(false);
}

/**
 * Replaces the sign-in link with a menu like that on the pages that the service creates for
 * members.
 * @param {HTMLAnchorElement} link the sign-in link
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
  own.setAttribute("href", link.href.replace(/sign-in$/, "profile/#profile"));
  own.textContent = "Profile";
  own.className = "of-row";
  menu.id = link.id;
  form.setAttribute("method", "post");
  form.setAttribute("action", link.href.replace(/sign-in$/, "sign-out"));
  button.textContent = "Sign out";
  own.dataset.say = button.dataset.say = "";
  form.append(button);
  body.append(own, ...document.querySelectorAll(".top .language"), form);
  menu.append(name, body);
  link.replaceWith(menu);
}
const account = document.getElementById("account");
if (account) {
  if (account.dataset.member !== undefined) {
    rememberMember(account.dataset.member);
    // The accent and the club's name are stored for page.js, which uses them on static pages and in
    // the app.
    keep("qsosync-accent", document.documentElement.dataset.accent ?? "");
    const club = document.querySelector(".brand bdi")?.textContent ?? "";
    keep("qsosync-club", club === NAMELESS ? "" : club);
  } else if (account instanceof HTMLAnchorElement && lastMember()) showMenu(account);
}
// If another tab has signed this page's member out, the page's content and address still belong to
// that member. So the page is loaded again, without the query and the fragment in its address.
const shown = account && lastMember();
addEventListener("storage", ({ key, newValue }) => {
  if (key === NAME && shown && newValue !== shown) location.replace(location.pathname);
});
// Closes the menu after a click outside the menu, or after Escape.
/** @param {Event} event */
function closeMenu(event) {
  const menu = document.querySelector(".top .menu");
  const isKey = event instanceof KeyboardEvent;
  if (!menu?.hasAttribute("open") || (isKey && event.key !== "Escape")) return;
  if (!isKey && menu.contains(/** @type {Node} */ (event.target))) return;
  menu.removeAttribute("open");
  if (isKey) menu.querySelector("summary")?.focus();
}
addEventListener("click", closeMenu);
addEventListener("keydown", closeMenu);
// If sign-out.js does not load, the form is submitted without the question about the app's log.
addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!/\/sign-out$/.test(form.action)) return;
  event.preventDefault();
  const signOut = import("./sign-out.js").then((module) => module.signOut(form));
  signOut.catch(() => form.submit());
});
