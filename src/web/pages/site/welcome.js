// Reads the token from the part after the # in a link, because browsers do not send that part to
// servers. Asks the service to which member the link belongs. Signs in only after a click, because
// mail scanners also open links and run the scripts of pages. With an invitation, the member can
// also set up a passkey or a password. Removes the token from the address before importing other
// modules.
const token = location.hash.slice(1);
history.replaceState(null, "", location.pathname);

const { element, find, findAs, hasPasskeys, input, oneAtATime, timeFormat, typed } =
  await import("../../shared/page.js");
const { lastMember } = await import("../../shared/account.js");
const { say } = await import("../../shared/language.js");
const { signInTrouble } = await import("./sign-in.js");
export {}; // makes this file a module

/**
 * @typedef {{callsign: string, sender: string | null, isInvitation: boolean, expiresAt: string}}
 *   Link
 */

const OF_NO_LINK = ["form", "help", "with-password"]; // parts that are shown without a valid link

/**
 * The attempt to use the link, while it runs and after it has succeeded.
 * @type {Promise<boolean> | null}
 */
let using = null;

/** @param {string} path @param {object} body */
function post(path, body) {
  return fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}
/** @param {string} sentence */
function troubleOf(sentence) {
  return element("p", { id: "trouble", class: "fault", role: "alert" }, sentence);
}
/**
 * Shows why signing in failed, and the form for another link.
 * @param {string} sentence
 */
function tell(sentence) {
  document.getElementById("trouble")?.remove();
  find("state").replaceChildren(troubleOf(sentence));
  for (const id of OF_NO_LINK) find(id).hidden = false;
}
/** @param {string} secret */
async function tryToUse(secret) {
  let response;
  try {
    response = await post(location.pathname, { token: secret });
  } catch {
    // Fills in the token for another attempt, because the service has probably not used the token.
    input("token").value = secret;
    tell(say("The service can't be reached. Please try again."));
    return false;
  }
  if (!response.ok) tell(await signInTrouble(response));
  return response.ok;
}
/**
 * Uses the link. Returns whether the member is signed in. A second call does not use the link
 * again, because the link works once.
 * @param {string} secret
 */
async function use(secret) {
  using ??= tryToUse(secret);
  const isUsed = await using;
  if (!isUsed) using = null;
  return isUsed;
}
const openProfile = () => location.replace("../profile/");

/** @param {string} secret */
async function signIn(secret) {
  find("form").hidden = true;
  find("state").replaceChildren(element("p", {}, say("Signing in")));
  if (await use(secret)) openProfile();
}
/** @param {(sentence: string) => void} explain */
async function signInByPasskey(explain) {
  const { explainPasskey, makePasskey } = await import("./passkey.js");
  if (!(await use(token))) return;
  try {
    const asked = await fetch("../profile/data/passkeys/new", { cache: "no-store" });
    if (!asked.ok) return openProfile();
    const made = await makePasskey(await asked.json());
    const response = await post("../profile/data/passkeys", {
      name: say("Screen lock"),
      ...made,
    });
    if (response.ok) openProfile();
    else explain(await signInTrouble(response));
  } catch (error) {
    explain(explainPasskey(error));
  }
}
/**
 * Returns a form that uses the link and sets a password.
 * @param {Link} link
 * @param {boolean} isMain whether the form has the only main button
 */
function passwordForm(link, isMain) {
  const field = element("input", {
    type: "password",
    autocomplete: "new-password",
    required: true,
    maxlength: "800",
    "aria-describedby": "password-hint",
  });
  const hint = element(
    "small",
    { id: "password-hint" },
    say("At least 10 characters. Your browser can suggest a password."),
  );
  const button = element("button", { class: isMain ? "main" : "" }, say("Set the password"));
  /** @param {string} sentence */
  const explain = (sentence) => {
    hint.textContent = sentence;
    hint.className = "fault";
    field.setAttribute("aria-invalid", "true");
    field.focus();
  };
  return element(
    "form",
    {
      class: "stack",
      submit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        const { explainPassword, faultOf } = await import("./password.js");
        const fault = faultOf(field.value);
        if (fault) return explain(fault);
        button.disabled = true;
        try {
          if (!(await use(token))) return;
          const response = await post("../profile/data/password", { password: field.value });
          if (response.ok) return openProfile();
          const { error = {} } = await response.clone().json();
          explain(explainPassword(error.details) ?? (await signInTrouble(response)));
        } catch {
          explain(say("The service can't be reached. Please try again."));
        }
        button.disabled = false;
      },
    },
    // The browser's password manager reads the callsign from this hidden field.
    element("input", { value: link.callsign, autocomplete: "username", hidden: true }),
    element("label", {}, element("span", {}, say("A password of your own")), field),
    hint,
    button,
  );
}
/** @param {Link} link */
function waysOf(link) {
  if (!hasPasskeys) return [passwordForm(link, true)];
  const trouble = element("p", { class: "fault", role: "alert", hidden: true });
  const explain = (/** @type {string} */ sentence) => {
    trouble.textContent = sentence;
    trouble.hidden = false;
  };
  return [
    element(
      "button",
      { type: "button", class: "main", click: oneAtATime(() => signInByPasskey(explain)) },
      say("Use this device's screen lock"),
    ),
    trouble,
    element("p", { class: "or" }, say("or with a password")),
    passwordForm(link, false),
  ];
}
/** @param {Link} link */
function originOf({ sender, expiresAt }) {
  const until = timeFormat({ weekday: "long", day: "numeric", month: "long" })();
  const day = until.format(new Date(expiresAt));
  return element(
    "p",
    { class: "small" },
    say("The link works once, until {day}.", { day }),
    sender ? ` ${say("The link is from {sender}.", { sender })}` : null,
  );
}
/** @param {Link | null} link null: the service did not describe the link */
function ask(link) {
  const member = lastMember();
  const isOther = member && member !== link?.callsign;
  const isInvitation = link?.isInvitation ?? false;
  if (link)
    find("welcome").replaceChildren(typed(link.callsign), `, ${say("welcome to the log.")}`);
  for (const id of OF_NO_LINK) find(id).hidden = true;
  find("state").replaceChildren(
    ...(isOther
      ? [
          element("p", {}, say("This browser is signed in as:"), " ", typed(member)),
          element("p", {}, say("Do you want to sign in with this link instead?")),
        ]
      : []),
    ...(isInvitation && link ? waysOf(link) : []),
    element(
      "button",
      {
        id: "use-link",
        type: "button",
        class: isInvitation ? "link" : "main",
        click: () => signIn(token),
      },
      say(isInvitation ? "Sign in now, and do this later" : "Sign in with the link"),
    ),
    ...(link ? [originOf(link)] : [element("p", {}, say("This link signs you in once."))]),
  );
  const first = find("state").querySelector("input:not([hidden])");
  if (first instanceof HTMLInputElement) first.focus();
}
async function look() {
  try {
    const response = await post("look", { token });
    if (response.ok) ask(await response.json());
    else if (response.status < 500) tell(await signInTrouble(response));
    else ask(null);
  } catch {
    ask(null);
  }
}
findAs("form", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  signIn(input("token").value.trim().replace(/^.*#/, ""));
});
if (token) await look();
else input("token").focus();
