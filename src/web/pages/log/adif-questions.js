// Asks the member about a file before its QSOs are saved: about the file's encoding, and about
// keeping its station callsigns.
import { element, find, number, typed } from "../../shared/page.js";
import { Question } from "../../shared/parts/question.js";
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
  SHIFT_JIS: "Japanese (Shift_JIS)",
};

/**
 * Asks a question, with a button that continues with the answer.
 * @param {HTMLElement} heading names the file
 * @param {Question} question
 * @param {(value: string) => void} take
 */
function ask(heading, question, take) {
  const next = () => {
    const value = question.take();
    if (value !== null) take(value);
  };
  find("report").replaceChildren(
    heading,
    element("div", { class: "card" }, question.node),
    element("button", { type: "button", class: "main", click: next }, say("Show the preview")),
  );
  question.title.focus();
}

/**
 * @param {HTMLElement} heading
 * @param {Choice[]} choices
 * @param {(name: string) => void} take
 */
export function askEncoding(heading, choices, take) {
  const hint = choices.length
    ? say("The file doesn't name its encoding. Choose the encoding that shows your QSOs correctly.")
    : say("No known encoding fits this file. Unreadable texts will be skipped.");
  const shown = choices.length ? choices : [{ name: "CP1252", records: [] }];
  const answers = shown.map(({ name, records }) => ({
    value: name,
    name: choices.length
      ? records.flatMap((record, index) => [index ? element("br") : null, typed(record)])
      : [say("Continue")],
    meaning: choices.length ? say(ENCODINGS[name]) : "",
  }));
  const chosen = choices.length ? null : "CP1252";
  ask(
    heading,
    new Question(say("Which encoding does this file use?"), [hint], answers, chosen),
    take,
  );
}

/**
 * @param {HTMLElement} heading
 * @param {string} callsign the log's callsign
 * @param {[string | null, number][]} others station callsigns in the file; null: all further
 *   callsigns
 * @param {(choice: "keep" | "mine") => void} take
 */
export function askStations(heading, callsign, others, take) {
  const list = others.map(([name, count]) => `${name ?? say("others")} (${number(count)})`);
  const hint = say("This file has QSOs from stations other than {callsign}:", { callsign });
  const isOwn = (/** @type {string | null} */ name) =>
    name !== null && name.split("/").includes(callsign);
  const areOwn = others.every(([name]) => isOwn(name));
  const question = new Question(
    say("Keep these station callsigns?"),
    [hint, " ", typed(list.join(", "))],
    [
      { value: "keep", name: [say("Keep them")], meaning: areOwn ? say("stations of yours") : "" },
      { value: "mine", name: [say("Replace them with {callsign}", { callsign })] },
    ],
    areOwn ? "keep" : null,
  );
  ask(heading, question, (value) => take(value === "keep" ? "keep" : "mine"));
}
