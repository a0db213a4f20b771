// Shows the sections for DX cluster programs and for other clubs.
import { find, findAs } from "../../shared/page.js";
import { copyButton } from "../../shared/lists.js";
import { change, explain } from "../../shared/service.js";

/** @import { Member } from "../types.js" */

/** Shows the line that a cluster program sends to receive only spots that the member needs. */
async function showFeedLine() {
  const node = find("feed-line");
  node.hidden = false;
  try {
    const { code } = await change("feed-code");
    node.textContent = `set/new ${code}`;
    find("feed-copy").replaceChildren(copyButton(node.textContent));
  } catch (refusal) {
    node.textContent = explain(refusal);
  }
}

/**
 * Shows a switch of the member, and stores each choice.
 * @param {Member} member
 * @param {"announces" | "claims"} name id of the switch in the page, and its name in `member`
 * @param {"announcing" | "claims"} path
 * @param {string} where the names of the clusters or clubs that the switch concerns
 */
function offerSwitch(member, name, path, where) {
  const wish = findAs(name, HTMLInputElement);
  const place = find(`${name}-where`);
  place.textContent = where;
  wish.checked = member[name];
  wish.addEventListener("change", async () => {
    try {
      await change(path, { [name]: wish.checked });
      member[name] = wish.checked;
    } catch (refusal) {
      wish.checked = !wish.checked;
      place.textContent = explain(refusal);
    }
  });
}
/**
 * Shows the line for cluster programs, and a switch for sending the member's spots to the clusters
 * that the club reads.
 * @param {Member} member
 */
export async function showClusters(member) {
  const { otherClusters, announces } = member;
  find("feed-show").addEventListener("click", () => showFeedLine());
  find("announcing").hidden = !otherClusters && !announces;
  offerSwitch(member, "announces", "announcing", (otherClusters ?? "").replaceAll(",", ", "));
}
/**
 * Shows a switch for confirming QSOs with members of other clubs.
 * @param {Member} member
 */
export async function showClubs(member) {
  offerSwitch(member, "claims", "claims", member.peers.join(", "));
}
