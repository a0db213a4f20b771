// Updates the spots on the front page, and offers to install the app. The front page also works
// without this file.
import { keepNewest } from "../cluster/cluster-rows.js";
import { offerInstall } from "./install.js";
import { find, findAs } from "../../shared/page.js";

offerInstall(find("install"));
keepNewest(findAs("spots", HTMLTableSectionElement), 8, "cluster/spots");
