// Whose log the app can set up, where the signed-in member operates stations. The app loads this
// when it makes a key, which needs the service; it has page.js already, and this must not load it.

/** @param {string} station whose log is open; empty: the own one */
export async function offerStations(station) {
  const [label, choice] = ["setup-log", "setup-station"].map((id) => document.getElementById(id));
  const answer = await fetch("../profile/data/me");
  if (!answer.ok || !label || !(choice instanceof HTMLSelectElement)) return;
  /** @type {import("../site/answers.js").Member} */
  const { callsign, stations } = await answer.json();
  const chosen = label.hidden ? station : choice.value; // meanwhile, if it was offered before
  label.hidden = !stations.length;
  choice.replaceChildren(
    new Option(callsign, ""),
    ...stations.map(({ callsign: name }) => new Option(name)),
  );
  choice.value = chosen;
}
