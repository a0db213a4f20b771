// Shows rows of QSOs or spots: one line each on a wide screen, two lines on a phone. A row is one
// button, which opens the details. The Tab key stops only once in a list, and the arrow keys move
// between its rows.
import { age, drawing, element, hour, number, once, timeFormat, day, typed } from "../page.js";
import { capital, locale, say } from "../language.js";
import { watchSwipes } from "./swipe.js";

/** @import { Child, Values } from "../types.js" */
/**
 * @typedef {object} RowParts
 * @property {string} id
 * @property {string | null} callsign null: the station gave no callsign
 * @property {string} at time in ISO 8601
 * @property {string} [age] shown instead of the time
 * @property {Child} [place]
 * @property {[kind: string, text: string] | null} [badge] kind: "new", "good", "wait", "bad" or ""
 * @property {Child} [tuning]
 * @property {Child} [reports]
 * @property {Child} [far]
 * @property {"confirmed" | "waiting" | null} [mark]
 * @property {Child} [below] shown below the row
 */
/**
 * @typedef {object} ListOptions
 * @property {string} name
 * @property {(id: string) => void} open called when the reader chooses a row
 * @property {(id: string) => void} [moved] called when an arrow key moves to another row
 * @property {Record<string, (id: string) => void>} [keys] further keys, such as "e"
 * @property {(id: string) => void} [remove] called when the reader swipes a row to the left
 * @property {(ids: string[] | null) => void} [selected] called when the selection changes; null:
 *   the selection has ended. Without this function, rows cannot be selected
 * @property {(row: any) => HTMLElement} [itemOf] returns the row of another kind of list, such as a
 *   list of members
 */

const weekdays = timeFormat({ weekday: "long", day: "numeric", month: "long" });
const DAYS_IN_WORDS = 300; // older days are written with their year
const [WEEKS_FROM, DATE_FROM] = [14, 120]; // days after which an age is in weeks, or is a date
const MS_PER_DAY = 86400000;
/** Returns the format of differences in words, such as "today" or "2 weeks ago". */
export const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }));

/** Ages such as "5 min", because a row has no room for longer texts. */
const SHORT = {
  /** @type {(value: number, unit: Intl.RelativeTimeFormatUnit) => string} */
  format: (value, unit) =>
    unit === "second"
      ? say("now")
      : new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short" }).format(-value),
};
/**
 * Returns the age of a spot in a few letters.
 * @param {string} when
 * @param {number} [now]
 */
export const shortAge = (when, now = Date.now()) => age(when, now, SHORT);
/**
 * Returns an arrow that points at an angle, such as 90 for the east.
 * @param {number} angle
 */
export const arrowOf = (angle) =>
  drawing(
    "svg",
    { class: "arrow", viewBox: "0 0 12 12", "aria-hidden": "true" },
    drawing("path", { d: "M6 .8 9.6 11 6 8.8 2.4 11z", transform: `rotate(${angle} 6 6)` }),
  );

/**
 * Returns the number of days from a day to today (UTC); negative for a later day.
 * @param {string} date such as "2026-11-27"
 */
export const daysSince = (date) =>
  (Date.parse(new Date().toISOString().slice(0, 10)) - Date.parse(date)) / MS_PER_DAY;

/**
 * Returns the last day of use in words.
 * @param {string | null} on
 */
export function lastSeen(on) {
  if (!on) return say("never");
  const days = Math.max(0, daysSince(on));
  if (days >= DATE_FROM) return day(on);
  return days >= WEEKS_FROM
    ? relative().format(-Math.floor(days / 7), "week")
    : relative().format(-days, "day");
}
/**
 * Returns a day in words: "Today, 27 November", "Thursday, 26 November" or "4 Dec 2024".
 * @param {string} at
 */
export function dayName(at) {
  const date = at.slice(0, 10);
  const days = daysSince(date);
  if (days > DAYS_IN_WORDS || days < 0) return day(date);
  const words = weekdays().format(new Date(date));
  if (days !== 0) return words;
  const today = relative().format(0, "day");
  const rest = timeFormat({ day: "numeric", month: "long" })().format(new Date(date));
  return `${capital(today)}, ${rest}`;
}

/**
 * Returns a callsign whose division number is lighter than the rest.
 * @param {string | null} callsign
 */
export function callsignOf(callsign) {
  if (!callsign) return element("span", { class: "callsign muted" }, say("no callsign"));
  const [, division, rest] = /^(\d+)([A-Z/].*)$/is.exec(callsign) ?? ["", "", callsign];
  const text = typed(rest, { class: "callsign" });
  if (division) text.prepend(element("i", {}, division));
  return text;
}
/**
 * Returns the frequency or the channel, and the mode: "27.555 USB", "PMR 8 FM".
 * @param {Values} qso
 */
export function drawTuning(qso) {
  const place =
    qso.band !== "PMR446"
      ? (qso.frequencyMhz ?? "11 m")
      : qso.channel === null
        ? "PMR446"
        : `PMR ${qso.channel}`;
  const mode = qso.mode ? typed(qso.mode) : null;
  return element("span", {}, element("b", {}, place), " ", mode);
}
/**
 * Returns a short label.
 * @param {string} kind "new", "good", "wait", "bad" or ""
 * @param {string} text
 */
export function badgeOf(kind, text) {
  return element("span", { class: `badge ${kind}` }, text);
}
/**
 * Returns the mark of a confirmed or waiting QSO, with its meaning for screen readers.
 * @param {"confirmed" | "waiting"} mark
 */
export function markOf(mark) {
  const isConfirmed = mark === "confirmed";
  return element(
    "span",
    { class: "mark" },
    drawing(
      "svg",
      {
        class: isConfirmed ? "tick" : "tick wait",
        viewBox: "0 0 18 18",
        "aria-hidden": "true",
      },
      drawing("circle", { cx: 9, cy: 9, r: 7.5 }),
      isConfirmed ? drawing("path", { d: "M5.8 9.3l2.2 2.2 4.2-4.6" }) : null,
    ),
    element("span", { class: "unseen" }, isConfirmed ? say("confirmed") : say("not sent yet")),
  );
}
/**
 * Returns the badge and the place of a row.
 * @param {RowParts["badge"]} badge
 * @param {Child} place
 */
export const badgedPlace = (badge, place) =>
  element("span", { class: "place" }, badge && badgeOf(...badge), " ", element("span", {}, place));
/**
 * @param {RowParts} parts
 * @param {boolean} isDated false: a heading above the row has the day
 */
function itemOf(parts, isDated) {
  const { id, at, age: old, badge, place, tuning, reports, far } = parts;
  const when = () => (old ? element("span", { class: "age" }, old) : isDated ? day(at) : hour(at));
  const dot = far ? " · " : null;
  return element(
    "li",
    { "data-id": id },
    element(
      "button",
      { type: "button", class: isDated ? "q dated" : "q", tabindex: -1 },
      element("time", { class: "at", datetime: at }, when()),
      " ",
      callsignOf(parts.callsign),
      " ",
      badgedPlace(badge, place),
      " ",
      element("span", { class: "num" }, tuning),
      " ",
      element("span", { class: "rst" }, reports),
      " ",
      element(
        "span",
        { class: "far" },
        old ? far : element("span", { class: "at" }, when(), dot),
        old ? element("span", { class: "at" }, dot, when()) : far,
      ),
      " ",
      parts.mark ? markOf(parts.mark) : null,
    ),
    parts.below,
  );
}
/** @param {string} at */
function sectionOf(at) {
  return element(
    "section",
    { "data-day": at.slice(0, 10) },
    element("h3", { class: "day" }, element("span", {}, dayName(at)), element("span")),
    element("ul", { class: "rows" }),
  );
}

/** A list of rows, with a heading for each day if its rows are in the order of time. */
export class RowList {
  /** @type {string | null} the row whose details are shown */
  chosen = null;
  /**
   * @type {Set<string> | null} ids of the selected rows; null: there is no selection, and a chosen
   *   row opens
   */
  selected = null;
  hasDays = true;
  /** @type {string | null} a row that gets the focus when it returns to the list */
  #awaited = null;

  /** @param {ListOptions} options */
  constructor(options) {
    this.options = options;
    this.node = element("div", {
      class: "row-list",
      role: "group",
      "aria-label": options.name,
    });
    this.node.addEventListener("click", ({ target }) => {
      const id = this.#idOf(target);
      this.#awaited = null;
      if (id && this.selected) this.toggle(id);
      else if (id) this.options.open(id);
    });
    this.node.addEventListener("keydown", (event) => this.#press(event));
    const { remove } = options;
    if (remove)
      watchSwipes(
        this.node,
        (target) => (this.selected ? null : this.find(this.#idOf(target))),
        say("Delete"),
        ({ dataset }) => remove(dataset.id ?? ""),
      );
    this.node.addEventListener("focusin", ({ target }) => this.#stopAt(this.#idOf(target)));
  }

  get items() {
    return [.../** @type {NodeListOf<HTMLElement>} */ (this.node.querySelectorAll("li[data-id]"))];
  }
  /** The row at which the Tab key stops. */
  get stop() {
    return this.#idOf(this.node.querySelector(".q[tabindex='0']"));
  }
  /**
   * Returns the element of a row, or null.
   * @param {string | null} id
   * @returns {HTMLElement | null}
   */
  find(id) {
    return id === null ? null : this.node.querySelector(`li[data-id="${CSS.escape(id)}"]`);
  }
  /**
   * Replaces all rows. The focus stays on its row, if the row is still in the list, or moves to the
   * row for which focus() waits.
   * @param {any[]} rows RowParts, or rows for the option itemOf
   * @param {boolean} isWhole whether no rows follow
   * @param {boolean} hasDays whether the rows are in the order of time
   */
  replace(rows, isWhole, hasDays = true) {
    const present = this.#idOf(document.activeElement);
    this.hasDays = hasDays;
    this.node.replaceChildren();
    this.add(rows, isWhole);
    this.choose(this.chosen);
    if (this.selected) this.select([...this.selected].filter((id) => this.find(id)));
    const awaited = this.#awaited;
    const focused = present && this.find(awaited) ? awaited : present;
    this.#stopAt(focused ?? this.chosen);
    if (focused) this.focus(focused);
    if (focused !== awaited) this.#awaited = awaited;
  }
  /**
   * Appends rows.
   * @param {any[]} rows RowParts, or rows for the option itemOf
   * @param {boolean} isWhole whether no rows follow
   */
  add(rows, isWhole) {
    const itemOfRow = this.options.itemOf ?? ((row) => itemOf(row, !this.hasDays));
    for (const row of rows) this.#placeOf(row.at).append(itemOfRow(row));
    this.#count(isWhole);
    if (this.selected) this.#markSelected();
    if (!this.node.querySelector(".q[tabindex='0']")) this.#stopAt(null);
  }
  /**
   * Selects exactly the given rows; null: ends the selection, so that a chosen row opens again.
   * @param {string[] | null} ids
   */
  select(ids) {
    this.selected = ids && new Set(ids);
    this.#markSelected();
    this.options.selected?.(ids);
  }
  /**
   * Adds a row to the selection, or removes the row from the selection.
   * @param {string} id
   */
  toggle(id) {
    const ids = new Set(this.selected);
    if (!ids.delete(id)) ids.add(id);
    this.select([...ids]);
  }
  /**
   * Removes a row, without moving the others more than necessary. Returns the id of the row that
   * takes its place, and a function that puts the row back.
   * @param {string} id
   */
  take(id) {
    const item = this.find(id);
    if (!item) return { next: null, back: () => {} };
    const next = this.neighbour(id, 1) ?? this.neighbour(id, -1);
    const [section, list, follower] = [
      item.closest("section"),
      item.parentElement,
      item.nextSibling,
    ];
    item.remove();
    if (section && !list?.children.length) section.hidden = true;
    this.#recount(section);
    this.#stopAt(next);
    return {
      next,
      back: () => {
        if (!list?.isConnected || this.find(id)) return; // the list has been renewed
        list.insertBefore(item, follower?.parentNode === list ? follower : null);
        if (section) section.hidden = false;
        this.#recount(section);
      },
    };
  }
  /**
   * Returns the id of the row before or after a row, or null.
   * @param {string} id
   * @param {number} by 1 or -1
   */
  neighbour(id, by) {
    const { items } = this;
    const place = items.findIndex(({ dataset }) => dataset.id === id);
    return (place < 0 ? undefined : items[place + by]?.dataset.id) ?? null;
  }
  /**
   * Marks the row whose details are shown.
   * @param {string | null} id
   */
  choose(id) {
    this.chosen = id;
    for (const button of this.node.querySelectorAll(".q[aria-current]"))
      button.removeAttribute("aria-current");
    this.find(id)?.querySelector(".q")?.setAttribute("aria-current", "true");
  }
  /**
   * Moves the focus to a row. If the row is not in the list, the focus moves when the row returns,
   * if the focus is still in the list.
   * @param {string | null} id
   */
  focus(id) {
    const button = this.find(id)?.querySelector("button");
    this.#awaited = button ? null : id;
    button?.focus({ preventScroll: true });
    button?.scrollIntoView({ block: "nearest" });
  }

  #markSelected() {
    this.node.classList.toggle("selecting", this.selected !== null);
    for (const item of this.items) {
      const button = item.querySelector(".q");
      if (!this.selected) button?.removeAttribute("aria-pressed");
      else button?.setAttribute("aria-pressed", String(this.selected.has(item.dataset.id ?? "")));
    }
  }
  /** @param {unknown} target */
  #idOf(target) {
    const button = target instanceof Element ? target.closest(".q") : null;
    const item = button && this.node.contains(button) ? button.closest("li") : null;
    return item?.dataset.id ?? null;
  }
  /**
   * Makes a row the stop of the Tab key; null: the first row.
   * @param {string | null} id
   */
  #stopAt(id) {
    for (const button of this.node.querySelectorAll(".q[tabindex='0']"))
      button.setAttribute("tabindex", "-1");
    const stop = this.find(id) ?? this.node;
    stop.querySelector(".q")?.setAttribute("tabindex", "0");
  }
  /** @param {KeyboardEvent} event */
  #press(event) {
    const id = this.#idOf(event.target);
    if (!id || event.altKey || event.ctrlKey || event.metaKey) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const more =
      event.key === " " && this.options.selected
        ? () => this.toggle(id)
        : this.options.keys?.[event.key.toLowerCase()];
    if (!by && !more) return;
    event.preventDefault();
    if (!by) return more?.(id);
    const next = this.neighbour(id, by);
    this.focus(next);
    if (next) this.options.moved?.(next);
  }
  /** @param {string} at */
  #placeOf(at) {
    const last = this.node.lastElementChild;
    if (!this.hasDays) return last ?? this.node.appendChild(element("ul", { class: "rows" }));
    const section =
      last?.getAttribute("data-day") === at.slice(0, 10)
        ? last
        : this.node.appendChild(sectionOf(at));
    return /** @type {Element} */ (section.querySelector("ul"));
  }
  /**
   * Shows the number of rows next to each day, except a day whose rows are not all loaded.
   * @param {boolean} isWhole
   */
  #count(isWhole) {
    for (const section of this.node.querySelectorAll("section"))
      if (isWhole || section !== this.node.lastElementChild) {
        section.toggleAttribute("data-counted", true);
        this.#recount(section);
      }
  }
  /** @param {Element | null} section */
  #recount(section) {
    if (!section?.matches("[data-counted]")) return;
    const place = section.querySelector("h3 > :last-child");
    if (place) place.textContent = number(section.querySelectorAll("li").length);
  }
}
