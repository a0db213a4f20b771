// An ADIF file of QSOs that the service does not have yet, for a member whose key does not work any
// more. Each record has the fields of the service, too, so that its import makes the same QSO of
// it.

/** @typedef {Record<string, any>} AnyQso */

/** @param {string} name of a field of the service */
function ownName(name) {
  return `APP_QSOSYNC_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
/**
 * @param {string} name
 * @param {unknown} value
 */
function tag(name, value) {
  const text = String(value);
  return `<${name}:${new TextEncoder().encode(text).length}>${text}`;
}

/** @type {Record<string, string>} the standard field that has the same value */
const STANDARD = {
  callsignWorked: "CALL",
  operatorCallsign: "STATION_CALLSIGN",
  dxLocator: "GRIDSQUARE",
  myLocator: "MY_GRIDSQUARE",
  rstSent: "RST_SENT",
  rstReceived: "RST_RCVD",
  txPowerW: "TX_PWR",
};
/** @type {Record<string, [string, string?]>} */
const MODES = {
  FM: ["FM"],
  AM: ["AM"],
  CW: ["CW"],
  SSB: ["SSB"],
  USB: ["SSB", "USB"],
  LSB: ["SSB", "LSB"],
};
// What only fields of the service's own carry.
const OWN = [
  ...["clientId", "qsoAt", "band", "channel", "ctcssTone", "dcsCode", "mode", "dxLat", "dxLng"],
  ...["splitKhz", "qsoStatus", "qslVia", "notes", "radio", "antenna"],
];

/** @param {AnyQso} qso */
function formatRecord(qso) {
  const tags = [
    tag("QSO_DATE", qso.qsoAt.slice(0, 10).replaceAll("-", "")),
    tag("TIME_ON", qso.qsoAt.slice(11, 19).replaceAll(":", "")),
  ];
  if (qso.band === "ELEVEN_METERS") tags.push(tag("BAND", "11m"));
  if (qso.frequencyMhz) tags.push(tag("FREQ", qso.frequencyMhz));
  const [mode, submode] = MODES[qso.mode] ?? [];
  if (mode) tags.push(tag("MODE", mode));
  if (submode) tags.push(tag("SUBMODE", submode));
  for (const [name, standard] of Object.entries(STANDARD))
    if (qso[name] !== null) tags.push(tag(standard, qso[name]));
  tags.push(tag("QSL_SENT", qso.qslSent ? "Y" : "N"), tag("QSL_RCVD", qso.qslReceived ? "Y" : "N"));
  for (const name of OWN) if (qso[name] !== null) tags.push(tag(ownName(name), qso[name]));
  return `${tags.join(" ")} <EOR>\n`;
}

/** @param {AnyQso[]} qsos whole ones, in the service's form */
export function formatAdif(qsos) {
  return `${tag("ADIF_VER", "3.1.5")} ${tag("PROGRAMID", "QSOsync")} <EOH>\n${qsos.map(formatRecord).join("")}`;
}
