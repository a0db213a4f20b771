// Shows the section that downloads the log.
import { findAs, input } from "../../shared/page.js";
import { inLog } from "../../shared/service.js";
import { say } from "../../shared/language.js";

/**
 * Sets the address of the link that downloads the QSOs changed since the typed day, or all QSOs if
 * no day is typed. If the day is not valid, removes the address.
 * @param {HTMLInputElement} field
 * @param {HTMLAnchorElement} link
 */
function takeDay(field, link) {
  const since = field.value.trim();
  const ms = Date.parse(`${since}T00:00:00Z`);
  const isDay = Number.isFinite(ms) && new Date(ms).toISOString().startsWith(since);
  const fault = since === "" || isDay ? "" : say("Enter the day as 2026-05-17.");
  field.setCustomValidity(fault);
  field.reportValidity();
  if (fault) link.removeAttribute("href");
  else link.href = `data/${inLog(since ? `export.adi?since=${since}T00:00:00Z` : "export.adi")}`;
}
export async function showDownload() {
  const link = findAs("download", HTMLAnchorElement);
  input("since").addEventListener("change", () => takeDay(input("since"), link));
}
