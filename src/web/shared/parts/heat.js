// Shows the year as a strip: one square per day in five shades, one column per week. The reader
// chooses a day with the pointer, or with the arrow keys and Enter.
import { daysOfStrip, isoDay, shadeOf } from "../figures.js";
import { day, drawing, element, timeFormat } from "../page.js";
import { say } from "../language.js";

/** @import { Days } from "../types.js" */

const [SIZE, STEP, TOP] = [11, 13.4, 14];
const WIDE = matchMedia("(min-width: 62rem)");
const monthName = timeFormat({ month: "short" });

export class HeatStrip {
  /** @type {{day: string, qsos: number}[]} */
  all = [];
  /** @type {Days | null} */
  days = null;
  chosen = 0;

  /** @param {(day: string) => void} choose */
  constructor(choose) {
    this.choose = choose;
    this.node = element("div", {
      class: "heat",
      role: "slider",
      tabindex: 0,
      "aria-label": say("QSOs per day"),
      "aria-valuemin": 0,
    });
    this.node.addEventListener("keydown", (event) => this.press(event));
    this.node.addEventListener("click", ({ target }) => {
      const place = target instanceof Element ? target.getAttribute("data-day") : null;
      if (place !== null) this.choose(this.all[Number(place)].day);
    });
    WIDE.addEventListener("change", () => this.draw());
  }
  /** @param {Days} days */
  show(days) {
    this.days = days;
    this.draw();
  }
  draw() {
    if (!this.days) return;
    const weeks = WIDE.matches ? 53 : 27;
    const today = isoDay(Date.now());
    const chosen = this.node.querySelector(".chosen") && this.all[this.chosen].day;
    this.all = daysOfStrip(this.days, weeks, Date.now());
    const most = Math.max(1, ...this.all.map(({ qsos }) => qsos));
    const squares = this.all.map(({ day: name, qsos }, place) =>
      drawing(
        "rect",
        {
          class: `l${shadeOf(qsos, most)}${name === today ? " today" : ""}`,
          "data-day": place,
          x: (Math.floor(place / 7) * STEP + 1).toFixed(1),
          y: (TOP + (place % 7) * STEP).toFixed(1),
          width: SIZE,
          height: SIZE,
          rx: 2.4,
        },
        drawing("title", {}, this.textOf(place)),
      ),
    );
    const width = (weeks * STEP).toFixed(0);
    this.node.replaceChildren(
      drawing(
        "svg",
        { viewBox: `0 0 ${width} 110`, "aria-hidden": "true" },
        ...this.monthNames(weeks),
        ...squares,
      ),
    );
    this.node.setAttribute("aria-valuemax", String(this.all.length - 1));
    const place = this.all.findIndex(({ day: name }) => name === chosen);
    this.mark(place < 0 ? this.all.length - 1 : place, place >= 0);
  }
  /**
   * Returns the names of the months, above the first week that begins in the month.
   * @param {number} weeks
   */
  monthNames(weeks) {
    /** @type {SVGElement[]} */
    const names = [];
    for (let week = 1; week < weeks - 1; week++) {
      const [before, now] = [this.all[(week - 1) * 7].day, this.all[week * 7].day];
      if (before.slice(0, 7) === now.slice(0, 7)) continue;
      const text = monthName().format(new Date(now));
      names.push(drawing("text", { x: (week * STEP + 1).toFixed(1), y: 8 }, text));
    }
    return names;
  }
  /** @param {number} place */
  textOf(place) {
    const { day: name, qsos } = this.all[place];
    return `${day(name)}: ${say("{n} QSO|{n} QSOs", { n: qsos })}`;
  }
  /** @param {number} place @param {boolean} isSeen whether the day is also marked visibly */
  mark(place, isSeen) {
    this.chosen = place;
    this.node.setAttribute("aria-valuenow", String(place));
    this.node.setAttribute("aria-valuetext", this.textOf(place));
    this.node.querySelector(".chosen")?.classList.remove("chosen");
    if (isSeen) this.node.querySelector(`[data-day="${place}"]`)?.classList.add("chosen");
  }
  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !this.all.length) return;
    /** @type {Record<string, number>} */
    const ways = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7 };
    if (event.key === "Enter") this.choose(this.all[this.chosen].day);
    else if (event.key in ways) {
      const place = this.chosen + ways[event.key];
      this.mark(Math.max(0, Math.min(this.all.length - 1, place)), true);
    } else return;
    event.preventDefault();
  }
}
