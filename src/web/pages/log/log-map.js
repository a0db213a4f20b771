// The map of Logbook: the stations worked, and the paths to them.
import { element, find, input, recall, remember } from "../../shared/page.js";
import { legend } from "../../shared/lists.js";
import { WorldMap } from "../../shared/map/map.js";
import { say } from "../../shared/language.js";

/** @import { LogMap, LogPoint, MapPoint, Way } from "../types.js" */

const CIRCLES_MAX = 500;

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
  points.sort((a, b) => (a.kind > b.kind ? -1 : 1)); // confirmed stations are drawn last
  function draw() {
    const home = answer.home;
    /** @type {Way[]} */
    const lines =
      input("circles").checked && home
        ? points.slice(-CIRCLES_MAX).map((point) => [home, point])
        : [];
    map.show({ points, lines, home });
  }
  input("circles").checked = recall("circles") === "1";
  find("circles").onchange = () => {
    remember("circles", input("circles").checked ? "1" : "");
    draw();
  };
  find("log-map").replaceChildren(
    map.node,
    legend([
      ["dot-confirmed", say("confirmed")],
      ["dot-open", say("not confirmed")],
      ["dot-home", say("my location")],
    ]),
    ...(answer.more
      ? [element("p", { class: "muted" }, say("The map shows the most recent places."))]
      : []),
  );
  draw();
  map.fit();
}
