// Signs out. The next person to use this browser could read the app's log, and add QSOs to the log.
// So the member can remove the log, after a warning about unsent QSOs.
import { answerOf, isDatabaseOfApp } from "./app-database.js";
import { APP_DRAFT, DRAFT } from "./drafts.js";
import { element } from "./page.js";
import { formatQuery } from "./query.js";
import { openDialog } from "./dialog.js";
import { say } from "./language.js";

// Settings that stay in the browser. The next page removes the member's name.
const STAY = ["qsosync-language", "qsosync-member", "qsosync-keep-asked"];
const REVOKED_MS = 3000; // time limit for the service's answer
const RELOADED_MS = 300; // time for the app's other tabs to receive the message

/**
 * @typedef {object} Log a log of the app in this browser
 * @property {IDBDatabase} database
 * @property {string} callsign
 * @property {string} [number] number of the log's key
 * @property {number} waiting number of unsent QSOs
 */
/**
 * @param {string} name
 * @returns {Promise<Log | null>}
 */
async function findLog(name) {
  const database = await answerOf(indexedDB.open(name));
  const reading = database.transaction(["settings", "outbox"]);
  const [setting, key, waiting] = await Promise.all([
    answerOf(reading.objectStore("settings").get("callsign")),
    answerOf(reading.objectStore("settings").get("number")),
    answerOf(reading.objectStore("outbox").count()),
  ]);
  if (setting?.value)
    return { database, callsign: String(setting.value), number: key?.value, waiting };
  database.close();
  return null;
}
/** Returns the logs in this browser: the member's own log and stations' logs. */
export async function findLogs() {
  const names = (await indexedDB.databases()).map(({ name }) => name ?? "");
  const found = names.filter(isDatabaseOfApp).map(findLog);
  return (await Promise.all(found)).filter((log) => log !== null);
}

/** Removes drafts, filters and other settings. */
function forgetSettings() {
  for (const name of Object.keys(localStorage))
    if (name.startsWith("qsosync-") && !STAY.includes(name)) localStorage.removeItem(name);
  sessionStorage.clear();
}
/** Removes the pages' drafts; the app's drafts are kept together with the app's log. */
function forgetDrafts() {
  for (const storage of [localStorage, sessionStorage])
    for (const name of Object.keys(storage))
      if (name.startsWith(DRAFT) && !name.startsWith(APP_DRAFT)) storage.removeItem(name);
}
/** @param {IDBDatabase} database */
function clear(database) {
  forgetSettings();
  const stores = [...database.objectStoreNames];
  const clearing = database.transaction(stores, "readwrite");
  for (const store of stores) clearing.objectStore(store).clear();
  return new Promise((resolve, reject) => {
    clearing.oncomplete = () => resolve(null);
    clearing.onabort = () => reject(clearing.error);
  });
}

/**
 * Removes a log. Other tabs with the app start again, and the second clearing removes everything
 * that the tabs wrote meanwhile.
 * @param {IDBDatabase} database
 */
async function removeLog(database) {
  const tabs = new BroadcastChannel(database.name);
  await clear(database);
  tabs.postMessage("forgotten");
  await new Promise((done) => setTimeout(done, RELOADED_MS));
  await clear(database);
}

/**
 * Revokes a key that was created for this device, because the key is useless without its log, and a
 * member can have only ten keys. If another member is signed in, the service does not find the key.
 * @param {Log} log
 * @param {string} address address of the sign-out form
 */
async function revoke({ number, callsign }, address) {
  const path = `../profile/data/keys/${number}/revoke?${formatQuery({ log: callsign })}`;
  await fetch(new URL(path, address), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
    signal: AbortSignal.timeout(REVOKED_MS),
  }).catch(() => null);
}

/**
 * @param {string} callsign
 * @param {number} waiting
 * @returns {Promise<"" | "keep" | "remove">} empty: the member stays signed in
 */
async function ask(callsign, waiting) {
  /** @type {"" | "keep" | "remove"} */
  let choice = "";
  await openDialog(say("Also remove the log from this device?"), (close) => {
    /** @param {typeof choice} value */
    const choose = (value) => () => {
      choice = value;
      close("");
    };
    return [
      element(
        "p",
        {},
        say("The log of {callsign} is in this browser. Others who use it can read it.", {
          callsign,
        }),
      ),
      ...(waiting
        ? [
            element(
              "p",
              { class: "warn" },
              say("{n} unsent QSO would be lost.|{n} unsent QSOs would be lost.", { n: waiting }),
            ),
          ]
        : []),
      element(
        "div",
        { class: "buttons" },
        element("button", { type: "button", click: choose("") }, say("Cancel")),
        element("button", { type: "button", click: choose("keep") }, say("Keep it and sign out")),
        element(
          "button",
          { type: "button", class: "danger", click: choose("remove") },
          say("Remove it and sign out"),
        ),
      ),
    ];
  });
  return choice;
}

/**
 * Signs out with the form. If this browser contains a log of the app, first asks the member whether
 * to remove the log.
 * @param {HTMLFormElement} form
 */
export async function signOut(form) {
  const logs = await findLogs().catch(() => []); // a browser without storage has no logs
  if (!logs.length) forgetSettings();
  else {
    const waiting = logs.reduce((sum, log) => sum + log.waiting, 0);
    const choice = await ask(logs.map(({ callsign }) => callsign).join(", "), waiting);
    for (const log of choice === "remove" ? logs : []) {
      await removeLog(log.database);
      if (log.number) await revoke(log, form.action);
    }
    for (const { database } of logs) database.close();
    if (!choice) return;
    forgetDrafts();
  }
  // The filter is removed from the address, because the Back button would show the filter.
  history.replaceState(null, "", location.pathname);
  form.submit();
}
