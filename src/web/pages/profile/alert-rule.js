// Shows a rule for alerts as a sentence in a sheet. Some words of the sentence are buttons; the
// choices for a word are below the sentence.
import { element, find, once, typed } from "../../shared/page.js";
import { buttonOf } from "../../shared/lists.js";
import { Question } from "../../shared/parts/question.js";
import { closeSheet, openSheet } from "../../shared/parts/sheet.js";
import { change, remove } from "../../shared/service.js";
import { callsignsIn, upperCase } from "../../shared/words/callsigns.js";
import { choicesOf } from "../../shared/words/qso-words.js";
import { capital, locale, say } from "../../shared/language.js";
import { explainFault, hoursFields, hoursOf, zoneOf } from "./alert-limits.js";

/** @import { AlertRule, Alerts } from "../types.js" */
/** @typedef {(step: () => Promise<unknown>) => Promise<boolean>} Run */
/** @typedef {(sentence: string, kind?: string) => void} Tell */
/** @typedef {"subject" | "source" | "band" | "mode" | "days" | "hours" | "pause"} Word */

const SENTENCE =
  "Tell me when {subject} is spotted {source} on {band} in {mode}, {days}, {hours}, at most {pause} per station.";
/** @type {Record<Word, string>} */
const TITLES = {
  subject: "Tell me about",
  source: "Spotted",
  band: "Band",
  mode: "Mode",
  days: "Days",
  hours: "Hours",
  pause: "At most",
};
/** @type {Record<string, string>} */
const SUBJECTS = {
  DIVISION: "a division that I need",
  SQUARE: "a square that I need",
  SPECIAL: "a special station that I need",
  MEMBER: "a member of my club",
  CALLSIGNS: "one of these callsigns",
};
/** @type {Record<string, string>} */
const NEEDS = {
  ANY: "not worked yet",
  BAND: "not worked yet on the same band",
  MODE: "not worked yet on the same band in the same mode",
};
/** @type {Record<string, string>} */
const SOURCES = { ANY: "by anybody", HERE: "by a member here", NETWORK: "by the network" };
const MAX_NAME = 80;
// Sets of days: bit 0 is Monday.
/** @type {Record<string, string>} */
const DAYS = { 127: "on any day", 31: "from Monday to Friday", 96: "on Saturday and Sunday" };
/** @type {Record<string, string>} */
const PAUSES = { 60: "once an hour", 360: "once every six hours", 1440: "once a day" };

/** @type {AlertRule} */
export const NEW_RULE = {
  ...{ number: "", name: "", isOn: true, subject: "DIVISION", callsigns: [], need: "ANY" },
  ...{ source: "ANY", band: null, mode: null, from: null, to: null, days: 127, pause: 60 },
};

const alternatives = once(() => new Intl.ListFormat(locale, { type: "disjunction" }));
/** @param {AlertRule} rule */
const needs = ({ subject }) => subject !== "MEMBER" && subject !== "CALLSIGNS";
/**
 * Returns the stations that a rule is about: "a division that I need", "26AT101 or 19CT512".
 * @param {AlertRule} rule
 */
export function nameOf({ subject, callsigns }) {
  return subject === "CALLSIGNS" && callsigns.length
    ? alternatives().format(callsigns)
    : say(SUBJECTS[subject]);
}
/** @param {"band" | "mode"} field @param {string} value */
const wordOf = (field, value) => choicesOf(field).find(([one]) => one === value)?.[1] ?? value;
/**
 * Returns the other conditions of a rule. Conditions that always apply are omitted.
 * @param {AlertRule} rule
 */
export function factsOf(rule) {
  const { source, band, mode, from, to, days, pause } = rule;
  return [
    needs(rule) ? say(NEEDS[rule.need]) : null,
    band && wordOf("band", band),
    mode && wordOf("mode", mode),
    say(SOURCES[source]),
    days === 127 ? null : say(DAYS[days]),
    hoursOf(from, to),
    say("at most {often}", { often: say(PAUSES[pause]) }),
  ];
}

/** @param {Record<string, string>} words @returns {[string, string][]} */
const rowsOf = (words) => Object.entries(words).map(([value, text]) => [value, capital(say(text))]);
/** @param {"band" | "mode"} field @param {string} any @returns {[string, string][]} */
const rowsOfField = (field, any) => [["", capital(say(any))], ...choicesOf(field)];

class Sentence {
  node = element("p", { class: "sentence" });
  choices = element("div");
  trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  /** @type {Map<Word, HTMLButtonElement>} */
  buttons = new Map();

  /** @param {AlertRule} rule */
  constructor(rule) {
    this.rule = { ...rule };
    const pieces = say(SENTENCE).split(/(\{\w+\}\S*)/);
    this.node.append(
      ...pieces.map((piece) => {
        const [, word, after] = /^\{(\w+)\}(\S*)$/.exec(piece) ?? [];
        return word ? this.#place(/** @type {Word} */ (word), after) : piece;
      }),
    );
    this.#set({});
    this.open("subject");
  }
  /**
   * Returns a word as a button, together with the full stop or the comma after the word, so that no
   * line begins with them.
   * @param {Word} word
   * @param {string} after
   */
  #place(word, after) {
    const button = element("button", { type: "button", class: "word" });
    button.addEventListener("click", () => this.open(word));
    this.buttons.set(word, button);
    return element("span", { class: "kept" }, button, after);
  }
  /** @param {Word} word */
  #textOf(word) {
    const { source, band, mode, from, to, days, pause } = this.rule;
    /** @type {Record<Word, string>} */
    const texts = {
      subject: nameOf(this.rule),
      source: say(SOURCES[source]),
      band: band ? wordOf("band", band) : say("either band"),
      mode: mode ? wordOf("mode", mode) : say("any mode"),
      days: say(DAYS[days]),
      hours: hoursOf(from, to) ?? say("at any hour"),
      pause: say(PAUSES[pause]),
    };
    return texts[word];
  }
  #write() {
    for (const [word, button] of this.buttons) button.replaceChildren(typed(this.#textOf(word)));
  }
  /** @param {Partial<AlertRule>} values */
  #set(values) {
    Object.assign(this.rule, values);
    this.rule.name = capital(nameOf(this.rule)).slice(0, MAX_NAME);
    this.tell("");
    this.#write();
  }
  /**
   * Returns a question about a field of the rule.
   * @param {string} title
   * @param {"subject" | "need" | "source" | "band" | "mode" | "days" | "pause"} field
   * @param {[string, string][]} rows
   */
  #ask(title, field, rows) {
    const answers = rows.map(([value, name]) => ({ value, name: [name] }));
    const { node } = new Question(say(title), [], answers, String(this.rule[field] ?? ""));
    node.addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      const isNumber = field === "days" || field === "pause";
      this.#set({ [field]: isNumber ? Number(target.value) : target.value || null });
    });
    return node;
  }
  #askSubject() {
    const callsigns = this.#callsignsField();
    const need = this.#ask("I need it if it is", "need", rowsOf(NEEDS));
    const show = () => {
      callsigns.hidden = this.rule.subject !== "CALLSIGNS";
      need.hidden = !needs(this.rule);
    };
    const subject = this.#ask(TITLES.subject, "subject", rowsOf(SUBJECTS));
    subject.addEventListener("change", show);
    show();
    return [subject, callsigns, need];
  }
  /**
   * Shows the choices for a word.
   * @param {Word} open
   */
  open(open) {
    for (const [word, button] of this.buttons)
      button.setAttribute("aria-expanded", String(word === open));
    const { rule } = this;
    const title = TITLES[open];
    /** @type {Record<Word, () => Node[]>} */
    const choices = {
      subject: () => this.#askSubject(),
      source: () => [this.#ask(title, "source", rowsOf(SOURCES))],
      band: () => [this.#ask(title, "band", rowsOfField("band", "either band"))],
      mode: () => [this.#ask(title, "mode", rowsOfField("mode", "any mode"))],
      days: () => [this.#ask(title, "days", rowsOf(DAYS))],
      hours: () => [hoursFields(say(title), rule, (from, to) => this.#set({ from, to }))],
      pause: () => [this.#ask(title, "pause", rowsOf(PAUSES))],
    };
    this.choices.replaceChildren(...choices[open]());
  }
  #callsignsField() {
    const field = element("input", {
      value: this.rule.callsigns.join(", "),
      maxlength: 200,
      autocapitalize: "characters",
      autocomplete: "off",
      spellcheck: "false",
      placeholder: "26AT101, 19CT*",
      input: () =>
        this.#set({
          callsigns: callsignsIn(field.value).map(upperCase),
        }),
    });
    return element(
      "label",
      { class: "whole" },
      element("span", {}, say("Callsigns; an asterisk stands for the rest of a callsign")),
      field,
    );
  }
  /** @param {string} sentence empty: hides the message */
  tell(sentence) {
    this.trouble.textContent = sentence;
    this.trouble.hidden = !sentence;
  }
}

/**
 * Opens a rule in a sheet.
 * @param {AlertRule} rule
 * @param {Alerts} alerts
 * @param {Run} run
 * @param {Tell} tell
 */
export function editRule(rule, { ways }, run, tell) {
  const sentence = new Sentence(rule);
  /** @param {() => Promise<unknown>} step */
  const attempt = async (step) => {
    sentence.tell("");
    try {
      await step();
      return true;
    } catch (refusal) {
      sentence.tell(explainFault(refusal));
      return false;
    }
  };
  const save = async () => {
    const { from, days } = sentence.rule;
    if (from !== null || days !== 127) await change("alerts/settings", zoneOf());
    await (rule.number
      ? change(`alerts/${rule.number}`, sentence.rule)
      : change("alerts", sentence.rule));
  };
  const finish = async (/** @type {() => Promise<unknown>} */ step) => {
    if (!(await attempt(step))) return;
    closeSheet();
    await run(async () => {});
  };
  const tryRule = async () => {
    if (!(await attempt(() => change("alerts/try", sentence.rule)))) return;
    const names = new Intl.ListFormat(locale).format(ways.map(({ name }) => name));
    tell(say("A trial alert is on its way: {name}", { name: names }));
  };
  openSheet({
    title: [typed(rule.number ? capital(nameOf(rule)) : say("New alert"))],
    body: [sentence.node, sentence.choices, sentence.trouble],
    foot: [
      buttonOf("Save", () => finish(save), "main"),
      ...(ways.length ? [buttonOf("Try it", tryRule)] : []),
      ...(rule.number
        ? [buttonOf("Delete", () => finish(() => remove(`alerts/${rule.number}`)), "danger")]
        : []),
    ],
    closed: (hadFocus) => {
      if (hadFocus) find("alerts-title").focus();
    },
  });
}
