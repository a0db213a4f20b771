// Lists the programs for which a member creates a key or an upload token, each with the steps that
// connect the program. The names of programs are not translated.
import { element } from "../../shared/page.js";
import { copyButton } from "../../shared/lists.js";
import { say } from "../../shared/language.js";

/** @import { Child, MadeKey, MadeToken } from "../types.js" */
/** @typedef {MadeKey | MadeToken} Made */
/**
 * @typedef {object} Program
 * @property {string} name
 * @property {"READ" | "WRITE"} [scope] the scope of a key; absent: the member chooses
 * @property {boolean} [isForApp] the key is for the service's own app
 * @property {boolean} [isPolo] the token is for Ham2K PoLo
 * @property {(address: string) => string} [addressOf] turns the address for Cloudlog into the
 *   program's address
 * @property {(made: Made) => Child[]} help
 * @property {string} [docs] the page below /docs/ about this program
 */

/** @param {Made} made */
const bridgeHelp = ({ address }) => {
  const command = `python3 udp-bridge.py --url ${address} --key-file key.txt`;
  return [
    say(
      "On the same computer, run udp-bridge.py from the client kit. It forwards each QSO that the program broadcasts. Save the key in key.txt first:",
    ),
    element("span", { class: "address" }, element("code", {}, command), " ", copyButton(command)),
  ];
};
const uploadHelp = (service = "Cloudlog / Wavelog") => [
  say(
    "In the settings of the program, find {service}. Enter the address there, and the token as the API key.",
    { service },
  ),
];
/** @param {string} address */
const log11dx = (address) => address.replace(/cloudlog$/, "api/wsjtx/upload-qso.php");

/** @returns {Program[]} the last program is any other program */
export const keyPrograms = () => [
  ...["WSJT-X", "JTDX", "N1MM", "fldigi"].map(
    (name) => /** @type {Program} */ ({ name, scope: "WRITE", help: bridgeHelp, docs: "wsjtx" }),
  ),
  {
    name: say("The app"),
    scope: "WRITE",
    isForApp: true,
    help: () => [say("On another device, scan this with the camera:")],
  },
  {
    name: say("A web page"),
    scope: "READ",
    help: () => [
      say(
        "Put the address and the key into the page. Everybody who sees the page can read the key, and your log.",
      ),
    ],
  },
  {
    name: say("Another program"),
    help: () => [
      say("Some programs scan this setup code. In others, enter the address and the key:"),
    ],
    docs: "programs",
  },
];
/** @returns {Program[]} */
export const tokenPrograms = () => [
  ...["WSJT-CB", "QLog", "WaveLogGate", "FT8CN", "FreeDATA"].map((name) => ({
    name,
    help: () => uploadHelp(),
    docs: "cloudlog",
  })),
  { name: "LOG11DX", addressOf: log11dx, help: () => uploadHelp("LOG11DX"), docs: "log11dx" },
  {
    name: "Ham2K PoLo",
    isPolo: true,
    help: () => [
      say("For Ham2K PoLo (experimental): syncs, changes and deletes QSOs"),
      ". ",
      say(
        "In PoLo, type DEVMODE into the callsign field. Then enter this address as a custom server in the sync settings:",
      ),
    ],
    docs: "polo",
  },
  { name: say("Another program"), help: () => uploadHelp(), docs: "cloudlog" },
];
