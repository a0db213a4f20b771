// Offers to mark QSOs as sent after their cards have been printed, and to undo the marking.
import { element } from "../../shared/page.js";
import { change, explain } from "../../shared/service.js";
import { latestOf } from "../../shared/logbook/server-book.js";
import { say } from "../../shared/language.js";
import { choicesOf, writtenOf } from "../../shared/words/qso-words.js";

/** @import { Qso } from "../types.js" */

const PAGE = 200; // QSOs per request
/**
 * Writes values to each QSO, unless another program has changed the QSO meanwhile.
 * @param {Qso[]} qsos with their current values
 * @param {(qso: Qso) => Record<string, any>} values
 * @returns {Promise<Qso[]>} the written QSOs with their new values
 */
export async function write(qsos, values) {
  /** @type {Qso[]} */
  const written = [];
  for (let from = 0; from < qsos.length; from += PAGE) {
    const part = qsos.slice(from, from + PAGE);
    const entries = part.map((qso) => ({
      ...writtenOf(qso),
      ...values(qso),
      baseSyncedAt: qso.syncedAt,
    }));
    const { results } = await change("qsos", { entries });
    const done = part.filter((_, place) => !results[place].error);
    // The QSOs in one request receive the same syncedAt.
    const syncedAt = done.length ? ((await latestOf(done[0]))?.syncedAt ?? null) : null;
    written.push(...done.map((qso) => ({ ...qso, ...values(qso), syncedAt })));
  }
  return written;
}

/** @param {Qso[]} qsos */
export function sending(qsos) {
  const told = element("div", { role: "status" });
  const ways = choicesOf("qslVia").map(([value, word]) => element("option", { value }, word));
  const via = element("select", {}, ...ways);
  const button = element("button", { type: "button" }, say("Mark these as sent"));
  let now = new Map(qsos.filter(({ clientId }) => clientId).map((qso) => [qso.id, qso]));
  /** @param {Qso[]} changed */
  const know = (changed) => {
    now = new Map([...now, ...changed.map((qso) => /** @type {const} */ ([qso.id, qso]))]);
  };
  /** @param {() => Promise<void>} work */
  const orTell = (work) => async () => {
    button.disabled = true;
    try {
      await work();
    } catch (refusal) {
      told.replaceChildren(element("p", { class: "note bad" }, explain(refusal)));
    }
    button.disabled = false;
  };
  async function mark() {
    const former = now;
    const marked = await write([...now.values()], () => ({ qslSent: true, qslVia: via.value }));
    know(marked);
    const undo = orTell(async () => {
      const back = await write(marked, ({ id }) => ({
        qslSent: former.get(id)?.qslSent,
        qslVia: former.get(id)?.qslVia,
      }));
      know(back);
      told.replaceChildren(
        element("p", {}, say("{n} QSO was restored.|{n} QSOs were restored.", { n: back.length })),
      );
    });
    told.replaceChildren(
      element(
        "p",
        {},
        say("{n} QSO is marked as sent.|{n} QSOs are marked as sent.", { n: marked.length }),
        " ",
        element("button", { type: "button", click: undo }, say("Undo")),
      ),
    );
  }
  button.addEventListener("click", orTell(mark));
  return element(
    "div",
    {},
    element(
      "div",
      { class: "fields" },
      element("label", {}, element("span", {}, say("QSL by")), via),
      button,
    ),
    told,
  );
}
