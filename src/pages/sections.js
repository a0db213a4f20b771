// A page of sections, of which one is seen: their tabs, and which of them the address names, before
// a question mark and what the section itself keeps there. Each
// section is a module of its own, which is loaded, and asks for its data, when it is seen first.
import { element, find } from "./page.js";
import { Refusal } from "./service.js";

/** @param {string} id */
const has = (id) => document.getElementById(id) !== null;

/**
 * A section of the page: the modules that it needs, which come side by side, and what the first of
 * them does to show it.
 * @template Module, Reader
 * @param {string} name
 * @param {() => [Promise<Module>, ...Promise<unknown>[]]} load
 * @param {(module: Module, reader: Reader) => Promise<void>} show
 */
export function section(name, load, show) {
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
    /** @type {(reader: Reader) => Promise<void>} */
    show: async (reader) => show(await preload(), reader),
  };
}

/**
 * @template Reader
 * @typedef {object} Section
 * @property {string} name
 * @property {() => Promise<unknown>} preload
 * @property {(reader: Reader) => Promise<void>} show
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

  /** @param {unknown} refusal */
  function tellTrouble(refusal) {
    const trouble = find("trouble");
    trouble.textContent = explain(refusal);
    trouble.hidden = false;
  }
  /** @param {boolean} wantsFocus */
  async function showWanted(wantsFocus) {
    const section = wanted();
    for (const { name } of sections) find(`section-${name}`).hidden = name !== section.name;
    for (const link of find("tabs").children) {
      if (link.getAttribute("href") === `#${section.name}`)
        link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    find("trouble").hidden = true;
    if (wantsFocus) find(`${section.name}-title`).focus();
    if (seen.has(section)) return;
    seen.add(section);
    try {
      await section.show(reader);
    } catch (refusal) {
      seen.delete(section);
      tellTrouble(refusal);
    }
  }
  function showTabs() {
    find("tabs").replaceChildren(
      ...sections.map(({ name }) =>
        element("a", { href: `#${name}` }, find(`${name}-title`).textContent),
      ),
    );
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
  // While the service tells who asks; showWanted tells of a failure.
  wanted()
    .preload()
    .catch(() => {});
  showTabs();
  start();
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
