// Lists every type that modules of src/web/shared provide to other modules. Modules import types
// only from the types.d.ts of their part. This file is for type checks; browsers do not load it.

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
} from "./qsosync-types.js";
export type { Days } from "./figures.js";
export type { Fields, Values } from "./form/fields.js";
export type { Form, Page as FormPage } from "./form/form.js";
export type { Memory as LogMemory } from "./form/station-info.js";
export type {
  Book,
  BookPage,
  BookRow,
  CountedLog,
  DetailsSheet,
  LogbookPage,
} from "./logbook/book.js";
export type { LogActs } from "./logbook/log-edit.js";
export type { QsoRows } from "./logbook/log-rows.js";
export type { Known as KnownWorth, SpotWorth, Wish } from "./awards/cluster-needed.js";
export type { Place } from "./map/geography.js";
export type { Label } from "./map/labels.js";
export type { Dot as MapDot } from "./map/map-layers.js";
export type { Mark as DialMark } from "./parts/dial.js";
export type { DiscPoint, Shown as ShownOnDisc } from "./parts/disc.js";
export type { MapPoint, Way } from "./map/map.js";
export type { Point, View as MapView } from "./map/projection.js";
export type { TuningFields } from "./form/tuning-fields.js";
export type { Channel as CbChannel, Tone } from "./words/tuning.js";
export type { Drafts } from "./drafts.js";
export type { Attributes, Child } from "./page.js";
export type { OnAirSource } from "./parts/on-air.js";
export type { Scale } from "./parts/scale.js";
export type { TileGroup } from "./parts/wall.js";
export type { Query } from "./query.js";
