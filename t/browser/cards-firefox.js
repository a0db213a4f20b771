// Tests cards and labels in Firefox and in every language: long and hostile texts stay inside a card or label.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOSTILE, is, origin, qso, save, waitUntil } from "./browser.js";
import { Firefox } from "./other-browser.js";

const leaving = () => [...document.querySelectorAll(".qsl-preview svg svg text")].filter((text) => {
  const [own, box] = [text.getBoundingClientRect(), text.closest(".qsl-preview svg svg").getBoundingClientRect()];
  return own.left < box.left - 1 || own.right > box.right + 1;
}).map((text) => text.textContent);

const profile = mkdtempSync(join(tmpdir(), "qsosync-firefox-"));
const firefox = new Firefox(profile);
try {
  await save(qso({ callsignWorked: "W".repeat(20), notes: HOSTILE }), qso({ callsignWorked: "\u202e<b>\u0301\u0301\u0301\u0301", notes: "x".repeat(500) }));
  await firefox.start();
  await firefox.open(`${origin}/sign-in`);
  await firefox.signIn({ callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD });
  await waitUntil(() => firefox.look(() => location.pathname.endsWith("/profile/") && document.querySelector("#qsos .rows li") !== null));
  for (const language of ["en", "de", "es", "fr", "it", "nl", "pl", "pt"]) {
    await firefox.look((code) => localStorage.setItem("qsosync-language", code), language);
    await firefox.page.reload();
    await waitUntil(() => firefox.look(() => document.querySelector("#shown-print + button") !== null && document.querySelector("#qsos .rows li") !== null));
    await firefox.look(() => document.querySelector("#shown-print + button").click());
    await waitUntil(() => firefox.look(() => document.querySelector(".qsl-preview svg svg text") !== null));
    for (const form of ["a4-landscape", "labels-24", "labels-21"]) {
      await firefox.look((wanted) => {
        document.querySelector("#card-form").value = wanted;
        document.querySelector("#card-form").dispatchEvent(new Event("input", { bubbles: true }));
      }, form);
      is(await firefox.look(leaving), [], `texts stay inside ${form} in Firefox, ${language}`);
      is(await firefox.look(() => [...document.querySelectorAll("dialog button, dialog label")].filter((one) => one.scrollWidth > one.clientWidth + 1).length), 0, `the dialog's own texts fit, ${language}`);
    }
  }
} finally {
  await firefox.close();
  rmSync(profile, { recursive: true, force: true });
}
