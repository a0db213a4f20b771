// The form that signs in is complete without this file, which keeps the part of a page that
// somebody wanted: browsers carry it along, behind the sign #, and do not send it.
import { input } from "./page.js";

const next = input("next");
if (next.value && !next.value.includes("#")) next.value += location.hash;
