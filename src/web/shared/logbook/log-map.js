// Shows the map of Logbook: the stations worked, and the paths to the newest stations. The stations
// of the latest new divisions are highlighted.
import { element, find } from "../page.js";
import { legend } from "../lists.js";
import { WorldMap } from "../map/map.js";
import { say } from "../language.js";

/** @import { LogMap, LogPoint, MapPoint, NewPlace, Way } from "../types.js" */

const WAYS_MAX = 60; // maximum number of paths, to the newest places

const KINDS = ["open", "confirmed", "fresh"]; // later kinds are drawn above earlier kinds

/** @param {NewPlace} place */
const keyOf = ({ lat, lng, callsign }) => `${lat} ${lng} ${callsign}`;
/**
 * @param {LogMap} answer
 * @param {NewPlace[]} news
 */
export function showMap(answer, news = []) {
  const lit = new Set(news.map(keyOf));
  const map = new WorldMap(say("Map of stations worked"));
  const placed = answer.points.map((row) => {
    const named = answer.columns.map((name, index) => [name, row[index]]);
    return /** @type {LogPoint} */ (Object.fromEntries(named));
  });
  /** @param {LogPoint} point */
  const kindOf = (point) =>
    lit.has(keyOf(point)) ? "fresh" : point.confirmed ? "confirmed" : "open";
  /** @type {MapPoint[]} */
  const points = placed.map((point) => ({
    lat: point.lat,
    lng: point.lng,
    kind: kindOf(point),
    name: lit.has(keyOf(point)) ? (point.callsign ?? "") : "",
    label: [
      point.callsign || say("no callsign"),
      lit.has(keyOf(point)) ? say("new division") : null,
      say("{n} QSO|{n} QSOs", { n: point.count }),
      point.confirmed ? say("confirmed") : null,
      point.exact ? null : say("centre of the locator"),
    ]
      .filter(Boolean)
      .join(" · "),
  }));
  const { home } = answer;
  /** @type {(to: MapPoint[]) => Way[]} */
  const waysTo = (to) => (home ? to.map((point) => [home, point]) : []);
  const isLit = (/** @type {MapPoint} */ { kind }) => kind === "fresh";
  const lines = waysTo(points.slice(-WAYS_MAX).filter((point) => !isLit(point)));
  const litLines = waysTo(points.filter(isLit));
  points.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
  map.frame.append(
    legend([
      ["dot-confirmed", say("confirmed")],
      ["dot-open", say("worked")],
      .../** @type {[string, string][]} */ (
        litLines.length ? [["dot-fresh", say("new division")]] : []
      ),
    ]),
  );
  find("log-map").replaceChildren(
    map.node,
    ...(answer.more
      ? [element("p", { class: "muted" }, say("The map shows the most recent places."))]
      : []),
  );
  map.show({ points, lines, litLines, home });
  map.fit();
}
