// The profile page: which section is seen, and who is signed in. Each section is a module of its
// own, which is loaded, and asks for its data, when it is seen first.
import { rememberMember } from "./account.js";
import { element, find, recall, remember, typed } from "./page.js";
import { Refusal, explain, get } from "./service.js";
import { say } from "./language.js";

/** @param {string} id */
const has = (id) => document.getElementById(id) !== null;

// The sections, in the order of their tabs. A row names every module of its section, so that they
// come side by side; the first one shows it. Its tab bears the heading of the element of its name
// in profile.html, which may lack it: then the section is left out, and the others work.
const SECTIONS = [
  section(
    "log",
    () => [
      import("./log.js"),
      import("./map.js"),
      import("./projection.js"),
      import("./figures.js"),
      import("./geography.js"),
      import("./land.js"),
    ],
    (module) => module.showLog(),
  ),
  section(
    "access",
    () => [import("./access.js"), import("./dialog.js"), import("./qr.js")],
    (module, member) => module.showAccess(member),
  ),
  section(
    "data",
    () => [import("./adif.js"), import("./adif-slices.js")],
    (module) => module.showAdif(),
  ),
  section(
    "history",
    () => [import("./history.js"), import("./changes.js")],
    (module) => module.showHistory(),
  ),
  section(
    "account",
    () => [
      import("./my-account.js"),
      import("./dialog.js"),
      import("./password.js"),
      import("./qr.js"),
    ],
    (module, member) => module.showAccount(member),
  ),
].filter(({ name }) => has(`section-${name}`) && has(`${name}-title`));

/** @typedef {import("./answers.js").Member} Member */
/**
 * @template Module
 * @param {string} name
 * @param {() => [Promise<Module>, ...Promise<unknown>[]]} load
 * @param {(module: Module, member: Member) => Promise<void>} show
 */
function section(name, load, show) {
  async function preload() {
    try {
      return (await Promise.all(load()))[0];
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw new Refusal(0, "", [], null);
    }
  }
  return {
    name,
    preload,
    /** @type {(member: Member) => Promise<void>} */
    show: async (member) => show(await preload(), member),
  };
}
function wantedSection() {
  return SECTIONS.find(({ name }) => location.hash === `#${name}`) ?? SECTIONS[0];
}
const seen = new Set();

function showTabs() {
  find("tabs").replaceChildren(
    ...SECTIONS.map(({ name }) =>
      element("a", { href: `#${name}` }, find(`${name}-title`).textContent),
    ),
  );
}
/** @param {unknown} refusal */
function tellTrouble(refusal) {
  const trouble = find("trouble");
  trouble.textContent = explain(refusal);
  trouble.hidden = false;
}
/**
 * @param {Member} member
 * @param {boolean} wantsFocus
 */
async function showSection(member, wantsFocus) {
  const section = wantedSection();
  for (const { name } of SECTIONS) find(`section-${name}`).hidden = name !== section.name;
  for (const link of find("tabs").children) {
    if (link.getAttribute("href") === `#${section.name}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  find("trouble").hidden = true;
  if (wantsFocus) find(`${section.name}-title`).focus();
  if (seen.has(section)) return;
  seen.add(section);
  try {
    await section.show(member);
  } catch (refusal) {
    seen.delete(section);
    tellTrouble(refusal);
  }
}
/**
 * After an invitation, a password may be set without the former one: it is offered once.
 * @param {Member} member
 */
async function offerPassword(member) {
  const asked = `no-password-${member.session}`;
  if (!member.maySetPassword || recall(asked)) return;
  const { createPasswordForm } = await import("./password.js");
  const place = find("offer");
  const end = () => {
    remember(asked, "1");
    place.replaceChildren();
    find(`${wantedSection().name}-title`).focus();
  };
  place.replaceChildren(
    element(
      "section",
      { class: "card", "aria-labelledby": "offer-title" },
      element("h2", { id: "offer-title" }, say("Set a password")),
      element(
        "p",
        {},
        say("With it and your callsign you can sign in again, here or on another device."),
      ),
      createPasswordForm(
        member,
        element("button", { type: "button", click: end }, say("Not now")),
        () => {
          place.replaceChildren(
            element("p", { class: "note", role: "status" }, say("Your password is set.")),
          );
        },
      ),
    ),
  );
}
/**
 * Where the session has ended, what was typed stays, and the page goes on after the sign-in.
 * @param {Member} member
 */
function askWhenSignedOut(member) {
  document.addEventListener("signed-out", async () => {
    const { signInAgain } = await import("./signed-out.js");
    if (!(await signInAgain(member.callsign, `profile/#${wantedSection().name}`))) return;
    find("trouble").hidden = true;
    showSection(member, false);
  });
}
/** Beside the other pages in the head. */
function showWayToOperator() {
  const here = document.querySelector(".top nav [aria-current]");
  here?.after(" ", element("a", { href: "../operator/" }, say("Operator")));
}
async function start() {
  // What a way around brought, which a browser takes for another page.
  if (location.search) history.replaceState(null, "", location.pathname + location.hash);
  // While the service tells who asks; showSection tells of a failure.
  wantedSection()
    .preload()
    .catch(() => {});
  showTabs();
  let member;
  try {
    member = await get("me");
  } catch (refusal) {
    if (refusal instanceof Refusal && refusal.status === 401) {
      rememberMember("");
      location.replace(`../sign-in?next=${encodeURIComponent(`profile/${location.hash}`)}`);
    } else tellTrouble(refusal);
    return;
  }
  const where = `${member.locator} · ${member.club}`;
  find("member").replaceChildren(
    typed(member.callsign),
    " ",
    element("small", { class: "muted" }, typed(where)),
  );
  if (member.isOperator) showWayToOperator();
  find("view").hidden = false;
  window.addEventListener("hashchange", () => {
    find("offer").querySelector("[role=status]")?.remove();
    showSection(member, true);
  });
  // The log and its history tell of all that was done.
  document.addEventListener("changed", () => {
    for (const one of SECTIONS)
      if (["log", "history"].includes(one.name) && one !== wantedSection()) seen.delete(one);
  });
  askWhenSignedOut(member);
  offerPassword(member).catch(tellTrouble);
  showSection(member, false);
}
start();
