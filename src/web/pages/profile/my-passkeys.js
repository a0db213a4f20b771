// Shows the section for the member's passkeys, which can be added, renamed and
// removed.
import {
  day,
  element,
  find,
  hasPasskeys,
  input,
  moveFocus,
  oneAtATime,
  typed,
} from "../../shared/page.js";
import { actOf } from "../../shared/lists.js";
import { itemOf } from "../../shared/parts/item.js";
import { lastSeen } from "../../shared/parts/row.js";
import { change, explain, get, Refusal, remove } from "../../shared/service.js";
import { confirmed, openDialog } from "../../shared/dialog.js";
import { say } from "../../shared/language.js";
import { browserName } from "../site/devices.js";

/** @import { Member, Passkey } from "../types.js" */

/** @param {string | null} sentence null: hides the message */
function tellPasskeys(sentence) {
  find("passkeys-trouble").hidden = sentence === null;
  find("passkeys-trouble").textContent = sentence;
}
let hasPassword = false;

/**
 * @param {Passkey} passkey
 * @param {boolean} isOnlyWay whether the member cannot sign in otherwise
 */
function passkeyRow(passkey, isOnlyWay) {
  return itemOf({
    name: typed(passkey.name),
    line: [
      passkey.lastUsedOn
        ? say("last used: {day}", { day: lastSeen(passkey.lastUsedOn) })
        : say("never used"),
    ],
    end: [
      actOf(say("Rename"), passkey.name, () => renamePasskey(passkey)),
      isOnlyWay ? null : actOf(say("Remove"), passkey.name, () => removePasskey(passkey)),
    ],
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
  const isOnlyWay = items.length === 1 && !hasPassword;
  find("passkeys").replaceChildren(...items.map((one) => passkeyRow(one, isOnlyWay)));
  find("add-passkey").hidden = !hasPasskeys || items.length >= max;
}
/** @param {() => Promise<unknown>} act */
async function carryOut(act) {
  try {
    await act();
    await refreshPasskeys();
    tellPasskeys(null);
    moveFocus(find("passkeys-title"));
  } catch (refusal) {
    tellPasskeys(explain(refusal));
  }
}
/** @param {Passkey} passkey */
async function renamePasskey(passkey) {
  const name = element("input", { required: true, maxlength: "80", autocomplete: "off" });
  name.value = passkey.name;
  const isRenamed = await openDialog(say("Rename this passkey"), (close) => [
    element(
      "form",
      {
        class: "stack",
        submit: (event) => {
          event.preventDefault();
          close("yes");
        },
      },
      element("label", {}, element("span", {}, say("Name, such as the device's name")), name),
      element("button", { class: "main" }, say("Save")),
    ),
  ]);
  if (isRenamed)
    await carryOut(() => change(`passkeys/${passkey.number}/rename`, { name: name.value }));
}
/** @param {Passkey} passkey */
async function removePasskey(passkey) {
  const text = say(
    "You can no longer sign in with this passkey. All your other devices are signed out.",
  );
  const parts = [typed(passkey.name), ". ", text];
  if (!(await confirmed(say("Remove this passkey?"), parts, say("Remove")))) return;
  await carryOut(() => remove(`passkeys/${passkey.number}`));
}
const addPasskey = oneAtATime(async () => {
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
});
/** @param {Member} member */
export async function showPasskeys(member) {
  ({ hasPassword } = member);
  find("passkeys-password").textContent = hasPassword ? say("set") : say("not set");
  find("add-passkey").onsubmit = (event) => {
    event.preventDefault();
    addPasskey();
  };
  await refreshPasskeys();
  const own = (await get("devices")).items.find(({ isThis }) => isThis);
  if (own?.device) input("passkey-name").value ||= browserName(own.device);
}
