// The list of QSOs: what the service has and what waits here, in one order; search, and what can be
// done with one.
import { choice, element, find, input, typed } from "../pages/page.js";
import { say } from "../pages/language.js";
import { compact } from "./callsigns.js";
import { NAMES, reasonOf, timeOf, tuningOf, valueOf } from "./words.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./qsosync-storage.js").Entry} Entry */
/** @typedef {Record<string, any>} AnyQso */
/** @typedef {{key: string, qso: AnyQso, entry?: Entry}} Row */

const SHOWN = 50;
const UNDO_MS = 10000;

export class List {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.asked = 0;
    this.most = SHOWN;
    /** @type {string | null} */
    this.open = null;
    find("search").addEventListener("submit", (event) => event.preventDefault());
    for (const id of ["sought", "of-band", "of-state"])
      find(id).addEventListener("input", () => {
        this.most = SHOWN;
        this.refresh();
      });
    find("older").addEventListener("click", () => {
      this.most += SHOWN;
      this.refresh();
    });
  }

  /** @returns {Promise<Row[]>} at most one more than are shown */
  async #search() {
    const sought = input("sought").value.trim();
    const [band, state] = [choice("of-band").value, choice("of-state").value];
    const day = /^\d{4}(-\d{2}(-\d{2})?)?$/.test(sought) ? sought : "";
    const call = day ? "" : compact(sought);
    const most = this.most + 1;
    /** @type {(qso: AnyQso) => boolean} */
    const fits = (qso) =>
      (!band || qso.band === band) &&
      (!call || compact(qso.callsignWorked).startsWith(call)) &&
      (!day || qso.qsoAt.startsWith(day)) &&
      (state !== "confirmed" || qso.crossConfirmedAt) &&
      (state !== "spotted" || qso.spottedAt) &&
      (!/^qsl$|^no qsl$/.test(state) || qso.qslReceived === (state === "qsl"));
    const outbox = this.app.outbox;
    /** @type {(record: {key: string}) => boolean} */
    const isOpen = ({ key }) => !outbox.has(key);
    const { storage } = this.app;
    const isLocal = ["waiting", "refused", "conflict"].includes(state);
    const index = state === "confirmed" || state === "spotted" ? state : "at";
    /** @type {Row[]} */
    let copies = [];
    if (!isLocal && call) copies = await storage.withCallsign(call, most + outbox.size, fits);
    else if (!isLocal) copies = await storage.newest(most + outbox.size, fits, { day, index });
    const waiting = [...outbox.values()]
      .filter(({ qso, ...entry }) => fits(qso) && (!isLocal || entry.state === state))
      .map((entry) => ({ key: entry.key, qso: entry.qso, entry }));
    return [...waiting, ...copies.filter(isOpen)]
      .sort((a, b) => (a.qso.qsoAt < b.qso.qsoAt ? 1 : -1))
      .slice(0, most);
  }

  async refresh() {
    const asked = ++this.asked;
    const rows = await this.#search();
    if (asked !== this.asked) return;
    const isMore = rows.length > this.most;
    const focused = document.activeElement?.closest("li")?.getAttribute("data-key");
    find("rows").replaceChildren(...rows.slice(0, this.most).map((row) => this.#item(row)));
    if (focused)
      /** @type {HTMLElement | null} */ (
        document.querySelector(`#rows [data-key="${CSS.escape(focused)}"] button`)
      )?.focus();
    find("older").hidden = !isMore;
    const n = Math.min(rows.length, this.most);
    find("found").textContent = isMore
      ? say("The newest {n}", { n })
      : say("{n} QSO|{n} QSOs", { n });
  }

  /** @param {Row} row */
  #item(row) {
    const { key, qso, entry } = row;
    const isOpen = this.open === key;
    const title = element(
      "button",
      {
        type: "button",
        class: "entry",
        "aria-expanded": String(isOpen),
        click: () => {
          this.open = isOpen ? null : key;
          this.refresh();
        },
      },
      element("strong", {}, typed(qso.callsignWorked ?? "–")),
      ` ${timeOf(qso.qsoAt)} ${tuningOf(qso)} `,
      ...this.#marks(row),
    );
    return element(
      "li",
      { "data-key": key },
      title,
      ...(isOpen ? this.#details(row) : []),
      entry?.state === "conflict" ? this.#conflict(entry) : null,
      entry?.state === "refused"
        ? element(
            "p",
            { class: "note bad" },
            say("The service refused it: {reason}", { reason: reasonOf(entry.error ?? "") }),
          )
        : null,
    );
  }
  /** @param {Row} row */
  #marks({ qso, entry }) {
    /** @type {string[]} */
    const marks = [];
    if (entry?.state === "refused") marks.push(say("refused"));
    else if (entry?.state === "conflict") marks.push(say("changed twice"));
    else if (entry) marks.push(entry.kind === "delete" ? say("is being deleted") : say("waiting"));
    if (qso.crossConfirmedAt) marks.push(say("confirmed"));
    if (qso.spottedAt) marks.push(say("spotted"));
    return marks.flatMap((mark) => [element("span", { class: "tag" }, mark), " "]);
  }
  /** @param {Row} row */
  #details(row) {
    const { qso, entry, key } = row;
    const shown = Object.entries(NAMES).filter(
      ([name]) => qso[name] !== null && qso[name] !== undefined && qso[name] !== false,
    );
    const canChange = qso.clientId !== null && entry?.kind !== "delete";
    return [
      element(
        "dl",
        { class: "fields-of-qso" },
        ...shown.flatMap(([name, title]) => [
          element("dt", {}, say(title)),
          element("dd", {}, typed(valueOf(qso[name]))),
        ]),
      ),
      element(
        "p",
        { class: "buttons" },
        canChange
          ? element("button", { type: "button", click: () => this.#change(qso) }, say("Change"))
          : null,
        canChange
          ? element(
              "button",
              { type: "button", class: "danger", click: () => this.#delete(key, entry) },
              say("Delete"),
            )
          : null,
      ),
    ];
  }
  /** @param {AnyQso} qso */
  #change(qso) {
    this.app.form.edit(qso);
    location.hash = "#log";
  }

  /**
   * @param {string} key
   * @param {Entry | undefined} before
   */
  async #delete(key, before) {
    const order = await this.app.log.delete(key, Date.now() + UNDO_MS);
    this.open = null;
    await this.app.written();
    this.app.announce(say("Deleted"));
    const undo = this.app.tell(
      say("The QSO is being deleted."),
      "",
      say("Take it back"),
      async () => {
        if (order !== null) await this.app.log.takeBack(key, order, before);
        else if (before) await this.app.log.save(before.qso);
        await this.app.written();
        this.app.announce(say("It is back."));
      },
    );
    setTimeout(() => {
      undo.remove();
      this.app.synchronise();
    }, UNDO_MS);
  }

  /** @param {Entry} entry */
  #conflict(entry) {
    const theirs = /** @type {AnyQso | null} */ (entry.theirs ?? null);
    const mine = entry.kind === "delete" ? null : entry.qso;
    const names = Object.keys(NAMES).filter(
      (name) => !mine || !theirs || (mine[name] ?? null) !== (theirs[name] ?? null),
    );
    /** @type {(choice: "mine" | "theirs") => () => Promise<void>} */
    const resolve = (choice) => async () => {
      await this.app.log.resolve(entry.key, choice);
      this.app.written();
    };
    return element(
      "div",
      { class: "note warn" },
      element(
        "p",
        {},
        theirs
          ? say("Another program changed this QSO, too. Which one shall stay?")
          : say("Another program deleted this QSO. Which one shall stay?"),
      ),
      mine && theirs
        ? element(
            "dl",
            { class: "both" },
            ...names.flatMap((name) => [
              element("dt", {}, say(NAMES[name])),
              element("dd", {}, typed(valueOf(mine[name]))),
              element("dd", {}, typed(valueOf(theirs[name]))),
            ]),
          )
        : null,
      element(
        "p",
        { class: "buttons" },
        element(
          "button",
          { type: "button", click: resolve("mine") },
          mine ? say("This device's") : say("Delete it"),
        ),
        element(
          "button",
          { type: "button", click: resolve("theirs") },
          theirs ? say("The other one") : say("Let it be deleted"),
        ),
      ),
    );
  }
}
