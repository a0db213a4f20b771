// Shows the page on which a member types a paper log: a line, the values that were read from the
// line, and the QSOs typed so far. Enter stores the line. If several lines are pasted, the field
// shows one line at a time.
import {
  day,
  element,
  figureOf,
  find,
  findAs,
  hour,
  number,
  once,
  typed,
} from "../../shared/page.js";
import { recall, remember } from "../../shared/logs.js";
import { locale, say } from "../../shared/language.js";
import { worthOf } from "../../shared/awards/award-rules.js";
import { findFaults } from "../../shared/qsosync-fields.js";
import { Question } from "../../shared/parts/question.js";
import { fieldName } from "../../shared/words/qso-words.js";
import { reasonOf, tuningOf } from "../../shared/words/words.js";
import { firstContext, readLine, splitLines } from "../text/lines.js";

/** @import { App, BookRow, Child, PaperContext, Unclear, Values } from "../types.js" */
/** @typedef {{line: string, clientId: string, before: PaperContext, after: PaperContext}} Stored */

const KEPT = 100; // QSOs in the list
const PAUSE_MS = 120000; // a longer time between two lines is a pause
const PASTED_MS = 1000; // a line after a shorter time was pasted
/** Returns the name of this device's time zone, such as "German time". */
const zoneName = once(() => {
  const parts = new Intl.DateTimeFormat(locale, { timeZoneName: "longGeneric" }).formatToParts();
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? say("Local time");
});
/** @param {string} time four digits; empty: none */
const withColon = (time) => time && `${time.slice(0, 2)}:${time.slice(2)}`;
const isUtc = () =>
  ["UTC", "Etc/UTC", "GMT"].includes(new Intl.DateTimeFormat().resolvedOptions().timeZone);

/**
 * @param {Unclear} unclear
 * @param {(answer: string) => void} answered
 */
function questionOf({ piece, word, field, answers }, answered) {
  const nameOf = (/** @type {string} */ value) =>
    piece === "day"
      ? day(value)
      : value === "notes"
        ? say("Part of the notes")
        : `${fieldName(field ?? "")} ${value}`;
  const question = new Question(
    say("{word} is", { word }),
    [say("Enter chooses the marked answer.")],
    answers.map(([value, meaning]) => ({
      value,
      name: [nameOf(value)],
      meaning: meaning && say(meaning),
    })),
    answers[0][0],
  );
  for (const radio of question.radios) radio.addEventListener("input", () => answered(radio.value));
  return question.node;
}

export class Paper {
  /** @type {string[]} pasted lines that follow the line in the field */
  queue = [];
  /** @type {Record<string, string>} the answers to the questions about the line */
  answers = {};
  /** @type {Stored | null} the last line, which the Up key restores */
  last = null;
  /** @type {string | null} clientId of the QSO that the line corrects */
  corrected = null;
  /** @type {PaperContext | null} of the line; null: nothing was typed yet */
  context = null;
  /** @type {string[]} keys of the typed QSOs, newest first */
  keys = [];
  /** @type {Record<string, string>} the days of these QSOs, by key */
  days = {};
  /** @type {string[]} squares that the typed QSOs have added to the log */
  squares = [];
  /** @type {{lines: number, ms: number}} lines that were typed without a pause, and their time */
  pace = { lines: 0, ms: 0 };
  #storedAt = 0; // the time at which the last line was stored

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.text = findAs("typed", HTMLTextAreaElement);
    this.all = findAs("save-lines", HTMLButtonElement);
    this.zone = findAs("zone", HTMLButtonElement);
    this.told = find("line-told");
    Object.assign(this, JSON.parse(recall("paper") ?? "{}"));
    this.text.value = recall("lines") ?? "";
    this.#split();
    this.text.addEventListener("input", () => {
      this.#split();
      this.answers = {};
      if (!this.text.value && this.corrected) this.#leaveCorrection();
      this.#remember();
      this.#tell();
    });
    this.text.addEventListener("keydown", (event) => this.#press(event));
    find("line-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.store();
    });
    this.all.addEventListener("click", () => this.#storeAll());
    find("paper-done").addEventListener("click", () => {
      Object.assign(this, { context: null, keys: [], last: null, corrected: null });
      Object.assign(this, { days: {}, squares: [], pace: { lines: 0, ms: 0 } });
      remember("paper", "");
    });
    this.zone.addEventListener("click", () => {
      this.#context().isLocal = !this.#context().isLocal;
      this.#tell();
      this.text.focus();
    });
    this.rows = app.listOf(say("Paper log"));
    find("paper-rows").append(this.rows.node);
    app.watch((isChanged) => {
      if (isChanged && !find("lines").hidden) return this.#list();
    });
  }

  /** Returns the context of the line. Before the first line, the values are those of the form. */
  #context() {
    if (this.context) return this.context;
    const { band, frequencyMhz, channel, mode, myLocator, operatorCallsign } = this.app.form.read();
    const values = { band, frequencyMhz, channel, mode, myLocator, operatorCallsign };
    this.context = firstContext(new Date().toISOString().slice(0, 10), values, this.app.plan);
    return this.context;
  }
  /** Puts pasted lines into the queue, except the first. */
  #split() {
    if (!this.text.value.includes("\n")) return;
    const [first = "", ...rest] = splitLines(this.text.value).filter((line) => line.trim());
    this.text.value = first;
    this.queue.unshift(...rest);
  }
  #remember() {
    remember("lines", [this.text.value, ...this.queue].join("\n").trim());
    if (this.context) {
      const { context, keys, days, squares, pace } = this;
      remember("paper", JSON.stringify({ context, keys, days, squares, pace }));
    }
  }
  /** Reads the line. Also returns the context of the next line. */
  #read() {
    const after = structuredClone(this.#context());
    const read = readLine(this.text.value.trim(), after, this.answers);
    const [fault] = read?.qso ? findFaults({ ...read.qso, clientId: this.app.makeId() }) : [];
    const trouble = fault
      ? `${fieldName(fault[0])}: ${reasonOf(fault[1])}`
      : say(read?.trouble ?? "");
    return { read, after, trouble };
  }
  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      this.store();
    } else if (event.key === "ArrowUp" && this.last && !this.text.value) {
      event.preventDefault();
      this.text.value = this.last.line;
      this.corrected = this.last.clientId;
      this.context = this.last.before;
      this.#tell();
    }
  }
  #leaveCorrection() {
    this.corrected = null;
    if (this.last) this.context = this.last.after;
  }

  async show() {
    this.zone.hidden = isUtc();
    this.zone.textContent = zoneName();
    this.#tell();
    this.text.focus({ preventScroll: true });
    await this.#list();
  }
  /** Shows the values that were read from the line, and asks about unclear words. */
  #tell() {
    const { read, after, trouble } = this.#read();
    const before = this.#context();
    const isEmpty = !this.text.value.trim();
    const { qso } = read ?? {};
    this.#showPieces(qso, before, after, isEmpty);
    find("asked").replaceChildren(
      ...(read?.unclear ?? []).map((unclear) =>
        questionOf(unclear, (answer) => {
          this.answers = { ...this.answers, [unclear.piece]: answer };
          const again = this.#read();
          this.#showPieces(again.read?.qso, before, again.after, false);
        }),
      ),
    );
    this.zone.setAttribute("aria-pressed", String(before.isLocal));
    this.all.hidden = !this.queue.length;
    this.all.textContent = say("Log all {n} lines", { n: this.queue.length + 1 });
    this.told.className = "muted";
    this.told.textContent =
      before.isLocal && qso
        ? say("{time} {zone} is {utc} UTC.", {
            time: withColon(after.time),
            zone: zoneName(),
            utc: hour(qso.qsoAt),
          })
        : !isEmpty && trouble
          ? trouble
          : say(
              "Grey values are from the line above. Type a date, a frequency or a mode to change them.",
            );
  }
  /**
   * @param {any} qso
   * @param {PaperContext} before
   * @param {PaperContext} after
   * @param {boolean} isEmpty
   */
  #showPieces(qso, before, after, isEmpty) {
    const unclear = new Set(isEmpty ? [] : after.unclear.map(({ piece, field }) => field ?? piece));
    /** @type {(name: string, value: Child, isAbove: boolean, key?: string) => Child} */
    const piece = (name, value, isAbove, key = "") =>
      value
        ? element(
            "div",
            { class: isAbove ? "from-above" : unclear.has(key) ? "unclear" : "" },
            element("dt", {}, name),
            element("dd", {}, value),
          )
        : null;
    const tunings = [before, after].map(({ values }) => tuningOf(values));
    const at = qso ? hour(qso.qsoAt) : withColon(after.time);
    find("pieces").replaceChildren(
      ...[
        piece(say("Date"), day(qso?.qsoAt ?? after.day), before.day === after.day, "day"),
        piece(say("Time"), at, before.time === after.time),
        piece(say("Callsign"), qso?.callsignWorked && typed(qso.callsignWorked), false),
        piece(say("Frequency"), tunings[1], tunings[0] === tunings[1]),
        piece(say("Sent"), qso?.rstSent && typed(qso.rstSent), false, "rstSent"),
        piece(say("Received"), qso?.rstReceived && typed(qso.rstReceived), false, "rstReceived"),
        piece(say("Locator"), qso?.dxLocator, false),
        piece(say("Notes"), qso?.notes && typed(qso.notes), false),
      ].flatMap((node) => (node instanceof Node ? node : [])),
    );
  }
  /** Shows how many lines were typed, how fast, and how many squares they have added to the log. */
  #showSum() {
    const { keys, pace, squares } = this;
    /** @type {[string, string][]} */
    const figures = [
      [say("Lines"), number(keys.length)],
      [say("Seconds per line"), pace.lines ? number(Math.round(pace.ms / pace.lines / 1000)) : "–"],
      [say("Squares"), squares.length ? `+${number(squares.length)}` : "0"],
    ];
    find("paper-sum").hidden = !keys.length;
    find("paper-figures").replaceChildren(...figures.map(([name, value]) => figureOf(name, value)));
  }
  /** @param {Values} qso that is about to be stored */
  async #count(qso) {
    const now = Date.now();
    const took = now - this.#storedAt;
    if (took > PASTED_MS && took < PAUSE_MS)
      this.pace = { lines: this.pace.lines + 1, ms: this.pace.ms + took };
    this.#storedAt = now;
    const worth = worthOf(qso);
    if (!worth.square || !(await this.app.news(worth)).includes("new square")) return;
    this.squares = [...new Set([...this.squares, worth.square])];
  }
  async #list() {
    // After a reload, a book on the service no longer has the typed QSOs in memory.
    await this.app.session?.recall(this.keys.map((key) => [key, this.days[key]]));
    this.#showSum();
    const found = await Promise.all(this.keys.map((key) => this.app.book.get(key)));
    const rows = found
      .filter((row) => row !== null && row.entry?.kind !== "delete")
      .map((row) => /** @type {BookRow} */ (row))
      .sort((a, b) => (a.qso.qsoAt < b.qso.qsoAt ? 1 : -1));
    find("paper-rows").hidden = !rows.length;
    this.rows.showQsos(rows, { isFirst: true, isLast: true, hasDays: true });
    this.rows.find(this.keys[0])?.querySelector(".q")?.classList.add("fresh");
  }
  /** @param {string} trouble */
  #refuse(trouble) {
    this.told.className = "bad";
    this.told.textContent = trouble;
    this.text.focus();
  }

  /**
   * Stores the line, and empties the field.
   * @returns {Promise<boolean>} whether the line is stored
   */
  async store() {
    const { read, after, trouble } = this.#read();
    const line = this.text.value.trim();
    if (line && trouble) this.#refuse(trouble);
    if (line && trouble) return false;
    const before = this.#context();
    const clientId = this.corrected ?? this.app.makeId();
    const isNew = !this.corrected;
    Object.assign(this, { context: after, corrected: null, answers: {} });
    this.text.value = this.queue.shift() ?? "";
    try {
      if (read && isNew) await this.#count(read.qso);
      if (read) await this.app.store([{ ...read.qso, clientId }]);
    } catch (error) {
      if (this.text.value) this.queue.unshift(this.text.value);
      this.text.value = line;
      // The service could have stored the QSO although its answer was lost.
      this.corrected = clientId;
      this.context = before;
      this.#tell();
      this.#refuse(say("The QSO was not saved: {reason}", { reason: String(error) }));
      return false;
    }
    if (read) {
      this.keys = [clientId, ...this.keys.filter((key) => key !== clientId)].slice(0, KEPT);
      this.days[clientId] = read.qso.qsoAt.slice(0, 10);
      this.last = { line, clientId, before, after };
      this.app.announce(say("Saved: {callsign}", { callsign: read.qso.callsignWorked ?? "–" }));
      this.app.written();
    }
    this.#remember();
    this.#tell();
    return true;
  }
  /** Stores the pasted lines, up to a line that is wrong or unclear. */
  async #storeAll() {
    while (this.text.value.trim() || this.queue.length) {
      const { read } = this.#read();
      if (read?.unclear.length || !(await this.store())) break;
    }
    this.text.focus();
  }
}
