// Shows the tables and fills the filter of the section Awards, for the profile and the app. The
// tables show the items worked, confirmed and missing, milestones, and counts by band, mode and
// year. The data is from each page's awards.js.
import { choicesOf, offerValues } from "../words/qso-words.js";
import { choice, day, element, find, input, number, typed } from "../page.js";
import { formatQuery } from "../query.js";
import { country, say } from "../language.js";

/**
 * @import {
 *   Award, AwardCounts, AwardQso, AwardSubject, Awards, Child, Query
 * } from "../types.js"
 */
/**
 * @typedef {AwardCounts & {first?: number}} PartCounts
 */

const ROWS = 100; // rows that a table shows initially
const BANDS = choicesOf("band");
/** @type {AwardSubject[]} */
const SUBJECTS = ["divisions", "squares", "special"];
/** @type {Record<AwardSubject, string>} */
const NAMES = { divisions: "Divisions", squares: "Squares", special: "Special stations" };
/** @param {AwardSubject} subject */
const subjectName = (subject) => say(NAMES[subject]);
/** @type {Record<AwardSubject, (n: number) => string>} counts in words */
const COUNTS = {
  divisions: (n) => say("{n} division|{n} divisions", { n }),
  squares: (n) => say("{n} square|{n} squares", { n }),
  special: (n) => say("{n} special station|{n} special stations", { n }),
};

/**
 * Returns the country of a division, or the division's name if the division is not a country.
 * @param {{country?: string, iso?: string | null}} division
 * @returns {Child[]}
 */
function countryOf({ country: name = "", iso }) {
  return iso
    ? [country(name, iso)]
    : [`${name} `, element("span", { class: "muted" }, `(${say("no country")})`)];
}
/**
 * Functions that return a link to all QSOs for an item, or a link to the first QSO for the item.
 * @typedef {object} Ways
 * @property {(subject: AwardSubject, name: string) => string | null} all null: not linked
 * @property {(qso: AwardQso, subject: AwardSubject, name: string) => string} first
 */
const FILTERS = { divisions: "division", squares: "square", special: "callsign" };
/** @type {Ways} */
const TO_MY_LOG = {
  all: (subject, name) => `#log?${formatQuery({ [FILTERS[subject]]: name })}`,
  first(qso, subject, name) {
    const on = qso.qsoAt.slice(0, 10);
    const { callsign } = qso;
    const square = subject === "squares" && { square: name };
    return `#log?${formatQuery({ from: on, to: on, ...(callsign && { callsign }), ...square })}`;
  },
};
/**
 * @param {AwardQso} qso
 * @param {string} href
 */
function wayTo(qso, href) {
  return element(
    "a",
    { href },
    element("time", { datetime: qso.qsoAt }, day(qso.qsoAt)),
    " ",
    typed(qso.callsign ?? say("no callsign")),
  );
}
/**
 * @param {string} name
 * @param {string | null} href
 */
function nameWith(name, href) {
  return href ? element("a", { href }, typed(name)) : typed(name);
}

/**
 * @param {string} kind
 * @param {string | null} name name of the column, shown on narrow screens
 * @param {...Child} children
 */
function cell(kind, name, ...children) {
  return element("td", { role: "cell", class: kind, "data-name": name }, ...children);
}
/** @param {Award} award @param {string} band */
function stateOnBand(award, band) {
  if (award.confirmedBands?.includes(band))
    return element("span", { class: "good" }, `✓ ${say("confirmed")}`);
  return award.bands.includes(band) ? say("worked") : null;
}
/** @param {Award} award */
function modesOf(award) {
  return award.modes
    .map((mode) => (award.confirmedModes?.includes(mode) ? `${mode} ✓` : mode))
    .join(" · ");
}
/**
 * @param {Award} award
 * @param {AwardSubject} subject
 * @param {Ways} ways
 */
function rowOf(award, subject, ways) {
  const { name, firstConfirmed } = award;
  return element(
    "tr",
    { role: "row" },
    element(
      "th",
      { role: "rowheader", scope: "row" },
      nameWith(name, ways.all(subject, name)),
      ...(award.country ? [" ", ...countryOf(award)] : []),
    ),
    cell("right number", say("QSOs"), number(award.qsos)),
    ...BANDS.map(([band, title]) =>
      cell("", award.bands.includes(band) ? title : null, stateOnBand(award, band)),
    ),
    cell("", null, modesOf(award) || null),
    cell("wide", say("First QSO"), wayTo(award.first, ways.first(award.first, subject, name))),
    cell(
      "wide",
      firstConfirmed ? say("Confirmed") : null,
      firstConfirmed ? wayTo(firstConfirmed, ways.first(firstConfirmed, subject, name)) : null,
    ),
  );
}
/**
 * @param {string} label name of the table, or id of its heading
 * @param {[string, string][]} heads text and class of each heading
 * @param {HTMLElement} body
 * @param {string} kind
 */
function table(label, heads, body, kind) {
  return element(
    "table",
    { class: kind, role: "table", "aria-label": label },
    element(
      "thead",
      { role: "rowgroup" },
      element(
        "tr",
        { role: "row" },
        ...heads.map(([text, kind]) =>
          text
            ? element("th", { role: "columnheader", scope: "col", class: kind }, text)
            : element("td", { role: "cell" }),
        ),
      ),
    ),
    body,
  );
}
/**
 * Returns a table of the worked items of a subject. The table shows its first rows, further rows on
 * demand, and all rows in print.
 * @param {AwardSubject} subject
 * @param {string} head heading of the first column
 * @param {Award[]} awards
 * @param {Ways} ways
 */
function tableOfAwards(subject, head, awards, ways) {
  if (!awards.length) return element("p", { class: "card" }, say("None."));
  const body = element("tbody", { role: "rowgroup" });
  let shown = 0;
  const more = element("button", { type: "button" }, say("Show more"));
  /** @param {number} count */
  const add = (count) => {
    body.append(...awards.slice(shown, shown + count).map((award) => rowOf(award, subject, ways)));
    shown = Math.min(shown + count, awards.length);
    more.hidden = shown === awards.length;
  };
  add(ROWS);
  more.addEventListener("click", () => add(ROWS));
  more.addEventListener("all-rows", () => add(awards.length));
  return element(
    "div",
    {},
    element(
      "div",
      {
        class: "awards-rows awards-box",
        role: "region",
        tabindex: "0",
        "aria-label": `${subjectName(subject)} · ${say("worked")}`,
      },
      table(
        subjectName(subject),
        [
          [head, ""],
          [say("QSOs"), "right"],
          ...BANDS.map(([, title]) => /** @type {[string, string]} */ ([title, ""])),
          [say("Mode"), ""],
          [say("First QSO"), ""],
          [say("Confirmed"), ""],
        ],
        body,
        "list",
      ),
    ),
    more,
  );
}

/** @type {Record<string, string>} */
const CONTINENTS = {
  EU: "Europe",
  AS: "Asia",
  NA: "North America",
  SA: "South America",
  AF: "Africa",
  OC: "Oceania",
  AN: "Antarctica",
};
/**
 * Shows all divisions by continent; colours and signs mark the divisions worked and confirmed.
 * @param {Awards} awards
 * @param {(number: number) => {country: string, continent: string}} factsOf looks up a division
 */
export function showWall({ divisions, missing }, factsOf) {
  const tiles = [
    ...divisions.map(({ name, confirmed }) => ({
      digits: Number(name),
      state: confirmed ? "confirmed" : "worked",
    })),
    ...missing.map((one) => ({ digits: one.number, state: "" })),
  ]
    .sort((a, b) => a.digits - b.digits)
    .map((tile) => ({ ...tile, ...factsOf(tile.digits) }));
  find("awards-wall").replaceChildren(
    ...Object.entries(CONTINENTS).map(([code, continent]) => {
      const own = tiles.filter((tile) => tile.continent === code);
      const worked = own.filter(({ state }) => state).length;
      const name = `${say(continent)} ${number(worked)} / ${number(own.length)}`;
      return element(
        "div",
        {},
        element("p", {}, element("strong", {}, name)),
        element("ul", { "aria-label": name }, ...own.map(tileOf)),
      );
    }),
  );
}
/** @param {{digits: number, state: string, country: string}} division */
function tileOf({ digits, state, country: name }) {
  const words = { worked: say("worked"), confirmed: say("confirmed") }[state];
  return element(
    "li",
    { class: state, title: name },
    String(digits),
    words ? element("span", { class: "unseen" }, ` ${words}`) : null,
  );
}
/** @param {Awards["missing"]} missing */
function listOfMissing(missing) {
  if (!missing.length) return element("p", {}, say("You have every division."));
  return element(
    "details",
    {},
    element("summary", {}, `${say("Missing")}: ${number(missing.length)}`),
    element(
      "ul",
      { class: "awards-chips" },
      ...missing.map((one) => element("li", {}, `${one.number} `, ...countryOf(one))),
    ),
  );
}
/**
 * @param {Awards} awards
 * @param {Ways} ways
 */
function listOfUnknown({ unknown, unknownQsos }, ways) {
  if (!unknownQsos) return null;
  return element(
    "details",
    {},
    element(
      "summary",
      {},
      `${say("Unknown divisions")}: ${say("{n} QSO|{n} QSOs", { n: unknownQsos })}`,
    ),
    element(
      "p",
      { class: "muted" },
      say("These callsigns don't count: no division has this number."),
    ),
    element(
      "ul",
      { class: "awards-chips" },
      ...unknown.map(({ name, qsos }) =>
        element(
          "li",
          {},
          nameWith(name, ways.all("special", name)),
          qsos > 1 ? ` · ${number(qsos)}` : null,
        ),
      ),
    ),
  );
}

/**
 * Creates a certificate for a milestone; `at` is the time at which the milestone was reached.
 * @typedef {(milestone: string, at: string, isConfirmed: boolean) => void} Certify
 */
/**
 * @param {Certify | null} certify
 * @param {string} milestone
 * @param {string | null} at
 * @param {boolean} isConfirmed
 */
function buttonOf(certify, milestone, at, isConfirmed) {
  if (!at || !certify) return null;
  const name = say("Certificate");
  const click = () => certify(milestone, at, isConfirmed);
  return element(
    "button",
    { type: "button", "aria-label": `${name}: ${milestone}`, title: name, click },
    "★",
  );
}
/**
 * Returns a table of the milestones reached, and the next milestone for each subject.
 * @param {Awards} awards
 * @param {Certify | null} certify
 */
function tableOfGoals({ thresholds, totals }, certify) {
  const rows = SUBJECTS.flatMap((subject) => {
    const all = thresholds.filter((threshold) => threshold.subject === subject);
    const next = all.findIndex(({ workedAt }) => workedAt === null);
    return next < 0 ? all : all.slice(0, next + 1);
  });
  /** @type {(at: string | null, have: number, items: number) => Child} */
  const state = (at, have, items) =>
    at
      ? element("time", { datetime: at }, day(at))
      : element("span", { class: "muted" }, say("{count} to go", { count: number(items - have) }));
  return element(
    "div",
    { class: "awards-box" },
    table(
      say("Milestones"),
      [
        [say("Milestone"), ""],
        [say("Worked"), ""],
        [say("Confirmed"), ""],
      ],
      element(
        "tbody",
        { role: "rowgroup" },
        ...rows.map(({ subject, items, workedAt, confirmedAt }) =>
          element(
            "tr",
            { role: "row" },
            element("th", { role: "rowheader", scope: "row" }, COUNTS[subject](items)),
            cell(
              "",
              null,
              state(workedAt, totals[subject].worked, items),
              " ",
              buttonOf(certify, COUNTS[subject](items), workedAt, false),
            ),
            cell(
              "",
              null,
              state(confirmedAt, totals[subject].confirmed, items),
              " ",
              buttonOf(certify, COUNTS[subject](items), confirmedAt, true),
            ),
          ),
        ),
      ),
      "",
    ),
  );
}
/**
 * @template Counts
 * @param {string} title
 * @param {Counts} counts
 * @returns {[string, Counts]}
 */
const part = (title, counts) => [title, counts];
/**
 * Returns a table with a row for each band, mode and year. Each cell has the number of items
 * worked, and in brackets the number confirmed.
 * @param {Awards} awards
 */
function tableOfParts({ bands, modes, years }) {
  /** @type {[string, Record<AwardSubject, PartCounts>][]} */
  const rows = [
    ...bands.map((row) => part(BANDS.find(([band]) => band === row.band)?.[1] ?? row.band, row)),
    ...modes.map((row) => part(row.mode ?? say("no mode"), row)),
    ...years.map((row) => part(String(row.year), row)),
  ];
  const known = rows.filter(([, row]) => SUBJECTS.some((subject) => row[subject].worked > 0));
  if (!known.length) return element("p", { class: "card" }, say("None."));
  return element(
    "div",
    { class: "awards-box" },
    table(
      say("By band, mode and year"),
      [
        ["", ""],
        ...SUBJECTS.map(
          (subject) => /** @type {[string, string]} */ ([subjectName(subject), "right"]),
        ),
      ],
      element(
        "tbody",
        { role: "rowgroup" },
        ...known.map(([title, row]) =>
          element(
            "tr",
            { role: "row" },
            element("th", { role: "rowheader", scope: "row" }, title),
            ...SUBJECTS.map((subject) => {
              const { worked, confirmed, first } = row[subject];
              return cell(
                "right",
                null,
                worked ? `${number(worked)} (${number(confirmed)})` : "–",
                first ? element("small", {}, say("{count} new", { count: number(first) })) : null,
              );
            }),
          ),
        ),
      ),
      "",
    ),
    element("p", { class: "muted awards-key" }, say("Worked, with confirmed in brackets.")),
  );
}

/** Fills the filter with bands and modes. */
export function offerParts() {
  for (const name of ["band", "mode"]) offerValues(choice(`awards-${name}`), name);
}
/** Returns the chosen band, mode and year; empty fields are omitted. */
export function readFilter() {
  /** @type {Query} */
  const query = new Map();
  for (const name of ["band", "mode", "year"]) {
    const { value } = choice(`awards-${name}`);
    if (value) query.set(name, value);
  }
  return query;
}
/**
 * @param {string[]} years of the whole log
 * @param {string} value the chosen year, or empty
 */
export function offerYears(years, value) {
  const node = choice("awards-year");
  const rows = value && !years.includes(value) ? [value, ...years] : years;
  node.replaceChildren(
    node.options[0],
    ...rows.map((year) => element("option", { value: year }, year)),
  );
  node.value = value;
}

/** @param {Awards} awards */
function showFigures({ totals, divisions, missing }) {
  find("awards-figures").replaceChildren(
    ...SUBJECTS.map((subject) => {
      const { worked, confirmed } = totals[subject];
      const all = subject === "divisions" ? ` / ${number(divisions.length + missing.length)}` : "";
      return element(
        "div",
        {},
        element("dt", {}, subjectName(subject)),
        element(
          "dd",
          {},
          number(worked) + all,
          " ",
          element("small", { class: "good" }, `✓ ${number(confirmed)} ${say("confirmed")}`),
        ),
      );
    }),
  );
}
/**
 * Shows the tables of all worked items, or only of the unconfirmed items if the reader has chosen
 * this.
 * @param {Awards} awards
 */
export function showTables(awards, ways = TO_MY_LOG) {
  const onlyOpen = input("awards-open").checked;
  for (const [subject, head] of /** @type {const} */ ([
    ["divisions", "Division"],
    ["squares", "Square"],
    ["special", "Station"],
  ])) {
    const rows = awards[subject].filter((award) => !onlyOpen || award.confirmed === 0);
    find(`awards-${subject}`).replaceChildren(tableOfAwards(subject, say(head), rows, ways));
  }
  find("awards-missing").replaceChildren(listOfMissing(awards.missing));
  find("awards-unknown").replaceChildren(listOfUnknown(awards, ways) ?? "");
}
/**
 * Shows all parts of the section except the map.
 * @param {Awards} awards
 * @param {Ways} [ways]
 * @param {Certify | null} [certify]
 */
export function showCounts(awards, ways = TO_MY_LOG, certify = null) {
  find("awards-shown").textContent = say("{count} QSOs", { count: number(awards.qsos) });
  showFigures(awards);
  find("awards-goals").replaceChildren(tableOfGoals(awards, certify));
  find("awards-parts").replaceChildren(tableOfParts(awards));
  showTables(awards, ways);
}
