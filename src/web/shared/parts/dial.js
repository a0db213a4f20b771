// Shows the dial: a scale of frequencies on 11 m, as a slider. Marks show the spots. The scale
// moves only if the needle comes near an end of the scale.
import { drawing, element } from "../page.js";
import { say } from "../language.js";
import { readFrequency, stepFrequency } from "../words/frequency.js";
import { drawScale, line, markAt, placeOn } from "./scale.js";

/** @typedef {{mhz: string, mode: string | null, isNew: boolean, name: string}} Mark */

const SPAN_KHZ = 300;
const [TICK_KHZ, NAMED_KHZ] = [5, 50];
const MARGIN_KHZ = 20; // minimum distance of the needle from the ends
const NEAR_PX = 8; // a click at most this far from a mark is on the mark
/** @type {Record<string, number>} */
const KEYS = { ArrowRight: 5, ArrowUp: 5, ArrowLeft: -5, ArrowDown: -5, PageUp: 50, PageDown: -50 };

/** @type {(mhz: string) => number} */
const khzOf = (mhz) => Math.round(Number(mhz) * 1000);
export class Dial {
  /** @param {(mhz: string, mode: string | null) => void} tune mode: null keeps the mode */
  constructor(tune) {
    this.tune = tune;
    this.mhz = "";
    this.from = 0; // kHz at the left end
    /** @type {Mark[]} */
    this.marks = [];
    this.scale = drawing("g");
    this.signals = drawing("g");
    this.needle = drawing("g");
    this.node = element(
      "div",
      {
        class: "dial",
        role: "slider",
        tabindex: 0,
        "aria-label": say("Frequency, MHz"),
        "aria-valuemin": 26,
        "aria-valuemax": 28,
      },
      drawing("svg", { "aria-hidden": "true" }, this.scale, this.signals, this.needle),
    );
    this.#listen();
  }
  #listen() {
    const { node } = this;
    node.addEventListener("keydown", (event) => {
      const step = KEYS[event.key];
      if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      this.tune(stepFrequency(this.mhz, step), null);
    });
    node.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      node.setPointerCapture(event.pointerId);
      const mark = this.#markAt(event);
      if (mark) this.tune(mark.mhz, mark.mode);
      else this.#drag(event);
    });
    node.addEventListener("pointermove", (event) => {
      if (node.hasPointerCapture(event.pointerId) && !this.#markAt(event)) this.#drag(event);
    });
    node.addEventListener(
      "wheel",
      (event) => {
        if (document.activeElement !== node || event.ctrlKey) return;
        event.preventDefault();
        this.tune(stepFrequency(this.mhz, event.deltaY < 0 ? TICK_KHZ : -TICK_KHZ), null);
      },
      { passive: false },
    );
  }
  /** @param {PointerEvent} event */
  #drag({ clientX }) {
    const { left, width } = this.node.getBoundingClientRect();
    const khz = this.from + ((clientX - left) / width) * SPAN_KHZ;
    const rounded = Math.round(khz / TICK_KHZ) * TICK_KHZ;
    this.tune(stepFrequency((rounded / 1000).toFixed(3), 0), null);
  }
  /**
   * Returns the mark at a pointer.
   * @param {PointerEvent} event
   */
  #markAt({ clientX }) {
    const { left, width } = this.node.getBoundingClientRect();
    const away = (/** @type {Mark} */ { mhz }) =>
      Math.abs(left + ((khzOf(mhz) - this.from) / SPAN_KHZ) * width - clientX);
    const [nearest] = [...this.marks].sort((a, b) => away(a) - away(b));
    return nearest && away(nearest) <= NEAR_PX ? nearest : null;
  }

  get #scale() {
    return {
      ...{ from: this.from, span: SPAN_KHZ, step: TICK_KHZ },
      ...{ named: NAMED_KHZ, margin: MARGIN_KHZ },
      format: (/** @type {number} */ mhz) => mhz.toFixed(3),
    };
  }
  /** @param {number} khz */
  #x(khz) {
    return placeOn(this.#scale, khz);
  }
  /**
   * Shows a frequency.
   * @param {string | null} text
   */
  show(text) {
    this.mhz = readFrequency(text ?? "") ?? "";
    const { mhz, node } = this;
    const khz = khzOf(mhz || "27.555");
    const isNear = khz >= this.from + MARGIN_KHZ && khz <= this.from + SPAN_KHZ - MARGIN_KHZ;
    if (!isNear) {
      this.from = Math.round((khz - SPAN_KHZ / 2) / TICK_KHZ) * TICK_KHZ;
      this.#showScale();
      this.#showMarks();
    }
    const mark = this.marks.find((one) => one.mhz === mhz);
    node.setAttribute("aria-valuenow", String(khz / 1000));
    node.setAttribute("aria-valuetext", [mhz, mark?.name].filter(Boolean).join(", ") || "–");
    const x = this.#x(khz);
    this.needle.replaceChildren(
      ...(mhz ? [line("needle", x, 4, 33), drawing("circle", { cx: x, cy: 4, r: 3.4 })] : []),
    );
  }
  /** @param {Mark[]} marks of spots; later marks are drawn over earlier marks */
  mark(marks) {
    this.marks = marks;
    this.#showMarks();
    this.show(this.mhz);
  }
  #showMarks() {
    const isShown = (/** @type {Mark} */ { mhz }) =>
      khzOf(mhz) >= this.from && khzOf(mhz) <= this.from + SPAN_KHZ;
    this.signals.replaceChildren(
      ...this.marks
        .filter(isShown)
        .map(({ mhz, isNew }) => markAt(this.#x(khzOf(mhz)), isNew ? 13 : 9, isNew)),
    );
  }
  #showScale() {
    this.scale.replaceChildren(...drawScale(this.#scale));
  }
}
