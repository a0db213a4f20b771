// Edits the member's own card: its background or picture, colours, lines, and the fields shown for
// a QSO. Pictures are cropped and scaled down before they are sent.
import { element } from "../../shared/page.js";
import { Refusal, explain, inLog, remove, request } from "../../shared/service.js";
import { say } from "../../shared/language.js";
import { BACKGROUNDS, CARD, LINES, LINE_MAX, PICTURE, readDesign } from "./card-drawing.js";
import { FIELDS } from "./card-qsos.js";
import { fileOf, paintCard } from "./card-file.js";

/** @import { Design, Member, Qso } from "../types.js" */

const SIZE = { width: 1400, height: 900 };
const MAX_BYTES = 300 * 1024;
const LARGEST = 12000; // maximum pixels per side of a picture to crop, because browsers have limits
/** @type {Record<string, string>} */
const NAMES = {
  waves: "Waves",
  rings: "Rings",
  squares: "Squares",
  rays: "Rays",
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
  context.fillStyle = "#ffffff"; // JPEG has no transparency, which would become black
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
  throw new Error(say("The picture can't be reduced enough."));
}

/**
 * Returns the controls of the form, filled in from the design.
 * @param {Design} design
 * @param {boolean} pictures whether the club allows pictures
 */
function createControls(design, pictures) {
  const backgrounds = [...BACKGROUNDS, ...(pictures ? [PICTURE] : [])];
  const background = element(
    "select",
    { id: "card-background" },
    ...backgrounds.map((value) => element("option", { value }, say(NAMES[value]))),
  );
  background.value = backgrounds.includes(design.background) ? design.background : backgrounds[0];
  const paper = element("input", { type: "color", value: design.paper });
  const ink = element("input", { type: "color", value: design.ink });
  const lines = Array.from({ length: LINES }, (_, place) =>
    element("input", { maxlength: LINE_MAX, value: design.lines[place] ?? "" }),
  );
  const fields = FIELDS.map((value) =>
    element("input", { type: "checkbox", value, checked: design.fields.includes(value) }),
  );
  const [zoom, across, down] = [slider(100, 400, 100), slider(0, 100, 50), slider(0, 100, 50)];
  return {
    ...{ background, paper, ink, lines, fields, zoom, across, down },
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
      background: background.value,
      paper: paper.value,
      ink: ink.value,
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
/** @param {Controls} controls @param {boolean} pictures */
function formOf({ background, paper, ink, lines, fields, ...controls }, pictures) {
  return element(
    "form",
    { id: "my-card", "aria-labelledby": "my-card-title" },
    element(
      "div",
      { class: "fields" },
      labelled(say("Background"), background),
      labelled(say("Background colour"), paper),
      labelled(say("Text colour"), ink),
      pictures ? labelled(say("Choose a picture"), controls.file) : null,
    ),
    controls.cutting,
    element(
      "div",
      { class: "stack" },
      ...lines.map((line, place) => labelled(say("Line {n}", { n: place + 1 }), line)),
    ),
    element(
      "fieldset",
      { class: "fields" },
      element("legend", {}, say("Show for each QSO")),
      ...fields.map((field) =>
        element("label", { class: "check" }, field, element("span", {}, say(NAMES[field.value]))),
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
function createPicture({ file, cutting, removal, background, part }, draw) {
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
        throw new Error(say("Your browser can't read this picture. Please choose another one."));
      chosen = read;
      background.value = PICTURE;
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
 * @param {HTMLElement} place
 * @param {Member} member
 * @param {unknown} stored the stored design
 * @param {{pictures: boolean, picture: string | null}} club
 */
export function showMine(place, member, stored, { pictures, picture }) {
  const controls = createControls(readDesign(stored), pictures);
  const { told, removal } = controls;
  const own = createPicture(controls, draw);
  const preview = element("canvas", {
    ...{ width: CARD.width * 8, height: CARD.height * 8, class: "qsl" },
    ...{ role: "img", "aria-label": say("My card") },
  });
  function draw() {
    const shown = own.shown();
    const card = {
      ...{ from: member.callsign, to: SAMPLE.callsignWorked ?? "", isMine: true },
      qsos: [{ ...SAMPLE, myLocator: member.locator }],
      ...{ design: readDesign(controls.read()), picture: shown ? "" : null },
    };
    paintCard(preview, card, shown);
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
  const form = formOf(controls, pictures);
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
  place.replaceChildren(element("div", { class: "qsl-mine" }, preview, form));
  draw();
  if (picture) own.load(inLog(`data/card/picture?${picture}`)).catch(tellTrouble);
}
