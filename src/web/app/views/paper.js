// Shows the page for lines from a paper log. The page shows how each line was understood before
// anything is saved.
import { element, find, findAs, typed } from "../../shared/page.js";
import { recall, remember } from "../../shared/logs.js";
import { say } from "../../shared/language.js";
import { findFaults } from "../../shared/qsosync-fields.js";
import { readLines } from "../text/lines.js";
import { reasonOf, timeOf, tuningOf } from "../../shared/words/words.js";

/** @import { App } from "../types.js" */

export class Paper {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.text = findAs("typed", HTMLTextAreaElement);
    this.button = findAs("save-lines", HTMLButtonElement);
    this.text.value = recall("lines") ?? "";
    this.text.addEventListener("input", () => {
      remember("lines", this.text.value);
      this.show();
    });
    /** @type {Map<string, string>} clientIds by time and line, until all lines are saved */
    this.ids = new Map();
    this.button.addEventListener("click", () => this.save());
  }

  /** @returns {{line: string, qso: any, trouble: string | null}[]} */
  read() {
    const today = new Date().toISOString().slice(0, 10);
    const { band, frequencyMhz, channel, mode, myLocator, operatorCallsign } = this.app.form.read();
    const values = { band, frequencyMhz, channel, mode, myLocator, operatorCallsign };
    /** @type {Set<string>} */
    const taken = new Set();
    return readLines(this.text.value, today, values).map(({ line, qso, trouble }) => {
      if (!qso) return { line, qso, trouble: say(trouble ?? "") };
      const clientId = this.#idOf(line, qso, taken);
      const [fault] = findFaults({ ...qso, clientId });
      return {
        line,
        qso: { ...qso, clientId },
        trouble: fault ? `${fault[0]}: ${reasonOf(fault[1])}` : null,
      };
    });
  }

  /**
   * Returns the same clientId for the same line each time, so that saving a line again does not
   * create a duplicate.
   * @param {string} line
   * @param {any} qso
   * @param {Set<string>} taken names of the lines above
   */
  #idOf(line, { qsoAt }, taken) {
    let name = `${qsoAt} ${line}`;
    while (taken.has(name)) name += " again";
    taken.add(name);
    const clientId = this.ids.get(name) ?? this.app.makeId();
    this.ids.set(name, clientId);
    return clientId;
  }

  show() {
    const rows = this.read();
    find("understood").replaceChildren(
      ...rows.map(({ line, qso, trouble }) =>
        element(
          "li",
          {},
          element("code", {}, line),
          element("br"),
          trouble
            ? element("span", { class: "bad" }, trouble)
            : element(
                "span",
                {},
                typed(qso.callsignWorked ?? ""),
                ` ${timeOf(qso.qsoAt)} ${tuningOf(qso)} ${qso.rstSent ?? ""} ${qso.rstReceived ?? ""} ${qso.dxLocator ?? ""} `,
                typed(qso.notes ?? ""),
              ),
        ),
      ),
    );
    this.button.disabled = !rows.length || rows.some(({ trouble }) => trouble);
  }

  async save() {
    const rows = this.read();
    this.button.disabled = true;
    try {
      for (const { qso } of rows) await this.app.log.save(qso);
    } catch (error) {
      this.button.disabled = false;
      this.app.tell(say("The QSO was not saved: {reason}", { reason: String(error) }), "bad");
      return;
    }
    this.text.value = "";
    this.ids.clear();
    remember("lines", "");
    this.show();
    this.app.announce(say("{n} QSO saved|{n} QSOs saved", { n: rows.length }));
    this.app.written();
  }
}
