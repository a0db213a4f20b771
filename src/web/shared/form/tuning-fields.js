// Reads what somebody types in the form's fields for frequency, channel and tone, and asks what an
// unclear number means. Shows the number and the plan of a channel. The form loads this module
// after it is shown, because of the tables of channels and tones.
import { element } from "../page.js";
import { say } from "../language.js";
import { Question } from "../parts/question.js";
import { TONES_HZ } from "../tones.js";
import { toneOf } from "../words/qso-words.js";
import { PLANS, callingFor, channelOn, readPmr, readTone, readTuning } from "../words/tuning.js";

/** @import { Form, Tone } from "../types.js" */
/** @typedef {{name: string, meaning: string, take: () => void}} Meaning */

// Fields in which people can type more than the value, with the values that need no reading.
/** @type {Record<string, RegExp>} */
const TYPED = {
  frequencyMhz: /^(\d\d\.\d{3})?$/,
  channel: /^\d{0,2}$/,
  ctcssTone: /^(\d{2,3}\.\d)?$/,
  dcsCode: /^(D?[0-7]{3}[NI])?$/,
};

/** @param {string} code of a plan of channels */
const planName = (code) => say(PLANS.get(code)?.name ?? "");
/**
 * Offers the plans in a select, after its first option.
 * @param {HTMLSelectElement} node
 * @param {string} plan
 */
export function offerPlans(node, plan) {
  const options = [...PLANS.keys()].map((value) => element("option", { value }, planName(value)));
  node.replaceChildren(node.options[0], ...options);
  node.value = plan;
}

export class TuningFields {
  /** @param {Form} form */
  constructor(form) {
    this.form = form;
    this.told = element("p", { class: "muted only-eleven" });
    this.asked = element("div", { role: "status" });
    /** @type {{question: Question, text: string, id: string, take: () => boolean} | null} */
    this.open = null;
    const options = TONES_HZ.map((tone) =>
      element("option", { value: tone }, toneOf({ ctcssTone: tone }) ?? ""),
    );
    form.fields.find("tones").append(...options);
    form.fields.find("calling").before(this.told);
    form.fields.find("dcsCode").closest(".row-of")?.after(this.asked);
  }
  /** Offers the calling frequencies of the member's region, each with its purpose. */
  showCalling() {
    this.form.fields.find("calling").replaceChildren(
      ...callingFor(this.form.page.callsign).map(({ mhz, mode, purpose }) => {
        const take = () => {
          this.form.fields.set("mode", mode);
          this.form.tune(mhz);
        };
        const button = element("button", { type: "button", click: take });
        button.append(`${mhz} `, element("small", {}, say(purpose)));
        return button;
      }),
    );
  }
  /** Shows the number and the plan of the channel on the form's frequency. */
  show() {
    const { fields, page } = this.form;
    const mhz = fields.read().frequencyMhz ?? "";
    const found = channelOn(mhz, page.plan, page.callsign);
    const plan = found && !["eu", "a"].includes(found.plan) ? planName(found.plan) : "";
    if (document.activeElement?.id !== "cb") fields.set("cb", found?.name ?? "");
    const words = found ? [say("channel {name}", { name: found.name }), mhz, plan] : [];
    this.told.textContent = words.filter(Boolean).join(" · ");
    if (this.open && fields.get(this.open.id) !== this.open.text) this.#close();
  }
  /** Returns the channel's number for the summary above the fields. */
  get summary() {
    const { textContent } = this.told;
    return textContent?.split(" · ").filter((_, place) => place !== 1) ?? [];
  }
  /**
   * Reads a field, and asks what it means if that is unclear. Returns whether the field has a
   * meaning that the form knows.
   * @param {string} id
   */
  read(id) {
    if (id !== "cb" && !TYPED[id]) return true;
    const text = this.form.fields.get(id);
    if (this.open?.id === id && this.open.text === text) return this.open.take();
    this.#close();
    if (id === "channel") return this.#readPmr(text);
    return id === "frequencyMhz" || id === "cb"
      ? this.#readEleven(id, text)
      : this.#readTone(text, id);
  }
  /**
   * Reads the fields of the band in which more was typed than a value. Returns false if a field is
   * unclear; the focus is then on the question.
   */
  readAll() {
    const { fields } = this.form;
    const own = fields.band === "PMR446" ? ["channel", "ctcssTone", "dcsCode"] : ["frequencyMhz"];
    const odd = own.filter((id) => !TYPED[id].test(fields.get(id).trim()));
    if (odd.every((id) => this.read(id))) return true;
    /** @type {HTMLDetailsElement} */ (fields.find("tuning")).open = true;
    this.open?.question.take();
    return false;
  }

  /** @param {string} id @param {string} text */
  #readEleven(id, text) {
    if (!text.trim()) return true;
    const { plan, callsign } = this.form.page;
    const read = readTuning(text, plan, callsign);
    if (read?.ask)
      return this.#ask(
        id,
        text,
        say("Channel {name} is", { name: read.ask[0].name }),
        say("Plans give this number different frequencies. You can set your plan in the settings."),
        read.ask.map((channel) => ({
          name: planName(channel.plan),
          meaning: `${channel.mhz} MHz`,
          take: () => this.form.tune(channel.mhz),
        })),
      );
    if (read) this.form.tune(read.mhz ?? "");
    else if (id === "cb")
      this.told.textContent = say("There is no channel {name}.", { name: text });
    return true;
  }
  /** @param {string} text */
  #readPmr(text) {
    const read = readPmr(text);
    if (!read) return true; // the form says what is wrong
    this.form.fields.set("channel", String(read.channel));
    if (read.ask) return this.#askTone("ctcssTone", text, read.ask);
    if (read.tone) this.#setTone(read.tone);
    this.form.changed();
    return true;
  }
  /** @param {string} text @param {string} id */
  #readTone(text, id) {
    const read = readTone(text);
    if (read?.ask) return this.#askTone(id, text, read.ask);
    if (read?.tone && text.trim()) this.#setTone(read.tone);
    return true;
  }
  /** @param {Tone} tone */
  #setTone({ ctcssTone, dcsCode }) {
    this.form.fields.set("ctcssTone", ctcssTone ?? "");
    this.form.fields.set("dcsCode", dcsCode ?? "");
    this.form.changed();
  }
  /** @param {string} id @param {string} text @param {Tone[]} tones */
  #askTone(id, text, tones) {
    this.form.fields.set(id, text);
    return this.#ask(
      id,
      text,
      say("Tone {name} is", { name: text }),
      say("Radios number the tones above 38 differently. You can also type Hz or a DCS code."),
      tones.map((tone) => ({
        name: toneOf(tone) ?? "",
        meaning: "",
        take: () => this.#setTone(tone),
      })),
    );
  }
  /**
   * @param {string} id of the field
   * @param {string} text of the field
   * @param {string} title
   * @param {string} why
   * @param {Meaning[]} meanings
   */
  #ask(id, text, title, why, meanings) {
    const answers = meanings.map(({ name, meaning }, place) => ({
      value: String(place),
      name: [name],
      meaning,
    }));
    const question = new Question(title, [why], answers, null, "h2");
    const take = () => {
      const chosen = question.take();
      if (chosen === null) return false;
      this.#close();
      meanings[Number(chosen)].take();
      return true;
    };
    // Arrow keys move through the answers, so only a pointer takes an answer at once. The keyboard
    // takes the answer with Enter, which saves the QSO.
    let isPointed = false;
    question.node.addEventListener("pointerdown", () => (isPointed = true));
    question.node.addEventListener("keydown", () => (isPointed = false));
    question.node.addEventListener("change", () => {
      if (isPointed && take()) this.form.fields.find(id).focus();
    });
    this.open = { question, text, id, take };
    this.asked.replaceChildren(question.node);
    return false;
  }
  #close() {
    this.open = null;
    this.asked.replaceChildren();
  }
}
