// Offers the logs that the app can set up, if the signed-in member operates stations. The app loads
// this file only to create a key, and a key cannot be created offline anyway. This file must not
// import page.js: the app contains its own copy, and a second copy would start the page again.

/** @import { Member } from "./types.js" */

/** @param {string} station station of the open log; empty: the member's own log */
export async function offerStations(station) {
  const [label, choice] = ["setup-log", "setup-station"].map((id) => document.getElementById(id));
  const answer = await fetch("../profile/data/me");
  if (!answer.ok || !label || !(choice instanceof HTMLSelectElement)) return;
  /** @type {Member} */
  const { callsign, stations } = await answer.json();
  const chosen = label.hidden ? station : choice.value; // keeps the reader's choice
  label.hidden = !stations.length;
  choice.replaceChildren(
    new Option(callsign, ""),
    ...stations.map(({ callsign: name }) => new Option(name)),
  );
  choice.value = chosen;
}
