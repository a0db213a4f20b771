// Lists every type that a module of the app imports from another module.

export type * from "../shared/types.js";
export type { App } from "./app.js";
export type { Line } from "./log/early.js";
export type { Session } from "./log/session.js";
export type { Context as PaperContext, Unclear } from "./text/lines.js";
export type { BrowserStorage } from "./log/storage.js";
export type { Awards as AwardsView } from "./views/awards.js";
export type { Heard } from "./views/compass.js";
export type { Logbook } from "./views/logbook.js";
export type { Outing, Trip } from "./views/activation.js";
export type { OutingPage } from "./views/activation-page.js";
export type { Paper } from "./views/paper.js";
