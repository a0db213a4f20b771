// Opens a file as sheets: a text with separated values, or a workbook. Asks for the encoding of a
// text, or says why the page does not read a sheet.
import { element, find, number } from "../../shared/page.js";
import { say } from "../../shared/language.js";
import { get } from "../../shared/service.js";
import { decodeValue } from "./adif-encodings.js";
import { askEncoding } from "./adif-questions.js";
import { decodeUtf8, lettersOf } from "./adif-reader.js";
import { BYTES_MAX, SheetRefusal, inSteps } from "./sheet-rows.js";
import { encodingsOf, readText } from "./sheet-text.js";
import { SheetView } from "./sheet-view.js";

/** @import { SheetHost, SheetOfRows as Sheet, SheetOwner as Owner } from "../types.js" */

/** @type {Record<string, string>} the reasons not to read a sheet */
const REFUSALS = {
  rows: "This sheet has more than {n} rows. Split it, and import the parts.",
  columns: "This sheet has more than {n} columns. Delete those that are not part of your log.",
  bytes: "This file is too large. Split it, and import the parts.",
  unreadable: "This sheet can't be read. Save it as CSV, and import that file.",
  kind: "This kind of file can't be read. Save it as CSV, and import that file.",
};

/**
 * Whether a file is a workbook, which is a ZIP file.
 * @param {Uint8Array} bytes
 */
const isBook = (bytes) => lettersOf(bytes.subarray(0, 2)) === "PK";

/**
 * @param {Uint8Array} bytes
 * @param {string} encoding used if the bytes are not UTF-8
 * @returns {Promise<Sheet[]>}
 */
async function readSheets(bytes, encoding) {
  if (bytes.length > BYTES_MAX) throw new SheetRefusal("bytes");
  if (isBook(bytes)) return (await import("./sheet-book.js")).readBook(bytes);
  const text = decodeUtf8(bytes) ?? decodeValue(bytes, encoding) ?? "";
  return [await inSteps(readText(text))];
}
/**
 * Returns the plan of the log. If the service does not answer, the page asks for the plan.
 * @returns {Promise<Owner>}
 */
const findOwner = () =>
  get("me").then(
    ({ callsign, channelPlan }) => ({ callsign, plan: channelPlan ?? "" }),
    () => ({ callsign: "", plan: "" }),
  );
/**
 * Shows how the sheets of a file are read.
 * @param {Uint8Array} bytes
 * @param {string} name of the file
 * @param {SheetHost} host
 * @param {string} [encoding]
 */
export async function openSheet(bytes, name, host, encoding) {
  if (!isBook(bytes) && !encoding && bytes.length <= BYTES_MAX && decodeUtf8(bytes) === null) {
    askEncoding(host.heading, encodingsOf(bytes), (chosen) => openSheet(bytes, name, host, chosen));
    return;
  }
  try {
    const sheets = await readSheets(bytes, encoding ?? "CP1252");
    const view = sheets.length ? new SheetView(sheets, name, host, await findOwner()) : null;
    if (view?.hasLog()) await view.show();
    else host.refuse();
  } catch (refusal) {
    if (!(refusal instanceof SheetRefusal)) throw refusal;
    const text = say(REFUSALS[refusal.kind], { n: number(refusal.n) });
    const note = element("p", { class: "note bad", role: "alert" }, text);
    find("report").replaceChildren(host.heading, note);
  }
}
