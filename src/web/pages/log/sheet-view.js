// Shows how a sheet is read: the open questions, and the columns with ten rows and a menu above
// each column. Keeps the choices for the next file with the same columns.
import { element, find, number, recall, remember, typed } from "../../shared/page.js";
import { itemOf } from "../../shared/parts/item.js";
import { Question } from "../../shared/parts/question.js";
import { segmentsOf } from "../../shared/parts/segments.js";
import { say } from "../../shared/language.js";
import { loadSheet } from "../site/sections.js";
import { sliceAdif } from "./adif-slices.js";
import { countFits, layoutKey, recognise } from "./sheet-columns.js";
import { questionsOf } from "./sheet-questions.js";
import { formatRecords, readRecords } from "./sheet-records.js";
import { inSteps } from "./sheet-rows.js";
import { survey } from "./sheet-survey.js";
import { isNumberInCall, readDate } from "./sheet-values.js";
import { answerWords, fieldChoices, isAsked, reasonOf, remarksOf, titleOf } from "./sheet-words.js";

/**
 * @import {
 *   AdifSlice as Slice, SheetColumn as Column, SheetFacts, SheetOfRows as Sheet,
 *   SheetOwner as Owner, SheetQuestion, SheetTable
 * } from "../types.js"
 */
/**
 * The page around the view: shows a step of the import, and previews records.
 * @typedef {object} Host
 * @property {HTMLElement} heading
 * @property {(title: string, buttons: HTMLElement[], content: HTMLElement[]) => void} show
 * @property {(slices: Slice[], remarks: HTMLElement | null) => void} preview
 * @property {() => void} refuse says that the file is not a log
 */
/** @typedef {{key: string, fields: string[], answers: Record<string, string>}} Kept */

const ROWS_SHOWN = 10;
const LAYOUTS_KEPT = 20;
const WIDE = "(min-width: 62rem)";

/** @returns {Kept[]} */
function keptLayouts() {
  try {
    return JSON.parse(recall("sheet-layouts") ?? "[]");
  } catch {
    return [];
  }
}
/** @param {Kept} layout */
function keepLayout(layout) {
  const others = keptLayouts().filter(({ key }) => key !== layout.key);
  remember("sheet-layouts", JSON.stringify([layout, ...others].slice(0, LAYOUTS_KEPT)));
}
/** The view of a file with one or more sheets. */
export class SheetView {
  /**
   * @param {Sheet[]} sheets
   * @param {string} name of the file
   * @param {Host} host
   * @param {Owner} owner of the log
   */
  constructor(sheets, name, host, owner) {
    this.sheets = sheets;
    this.name = name;
    this.host = host;
    /** @type {Map<string, Question>} */
    this.asked = new Map();
    /** @type {Record<string, string>} */
    this.answers = {};
    this.reader = {
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC",
      now: Date.now(),
      ...owner,
    };
    this.panel = element("div", { class: "card questions", hidden: true });
    this.columns = element("div", {});
    this.left = element("span", { class: "muted", role: "status" });
    /** @type {SheetTable} */
    this.table = recognise(sheets[0]);
    this.key = "";
    /** @type {SheetFacts | null} */
    this.facts = null;
    /** @type {SheetQuestion[]} */
    this.questions = [];
  }

  /** Whether a sheet of the file has the columns of a log. */
  hasLog() {
    const tables = this.sheets.map((sheet) => recognise(sheet));
    const worth = tables.map(
      ({ columns }) =>
        new Set(columns.map(({ field }) => field).filter((one) => !/^(?:extra|none)$/.test(one)))
          .size,
    );
    const best = Math.max(...worth);
    this.table = tables[worth.indexOf(best)];
    return best > 1;
  }

  async show() {
    await loadSheet("./import.css");
    matchMedia(WIDE).addEventListener("change", () => this.drawColumns());
    await this.take(this.table);
  }

  /**
   * Takes a recognised sheet, with the choices for its columns from an earlier file.
   * @param {SheetTable} table
   */
  async take(table) {
    this.table = table;
    this.key = layoutKey(table); // before choices change the columns
    const kept = keptLayouts().find(({ key }) => key === this.key);
    table.columns.forEach((column, at) => {
      const field = kept?.fields[at];
      if (field) Object.assign(column, { field, ...countFits(table, column.index, field) });
    });
    this.answers = { ...kept?.answers };
    await this.survey();
    this.draw();
  }

  /** Surveys the sheet with its present columns. */
  async survey() {
    this.facts = await inSteps(survey(this.table, this.reader.now));
    this.takeQuestions();
  }

  takeQuestions() {
    if (!this.facts) return;
    this.questions = questionsOf(this.table, this.facts, this.answers, this.reader);
    const before = Object.keys(this.answers).length;
    for (const { id, answers, chosen, more } of this.questions) {
      const known = this.answers[id];
      const isPossible =
        known !== undefined && (more || answers.some(({ value }) => value === known));
      if (!isPossible) delete this.answers[id];
      if (!isPossible && chosen !== null) this.answers[id] = chosen;
    }
    // An answer can lead to a further question.
    if (Object.keys(this.answers).length !== before)
      this.questions = questionsOf(this.table, this.facts, this.answers, this.reader);
  }

  draw() {
    const { rows, first, name } = this.table;
    const n = rows.length - first;
    const { heading } = this.host;
    heading.replaceChildren(
      typed(this.name),
      ...(name ? [" · ", say("sheet “{name}”", { name })] : []),
      " · ",
      say("{n} row|{n} rows", { n }),
    );
    const start = element(
      "button",
      { type: "button", class: "main", click: () => this.finish() },
      say("Show the preview"),
    );
    const tabs =
      this.sheets.length > 1
        ? [
            segmentsOf(
              say("Sheets"),
              this.sheets.map((sheet, at) => [String(at), sheet.name]),
              String(this.sheets.findIndex((sheet) => sheet.rows === rows)),
              (at) => this.take(recognise(this.sheets[Number(at)])),
            ),
          ]
        : [];
    this.drawQuestions();
    this.drawColumns();
    this.host.show(
      say("Check the columns"),
      [this.left, start],
      [...tabs, this.panel, this.columns],
    );
  }

  /** Returns the date of the first row with a time, for examples, or null. */
  exampleDay() {
    const { facts, table, answers } = this;
    const cell = facts?.date?.cell ?? table.dateAbove;
    const at = table.columns.find(({ field }) => field === "date" || field === "qsoAt");
    const read = readDate(cell || (at ? (table.rows[table.first]?.[at.index] ?? "") : ""));
    if (!read) return null;
    const order = this.questions.find(({ id }) => id === "order");
    const chosen = order?.answers.find(({ value }) => value === answers.order) ?? order?.answers[0];
    if (chosen?.day !== undefined) return chosen.day;
    return read.kind === "ymd" ? Date.UTC(read.parts[0], read.parts[1] - 1, read.parts[2]) : null;
  }

  drawQuestions() {
    const example = this.exampleDay();
    this.asked.clear();
    for (const question of this.questions) {
      const [title, why] = titleOf(question);
      const answers = question.answers.map((answer) => {
        const { name, meaning } = answerWords(question, answer, example);
        return { value: answer.value, name: [name], meaning };
      });
      const known = this.answers[question.id];
      const isOther = known !== undefined && !answers.some(({ value }) => value === known);
      const free = question.more ? this.freeAnswer(question, isOther ? known : "") : null;
      if (free) answers.push({ value: "other", name: free.name, meaning: "" });
      const asked = new Question(title, [why], answers, isOther ? "other" : (known ?? null));
      asked.node.addEventListener("change", ({ target }) => {
        if (!(target instanceof HTMLInputElement) || target.type !== "radio") return;
        if (target.value === "other") free?.take();
        else this.answer(question.id, target.value);
      });
      this.asked.set(question.id, asked);
    }
    this.panel.hidden = !this.questions.length;
    this.panel.replaceChildren(...[...this.asked.values()].map(({ node }) => node));
    this.count();
  }

  /**
   * Returns the words and the field of an answer that the reader types or chooses.
   * @param {SheetQuestion} question
   * @param {string} value
   */
  freeAnswer({ id, more }, value) {
    /** @type {Record<string, string>} */
    const words = {
      zone: say("Another zone"),
      call: say("Another callsign"),
      year: say("Another year"),
      time: say("Another time"),
      day: say("Day"),
    };
    const name = words[more];
    const field =
      more === "zone"
        ? element(
            "select",
            { "aria-label": name },
            element("option", { value: "" }, ""),
            ...Intl.supportedValuesOf("timeZone").map((zone) =>
              element("option", { value: zone, selected: zone === value }, zone),
            ),
          )
        : element("input", {
            type: more === "day" ? "date" : more === "time" ? "time" : "text",
            inputmode: more === "year" ? "numeric" : null,
            maxlength: "20",
            value,
            "aria-label": name,
          });
    const take = () => {
      const { value: text } = /** @type {HTMLInputElement} */ (field);
      const isFit = more === "year" ? /^\d{4}$/.test(text) : text.trim() !== "";
      this.answer(id, isFit ? text.trim() : "");
    };
    field.addEventListener("input", () => {
      const radio = this.asked.get(id)?.radios.at(-1);
      if (radio) radio.checked = true;
      take();
    });
    return { name: [name, " ", field], take };
  }

  /**
   * Takes an answer. Draws the questions again if other questions follow from it.
   * @param {string} id
   * @param {string} value empty: the question is open again
   */
  answer(id, value) {
    if (value) this.answers[id] = value;
    else delete this.answers[id];
    const before = this.questions.map((question) => question.id).join();
    this.takeQuestions();
    if (before !== this.questions.map((question) => question.id).join()) {
      this.drawQuestions();
      this.asked
        .get(id)
        ?.radios.find(({ checked }) => checked)
        ?.focus();
    }
    this.count();
  }

  /** Returns the questions without an answer. */
  open() {
    return this.questions.filter(({ id }) => this.answers[id] === undefined);
  }

  count() {
    const n = this.open().length;
    this.left.textContent = n ? say("{n} question left|{n} questions left", { n }) : "";
  }

  /**
   * @param {Column} column
   * @returns {HTMLSelectElement}
   */
  menuOf(column) {
    const isKept = column.field === "extra" || column.field === "none";
    const kind = isAsked(column, this.questions) ? "asked" : isKept ? "kept" : "";
    return element(
      "select",
      {
        class: `pick-head ${kind}`,
        "aria-label": column.header || say("Column {n}", { n: number(column.index + 1) }),
        change: ({ currentTarget }) => {
          const { value } = /** @type {HTMLSelectElement} */ (currentTarget);
          this.give(column, value);
        },
      },
      ...fieldChoices(column.field).map(([field, name]) =>
        element("option", { value: field, selected: field === column.field }, name),
      ),
    );
  }

  /**
   * Gives a field to a column. Another column with this field is kept as it is.
   * @param {Column} column
   * @param {string} field
   */
  async give(column, field) {
    for (const other of this.table.columns)
      if (other.field === field && !/^(?:extra|none)$/.test(field)) other.field = "extra";
    Object.assign(column, { field, ...countFits(this.table, column.index, field) });
    await this.survey();
    this.drawQuestions();
    this.drawColumns();
    const at = this.table.columns.indexOf(column);
    this.columns.querySelectorAll("select")[at]?.focus();
  }

  drawColumns() {
    const { rows, first, columns } = this.table;
    const n = columns.length;
    const shown = rows
      .slice(first, first + 200)
      .filter((row) => row.length)
      .slice(0, ROWS_SHOWN);
    const text = "{n} column, as it will be read|{n} columns, as they will be read";
    const title = say(text, { n });
    const place = say("rows {from} to {to} of {all}", {
      from: 1,
      to: number(shown.length),
      all: number(rows.length - first),
    });
    if (matchMedia(WIDE).matches)
      this.columns.replaceChildren(
        element(
          "div",
          { class: "card of-columns" },
          element("p", { class: "day" }, element("b", {}, title), place),
          element(
            "div",
            { class: "columns-scroll", tabindex: "0", role: "region", "aria-label": title },
            this.tableOf(shown),
          ),
        ),
      );
    else
      this.columns.replaceChildren(
        element(
          "ul",
          { class: "items" },
          element("li", { class: "day" }, element("h3", {}, title)),
          ...columns.map((column) =>
            itemOf({
              name: column.header
                ? typed(column.header)
                : say("Column {n}", { n: column.index + 1 }),
              line: [
                typed(
                  shown
                    .slice(0, 2)
                    .map((row) => row[column.index] || say("empty"))
                    .join(", "),
                ),
                reasonOf(column, this.questions),
              ],
              end: [this.menuOf(column)],
            }),
          ),
        ),
      );
  }

  /**
   * @param {string[][]} shown
   */
  tableOf(shown) {
    const { columns } = this.table;
    const isOdd = (/** @type {Column} */ { field, index }, /** @type {string} */ cell) =>
      (field === "callsignWorked" && isNumberInCall(cell)) ||
      (this.facts?.datesElsewhere.has(index) && readDate(cell) !== null);
    return element(
      "table",
      { class: "columns" },
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          ...columns.map((column) =>
            element(
              "th",
              { scope: "col" },
              this.menuOf(column),
              element("small", {}, typed(column.header)),
              element("small", {}, reasonOf(column, this.questions)),
            ),
          ),
        ),
      ),
      element(
        "tbody",
        {},
        ...shown.map((row) =>
          element(
            "tr",
            {},
            ...columns.map((column) => {
              const cell = row[column.index] ?? "";
              return element(
                "td",
                { class: isOdd(column, cell) ? "odd" : null },
                cell.slice(0, 60),
              );
            }),
          ),
        ),
      ),
    );
  }

  /** Shows the preview, or moves to the first open question. */
  async finish() {
    const [first] = this.open();
    if (first) {
      const question = this.asked.get(first.id);
      question?.node.scrollIntoView({ block: "nearest" });
      const field =
        question?.radios.at(-1)?.checked &&
        question.node.querySelector("select, input:not([type=radio])");
      if (field instanceof HTMLElement) field.focus();
      else question?.radios[0].focus();
      return;
    }
    const { table, facts } = this;
    if (!facts) return;
    // An answer kept from an earlier file does not count if this file decides by itself.
    const asked = new Set(this.questions.map(({ id }) => id));
    const answers = Object.fromEntries(
      Object.entries(this.answers).filter(([id]) => asked.has(id)),
    );
    find("report").setAttribute("aria-busy", "true");
    const { records, remarks } = await inSteps(readRecords(table, facts, answers, this.reader));
    find("report").removeAttribute("aria-busy");
    const general = Object.entries(answers).filter(
      ([id]) => !/^(?:call|changed) |^(?:day|year)$/.test(id),
    );
    keepLayout({
      key: this.key,
      fields: table.columns.map(({ field }) => field),
      answers: Object.fromEntries(general),
    });
    const { bytes, found } = formatRecords(records);
    const slices = sliceAdif(bytes, found, "utf-8");
    for (const slice of slices) {
      slice.unit = "row";
      for (const piece of slice.pieces) piece.line = piece.found?.line ?? piece.line;
    }
    this.host.preview(slices, remarksOf(remarks));
  }
}
