// The section Account: locator, password, passkeys, signed-in devices, adding a device, and
// deleting the log.
import {
  day,
  element,
  find,
  findAs,
  hasPasskeys,
  input,
  moveFocus,
  number,
  typed,
} from "../site/page.js";
import { copyButton, itemOf, nameOf } from "../site/lists.js";
import { Refusal, change, explain, get, remove } from "../site/service.js";
import { confirmed } from "../site/dialog.js";
import { browserName, lastUse, nameOfDevice, pathOfDevice } from "../site/devices.js";
import { createPasswordForm } from "../site/password.js";
import { findLogs } from "../site/sign-out.js";
import { qrOf } from "../site/qr.js";
import { say } from "../site/language.js";

const LOOK_MS = 4000; // interval of checks whether a device has used the code

/** @import { Device, DeviceLink, Member, Passkey } from "../site/types.js" */

// -- locator --------------------------------------------------------------------------------------

/** @param {Member} member */
function offerLocator(member) {
  const field = input("locator");
  const done = find("locator-done");
  field.value = member.locator;
  find("own-locator").onsubmit = async (event) => {
    event.preventDefault();
    try {
      await change("locator", { locator: field.value });
      const { locator, club } = await get("me");
      member.locator = field.value = locator;
      find("member")
        .querySelector("small")
        ?.replaceChildren(typed(`${locator} · ${club}`));
      done.className = "good";
      done.textContent = say("Saved.");
    } catch (refusal) {
      done.className = "bad";
      done.textContent = explain(refusal);
    }
  };
}

// -- password -------------------------------------------------------------------------------------

/** @param {Member} member */
function offerPassword(member) {
  const state = find("password-state");
  state.hidden = member.hasPassword;
  state.textContent = say("You have no password yet. This device is signed in without one.");
  find("password").replaceChildren(
    element(
      "p",
      {},
      say(
        "A new password signs out all your other devices. Keys and tokens of programs keep working.",
      ),
    ),
    createPasswordForm(member, null, () => {
      offerPassword(member);
      state.hidden = false;
      state.setAttribute("role", "status");
      state.textContent = say("Your password is set.");
      refreshDevices();
    }),
  );
}

// -- devices --------------------------------------------------------------------------------------

/** @param {unknown} refusal null: hides the message */
function tellDevices(refusal) {
  find("devices-trouble").hidden = refusal === null;
  find("devices-trouble").textContent = refusal === null ? "" : explain(refusal);
}
let callsign = ""; // the member's callsign

/** @param {Device} device */
function rowOf(device) {
  const name = nameOfDevice(device);
  const made = day(device.createdAt);
  const used = lastUse(device);
  return itemOf(
    nameOf(name, device.isThis ? say("this one") : null),
    [
      device.number ? say("signed in {day}", { day: made }) : say("created {day}", { day: made }),
      used ? say("last used {day}", { day: day(used) }) : say("never used"),
      ...device.apps
        .filter(({ log }) => log !== callsign)
        .map(({ log }) => say("app of {callsign}", { callsign: log })),
    ],
    device.isThis
      ? null
      : element(
          "button",
          {
            type: "button",
            class: "danger",
            "aria-label": `${say("Sign out")}: ${name}`,
            click: () => signOut(pathOfDevice(device)),
          },
          say("Sign out"),
        ),
  );
}
async function refreshDevices() {
  const { items } = await get("devices");
  find("devices").replaceChildren(...items.map(rowOf));
  const own = items.find(({ isThis }) => isThis);
  if (own?.device) input("passkey-name").value ||= browserName(own.device);
  find("devices-all").hidden = items.length < 2;
  return items;
}
async function countBrowsers() {
  return (await refreshDevices()).filter((device) => device.number).length;
}
/**
 * Shows the devices, and assigns the app of this browser to it. The app may have a key from an
 * earlier session, or from a release that did not record sessions. Until the browser reports it,
 * the service lists app and browser as two devices.
 */
async function showDevices() {
  const items = await refreshDevices();
  const logs = await findLogs().catch(() => []);
  for (const { database } of logs) database.close();
  if (!logs.length) return;
  const apart = items.filter((device) => !device.isThis).flatMap((device) => device.apps);
  const programs = (await get("keys")).items.filter((key) => !key.isApp);
  const own = [...apart, ...programs].filter(({ number }) =>
    logs.some((log) => log.number === number),
  );
  await Promise.all(own.map(({ number }) => change(`devices/apps/${number}`)));
  if (own.length) await refreshDevices();
}
/** @param {string} path */
async function signOut(path) {
  try {
    await remove(path);
    await refreshDevices();
    tellDevices(null);
    moveFocus(find("devices-title"));
  } catch (refusal) {
    tellDevices(refusal);
  }
}

// -- passkeys -------------------------------------------------------------------------------------

/** @param {string | null} sentence null: hides the message */
function tellPasskeys(sentence) {
  find("passkeys-trouble").hidden = sentence === null;
  find("passkeys-trouble").textContent = sentence;
}
/** @param {Passkey} passkey */
function passkeyRow(passkey) {
  return itemOf(
    nameOf(passkey.name, null),
    [
      say("created {day}", { day: day(passkey.createdAt) }),
      passkey.lastUsedOn
        ? say("last used {day}", { day: day(passkey.lastUsedOn) })
        : say("never used"),
    ],
    element(
      "button",
      {
        type: "button",
        class: "danger",
        "aria-label": `${say("Remove")}: ${passkey.name}`,
        click: () => removePasskey(passkey),
      },
      say("Remove"),
    ),
    passkey.copiedAt
      ? element(
          "p",
          { class: "note warn" },
          say("A copy of this passkey was rejected on {day}. Please remove it.", {
            day: day(passkey.copiedAt),
          }),
        )
      : null,
  );
}
async function refreshPasskeys() {
  const { items, max } = await get("passkeys");
  find("passkeys").replaceChildren(...items.map(passkeyRow));
  find("passkeys-card").hidden = !hasPasskeys && !items.length;
  find("add-passkey").hidden = !hasPasskeys || items.length >= max;
}
/** @param {Passkey} passkey */
async function removePasskey(passkey) {
  const text = say("You can no longer sign in with it. All your other devices are signed out.");
  const parts = [typed(passkey.name), ". ", text];
  if (!(await confirmed(say("Remove this passkey?"), parts, say("Remove")))) return;
  try {
    await remove(`passkeys/${passkey.number}`);
    await Promise.all([refreshPasskeys(), refreshDevices()]);
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

// -- another device -------------------------------------------------------------------------------

/** @param {number} seconds */
function clock(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
/** @param {string} sentence */
function endCode(sentence) {
  find("device-link").replaceChildren(element("p", { role: "status" }, sentence));
}
/**
 * @param {DeviceLink} made
 * @param {number} before number of devices that were signed in
 */
function showCode(made, before) {
  const end = Date.now() + made.validSeconds * 1000;
  const left = element("strong", { role: "timer", class: "number" }, clock(made.validSeconds));
  const heading = element("h4", { tabindex: "-1" }, say("Scan this with the other device"));
  find("device-link").replaceChildren(
    element(
      "div",
      { class: "card secret" },
      heading,
      element(
        "p",
        {},
        say("Or open this address on the other device. Anyone who has it can sign in as you."),
      ),
      made.qr && qrOf(made.qr, say("QR code with the address")),
      element(
        "p",
        { class: "address" },
        element("code", { class: "shown-secret" }, made.link),
        " ",
        copyButton(made.link),
      ),
      element("p", {}, say("Time left:"), " ", left),
    ),
  );
  heading.focus();
  let looked = Date.now();
  const ticking = setInterval(async () => {
    if (!left.isConnected) return clearInterval(ticking);
    const seconds = Math.ceil((end - Date.now()) / 1000);
    if (seconds <= 0) return endCode(say("The code has expired. You can show a new one."));
    left.textContent = clock(seconds);
    if (document.hidden || Date.now() - looked < LOOK_MS) return;
    looked = Date.now();
    try {
      if ((await countBrowsers()) > before) endCode(say("The other device is signed in."));
    } catch {
      /* the next check may succeed */
    }
  }, 1000);
}
function offerCode() {
  const button = findAs("add-device", HTMLButtonElement);
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const before = await countBrowsers();
      showCode(await change("devices/link"), before);
    } catch (refusal) {
      endCode(explain(refusal));
    }
    button.disabled = false;
  });
}

// -- deleting the log -----------------------------------------------------------------------------

/** @param {Member} member */
async function offerDeletion(member) {
  const field = input("delete-callsign");
  const button = findAs("delete-button", HTMLButtonElement);
  const isTyped = () => field.value.trim().toUpperCase() === member.callsign.toUpperCase();
  async function tellWhatFollows() {
    const { qsos } = await get("statistics");
    find("delete-what").textContent = say(
      "This deletes {count} QSOs and their spots. Other members' QSOs lose their confirmations. Programs that sync delete their copies too. This can't be undone. Download your log first.",
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

/** @param {Member} member */
export async function showAccount(member) {
  callsign = member.callsign;
  offerLocator(member);
  offerPassword(member);
  find("sign-out-others").onclick = async () => {
    const text = say(
      "All other browsers have to sign in again, and their apps stop syncing. Unsent QSOs stay on their device. Keys and tokens of programs keep working.",
    );
    if (await confirmed(say("Sign out all others?"), [text], say("Sign out all others")))
      await signOut("devices");
  };
  find("add-passkey").onsubmit = addPasskey;
  offerCode();
  await Promise.all([showDevices(), refreshPasskeys(), offerDeletion(member)]);
}
