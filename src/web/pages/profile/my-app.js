// Shows the section for the app on this device.
import { find } from "../../shared/page.js";
import { offerInstall } from "../site/install.js";

export async function showApp() {
  offerInstall(find("install"));
}
