// Converts QSOs to the values that a card shows, and groups QSOs that share a card. Words are not
// translated, because they are standard on the air.

/** @import { Qso } from "../types.js" */

/** @param {Qso} qso */
const tuningOf = (qso) =>
  qso.band === "PMR446" ? `PMR ch ${qso.channel}` : (qso.frequencyMhz ?? "11 m");
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
/** @param {Qso} qso */
function dayOf({ qsoAt }) {
  const [year, month, day] = qsoAt.slice(0, 10).split("-").map(Number);
  return `${day} ${MONTHS[month - 1]} ${year}`;
}
/**
 * The columns of the table of QSOs: heading and value. The report and the locator are those of the
 * card's owner. On a received card, both are from the reader's log, because the owner's log is not
 * visible.
 * @type {Record<string, [string, (qso: Qso, isMine: boolean) => unknown]>}
 */
export const COLUMNS = {
  date: ["Date", dayOf],
  time: ["UTC", (qso) => qso.qsoAt.slice(11, 16)],
  frequency: ["MHz", tuningOf],
  mode: ["Mode", (qso) => qso.mode],
  report: ["RST", (qso, isMine) => (isMine ? qso.rstSent : qso.rstReceived)],
  locator: ["Locator", (qso, isMine) => (isMine ? qso.myLocator : qso.dxLocator)],
};
/**
 * Further fields, which are only in the owner's log.
 * @type {Record<string, (qso: Qso) => unknown>}
 */
export const DETAILS = {
  power: (qso) => qso.txPowerW && `${qso.txPowerW} W`,
  radio: (qso) => qso.radio,
  antenna: (qso) => qso.antenna,
  notes: (qso) => qso.notes,
};
/** Fields that a member can choose to show. */
export const FIELDS = [...Object.keys(COLUMNS).slice(2), ...Object.keys(DETAILS)];

/**
 * Groups QSOs into the member's own cards: each card is for one station and one callsign of the
 * member, with at most `most` QSOs.
 * @param {Qso[]} qsos
 * @param {number} most
 * @param {boolean} isJoined whether a card can contain several QSOs
 * @returns {Qso[][]}
 */
export function groupByStation(qsos, most, isJoined) {
  /** @type {Map<string, Qso[][]>} */
  const groups = new Map();
  for (const qso of qsos) {
    const key = [qso.callsignWorked, qso.operatorCallsign]
      .map((call) =>
        String(call ?? "")
          .toUpperCase()
          .replace(/[-. ]/g, ""),
      )
      .join(" ");
    const parts = groups.get(key) ?? [];
    const last = parts.at(-1);
    if (isJoined && last && last.length < most) last.push(qso);
    else parts.push([qso]);
    groups.set(key, parts);
  }
  return [...groups.values()].flat();
}
