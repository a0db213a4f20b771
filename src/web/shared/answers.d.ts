// The service's answers to the pages, as src/site writes them. This file is only for type checks;
// browsers do not load it. Times are ISO texts in UTC; days are their first ten characters.

import type { Place } from "./map/geography.js";
import type { Month } from "./figures.js";

export interface Member {
  callsign: string;
  locator: string;
  channelPlan: string | null; // code of the plan of CB channels; null: guessed from the callsign
  login: string;
  session: string; // number of this browser in the list of devices
  hasPassword: boolean;
  maySetPassword: boolean; // whether a password can be set without the current password
  isOperator: boolean;
  club: string;
  address: string;
  uploadAddress: string | null; // null: uploads are switched off
  otherClusters: string | null; // addresses, as HOST:PORT[,HOST:PORT]; null: no clusters
  announces: boolean; // whether the member's spots are also sent to other clusters
  claims: boolean; // whether other clubs can confirm the member's QSOs
  peers: string[]; // names of the other clubs
  signedInAs: string; // the member's own callsign; `callsign` can be a station's
  stations: { callsign: string; until: string | null }[]; // stations that the member may operate
  logPage: LogPage | null; // null: the log does not belong to a station
}

/** A member of another club whose log also has the QSO. */
export interface Confirmer {
  station: string;
  club: string;
}
/** The public page for looking up callsigns in a station's log. */
export interface LogPage {
  on: boolean;
  address: string;
  qr: QrCode | null;
}

/**
 * A signed-in browser with its app, or an app in another browser (then `number` and `device` are
 * null).
 */
export interface Device {
  number: string | null;
  device: string | null;
  createdAt: string;
  lastUsedOn: string | null;
  isThis: boolean;
  apps: DeviceApp[];
}
/** The app's key for the member's own log or for a station's log. */
export interface DeviceApp {
  number: string;
  name: string;
  log: string;
  createdAt: string;
  lastUsedOn: string | null;
}
export interface Passkey {
  number: string;
  name: string;
  createdAt: string;
  lastUsedOn: string | null;
  copiedAt: string | null; // time at which a copy of the passkey was rejected
}
/** The challenge that a passkey signs, with the data about the user. Bytes are in base64url. */
export interface PasskeyChallenge {
  challenge: string;
  rpId: string;
  user: string;
  callsign: string;
  known: string[]; // ids of the member's passkeys
}
/** A link that signs in another device. */
export interface DeviceLink {
  link: string;
  validSeconds: number;
  qr: QrCode | null;
}

/**
 * The last rejection of a program's request, or of `count` of its QSOs. `code` is the reason for
 * rejecting the request, or the first of these QSOs.
 */
export interface LastRefusal {
  at: string;
  code: string;
  field: string | null;
  count: number;
}
/** A key, or an upload token. A token has neither a scope nor rejections. */
export interface Credential {
  number: string;
  name: string;
  hint: string;
  createdAt: string;
  lastUsedOn: string | null;
  lastUsedBy: string | null;
  madeBy: string | null; // in a station's log: callsign of the creator; null: qsosync-admin
  scope?: "READ" | "WRITE";
  isApp?: boolean;
  mayRead?: boolean;
  isPolo?: boolean;
  lastRefusal?: LastRefusal | null;
}
export interface Credentials {
  items: Credential[];
  max: number;
  /** Only for upload tokens: reasons for rejecting QSOs from PoLo, with the number of QSOs. */
  poloRejections?: { reason: string; count: number }[];
}
export interface QrCode {
  size: number;
  path: string;
  text: string;
}
/** A newly created key; no other answer contains its secret. */
export interface MadeKey {
  number: string;
  key: string;
  address: string;
  qr: QrCode | null;
  /** The link that opens the app with this key; null: the key is read-only. */
  app: QrCode | null;
}
/**
 * A newly created upload token. A token for PoLo is part of an address, which the QR code contains.
 */
export interface MadeToken {
  number: string;
  token: string;
  address: string;
  qr?: QrCode | null;
}

/** The result of a QSO that was sent to be saved. */
export interface SavedQso {
  clientId: string | null;
  id: string | null;
  error?: string; // a code, or a sentence that begins with the field's name
  field?: string | null; // invalid field; null: none, or several fields
}

/** A QSO as in the API. Fields that are not listed here also have their API names. */
export interface Qso {
  qsoAt: string;
  callsignWorked: string | null;
  band: string;
  frequencyMhz: string | null;
  channel: number | null;
  mode: string | null;
  dxLocator: string | null;
  crossConfirmedAt: string | null;
  [field: string]: string | number | boolean | null;
}
/**
 * For each item, `measures` contains the division, the distance in km and the confirming member, if
 * known.
 */
export interface QsoPage {
  items: Qso[];
  measures: [number | null, number | null, Confirmer?][];
  nextCursor: string | null;
}
/** A card received for a confirmed QSO. */
export interface ReceivedCard {
  qso: Qso;
  // time at which the other member's QSO confirmed this QSO; another club may have confirmed it
  // earlier
  pairedAt: string;
  design: unknown; // the card's design, as the other member's page stored it
  picture: string | null; // name of the picture; equal pictures have equal names
}
export interface CardsPage {
  items: ReceivedCard[];
  nextCursor: string | null;
  serverTime: string;
  count?: number; // number of all cards; only on the first page
  newer?: number; // number of cards received after the requested time
  pictures: boolean; // whether the club shows pictures
  picture: string | null; // name of the picture on the member's own card
}
export interface Division {
  number: number;
  name: string;
  iso: string | null;
  qsos: number;
}
/** The most important fact that was new in the log when a QSO was made. */
export type NewsKind = "division" | "square" | "special" | "band" | "mode";
export interface Statistics {
  qsos: number;
  confirmed: number;
  stations: number;
  lastSyncOn: string | null;
  months: Month[];
  hours: number[];
  confirmedHours: number[];
  distances: { belowKm: number; qsos: number; confirmed: number }[];
  bands: { name: string; qsos: number }[];
  modes: { name: string; qsos: number }[];
  /**
   * The last twelve months: stations worked in the month, and divisions, squares and the farthest
   * distance up to the end of the month.
   */
  recentMonths: {
    month: string;
    stations: number;
    divisions: number;
    squares: number;
    km: number;
  }[];
  recentDays: { from: string; qsos: number[] }; // 53 weeks
  squareCount: number;
  squares: { square: string; qsos: number }[];
  divisions: Division[];
  operators?: { callsign: string; qsos: number }[]; // only in a station's log
  farthest: { km: number; callsign: string | null; locator: string; qsoAt: string } | null;
  news?: Record<NewsKind, number[]>; // ids of QSOs; missing if there is a filter
  newPlaces?: NewPlace[]; // the latest new divisions; missing if there is a filter
}
/** The items that a member has worked. `worked` has one row for each band and mode. */
export interface Worked {
  locator: string;
  divisions: number[];
  worked: {
    band: "11m" | "pmr446";
    mode: string | null;
    divisions: number[];
    confirmedDivisions: number[];
    squares: string[];
    confirmedSquares: string[];
    special: string[];
    confirmedSpecial: string[];
  }[];
}
export interface Award {
  name: string;
  country?: string;
  iso?: string | null;
  qsos: number;
  confirmed: number;
  bands: string[];
  modes: string[];
  first: AwardQso;
  confirmedBands?: string[];
  confirmedModes?: string[];
  firstConfirmed?: AwardQso;
  confirmedAt?: string;
}
export interface AwardQso {
  id: string;
  qsoAt: string;
  callsign: string | null;
}
export interface AwardCounts {
  worked: number;
  confirmed: number;
}
export type AwardSubject = "divisions" | "squares" | "special";
/** The awards of a log. */
export interface Awards extends Record<AwardSubject, Award[]> {
  qsos: number;
  confirmed: number;
  unknownQsos: number;
  withoutNumber: number;
  totals: Record<AwardSubject, AwardCounts>;
  bands: ({ band: string } & Record<AwardSubject, AwardCounts>)[];
  modes: ({ mode: string | null } & Record<AwardSubject, AwardCounts>)[];
  years: ({ year: number; qsos: number } & Record<AwardSubject, AwardCounts & { first: number }>)[];
  thresholds: {
    subject: AwardSubject;
    items: number;
    workedAt: string | null;
    confirmedAt: string | null;
  }[];
  unknown: Award[];
  missing: { number: number; country: string; iso: string | null }[];
}
/**
 * A map has thousands of points, so each point is a row of values. `columns` lists the names of the
 * values.
 */
export interface LogMap {
  columns: (keyof LogPoint)[];
  points: LogPoint[keyof LogPoint][][];
  more: boolean;
  home: Place | null;
}
export interface NewPlace extends Place {
  callsign: string | null;
}
export interface LogPoint extends Place {
  exact: boolean;
  confirmed: boolean;
  count: number;
  callsign: string | null;
}

/** The result, or the preview, of importing one slice of a file. */
export interface ImportPart extends ImportCounts {
  details: ImportDetail[];
  more: number;
  withoutPlace: { field: string | null; count: number }[];
  values: ImportValue[];
  moreValues: number;
  program: string | null; // the program that wrote the file
  callsign: string; // callsign of the log
  otherStations: { callsign: string | null; count: number }[]; // null: all other callsigns together
  /**
   * one letter per record: the first letter of new, corrected, unchanged, repeated or other band;
   * x: rejected
   */
  outcomes: string;
  keys?: [number, string][]; // in a dry run; records with a common key belong together
}
export interface ImportCounts {
  imported: number;
  updated: number;
  unchanged: number;
  repeated: number;
  rejected: number;
  otherBands: number;
  newIds: number;
}
/** The previous and the new value of a stored QSO's field. */
export interface ImportValue {
  kind: "corrected" | "kept"; // "kept": the stored value stays
  line: number;
  record: number;
  field: string;
  before: string | null;
  after: string | null;
}
export interface ImportDetail {
  line: number;
  record: number;
  kind: string;
  field: string | null;
  message: string;
}

/** A rule for alerts. Hours are minutes of the member's day; null: any hour. */
export interface AlertRule {
  number: string; // empty: the rule is not stored yet
  name: string; // in the member's words; part of the alert
  isOn: boolean;
  subject: "DIVISION" | "SQUARE" | "SPECIAL" | "MEMBER" | "CALLSIGNS";
  callsigns: string[];
  need: "ANY" | "BAND" | "MODE";
  source: "ANY" | "HERE" | "NETWORK";
  band: string | null;
  mode: string | null;
  from: number | null;
  to: number | null;
  days: number; // a sum: 1 for Monday, 2 for Tuesday, … 64 for Sunday
  pause: number; // minutes between two alerts about one station
}
/** A place to which alerts are sent. */
export interface AlertWay {
  number: string;
  kind: "PUSH" | "WEB";
  name: string;
  address: string; // without its secrets
  isOn: boolean;
  hasFailed: boolean;
  hasEnded: boolean;
}
export interface Alert {
  at: string;
  rule: string | null; // null: the member tried a way
  callsign: string;
  spotter: string;
  band: string;
  frequencyMhz: string | null;
  channel: number | null;
  mode: string | null;
  state: "SENT" | "WAITING" | "FAILED" | "HELD";
  held: "HOUR" | "QUIET" | "MUTED" | null;
}
export interface Alerts {
  isOn: boolean; // whether the operator allows alerts
  isSending: boolean; // whether the server has sent alerts lately
  rules: AlertRule[];
  maxRules: number;
  ways: AlertWay[];
  maxWays: number;
  latest: Alert[];
  mutes: string[];
  mutedUntil: string | null;
  zone: string | null;
  quietFrom: number | null;
  quietTo: number | null;
  hourly: number;
}

/** Answers to GET requests, by path. */
export interface Answers {
  me: Member;
  keys: Credentials;
  tokens: Credentials;
  alerts: Alerts;
  devices: { items: Device[] };
  passkeys: { items: Passkey[]; max: number };
  "passkeys/new": PasskeyChallenge;
  statistics: Statistics;
  revision: { revision: string };
  [part: `awards?${string}`]: Awards;
  [part: `map?${string}`]: LogMap;
  [part: `statistics?${string}`]: Statistics;
  map: LogMap;
  worked: Worked;
  card: unknown;
  [cards: `cards?${string}`]: CardsPage;
  [card: `cards/${string}`]: ReceivedCard;
  doubles: DoublesPage;
  [doubles: `doubles?${string}`]: DoublesPage;
  "near-matches": { items: NearMatch[] };
  [qsos: `qsos?${string}`]: QsoPage;
  [acts: `history?${string}`]: ActsPage;
  [act: `history/${string}`]: { items: Change[]; nextCursor: string | null };
  [removed: `deleted?${string}`]: {
    items: RemovedQso[];
    /** number of deleted QSOs; an undo removed the other QSOs */
    deleted: number;
    nextCursor: string | null;
  };
  [states: `qsos/${string}/history`]: { items: (Change & { writer: Writer | null })[] };
}
/** Answers to requests that change data, by path. */
export interface Changes {
  alerts: null;
  "alert-key": { key: string };
  [alerts: `alerts/${string}`]: null;
  "feed-code": { code: string };
  announcing: null;
  "channel-plan": null;
  [plan: `channel-plan?${string}`]: null;
  claims: null;
  locator: null;
  "log-page": null;
  qsos: { results: SavedQso[] };
  keys: MadeKey;
  tokens: MadeToken;
  import: ImportPart;
  password: null;
  "devices/link": DeviceLink;
  [app: `devices/apps/${string}`]: null;
  passkeys: null;
  [passkey: `passkeys/${string}/rename`]: null;
  "delete-log": { deleted: number };
  "doubles/apart": null;
  "doubles/merge": { kept: string; deleted: string; act: string | null };
  undo: UndoAnswer;
  "undo/preview": UndoAnswer;
  [revoke: `${string}/revoke`]: null;
}

/** Two QSOs that look like one contact, and the QSO that would remain after a merge. */
export interface Double {
  older: Qso;
  newer: Qso;
  merged: Qso;
}
export interface DoublesPage {
  items: Double[];
  nextCursor: string | null;
}
/** A QSO that only one rule keeps from being confirmed. */
export interface NearMatch {
  qso: Qso;
  reason: string;
  /** the only field that differs, with the other member's value */
  theirs?: { field: string; value: string | number | null };
}
/** The writer of changes to a log. */
export interface Writer {
  kind: "KEY" | "TOKEN" | "SESSION" | "OPERATOR";
  number: string | null;
  name: string | null; // name of the key, token or device
  operator?: string; // in a station's log: callsign of the operator
  revoked: boolean;
}
export interface ActsPage {
  days: number;
  items: Act[];
  nextCursor: string | null;
}
/** A series of writes by the same writer. */
export interface Act {
  number: string;
  writer: Writer | null;
  work: "SYNC" | "IMPORT" | "UNDO" | "RESTORE" | "MERGE";
  subject: string | null;
  beganAt: string;
  endedAt: string;
  created: number;
  changed: number;
  deleted: number;
  restored: number;
  tooOld: boolean;
  examples?: Change[]; // if requested: the first changes
}
/** The change of one QSO by one act. */
export interface Change {
  id: string;
  at: string;
  kind: "CREATED" | "CHANGED" | "DELETED" | "RESTORED";
  band: string;
  qsoAt: string;
  callsignWorked: string | null;
  fields: { name: string; old: unknown; new: unknown }[];
}
export interface RemovedQso {
  deletedAt: string;
  undone: boolean;
  writer: Writer | null;
  qso: Qso;
}
/** The reason why an undo skips a QSO. */
export interface LeftCause {
  reason: "CHANGED" | "CLIENT_ID_IN_USE";
  writer: Writer | null;
}
/**
 * The progress or the preview of an undo, as totals of all answers so far. An operator's answer
 * does not identify QSOs.
 */
export interface UndoAnswer {
  restored: number;
  deleted: number;
  left: number;
  leftItems?: {
    id: string;
    band: string;
    qsoAt: string;
    callsignWorked: string | null;
    writer: Writer | null;
  }[];
  leftCauses?: LeftCause[]; // only for operators
  done: number;
  total: number;
  through: string;
  number: string | null; // number of the undo's act; null: nothing was written yet
  state: string | null; // null: finished
}

/** The location of a station in a spot, from the station's callsign and locator. */
export interface SpotStation {
  entity: string | null;
  flag: string | null;
  lat: number | null;
  lng: number | null;
}
export interface Spot {
  id: string;
  spotter: string;
  spotted: string | null;
  frequency: number | null; // kHz
  when: string;
  band: string;
  mode: string | null;
  channel: number | null;
  ctcssTone: string | null;
  dcsCode: string | null;
  spotterLocator: string | null;
  spottedLocator: string | null;
  dxcc_spotter: SpotStation;
  dxcc_spotted: SpotStation;
  special: string | null; // the name of the special station, for awards
  message: string;
  source?: string; // the cluster that sent the spot; absent for a member's spot
}

// The service's answers to the operator's page.

export interface StationOperator {
  callsign: string;
  since: string;
  until: string | null;
}
export interface Station {
  number: string;
  callsign: string;
  locator: string;
  active: boolean;
  page: boolean;
  qsos: number;
  operators: StationOperator[]; // current operators
}
export interface Peer {
  number: string;
  name: string;
  club: string | null;
  address: string;
  pairedAt: string | null; // null: the other club has not answered yet
  askedAt: string | null;
  answeredAt: string | null;
  claims: number;
  confirmations: number;
  notTaken: number;
  notTakenStation: string | null;
  failure: string | null; // fault of the last visit, in English, to be shown after the club's name
}
/** A pairing code, which no other answer contains. */
export interface PeerCode {
  code: string;
  days: number;
}
export interface OperatorMember {
  number: string;
  callsign: string;
  locator: string;
  login: string;
  active: boolean;
  operator: boolean;
  qsos: number;
  activeKeys: number;
  browsers: number; // number of signed-in browsers
  createdAt: string;
  lastUsedOn: string | null;
  hasPassword: boolean;
  invitedUntil: string | null; // null: no open invitation
  invitationExpiredAt: string | null; // null: no unused invitation has expired
  station: boolean;
  weeks: string | null; // QSOs in each of the last weeks, the oldest week first; null: not asked for
}
/** A line of a member list: the member to add, or a fault. */
export interface MemberLine {
  line: number;
  written: string | null;
  callsign: string | null;
  locator: string | null;
  fault: string | null;
  reason: string | null;
  other: string | null;
  otherLine: number;
}
export interface AddedMembers {
  lines: MemberLine[];
  faults: number;
  added: number;
}
/** An invitation, which no other answer contains. */
export interface Invitation {
  link: string;
  expiresAt: string;
  qr: QrCode | null;
}
/** A finding of the command doctor; `fix` is the command to run. */
export interface Finding {
  check: string;
  level: "ok" | "warning" | "trouble";
  message: string;
  fix: string | null;
}
export interface OperatorRefusal extends LastRefusal {
  callsign: string;
  key: string;
}
export interface Health {
  facts: { label: string; value: string }[];
  doctor: { status: string; checks: Finding[] };
  refused: { code: string; count: number }[];
  refusals: OperatorRefusal[];
  storageMax: number;
  storage: MemberStorage[];
}
// The stored data of a member, in bytes.
export interface MemberStorage {
  callsign: string;
  history: number;
  extraFields: number;
  polo: number;
  cards: number;
  knownRecords: number;
  bytes: number;
}
export interface Club {
  name: string | null;
  text: string | null;
  link: string | null;
  contact: string | null;
  legal: string | null;
  address: string | null;
}
export type Switches = Club & {
  uploads: boolean;
  numbers: string | null;
  accent: string | null;
  pictures: string | null;
  sandbox: string | null;
  alerts: string | null;
} & {
  [Field in `${keyof Club}Maximum`]: number;
};
export interface OperatorAct {
  at: string;
  operator: string | null; // null: the command qsosync-admin
  act: string;
  subject: string | null;
  details: string | null;
}
export interface OperatorActsPage {
  items: OperatorAct[];
  next: string | null;
}
export interface OperatorAnswers {
  me: { callsign: string; number: string; provedUntil: string };
  health: Health;
  switches: Switches;
  stations: { items: Station[] };
  peers: { items: Peer[] };
  log: OperatorActsPage;
  [log: `log?${string}`]: OperatorActsPage;
  [members: `members?${string}`]: {
    items: OperatorMember[];
    more: boolean;
    // Only the list by last use has these counts: active members, without stations, and members
    // who used the service in the last 30 days.
    members: number;
    active: number;
  };
  [devices: `members/${string}/devices`]: { items: Device[] };
  [acts: `members/${string}/history?${string}`]: ActsPage;
}
export interface OperatorActs {
  members: AddedMembers;
  invitations: { items: { callsign: string; link: string }[]; csv: string };
  club: null;
  uploads: null;
  stations: null;
  peers: PeerCode;
  [grant: `stations/${string}/${"grant" | "revoke" | "page"}`]: null;
  [invite: `members/${string}/invite`]: Invitation;
  [undo: `members/${string}/${"undo" | "undo/preview"}`]: UndoAnswer;
  [act: `members/${string}/${"locator" | "rename" | "operator" | "delete" | "enable"}`]: null;
  [act: `members/${string}/${"disable" | "sign-out" | "export" | "remove-card"}`]: null;
}
