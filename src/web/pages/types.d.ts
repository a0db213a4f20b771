// Exports the shared types, and types that modules of the pages import from other modules.

export type * from "../shared/types.js";
export type { SpotMap } from "./cluster/cluster-map.js";
export type { Page as SpotPage, State as FollowState } from "./cluster/follow.js";
export type { Choice as EncodingChoice } from "./log/adif-encodings.js";
export type { Line as AdifLine } from "./log/adif-report.js";
export type { Field as AdifField, Found as AdifFound } from "./log/adif-reader.js";
export type { Piece as AdifPiece, Slice as AdifSlice } from "./log/adif-slices.js";
export type { Column as SheetColumn, Table as SheetTable } from "./log/sheet-columns.js";
export type { Owner as SheetOwner } from "./log/sheet-plans.js";
export type { Question as SheetQuestion, Reader as SheetReader } from "./log/sheet-questions.js";
export type { Result as SheetResult } from "./log/sheet-records.js";
export type { Sheet as SheetOfRows } from "./log/sheet-rows.js";
export type { Facts as SheetFacts } from "./log/sheet-survey.js";
export type { Host as SheetHost } from "./log/sheet-view.js";
export type { DateRead as SheetDate, Day as SheetDay } from "./log/sheet-values.js";
export type { Run as RunAlertStep } from "./profile/alert-rule.js";
export type { Layout as CardLayout } from "./profile/card-art.js";
export type { Card, Design, Measure as MeasureText, Shape } from "./profile/card-drawing.js";
export type { Sheet } from "./profile/card-sheets.js";
