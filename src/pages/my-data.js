// The section My data: everything as a file, a new password, and the end of the log.
import { copyButton, element, find, findAs, input, number } from "./page.js";
import { change, explain, get } from "./service.js";
import { confirmed } from "./dialog.js";
import { say } from "./language.js";

function offerPassword() {
  const place = find("password");
  find("new-password").addEventListener("click", async () => {
    if (
      !(await confirmed(
        say("Make a new password?"),
        [say("The old one stops working at once.")],
        say("Make a new password"),
      ))
    )
      return;
    try {
      const made = await change("password");
      place.replaceChildren(
        element("p", {}, say("Copy it now: it is shown this once only")),
        element("p", { class: "address" }, say("Login:"), " ", element("code", {}, made.login)),
        element(
          "p",
          { class: "address" },
          say("Password:"),
          " ",
          element("code", { class: "shown-secret" }, made.password),
          " ",
          copyButton(made.password),
        ),
        element("p", { class: "muted" }, say("The browser asks for it at the next step.")),
      );
    } catch (refusal) {
      place.append(element("p", { class: "note bad", role: "alert" }, explain(refusal)));
    }
  });
}

/** @param {import("./answers.js").Member} member */
export async function showData(member) {
  offerPassword();
  const field = input("delete-callsign");
  const button = findAs("delete-button", HTMLButtonElement);
  const isTyped = () => field.value.trim().toUpperCase() === member.callsign.toUpperCase();
  async function tellWhatFollows() {
    const { qsos } = await get("statistics");
    find("delete-what").textContent = say(
      "{count} QSOs would go, with their spots; QSOs of other members that they confirm lose that; programs that keep in step delete their copies, too. Nobody can bring them back. Download your log first.",
      { count: number(qsos) },
    );
  }
  field.addEventListener("input", () => {
    button.disabled = !isTyped();
  });
  find("delete").addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!isTyped()) return;
    button.disabled = true;
    try {
      const { deleted } = await change("delete-log", { callsign: field.value.trim() });
      find("deleted").textContent = say("{n} QSO was deleted.|{n} QSOs were deleted.", {
        n: deleted,
      });
      field.value = "";
      await tellWhatFollows();
    } catch (refusal) {
      find("deleted").textContent = explain(refusal);
      button.disabled = !isTyped();
    }
  });
  await tellWhatFollows();
}
