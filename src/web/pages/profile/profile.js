// Starts the profile page: shows the signed-in member and the sections.
import { rememberMember, rememberStations } from "../../shared/account.js";
import "../site/install.js"; // imported first, because the module listens for an early event
import { drawing, element, find, recall, remember, typed } from "../../shared/page.js";
import { formatQuery } from "../../shared/query.js";
import { loadSheet, section, showSections } from "../site/sections.js";
import { CARDS_SHOWN, QSOS_SHOWN, Refusal, explain, get, station } from "../../shared/service.js";
import { learn, say } from "../../shared/language.js";

/** Sends the first requests for Logbook before the section's modules have loaded. */
function askForLog() {
  return {
    revision: get("revision"),
    newest: get(`qsos?limit=${QSOS_SHOWN}`),
    statistics: get("statistics"),
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

/** @returns {[Promise<typeof import("./my-keys.js")>, ...Promise<unknown>[]]} */
function loadKeys() {
  return [
    import("./my-keys.js"),
    import("../../shared/dialog.js"),
    import("../site/unsaved-warning.js"),
    import("./made-key.js"),
    import("../../shared/qr.js"),
  ];
}

// The sections. Each section lists all its modules, so that the modules load in parallel; the first
// module in the list shows the section.
const SECTIONS = [
  section(
    "log",
    () => [
      import("../log/log.js"),
      import("../../shared/lists.js"),
      import("../../shared/words/qso-words.js"),
      import("../../shared/map/geography.js"),
      import("../../shared/parts/row.js"),
      import("../../shared/parts/sheet.js"),
      import("../../shared/parts/swipe.js"),
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
      import("../../shared/awards/award-rules.js"),
      import("../../shared/awards/award-segments.js"),
      import("../../shared/awards/cluster-needed.js"),
      import("../../shared/divisions.js"),
      import("../../shared/map/geography.js"),
      import("../../shared/parts/chips.js"),
      import("../../shared/parts/on-air.js"),
      import("../../shared/parts/rings.js"),
      import("../../shared/parts/row.js"),
      import("../../shared/parts/sheet.js"),
      import("../../shared/parts/swipe.js"),
      import("../../shared/parts/wall.js"),
      import("../../shared/recent-spots.js"),
      import("../../shared/words/callsigns.js"),
      import("../../shared/words/countries.js"),
      import("../../shared/words/qso-words.js"),
      import("../../shared/words/rejections.js"),
      import("../../shared/words/spot-qso.js"),
      import("../../shared/words/words.js"),
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
    "profile",
    () => [
      import("./my-profile.js"),
      import("../../shared/sign-out.js"),
      import("../../shared/dialog.js"),
    ],
    (module, member) => module.showProfile(member),
  ),
  section(
    "profile/log-as",
    () => [import("./whose-log.js"), import("../../shared/qr.js")],
    (module, member) => module.showLogs(member),
  ),
  section(
    "profile/locator",
    () => [import("./my-locator.js"), import("../../shared/map/map.js")],
    (module, member) => module.showLocator(member),
  ),
  section(
    "profile/language",
    () => [import("./my-language.js")],
    (module) => module.showLanguages(),
  ),
  section(
    "profile/channels",
    () => [import("./my-channels.js"), import("../../shared/words/tuning.js")],
    (module, member) => module.showChannels(member),
  ),
  section(
    "profile/passkeys",
    () => [import("./my-passkeys.js"), import("../../shared/dialog.js")],
    (module, member) => module.showPasskeys(member),
  ),
  section(
    "profile/password",
    () => [import("./my-password.js"), import("../site/password.js")],
    (module, member) => module.showPassword(member),
  ),
  section(
    "profile/devices",
    () => [
      import("./my-devices.js"),
      import("../../shared/dialog.js"),
      import("../../shared/sign-out.js"),
    ],
    (module, member) => module.showDevices(member),
  ),
  section(
    "profile/another",
    () => [import("./my-device-code.js"), import("../../shared/qr.js")],
    (module) => module.showCodes(),
  ),
  section("profile/keys", loadKeys, (module, member) => module.showKeys(member)),
  section("profile/uploads", loadKeys, (module, member) => module.showUploads(member)),
  section(
    "profile/clusters",
    () => [import("./my-clubs.js")],
    (module, member) => module.showClusters(member),
  ),
  section(
    "profile/clubs",
    () => [import("./my-clubs.js")],
    (module, member) => module.showClubs(member),
  ),
  section(
    "profile/import",
    () => [import("../log/adif-choice.js"), import("../log/import-earlier.js")],
    (module) => module.showAdif(),
  ),
  section(
    "profile/download",
    () => [import("../log/log-download.js")],
    (module) => module.showDownload(),
  ),
  section(
    "profile/history",
    () => [import("../log/history.js"), import("../log/changes.js")],
    (module, member) => module.showHistory(member),
  ),
  section(
    "profile/deleted",
    () => [import("../log/history.js"), import("../log/changes.js")],
    (module) => module.showDeleted(),
  ),
  section(
    "profile/log-page",
    () => [import("./whose-log.js"), import("../../shared/qr.js")],
    (module, member) => module.showLogPage(member),
  ),
  section(
    "profile/alerts",
    () => [import("./my-alerts.js"), learn("alerts"), loadSheet("./alerts.css")],
    (module) => module.showAlerts(),
  ),
  section(
    "profile/app",
    () => [import("./my-app.js")],
    (module) => module.showApp(),
  ),
  section(
    "profile/delete",
    () => [import("./my-deletion.js")],
    (module, member) => module.showDeletion(member),
  ),
];
// Sections that concern the member, and not the log of a station.
const PERSONAL = ["alerts", "locator", "passkeys", "password", "devices", "another", "delete"];
// Sections that replace the sections in old addresses.
const MOVED = {
  access: "profile/keys",
  data: "profile/import",
  history: "profile/history",
  account: "profile",
};

// Sections with a reminder of the missing password.
const REMINDED = ["log", "profile"];

/** @import { Member } from "../types.js" */
/**
 * Reminds a member who signed in without a password that a password can be set.
 * @param {Member} member
 */
function offerPassword(member) {
  const asked = `no-password-${member.session}`;
  if (!member.maySetPassword || recall(asked)) return;
  const end = () => {
    remember(asked, "1");
    note.remove();
  };
  const later = () => {
    end();
    sections.focus();
  };
  const cross = drawing(
    "svg",
    { viewBox: "0 0 18 18", "aria-hidden": "true" },
    drawing("path", { d: "M4 4l10 10M14 4L4 14" }),
  );
  const note = element(
    "p",
    { class: "note", hidden: !REMINDED.includes(sections.wanted()) },
    element(
      "span",
      {},
      say("You have no password yet."),
      " ",
      element("a", { href: "#profile/password", click: end }, say("Set a password")),
    ),
    element(
      "button",
      { type: "button", class: "link glyph", "aria-label": say("Not now"), click: later },
      cross,
    ),
  );
  window.addEventListener("hashchange", () => {
    note.hidden = !REMINDED.includes(sections.wanted());
  });
  find("offer").replaceChildren(note);
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
  rememberStations(member.stations.map(({ callsign }) => callsign));
  if (member.stations.length || station !== null) {
    const { offerLogs } = await import("./whose-log.js");
    offerLogs(member);
  }
  askWhenSignedOut(member);
  offerPassword(member);
  return member;
}
// Removes a query that redirections have added, because browsers treat such an address as another
// page.
if (location.search && station === null)
  history.replaceState(null, "", location.pathname + location.hash);
document.addEventListener("not-granted", tellNotGranted);
const sections = showSections(
  SECTIONS.filter(({ name }) => station === null || !PERSONAL.includes(name.split("/")[1])),
  findMember,
  explain,
  MOVED,
);
/** Shows the callsign above the list of settings, and above all sections of a station. */
function showMember() {
  const isShown = sections.wanted() === "profile" || station !== null;
  find("member").classList.toggle("unseen", !isShown);
}
showMember();
window.addEventListener("hashchange", () => {
  find("offer").querySelector("[role=status]")?.remove();
  showMember();
  // The states in the list, the devices and the history depend on the other sections.
  sections.forget(
    ["", "/devices", "/passkeys", "/history", "/deleted"].map((one) => `profile${one}`),
  );
});
// The log and the awards depend on all changes, including changes in other tabs.
const channel = "BroadcastChannel" in window ? new BroadcastChannel("qsosync-log") : null;
document.addEventListener("changed", () => {
  sections.forget(["log", "awards"]);
  channel?.postMessage("changed");
});
