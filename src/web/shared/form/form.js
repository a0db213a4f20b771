// Runs the form that logs or changes a QSO, in the app and in the profile. The form keeps some
// values for the next QSO, stores a draft, and saves the QSO. The page decides where a QSO is
// stored.
import { element, plain } from "../page.js";
import { recall, remember } from "../logs.js";
import { say } from "../language.js";
import { findFaults, normalise } from "../qsosync-fields.js";
import { CALLING_MHZ, readFrequency } from "../words/frequency.js";
import { Fields, NAMES_OF_FIELDS } from "./fields.js";
import { Known } from "./station-info.js";
import { Dial } from "../parts/dial.js";
import { When } from "./time-field.js";
import { toneOf } from "../words/qso-words.js";
import { tuningOf } from "../words/words.js";
import { askLocator } from "../awards/award-rules.js";
import { callsignsIn } from "../words/callsigns.js";

/** @import { Drafts, LogMemory, TuningFields, Values } from "../types.js" */
/**
 * @typedef {object} Own the page's part of the form
 * @property {string} callsign the member's, from which a plan of channels is guessed
 * @property {string} plan code of the member's plan of channels; empty: none is set
 * @property {() => string} makeId
 * @property {boolean} isOnline
 * @property {(clientId: string) => Promise<boolean>} [has] returns whether the log contains the
 *   QSO; missing: the page cannot look QSOs up
 * @property {(values: Values, isNew: boolean, changes: Values | null) => Promise<Map<string,
 *   string>>} keep stores the whole QSO, or the changes to a stored QSO; resolves with the faults
 *   by field, and rejects if another reason prevents storing the QSO
 * @property {(text: string) => void} announce
 * @property {(text: string, kind: string) => void} tell
 * @property {(qso: Values | null) => void} edits called with the stored QSO that the form shows;
 *   null: a new QSO
 * @property {Drafts} drafts of stored QSOs, by their clientIds, and the draft of a new QSO
 */
/** @typedef {LogMemory & Own} Page */

// Fields whose values the form keeps for the next QSO.
const STAYING = [
  ...["frequencyMhz", "channel", "ctcssTone", "dcsCode", "mode", "txPowerW", "radio", "antenna"],
  ...["myLocator", "operatorCallsign"],
];
const SERIALS = ["serial", "serialReceived"];
// Groups of fields that the reader can fold.
const FOLDS = ["tuning", "more"];
const WIDE = "(min-width: 62rem)"; // on narrower screens, the group "more" is a sheet
const DRAFTED = [...NAMES_OF_FIELDS, ...SERIALS, "date", "time"];
/** The name of the draft of a new QSO. */
export const NEW = "new";
/** @type {Values} the values before the first QSO */
const FIRST = { band: "ELEVEN_METERS", frequencyMhz: CALLING_MHZ[0], mode: "USB" };

export class Form {
  /**
   * @param {HTMLFormElement} form
   * @param {Page} page
   */
  constructor(form, page) {
    this.form = form;
    this.page = page;
    this.fields = new Fields(form);
    this.known = new Known(this.fields, page, () => this.changed());
    this.when = new When(this.fields, () => this.changed());
    this.dial = new Dial((mhz, mode) => {
      if (mode) this.fields.set("mode", mode);
      this.tune(mhz);
      if (mode) this.showKnown();
    });
    this.fields.find("dial").append(this.dial.node);
    /** @type {string | null} clientId of the QSO that is being changed */
    this.editing = null;
    /**
     * @type {Values} `stored` is the edited QSO before the changes; `shown` is the same QSO as read
     * from the form at that time
     */
    this.stored = {};
    /** @type {Values} */
    this.shown = {};
    /** @type {Values} the values of `shown` as texts */
    this.texts = {};
    /** The clientId of a new QSO. */
    this.clientId = page.makeId();
    this.wantsSpot = false;
    /** The member's locator that the form has filled in for new QSOs; empty: none. */
    this.home = "";
    this.isSaving = false;
    /** @type {TuningFields | null} null: not loaded yet */
    this.tuning = null;
    /** @type {Promise<TuningFields | null> | null} null: nobody has used the form yet */
    this.loading = null;
    /** @type {Promise<unknown>} settles when the last typed frequency, channel or tone was read */
    this.reading = Promise.resolve();
    this.#fillChoices();
    this.#listen();
    this.#showNew();
  }

  #fillChoices() {
    const { fields } = this;
    fields.find("callsignWorked").setAttribute("placeholder", say("Callsign"));
    this.showCalling();
  }
  /** Loads the reader of channels and tones; null: offline without this reader. */
  #loadTuning = () =>
    (this.loading ??= import("./tuning-fields.js").then(
      (module) => {
        this.tuning = new module.TuningFields(this);
        this.showCalling();
        this.#showSummaries();
        return this.tuning;
      },
      () => null,
    ));
  /** Returns whether all typed frequencies, channels and tones are clear. */
  async #readTyped() {
    await this.reading;
    return (await this.loading)?.readAll() ?? true;
  }
  showCalling() {
    const own = recall("calling");
    if (this.tuning && (own ?? "") === "") return this.tuning.showCalling();
    const frequencies = (own ?? CALLING_MHZ.join(" ")).split(/\s+/);
    this.fields.find("calling").replaceChildren(
      ...frequencies.filter(readFrequency).map((text) => {
        const mhz = readFrequency(text) ?? "";
        return element("button", { type: "button", click: () => this.tune(mhz) }, mhz);
      }),
    );
  }

  #listen() {
    const { fields, form } = this;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.save();
    });
    this.#listenForEnter();
    for (const radio of form.querySelectorAll("[name=band]"))
      radio.addEventListener("change", () => {
        fields.showBand();
        this.showKnown();
      });
    fields.find("tuning").addEventListener("change", ({ target }) => {
      const { id } = /** @type {Element} */ (target);
      this.reading = this.#loadTuning().then((tuning) => tuning?.read(id));
    });
    // The tables are not part of the app's start: they load once somebody uses the form.
    for (const kind of ["click", "focusin"])
      fields.find("tuning").addEventListener(kind, () => this.#loadTuning(), { once: true });
    form.addEventListener("input", () => this.#loadTuning(), { once: true });
    for (const id of ["callsignWorked", "date", "dxLocator", "mode"])
      fields.find(id).addEventListener("input", () => this.showKnown());
    for (const id of ["dxLocator", "myLocator", "dxLat", "dxLng"])
      fields.find(id).addEventListener("input", () => this.known.showWay());
    // Typing in a report field replaces the usual report.
    for (const id of ["rstSent", "rstReceived"]) {
      const node = /** @type {HTMLInputElement} */ (fields.find(id));
      node.addEventListener("focus", () => node.select());
    }
    fields.find("sendSpot").addEventListener("input", () => {
      this.wantsSpot = fields.get("sendSpot") === "on";
    });
    form.addEventListener("input", () => this.changed());
    fields.find("here").addEventListener("click", () => this.#findMe());
    fields.find("leave").addEventListener("click", () => this.clear());
    for (const id of FOLDS) {
      const fold = this.#fold(id);
      fold.querySelector("summary")?.addEventListener("click", () => {
        if (!this.editing || id === "more") remember(id, fold.open ? "closed" : "open");
      });
    }
    const rest = this.#fold("more");
    const close = () => {
      rest.open = false;
      rest.querySelector("summary")?.focus();
    };
    fields.find("enough").addEventListener("click", close);
    rest.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !rest.open || matchMedia(WIDE).matches) return;
      event.preventDefault();
      event.stopPropagation();
      close();
    });
  }
  /**
   * Moves the focus to the report after Enter in the callsign of a new QSO. Enter in the report
   * saves the QSO, so the member sees the data about the station first. Enter with Ctrl or Cmd
   * saves the QSO from any field.
   */
  #listenForEnter() {
    const { fields, form } = this;
    form.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (!event.repeat) this.save();
    });
    fields.find("callsignWorked").addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing || this.editing) return;
      if (!fields.get("callsignWorked").trim()) return;
      event.preventDefault();
      if (!event.repeat) fields.find("rstSent").focus();
    });
  }
  /** @param {string} id */
  #fold(id) {
    return /** @type {HTMLDetailsElement} */ (this.fields.find(id));
  }
  /**
   * Unfolds the groups that the reader keeps open. For a stored QSO, also unfolds the group with
   * the frequency, which can differ from the current frequency.
   */
  #showFolds() {
    const isWide = matchMedia(WIDE).matches;
    this.#fold("tuning").open = recall("tuning") === "open" || this.editing !== null;
    this.#fold("more").open = isWide && recall("more") === "open";
  }
  /**
   * Shows the frequency or channel, the time of a QSO that is not current, and the name of the
   * button.
   */
  #showSummaries() {
    const { fields, when } = this;
    const { band, callsignWorked, channel, ctcssTone, dcsCode, frequencyMhz, mode } = fields.read();
    const isPmr = band === "PMR446";
    this.dial.show(frequencyMhz);
    this.tuning?.show();
    const details = isPmr
      ? [toneOf({ ctcssTone, dcsCode }), mode]
      : [frequencyMhz ? "MHz" : null, mode, ...(this.tuning?.summary ?? [])];
    fields
      .find("tuned")
      .replaceChildren(
        element("strong", {}, isPmr ? `PMR ${channel ?? "–"}` : (frequencyMhz ?? "11 m")),
        " ",
        element("small", {}, details.filter(Boolean).join(" · ")),
        " ",
        element("span", { class: "change" }, say("Tune")),
      );
    fields.find("at").textContent = when.isLive
      ? ""
      : `${fields.get("date")} ${fields.get("time").slice(0, 5)} UTC`;
    const save = this.form.querySelector(".save");
    save?.classList.toggle("main", this.editing !== null || !this.isEmpty());
    if (save)
      save.textContent = this.editing
        ? say("Save")
        : this.#nameOfLogging(callsignsIn(callsignWorked ?? ""));
  }

  /** @param {string[]} callsigns */
  #nameOfLogging(callsigns) {
    if (callsigns.length > 1) return say("Log {n} QSO|Log {n} QSOs", { n: callsigns.length });
    const [callsign] = callsigns;
    return plain(callsign ? say("Log {callsign}", { callsign }) : say("Log"));
  }

  /** @param {string} mhz */
  tune(mhz) {
    this.fields.set("frequencyMhz", mhz);
    this.changed();
  }

  /** @returns {Values} */
  #readFields() {
    return { ...this.fields.read(), qsoAt: this.when.read() };
  }
  /**
   * Returns the fields that the member has changed, with their new values. Unchanged fields are
   * omitted, because the form can lack some of the QSO's fields or values.
   */
  #changes() {
    const values = this.#readFields();
    return Object.fromEntries(
      Object.entries(values).filter(([name, value]) => value !== (this.shown[name] ?? null)),
    );
  }
  /** Returns the whole QSO from the fields of the form. */
  read() {
    const { fields } = this;
    const values = this.#readFields();
    if (this.editing) return { ...this.stored, ...this.#changes() };
    const [sent, received] = SERIALS.map((id) => fields.get(id).trim());
    if (sent) values.rstSent = `${values.rstSent ?? "59"} ${sent.padStart(3, "0")}`;
    if (sent && received) values.rstReceived = `${values.rstReceived ?? "59"} ${received}`;
    if (this.canSpot() && this.wantsSpot) values.sendSpot = true;
    return values;
  }
  /** Returns whether a spot can be sent, which requires a current contact and a connection. */
  canSpot() {
    return this.when.isLive && !this.editing && this.page.isOnline;
  }
  showSpot() {
    const box = /** @type {HTMLInputElement} */ (this.fields.find("sendSpot"));
    box.disabled = !this.canSpot();
    box.checked = !box.disabled && this.wantsSpot;
  }

  /** @param {Values} values of a QSO or a spot */
  show(values) {
    this.fields.show(values);
    this.showKnown();
    this.known.showWay();
    this.changed();
  }
  /** Shows what the log contains about the station. Called again after the log has changed. */
  showKnown() {
    const day = new Date(this.when.ms()).toISOString().slice(0, 10);
    return this.known.show(day, this.editing);
  }

  /**
   * Begins a QSO with the station in a spot.
   * @param {Values} spot
   */
  take(spot) {
    if (this.editing) this.#showNew();
    this.show(spot);
    this.page.announce(
      say("Form filled in for {callsign}", { callsign: spot.callsignWorked ?? "–" }),
    );
  }
  /** @param {Values} qso a stored QSO, whose draft is applied */
  edit(qso) {
    this.editing = qso.clientId;
    this.stored = qso;
    this.when.set(Date.parse(qso.qsoAt));
    const none = Object.fromEntries(NAMES_OF_FIELDS.map((name) => [name, null]));
    this.fields.show({ ...none, ...qso });
    this.shown = this.#readFields();
    this.texts = this.#values();
    this.#setTexts(this.page.drafts.read(qso.clientId) ?? {});
    this.fields.showFaults(new Map());
    this.show({});
    this.#showEditing();
  }
  /** Returns from a stored QSO to a new QSO. The changes to the stored QSO stay in its draft. */
  leave() {
    if (this.editing === null) return;
    this.#showNew();
    this.showKnown();
  }
  /** Returns the changed fields of the stored QSO, as text. */
  typed() {
    const { texts } = this;
    return Object.fromEntries(
      Object.entries(this.#values()).filter(([id, text]) => text !== texts[id]),
    );
  }
  #showEditing() {
    const isEditing = this.editing !== null;
    this.fields.find("editing").hidden = !isEditing;
    this.#showFolds();
    this.fields.showOnly("only-counting", Boolean(this.fields.get("serial")) && !isEditing);
    this.page.edits(isEditing ? this.stored : null);
  }

  /**
   * Begins or ends an activation: sets the values that are kept for the next QSO, and the serial.
   * @param {Values} values
   * @param {number | null} serial of the next QSO; null: QSOs get no serials
   */
  setOut(values, serial) {
    this.fields.show(values);
    this.fields.set("serial", serial === null ? "" : String(serial));
    this.#showEditing();
    this.changed();
  }

  /**
   * Fills in the member's locator for new QSOs, unless somebody has typed another locator or
   * removed the locator.
   */
  showHome() {
    const { home } = this.page;
    if (this.editing || !home || home === this.home) return;
    const text = this.fields.get("myLocator").trim();
    if (!text || text === this.home) this.fields.set("myLocator", home);
    this.home = home;
    this.changed();
  }

  isEmpty() {
    const written = ["callsignWorked", "dxLocator", "notes", "serialReceived"];
    return !this.editing && !written.some((id) => this.fields.get(id).trim());
  }

  /** Empties the form for the next QSO, or returns to the new QSO that was being typed. */
  clear() {
    const { fields, page } = this;
    page.drafts.drop(this.editing ?? NEW);
    if (this.editing !== null) this.#showNew();
    else {
      this.when.next();
      this.known.begin();
      this.clientId = page.makeId();
      for (const id of [...NAMES_OF_FIELDS, "serialReceived"])
        if (!STAYING.includes(id)) fields.set(id, "");
      this.#showAll();
    }
    this.showKnown();
    this.changed();
    fields.find("callsignWorked").focus();
  }
  #showAll() {
    this.fields.showFaults(new Map());
    for (const id of ["rstSent", "rstReceived"])
      if (!this.fields.get(id)) this.fields.set(id, "59");
    this.known.showWay();
    this.showSpot();
    this.#showSummaries();
    this.#showEditing();
  }

  /** @returns {Record<string, string>} the values of the fields, as text */
  #values() {
    const { fields } = this;
    return Object.fromEntries([
      ["band", fields.band],
      ...DRAFTED.map((id) => [id, fields.get(id)]),
    ]);
  }
  /** Stores the typed values as a draft, in case the page is closed. */
  changed() {
    this.showSpot();
    this.#showSummaries();
    const { clientId, editing, wantsSpot, page } = this;
    if (editing) {
      const typed = this.typed();
      if (Object.keys(typed).length) page.drafts.keep(editing, typed);
      else page.drafts.drop(editing);
      return;
    }
    const texts = this.#values();
    const { home, known, when } = this;
    const { filled, removedOf } = known;
    const { isLive } = when;
    remember("staying", JSON.stringify({ ...texts, home }));
    page.drafts.keep(NEW, { isLive, clientId, wantsSpot, texts, filled, removedOf, home });
  }
  /** @param {Values} texts of some fields */
  #setTexts({ band, ...texts }) {
    if (band) this.fields.band = band;
    for (const [id, text] of Object.entries(texts))
      if (DRAFTED.includes(id)) this.fields.set(id, text);
  }
  /** Shows the new QSO that was being typed, or a new QSO with the kept values. */
  #showNew() {
    const { page } = this;
    const draft = page.drafts.read(NEW);
    const last = JSON.parse(recall("staying") ?? "null") ?? FIRST;
    const staying = ["band", ...STAYING, "serial"].map((id) => [id, last[id] ?? ""]);
    const none = Object.fromEntries(DRAFTED.map((id) => [id, ""]));
    this.editing = null;
    this.#setTexts({ ...none, ...(draft?.texts ?? Object.fromEntries(staying)) });
    this.known.begin(draft ?? {});
    this.home = (draft ?? last).home ?? "";
    this.wantsSpot = draft?.wantsSpot ?? false;
    if ((draft?.isLive ?? true) || this.isEmpty()) this.when.set(null);
    else this.when.set(this.#draftedTime());
    this.clientId = page.makeId();
    this.#showAll();
    this.showHome();
    if (draft) this.#takeOver(draft.clientId);
  }
  /**
   * Uses the clientId of a draft, unless the draft's QSO has already been saved. The browser could
   * have closed after saving a QSO and before storing the empty form. If the page cannot look QSOs
   * up, the form uses the clientId only if this tab stored the draft. Otherwise, the tab that
   * stored the draft could still save it.
   * @param {string} clientId of the draft
   */
  async #takeOver(clientId) {
    const { page } = this;
    if (page.has || page.drafts.isOwn(NEW)) this.clientId = clientId;
    if ((await page.has?.(clientId)) && this.clientId === clientId) this.#goOn();
  }
  #draftedTime() {
    this.when.isLive = false;
    return this.when.ms();
  }

  async save() {
    if (this.isSaving) return;
    this.isSaving = true;
    try {
      if (!this.editing) await this.known.settle();
      if (await this.#readTyped()) await this.#save();
    } finally {
      this.isSaving = false;
    }
  }
  async #save() {
    const { editing, page } = this;
    const typed = this.read();
    const names = editing ? [] : callsignsIn(typed.callsignWorked ?? "");
    const [first = typed.callsignWorked, ...others] = names;
    /** @type {Values[]} a QSO with each callsign; everything else is the same */
    const qsos = [first, ...others].map((callsignWorked, place) =>
      normalise({
        ...typed,
        callsignWorked,
        clientId: editing ?? (place ? page.makeId() : this.clientId),
      }),
    );
    const faults = new Map(qsos.flatMap((qso) => [...findFaults(qso)]));
    // Faults that the stored QSO already had are allowed, because a newer service can accept more
    // values than this form.
    for (const [name, fault] of editing ? findFaults(this.stored) : [])
      if (faults.get(name) === fault) faults.delete(name);
    if (this.isEmpty()) faults.set("callsignWorked", say("Nothing to save yet."));
    if (faults.size ? this.#refuse(faults) : await this.#keep(qsos)) this.#goOn();
  }
  /** @param {Map<string, string>} faults by field */
  #refuse(faults) {
    this.fields.showFaults(faults);
    return !faults.size;
  }
  /**
   * Stores the QSOs one after another. Returns whether all are stored. Otherwise, the form keeps
   * the callsigns that are not stored.
   * @param {Values[]} qsos
   */
  async #keep(qsos) {
    const { editing, fields, page } = this;
    for (const [place, qso] of qsos.entries()) {
      let faults;
      try {
        faults = await page.keep(qso, !editing, editing ? this.#changes() : null);
      } catch (error) {
        page.tell(say("The QSO was not saved: {reason}", { reason: String(error) }), "bad");
        return false;
      }
      if (!this.#refuse(faults)) return false;
      const rest = qsos.slice(place + 1);
      if (!rest.length) break;
      fields.set("callsignWorked", rest.map(({ callsignWorked }) => callsignWorked).join(", "));
      this.clientId = rest[0].clientId;
      this.changed();
    }
    const callsigns = qsos.map((qso) => qso.callsignWorked ?? tuningOf(qso));
    page.announce(say("Saved: {callsign}", { callsign: callsigns.join(", ") }));
    return true;
  }
  /** Empties the form for the next QSO, and increases the serial, after a QSO was saved. */
  #goOn() {
    const serial = Number(this.fields.get("serial"));
    if (serial && !this.editing) this.fields.set("serial", String(serial + 1));
    this.clear();
  }

  #findMe() {
    askLocator(
      (myLocator) => this.show({ myLocator }),
      () => this.page.tell(say("This device doesn't share its location."), "warn"),
    );
  }
}
