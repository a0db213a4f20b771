// Starts the operator's page: shows the sections.
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
    "health/switches",
    () => [import("./operator-switches.js")],
    (module) => module.showSwitches(),
  ),
  section(
    "health/log",
    () => [import("./operator-log.js")],
    (module) => module.showLog(),
  ),
];

const MOVED = { switches: "health/switches", log: "health/log" };

showSections(SECTIONS, () => ask("me"), explainAct, MOVED);
