// Shows the section Other clubs: the state of the exchange with each club, a code for pairing with
// another club, and the removal of a club.
import {
  day,
  element,
  find,
  findAs,
  hour,
  input,
  number,
  oneAtATime,
  typed,
} from "../../shared/page.js";
import { act, ask, explainAct, remove, runnerOf } from "./operator-service.js";
import { openSecret } from "./operator-invite.js";
import { confirmed } from "../../shared/dialog.js";
import { buttonOf, copyButton } from "../../shared/lists.js";
import { itemOf } from "../../shared/parts/item.js";
import { badgeOf } from "../../shared/parts/row.js";
import { closeSheet, openSheet } from "../../shared/parts/sheet.js";
import { KeptForm } from "../../shared/kept-form.js";
import { Refusal } from "../../shared/service.js";
import { say } from "../../shared/language.js";

/** @import { Child, Peer, PeerCode } from "../types.js" */

/** @param {unknown} refusal */
function explainAdding(refusal) {
  return refusal instanceof Refusal && refusal.details.length
    ? say("Please enter another club's address. It starts with https:")
    : explainAct(refusal);
}
const run = runnerOf("peers-done", showList);

/** @param {string} address @param {PeerCode} made */
function showCode(address, { code, days }) {
  return openSecret([say("Code for"), " ", typed(address)], (close) => [
    element(
      "p",
      {},
      say("Send this code to that club's operator, who must enter it within {n} days:", {
        n: days,
      }),
      " ",
      element("code", {}, "qsosync-admin peer enter CODE"),
    ),
    element(
      "p",
      { class: "address" },
      element("code", { class: "shown-secret" }, code),
      " ",
      copyButton(code, "Copy code"),
    ),
    element("p", {}, say("The code works once, and is shown only once. A new code replaces it.")),
    element(
      "div",
      { class: "buttons" },
      buttonOf("Done", () => close("yes"), "main"),
    ),
  ]);
}
/** @param {string | null} at @param {string} otherwise */
function timeOf(at, otherwise) {
  return at ? `${day(at)}, ${hour(at)} UTC` : otherwise;
}
/** @param {Peer} peer */
function notTaken({ notTaken: n, notTakenStation: callsign }) {
  return callsign ? say("{n}, the last one from {callsign}", { n, callsign }) : number(n);
}
/**
 * @param {Peer} peer
 * @returns {[string, Child][]}
 */
function factsOf(peer) {
  return [
    [say("Paired since"), timeOf(peer.pairedAt, say("not paired yet"))],
    [say("Last request"), timeOf(peer.askedAt, say("never"))],
    [say("Last complete answer"), timeOf(peer.answeredAt, say("never"))],
    [say("QSOs claimed by this club"), number(peer.claims)],
    [say("Our QSOs confirmed by this club"), number(peer.confirmations)],
    [say("Claims not accepted"), notTaken(peer)],
  ];
}
/** Shows a club in the sheet. @param {Peer} peer */
function openPeer(peer) {
  const { name } = peer;
  const end = async () => {
    const follows = say("The QSOs that this club confirmed lose their confirmations.");
    if (!(await confirmed(say("Remove this club?"), [typed(name), ". ", follows], say("Remove"))))
      return;
    closeSheet();
    await run(() => remove(`peers/${peer.number}`), say("{name} was removed.", { name }));
  };
  openSheet({
    title: [typed(peer.club ?? name)],
    body: [
      element("p", { class: "muted" }, typed(peer.address)),
      peer.failure
        ? element(
            "p",
            { class: "note warn" },
            say("The last exchange failed:"),
            " ",
            element("span", { lang: "en" }, typed(`${name} ${peer.failure}`)),
          )
        : null,
      element(
        "dl",
        { class: "fields-of-qso" },
        ...factsOf(peer).flatMap(([label, value]) => [
          element("dt", {}, label),
          element("dd", {}, value),
        ]),
      ),
    ].filter((node) => node !== null),
    foot: [buttonOf("Remove", end, "danger")],
    closed: (hadFocus) => {
      if (hadFocus) find("peers").querySelector("button")?.focus();
    },
  });
}
/** @param {Peer} peer */
function itemOfPeer(peer) {
  return itemOf({
    name: typed(peer.club ?? peer.name),
    badge: peer.failure ? badgeOf("bad", say("Needs attention")) : null,
    line: [typed(peer.address)],
    end: [peer.pairedAt ? `${say("Paired since")} ${day(peer.pairedAt)}` : say("not paired yet")],
    open: () => openPeer(peer),
  });
}
async function showList() {
  const { items } = await ask("peers");
  find("peers").replaceChildren(
    items.length
      ? element("ul", { class: "items" }, ...items.map(itemOfPeer))
      : element("p", { class: "muted" }, say("No other clubs yet.")),
  );
}
export async function showPeers() {
  const kept = new KeptForm(findAs("peer-add", HTMLFormElement), "peer");
  const add = oneAtATime(() => {
    const address = input("peer-address");
    return run(
      async () => {
        await showCode(address.value, await act("peers", { address: address.value }));
        address.value = "";
        kept.saved();
      },
      "",
      explainAdding,
    );
  });
  findAs("peer-add", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    add();
  });
  await showList();
}
