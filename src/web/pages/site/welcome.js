// Reads the token from the part after the # in a link, because no log and no other site receives
// that part. Signs in only after a click, because mail scanners also open links and run the scripts
// of pages. Removes the token from the address before importing other modules.
const token = location.hash.slice(1);
history.replaceState(null, "", location.pathname);

const { element, find, input, typed } = await import("../../shared/page.js");
const { lastMember } = await import("../../shared/account.js");
const { say } = await import("../../shared/language.js");
const { signInTrouble } = await import("./sign-in.js");
export {}; // makes this file a module

/** @param {string} sentence */
function tell(sentence) {
  document.getElementById("trouble")?.remove();
  find("state").replaceChildren(
    element("p", { id: "trouble", class: "note bad", role: "alert" }, sentence),
  );
  find("form").hidden = false;
}
/** @param {string} secret */
async function signIn(secret) {
  find("form").hidden = true;
  find("state").replaceChildren(element("p", {}, say("Signing in")));
  let response;
  try {
    response = await fetch(location.pathname, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token: secret }),
    });
  } catch {
    // The token was probably not used, so it stays in the field for another attempt.
    input("token").value = secret;
    tell(say("The service can't be reached. Please try again."));
    return;
  }
  if (response.ok) location.replace("../profile/");
  else tell(await signInTrouble(response));
}
/** @param {string} member the signed-in member; empty: nobody */
function ask(member) {
  find("form").hidden = true;
  const questions = member
    ? [
        element("p", {}, say("This browser is signed in as:"), " ", typed(member)),
        element("p", {}, say("Do you want to sign in with this link instead?")),
      ]
    : [element("p", {}, say("This link signs you in once."))];
  find("state").replaceChildren(
    ...questions,
    element(
      "p",
      { class: "buttons" },
      element(
        "button",
        { type: "button", class: "main", click: () => signIn(token) },
        say("Sign in with the link"),
      ),
      member ? element("a", { class: "button", href: "../profile/" }, say("To my profile")) : null,
    ),
  );
}
find("form").addEventListener("submit", (event) => {
  event.preventDefault();
  signIn(input("token").value.trim().replace(/^.*#/, ""));
});
if (token) ask(lastMember());
