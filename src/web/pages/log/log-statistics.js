// Shows the figures of the statistics in Logbook, and the last sync of each program.
import { day, element, find, number, typed } from "../../shared/page.js";
import { percent } from "../../shared/figures.js";
import { say } from "../../shared/language.js";

/** @import { Child, Credential, Statistics } from "../types.js" */

/**
 * @param {string} name
 * @param {Child} value
 */
function figure(name, value) {
  return element("div", {}, element("dt", {}, name), element("dd", {}, value));
}
/** @param {Statistics} statistics */
export function showFigures(statistics) {
  const share = percent(statistics.confirmed, statistics.qsos);
  const { farthest } = statistics;
  /** @type {(href: string, text: string) => HTMLElement} */
  const link = (href, text) => element("a", { href }, text);
  find("figures").replaceChildren(
    figure(say("QSOs"), number(statistics.qsos)),
    figure(
      say("Confirmed"),
      link(
        "#log?confirmed=yes",
        `${number(statistics.confirmed)} · ${share === null ? "–" : `${number(share)} %`}`,
      ),
    ),
    figure(say("Stations"), number(statistics.stations)),
    figure(say("Divisions"), link("#awards", number(statistics.divisions.length))),
    figure(say("Squares"), link("#awards", number(statistics.squareCount))),
    figure(say("Farthest, km"), farthest ? link("#log?sort=-distance", number(farthest.km)) : "–"),
  );
}
/**
 * Shows when the log was last synced, and the last use of each key.
 * @param {Statistics} statistics
 * @param {Credential[]} keys
 */
export function showSyncs(statistics, keys) {
  const last = statistics.lastSyncOn ? day(statistics.lastSyncOn) : say("never");
  const rows = [...keys].sort((a, b) => (b.lastUsedOn || "").localeCompare(a.lastUsedOn || ""));
  find("syncs").replaceChildren(
    element("p", { class: "muted" }, `${say("Last sync")}: ${last}`),
    rows.length < 2
      ? ""
      : element(
          "details",
          {},
          element("summary", {}, say("Last sync by key")),
          element(
            "ul",
            {},
            ...rows.map((key) =>
              element(
                "li",
                {},
                typed(key.name),
                ": ",
                key.lastUsedOn ? day(key.lastUsedOn) : say("never"),
              ),
            ),
          ),
        ),
  );
}
