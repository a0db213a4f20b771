// Saves QSOs in the service's log, and looks up what the log contains about a station, for the form
// of a QSO.
import { knowWorked, neededOfSpot } from "../awards/cluster-needed.js";
import { formatQuery } from "../query.js";
import { change, get } from "../service.js";
import { spotBandOf } from "../words/spot-qso.js";

/** @import { Qso, SpotWorth, Values, Worked } from "../types.js" */

const KNOWN_MAX = 50;

/**
 * Saves a QSO. Resolves to the QSO's id, or to the invalid field with its fault (a code or a
 * sentence). Rejects if anything else prevented saving the QSO.
 * @param {Values} values
 * @returns {Promise<{id: string, faults: Map<string, string>}>}
 */
export async function saveQso(values) {
  const { results } = await change("qsos", { entries: [values] });
  const { id, error, field } = results[0];
  if (!error) return { id: String(id), faults: new Map() };
  if (!field || !Object.hasOwn(values, field)) throw new Error(error);
  // A sentence begins with the field's name, which the form shows anyway.
  const fault = error.startsWith(`${field} `) ? error.slice(field.length + 1) : error;
  return { id: "", faults: new Map([[field, fault]]) };
}

/** Answers the form's questions about the log. The form works even without answers. */
export class ServerMemory {
  /** @type {Promise<Worked | null>} */
  #worked = get("worked").catch(() => null);

  /**
   * @param {string} call compact
   * @returns {Promise<Qso[]>}
   */
  worked(call) {
    const wish = { limit: KNOWN_MAX, callsign: call, sort: "callsign" };
    return get(`qsos?${formatQuery(wish)}`).then(
      ({ items }) => items,
      () => [],
    );
  }
  /** @param {SpotWorth} worth */
  async news(worth) {
    const answer = await this.#worked;
    return neededOfSpot({ ...worth, band: spotBandOf(worth.band) }, answer && knowWorked(answer));
  }
}
