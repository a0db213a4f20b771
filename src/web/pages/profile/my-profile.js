// Shows the section Profile: a list of the member's settings, each with its state.
import { age, day, find, hasPasskeys, number, plain } from "../../shared/page.js";
import { get, station } from "../../shared/service.js";
import { LANGUAGES, language, say } from "../../shared/language.js";
import { findLogs } from "../../shared/sign-out.js";

/** @import { Member } from "../types.js" */

/** @param {boolean} isOn */
const onOff = (isOn) => (isOn ? say("on") : say("off"));

/** Shows a state in its row, if the page has the row. @param {string} name @param {string} state */
function tell(name, state) {
  const place = document.getElementById(`state-${name}`);
  if (place) place.textContent = plain(state);
}
/** Shows the callsigns of the logs that the app keeps in this browser. */
async function tellKept() {
  const logs = await findLogs().catch(() => []);
  for (const { database } of logs) database.close();
  tell("app", logs.map(({ callsign }) => callsign).join(", ") || say("off"));
}
/** Loads the other states from the service, and shows each state. @param {Member} member */
async function tellCounts(member) {
  const { items: keys } = await get("keys");
  const programs = keys.filter((key) => !key.isApp).length;
  tell("keys", say("{n} program|{n} programs", { n: programs }));
  if (member.uploadAddress === null) tell("uploads", say("off"));
  else tell("uploads", (await get("tokens")).items.map(({ name }) => name).join(", "));
  const { items, days } = await get("history?limit=1");
  const [last] = items;
  if (!days) tell("history", say("off"));
  else if (last) tell("history", age(last.endedAt) || day(last.endedAt));
  tell("deleted", number((await get("deleted?limit=1")).deleted));
  if (station !== null) return;
  tell("devices", say("{n} signed in", { n: number((await get("devices")).items.length) }));
  const passkeys = (await get("passkeys")).items.length;
  tell("passkeys", number(passkeys));
  find("row-passkeys").hidden = !hasPasskeys && !passkeys;
}
/** @param {Member} member */
export async function showProfile(member) {
  find("row-log-as").hidden = !member.stations.length && station === null;
  find("row-log-page").hidden = !member.logPage;
  find("row-clubs").hidden = !member.peers.length && member.claims;
  find("row-operator").hidden = !member.isOperator;
  if (station === null) find("row-passkeys").hidden = !hasPasskeys; // until the service answers
  tell("log-as", member.callsign);
  tell("locator", member.locator);
  tell("language", Object.entries(LANGUAGES).find(([code]) => code === language)?.[1] ?? "");
  tell("password", member.hasPassword ? say("set") : say("not set"));
  if (member.otherClusters) tell("clusters", onOff(member.announces));
  tell("clubs", onOff(member.claims));
  tell("log-page", onOff(member.logPage?.on ?? false));
  find("section-profile").classList.remove("filling"); // states that arrive later do not move the rows
  await Promise.all([tellKept(), tellCounts(member)]);
}
