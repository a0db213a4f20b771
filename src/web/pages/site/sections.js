// Shows a page with sections, one section at a time. The address names the visible section and,
// after a question mark, contains the section's own state. Each section is a separate module, which
// is loaded with its data when the section is first shown. A name such as "profile/keys" names a
// section below another section: the element of the lower section has the id "section-keys", and
// contains a link back to the upper section.
import { element, find } from "../../shared/page.js";
import { Refusal } from "../../shared/service.js";

const DESK = matchMedia("(min-width: 62rem)");

/** @param {string} id */
const has = (id) => document.getElementById(id) !== null;

/** @type {Map<string, Promise<unknown>>} */
const sheets = new Map();
/**
 * Loads a style sheet that few readers need. Loads each style sheet only once. If loading fails,
 * the page continues without the style sheet.
 * @param {string} path relative to this file
 */
export function loadSheet(path) {
  const { href } = new URL(path, import.meta.url);
  const coming =
    sheets.get(href) ??
    new Promise((done) => {
      document.head.append(element("link", { rel: "stylesheet", href, load: done, error: done }));
    });
  sheets.set(href, coming);
  return coming;
}
/**
 * Defines a section. The section's modules load in parallel, and the first module shows the
 * section. The requests of `ask` are sent without waiting for the modules.
 * @template Module, Reader
 * @template {Record<string, Promise<unknown>>} Answers
 * @param {string} name
 * @param {() => [Promise<Module>, ...Promise<unknown>[]]} load
 * @param {(module: Module, reader: Reader, answers: Answers) => Promise<void>} show
 * @param {() => Answers} [ask]
 */
export function section(name, load, show, ask = () => /** @type {Answers} */ ({})) {
  function begin() {
    const begun = { modules: Promise.all(load()), answers: ask() };
    Promise.allSettled([begun.modules, ...Object.values(begun.answers)]); // show() reports errors
    return begun;
  }
  return {
    name,
    begin,
    /** @type {(reader: Reader, begun?: ReturnType<typeof begin>) => Promise<void>} */
    show: async (reader, { modules, answers } = begin()) => {
      try {
        await modules;
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        throw new Refusal(0, "", [], null);
      }
      await show((await modules)[0], reader, answers);
    },
  };
}

/**
 * @template Reader
 * @typedef {object} Section
 * @property {string} name
 * @property {() => any} begin begins to load the section
 * @property {(reader: Reader, begun?: any) => Promise<void>} show receives the result of begin, if
 * begin was called
 */
/**
 * The methods of a page with sections.
 * @typedef {object} Sections
 * @property {() => string} wanted the name of the section in the address
 * @property {() => void} focus moves the focus to the title of the section in the address
 * @property {() => void} showAgain tries again after a failure
 * @property {(names: string[]) => void} forget makes the named sections, except the visible
 * section, reload their data when they are next shown
 * @property {(refusal: unknown) => void} tellTrouble
 */
/** @param {string} name */
const idOf = (name) => name.slice(name.lastIndexOf("/") + 1);
/** @param {string} name @returns {string | undefined} the section above */
const above = (name) => (name.includes("/") ? name.split("/")[0] : undefined);
/** @param {string} name */
const titleOf = (name) => find(`${idOf(name)}-title`);

/** @param {string} name */
const isSheet = (name) =>
  DESK.matches && find(`section-${idOf(name)}`).classList.contains("at-side");

/** Shows the page's row of tabs, if it has one. @param {Section<any>[]} sections */
function showTabs(sections) {
  document
    .getElementById("tabs")
    ?.replaceChildren(
      ...sections
        .filter(({ name }) => above(name) === undefined)
        .map(({ name }) => element("a", { href: `#${name}` }, titleOf(name).textContent)),
    );
}
/**
 * Adds the links back to upper sections, and removes the links to absent sections.
 * @param {Section<any>[]} sections
 */
function joinSections(sections) {
  for (const { name } of sections) {
    const upper = above(name);
    if (upper === undefined || !has(`${upper}-title`)) continue;
    titleOf(name).classList.add("in-head");
    titleOf(name).before(
      element(
        "a",
        { class: "back", href: `#${upper}` },
        element("span", {}, titleOf(upper).textContent),
      ),
    );
  }
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const rows = document.querySelectorAll("main li > a.go");
  for (const row of rows)
    if (row.hash && !sections.some(({ name }) => row.hash === `#${name}`))
      row.parentElement?.remove();
}
/**
 * Scrolls the row of tabs, which can be wider than a phone's screen, until a tab is in the middle.
 * @param {Element} link
 */
function moveTo(link) {
  const row = find("tabs");
  const [all, own] = [row, link].map((node) => node.getBoundingClientRect());
  row.scrollLeft += (own.left + own.right - all.left - all.right) / 2;
}
/** @param {Section<any>[]} sections @param {Section<any>} chosen */
function showOnly(sections, chosen) {
  const behind = isSheet(chosen.name) ? above(chosen.name) : undefined;
  for (const { name } of sections)
    find(`section-${idOf(name)}`).hidden = name !== chosen.name && name !== behind;
  for (const row of document.querySelectorAll("main li > a.go"))
    row.classList.toggle("chosen", row.getAttribute("href") === `#${chosen.name}`);
  // A link in the page header is current for the section in its address, the sections below, and
  // the sections in its attribute data-sections. A link without a section is current for
  // all other sections. Links to other logs are never current.
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll(".top a:not(.of-log)");
  const leads = [...links].filter((link) => link.pathname === location.pathname);
  const top = above(chosen.name) ?? chosen.name;
  const named = leads.filter(
    ({ hash, dataset }) => hash === `#${top}` || dataset.sections?.split(" ").includes(top),
  );
  const current = named.length ? named : leads.filter(({ hash }) => !hash);
  for (const link of leads)
    if (current.includes(link)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  for (const link of document.getElementById("tabs")?.children ?? []) {
    if (link.getAttribute("href") === `#${top}`) {
      link.setAttribute("aria-current", "true");
      requestAnimationFrame(() => moveTo(link));
    } else link.removeAttribute("aria-current");
  }
}
/**
 * Returns the name in the address. If the name is old, first replaces the name in the address.
 * @param {Record<string, string>} moved
 */
function nameInAddress(moved) {
  const [name] = location.hash.slice(1).split("?");
  if (!Object.hasOwn(moved, name)) return name;
  history.replaceState(null, "", `#${moved[name]}`);
  return moved[name];
}
/** @param {string} sentence */
function showTrouble(sentence) {
  const trouble = find("trouble");
  trouble.textContent = sentence;
  trouble.hidden = false;
}
/**
 * Closes a sheet after Escape, as its link does.
 * @param {KeyboardEvent} event
 * @param {string} name
 */
function closeOnEscape(event, name) {
  const isOther = event.defaultPrevented || document.querySelector("dialog[open]");
  if (event.key !== "Escape" || isOther || !isSheet(name)) return;
  event.preventDefault(); // Escape would also close a dialog that the link opens
  titleOf(name).parentElement?.querySelector("a")?.click();
}

/** Fills sections with the data of the reader. @template Reader */
class Filling {
  seen = new Set();
  /** @type {Reader | undefined} */
  reader;

  /** @param {Section<Reader>} first a section that loads while the service looks up the reader */
  constructor(first) {
    this.first = first;
    this.begun = first.begin();
  }
  /** @param {Section<Reader>} section */
  async fill(section) {
    if (this.seen.has(section)) return;
    this.seen.add(section);
    const begun = this.first === section ? this.begun : undefined;
    this.begun = undefined;
    try {
      await section.show(/** @type {Reader} */ (this.reader), begun);
    } catch (refusal) {
      this.seen.delete(section);
      throw refusal;
    } finally {
      find(`section-${idOf(section.name)}`).classList.remove("filling"); // shows the hidden content
    }
  }
}

/**
 * Shows the section in the address, or the first section, and follows changes of the address.
 * Sections that the page lacks, or that have no heading, are omitted. The heading is also the text
 * of the tab. An old address is replaced by the new address.
 * @template Reader
 * @param {Section<Reader>[]} rows
 * @param {() => Promise<Reader>} findReader returns the signed-in reader, after the page is
 * prepared for the reader
 * @param {(refusal: unknown) => string} explain
 * @param {Record<string, string>} [moved] new names of sections by their old names
 * @returns {Sections}
 */
export function showSections(rows, findReader, explain, moved = {}) {
  const sections = rows.filter(
    ({ name }) => has(`section-${idOf(name)}`) && has(`${idOf(name)}-title`),
  );
  const wanted = () => sections.find(({ name }) => name === nameInAddress(moved)) ?? sections[0];
  /** @param {unknown} refusal */
  const tellTrouble = (refusal) => showTrouble(explain(refusal));
  /** @param {Section<Reader>} section */
  const fill = (section) => filling.fill(section).catch(tellTrouble);
  let last = wanted();
  /** @param {boolean} wantsFocus */
  async function showWanted(wantsFocus) {
    const section = wanted();
    const upper = sections.find(({ name }) => name === above(section.name));
    const isNear = last === section || above(last.name) === section.name;
    last = section;
    showOnly(sections, section);
    // Each section begins at its top. A list behind or above a section keeps its place.
    if (!isNear && !isSheet(section.name)) scrollTo(0, 0);
    find("trouble").hidden = true;
    if (wantsFocus) titleOf(section.name).focus();
    const filled = fill(section);
    const isEmpty = upper && find(`section-${upper.name}`).classList.contains("filling");
    if (isEmpty && isSheet(section.name)) fill(upper);
    await filled;
  }
  async function start() {
    try {
      filling.reader = await findReader();
    } catch (refusal) {
      tellTrouble(refusal);
      return;
    }
    find("view").hidden = false;
    window.addEventListener("hashchange", () => showWanted(true));
    DESK.addEventListener("change", () => showWanted(false));
    document.addEventListener("keydown", (event) => closeOnEscape(event, wanted().name));
    await showWanted(false);
  }
  showTabs(sections);
  joinSections(sections);
  /** @type {Filling<Reader>} */
  const filling = new Filling(wanted());
  start();
  return {
    wanted: () => wanted().name,
    focus: () => titleOf(wanted().name).focus(),
    showAgain: () => showWanted(false),
    forget: (names) => {
      for (const one of sections)
        if (names.includes(one.name) && one !== wanted()) filling.seen.delete(one);
    },
    tellTrouble,
  };
}
