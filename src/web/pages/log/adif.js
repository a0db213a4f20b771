// The section that imports a file. The file is sent in slices of whole records.
// The first pass is a dry run that saves nothing, and shows which records belong together in one
// slice. If the tab is closed, only whole records are saved, and the member can send the same file
// again.
import { element, find, findAs, input, number, typed } from "../../shared/page.js";
import { Refusal, change, explain } from "../../shared/service.js";
import { findEncoding, unfold } from "./adif-encodings.js";
import { askEncoding, askStations } from "./adif-questions.js";
import { readAdif } from "./adif-reader.js";
import { changeOf } from "../../shared/parts/change.js";
import { lineInFile, sliceAdif } from "./adif-slices.js";
import { gather } from "./adif-together.js";
import { fieldName, fieldValue } from "../../shared/words/qso-words.js";
import { askBeforeLeaving, letLeave } from "../site/unsaved-warning.js";
import { say } from "../../shared/language.js";

const DETAILS_SHOWN = 200;
const ATTEMPTS = 4;
// Words for the outcome of a record.
/** @type {Record<string, string>} */
const KINDS = { "left out": "skipped", changed: "changed" };
const COUNTS = /** @type {const} */ ([
  "imported",
  "updated",
  "unchanged",
  "repeated",
  "rejected",
  "otherBands",
]);

/**
 * @import {
 *   AdifSlice as Slice, ImportCounts, ImportDetail, ImportPart, ImportValue
 * } from "../types.js"
 */
/**
 * The service's report on all slices so far: counts, details of records and values, the number of
 * further details, and fields that the service does not store.
 * @typedef {ImportCounts & {details: ImportDetail[], values: ImportValue[], more: number,
 *   withoutPlace: Map<string | null, number>}} Report
 */
/**
 * The transfer of a file, slice by slice, and its progress. `waiting` contains the remaining
 * slices; `parts` contains the reports on the other slices. `done` and `all` count records.
 * `refusal` is the error that ended the transfer, if any. `isGathered`: records that belong
 * together are in one slice. `stationCallsign` is undefined until the reader has chosen.
 * @typedef {{slices: Slice[], dryRun: boolean, name: string, program: string | null,
 *   stationCallsign: "keep" | "mine" | undefined, waiting: Slice[], parts: Map<Slice, ImportPart>,
 *   isGathered: boolean, refusal: unknown, done: number, all: number, isStopped: boolean}} Transfer
 */

/**
 * @param {string | null} text null: hides the progress
 * @param {number} done
 * @param {number} all
 */
function showProgress(text, done, all) {
  find("progress").hidden = text === null;
  find("progress-text").textContent = text || "";
  const bar = findAs("progress-bar", HTMLProgressElement);
  bar.max = all;
  bar.value = done;
}

/**
 * Sends one slice; retries later if the service limits requests or the connection breaks.
 * @param {Transfer} transfer
 * @param {object} body
 */
async function sendSlice(transfer, body) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change("import", body);
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      const isPassing = refusal.status === 0 || refusal.status === 429 || refusal.status >= 500;
      if (!isPassing || attempt === ATTEMPTS || transfer.isStopped) throw refusal;
      const seconds = refusal.waitSeconds || attempt;
      await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
    }
  }
}
/**
 * Adds details to the shown list, with the line numbers in the file. Returns the number of details
 * that did not fit.
 * @template {{line: number, record: number}} T
 * @param {T[]} shown
 * @param {T[]} list
 * @param {Slice} slice
 */
function show(shown, list, slice) {
  const free = Math.max(0, DETAILS_SHOWN - shown.length);
  for (const one of list.slice(0, free))
    shown.push({ ...one, line: lineInFile(slice, one.line, one.record) });
  return Math.max(0, list.length - free);
}
/** @param {Transfer} transfer */
function reportOn({ slices, parts }) {
  /** @type {Report} */
  const report = {
    imported: 0,
    updated: 0,
    unchanged: 0,
    repeated: 0,
    rejected: 0,
    otherBands: 0,
    newIds: 0,
    details: [],
    values: [],
    more: 0,
    withoutPlace: new Map(),
  };
  for (const slice of slices) {
    const part = parts.get(slice);
    if (!part) continue;
    for (const name of /** @type {const} */ ([...COUNTS, "newIds"])) report[name] += part[name];
    report.more += part.more + part.moreValues;
    report.more += show(report.details, part.details, slice);
    report.more += show(report.values, part.values, slice);
    for (const { field, count } of part.withoutPlace)
      report.withoutPlace.set(field, (report.withoutPlace.get(field) || 0) + count);
  }
  return report;
}
/**
 * @param {Slice[]} slices
 * @param {boolean} dryRun
 * @param {string} name of the file
 * @param {string | null} program the program that wrote the file
 * @param {"keep" | "mine"} [stationCallsign]
 * @returns {Transfer}
 */
function createTransfer(slices, dryRun, name, program, stationCallsign) {
  return {
    slices,
    dryRun,
    name,
    program,
    stationCallsign,
    waiting: [...slices],
    parts: new Map(),
    isGathered: !dryRun,
    refusal: null,
    done: 0,
    all: slices.reduce((sum, slice) => sum + slice.records, 0),
    isStopped: false,
  };
}
/**
 * Moves records that belong together into one slice, after the dry run of all slices. Queues the
 * changed slices again.
 * @param {Transfer} transfer
 */
function putTogether(transfer) {
  const { slices, parts } = transfer;
  const changed = gather(
    slices,
    slices.map((slice) => parts.get(slice)?.keys ?? []),
  );
  transfer.isGathered = true;
  transfer.slices = slices.filter(({ pieces }) => pieces.length);
  transfer.waiting = transfer.slices.filter((slice) => changed.has(slice));
  for (const slice of changed) {
    parts.delete(slice);
    transfer.done -= slice.records;
  }
  transfer.done = Math.max(0, transfer.done);
}
/**
 * Sends the remaining slices in order, until the reader stops the transfer.
 * @param {Transfer} transfer
 */
async function send(transfer) {
  const { dryRun, name, stationCallsign, all, parts } = transfer;
  const text = dryRun ? "Checking: {done} of {all} records" : "Saving: {done} of {all} records";
  transfer.isStopped = false;
  find("stop").onclick = () => {
    transfer.isStopped = true;
  };
  transfer.refusal = null;
  try {
    while (transfer.waiting.length && !transfer.isStopped) {
      const [slice] = transfer.waiting;
      const { done, program } = transfer;
      showProgress(say(text, { done: number(done), all: number(all) }), done, all || 1);
      /** @type {ImportPart} */
      const part = await sendSlice(transfer, {
        adif: slice.text,
        name,
        program,
        stationCallsign,
        dryRun,
      });
      transfer.program = part.program;
      parts.set(slice, part);
      transfer.done += slice.records;
      transfer.waiting.shift();
      if (!transfer.waiting.length && !transfer.isGathered) putTogether(transfer);
    }
  } catch (refusal) {
    transfer.refusal = refusal;
  }
  showProgress(null, 0, 1);
}
/** @param {Transfer} transfer */
function isWhole({ waiting }) {
  return waiting.length === 0;
}

/**
 * Returns a note that says why the transfer ended early; null if the transfer is complete.
 * @param {Transfer} transfer
 */
function endOf(transfer) {
  const { refusal } = transfer;
  const [done, all] = [number(transfer.done), number(transfer.all)];
  if (refusal)
    return element(
      "p",
      { class: "note bad" },
      say("The import failed after {done} of {all} records:", { done, all }),
      " ",
      explain(refusal),
    );
  if (isWhole(transfer)) return null;
  const text = say("Stopped after {done} of {all} records.", { done, all });
  return element("p", { class: "note warn" }, text);
}
/**
 * @param {Report} report
 * @param {boolean} dryRun
 */
function countsOf(report, dryRun) {
  const names = dryRun
    ? [
        "would be new",
        "would be updated",
        "would remain unchanged",
        "repeated in the file",
        "would be rejected",
        "on other bands: skipped",
      ]
    : [
        "new",
        "updated",
        "unchanged",
        "repeated in the file",
        "rejected",
        "on other bands: skipped",
      ];
  return element(
    "dl",
    { class: "figures" },
    ...COUNTS.map((count, index) =>
      element(
        "div",
        {},
        element("dt", {}, say(names[index])),
        element("dd", {}, number(report[count])),
      ),
    ),
  );
}
/** @param {Report} report */
function withoutPlaceOf({ withoutPlace }) {
  if (!withoutPlace.size) return null;
  const fields = [...withoutPlace].map(
    ([field, count]) => `${field || say("other fields")} (${number(count)})`,
  );
  const text = say("Fields that this log doesn't store:");
  return element("p", {}, text, " ", typed(fields.join(", ")));
}
/** @param {number} line @param {string} kind */
function heading(line, kind) {
  return `${say("line {n}", { n: number(line) })}, ${say(kind)}: `;
}
/** @param {Report} report */
function detailsOf({ details, values }) {
  const items = details.map(({ line, kind, field, message }) =>
    element(
      "li",
      {},
      heading(line, KINDS[kind] || kind),
      typed([field, message].filter(Boolean).join(" ")),
    ),
  );
  const corrections = values.map(({ line, field, before, after }) =>
    element(
      "li",
      {},
      heading(line, "corrected"),
      `${fieldName(field)} `,
      changeOf(fieldValue(field, before), fieldValue(field, after)),
    ),
  );
  const all = [...items, ...corrections];
  return all.length ? element("ul", { class: "details" }, ...all) : null;
}
/** @param {Transfer} transfer */
function reportOf(transfer) {
  const report = reportOn(transfer);
  const { dryRun } = transfer;
  const end = endOf(transfer);
  if (!end && COUNTS.every((count) => report[count] === 0)) return element("div", {}, noRecord());
  const newIds =
    "{n} record has an id that can't be used here. It gets a new one.|{n} records have ids that can't be used here. They get new ones.";
  const more = say("{n} more not shown.|{n} more not shown.", { n: report.more });
  return element(
    "div",
    {},
    element("h3", { tabindex: "-1" }, say(dryRun ? "Preview" : "Result")),
    end,
    countsOf(report, dryRun),
    report.newIds ? element("p", {}, say(newIds, { n: report.newIds })) : null,
    withoutPlaceOf(report),
    detailsOf(report),
    report.more ? element("p", { class: "muted" }, more) : null,
  );
}

function noRecord() {
  return element(
    "p",
    { class: "note warn" },
    say("This file has no ADIF records."),
    " ",
    say("Logging programs export ADIF files. Their names end in .adi or .adif."),
  );
}
/**
 * Returns whether a file is certainly not a log (for example, a picture), so the page need not send
 * it.
 * @param {Slice[]} slices
 */
function isNoLog(slices) {
  return slices.every(({ text }) => !/<\w+:\d+[:>]/.test(text));
}
/**
 * Returns whether a file contains anything to save.
 * @param {Transfer} transfer
 */
function hasNews(transfer) {
  const { imported, updated, repeated } = reportOn(transfer);
  return imported + updated + repeated > 0;
}
/**
 * Returns the station callsigns of a file that differ from the log's, each with its number of QSOs.
 * @param {Transfer} transfer
 */
function otherStations({ parts }) {
  /** @type {Map<string | null, number>} */
  const others = new Map();
  for (const part of parts.values())
    for (const { callsign, count } of part.otherStations)
      others.set(callsign, (others.get(callsign) || 0) + count);
  return [...others];
}
/**
 * Asks how to treat the file's station callsigns, and shows the preview for the chosen answer.
 * @param {Transfer} transfer
 * @param {HTMLElement} heading
 * @param {[string | null, number][]} others
 */
function chooseStations(transfer, heading, others) {
  const [{ callsign }] = transfer.parts.values();
  askStations(heading, callsign, others, (choice) => {
    transfer.stationCallsign = choice;
    if (choice === "keep") showResult(transfer, heading, true);
    else
      run(
        createTransfer(transfer.slices, true, transfer.name, transfer.program, choice),
        heading,
        true,
      );
  });
}
/**
 * Shows the outcome of a transfer, and the buttons for the next step.
 * @param {Transfer} transfer
 * @param {HTMLElement} heading
 * @param {boolean} wantsFocus
 */
function showResult(transfer, heading, wantsFocus) {
  const { dryRun, name, program, stationCallsign } = transfer;
  const place = find("report");
  const told = reportOf(transfer);
  place.replaceChildren(heading, told);
  /** @type {(text: string, next: Transfer) => void} */
  const offer = (text, next) => {
    const button = element("button", { type: "button", class: "main" }, say(text));
    button.addEventListener("click", () => run(next, heading, true));
    place.append(button);
  };
  if (!isWhole(transfer)) offer("Continue", transfer);
  else if (dryRun && hasNews(transfer))
    offer(
      "Save these QSOs",
      createTransfer(transfer.slices, false, name, program, stationCallsign),
    );
  if (wantsFocus) told.querySelector("h3")?.focus();
}
/**
 * Sends the remaining slices, and then shows the outcome or asks a question that the preview
 * requires.
 * @param {Transfer} transfer
 * @param {HTMLElement} heading
 * @param {boolean} wantsFocus
 */
async function run(transfer, heading, wantsFocus) {
  const { dryRun, stationCallsign } = transfer;
  find("report").replaceChildren(heading);
  input("file").disabled = true;
  if (!dryRun) askBeforeLeaving(transfer);
  await send(transfer);
  letLeave(transfer);
  input("file").disabled = false;
  const others = otherStations(transfer);
  const isAsked = dryRun && !stationCallsign && others.length > 0;
  if (isAsked && isWhole(transfer) && hasNews(transfer)) chooseStations(transfer, heading, others);
  else showResult(transfer, heading, wantsFocus);
}
/** @param {File} file */
async function take(file) {
  find("report").replaceChildren();
  input("file").disabled = true;
  showProgress(say("Reading the file"), 0, 1);
  const bytes = unfold(new Uint8Array(await file.arrayBuffer()));
  const found = [...readAdif(bytes)];
  const encoding = findEncoding(bytes, found);
  showProgress(null, 0, 1);
  input("file").disabled = false;
  input("file").value = "";
  const heading = element("p", {}, typed(file.name));
  if (Array.isArray(encoding))
    askEncoding(heading, encoding, (name) =>
      preview(sliceAdif(bytes, found, name), heading, file.name, true),
    );
  else await preview(sliceAdif(bytes, found, encoding ?? "utf-8"), heading, file.name, false);
}
/**
 * @param {Slice[]} slices
 * @param {HTMLElement} heading
 * @param {string} name of the file
 * @param {boolean} wantsFocus
 */
async function preview(slices, heading, name, wantsFocus) {
  if (isNoLog(slices)) find("report").replaceChildren(heading, noRecord());
  else await run(createTransfer(slices, true, name, null), heading, wantsFocus);
}

export async function showAdif() {
  const drop = find("drop");
  find("file").addEventListener("change", () => {
    const [file] = input("file").files ?? [];
    if (file) take(file);
  });
  // Files can be dropped anywhere on the page; otherwise the browser would open a file that is
  // dropped outside the section.
  for (const kind of /** @type {const} */ (["dragover", "dragleave", "drop"])) {
    document.addEventListener(kind, (event) => {
      const brought = event.dataTransfer;
      if (find("section-import").hidden || !brought?.types.includes("Files")) return;
      event.preventDefault();
      drop.classList.toggle("over", kind === "dragover");
      if (kind === "drop" && brought.files.length && !input("file").disabled)
        take(brought.files[0]);
    });
  }
}
