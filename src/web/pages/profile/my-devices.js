// Shows the section for the member's signed-in devices, which can be signed out.
import { find, moveFocus, typed } from "../../shared/page.js";
import { actOf } from "../../shared/lists.js";
import { itemOf } from "../../shared/parts/item.js";
import { badgeOf, lastSeen } from "../../shared/parts/row.js";
import { change, explain, get, remove } from "../../shared/service.js";
import { factsOfDevice, lastUse, nameOfDevice, pathOfDevice } from "../site/devices.js";
import { confirmed } from "../../shared/dialog.js";
import { findLogs } from "../../shared/sign-out.js";
import { say } from "../../shared/language.js";

/** @import { Device, Member } from "../types.js" */

/** @param {unknown} refusal null: hides the message */
function tellDevices(refusal) {
  find("devices-trouble").hidden = refusal === null;
  find("devices-trouble").textContent = refusal === null ? "" : explain(refusal);
}
let callsign = ""; // the member's callsign
/** @type {number | null} unsent QSOs in this browser; null: this browser keeps no log */
let waiting = null;

/** @param {Device} device */
function factsOf(device) {
  const [browser, keeps] = factsOfDevice(device);
  if (!device.isThis || waiting === null) return [browser, keeps];
  return [
    browser,
    waiting
      ? say("keeps the log, {n} QSO waits|keeps the log, {n} QSOs wait", { n: waiting })
      : say("keeps the log, all synced"),
  ];
}
/** @param {Device} device */
function rowOf(device) {
  const name = nameOfDevice(device);
  const used = lastUse(device);
  return itemOf({
    name: typed(name),
    badge: device.isThis ? badgeOf("", say("this one")) : null,
    line: [
      ...factsOf(device),
      used ? say("last used: {day}", { day: lastSeen(used) }) : say("never used"),
      ...device.apps
        .filter(({ log }) => log !== callsign)
        .map(({ log }) => say("app of {callsign}", { callsign: log })),
    ],
    end: device.isThis ? [] : [actOf(say("Sign out"), name, () => signOut(pathOfDevice(device)))],
  });
}
async function refreshDevices() {
  const { items } = await get("devices");
  find("devices").replaceChildren(...items.map(rowOf));
  find("devices-all").hidden = items.length < 2;
  return items;
}
/**
 * Shows the devices, and assigns the app in this browser to this device. The app can have a key
 * from an earlier session, or from a release that did not record sessions. Until the browser
 * reports this key, the service lists the app and the browser as two devices.
 * @param {Member} member
 */
export async function showDevices(member) {
  ({ callsign } = member);
  find("sign-out-others").onclick = signOutOthers;
  const logs = await findLogs().catch(() => []);
  for (const { database } of logs) database.close();
  waiting = logs.length ? logs.reduce((sum, log) => sum + log.waiting, 0) : null;
  const items = await refreshDevices();
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
async function signOutOthers() {
  const text = say(
    "All other browsers have to sign in again, and their apps stop syncing. Unsent QSOs stay on their device. Programs' keys and tokens keep working.",
  );
  if (await confirmed(say("Sign out all others?"), [text], say("Sign out all others")))
    await signOut("devices");
}
