// The page of a station's log: a callsign that is typed in is asked for, and gets bands, modes and
// days.
import { element, find, input, typed } from "./page.js";
import { bandName } from "./qso-words.js";
import { say, sayCount } from "./language.js";
