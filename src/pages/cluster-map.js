// The map of the spots page: stations that were heard and who heard them, the ways between the
// newest, day and night, a legend, and all of that in a table.
import { drawing, element, typed } from "./page.js";
import { callsignOf, lineOf, placeOf } from "./cluster-rows.js";
import { distanceKm } from "./geography.js";
import { createMap } from "./map.js";
import { number } from "./page.js";
import { nightPath } from "./sun.js";
import { say } from "./language.js";

const WAYS_MAX = 100; // of the newest spots: more would hide the map

/**
 * @typedef {import("./answers.js").Spot} Spot
 * @typedef {import("./geography.js").Place} Place
 * @typedef {import("./map.js").MapPoint & {spot: Spot}} SpotPoint
 */

/** @param {[string, string][]} signs class and name */
function legend(signs) {
  return element(
    "ul",
    { class: "legend" },
    ...signs.map(([kind, name]) =>
      element(
        "li",
        {},
        drawing(
          "svg",
          { viewBox: "0 0 12 12", "aria-hidden": "true" },
          kind === "night"
            ? drawing("rect", { class: kind, width: 12, height: 12 })
            : drawing("circle", { class: `dot ${kind}`, cx: 6, cy: 6, r: 4.5 }),
        ),
        name,
      ),
    ),
  );
}
/**
 * The squares that were heard, those of the newest spots first.
 * @param {Spot[]} spots
 */
function squaresOf(spots) {
  /** @type {Map<string, Spot[]>} */
  const squares = new Map();
  for (const spot of spots) {
    if (!spot.spottedLocator || !placeOf(spot.dxcc_spotted)) continue;
    const name = spot.spottedLocator.slice(0, 4);
    squares.set(name, [...(squares.get(name) ?? []), spot]);
  }
  return squares;
}

/** @param {(spot: Spot) => void} open */
export function createSpotMap(open) {
  /** @param {import("./map.js").MapPoint[]} points */
  function choose(points) {
    const last = /** @type {SpotPoint} */ (points[points.length - 1]);
    open(last.spot);
  }
  const map = createMap(say("Map of the spots"), choose);
  const body = element("tbody");
  const table = element(
    "details",
    { class: "squares" },
    element("summary", {}, say("The squares in a table")),
    element(
      "table",
      {},
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          ...["Square", "Spots", "Newest", "Distance"].map((name, index) =>
            element("th", { scope: "col", class: index % 2 ? "right" : null }, say(name)),
          ),
        ),
      ),
      body,
    ),
  );
  /** @type {Spot[]} */
  let spots = [];
  /** @type {Place | null} */
  let home = null;
  let hasFit = false;

  function showTable() {
    if (!table.open) return;
    body.replaceChildren(
      ...[...squaresOf(spots)].map(([name, inSquare]) => {
        const place = /** @type {Place} */ (placeOf(inSquare[0].dxcc_spotted));
        return element(
          "tr",
          {},
          element(
            "th",
            { scope: "row" },
            element(
              "button",
              { type: "button", class: "link", click: () => map.goTo(place) },
              name,
            ),
          ),
          element("td", { class: "right" }, inSquare.length),
          element("td", {}, typed(callsignOf(inSquare[0]))),
          element("td", { class: "right" }, home ? `${number(distanceKm(home, place))} km` : ""),
        );
      }),
    );
  }
  table.addEventListener("toggle", showTable);

  const showNight = () => map.showNight(nightPath(Date.now()));
  /**
   * @param {Spot[]} newSpots newest first
   * @param {Place | null} newHome
   */
  function show(newSpots, newHome) {
    [spots, home] = [newSpots, newHome];
    /** @type {SpotPoint[]} */
    const points = [];
    /** @type {import("./map.js").Way[]} */
    const lines = [];
    for (const spot of [...spots].reverse()) {
      const there = placeOf(spot.dxcc_spotted);
      const label = () => lineOf(spot);
      if (there) points.push({ ...there, kind: "spotted", label, name: spot.spotted ?? "", spot });
    }
    for (const spot of spots.slice(0, WAYS_MAX)) {
      const [from, to] = [placeOf(spot.dxcc_spotter), placeOf(spot.dxcc_spotted)];
      if (from && to) lines.push([from, to]);
    }
    /** @type {Map<string, SpotPoint>} one dot a place, however often it heard */
    const spotters = new Map();
    for (const spot of spots) {
      const from = placeOf(spot.dxcc_spotter);
      const name = `${from?.lat} ${from?.lng}`;
      if (from && !spotters.has(name))
        spotters.set(name, { ...from, kind: "spotter", label: () => lineOf(spot), spot });
    }
    map.show({ points: [...spotters.values(), ...points], lines, home });
    if (!hasFit && points.length) {
      hasFit = true;
      map.fit();
    }
    showNight();
    showTable();
  }
  const node = element(
    "div",
    {},
    map.node,
    legend([
      ["spotted", say("heard")],
      ["spotter", say("heard by")],
      ["home", say("my place")],
      ["night", say("night")],
    ]),
    table,
  );
  return { node, show, showNight };
}
