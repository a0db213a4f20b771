// Translates a paper below /docs/, or the list of headings there, if all texts are translated. The
// English texts are the keys of src/languages/papers, which no other page loads; the texts around
// the paper are translated as on other pages.
import { language } from "../../shared/language.js";
import "../../shared/page.js";

/** @returns {Promise<Record<string, string>>} */
async function load() {
  try {
    return (await import(`../../shared/papers-${language}.js`)).TEXTS;
  } catch {
    return {}; // the paper stays English
  }
}

const nodes = document.querySelectorAll("[data-paper]");
if (nodes.length && language !== "en") {
  const texts = await load();
  const said = [...nodes].map((node) => texts[(node.textContent ?? "").trim()]);
  if (said.every(Boolean)) {
    nodes.forEach((node, place) => (node.textContent = said[place]));
    for (const node of nodes) node.closest("[lang=en]")?.setAttribute("lang", language);
  }
}
