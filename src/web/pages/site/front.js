// The front page works without this file, which updates its spots and offers to install the app.
import { keepNewest } from "../cluster/cluster-rows.js";
import { offerInstall } from "./install.js";
import { find, findAs } from "../../shared/page.js";

offerInstall(find("install"));
keepNewest(findAs("spots", HTMLTableSectionElement), 8, "cluster/spots");
