// Shows QR codes, which the service draws.
import { drawing } from "./page.js";

/** @import { QrCode } from "./types.js" */

/**
 * @param {QrCode} qr
 * @param {string} name
 */
export function qrOf(qr, name) {
  return drawing(
    "svg",
    {
      class: "qr",
      viewBox: `0 0 ${Number(qr.size)} ${Number(qr.size)}`,
      role: "img",
      "aria-label": name,
    },
    drawing("path", { d: qr.path }),
  );
}
