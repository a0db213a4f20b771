// Loads style sheets that only a few views need. Each sheet is loaded together with its view, so
// that the form appears sooner.
import { element } from "../../shared/page.js";

/** @type {Map<string, Promise<unknown>>} */
const coming = new Map();

/**
 * Loads a sheet. Also resolves if loading fails, because the view works without the sheet.
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
