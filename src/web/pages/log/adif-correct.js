// Opens a rejected record of a file in the form of a QSO. The form contains the record's values,
// and shows the fault at its field. The corrected QSO is saved at once.
import { element, find } from "../../shared/page.js";
import { callsignOf } from "../../shared/parts/row.js";
import { closeSheet, openSheet } from "../../shared/parts/sheet.js";
import { mayLeave } from "../../shared/logbook/log-edit.js";
import { FIELDS, makeClientId } from "../../shared/qsosync-fields.js";
import { TOAST_MS, showToast } from "../../shared/toast.js";
import { compact } from "../../shared/words/callsigns.js";
import { readFrequency } from "../../shared/words/frequency.js";
import { get } from "../../shared/service.js";
import { formOf } from "./log-form.js";
import { placeOf } from "./adif-report.js";
import { valueOf } from "./adif-slices.js";

/** @import { AdifLine as Line, Qso } from "../types.js" */

// Fields of a record that become fields of a QSO unchanged, by the name of the QSO's field.
const SAME = {
  callsignWorked: "call",
  rstSent: "rst_sent",
  rstReceived: "rst_rcvd",
  dxLocator: "gridsquare",
  myLocator: "my_gridsquare",
  radio: "my_rig",
  antenna: "my_antenna",
};
/** @type {Record<string, string>} the form's field for the service's name of an invalid field */
const FAULTY = { QSO_DATE: "qsoAt", TIME_ON: "qsoAt", BAND: "frequencyMhz", FREQ: "frequencyMhz" };
const MODES = FIELDS.find(({ name }) => name === "mode")?.choices ?? [];

/** @param {Line} line */
function readTime(line) {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(valueOf(line, "qso_date")) ?? [];
  const [, hours, minutes, seconds] = /^(\d\d)(\d\d)(\d\d)?$/.exec(valueOf(line, "time_on")) ?? [];
  return {
    date: day ? `${year}-${month}-${day}` : valueOf(line, "qso_date"),
    time: hours ? `${hours}:${minutes}:${seconds ?? "00"}` : valueOf(line, "time_on"),
  };
}
/** @param {number} mhz on PMR446 */
const channelOf = (mhz) => Math.round((mhz - 446.00625) / 0.0125) + 1;
/**
 * Returns the QSO in a record, with the current time if the record's time is invalid.
 * @param {Line} line
 * @param {string} own the log's callsign
 * @returns {Qso}
 */
function qsoOf(line, own) {
  const of = (/** @type {string} */ name) => valueOf(line, name) || null;
  const { date, time } = readTime(line);
  const at = Date.parse(`${date}T${time}Z`);
  const freq = valueOf(line, "freq");
  const isPmr = freq.startsWith("446");
  const station = of("station_callsign");
  const words = ["comment", "name", "qth", "notes"].map((name) => valueOf(line, name));
  const mode = [of("submode"), of("mode")].find((one) => one && MODES.includes(one.toUpperCase()));
  return {
    ...Object.fromEntries(Object.entries(SAME).map(([name, field]) => [name, of(field)])),
    clientId: makeClientId(),
    callsignWorked: of("call"),
    dxLocator: of("gridsquare"),
    band: isPmr ? "PMR446" : "ELEVEN_METERS",
    channel: isPmr ? channelOf(Number(freq)) : null,
    frequencyMhz: isPmr ? null : (readFrequency(freq) ?? (freq || null)),
    mode: mode?.toUpperCase() ?? null,
    operatorCallsign: station && compact(station) !== compact(own) ? station : null,
    notes: words.filter(Boolean).join(", ") || null,
    qsoAt: new Date(Number.isNaN(at) ? Date.now() : at).toISOString(),
    crossConfirmedAt: null,
  };
}
/**
 * Opens the record in the sheet.
 * @param {Line} line
 * @param {HTMLElement} button takes the focus if the record is not saved
 * @param {() => void} saved
 */
export async function correctLine(line, button, saved) {
  const tell = (/** @type {string} */ text) => {
    line.isCorrected = true;
    document.getElementById("nothing-stored")?.remove();
    const note = element("p", { class: "note good" }, text);
    showToast(note, TOAST_MS);
  };
  const { callsign } = await get("me");
  const qso = qsoOf(line, callsign);
  const { form, body } = await formOf(qso, closeSheet, tell);
  // The form shows an invalid time as it is in the file.
  for (const [id, text] of Object.entries(readTime(line))) {
    form.fields.set(id, text);
    form.texts[id] = text;
  }
  openSheet({
    title: [callsignOf(qso.callsignWorked), element("small", { class: "muted" }, placeOf(line))],
    body,
    mayClose: () => mayLeave(form),
    closed: () => {
      const title = find("report").querySelector("h3");
      if (line.isCorrected) saved();
      (line.isCorrected ? title : button)?.focus();
    },
  });
  form.fields.showFaults(
    new Map(
      line.details.map(({ field, message }) => [
        FAULTY[field ?? ""] ?? "callsignWorked",
        [field, message].filter(Boolean).join(" "),
      ]),
    ),
  );
}
