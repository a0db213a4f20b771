// The logs of this device: the member's own, and those of stations that the member operates. Each
// has a database, settings and drafts of its own, and another tab may have another one open.
import { APP_DRAFT } from "../../pages/site/drafts.js";
import { recall as recallHere, remember as rememberHere } from "../../pages/site/page.js";
import { parseQuery } from "../../pages/site/query.js";

const STATIONS = "stations"; // whose logs are on this device
const OPEN = "station"; // whose log is opened next; empty: the own one
const BASE = "qsosync-app";

/** @returns {string[]} */
export function stations() {
  return JSON.parse(recallHere(STATIONS) ?? "[]");
}
// A link from the profile names the station whose log to open; it is then removed from the address.
const linked = parseQuery(location.hash.slice(1)).get("station") ?? "";
if (linked) history.replaceState(null, "", location.pathname);
if (stations().includes(linked)) rememberHere(OPEN, linked);
const wanted = recallHere(OPEN) ?? "";
/** The station whose log this is; empty: the own log. */
export const station = stations().includes(wanted) ? wanted : "";

/** The station that a link names, if its log is not on this device yet; else empty. */
export const offered = station === linked ? "" : linked;

/** @param {string} of a station; empty: of the own log */
export const databaseOf = (of) => (of ? `${BASE} ${of}` : BASE);
/** Of the log that is open: its database, its lock and its channel. */
export const NAME = databaseOf(station);

/** @param {string} name */
export const settingOf = (name) => (station ? `${name} ${station}` : name);
/** @param {string} name @param {string} value */
export const remember = (name, value) => rememberHere(settingOf(name), value);
/** @param {string} name */
export const recall = (name) => recallHere(settingOf(name));

/** @param {string} of a station, whose log comes to this device; empty: the own one */
export function open(of) {
  if (of && !stations().includes(of)) rememberHere(STATIONS, JSON.stringify([...stations(), of]));
  rememberHere(OPEN, of);
  history.replaceState(null, "", location.pathname); // its first page
  location.reload();
}
/** The log that is open is removed from this device, with what was typed for it. */
export function forget() {
  const settings = ["staying", "lines", "outings"].map((name) => `qsosync-${settingOf(name)}`);
  for (const name of Object.keys(localStorage))
    if (settings.includes(name) || name.startsWith(`${APP_DRAFT}${station} `))
      localStorage.removeItem(name);
  sessionStorage.clear();
  if (!station) return;
  rememberHere(STATIONS, JSON.stringify(stations().filter((of) => of !== station)));
  rememberHere(OPEN, "");
}
