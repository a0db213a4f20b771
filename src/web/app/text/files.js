// Saves files that the app creates.
import { element } from "../../shared/page.js";

/**
 * Offers the member a file to save.
 * @param {string} name
 * @param {string} type
 * @param {string} text
 */
export function saveFile(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}
