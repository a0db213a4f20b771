// The profile page: which section is seen, and who is logged in. Each section is a module of its own, which is
// loaded, and asks for its data, when it is seen first.
import { element, find, typed } from "./page.js";
import { Refusal, explain, get } from "./service.js";

// Every module of a section is named, so that they come side by side; the first one shows it.
const SECTIONS = {
  access: { load: () => [import("./access.js")], show: (module, member) => module.showAccess(member) },
  log: { load: () => [import("./log.js"), import("./map.js"), import("./geography.js"), import("./land.js")], show: (module, member) => module.showLog(member) },
  adif: { load: () => [import("./adif.js"), import("./adif-slices.js")], show: (module, member) => module.showAdif(member) },
  data: { load: () => [import("./my-data.js")], show: (module, member) => module.showData(member) },
};
async function load(name) {
  try {
    return (await Promise.all(SECTIONS[name].load()))[0];
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Refusal(0, "", [], null);
  }
}
function wantedSection() {
  const wanted = location.hash.slice(1);
  return Object.hasOwn(SECTIONS, wanted) ? wanted : "access";
}
const seen = new Set();

function tellTrouble(refusal) {
  const trouble = find("trouble");
  trouble.textContent = explain(refusal);
  trouble.hidden = false;
}
async function showSection(member, wantsFocus) {
  const name = wantedSection();
  for (const other of Object.keys(SECTIONS)) find(`section-${other}`).hidden = other !== name;
  for (const link of document.querySelectorAll(".tabs a")) {
    if (link.hash === `#${name}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  find("trouble").hidden = true;
  if (wantsFocus) find(`${name}-title`).focus();
  if (seen.has(name)) return;
  seen.add(name);
  try {
    await SECTIONS[name].show(await load(name), member);
  } catch (refusal) {
    seen.delete(name);
    tellTrouble(refusal);
  }
}
async function start() {
  load(wantedSection()).catch(() => {}); // while the service tells who asks; showSection tells of a failure
  let member;
  try {
    member = await get("me");
  } catch (refusal) {
    tellTrouble(refusal);
    return;
  }
  find("member").replaceChildren(typed(member.callsign), " ", element("small", { class: "muted" }, typed(`${member.locator} · ${member.club}`)));
  find("view").hidden = false;
  window.addEventListener("hashchange", () => showSection(member, true));
  showSection(member, false);
}
start();
