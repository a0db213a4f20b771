// The front page: complete without this file, which keeps its spots up to date, and offers to
// install the app.
import { keepNewest } from "../cluster/cluster-rows.js";
import { offerInstall } from "./install.js";
import { find, findAs } from "./page.js";

offerInstall(find("install"));
keepNewest(findAs("spots", HTMLTableSectionElement), 8, "cluster/spots");
