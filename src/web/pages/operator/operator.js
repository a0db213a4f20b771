// Starts the operator's page: shows the signed-in operator and the sections.
import { element, find, typed } from "../../shared/page.js";
import { ask, explainAct } from "./operator-service.js";
import { section, showSections } from "../site/sections.js";

const SECTIONS = [
  section(
    "members",
    () => [import("./operator-members.js")],
    (module) => module.showMembers(),
  ),
  section(
    "stations",
    () => [import("./operator-stations.js")],
    (module) => module.showStations(),
  ),
  section(
    "peers",
    () => [import("./operator-peers.js")],
    (module) => module.showPeers(),
  ),
  section(
    "health",
    () => [import("./operator-health.js")],
    (module) => module.showHealth(),
  ),
  section(
    "switches",
    () => [import("./operator-switches.js")],
    (module) => module.showSwitches(),
  ),
  section(
    "log",
    () => [import("./operator-log.js")],
    (module) => module.showLog(),
  ),
];

async function findOperator() {
  const me = await ask("me");
  find("operator").append(" ", element("small", { class: "muted" }, typed(me.callsign)));
  return me;
}
showSections(SECTIONS, findOperator, explainAct);
