// Shows the list of QSOs, with the search and the actions for each QSO. Stored and waiting QSOs are
// in one list.
import { choice, element, find, input, once, typed } from "../../shared/page.js";
import { say } from "../../shared/language.js";
import { markOf } from "../../shared/parts/row.js";
import { DELETED_MS, TOAST_MS, showToast } from "../../shared/toast.js";
import { fieldName, offerValues } from "../../shared/words/qso-words.js";
import { placesOf, readTyped } from "../../shared/words/search-language.js";
import { allCountries } from "../../shared/words/callsigns.js";
import { isSought, search } from "../log/search.js";
import { readWords } from "../log/search-words.js";
import { fieldsOf, reasonOf, timeOf, tuningOf, valueOf } from "../../shared/words/words.js";

/** @import { App, Entry } from "../types.js" */
/** @import { Sought } from "../log/search.js" */
/** @typedef {Record<string, any>} AnyQso */
/** @typedef {{key: string, qso: AnyQso, entry?: Entry}} Row */

const SHOWN = 50;
const RECENT = 5;
const SENT_MS = 10000; // the time after which a deletion is sent
const places = once(() => placesOf(allCountries()));
const LOCAL_STATES = ["waiting", "refused", "conflict"];

/** A list of QSOs on this device, stored or waiting, each with its actions. */
class Rows {
  /**
   * @param {App} app
   * @param {string} place
   * @param {number} most
   */
  constructor(app, place, most) {
    this.app = app;
    this.place = find(place);
    this.most = most;
    this.asked = 0;
    /** @type {string | null} */
    this.open = null;
    /** @type {{key: string, isNew: boolean} | null} the QSO that was saved just now */
    this.fresh = null;
  }

  /**
   * Yields the list's rows as matches are found.
   * @param {Sought & {state: string}} sought
   * @param {number} [first] limit of the first read by time
   * @returns {AsyncGenerator<{rows: Row[], back: string}>} at most one row more than the list
   *   shows; back: the time back to which the log was read; empty: the search is complete
   */
  async *search(sought, first) {
    const { outbox, storage } = this.app;
    const isLocal = LOCAL_STATES.includes(sought.state);
    const rows = [...outbox.values()]
      .filter(({ qso, state }) => isSought(qso, sought) && (!isLocal || state === sought.state))
      .map((entry) => /** @type {Row} */ ({ key: entry.key, qso: entry.qso, entry }));
    const newest = () =>
      rows.sort((a, b) => (a.qso.qsoAt < b.qso.qsoAt ? 1 : -1)).slice(0, this.most + 1);
    if (!isLocal)
      for await (const { found, back } of search(storage, sought, first)) {
        rows.push(...found.filter(({ key }) => !outbox.has(key)));
        const isEnough = rows.filter(({ qso }) => qso.qsoAt >= back).length > this.most;
        if (!back || isEnough) return yield { rows: newest(), back: "" };
        yield { rows: newest(), back };
      }
    yield { rows: newest(), back: "" };
  }

  async refresh() {}
  /** @param {string} iso */
  when(iso) {
    return timeOf(iso);
  }

  /** @param {Row[]} rows */
  show(rows) {
    const focused = document.activeElement?.closest("li")?.getAttribute("data-key");
    this.place.replaceChildren(...rows.slice(0, this.most).map((row) => this.#item(row)));
    if (focused)
      /** @type {HTMLElement | null} */ (
        this.place.querySelector(`[data-key="${CSS.escape(focused)}"] button`)
      )?.focus();
  }

  /** @param {Row} row */
  #item(row) {
    const { key, qso, entry } = row;
    const isOpen = this.open === key;
    const isFresh = this.fresh?.key === key;
    const title = element(
      "button",
      {
        type: "button",
        class: "entry",
        "aria-expanded": String(isOpen),
        click: () => {
          this.open = this.open === key ? null : key; // the row on the page can be out of date
          this.refresh();
        },
      },
      element("strong", {}, typed(qso.callsignWorked ?? "–")),
      ` ${this.when(qso.qsoAt)} ${tuningOf(qso)} `,
      ...this.#marks(row),
    );
    return element(
      "li",
      { "data-key": key, class: isFresh && "fresh" },
      title,
      ...(isOpen ? this.#details(row) : []),
      entry?.state === "conflict" ? this.#conflict(entry) : null,
      entry?.state === "refused"
        ? element(
            "p",
            { class: "note bad" },
            say("The service rejected it: {reason}", { reason: reasonOf(entry.error ?? "") }),
          )
        : null,
    );
  }
  /** @param {Row} row */
  #marks({ qso, entry }) {
    /** @type {string[]} */
    const marks = [];
    if (entry?.state === "refused") marks.push(say("rejected"));
    else if (entry?.state === "conflict") marks.push(say("conflict"));
    else if (entry?.kind === "delete") marks.push(say("being deleted"));
    if (qso.spottedAt) marks.push(say("spotted"));
    const isWaiting = entry?.kind === "save" && entry.state === "waiting";
    return [
      ...marks.flatMap((mark) => [element("span", { class: "tag" }, mark), " "]),
      isWaiting ? markOf("waiting") : qso.crossConfirmedAt ? markOf("confirmed") : "",
    ];
  }
  /** @param {Row} row */
  #details(row) {
    const { qso, entry } = row;
    const shown = fieldsOf(qso).filter((name) => (qso[name] ?? false) !== false);
    const canChange = qso.clientId !== null && entry?.kind !== "delete";
    return [
      element(
        "dl",
        { class: "fields-of-qso" },
        ...shown.flatMap((name) => [
          element("dt", {}, fieldName(name)),
          element("dd", {}, valueOf(name, qso[name])),
        ]),
      ),
      element(
        "p",
        { class: "buttons" },
        canChange
          ? element("button", { type: "button", click: () => this.#change(qso) }, say("Edit"))
          : null,
        canChange
          ? element(
              "button",
              { type: "button", class: "danger", click: () => this.#delete(row) },
              say("Delete"),
            )
          : null,
      ),
    ];
  }
  /**
   * Deletes a QSO that was just saved.
   * @param {string} key
   * @param {AnyQso} saved
   */
  async undo(key, saved) {
    const { outbox, storage } = this.app;
    const entry = outbox.get(key);
    const kept = entry ?? (await storage.change((records) => records.get("qsos", key)));
    await this.#delete({ key, qso: kept?.qso ?? saved, entry });
  }
  /** @param {AnyQso} qso */
  #change(qso) {
    this.app.form.edit(qso);
    location.hash = "#log";
  }

  /** @param {Row} row */
  async #delete({ key, qso, entry }) {
    const { app } = this;
    const order = await app.log.delete(key, Date.now() + SENT_MS);
    setTimeout(() => app.synchronise(), SENT_MS);
    this.open = null;
    await app.written();
    app.announce(say("Deleted"));
    const undo = app.tell(say("Deleting the QSO."), "", say("Undo"), async () => {
      // If the service has already deleted the QSO, saves the QSO again.
      const isBack = order !== null && (await app.log.takeBack(key, order, entry));
      if (!isBack) await app.log.save(entry?.qso ?? qso);
      await app.written();
      app.announce(say("Restored."));
    });
    undo.append(element("a", { href: "../profile/#history" }, say("Undo later in the history")));
    showToast(find("notices"), undo, DELETED_MS);
    undo.querySelector("button")?.focus();
  }

  /** @param {Entry} entry */
  #conflict(entry) {
    const theirs = /** @type {AnyQso | null} */ (entry.theirs ?? null);
    const mine = entry.kind === "delete" ? null : entry.qso;
    const names = fieldsOf(mine ?? {}, theirs ?? {}).filter(
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
          ? say("Another program also changed this QSO. Which version do you want to keep?")
          : say("Another program deleted this QSO. Do you want to keep it?"),
      ),
      mine && theirs
        ? element(
            "dl",
            { class: "both" },
            ...names.flatMap((name) => [
              element("dt", {}, fieldName(name)),
              element("dd", {}, valueOf(name, mine[name])),
              element("dd", {}, valueOf(name, theirs[name])),
            ]),
          )
        : null,
      element(
        "p",
        { class: "buttons" },
        element(
          "button",
          { type: "button", click: resolve("mine") },
          mine ? say("This device's version") : say("Delete"),
        ),
        element(
          "button",
          { type: "button", click: resolve("theirs") },
          theirs ? say("The other version") : say("Also delete it here"),
        ),
      ),
    );
  }
}

export class List extends Rows {
  /** @param {App} app */
  constructor(app) {
    super(app, "rows", SHOWN);
    this.question = "";
    offerValues(choice("of-band"), "band");
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
    app.watch((isChanged) => isChanged && !find("list").hidden && this.refresh());
  }

  /**
   * Returns the search from the form, whose choice of states includes the states of QSOs that wait
   * on this device.
   */
  #sought() {
    const text = readTyped(input("sought").value, places());
    const words = readWords(text);
    const [band, state] = [choice("of-band").value, choice("of-state").value];
    return { text, words, day: words.day, band, state };
  }

  /**
   * Shows the list. A text from the address replaces the search and removes the filters.
   * @param {string} [text] encoded
   */
  seek(text) {
    if (text) {
      input("sought").value = decodeURIComponent(text);
      choice("of-band").value = choice("of-state").value = "";
      this.most = SHOWN;
    }
    this.refresh();
  }
  async refresh() {
    const asked = ++this.asked;
    const sought = this.#sought();
    const question = JSON.stringify([sought.text, sought.band, sought.state, this.most]);
    const isAgain = question === this.question;
    this.question = question;
    for await (const { rows, back } of this.search(sought)) {
      if (asked !== this.asked) return;
      if (!isAgain || !back) this.#show(rows, back);
    }
  }
  /**
   * @param {Row[]} rows
   * @param {string} back
   */
  #show(rows, back) {
    const isMore = rows.length > this.most;
    this.show(rows);
    find("older").hidden = !isMore;
    const n = Math.min(rows.length, this.most);
    if (back)
      find("found").textContent = say("Searched back to {day} …", { day: back.slice(0, 10) });
    else
      find("found").textContent = isMore
        ? say("Latest {n}", { n })
        : say("{n} QSO|{n} QSOs", { n });
  }
}

/** Shows the newest QSOs next to the form, and the number of today's QSOs. */
export class Recent extends Rows {
  /** @type {HTMLElement | undefined} the message about the QSO that was just saved */
  told;
  /** @param {App} app */
  constructor(app) {
    super(app, "recent", RECENT);
    // The list is not awaited: the form is ready without the list, even if the log cannot be read.
    app.watch((isChanged) => {
      if (isChanged) this.refresh().catch(() => {});
    });
  }
  /** @param {string} iso */
  when(iso) {
    const isToday = iso.slice(0, 10) === new Date().toISOString().slice(0, 10);
    return isToday ? iso.slice(11, 16) : timeOf(iso);
  }
  /**
   * Briefly marks the QSO that was just saved, and offers to undo a new QSO.
   * @param {AnyQso} qso
   * @param {boolean} isNew
   */
  mark(qso, isNew) {
    const key = qso.clientId;
    const fresh = { key, isNew };
    this.fresh = fresh;
    this.#tell(qso, isNew);
    setTimeout(() => {
      if (this.fresh !== fresh) return;
      this.fresh = null;
      this.refresh();
    }, TOAST_MS);
  }
  /**
   * Shows a message about the saved QSO, in place of the previous message. The form has announced
   * the text to screen readers.
   * @param {AnyQso} qso
   * @param {boolean} isNew
   */
  #tell(qso, isNew) {
    const text = say("Saved: {callsign}", { callsign: qso.callsignWorked ?? tuningOf(qso) });
    const undo = () => {
      this.told?.remove();
      this.undo(qso.clientId, qso);
    };
    this.told?.remove();
    this.told = element(
      "p",
      { class: "note saved" },
      element("span", { "aria-hidden": "true" }, text),
      isNew ? element("button", { type: "button", click: undo }, say("Undo")) : null,
    );
    showToast(find("notices"), this.told, TOAST_MS);
  }
  async refresh() {
    const asked = ++this.asked;
    for await (const { rows, back } of this.search({ state: "" }, RECENT)) {
      if (asked !== this.asked) return;
      if (back && rows.length < RECENT) continue;
      const shown = await this.#withFresh(rows);
      if (asked !== this.asked) return;
      this.show(shown);
      break;
    }
    const counts = await this.#count();
    if (asked === this.asked) find("today").textContent = counts;
  }
  /**
   * Adds the QSO that was just saved, even if enough other QSOs are newer: the saved QSO can have a
   * time in the past.
   * @param {Row[]} rows
   */
  async #withFresh(rows) {
    const { key, isNew } = this.fresh ?? { key: "", isNew: false };
    if (!isNew || rows.slice(0, RECENT).some((row) => row.key === key)) return rows;
    const { outbox, storage } = this.app;
    const entry = outbox.get(key);
    const kept = entry ?? (await storage.change((records) => records.get("qsos", key)));
    return kept ? [{ key, qso: kept.qso, entry }, ...rows] : rows;
  }
  async #count() {
    const { outbox, outing, storage } = this.app;
    const day = new Date().toISOString().slice(0, 10);
    const waiting = [...outbox.values()];
    let n = waiting.filter(({ kind, qso }) => kind === "save" && qso.qsoAt.startsWith(day)).length;
    for await (const { found } of search(storage, { day }))
      n += found.filter(({ key }) => !outbox.has(key)).length;
    const inOuting = await outing.count();
    return [
      say("{n} QSO|{n} QSOs", { n }),
      inOuting === null
        ? ""
        : say("{n} in this activation|{n} in this activation", { n: inOuting }),
    ]
      .filter(Boolean)
      .join(" · ");
  }
}
