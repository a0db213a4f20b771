// Lists every type that one module in src/pages or src/app uses from another module. Modules import
// types only from this file, which is for type checks; browsers do not load it.

export type * from "./answers.js";
export type {
  Entry,
  Field,
  Log,
  Outcome,
  Qso as LogQso,
  Records,
  State as SyncState,
  Store,
} from "../qsosync-types.js";
export type { App } from "../../app/app.js";
export type { Line } from "../../app/log/early.js";
export type { BrowserStorage } from "../../app/log/storage.js";
export type { Awards as AwardsView } from "../../app/views/awards.js";
export type { Fields, Values } from "../../app/views/fields.js";
export type { Form, Page as FormPage } from "../../app/views/form.js";
export type { Memory as LogMemory } from "../../app/views/station-info.js";
export type { SpotMap } from "../cluster/cluster-map.js";
export type { Known as KnownWorth, SpotWorth, Wish } from "../cluster/cluster-needed.js";
export type { Page as SpotPage, State as FollowState } from "../cluster/follow.js";
export type { Choice as EncodingChoice } from "../log/adif-encodings.js";
export type { Field as AdifField, Found as AdifFound } from "../log/adif-reader.js";
export type { Slice as AdifSlice } from "../log/adif-slices.js";
export type { Place } from "../map/geography.js";
export type { Dot as MapDot } from "../map/map-layers.js";
export type { MapPoint, Way } from "../map/map.js";
export type { Point, View as MapView } from "../map/projection.js";
export type { Card, Design, Measure as MeasureText, Shape } from "../profile/card-drawing.js";
export type { Sheet } from "../profile/card-sheets.js";
export type { Drafts } from "./drafts.js";
export type { Attributes, Child } from "./page.js";
export type { Query } from "./query.js";
