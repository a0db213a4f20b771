// The profile page: the signed-in member, and the sections.
import { rememberMember, rememberStations } from "../../shared/account.js";
import "../site/install.js"; // imported first, because the module listens for an early event
import { element, find, recall, remember, typed } from "../../shared/page.js";
import { formatQuery } from "../../shared/query.js";
import { loadSheet, section, showSections } from "../site/sections.js";
import { CARDS_SHOWN, QSOS_SHOWN, Refusal, explain, get, station } from "../../shared/service.js";
import { learn, say } from "../../shared/language.js";

/** Sends the first requests for Logbook before the section's modules have loaded. */
function askForLog() {
  return {
    revision: get("revision"),
    statistics: get("statistics"),
    newest: get(`qsos?limit=${QSOS_SHOWN}`),
  };
}

/**
 * Sends the first request for QSL cards. The answer includes the number of cards since the last
 * visit.
 */
function askForCards() {
  const since = recall("cards-seen");
  return { first: get(`cards?${formatQuery({ limit: CARDS_SHOWN, ...(since && { since }) })}`) };
}

// The sections, in the order of their tabs. Each section lists all its modules, so that the modules
// load in parallel; the first module in the list shows the section.
const SECTIONS = [
  section(
    "log",
    () => [
      import("../log/log.js"),
      import("../../shared/lists.js"),
      import("../../shared/words/qso-words.js"),
    ],
    (module, _member, answers) => module.showLog(answers),
    askForLog,
  ),
  section(
    "awards",
    () => [
      import("./awards.js"),
      import("../../shared/awards/awards-view.js"),
      import("../log/renewal.js"),
    ],
    (module) => module.showAwards(),
  ),
  section(
    "cards",
    () => [import("./cards.js"), learn("cards"), loadSheet("./cards.css")],
    (module, member, answers) => module.showCards(member, answers),
    askForCards,
  ),
  section(
    "access",
    () => [
      import("./access.js"),
      import("../../shared/dialog.js"),
      import("../site/unsaved-warning.js"),
      import("./made-key.js"),
      import("../../shared/qr.js"),
    ],
    (module, member) => module.showAccess(member),
  ),
  section(
    "data",
    () => [
      import("../log/adif.js"),
      import("../log/adif-slices.js"),
      import("../log/adif-encodings.js"),
      import("../log/adif-questions.js"),
      import("../log/adif-together.js"),
      import("../log/adif-reader.js"),
      import("../site/unsaved-warning.js"),
    ],
    (module) => module.showAdif(),
  ),
  section(
    "history",
    () => [import("../log/history.js"), import("../log/changes.js")],
    (module) => module.showHistory(),
  ),
  section(
    "account",
    () => [
      import("./my-account.js"),
      import("./my-devices.js"),
      import("./my-passkeys.js"),
      import("./my-device-code.js"),
      import("./my-deletion.js"),
      import("../../shared/dialog.js"),
      import("../site/password.js"),
      import("../../shared/qr.js"),
    ],
    (module, member) => module.showAccount(member),
  ),
];

/** @import { Member } from "../types.js" */
/**
 * Offers to set a password. After an invitation, no previous password is needed. If the address
 * names a section, the offer is folded to one line, so that the section stays in view.
 * @param {Member} member
 */
async function offerPassword(member) {
  const asked = `no-password-${member.session}`;
  if (!member.maySetPassword || recall(asked)) return;
  const { createPasswordForm } = await import("../site/password.js");
  const place = find("offer");
  const end = () => {
    remember(asked, "1");
    place.replaceChildren();
    find(`${sections.wanted()}-title`).focus();
  };
  const strip = element(
    "details",
    { class: "card", open: !location.hash },
    element("summary", {}, say("Set a password")),
  );
  addEventListener("hashchange", () => {
    strip.open = false;
  });
  place.replaceChildren(strip);
  strip.append(
    element("p", {}, say("Use it with your callsign to sign in on any device.")),
    createPasswordForm(
      member,
      element("button", { type: "button", click: end }, say("Not now")),
      () => {
        place.replaceChildren(
          element("p", { class: "note", role: "status" }, say("Your password is set.")),
        );
      },
    ),
  );
}
/**
 * Asks the member to sign in again after a session has ended. Typed text stays on the page.
 * @param {Member} member
 */
function askWhenSignedOut(member) {
  document.addEventListener("signed-out", async () => {
    const { signInAgain } = await import("../site/signed-out.js");
    if (!(await signInAgain(member.signedInAs, `profile/#${sections.wanted()}`))) return;
    sections.showAgain();
  });
}
/** Tells members that their permission for this station's log has ended. */
function tellNotGranted() {
  find("offer").replaceChildren(
    element(
      "p",
      { class: "note warn", role: "status" },
      say("You can't use this station's log now."),
      " ",
      element("a", { href: "./" }, say("Open my log")),
    ),
  );
}
async function findMember() {
  /** @type {Member} */
  let member;
  try {
    member = await get("me");
  } catch (refusal) {
    if (station !== null) tellNotGranted();
    if (!(refusal instanceof Refusal) || refusal.status !== 401) throw refusal;
    rememberMember("");
    const next = `profile/${location.search}${location.hash}`;
    location.replace(`../sign-in?${formatQuery({ next })}`);
    return new Promise(() => {}); // never resolves: the browser leaves the page
  }
  const where = `${member.locator} · ${member.club}`;
  find("member").replaceChildren(
    typed(member.callsign),
    " ",
    element("small", { class: "muted" }, typed(where)),
  );
  rememberStations(member.stations.length > 0);
  if (member.stations.length || station !== null) {
    const { showLogs } = await import("./whose-log.js");
    showLogs(member);
  }
  askWhenSignedOut(member);
  offerPassword(member).catch(sections.tellTrouble);
  return member;
}
// Removes a query that redirections have added, because browsers treat such an address as another
// page.
if (location.search && station === null)
  history.replaceState(null, "", location.pathname + location.hash);
document.addEventListener("not-granted", tellNotGranted);
const sections = showSections(
  SECTIONS.filter(({ name }) => station === null || name !== "account"),
  findMember,
  explain,
);
window.addEventListener("hashchange", () => find("offer").querySelector("[role=status]")?.remove());
// The log, awards and history depend on all changes, including changes in other tabs.
const channel = "BroadcastChannel" in window ? new BroadcastChannel("qsosync-log") : null;
document.addEventListener("changed", () => {
  sections.forget(["log", "awards", "history"]);
  channel?.postMessage("changed");
});
