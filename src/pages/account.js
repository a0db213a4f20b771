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
/** @param {string} callsign empty: nobody is signed in */
export function rememberMember(callsign) {
  try {
    if (callsign) localStorage.setItem(NAME, callsign);
    else localStorage.removeItem(NAME);
  } catch {
    /* a browser that stores nothing shows "Sign in" on files */
  }
}

/** @param {HTMLAnchorElement} link to the page that signs in */
function showSignOut(link) {
  const form = document.createElement("form");
  form.id = link.id;
  form.className = link.className;
  form.method = "post";
  form.action = link.href.replace(/sign-in$/, "sign-out");
  const button = document.createElement("button");
  button.textContent = "Sign out";
  button.dataset.say = "";
  form.append(button);
  link.replaceWith(form);
}
const account = document.getElementById("account");
if (account) {
  if (account.dataset.member !== undefined) rememberMember(account.dataset.member);
  else if (account instanceof HTMLAnchorElement && lastMember()) showSignOut(account);
}
// If the other module does not load, signing out goes on without its question.
addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.id !== "account") return;
  event.preventDefault();
  const signOut = import("./sign-out.js").then((module) => module.signOut(form));
  signOut.catch(() => form.submit());
});
