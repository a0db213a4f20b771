// Edits the member's own card: its design or picture, inks, lines, and the fields shown for a QSO.
// Pictures are cropped and scaled to the size of a card before they are sent.
import { drawing, element } from "../../shared/page.js";
import { Refusal, explain, inLog, remove, request } from "../../shared/service.js";
import { say } from "../../shared/language.js";
import { DESIGNS, INKS, designOf } from "./card-art.js";
import { CARD, LINE_MAX, PICTURE, readDesign } from "./card-drawing.js";
import { FIELDS } from "./card-qsos.js";
import { fileOf, paintCard } from "./card-file.js";
import { cardAsSvg } from "./card-paint.js";

/** @import { Card, CardsPage, Design, Member, Qso } from "../types.js" */

const SIZE = { width: 1400, height: 900 };
const MAX_BYTES = 300 * 1024;
const LARGEST = 12000; // maximum pixels per side of a picture to crop, because browsers have limits
/** @type {Record<string, string>} */
const NAMES = {
  waves: "Waves",
  compass: "Compass",
  coast: "Coast",
  stripes: "Stripes",
  mountain: "Mountain",
  squares: "Squares",
  tower: "Tower",
  dial: "Dial",
  picture: "My picture",
  frequency: "Frequency",
  mode: "Mode",
  report: "Report",
  locator: "Locator",
  power: "Power",
  radio: "Radio",
  antenna: "Antenna",
  notes: "Notes",
};
/** @type {Qso} */
const SAMPLE = {
  ...{ qsoAt: "2026-05-17T19:42:00Z", callsignWorked: "26AT101", band: "ELEVEN_METERS" },
  ...{ frequencyMhz: "27.555", channel: null, mode: "USB", dxLocator: "IO91", rstSent: "59" },
  ...{ crossConfirmedAt: null, txPowerW: 12, radio: "President", antenna: "1/2 wave" },
  ...{ notes: "73" },
};

/**
 * @param {string} name
 * @param {HTMLElement} control
 */
const labelled = (name, control) => element("label", {}, element("span", {}, name), control);
/**
 * Returns a radio button that is shown as a drawing.
 * @param {HTMLInputElement} radio
 * @param {Element | null} drawn
 * @param {string} name
 * @param {boolean} hasText whether the name is shown below the drawing
 */
function choiceOf(radio, drawn, name, hasText) {
  const text = element("span", { class: hasText ? null : "unseen" }, name);
  return element("label", { class: "qsl-choice" }, radio, drawn ?? element("span"), text);
}
/** @param {string} group @param {string} value @param {boolean} isChecked */
const radioOf = (group, value, isChecked) =>
  element("input", { type: "radio", class: "unseen", name: group, value, checked: isChecked });
/** @param {typeof INKS[0]} inks */
function swatchOf({ paper, ink, accent }) {
  const parts = [paper, ink, accent].map((fill, x) =>
    drawing("rect", { x, width: 1, height: 1, fill }),
  );
  const look = { class: "qsl-inks", viewBox: "0 0 3 1", preserveAspectRatio: "none" };
  return drawing("svg", { ...look, "aria-hidden": "true" }, ...parts);
}
/** @param {number} min @param {number} max @param {number} value */
const slider = (min, max, value) => element("input", { type: "range", min, max, value });

/** Returns the part of a picture that a member has chosen, scaled to the size of a card. */
/**
 * @param {ImageBitmap} picture
 * @param {{zoom: number, across: number, down: number}} part zoom is at least 1; across and down
 * are from 0 to 1
 */
function cutOut(picture, { zoom, across, down }) {
  const canvas = element("canvas", SIZE);
  const scale = Math.max(SIZE.width / picture.width, SIZE.height / picture.height) * zoom;
  const [w, h] = [SIZE.width / scale, SIZE.height / scale];
  const [left, top] = [(picture.width - w) * across, (picture.height - h) * down];
  const context = canvas.getContext("2d");
  if (!context) return canvas;
  context.fillStyle = "#ffffff"; // otherwise transparent parts become black in the JPEG file
  context.fillRect(0, 0, SIZE.width, SIZE.height);
  context.drawImage(picture, left, top, w, h, 0, 0, SIZE.width, SIZE.height);
  return canvas;
}
/** @param {HTMLCanvasElement} canvas */
async function makeSmall(canvas) {
  for (const quality of [0.9, 0.8, 0.7, 0.6, 0.45, 0.3]) {
    const file = await fileOf(canvas, "image/jpeg", quality);
    if (file.size <= MAX_BYTES) return file;
  }
  throw new Error(say("The picture can't be made small enough. Choose another picture."));
}

/** @type {number[]} the inks that are offered for every design */
const OFFERED = [0, 1, 2, 4, 5];
const SHOWN_LINES = 2;

/**
 * Returns the choice of inks. If another design is chosen, the inks of that design are also chosen.
 * @param {Design} design
 * @param {HTMLInputElement[]} designs
 */
function createInks(design, designs) {
  let { paper, ink, accent } = design;
  const isCurrent = (/** @type {number} */ place) =>
    INKS[place].paper === paper && INKS[place].ink === ink && INKS[place].accent === accent;
  const inks = OFFERED.map((place) => radioOf("inks", String(place), isCurrent(place)));
  for (const radio of designs)
    radio.addEventListener("input", () => {
      const place = DESIGNS.indexOf(radio.value);
      if (place < 0) return;
      ({ paper, ink, accent } = INKS[place]);
      for (const [index, one] of inks.entries()) one.checked = OFFERED[index] === place;
    });
  for (const radio of inks)
    radio.addEventListener("input", () => ({ paper, ink, accent } = INKS[Number(radio.value)]));
  return { inks, colours: () => ({ paper, ink, accent }) };
}
/**
 * Returns the controls of the form, filled in from the design.
 * @param {Design} design
 * @param {boolean} pictures whether the club allows pictures
 */
function createControls(design, pictures) {
  const names = [...DESIGNS, ...(pictures ? [PICTURE] : [])];
  const current = names.includes(designOf(design.background))
    ? designOf(design.background)
    : names[0];
  const designs = names.map((name) => radioOf("background", name, name === current));
  const { inks, colours } = createInks(design, designs);
  const count = Math.max(SHOWN_LINES, design.lines.filter((line) => line.trim()).length);
  const lines = Array.from({ length: count }, (_, place) =>
    element("input", { maxlength: LINE_MAX, value: design.lines[place] ?? "" }),
  );
  const fields = FIELDS.map((value) =>
    element("input", {
      type: "checkbox",
      class: "unseen",
      value,
      checked: design.fields.includes(value),
    }),
  );
  const [zoom, across, down] = [slider(100, 400, 100), slider(0, 100, 50), slider(0, 100, 50)];
  return {
    ...{ designs, inks, lines, fields, zoom, across, down },
    choosePicture: () => {
      for (const radio of designs) radio.checked = radio.value === PICTURE;
    },
    file: element("input", { type: "file", accept: "image/*", id: "card-file" }),
    removal: element("button", { type: "button", class: "danger" }, say("Remove picture")),
    cutting: element(
      "div",
      { class: "fields", hidden: true },
      labelled(say("Zoom"), zoom),
      labelled(say("Horizontal position"), across),
      labelled(say("Vertical position"), down),
    ),
    told: element("p", { role: "status" }),
    /** @returns {Design} */
    read: () => ({
      background: designs.find(({ checked }) => checked)?.value ?? DESIGNS[0],
      ...colours(),
      lines: lines.map((line) => line.value.trim()),
      fields: fields.filter((field) => field.checked).map((field) => field.value),
    }),
    part: () => ({
      zoom: Number(zoom.value) / 100,
      across: Number(across.value) / 100,
      down: Number(down.value) / 100,
    }),
  };
}
/** @typedef {ReturnType<typeof createControls>} Controls */
/** @param {HTMLInputElement} file */
function pictureRow(file) {
  file.className = "unseen";
  return element(
    "div",
    { class: "item" },
    element("div", { class: "what" }, element("b", {}, say("My picture"))),
    element("label", { class: "button" }, element("span", {}, say("Choose a picture")), file),
  );
}
/**
 * @param {Controls} controls
 * @param {boolean} pictures
 * @param {(name: string) => Element | null} drawn returns the small card of a design
 */
function formOf({ designs, inks, lines, fields, ...controls }, pictures, drawn) {
  return element(
    "form",
    { id: "my-card", "aria-labelledby": "my-card-title" },
    element(
      "fieldset",
      { class: "qsl-designs" },
      element("legend", {}, say("Design")),
      ...designs.map((radio) => choiceOf(radio, drawn(radio.value), say(NAMES[radio.value]), true)),
    ),
    element(
      "fieldset",
      { class: "qsl-swatches" },
      element("legend", {}, say("Inks")),
      ...inks.map((radio, place) =>
        choiceOf(radio, swatchOf(INKS[Number(radio.value)]), String(place + 1), false),
      ),
    ),
    element(
      "div",
      { class: "stack qsl-lines" },
      ...lines.map((line, place) =>
        labelled(
          [say("Place"), say("Line below")][place] ?? say("Line {n}", { n: place + 1 }),
          line,
        ),
      ),
    ),
    pictures ? pictureRow(controls.file) : null,
    controls.cutting,
    element(
      "fieldset",
      { class: "qsl-fields" },
      element("legend", {}, say("Show for each QSO")),
      ...fields.map((field) =>
        element("label", { class: "chip" }, field, element("span", {}, say(NAMES[field.value]))),
      ),
    ),
    element(
      "div",
      { class: "buttons" },
      element("button", { class: "main" }, say("Save card")),
      controls.removal,
    ),
    controls.told,
  );
}
/** @param {HTMLElement} told @param {string} text @param {string} kind */
function show(told, text, kind) {
  told.className = kind;
  told.textContent = text;
}
/**
 * Returns the picture on the card: the stored picture, or a picture that the member has just
 * chosen.
 * @param {Controls} controls
 * @param {() => void} draw
 */
function createPicture({ file, cutting, removal, choosePicture, part }, draw) {
  /** @type {ImageBitmap | null} a new picture that has not been sent yet */
  let chosen = null;
  /** @type {(CanvasImageSource & {width: number, height: number}) | null} */
  let stored = null;
  return {
    shown: () => (chosen ? cutOut(chosen, part()) : stored),
    /** @param {string} address */
    async load(address) {
      const picture = new Image();
      picture.src = address;
      await picture.decode();
      stored ??= picture; // keeps a picture that was saved meanwhile
      draw();
    },
    async choose() {
      const [given] = file.files ?? [];
      if (!given) return;
      const read = await createImageBitmap(given).catch(() => null);
      if (!read || Math.max(read.width, read.height) > LARGEST)
        throw new Error(
          say("Your browser can't read this picture. Please choose another picture."),
        );
      chosen = read;
      choosePicture();
      cutting.hidden = false;
      draw();
    },
    async send() {
      if (!chosen) return;
      const cut = cutOut(chosen, part());
      const body = await makeSmall(cut);
      const headers = { "Content-Type": body.type };
      await request("card/picture", { method: "PUT", headers, body });
      [stored, chosen] = [cut, null];
      cutting.hidden = true;
      file.value = "";
      removal.hidden = false;
    },
    async remove() {
      await remove("card/picture");
      [stored, chosen] = [null, null];
      removal.hidden = true;
      cutting.hidden = true;
      draw();
    },
  };
}

/**
 * Returns the small card of a design, in its own inks; null for the picture.
 * @param {string} name
 * @param {Pick<Card, "from" | "to" | "isMine" | "qsos">} sample
 * @param {Controls} controls
 */
function drawSmall(name, sample, controls) {
  if (name === PICTURE) return null;
  const lines = controls.read().lines.slice(0, 1);
  const inks = INKS[DESIGNS.indexOf(name)];
  const design = readDesign({ background: name, ...inks, lines, fields: ["frequency", "mode"] });
  const small = cardAsSvg({ ...sample, design, picture: null });
  small.removeAttribute("role");
  small.removeAttribute("aria-label");
  small.setAttribute("aria-hidden", "true");
  return small;
}
/**
 * @param {HTMLElement} place
 * @param {Member} member
 * @param {unknown} stored the stored design
 * @param {CardsPage} club whose newest card is for the QSO that is shown
 */
export function showMine(place, member, stored, { pictures, picture, items }) {
  const controls = createControls(readDesign(stored, member.callsign), pictures);
  const { told, removal } = controls;
  const own = createPicture(controls, draw);
  const preview = element("canvas", {
    ...{ width: CARD.width * 8, height: CARD.height * 8, class: "qsl" },
    ...{ role: "img", "aria-label": say("My card") },
  });
  const qso = items[0]?.qso ?? { ...SAMPLE, myLocator: member.locator };
  const from = String(qso.operatorCallsign ?? member.callsign);
  const sample = { from, to: qso.callsignWorked ?? "", isMine: true, qsos: [qso] };
  function draw() {
    const shown = own.shown();
    const design = readDesign(controls.read());
    paintCard(preview, { ...sample, design, picture: shown ? "" : null }, shown);
  }
  /** @param {unknown} refusal */
  function tellTrouble(refusal) {
    const isOurs = refusal instanceof Error && !(refusal instanceof Refusal);
    show(told, isOurs ? refusal.message : explain(refusal), "note bad");
  }
  /** @param {() => Promise<void>} work @param {string} done */
  async function orTell(work, done = "") {
    try {
      await work();
      show(told, done, "good");
    } catch (refusal) {
      tellTrouble(refusal);
    }
  }
  async function save() {
    await own.send();
    const body = JSON.stringify(controls.read());
    await request("card", { method: "PUT", headers: { "Content-Type": "application/json" }, body });
  }
  const form = formOf(controls, pictures, (name) => drawSmall(name, sample, controls));
  form.addEventListener("input", (event) => {
    if (event.target !== controls.file) draw();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    orTell(save, say("Card saved."));
  });
  controls.file.addEventListener("change", () => orTell(own.choose));
  removal.hidden = picture === null;
  removal.addEventListener("click", () => orTell(own.remove, say("Picture removed.")));
  const caption = items.length
    ? element("p", { class: "muted" }, say("Shown with your last confirmed QSO."))
    : null;
  place.replaceChildren(
    element("div", { class: "qsl-mine" }, element("div", {}, preview, caption), form),
  );
  draw();
  if (picture) own.load(inLog(`data/card/picture?${picture}`)).catch(tellTrouble);
}
