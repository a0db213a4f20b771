// Finds the names, the facts, the last use and the sign-out paths of a member's devices: signed-in
// browsers with the keys of their apps, and apps in other browsers.
import { say } from "../../shared/language.js";

/** @import { Device } from "../types.js" */

const UNKNOWN = "A browser"; // the service's name for an unknown browser
const SUGGESTED = "App, "; // prefix of the name that the app suggests for its key

/** @param {string} browser the service's name for browser and system */
export function browserName(browser) {
  const [, known, system] = /^(.+) on (.+)$/.exec(browser) ?? [];
  const name = (known ?? browser) === UNKNOWN ? say(UNKNOWN) : (known ?? browser);
  return system ? say("{browser} on {system}", { browser: name, system }) : name;
}
/**
 * Returns the name that the member gave the device, or the browser's name.
 * @param {Device} device
 */
export function nameOfDevice({ device, apps }) {
  const given = apps.find(({ name }) => !name.startsWith(SUGGESTED))?.name;
  return given ?? (device === null ? apps[0].name : browserName(device));
}
/**
 * Returns the facts about a device: its browser, if the device has a name, and whether it keeps the
 * log.
 * @param {Device} one
 */
export function factsOfDevice(one) {
  const browser = one.device === null ? say("not signed in") : browserName(one.device);
  return [
    browser === nameOfDevice(one) ? "" : browser,
    one.apps.length ? say("keeps the log") : say("keeps no log"),
  ];
}
/**
 * Returns the day on which the browser or the app was last used; null: never used.
 * @param {Device} device
 */
export function lastUse({ lastUsedOn, apps }) {
  return [lastUsedOn, ...apps.map((app) => app.lastUsedOn)].reduce((latest, used) =>
    (used ?? "") > (latest ?? "") ? used : latest,
  );
}
/**
 * Returns the path of the request that signs the device out.
 * @param {Device} device
 */
export function pathOfDevice({ number, apps }) {
  return number === null ? `devices/apps/${apps[0].number}` : `devices/${number}`;
}
