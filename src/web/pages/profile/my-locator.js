// Shows the section for the member's locator, with the world as seen from the locator.
import { find, input, number, typed } from "../../shared/page.js";
import { change, explain, get } from "../../shared/service.js";
import { parseLocator } from "../../shared/map/geography.js";
import { Disc } from "../../shared/parts/disc.js";
import { segmentsOf } from "../../shared/parts/segments.js";
import { say } from "../../shared/language.js";

/** @import { Member } from "../types.js" */

/** @type {Disc | null} */
let disc = null;

/** Shows the place of the locator in the field, if the locator is complete. */
function showPlace() {
  const field = input("locator");
  const home = parseLocator(field.value.trim());
  if (!home) return;
  if (!disc) {
    disc = new Disc({ isSmall: true });
    find("locator-disc").append(disc.node);
  }
  disc.show({ home });
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
/** @param {Member} member */
export async function showLocator(member) {
  const field = input("locator");
  const done = find("locator-done");
  /** @param {string} locator */
  const show = (locator) => {
    field.value = locator;
    offerPrecision(locator);
    showPlace();
  };
  show(member.locator);
  field.oninput = showPlace;
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
