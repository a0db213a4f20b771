// Shows the awards of a log, for the profile and the app: three rings, a wall of tiles with their
// details, and milestones. The profile and the app each have an awards.js, which loads the data and
// shows the map of squares.
import { choicesOf, offerValues } from "../words/qso-words.js";
import { divisionOf } from "../words/callsigns.js";
import { choice, day, element, find, number, typed } from "../page.js";
import { formatQuery } from "../query.js";
import { country, say } from "../language.js";
import { chipOfSelect } from "../parts/chips.js";
import { drawRing, drawSeal } from "../parts/rings.js";
import { OnAir } from "../parts/on-air.js";
import { badgeOf } from "../parts/row.js";
import { closeSheet, openSheet } from "../parts/sheet.js";
import { Wall, tileKey } from "../parts/wall.js";
import { SUBJECTS, segmentsOf } from "./award-segments.js";

/**
 * @import { Award, AwardQso, AwardSubject, Awards, Child, OnAirSource, Query,
 *   SpotWorth, TileGroup } from "../types.js"
 */
/**
 * Creates a certificate for a milestone; `at` is the time at which the milestone was reached.
 * @typedef {(milestone: string, at: string, isConfirmed: boolean) => void} Certify
 */
/**
 * The differences between the profile and the app.
 * @typedef {object} AwardsHost
 * @property {(part: AwardSubject) => string} part returns the address of a part
 * @property {string} cards address of the QSL cards
 * @property {(subject: AwardSubject, name: string) => string | null} all returns the address of
 * all QSOs for an item; null: not linked
 * @property {(qso: AwardQso, subject: AwardSubject, name: string) => string} first returns the
 * address of a QSO
 * @property {HTMLElement[]} buttons buttons for the whole view, such as a download
 * @property {() => void} filtered called when the reader has chosen another filter
 * @property {Certify | null} certify
 * @property {Pick<OnAirSource, "home" | "news">} spots
 */

const BANDS = choicesOf("band");
const FILTERS = ["band", "mode", "year"];
/** @type {Record<AwardSubject, string>} */
const NAMES = { divisions: "Divisions", squares: "Squares", special: "Special stations" };
/** @type {Record<AwardSubject, (n: number) => string>} counts in words */
const COUNTS = {
  divisions: (n) => say("{n} division|{n} divisions", { n }),
  squares: (n) => say("{n} square|{n} squares", { n }),
  special: (n) => say("{n} special station|{n} special stations", { n }),
};
/** @type {Record<AwardSubject, (worth: SpotWorth) => string | null>} name a spot's tile */
const VALUES = {
  divisions: ({ division }) => String(division),
  squares: ({ square }) => square,
  special: ({ special }) => special,
};
/** @type {Record<string, string>} */
const CONTINENTS = {
  EU: "Europe",
  NA: "North America",
  SA: "South America",
  AF: "Africa",
  AS: "Asia",
  OC: "Oceania",
  AN: "Antarctica",
};

/**
 * Returns the country of a division, or the division's name if the division is not a country.
 * @param {{country?: string, iso?: string | null}} division
 */
const nameOf = ({ country: name = "", iso }) => (iso ? country(name, iso) : name);
/** @type {(award: Award) => "worked" | "confirmed"} */
const stateOf = ({ confirmed }) => (confirmed ? "confirmed" : "worked");
/** @param {Awards} awards @returns {TileGroup[]} */
function continentsOf({ divisions, missing }) {
  /** @type {(TileGroup["tiles"][0] & {digits: number})[]} */
  const tiles = [
    ...divisions.map((award) => ({
      digits: Number(award.name),
      name: award.name,
      title: `${award.name} ${nameOf(award)}`,
      state: stateOf(award),
    })),
    ...missing.map((one) => ({
      digits: one.number,
      name: String(one.number),
      title: `${one.number} ${nameOf(one)}`,
      state: /** @type {const} */ (""),
    })),
  ].sort((a, b) => a.digits - b.digits);
  return Object.entries(CONTINENTS).map(([code, title], place) => ({
    title: say(title),
    tiles: tiles.filter(({ digits }) => divisionOf(digits).continent === code),
    isWhole: place === 0,
  }));
}
/** @param {Award[]} awards @param {(award: Award) => string} titleOf @returns {TileGroup[]} */
function groupsOf(awards, titleOf) {
  return [...new Set(awards.map(titleOf))].map((title) => ({
    title,
    tiles: awards
      .filter((award) => titleOf(award) === title)
      .map((award) => ({ name: award.name, title: award.name, state: stateOf(award) })),
    isWhole: true,
  }));
}
/** @type {Record<AwardSubject, (awards: Awards) => TileGroup[]>} */
const GROUPS = {
  divisions: continentsOf,
  squares: ({ squares }) => groupsOf(squares, ({ name }) => name.slice(0, 2)),
  special: ({ special }) => groupsOf(special, () => ""),
};

/** Returns a hidden select for each filter, and the chip that shows the select's value. */
function createFilters() {
  const names = [say("Band"), say("Mode"), say("Year")];
  const all = [say("All bands"), say("All modes"), say("All years")];
  return FILTERS.map((name, at) => {
    const none = element("option", { value: "" }, all[at]);
    const select = element("select", { id: `awards-${name}` }, none);
    return { select, chip: chipOfSelect(names[at], select) };
  });
}

export class AwardsView {
  /** @type {Awards | null} */
  shown = null;
  /** @type {AwardSubject} */
  part = "divisions";

  /**
   * @param {HTMLElement} place parent of the view
   * @param {AwardsHost} host
   */
  constructor(place, host) {
    this.host = host;
    this.filters = createFilters();
    this.segments = element("div");
    this.main = element("div");
    this.squares = element("section", {
      class: "panel",
      "aria-labelledby": "awards-squares-title",
    });
    this.aside = element("div", { class: "aside" });
    const wall = element("div", { id: "awards-wall" });
    this.air = element("div", { id: "awards-air" });
    this.onAir = new OnAir(this.air, {
      ...host.spots,
      found: (divisions) => this.wall.mark(divisions),
    });
    /** @type {"h2" | "h3"} */
    this.heading = find("awards-title").tagName === "H1" ? "h2" : "h3";
    this.wall = new Wall(wall, this.heading, (name) => this.#open(name));
    this.#build(place, wall);
  }
  /** @param {HTMLElement} place @param {HTMLElement} wall */
  #build(place, wall) {
    const form = element(
      "form",
      { id: "awards-filter", class: "chips", role: "search", submit: (e) => e.preventDefault() },
      element("div", { hidden: true }, ...this.filters.map(({ select }) => select)),
      ...this.filters.map(({ chip }) => chip.node),
    );
    form.addEventListener("input", ({ target }) => {
      if (!(target instanceof HTMLSelectElement)) return;
      this.#showChips();
      this.host.filtered();
    });
    this.main.append(
      wall,
      tileKey(),
      element("div", { id: "awards-unknown", class: "main-part" }),
      element("p", { id: "awards-rule", class: "muted" }),
      element(
        "div",
        { class: "shown" },
        element("p", { id: "awards-shown", role: "status" }),
        element("div", { class: "buttons" }, ...this.host.buttons),
      ),
    );
    this.#buildAside();
    place.append(
      element("div", { class: "view-head" }, this.segments, form),
      element("div", { id: "awards-figures", class: "rings" }),
      element("div", { class: "with-aside" }, this.main, this.aside),
    );
    for (const name of ["band", "mode"]) offerValues(choice(`awards-${name}`), name);
    choice("awards-mode").append(element("option", { value: "none" }, say("no mode")));
    this.choose("divisions");
  }

  #buildAside() {
    this.squares.append(
      element(this.heading, { id: "awards-squares-title" }, say("Squares")),
      element("div", { id: "awards-map" }),
    );
    this.aside.append(
      element(
        "section",
        { class: "panel on-air-now", "aria-labelledby": "awards-air-title" },
        element(this.heading, { id: "awards-air-title" }, say("On the air, new for you")),
        this.air,
      ),
      element(
        "section",
        { class: "panel", "aria-labelledby": "awards-goals-title" },
        element(this.heading, { id: "awards-goals-title" }, say("Milestones")),
        element("div", { id: "awards-goals", class: "seals" }),
      ),
      this.squares,
    );
  }

  #showChips() {
    for (const { chip } of this.filters) chip.refresh();
  }
  /** Returns the chosen band, mode and year; empty fields are omitted. */
  filter() {
    /** @type {Query} */
    const query = new Map();
    for (const name of FILTERS) {
      const { value } = choice(`awards-${name}`);
      if (value) query.set(name, value);
    }
    return query;
  }
  /** Returns the chosen filter in words. */
  filterInWords() {
    const chosen = FILTERS.map((name) => choice(`awards-${name}`).selectedOptions[0]?.textContent);
    return chosen.join(" · ");
  }
  /** @param {Query} query */
  setFilter(query) {
    choice("awards-band").value = query.get("band") ?? "";
    choice("awards-mode").value = query.get("mode") ?? "";
    this.offerYears([], query.get("year") ?? "");
  }
  /**
   * Offers the years of the whole log, in addition to the years already offered.
   * @param {string[]} years
   * @param {string} value the chosen year, or empty
   */
  offerYears(years, value) {
    const node = choice("awards-year");
    const known = [...node.options].slice(1).map((option) => option.value);
    const all = [...new Set([...known, ...years, value])].filter(Boolean).sort().reverse();
    node.replaceChildren(
      node.options[0],
      ...all.map((year) => element("option", { value: year }, year)),
    );
    node.value = value;
    this.#showChips();
  }
  /** @param {AwardSubject} part */
  choose(part) {
    this.part = part;
    this.segments.replaceChildren(segmentsOf(part, this.host));
    if (part === "squares") this.main.prepend(this.squares);
    else this.aside.append(this.squares);
    find("awards-rule").textContent =
      part === "special"
        ? say(
            "Stations on the air for an activation or event: unit number 0, or a suffix such as DX, SES or an island reference.",
          )
        : say(
            "Each division, square and special station counts once. A QSO is confirmed when the other station has logged it too. Stations you only heard don't count.",
          );
    if (this.shown) this.#showPart(this.shown);
  }
  /**
   * Shows the awards, except the map of squares.
   * @param {Awards} awards
   */
  show(awards) {
    this.shown = awards;
    this.onAir.ask();
    const { value } = choice("awards-year");
    if (!value)
      this.offerYears(
        awards.years.map(({ year }) => String(year).padStart(4, "0")),
        value,
      );
    find("awards-shown").textContent = say("{count} QSOs", { count: number(awards.qsos) });
    find("awards-figures").replaceChildren(...SUBJECTS.map((subject) => ringOf(subject, awards)));
    find("awards-goals").replaceChildren(...this.#seals(awards));
    this.#showPart(awards);
  }
  /** @param {Awards} awards */
  #showPart(awards) {
    this.wall.show(GROUPS[this.part](awards));
    find("awards-unknown").replaceChildren(
      ...(this.part === "divisions" ? listOfUnknown(awards, this.heading) : []),
    );
    find("awards-wall").className = `wall ${this.part}`;
    if (!awards[this.part].length && this.part !== "divisions")
      find("awards-wall").append(element("p", {}, say("None.")));
  }
  /**
   * Returns the last milestone that was reached in each subject, and then the next milestone in
   * each subject.
   * @param {Awards} awards
   */
  #seals({ thresholds, totals }) {
    const of = SUBJECTS.map((subject) => thresholds.filter((one) => one.subject === subject));
    const reached = of.flatMap((all) => all.filter(({ workedAt }) => workedAt).slice(-1));
    const next = of.flatMap((all) => all.filter(({ workedAt }) => !workedAt).slice(0, 1));
    return [...reached, ...next].map(({ subject, items, workedAt, confirmedAt }) => {
      const milestone = COUNTS[subject](items);
      return element(
        "div",
        {},
        drawSeal(String(items), workedAt !== null),
        element("strong", {}, milestone),
        workedAt
          ? this.#reached(milestone, workedAt, false)
          : element(
              "span",
              {},
              say("{count} to go", { count: number(items - totals[subject].worked) }),
            ),
        confirmedAt ? this.#reached(milestone, confirmedAt, true) : null,
      );
    });
  }
  /**
   * Returns the day on which a milestone was reached. If the page offers certificates, the day is a
   * button that opens a certificate.
   * @param {string} milestone
   * @param {string} at
   * @param {boolean} isConfirmed
   */
  #reached(milestone, at, isConfirmed) {
    const { certify } = this.host;
    /** @type {Child[]} */
    const text = [isConfirmed ? "✓ " : null, element("time", { datetime: at }, day(at))];
    if (!certify) return element("span", {}, ...text);
    return element(
      "button",
      {
        type: "button",
        class: "link",
        title: `${say("Certificate")}: ${milestone}`,
        click: () => certify(milestone, at, isConfirmed),
      },
      ...text,
    );
  }

  /**
   * Shows the details of a tile in the sheet.
   * @param {string} name
   */
  #open(name) {
    const { part, shown, wall } = this;
    const award = shown?.[part].find((one) => one.name === name);
    const missing = shown?.missing.find((one) => String(one.number) === name);
    const what = nameOf(award ?? missing ?? {});
    const air = this.onAir.listOf((worth) => VALUES[part](worth) === name);
    openSheet({
      title: [
        element(
          "span",
          { class: "callsign" },
          what ? element("i", {}, name) : typed(name),
          what && ` ${what}`,
        ),
        award?.confirmed ? badgeOf("good", say("Confirmed")) : null,
      ],
      body: [
        award ? this.#factsOf(award) : element("p", {}, say("You have no QSO with it yet.")),
        air && element("section", {}, element("h3", {}, say("On the air now")), air),
      ],
      foot: [
        award
          ? this.#link(this.host.all(part, name), say("Show QSOs"))
          : this.#link(`../cluster/?${formatQuery({ division: name })}`, say("Spots")),
      ].filter((link) => link !== null),
      step: (by) => {
        const next = wall.neighbour(name, by);
        if (next) this.#open(next);
      },
      closed: (hadFocus) => {
        wall.choose(null);
        if (hadFocus) wall.focus(name);
      },
    });
    wall.choose(name);
  }
  /**
   * @param {string | null} href
   * @param {string} text
   */
  #link(href, text) {
    return href === null
      ? null
      : element("a", { class: "button main", href, click: closeSheet }, text);
  }
  /** @param {Award} award */
  #factsOf(award) {
    const { part, host } = this;
    const { first, firstConfirmed } = award;
    /** @param {AwardQso} qso */
    const linked = (qso) =>
      element(
        "a",
        { href: host.first(qso, part, award.name), click: closeSheet },
        element("time", { datetime: qso.qsoAt }, day(qso.qsoAt)),
        " ",
        typed(qso.callsign ?? say("no callsign")),
      );
    /** @type {(all: string[], confirmed?: string[], words?: [string, string][]) => string} */
    const list = (all, confirmed = [], words = []) =>
      all
        .map((one) => {
          const [, word = one] = words.find(([value]) => value === one) ?? [];
          return confirmed.includes(one) ? `${word} ✓` : word;
        })
        .join(" · ");
    /** @type {[string, Child][]} */
    const rows = [
      [say("First QSO"), linked(first)],
      [say("Confirmed"), firstConfirmed ? linked(firstConfirmed) : say("not confirmed")],
      [say("QSOs"), number(award.qsos)],
      [say("Band"), list(award.bands, award.confirmedBands, BANDS)],
      [say("Mode"), list(award.modes, award.confirmedModes)],
    ];
    return element(
      "dl",
      { class: "facts" },
      ...rows
        .filter(([, value]) => value !== "")
        .flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
    );
  }
}

/**
 * Returns the ring of a subject. The goal of the ring is the next milestone; for divisions, the
 * number of all divisions.
 * @param {AwardSubject} subject
 * @param {Awards} awards
 */
function ringOf(subject, { totals, thresholds, divisions, missing }) {
  const { worked, confirmed } = totals[subject];
  const steps = thresholds.filter((one) => one.subject === subject).map(({ items }) => items);
  const isAll = subject === "divisions";
  const goal = isAll
    ? divisions.length + missing.length
    : (steps.find((items) => items > worked) ?? Math.max(worked, ...steps));
  const below = isAll ? say("of {n}", { n: number(goal) }) : say("to {n}", { n: number(goal) });
  const inside = number(worked);
  return element(
    "div",
    {},
    drawRing({ worked, confirmed, goal }, { label: `${inside} ${below}`, inside, below }),
    element(
      "p",
      {},
      element("strong", {}, say(NAMES[subject])),
      element("span", {}, confirmed ? `${number(confirmed)} ${say("confirmed")}` : "\u00a0"),
    ),
  );
}
/**
 * Returns the heading, the explanation and the list of callsigns whose division does not exist.
 * @param {Awards} awards
 * @param {"h2" | "h3"} heading
 */
function listOfUnknown({ unknown, unknownQsos }, heading) {
  if (!unknownQsos) return [];
  const count = say("{n} QSO|{n} QSOs", { n: unknownQsos });
  return [
    element(heading, {}, `${say("Unknown divisions")}: ${count}`),
    element(
      "p",
      { class: "muted" },
      say("These callsigns don't count, because no division has their number."),
    ),
    element(
      "ul",
      { class: "awards-chips" },
      ...unknown.map(({ name, qsos }) =>
        element("li", {}, typed(name), qsos > 1 ? ` · ${number(qsos)}` : null),
      ),
    ),
  ];
}
