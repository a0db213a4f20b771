// Signing out. The app's log would stay in this browser, and the next person could read it and add
// to it: the member is asked, and told what was not sent yet.
import { APP_DRAFT, DRAFT } from "./drafts.js";
import { element } from "./page.js";
import { formatQuery } from "./query.js";
import { openDialog } from "./dialog.js";
import { say } from "./language.js";

const NAME = "qsosync-app"; // of the app's database and of its channel (src/app/log/logs.js)
// What the browser goes on to know; who was signed in is forgotten by the page that comes next.
const STAY = ["qsosync-language", "qsosync-member"];
const REVOKED_MS = 3000; // for the service to answer
const RELOADED_MS = 300; // until the app's other tabs have heard that their log is gone

/**
 * @template Result
 * @param {IDBRequest<Result>} request
 * @returns {Promise<Result>}
 */
function answerOf(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * @typedef {object} Log one that the app has in this browser
 * @property {IDBDatabase} database
 * @property {string} callsign
 * @property {string} [number] of its key
 * @property {number} waiting QSOs that were not sent
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
/** The own log, and those of stations. */
export async function findLogs() {
  const names = (await indexedDB.databases()).map(({ name }) => name ?? "");
  const found = names.filter((name) => name === NAME || name.startsWith(`${NAME} `)).map(findLog);
  return (await Promise.all(found)).filter((log) => log !== null);
}

/** Drafts, filters and other settings. */
function forgetSettings() {
  for (const name of Object.keys(localStorage))
    if (name.startsWith("qsosync-") && !STAY.includes(name)) localStorage.removeItem(name);
  sessionStorage.clear();
}
/** What was typed in the pages; the app's drafts stay with its log. */
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
 * Other tabs with the app begin anew; what one of them wrote just then goes, too.
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
 * A key that was made for this device is of no use without its log; a member has ten at most. The
 * service does not find it if another member is signed in.
 * @param {Log} log
 * @param {string} address of the sign-out
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
  await openDialog(say("Remove the log from this device, too?"), (close) => {
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
 * Signs out by the form, after the question if there is a log.
 * @param {HTMLFormElement} form
 */
export async function signOut(form) {
  const logs = await findLogs().catch(() => []); // a browser that keeps nothing has no log
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
  history.replaceState(null, "", location.pathname); // who goes back finds no filter in the address
  form.submit();
}
