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
  {
    name: "access",
    load: () => [import("./access.js")],
    show: (module, member) => module.showAccess(member),
  },
  {
    name: "log",
    load: () => [
      import("./log.js"),
      import("./map.js"),
      import("./projection.js"),
      import("./figures.js"),
      import("./geography.js"),
      import("./land.js"),
    ],
    show: (module) => module.showLog(),
  },
  {
    name: "adif",
    load: () => [import("./adif.js"), import("./adif-slices.js")],
    show: (module) => module.showAdif(),
  },
  {
    name: "data",
    load: () => [import("./my-data.js")],
    show: (module, member) => module.showData(member),
  },
].filter(({ name }) => has(`section-${name}`) && has(`${name}-title`));

async function load(section) {
  try {
    return (await Promise.all(section.load()))[0];
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Refusal(0, "", [], null);
  }
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
function tellTrouble(refusal) {
  const trouble = find("trouble");
  trouble.textContent = explain(refusal);
  trouble.hidden = false;
}
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
    await section.show(await load(section), member);
  } catch (refusal) {
    seen.delete(section);
    tellTrouble(refusal);
  }
}
async function start() {
  // While the service tells who asks; showSection tells of a failure.
  load(wantedSection()).catch(() => {});
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
