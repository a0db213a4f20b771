// Asks the member about a file before its QSOs are saved: about the file's encoding, and about
// keeping its station callsigns.
import { element, find, number, typed } from "../../shared/page.js";
import { say } from "../../shared/language.js";

/** @import { EncodingChoice as Choice } from "../types.js" */

// The names of the encodings, as shown to the reader.
/** @type {Record<string, string>} */
const ENCODINGS = {
  CP1250: "Central European (CP1250)",
  CP1251: "Cyrillic (CP1251)",
  CP1252: "Western European (CP1252)",
  CP1253: "Greek (CP1253)",
  CP850: "DOS (CP850)",
  "KOI8-R": "Cyrillic (KOI8-R)",
};

/**
 * Asks a question. Shows a button for each answer, followed by the lines that explain the answer.
 * @param {HTMLElement} heading names the file
 * @param {string} question
 * @param {string | Node} hint
 * @param {{text: string, lines: string[], take: () => void}[]} answers
 */
function ask(heading, question, hint, answers) {
  const items = answers.map(({ text, lines, take }) => {
    const button = element("button", { type: "button" }, text);
    button.addEventListener("click", take, { once: true });
    return element("li", {}, button, ...lines.map((line) => element("p", {}, typed(line))));
  });
  const title = element("h3", { tabindex: "-1" }, question);
  find("report").replaceChildren(
    heading,
    title,
    element("p", {}, hint),
    element("ul", { class: "items" }, ...items),
  );
  title.focus();
}

/**
 * @param {HTMLElement} heading
 * @param {Choice[]} choices
 * @param {(name: string) => void} take
 */
export function askEncoding(heading, choices, take) {
  const hint = choices.length
    ? say("The file doesn't name it. Choose the one that shows your QSOs correctly.")
    : say("No known encoding fits this file. Unreadable texts will be skipped.");
  const shown = choices.length ? choices : [{ name: "CP1252", records: [] }];
  ask(
    heading,
    say("Which encoding does this file use?"),
    hint,
    shown.map(({ name, records }) => ({
      text: choices.length ? say(ENCODINGS[name]) : say("Continue"),
      lines: records,
      take: () => take(name),
    })),
  );
}

/**
 * @param {HTMLElement} heading
 * @param {string} callsign the log's own
 * @param {[string | null, number][]} others station callsigns in the file; null: all further
 * callsigns
 * @param {(choice: "keep" | "mine") => void} take
 */
export function askStations(heading, callsign, others, take) {
  const list = others.map(([name, count]) => `${name ?? say("others")} (${number(count)})`);
  const hint = say("This file has QSOs from stations other than {callsign}:", { callsign });
  ask(
    heading,
    say("Keep these station callsigns?"),
    element("span", {}, hint, " ", typed(list.join(", "))),
    [
      { text: say("Keep them"), lines: [], take: () => take("keep") },
      {
        text: say("Replace them with {callsign}", { callsign }),
        lines: [],
        take: () => take("mine"),
      },
    ],
  );
}
