// Manages the logs on this device: the member's own log, and the logs of stations that the member
// operates. Each log has its own database, settings and drafts. Different tabs can show different
// logs.
import { APP_DRAFT } from "./drafts.js";
import { databaseOf } from "./app-database.js";
import { recall as recallHere, remember as rememberHere } from "./page.js";
import { parseQuery } from "./query.js";

const STATIONS = "stations"; // the stations whose logs are on this device
/** The name of the setting with the member who last used the service's log in the app. */
export const OWNER = "session-of";
const OPEN = "station"; // the station whose log is opened next; empty: the member's own log

/** @returns {string[]} */
export function stations() {
  return JSON.parse(recallHere(STATIONS) ?? "[]");
}
// A link from the profile can name the station whose log to open. The name is then removed from the
// address.
const linked = parseQuery(location.hash.slice(1)).get("station") ?? "";
if (linked) history.replaceState(null, "", location.pathname);
if (stations().includes(linked)) rememberHere(OPEN, linked);
const wanted = recallHere(OPEN) ?? "";
/** The station whose log is open; empty: the member's own log. */
export const station = stations().includes(wanted) ? wanted : "";

/**
 * The station that a link names, if the station's log is not on this device yet; otherwise empty.
 */
export const offered = station === linked ? "" : linked;

/** The name of the open log's database, lock and channel. */
export const NAME = databaseOf(station);

/** @param {string} name */
export const settingOf = (name) => (station ? `${name} ${station}` : name);
/** @param {string} name @param {string} value */
export const remember = (name, value) => rememberHere(settingOf(name), value);
/** @param {string} name */
export const recall = (name) => recallHere(settingOf(name));

/** @param {string} of the station whose log to open on this device; empty: the member's own log */
export function open(of) {
  if (of && !stations().includes(of)) rememberHere(STATIONS, JSON.stringify([...stations(), of]));
  rememberHere(OPEN, of);
  history.replaceState(null, "", location.pathname); // the log opens at its first page
  location.reload();
}
/** Removes the settings and drafts of the open log from this device. */
export function forget() {
  const settings = ["staying", "lines", "paper", "outings", "plan", OWNER].map(
    (name) => `qsosync-${settingOf(name)}`,
  );
  for (const name of Object.keys(localStorage))
    if (settings.includes(name) || name.startsWith(`${APP_DRAFT}${station} `))
      localStorage.removeItem(name);
  sessionStorage.clear();
  if (!station) return;
  rememberHere(STATIONS, JSON.stringify(stations().filter((of) => of !== station)));
  rememberHere(OPEN, "");
}
