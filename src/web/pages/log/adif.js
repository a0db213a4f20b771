// Imports a file. The file is sent in slices of whole records. The first pass is a dry run that
// saves nothing, and shows which records belong together in one slice. If the tab is closed, only
// whole records are saved, and the member can send the same file again.
import { element, find, findAs, input, number, typed } from "../../shared/page.js";
import { knowWorked } from "../../shared/awards/cluster-needed.js";
import { Refusal, change, explain, get } from "../../shared/service.js";
import { findEncoding, unfold } from "./adif-encodings.js";
import { askEncoding, askStations } from "./adif-questions.js";
import { isAdx, lettersOf, readAdif } from "./adif-reader.js";
import { previewOf, reportOn, resultOf, withoutPlaceOf } from "./adif-report.js";
import { fillSlice, sliceAdif } from "./adif-slices.js";
import { drawGains } from "./adif-brings.js";
import { gather } from "./adif-together.js";
import { askBeforeLeaving, letLeave } from "../site/unsaved-warning.js";
import { say } from "../../shared/language.js";

const ATTEMPTS = 4;

/**
 * @import { AdifPiece, AdifSlice as Slice, ImportPart, KnownWorth as Known } from "../types.js"
 */
/**
 * The transfer of a file, slice by slice, and its progress. `waiting` contains the remaining
 * slices; `parts` contains the reports on the other slices. `done` and `all` count records.
 * `refusal` is the error that ended the transfer, if any. `isGathered`: records that belong
 * together are in one slice. `stationCallsign` is undefined until the reader has chosen. `known` is
 * what the log contains now, and `before` is what it contained before the import; null: unknown.
 * `remarks` are about rows of a sheet.
 * @typedef {{slices: Slice[], dryRun: boolean, name: string, program: string | null,
 *   stationCallsign: "keep" | "mine" | undefined, waiting: Slice[], parts: Map<Slice, ImportPart>,
 *   isGathered: boolean, refusal: unknown, done: number, all: number, isStopped: boolean,
 *   known: Known | null, before: Known | null, remarks: HTMLElement | null}} Transfer
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
 * Sends one slice; retries later if the service limits requests or fails, or the connection breaks.
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
 * @param {Slice[]} slices
 * @param {boolean} dryRun
 * @param {string} name of the file
 * @param {string | null} program the program that wrote the file
 * @param {"keep" | "mine"} [stationCallsign]
 * @param {HTMLElement | null} [remarks]
 * @returns {Transfer}
 */
function createTransfer(slices, dryRun, name, program, stationCallsign, remarks = null) {
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
    known: null,
    before: null,
    remarks,
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
 * Sends the remaining slices in order, until the reader stops the transfer or a slice fails.
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
 * Returns the station callsigns of a file that differ from the log's callsign, each with its number
 * of QSOs.
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
    if (choice === "keep") showOutcome(transfer, heading, true);
    else
      run(
        createTransfer(
          transfer.slices,
          true,
          transfer.name,
          transfer.program,
          choice,
          transfer.remarks,
        ),
        heading,
        true,
      );
  });
}
/**
 * Returns the slices without the records whose QSOs keep their values.
 * @param {Slice[]} slices
 * @param {Set<AdifPiece>} kept
 */
function without(slices, kept) {
  return slices
    .map((slice) => ({ ...slice, pieces: slice.pieces.filter((piece) => !kept.has(piece)) }))
    .filter(({ pieces }) => pieces.length)
    .map(fillSlice);
}
/**
 * Returns the name of the button that imports the file.
 * @param {number} n new QSOs
 * @param {number} m corrected QSOs
 */
function nameOfImport(n, m) {
  return n && m
    ? say("Import {n}, correct {m}", { n, m })
    : n
      ? say("Import {n} QSO|Import {n} QSOs", { n })
      : m
        ? say("Correct {n} QSO|Correct {n} QSOs", { n: m })
        : say("Save these QSOs");
}
/**
 * Returns whether a file can be a sheet: a workbook, or a text without ADIF. A file that is neither
 * (for example, a picture) has control characters.
 * @param {Uint8Array} bytes
 */
function canBeSheet(bytes) {
  const letters = lettersOf(bytes.subarray(0, 65536));
  return /^PK\x03\x04/.test(letters) || !/^$|[\0-\x08\x0e-\x1f]|<\w+:\d+[:>]/.test(letters);
}
/** @param {string} text @param {string} kind @param {() => void} press */
function buttonOf(text, kind, press) {
  return element("button", { type: "button", class: kind, click: press }, text);
}
/**
 * Shows the title and the buttons of a step, and its content below.
 * @param {string} title
 * @param {string} kind a class of the title
 * @param {HTMLElement} heading names the file
 * @param {HTMLElement[]} buttons
 * @param {(HTMLElement | null)[]} content
 * @param {boolean} wantsFocus
 */
function showStep(title, kind, heading, buttons, content, wantsFocus) {
  const name = element("h3", { tabindex: "-1", class: kind }, title);
  find("report").replaceChildren(
    element(
      "div",
      { class: "step" },
      element("div", {}, name, heading),
      element(
        "div",
        { class: "buttons" },
        ...buttons,
        buttonOf(say("Choose another file"), "", () => input("file").click()),
      ),
    ),
    ...content.filter((node) => node !== null),
  );
  if (wantsFocus) name.focus();
}
/**
 * Shows the preview. The import button shows the numbers of new and corrected QSOs. The number of
 * corrected QSOs changes when the member keeps values.
 * @param {Transfer} transfer
 * @param {HTMLElement} heading
 * @param {boolean} wantsFocus
 */
function showPreview(transfer, heading, wantsFocus) {
  const report = reportOn(transfer);
  const kept = new Set();
  const start = buttonOf("", "main", () => {
    const { slices, name, program, stationCallsign } = transfer;
    const saving = createTransfer(without(slices, kept), false, name, program, stationCallsign);
    saving.before = transfer.known;
    run(saving, heading, true);
  });
  const tell = () => {
    start.textContent = nameOfImport(report.imported, report.updated - kept.size);
  };
  tell();
  const more = isWhole(transfer)
    ? null
    : buttonOf(say("Continue"), "main", () => run(transfer, heading, true));
  const content = previewOf(report, transfer.known, ({ piece }) => {
    if (!kept.delete(piece)) kept.add(piece);
    tell();
    return kept.has(piece);
  });
  const isDone = !more && !hasNews(transfer);
  const newIds =
    "{n} record has an id that can't be used here. It gets a new id.|{n} records have ids that can't be used here. They get new ids.";
  showStep(
    isDone && !report.rejected && !report.otherBands
      ? say("All of it is in your log")
      : say("Preview"),
    "",
    element(
      "div",
      {},
      heading,
      element("p", { class: "muted", id: "nothing-stored" }, say("nothing is stored yet")),
    ),
    more ? [more] : isDone ? [] : [start],
    [
      endOf(transfer),
      report.newIds ? element("p", {}, say(newIds, { n: report.newIds })) : null,
      transfer.remarks,
      ...content,
      withoutPlaceOf(report),
    ],
    wantsFocus,
  );
}
/**
 * Returns buttons that show and undo the act of an import.
 * @param {string} name of the file
 * @param {number} n imported QSOs
 */
async function actButtons(name, n) {
  const [{ items }, { showAct, undoAct }] = await Promise.all([
    get("history?limit=1"),
    import("./history.js"),
  ]);
  const [act] = items;
  if (act?.work !== "IMPORT" || act.subject !== name) return [];
  const list = { section: "import", show: async () => find("report").replaceChildren() };
  return [
    buttonOf(say("Show {n} QSO|Show {n} QSOs", { n }), "main", () => showAct(act, null, list)),
    buttonOf(say("Undo the import"), "", () => undoAct(act, list)),
  ];
}
/**
 * Shows the result of an import.
 * @param {Transfer} transfer
 * @param {HTMLElement} heading
 * @param {boolean} wantsFocus
 */
function showResult(transfer, heading, wantsFocus) {
  const report = reportOn(transfer);
  const { title, groups } = resultOf(report);
  const more = isWhole(transfer)
    ? null
    : buttonOf(say("Continue"), "main", () => run(transfer, heading, true));
  const { before, known } = transfer;
  const gains = before && known && hasNews(transfer) ? drawGains(before, known) : null;
  const content = [endOf(transfer), gains, ...groups, withoutPlaceOf(report)];
  const show = (/** @type {HTMLElement[]} */ buttons) =>
    showStep(title, more ? "" : "added", heading, buttons, content, wantsFocus);
  show(more ? [more] : []);
  if (more || !hasNews(transfer)) return;
  actButtons(transfer.name, report.imported + report.updated).then(
    (buttons) =>
      find("report")
        .querySelector(".buttons")
        ?.prepend(...buttons),
    () => {}, // the report is complete without the buttons
  );
}
/**
 * @param {Transfer} transfer
 * @param {HTMLElement} heading
 * @param {boolean} wantsFocus
 */
function showOutcome(transfer, heading, wantsFocus) {
  if (!transfer.refusal && isWhole(transfer) && !reportOn(transfer).lines.length)
    find("report").replaceChildren(heading, noRecord());
  else if (transfer.dryRun) showPreview(transfer, heading, wantsFocus);
  else showResult(transfer, heading, wantsFocus);
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
  transfer.known = await get("worked").then(knowWorked, () => null);
  letLeave(transfer);
  input("file").disabled = false;
  const others = otherStations(transfer);
  const isAsked = dryRun && !stationCallsign && others.length > 0;
  if (isAsked && isWhole(transfer) && hasNews(transfer)) chooseStations(transfer, heading, others);
  else showOutcome(transfer, heading, wantsFocus);
}
/** @param {number} line */
function badAdx(line) {
  const text = "This ADX file can't be read: line {line} is not valid.";
  return element("p", { class: "note bad", role: "alert" }, say(text, { line: number(line) }));
}
/**
 * Returns a file as ADI.
 * @param {File} file
 */
async function readFile(file) {
  const bytes = unfold(new Uint8Array(await file.arrayBuffer()));
  return isAdx(bytes) ? (await import("./adx.js")).adxToAdi(bytes) : bytes;
}
function endReading() {
  showProgress(null, 0, 1);
  input("file").disabled = false;
  input("file").value = "";
}
/**
 * Previews a file, and imports it if the member wants that.
 * @param {File} file
 */
export async function takeFile(file) {
  find("report").replaceChildren();
  input("file").disabled = true;
  showProgress(say("Reading the file"), 0, 1);
  const heading = element("p", { class: "muted" }, typed(file.name));
  const bytes = await readFile(file).catch((fault) => {
    if (fault.line === undefined) throw fault;
    find("report").replaceChildren(heading, badAdx(fault.line));
  });
  if (!bytes) {
    endReading();
    return;
  }
  if (canBeSheet(bytes)) {
    await openSheets(bytes, heading, file.name).finally(endReading);
    return;
  }
  const found = [...readAdif(bytes)];
  const encoding = findEncoding(bytes, found);
  endReading();
  if (Array.isArray(encoding))
    askEncoding(heading, encoding, (name) =>
      preview(sliceAdif(bytes, found, name), heading, file.name, true),
    );
  else await preview(sliceAdif(bytes, found, encoding ?? "utf-8"), heading, file.name, false);
}
/**
 * Shows the columns of a file's sheets, and then the preview of the records in the chosen sheet.
 * @param {Uint8Array} bytes
 * @param {HTMLElement} heading
 * @param {string} name of the file
 */
async function openSheets(bytes, heading, name) {
  const loaded = await import("./sheet-open.js").catch(() => null);
  if (!loaded) {
    const text = explain(new Refusal(0, "", [], null));
    const note = element("p", { class: "note bad", role: "alert" }, text);
    find("report").replaceChildren(heading, note);
    return;
  }
  await loaded.openSheet(bytes, name, {
    heading,
    show: (title, buttons, content) => showStep(title, "", heading, buttons, content, true),
    preview: (slices, remarks) =>
      run(createTransfer(slices, true, name, null, undefined, remarks), heading, true),
    refuse: () => find("report").replaceChildren(heading, noRecord()),
  });
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
