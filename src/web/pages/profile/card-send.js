// Prints postcards or labels for QSOs in the member's own log, or saves a single card as a file.
// card-mark.js marks the QSOs as sent.
import { element, number, recall, remember } from "../../shared/page.js";
import { formatQuery } from "../../shared/query.js";
import { explain, get } from "../../shared/service.js";
import { say } from "../../shared/language.js";
import { CARD_QSOS, labelQsos } from "./card-drawing.js";
import { groupByStation } from "./card-qsos.js";
import { isPossible, PAPERS, SHEETS } from "./card-sheets.js";
import { sheetAsSvg } from "./card-paint.js";
import { fileButtons, ownCards, prepared } from "./cards.js";
import { sending } from "./card-mark.js";

/** @import { Card, Qso, Query, Sheet } from "../types.js" */

const PAGE = 200; // QSOs per request
const MOST = 1000; // maximum number of QSOs in one batch
const OWN = "own";
/** @type {Record<string, string>} */
const NAMES = {
  "a4-landscape": "Postcards, four on A4",
  letter: "Postcards, three on US letter",
  postcard: "Postcards, one per page",
  "labels-24": "Labels, 3 x 8 on A4 (63.5 x 33.9 mm)",
  "labels-21": "Labels, 3 x 7 on A4 (63.5 x 38.1 mm)",
  own: "Labels, custom size",
};
/**
 * @type {[keyof Sheet, string, number][]} the measures of custom labels: key, name and default
 * value
 */
const MEASURES = [
  ["columns", "Columns", 3],
  ["rows", "Rows", 8],
  ["boxWidth", "Width, mm", 64],
  ["boxHeight", "Height, mm", 36],
  ["left", "Left margin, mm", 7],
  ["top", "Top margin, mm", 4.5],
  ["gapX", "Space between columns, mm", 2],
  ["gapY", "Space between rows, mm", 0],
];

/**
 * Returns whether a QSO can have a card.
 * @param {Qso} qso
 */
const isPossibleCard = (qso) => Boolean(qso.callsignWorked) && qso.qsoStatus !== "HRD";
/**
 * Loads the first MOST QSOs that match a filter, and returns those that can have a card.
 * @param {Query} filter
 */
async function load(filter) {
  /** @type {Qso[]} */
  const qsos = [];
  const query = new Map(filter);
  query.set("limit", String(PAGE));
  for (let isLast = false; !isLast && qsos.length < MOST;) {
    const page = await get(`qsos?${formatQuery(query)}`);
    qsos.push(...page.items);
    isLast = page.nextCursor === null;
    if (page.nextCursor !== null) query.set("after", page.nextCursor);
  }
  return qsos.filter(isPossibleCard);
}

/**
 * Distributes cards among the boxes of sheets.
 * @param {Sheet} sheet
 * @param {Card[]} cards
 * @param {number} skipped number of boxes of the first sheet that are already used
 */
function sheetsOf(sheet, cards, skipped) {
  const boxes = [...Array.from({ length: skipped }, () => null), ...cards];
  const size = sheet.columns * sheet.rows;
  return Array.from({ length: Math.ceil(boxes.length / size) }, (_, page) =>
    boxes.slice(page * size, (page + 1) * size),
  );
}
/**
 * Prints the sheets and nothing else.
 * @param {Sheet} sheet
 * @param {(Card | null)[][]} pages
 * @param {boolean} hasEdges
 */
async function print(sheet, pages, hasEdges) {
  const paper = element(
    "div",
    { class: "qsl-paper" },
    ...pages.map((cards) =>
      element("div", { class: `qsl-${sheet.paper}` }, sheetAsSvg(sheet, cards, hasEdges)),
    ),
  );
  document.body.append(paper);
  const pictures = [...new Set(pages.flat().map((card) => card?.picture))];
  await Promise.all(
    pictures.map(async (address) => {
      if (!address) return;
      const picture = new Image();
      picture.src = address;
      await picture.decode().catch(() => {});
    }),
  );
  addEventListener("afterprint", () => paper.remove(), { once: true });
  window.print();
}

/** @param {string} name @param {HTMLElement} control */
const labelled = (name, control) => element("label", {}, element("span", {}, name), control);
/** @param {string} name @param {boolean} checked */
function checkbox(name, checked) {
  const box = element("input", { type: "checkbox", checked });
  return { box, label: element("label", { class: "check" }, box, element("span", {}, name)) };
}
/** @param {number} value @param {number} least */
const amount = (value, least) =>
  element("input", { type: "number", min: least, step: "any", value, class: "qsl-amount" });

/** Returns controls for custom label sizes, which this browser remembers. */
function createMeasures() {
  const kept = JSON.parse(recall("labels") ?? "{}");
  const paper = element(
    "select",
    {},
    element("option", { value: "a4" }, "A4"),
    element("option", { value: "letter" }, "US letter"),
  );
  paper.value = kept.paper ?? "a4";
  const measures = MEASURES.map(([key, name, value]) => ({
    key,
    name,
    control: amount(Number(kept[key] ?? value), 0),
  }));
  const read = () =>
    Object.fromEntries(measures.map(({ key, control }) => [key, Number(control.value)]));
  const node = element(
    "div",
    { class: "fields" },
    labelled(say("Paper"), paper),
    ...measures.map(({ name, control }) => labelled(say(name), control)),
  );
  node.addEventListener("input", () =>
    remember("labels", JSON.stringify({ ...read(), paper: paper.value })),
  );
  return { node, paper, read };
}
/** Returns the controls for printing, with functions that read the reader's choices. */
function createChoice() {
  const form = element(
    "select",
    { id: "card-form" },
    ...Object.entries(NAMES).map(([value, name]) => element("option", { value }, say(name))),
  );
  const { node: own, paper, read } = createMeasures();
  const joined = checkbox(say("Combine QSOs with the same station on one card"), true);
  const edges = checkbox(say("Draw outlines for a test print on plain paper"), false);
  const skipped = amount(0, 0);
  const ofLabels = element(
    "div",
    {},
    own,
    element("div", { class: "fields" }, labelled(say("Labels already used"), skipped)),
    edges.label,
  );
  /** @returns {Sheet} */
  function sheet() {
    if (form.value !== OWN) return SHEETS[form.value];
    const labels = /** @type {Sheet} */ ({ ...SHEETS["labels-24"], ...read() });
    return { ...labels, paper: paper.value, ...PAPERS[paper.value] };
  }
  const nodes = [
    element("div", { class: "fields" }, labelled(say("Format"), form)),
    joined.label,
    ofLabels,
  ];
  return {
    nodes,
    sheet,
    skipped: () => {
      const { isLabels, columns, rows } = sheet();
      const count = Math.floor(Number(skipped.value)) || 0;
      return isLabels ? Math.min(Math.max(count, 0), columns * rows - 1) : 0;
    },
    hasEdges: () => sheet().isLabels && edges.box.checked,
    isJoined: () => joined.box.checked,
    show: () => {
      own.hidden = form.value !== OWN;
      ofLabels.hidden = !sheet().isLabels;
    },
  };
}

/**
 * Returns the print preview and the button that prints. `show` updates the preview after a choice.
 * @param {ReturnType<typeof createChoice>} choice
 * @param {Qso[]} qsos
 * @param {(qsos: Qso[]) => Card} cardOf
 */
function createPreview(choice, qsos, cardOf) {
  const preview = element("div", { class: "qsl-preview" });
  const told = element("p", { role: "status" });
  const trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  const printing = element("button", { type: "button", class: "main" }, say("Print"));
  const pages = () => {
    const sheet = choice.sheet();
    const most = sheet.isLabels ? labelQsos(sheet.boxHeight) : CARD_QSOS;
    const cards = groupByStation(qsos, most, choice.isJoined()).map(cardOf);
    return sheetsOf(sheet, cards, choice.skipped());
  };
  printing.addEventListener("click", () => print(choice.sheet(), pages(), choice.hasEdges()));
  /** @param {string} text */
  function tellTrouble(text) {
    trouble.hidden = !text;
    trouble.textContent = text;
  }
  function show() {
    choice.show();
    const sheet = choice.sheet();
    const isFine = isPossible(sheet);
    tellTrouble(isFine ? "" : say("These labels don't fit on the paper."));
    printing.disabled = !isFine || !qsos.length;
    preview.replaceChildren();
    told.textContent = qsos.length ? "" : say("No matching QSOs.");
    if (printing.disabled) return;
    const all = pages();
    preview.append(sheetAsSvg(sheet, all[0], choice.hasEdges() || sheet.isLabels));
    told.textContent = [
      say("{n} card or label|{n} cards or labels", { n: all.flat().filter(Boolean).length }),
      say("{n} page|{n} pages", { n: all.length }),
      ...(qsos.length >= MOST ? [say("only the first {n} QSOs", { n: number(MOST) })] : []),
    ].join(" · ");
  }
  return { nodes: [trouble, told, preview], printing, show, tellTrouble };
}

/** @param {Promise<Qso[]>} finding */
async function openSending(finding) {
  const [{ openDialog }, cardOf, qsos] = await Promise.all([
    import("../../shared/dialog.js"),
    ownCards(),
    finding,
    prepared,
  ]);
  const choice = createChoice();
  const preview = createPreview(choice, qsos, cardOf);
  const files =
    qsos.length === 1
      ? fileButtons(cardOf(qsos), (refusal) => preview.tellTrouble(explain(refusal)))
      : [];
  const fields = element("div", {}, ...choice.nodes);
  fields.addEventListener("input", preview.show);
  preview.show();
  await openDialog(say("Cards and labels"), (close) => {
    queueMicrotask(() => fields.closest("dialog")?.classList.add("wide"));
    return [
      fields,
      ...preview.nodes,
      element("div", { class: "buttons" }, ...files, preview.printing),
      qsos.length ? sending(qsos) : null,
      element(
        "div",
        { class: "buttons" },
        element("button", { type: "button", click: () => close("") }, say("Close")),
      ),
    ];
  });
}
/**
 * Opens the dialog for all QSOs that match a filter of Logbook.
 * @param {Query} filter
 */
export function sendFiltered(filter) {
  return openSending(load(filter));
}
/**
 * Opens the dialog for some QSOs.
 * @param {Qso[]} qsos
 */
export function sendThese(qsos) {
  return openSending(Promise.resolve(qsos.filter(isPossibleCard)));
}
