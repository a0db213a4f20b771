// Creates the form that sets a password. The new password can be shown as text. The rules are above
// the fields, and each error message is below its field.
import { element } from "../../shared/page.js";
import { Refusal, change, explain } from "../../shared/service.js";
import { say } from "../../shared/language.js";

/** @import { Attributes, Member } from "../types.js" */

// Messages for the service's reasons to reject a password.
/** @type {Record<string, string>} */
const REASONS = {
  "must be at least 10 characters long": "The password is shorter than 10 characters.",
  "must be at most 200 characters long": "The password is longer than 200 characters.",
  "must not be the callsign": "The password is your callsign.",
  "must not repeat a few characters": "It repeats the same few characters and is easy to guess.",
  "is one of the commonest": "It is a common password and easy to guess.",
  "must not contain control characters": "It contains a character that can't be typed.",
  "must be UTF-8": "It contains a character that can't be typed.",
  "is not valid": "This isn't your current password.",
};

const SHORTEST = 10; // characters

/**
 * Returns the fault of a password that the page can find without the service; null: none.
 * @param {string} password
 */
export function faultOf(password) {
  return [...password].length < SHORTEST
    ? say("The password is shorter than 10 characters.")
    : null;
}
/**
 * Returns the reason why the service rejected a password, in words; null: the rejection does not
 * concern the password.
 * @param {{field: string, message: string}[]} [details]
 */
export function explainPassword(details = []) {
  const detail = details.find(({ field }) => field === "password");
  return detail ? say(REASONS[detail.message] ?? detail.message) : null;
}

let count = 0; // number of fields created on this page so far

/**
 * @param {string} name
 * @param {Attributes} attributes
 */
function createField(name, attributes) {
  const id = `password-${++count}`;
  const trouble = element("p", {
    id: `${id}-trouble`,
    class: "note bad",
    role: "alert",
    hidden: true,
  });
  const field = element("input", {
    id,
    type: "password",
    required: true,
    maxlength: "800",
    "aria-describedby": `${id}-trouble`,
    ...attributes,
  });
  /** @param {string | null} sentence null: hides the message */
  function tell(sentence) {
    trouble.hidden = sentence === null;
    trouble.textContent = sentence;
    if (sentence === null) field.removeAttribute("aria-invalid");
    else field.setAttribute("aria-invalid", "true");
  }
  const label = element("label", {}, element("span", {}, name), field);
  return { field, tell, node: element("div", {}, label, trouble) };
}

function createFreshField() {
  const fresh = createField(say("New password"), { autocomplete: "new-password" });
  const rules = element(
    "p",
    { id: `${fresh.field.id}-rules`, class: "muted" },
    say("At least 10 characters. Not your callsign, not a common password."),
  );
  fresh.field.setAttribute(
    "aria-describedby",
    `${rules.id} ${fresh.field.getAttribute("aria-describedby")}`,
  );
  const show = element("input", {
    type: "checkbox",
    change: () => {
      fresh.field.type = show.checked ? "text" : "password";
    },
  });
  const text = element("span", {}, say("Show password"));
  return { ...fresh, rules, shows: element("label", { class: "check" }, show, " ", text) };
}

/**
 * @param {Member} member
 * @param {() => void} done called after the password was set
 */
export function createPasswordForm(member, done) {
  const current = member.maySetPassword
    ? null
    : createField(say("Current password"), { autocomplete: "current-password" });
  const fresh = createFreshField();
  const button = element("button", { class: "main" }, say("Save password"));
  const trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  const form = element(
    "form",
    { class: "stack" },
    // The browser's password manager reads the callsign from this hidden field.
    element("input", { value: member.callsign, autocomplete: "username", hidden: true }),
    fresh.rules,
    current?.node,
    fresh.node,
    fresh.shows,
    trouble,
    element("div", { class: "buttons" }, button),
  );
  /** @param {unknown} refusal null: hides the message */
  function tell(refusal) {
    const details = refusal instanceof Refusal ? refusal.details : [];
    const fields = { current, password: fresh };
    for (const [name, field] of Object.entries(fields)) {
      const detail = details.find((one) => one.field === name);
      field?.tell(detail ? say(REASONS[detail.message] ?? detail.message) : null);
      if (detail) field?.field.focus();
    }
    const isAtField = details.some(({ field }) => Object.hasOwn(fields, field));
    trouble.hidden = refusal === null || isAtField;
    trouble.textContent = refusal === null || isAtField ? "" : explain(refusal);
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      await change("password", {
        password: fresh.field.value,
        ...(current ? { current: current.field.value } : {}),
      });
      tell(null);
      member.maySetPassword = false;
      member.hasPassword = true;
      form.reset();
      done();
    } catch (refusal) {
      tell(refusal);
    }
    button.disabled = false;
  });
  return form;
}
