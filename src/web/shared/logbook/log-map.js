// Shows the map of Logbook: the stations worked, and the paths to the newest stations.
import { element, find } from "../page.js";
import { legend } from "../lists.js";
import { WorldMap } from "../map/map.js";
import { say } from "../language.js";

/** @import { LogMap, LogPoint, MapPoint, Way } from "../types.js" */

const WAYS_MAX = 60; // maximum number of paths, to the newest places

/** @param {LogMap} answer */
export function showMap(answer) {
  const map = new WorldMap(say("Map of stations worked"));
  const placed = answer.points.map((row) => {
    const named = answer.columns.map((name, index) => [name, row[index]]);
    return /** @type {LogPoint} */ (Object.fromEntries(named));
  });
  /** @type {MapPoint[]} */
  const points = placed.map((point) => ({
    lat: point.lat,
    lng: point.lng,
    kind: point.confirmed ? "confirmed" : "open",
    label: [
      point.callsign || say("no callsign"),
      say("{n} QSO|{n} QSOs", { n: point.count }),
      point.confirmed ? say("confirmed") : null,
      point.exact ? null : say("centre of the locator"),
    ]
      .filter(Boolean)
      .join(" · "),
  }));
  const { home } = answer;
  /** @type {Way[]} */
  const lines = home ? points.slice(-WAYS_MAX).map((point) => [home, point]) : [];
  points.sort((a, b) => (a.kind > b.kind ? -1 : 1)); // confirmed stations are drawn last
  map.frame.append(
    legend([
      ["dot-confirmed", say("confirmed")],
      ["dot-open", say("worked")],
    ]),
  );
  find("log-map").replaceChildren(
    map.node,
    ...(answer.more
      ? [element("p", { class: "muted" }, say("The map shows the most recent places."))]
      : []),
  );
  map.show({ points, lines, home });
  map.fit();
}
