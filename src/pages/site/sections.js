// A page of sections, of which one is seen: their tabs, and which of them the address names, before
// a question mark and what the section itself keeps there. Each
// section is a module of its own, which is loaded, and asks for its data, when it is seen first.
import { element, find } from "./page.js";
import { Refusal } from "./service.js";

/** @param {string} id */
const has = (id) => document.getElementById(id) !== null;

/** @type {Map<string, Promise<unknown>>} */
const sheets = new Map();
/**
 * Brings a style sheet that few readers need, once; without it, the page goes on.
 * @param {string} path from here
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
 * A section of the page: the modules that it needs, which come side by side, what the first of them
 * does to show it, and the questions to the service that need not wait for a module.
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
    Promise.allSettled([begun.modules, ...Object.values(begun.answers)]); // show() tells
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
 * @property {() => any} begin loads and asks already
 * @property {(reader: Reader, begun?: any) => Promise<void>} show with what has begun, if it has
 */
/**
 * What a page can do with its sections.
 * @typedef {object} Sections
 * @property {() => string} wanted the name of the section that the address names
 * @property {() => void} showAgain tries once more what could not be shown
 * @property {(names: string[]) => void} forget these ask for their data again when they are seen
 *   next; the one that is seen stays
 * @property {(refusal: unknown) => void} tellTrouble
 */
/** @param {Section<any>[]} sections */
function showTabs(sections) {
  find("tabs").replaceChildren(
    ...sections.map(({ name }) =>
      element("a", { href: `#${name}` }, find(`${name}-title`).textContent),
    ),
  );
}
/**
 * Moves the row of tabs, which may be wider than a phone, until one is in its middle.
 * @param {Element} link
 */
function moveTo(link) {
  const row = find("tabs");
  const [all, own] = [row, link].map((node) => node.getBoundingClientRect());
  row.scrollLeft += (own.left + own.right - all.left - all.right) / 2;
}
/** @param {Section<any>[]} sections @param {Section<any>} chosen */
function showOnly(sections, chosen) {
  for (const { name } of sections) find(`section-${name}`).hidden = name !== chosen.name;
  // The head leads to some of them, too; its other link to this page is that of all the others.
  const leads = [...document.querySelectorAll(".top nav a")].filter(
    (link) => link instanceof HTMLAnchorElement && link.pathname === location.pathname,
  );
  const lead = leads.find((link) => link.getAttribute("href")?.endsWith(`#${chosen.name}`));
  for (const link of leads)
    if (link === (lead ?? leads[0])) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  for (const link of find("tabs").children) {
    if (link.getAttribute("href") === `#${chosen.name}`) {
      link.setAttribute("aria-current", "true");
      requestAnimationFrame(() => moveTo(link));
    } else link.removeAttribute("aria-current");
  }
}
/**
 * Shows the section that the address names, else the first one, from now on. A section that the
 * page lacks, or whose heading is missing, is left out; its tab bears that heading.
 * @template Reader
 * @param {Section<Reader>[]} rows
 * @param {() => Promise<Reader>} findReader who is signed in; what it needs is shown by then
 * @param {(refusal: unknown) => string} explain
 * @returns {Sections}
 */
export function showSections(rows, findReader, explain) {
  const sections = rows.filter(({ name }) => has(`section-${name}`) && has(`${name}-title`));
  const wanted = () =>
    sections.find(({ name }) => location.hash.split("?")[0] === `#${name}`) ?? sections[0];
  const seen = new Set();
  /** @type {Reader} */
  let reader;
  /** @type {{section: Section<Reader>, begun: any} | null} until one is shown */
  let first = null;

  /** @param {unknown} refusal */
  function tellTrouble(refusal) {
    const trouble = find("trouble");
    trouble.textContent = explain(refusal);
    trouble.hidden = false;
  }
  /** @param {boolean} wantsFocus */
  async function showWanted(wantsFocus) {
    const section = wanted();
    showOnly(sections, section);
    find("trouble").hidden = true;
    if (wantsFocus) find(`${section.name}-title`).focus();
    if (seen.has(section)) return;
    seen.add(section);
    const begun = first?.section === section ? first.begun : undefined;
    first = null;
    try {
      await section.show(reader, begun);
    } catch (refusal) {
      seen.delete(section);
      tellTrouble(refusal);
    } finally {
      find(`section-${section.name}`).classList.remove("filling"); // what came late moves nothing
    }
  }
  async function start() {
    try {
      reader = await findReader();
    } catch (refusal) {
      tellTrouble(refusal);
      return;
    }
    find("view").hidden = false;
    window.addEventListener("hashchange", () => showWanted(true));
    await showWanted(false);
  }
  showTabs(sections);
  start();
  // While the service tells who asks.
  first = { section: wanted(), begun: wanted().begin() };
  return {
    wanted: () => wanted().name,
    showAgain: () => showWanted(false),
    forget: (names) => {
      for (const one of sections)
        if (names.includes(one.name) && one !== wanted()) seen.delete(one);
    },
    tellTrouble,
  };
}
