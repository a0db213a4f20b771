// The profile page: which section is seen, and who is logged in. Each section is a module of its own, which asks for
// its data when it is seen first.
import { element, find, typed } from "./page.js";
import { explain, get } from "./service.js";
import { showAccess } from "./access.js";
import { showLog } from "./log.js";
import { showAdif } from "./adif.js";
import { showData } from "./my-data.js";

const SECTIONS = { access: showAccess, log: showLog, adif: showAdif, data: showData };
const seen = new Set();

function tellTrouble(refusal) {
  const trouble = find("trouble");
  trouble.textContent = explain(refusal);
  trouble.hidden = false;
}
async function showSection(member, wantsFocus) {
  const wanted = location.hash.slice(1);
  const name = Object.hasOwn(SECTIONS, wanted) ? wanted : "access";
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
    await SECTIONS[name](member);
  } catch (refusal) {
    seen.delete(name);
    tellTrouble(refusal);
  }
}
async function start() {
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
