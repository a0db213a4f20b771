// Shows the sign-in link or the account menu in the head of each page. Pages that the service
// creates contain the signed-in member. Static pages show the member whose name this browser stored
// last. That name is only a hint, because only the service decides who is signed in.
const NAME = "qsosync-member";
const STATIONS = "qsosync-operates";
const OPERATOR = "qsosync-operator";
// The name in the head of static pages, which are the same for all clubs.
export const NAMELESS = "QSOsync";

/** @param {string} name */
function kept(name) {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}
/** Returns the callsign of the member who is probably signed in; empty if nobody is. */
export const lastMember = () => kept(NAME);
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
 * @param {string[]} callsigns of the stations that the member operates. The app and the account
 *   menu then offer the stations' logs.
 */
export function rememberStations(callsigns) {
  keep(STATIONS, callsigns.join(" "));
}
/** Returns whether the member who is probably signed in is probably an operator. */
export const isOperator = () => kept(OPERATOR) !== "";
/** @param {string} callsign empty: nobody is signed in */
export function rememberMember(callsign) {
  if (callsign !== lastMember()) keep(OPERATOR, "");
  keep(NAME, callsign);
  if (!callsign) rememberStations([]);
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
/**
 * Adds links to the member's log and to the stations' logs to the account menu. On the profile,
 * whose-log.js adds these links.
 */
function offerLogs() {
  const menu = document.querySelector("#account > div");
  const profile = menu?.querySelector("a");
  const stations = kept(STATIONS).split(" ").filter(Boolean);
  if (!menu || !profile || !stations.length || profile.pathname === location.pathname) return;
  const title = document.createElement("p");
  title.dataset.say = "";
  title.textContent = "Log as";
  const links = [lastMember(), ...stations].map((callsign, index) => {
    const link = document.createElement("a");
    link.href = profile.pathname + (index ? `?log=${encodeURIComponent(callsign)}` : "");
    if (!index) link.setAttribute("aria-current", "true");
    link.textContent = callsign;
    return link;
  });
  menu.prepend(title, ...links, document.createElement("hr"));
}
const clock = document.getElementById("clock");
function showClock() {
  const zone = document.createElement("small");
  zone.textContent = " UTC";
  clock?.replaceChildren(new Date().toISOString().slice(11, 16), zone);
}
if (clock) {
  showClock();
  setInterval(showClock, 1000);
}
const account = document.getElementById("account");
if (account) {
  if (account.dataset.member !== undefined) {
    rememberMember(account.dataset.member);
    keep(OPERATOR, document.querySelector('.places > [href$="operator/"]') ? "1" : "");
    // The accent and the club's name are stored for page.js, which uses them on static pages and in
    // the app.
    keep("qsosync-accent", document.documentElement.dataset.accent ?? "");
    const club = document.querySelector(".brand bdi")?.textContent ?? "";
    keep("qsosync-club", club === NAMELESS ? "" : club);
  } else if (account instanceof HTMLAnchorElement && lastMember()) showMenu(account);
  offerLogs();
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
