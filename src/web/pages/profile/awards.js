// The section Awards: awards by band, mode and year, as tables, as a map of squares, as a file and
// in print. The service counts the awards; the filter is in the address after "#awards?".
import {
  offerParts,
  offerYears,
  readFilter,
  showCounts,
  showTables,
  showWall,
} from "../../shared/awards/awards-tables.js";
import { choice, day, element, find, input, typed } from "../../shared/page.js";
import { say } from "../../shared/language.js";
import { formatQuery, parseQuery } from "../../shared/query.js";
import { Renewal } from "../log/renewal.js";
import { explain, get, inLog } from "../../shared/service.js";

/** @import { Award, Awards } from "../types.js" */

function writeAddress() {
  const query = formatQuery(readFilter());
  history.replaceState(null, "", `#awards${query ? `?${query}` : ""}`);
}
/** @param {unknown} refusal null: hides the message */
function tellTrouble(refusal) {
  const trouble = find("awards-trouble");
  trouble.hidden = refusal === null;
  trouble.textContent = refusal === null ? "" : explain(refusal);
}
/** Prints the whole section, including folded parts and all rows. */
function print() {
  const section = find("section-awards");
  for (const button of section.querySelectorAll("button"))
    button.dispatchEvent(new Event("all-rows"));
  for (const details of section.querySelectorAll("details")) details.open = true;
  window.print();
}
/**
 * Shows a certificate to print, with the current filter.
 * @param {string} milestone
 * @param {string} at
 * @param {boolean} isConfirmed
 */
async function certify(milestone, at, isConfirmed) {
  const [{ openDialog }, { callsign, club }] = await Promise.all([
    import("../../shared/dialog.js"),
    get("me"),
  ]);
  const filter = [...readFilter().keys()].map((name) => choice(`awards-${name}`));
  openDialog(say("Certificate"), (close) => [
    element(
      "div",
      { class: "certificate" },
      element("p", {}, typed(club)),
      element("p", { class: "callsign" }, typed(callsign)),
      element(
        "p",
        {},
        isConfirmed
          ? say("{milestone} worked and confirmed", { milestone })
          : say("{milestone} worked", { milestone }),
      ),
      element("p", {}, filter.map((node) => node.selectedOptions[0]?.textContent).join(" · ")),
      element("p", {}, element("time", { datetime: at }, day(at))),
    ),
    element(
      "div",
      { class: "buttons" },
      element("button", { type: "button", click: () => close("") }, say("Close")),
      element(
        "button",
        { type: "button", class: "main", click: () => window.print() },
        say("Print"),
      ),
    ),
  ]);
}

class AwardsSection {
  /** @type {Awards | null} */
  shown = null;
  wish = 0; // number of the newest request; answers to older requests are dropped
  /** @type {string[]} years in the whole log; empty until known */
  years = [];
  /** @type {{show: (awards: Award[]) => void} | null} */
  map = null;
  renewal = new Renewal("awards", () => this.renew());

  constructor() {
    offerParts();
    this.readAddress();
    const form = find("awards-filter");
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", ({ target }) => {
      if (target !== input("awards-open")) {
        writeAddress();
        this.renew().catch(tellTrouble);
      } else if (this.shown) showTables(this.shown);
    });
    find("awards-print").addEventListener("click", print);
    window.addEventListener("hashchange", () => {
      if (location.hash === "#awards")
        writeAddress(); // the reader has returned to this section, whose filter is still set
      else if (location.hash.startsWith("#awards?")) {
        this.readAddress();
        this.renew().catch(tellTrouble);
      }
    });
  }

  readAddress() {
    const query = parseQuery(location.hash.split("?")[1] ?? "");
    choice("awards-band").value = query.get("band") ?? "";
    choice("awards-mode").value = query.get("mode") ?? "";
    offerYears(this.years, query.get("year") ?? "");
  }
  /** Renews the whole section. */
  async renew() {
    const mine = ++this.wish;
    const query = formatQuery(readFilter());
    const [now, awards] = await Promise.all([get("revision"), get(`awards?${query}`)]);
    if (mine !== this.wish) return;
    this.renewal.revision = now.revision;
    tellTrouble(null);
    await this.show(awards);
  }
  /** @param {Awards} awards */
  async show(awards) {
    this.shown = awards;
    const query = readFilter();
    if (!query.has("year")) {
      this.years = awards.years.map(({ year }) => String(year).padStart(4, "0"));
      offerYears(this.years, "");
    }
    find("awards-csv").setAttribute("href", `data/${inLog(`awards.csv?${formatQuery(query)}`)}`);
    showCounts(awards, undefined, certify);
    import("../../shared/words/callsigns.js").then(({ divisionOf }) =>
      showWall(awards, divisionOf),
    );
    if (!this.map) {
      const { createSquares } = await import("./awards-map.js");
      this.map = createSquares(find("awards-map"));
    }
    this.map.show(awards.squares);
  }
}
const section = new AwardsSection();

/** Shows the current awards. Can be called repeatedly. */
export const showAwards = () => section.renew();
