// Shows facts about the other station while its callsign is typed: its division, earlier QSOs,
// distance and bearing.
import { bearing, distanceKm, parseLocator } from "../map/geography.js";
import { day as dayOf, element, number, typed } from "../page.js";
import { say } from "../language.js";
import { compact } from "../words/callsigns.js";
import { countryName } from "../words/countries.js";
import { timeOf, tuningOf } from "../words/words.js";
import { hasNew, isNew } from "../awards/cluster-needed.js";
import { worthOf } from "../awards/award-rules.js";

/** @import { Fields, Place, SpotWorth as Worth, Values } from "../types.js" */
/**
 * @typedef {object} Memory of the member's log
 * @property {(call: string) => Promise<Values[]>} worked QSOs with the station, newest first,
 *   followed by some QSOs with longer callsigns that begin with the station's callsign
 * @property {(worth: Worth) => Promise<string[]>} news returns the texts of marks
 * @property {string} home the member's locator
 * @property {(home: string, to: Place | null, isNew: boolean) => void} [aim] shows the direction
 */

const SHOWN = 3;
const WAIT_MS = 3000; // after this time, a QSO is saved without data from the log

/**
 * Returns marks for what a station would add to the log.
 * @param {string[]} news
 */
export function marksOf(news) {
  return news.map((text) => element("span", { class: isNew(text) ? "tag new" : "tag" }, say(text)));
}

export class Known {
  /**
   * @param {Fields} fields
   * @param {Memory} memory
   * @param {() => void} changed called when a locator from the log was filled in or removed
   */
  constructor(fields, memory, changed) {
    this.fields = fields;
    this.memory = memory;
    this.changed = changed;
    this.asked = 0;
    /** Whether the station would add something new to the log. */
    this.isNew = false;
    /** @type {Promise<unknown>} */
    this.asking = Promise.resolve();
    this.begin();
    fields.find("dxLocator").addEventListener("input", () => {
      const isRemoved = !fields.get("dxLocator").trim();
      Object.assign(this, { filled: "", removedOf: isRemoved ? this.#call() : "" });
    });
  }
  #call() {
    return compact(this.fields.get("callsignWorked"));
  }

  /**
   * Prepares for another QSO in the form. `filled` is the locator that was filled in from the log;
   * `removedOf` is the station whose locator somebody removed.
   * @param {{filled?: string, removedOf?: string}} draft
   */
  begin({ filled = "", removedOf = "" } = {}) {
    this.filled = filled;
    this.removedOf = removedOf;
  }
  /**
   * Fills in the station's locator from the log, unless somebody has typed another locator or
   * removed the locator.
   */
  #fill(/** @type {string} */ locator) {
    const text = this.fields.get("dxLocator").trim();
    const filled = this.removedOf === this.#call() ? "" : locator;
    if (text === filled || (text && text !== this.filled)) return;
    this.filled = filled;
    this.fields.set("dxLocator", filled);
    this.showWay();
    this.changed();
  }
  /** Resolves once the log's data about the station is in the form, at the latest after WAIT_MS. */
  settle() {
    return Promise.race([
      this.asking.catch(() => {}),
      new Promise((done) => setTimeout(done, WAIT_MS)),
    ]);
  }

  /**
   * @param {string} day the day of the QSO in the form
   * @param {string | null} editing the QSO's clientId, if the QSO is stored
   */
  async show(day, editing) {
    const { fields, memory } = this;
    const asked = ++this.asked;
    const call = this.#call();
    const asking = call.length < 3 ? Promise.resolve([]) : memory.worked(call);
    this.asking = asking;
    const known = await asking;
    if (asked !== this.asked) return; // somebody has typed more meanwhile
    const others = known.filter(({ clientId }) => clientId !== editing);
    const same = others.filter((qso) => compact(qso.callsignWorked) === call);
    const again = same.find(({ qsoAt }) => qsoAt.startsWith(day));
    const place = same.find(({ dxLocator }) => dxLocator);
    if (!editing) this.#fill(place?.dxLocator ?? "");
    const values = fields.read();
    const worth = worthOf({ ...values, dxLocator: values.dxLocator ?? place?.dxLocator ?? null });
    const news = await memory.news(worth);
    if (asked !== this.asked) return;
    this.isNew = hasNew(news);
    this.showWay();
    const lines = [
      ...this.#worth(worth, marksOf(news)),
      again
        ? element(
            "p",
            { class: "note warn" },
            day === new Date().toISOString().slice(0, 10)
              ? say("Already worked today at {time}.", { time: again.qsoAt.slice(11, 16) })
              : say("Already worked that day at {time}.", { time: again.qsoAt.slice(11, 16) }),
          )
        : null,
      same.length ? this.#history(same) : null,
      ...others
        .filter((qso) => !same.includes(qso))
        .slice(0, SHOWN)
        .map((qso) => this.#before(qso)),
      place && !fields.get("dxLocator") ? this.#offer(place.dxLocator) : null,
    ].filter((line) => line !== null);
    const node = fields.find("known");
    const text = lines.map((line) => line.textContent).join("");
    if (node.textContent !== text) node.replaceChildren(...lines);
  }
  /**
   * Returns the station's country and division, and the marks.
   * @param {Worth} worth
   * @param {Element[]} marks
   */
  #worth({ division, square }, marks) {
    const number = division ? say("division {n}", { n: division }) : "";
    const details = [number, marks.length ? square : ""].filter(Boolean).join(" · ");
    return [
      details
        ? element(
            "p",
            { class: "who" },
            ...(division ? [countryName(division), " "] : []),
            element("small", {}, details),
          )
        : null,
      marks.length ? element("p", {}, ...marks.flatMap((mark) => [mark, " "])) : null,
    ];
  }
  /** @param {Values[]} same QSOs with the station, the newest first */
  #history(same) {
    const [{ qsoAt }] = same;
    const noted = same.find(({ notes }) => notes);
    const place = same.find(({ dxLocator }) => dxLocator);
    return element(
      "p",
      {},
      say("Worked {n} time, last on {day}|Worked {n} times, last on {day}", {
        n: same.length,
        day: dayOf(qsoAt),
      }),
      same.some(({ crossConfirmedAt }) => crossConfirmedAt) ? ` · ${say("confirmed")}` : "",
      place && !this.fields.get("dxLocator")
        ? ` · ${this.#wayTo(parseLocator(place.dxLocator))}`
        : "",
      " ",
      typed((noted?.notes ?? "").slice(0, 60), { class: "muted" }),
    );
  }
  /** @param {Values} qso */
  #before(qso) {
    return element(
      "p",
      {},
      typed(qso.callsignWorked),
      ` ${timeOf(qso.qsoAt)} ${tuningOf(qso)} ${qso.dxLocator ?? ""} `,
      typed((qso.notes ?? "").slice(0, 60), { class: "muted" }),
    );
  }
  /** @param {string} locator */
  #offer(locator) {
    const take = () => {
      this.fields.set("dxLocator", locator);
      this.fields.find("dxLocator").dispatchEvent(new Event("input", { bubbles: true }));
      this.fields.find("known").querySelector("button")?.remove();
    };
    return element(
      "button",
      { type: "button", click: take },
      say("Use the station's locator, {locator}", { locator }),
    );
  }

  /**
   * Shows the distance and bearing to the station's exact place or, if this is unknown, to its
   * locator.
   */
  showWay() {
    const { dxLat: lat, dxLng: lng, dxLocator } = this.fields.read();
    const isExact = typeof lat === "number" && typeof lng === "number";
    const to = isExact ? { lat, lng } : parseLocator(dxLocator ?? "");
    this.fields.find("way").textContent = this.#wayTo(to);
    this.memory.aim?.(this.#home(), to, this.isNew);
  }
  #home() {
    return this.fields.read().myLocator ?? this.memory.home;
  }
  /** @param {Place | null} to */
  #wayTo(to) {
    const from = parseLocator(this.#home());
    if (!from || !to) return "";
    return say("{km} km at {bearing}°", {
      km: number(distanceKm(from, to)),
      bearing: bearing(from, to),
    });
  }
}
