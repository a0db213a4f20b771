// A paper below /docs/. Its English texts are the names of rows in src/languages/papers, which no
// other page loads; what frames them is translated as everywhere.
import { language } from "./language.js";
import "./page.js";

/** @returns {Promise<Record<string, string>>} */
async function load() {
  try {
    return (await import(`../papers-${language}.js`)).TEXTS;
  } catch {
    return {}; // better than no page
  }
}

const nodes = document.querySelectorAll("[data-paper]");
if (nodes.length && language !== "en") {
  const texts = await load();
  const said = [...nodes].map((node) => texts[(node.textContent ?? "").trim()]);
  if (said.every(Boolean)) {
    nodes.forEach((node, place) => (node.textContent = said[place]));
    document.querySelector("article")?.setAttribute("lang", language);
  }
}
