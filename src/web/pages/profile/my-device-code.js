// Signs in another device: shows a link as a QR code, and reports when the device has used the
// link.
import { element, find, findAs } from "../../shared/page.js";
import { copyButton } from "../../shared/lists.js";
import { change, explain, get } from "../../shared/service.js";
import { qrOf } from "../../shared/qr.js";
import { say } from "../../shared/language.js";

/** @import { DeviceLink } from "../types.js" */

const LOOK_MS = 4000; // interval between checks whether a device has used the code

async function countBrowsers() {
  return (await get("devices")).items.filter((device) => device.number).length;
}
/** @param {number} seconds */
function clock(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
/** @param {string} sentence */
function endCode(sentence) {
  find("device-link").replaceChildren(element("p", { role: "status" }, sentence));
}
/**
 * @param {DeviceLink} made
 * @param {number} before number of signed-in browsers before the link was created
 */
function showCode(made, before) {
  const end = Date.now() + made.validSeconds * 1000;
  const left = element("strong", { role: "timer", class: "number" }, clock(made.validSeconds));
  const heading = element("h3", { tabindex: "-1" }, say("Scan this with the other device"));
  find("device-link").replaceChildren(
    element(
      "div",
      { class: "card secret" },
      heading,
      element(
        "p",
        {},
        say(
          "Or open this address on the other device. Anyone who has the address can sign in as you.",
        ),
      ),
      made.qr && qrOf(made.qr, say("QR code with the address")),
      element(
        "p",
        { class: "address" },
        element("code", { class: "shown-secret" }, made.link),
        " ",
        copyButton(made.link),
      ),
      element("p", {}, say("Time left:"), " ", left),
    ),
  );
  heading.focus();
  let looked = Date.now();
  const ticking = setInterval(async () => {
    if (!left.isConnected) return clearInterval(ticking);
    const seconds = Math.ceil((end - Date.now()) / 1000);
    if (seconds <= 0) return endCode(say("The code has expired. You can show a new code."));
    left.textContent = clock(seconds);
    if (document.hidden || Date.now() - looked < LOOK_MS) return;
    looked = Date.now();
    try {
      if ((await countBrowsers()) > before) endCode(say("The other device is signed in."));
    } catch {
      /* the next check can succeed */
    }
  }, 1000);
}
export async function showCodes() {
  const button = findAs("add-device", HTMLButtonElement);
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const before = await countBrowsers();
      showCode(await change("devices/link"), before);
    } catch (refusal) {
      endCode(explain(refusal));
    }
    button.disabled = false;
  });
}
