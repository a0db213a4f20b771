// Shows the section Awards: the awards by band, mode and year, also as a file and in print. The
// service counts the awards; the filter and the chosen part are in the address after "#awards?".
import { AwardsView } from "../../shared/awards/awards-view.js";
import { partOf } from "../../shared/awards/award-segments.js";
import { knowWorked, neededOfSpot } from "../../shared/awards/cluster-needed.js";
import { spotBandOf } from "../../shared/words/spot-qso.js";
import { day, element, find, typed } from "../../shared/page.js";
import { say } from "../../shared/language.js";
import { formatQuery, parseQuery } from "../../shared/query.js";
import { Renewal } from "../log/renewal.js";
import { explain, get, inLog } from "../../shared/service.js";

/** @import { Award, AwardQso, AwardSubject, Awards } from "../types.js" */

const FILTERS = { divisions: "division", squares: "square", special: "callsign" };

/** @param {unknown} refusal null: hides the message */
function tellTrouble(refusal) {
  const trouble = find("awards-trouble");
  trouble.hidden = refusal === null;
  trouble.textContent = refusal === null ? "" : explain(refusal);
}
/**
 * Returns the address of a part, with the current filter.
 * @param {AwardSubject} part
 * @param {AwardsView | null} view
 */
function addressOf(part, view) {
  const query = new Map(view?.filter() ?? []);
  if (part !== "divisions") query.set("part", part);
  return query.size ? `#awards?${formatQuery(query)}` : "#awards";
}
/**
 * Returns the address of Logbook with a filter that finds a QSO.
 * @param {AwardQso} qso
 * @param {AwardSubject} subject
 * @param {string} name
 */
function addressOfQso({ qsoAt, callsign }, subject, name) {
  const on = qsoAt.slice(0, 10);
  const square = subject === "squares" && { square: name };
  return `#log?${formatQuery({ from: on, to: on, ...(callsign && { callsign }), ...square })}`;
}
/**
 * Shows a certificate to print.
 * @param {string} filter in words
 * @param {string} milestone
 * @param {string} at
 * @param {boolean} isConfirmed
 */
async function certify(filter, milestone, at, isConfirmed) {
  const [{ openDialog }, { callsign, club }] = await Promise.all([
    import("../../shared/dialog.js"),
    get("me"),
  ]);
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
      element("p", {}, filter),
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
  wish = 0; // number of the newest request; answers to older requests are dropped
  /** @type {{show: (awards: Award[]) => void} | null} */
  map = null;
  renewal = new Renewal("awards", () => this.renew());
  csv = element("a", { id: "awards-csv", class: "button", download: true }, "CSV");

  constructor() {
    const print = () => window.print();
    /** @type {AwardsView} */
    const view = new AwardsView(find("awards-view"), {
      part: (part) => addressOf(part, this.view ?? null),
      cards: "#cards",
      all: (subject, name) => `#log?${formatQuery({ [FILTERS[subject]]: name })}`,
      first: addressOfQso,
      buttons: [
        this.csv,
        element("button", { id: "awards-print", type: "button", click: print }, say("Print")),
      ],
      filtered: () => {
        this.writeAddress();
        this.renew().catch(tellTrouble);
      },
      spots: {
        home: async () => (await get("worked")).locator,
        news: async (worth) => {
          const known = knowWorked(await get("worked"));
          return worth.map((one) => neededOfSpot({ ...one, band: spotBandOf(one.band) }, known));
        },
      },
      certify: (...milestone) => certify(view.filterInWords(), ...milestone),
    });
    this.view = view;
    this.readAddress();
    window.addEventListener("hashchange", () => {
      if (location.hash === "#awards" && this.view.filter().size)
        this.writeAddress(); // the reader has returned to this section, whose filter is still set
      else if (/^#awards(\?|$)/.test(location.hash)) {
        const before = formatQuery(this.view.filter());
        this.readAddress();
        if (formatQuery(this.view.filter()) !== before) this.renew().catch(tellTrouble);
      }
    });
  }

  writeAddress() {
    history.replaceState(null, "", addressOf(this.view.part, this.view));
    this.view.choose(this.view.part); // the links to the parts contain the filter
  }
  readAddress() {
    const query = parseQuery(location.hash.split("?")[1] ?? "");
    this.view.setFilter(query);
    this.view.choose(partOf(query.get("part")));
  }
  /** Loads the awards for the current filter, and shows the whole section. */
  async renew() {
    const mine = ++this.wish;
    const query = formatQuery(this.view.filter());
    const [now, awards] = await Promise.all([get("revision"), get(`awards?${query}`)]);
    if (mine !== this.wish) return;
    this.renewal.revision = now.revision;
    tellTrouble(null);
    this.csv.href = `data/${inLog(`awards.csv?${query}`)}`;
    await this.show(awards);
  }
  /** @param {Awards} awards */
  async show(awards) {
    this.view.show(awards);
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
