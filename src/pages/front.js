// The front page: complete without this file, which speaks the reader's language, and offers to
// install the app.
import { offerInstall } from "./install.js";
import { find } from "./page.js";

offerInstall(find("install"));
