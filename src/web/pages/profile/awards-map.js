// Shows the map of the squares worked. Each square has a dot, whose text contains the square's name
// and number of QSOs, and states whether the square is confirmed. Enter opens the QSOs in Logbook.
import { drawing } from "../../shared/page.js";
import { WorldMap } from "../../shared/map/map.js";
import { legend } from "../../shared/lists.js";
import { parseLocator } from "../../shared/map/geography.js";
import { project } from "../../shared/map/projection.js";
import { say } from "../../shared/language.js";

/** @import { Award, Place } from "../types.js" */

/** @param {Place[]} middles middles of squares, which are two degrees wide and one high */
function pathOf(middles) {
  return middles
    .map(({ lat, lng }) => project({ lat: lat + 0.5, lng: lng - 1 }))
    .map(({ x, y }) => `M${x} ${y}h8v4h-8z`)
    .join("");
}

/** @param {HTMLElement} place parent of the map */
export function createSquares(place) {
  const map = new WorldMap(say("Map of squares worked"), (points) => {
    location.hash = `#log?square=${points[points.length - 1].name}`;
  });
  const open = drawing("path", { class: "square open" });
  const confirmed = drawing("path", { class: "square confirmed" });
  map.node.querySelector(".borders")?.after(open, confirmed);
  place.replaceChildren(
    map.node,
    legend([
      ["dot-confirmed", say("confirmed")],
      ["dot-open", say("not confirmed")],
    ]),
  );
  let isNew = true;
  /** @param {Award[]} awards */
  function show(awards) {
    const squares = awards.flatMap((award) => {
      const middle = parseLocator(award.name);
      return middle ? [{ ...middle, award }] : [];
    });
    squares.sort((a, b) => Math.sign(a.award.confirmed) - Math.sign(b.award.confirmed));
    open.setAttribute("d", pathOf(squares.filter(({ award }) => !award.confirmed)));
    confirmed.setAttribute("d", pathOf(squares.filter(({ award }) => award.confirmed)));
    map.show({
      points: squares.map(({ lat, lng, award }) => ({
        lat,
        lng,
        kind: award.confirmed ? "confirmed" : "open",
        name: award.name,
        label: [
          award.name,
          say("{n} QSO|{n} QSOs", { n: award.qsos }),
          award.confirmed ? say("confirmed") : say("not confirmed"),
        ].join(" · "),
      })),
      lines: [],
      home: null,
    });
    if (isNew) map.fit();
    isNew = false;
  }
  return { show };
}
