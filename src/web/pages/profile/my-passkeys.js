// Shows the section for the member's passkeys, which can be added and removed.
import { day, element, find, hasPasskeys, input, moveFocus, typed } from "../../shared/page.js";
import { actOf } from "../../shared/lists.js";
import { itemOf } from "../../shared/parts/item.js";
import { lastSeen } from "../../shared/parts/row.js";
import { change, explain, get, Refusal, remove } from "../../shared/service.js";
import { confirmed } from "../../shared/dialog.js";
import { say } from "../../shared/language.js";
import { browserName } from "../site/devices.js";

/** @import { Passkey } from "../types.js" */

/** @param {string | null} sentence null: hides the message */
function tellPasskeys(sentence) {
  find("passkeys-trouble").hidden = sentence === null;
  find("passkeys-trouble").textContent = sentence;
}
/** @param {Passkey} passkey */
function passkeyRow(passkey) {
  return itemOf({
    name: typed(passkey.name),
    line: [
      say("created {day}", { day: day(passkey.createdAt) }),
      passkey.lastUsedOn
        ? say("last used: {day}", { day: lastSeen(passkey.lastUsedOn) })
        : say("never used"),
    ],
    end: [actOf(say("Remove"), passkey.name, () => removePasskey(passkey))],
    below: [
      passkey.copiedAt
        ? element(
            "p",
            { class: "note warn" },
            say("A copy of this passkey was rejected on {day}. Please remove it.", {
              day: day(passkey.copiedAt),
            }),
          )
        : null,
    ],
  });
}
async function refreshPasskeys() {
  const { items, max } = await get("passkeys");
  find("passkeys").replaceChildren(...items.map(passkeyRow));
  find("add-passkey").hidden = !hasPasskeys || items.length >= max;
}
/** @param {Passkey} passkey */
async function removePasskey(passkey) {
  const text = say("You can no longer sign in with it. All your other devices are signed out.");
  const parts = [typed(passkey.name), ". ", text];
  if (!(await confirmed(say("Remove this passkey?"), parts, say("Remove")))) return;
  try {
    await remove(`passkeys/${passkey.number}`);
    await refreshPasskeys();
    tellPasskeys(null);
    moveFocus(find("passkeys-title"));
  } catch (refusal) {
    tellPasskeys(explain(refusal));
  }
}
/** @param {Event} event */
async function addPasskey(event) {
  event.preventDefault();
  const name = input("passkey-name");
  const from = document.activeElement ?? document.body;
  const [{ withProof }, { explainPasskey, makePasskey }] = await Promise.all([
    import("../site/reauthenticate.js"),
    import("../site/passkey.js"),
  ]);
  try {
    const made = await makePasskey(await withProof(() => get("passkeys/new")));
    await change("passkeys", { name: name.value, ...made });
    await refreshPasskeys();
    tellPasskeys(null);
    moveFocus(find("passkeys-title"), from);
  } catch (error) {
    tellPasskeys(error instanceof Refusal ? explain(error) : explainPasskey(error));
  }
}
export async function showPasskeys() {
  find("add-passkey").onsubmit = addPasskey;
  await refreshPasskeys();
  const own = (await get("devices")).items.find(({ isThis }) => isThis);
  if (own?.device) input("passkey-name").value ||= browserName(own.device);
}
