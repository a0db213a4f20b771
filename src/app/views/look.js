// Style sheets of the pages that few views of the app need: they come with these views, so that the
// form is there sooner.
import { element } from "../../pages/site/page.js";

/** @type {Map<string, Promise<unknown>>} */
const coming = new Map();

/**
 * Resolves once the sheet is there; without it, the view goes on.
 * @param {string} name
 */
export function loadLook(name) {
  const look =
    coming.get(name) ??
    new Promise((done) => {
      const href = `../pages/${name}.css`;
      document.head.append(element("link", { rel: "stylesheet", href, load: done, error: done }));
    });
  coming.set(name, look);
  return look;
}
