// Converts QSOs to the values that a card shows, and groups QSOs that share a card. Words are not
// translated, because they are standard on the air.

/** @import { Qso } from "../types.js" */

/** @param {Qso} qso */
const tuningOf = (qso) =>
  qso.band === "PMR446" ? `PMR ch ${qso.channel}` : (qso.frequencyMhz ?? "11 m");
/**
 * The columns of the table of QSOs: heading, share of the width, and value. The report and the
 * locator are those of the card's owner. On a received card, both are from the reader's log,
 * because the owner's log is not visible.
 * @type {Record<string, [string, number, (qso: Qso, isMine: boolean) => unknown]>}
 */
export const COLUMNS = {
  date: ["Date", 12, (qso) => qso.qsoAt.slice(0, 10)],
  time: ["UTC", 6.5, (qso) => qso.qsoAt.slice(11, 16)],
  frequency: ["MHz", 11, tuningOf],
  mode: ["Mode", 7.5, (qso) => qso.mode],
  report: ["RST", 7, (qso, isMine) => (isMine ? qso.rstSent : qso.rstReceived)],
  locator: ["Locator", 8, (qso, isMine) => (isMine ? qso.myLocator : qso.dxLocator)],
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
