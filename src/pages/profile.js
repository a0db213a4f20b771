// The profile page: which section is seen, and who is logged in. Each section is a module of its
// own, which is loaded, and asks for its data, when it is seen first.
import { element, find, typed } from "./page.js";
import { Refusal, explain, get } from "./service.js";

/** @param {string} id */
const has = (id) => document.getElementById(id) !== null;

// The sections, in the order of their tabs. A row names every module of its section, so that they
// come side by side; the first one shows it. Its tab bears the heading of the element of its name
// in profile.html, which may lack it: then the section is left out, and the others work.
const SECTIONS = [
  section(
    "access",
    () => [import("./access.js")],
    (module, member) => module.showAccess(member),
  ),
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
    "adif",
    () => [import("./adif.js"), import("./adif-slices.js")],
    (module) => module.showAdif(),
  ),
  section(
    "data",
    () => [import("./my-data.js")],
    (module, member) => module.showData(member),
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
async function start() {
  // While the service tells who asks; showSection tells of a failure.
  wantedSection()
    .preload()
    .catch(() => {});
  showTabs();
  let member;
  try {
    member = await get("me");
  } catch (refusal) {
    tellTrouble(refusal);
    return;
  }
  const where = `${member.locator} · ${member.club}`;
  find("member").replaceChildren(
    typed(member.callsign),
    " ",
    element("small", { class: "muted" }, typed(where)),
  );
  find("view").hidden = false;
  window.addEventListener("hashchange", () => showSection(member, true));
  showSection(member, false);
}
start();
