// Describes the log that Logbook shows and changes: the service's log, or the log on this device.

import type {
  Child,
  Confirmer,
  Entry,
  Form,
  LogActs,
  LogMap,
  NewsKind,
  Qso,
  QsoRows,
  Query,
  Statistics,
} from "../types.js";

/** A QSO, with the facts that Logbook shows in addition to the QSO's fields. */
export interface BookRow {
  key: string; // identifies the QSO in this book
  qso: Qso;
  division: number | null;
  km: number | null;
  by?: Confirmer; // the member of another club who confirmed the QSO
  entry?: Entry; // on a device: the QSO's entry in the outbox
}
export interface BookPage {
  rows: BookRow[];
  next: string | null; // beginning of the next page; null: this is the last page
  back?: string; // in a part of a page: the time back to which the log has been searched
}
/** A log. Its functions reject with an error that `explain` turns into a sentence. */
export interface Book {
  size: number; // QSOs per page
  sizeMax: number; // QSOs on the largest page
  news?: Map<string, NewsKind>; // what a QSO added to the log, by the row's key; absent: unknown
  undoAddress: string; // of the page that also undoes older changes
  /**
   * Yields the QSOs that match a filter, in the filter's sort order. A page can arrive in parts;
   * each part replaces the previous part.
   */
  search(wish: Query, most: number, after: string | null): AsyncIterable<BookPage>;
  /** Returns the row of a QSO, if the book has the QSO in memory or on this device. */
  get(clientId: string): Promise<BookRow | null>;
  /** Deletes a QSO. Returns a function that undoes the deletion. */
  remove(row: BookRow): Promise<() => Promise<unknown>>;
  /** Returns the name of a division's country; null if unknown. */
  placeOf(division: number | null): string | null;
  explain(error: unknown): string;
}
/** The content of the sheet with the details of a QSO. */
export interface DetailsSheet {
  title: Child[];
  body: Child[];
  foot: Child[];
  keys: Record<string, () => void>;
}
/** The form of a stored QSO in the sheet. */
export interface FormInSheet {
  form: Form;
  body: Child[];
  takeBack?(): void; // moves the form back to its place
}
/** Returns statistics and the map of the QSOs that match a filter. */
export interface CountedLog {
  statistics(wish: Query): Promise<Statistics>;
  map(wish: Query): Promise<LogMap>;
}
/** A page that contains Logbook, and its additions. */
export interface LogbookPage {
  section: HTMLElement; // contains Logbook
  toasts: HTMLElement; // contains the bar of a selection
  /** Opens the form: for a new QSO if `qso` is null. */
  openForm(qso: Qso | null): Promise<void>;
  /**
   * Prepares the form for a stored QSO, to be shown in the sheet. `ended` is called when the QSO is
   * saved or the changes are discarded. If the result is null, openForm opens the form instead.
   */
  formOf(qso: Qso, ended: () => void): Promise<FormInSheet | null>;
  /** Returns further buttons for the details of a QSO. The first button is next to Edit. */
  buttonsOf(qso: Qso): Child[];
  /** Returns further buttons for selected QSOs. */
  buttonsOfSelection?(read: () => BookRow[], acts: LogActs): Node[];
  /** Returns what a row shows below the QSO. */
  belowOf?(row: BookRow): Child;
  /** Returns the sheet that replaces the usual details of a QSO; null: the usual details. */
  sheetOf?(rows: QsoRows, row: BookRow): DetailsSheet | null;
  /** Returns the history of a QSO. */
  historyOf?(qso: Qso): Promise<Child[]>;
}
