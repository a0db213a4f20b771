// Saves files that the app creates.
import { element } from "../../pages/site/page.js";

/**
 * Lets the member save a file.
 * @param {string} name
 * @param {string} type
 * @param {string} text
 */
export function saveFile(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}
