// Shows the section for the member's locator, with a map on which a tap chooses the locator.
import { find, input, number, typed } from "../../shared/page.js";
import { change, explain, get } from "../../shared/service.js";
import { parseLocator } from "../../shared/map/geography.js";
import { WorldMap } from "../../shared/map/map.js";
import { askLocator, locatorOf } from "../../shared/awards/award-rules.js";
import { segmentsOf } from "../../shared/parts/segments.js";
import { say } from "../../shared/language.js";

/** @import { Member } from "../types.js" */

const WIDTH = 48; // width of the part that is visible at first, in the map's units: 12 degrees
/** @type {WorldMap | null} */
let map = null;

/**
 * Shows the place of the locator in the field, if the locator is complete.
 * @param {boolean} [isTapped] whether the map keeps the visible part
 */
function showPlace(isTapped = false) {
  const field = input("locator");
  const home = parseLocator(field.value.trim());
  if (!home) return;
  if (!map) {
    map = new WorldMap(say("Map of your locator"));
    map.view.width = WIDTH;
    map.onPlace = ({ lat, lng }) => show(locatorOf(lat, lng), true);
    find("locator-map").append(map.node);
  }
  map.show({ points: [], lines: [], home });
  if (!isTapped) map.goTo(home);
  const [north, east] = [number(Math.abs(home.lat), 2), number(Math.abs(home.lng), 2)];
  find("locator-place").textContent =
    `${north}° ${home.lat < 0 ? say("S") : say("N")}, ${east}° ${home.lng < 0 ? say("W") : say("E")}`;
}
/** Offers the exact locator and its square. @param {string} locator */
function offerPrecision(locator) {
  const field = input("locator");
  const rows = [...new Set([locator.slice(0, 4), locator])].map(
    (one) => /** @type {[string, string]} */ ([one, one]),
  );
  find("locator-precision").replaceChildren(
    ...(rows.length < 2
      ? []
      : [
          segmentsOf(say("Locator"), rows, locator, (one) => {
            field.value = one;
            showPlace();
          }),
        ]),
  );
}
/** @param {string} locator @param {boolean} [isTapped] */
function show(locator, isTapped) {
  input("locator").value = locator;
  offerPrecision(locator);
  showPlace(isTapped);
}
/** Asks the device where it is. */
function findMe() {
  const done = find("locator-done");
  askLocator(
    (locator) => {
      done.textContent = "";
      show(locator);
    },
    () => {
      done.className = "bad";
      done.textContent = say("This device doesn't share its location.");
    },
  );
}
/** @param {Member} member */
export async function showLocator(member) {
  const field = input("locator");
  const done = find("locator-done");
  show(member.locator);
  field.oninput = () => showPlace();
  find("locator-here").onclick = findMe;
  find("own-locator").onsubmit = async (event) => {
    event.preventDefault();
    try {
      await change("locator", { locator: field.value });
      const { locator, club } = await get("me");
      member.locator = locator;
      show(locator);
      find("member")
        .querySelector("small")
        ?.replaceChildren(typed(`${locator} · ${club}`));
      done.className = "good";
      done.textContent = say("Saved.");
    } catch (refusal) {
      done.className = "bad";
      done.textContent = explain(refusal);
    }
  };
}
