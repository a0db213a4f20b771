// Plays a sound or shows a notification for new spots that match the filters. Both alerts are off
// until somebody switches them on; the browser remembers the choice.
import { find, input, recall, remember } from "../../shared/page.js";
import { callsignOf, lineOf } from "./cluster-rows.js";
import { say } from "../../shared/language.js";

const TONES_HZ = [660, 880]; // both tones for a needed spot, the first tone for other spots
const TONE_S = 0.12;

/** @import { Spot } from "../types.js" */

/** @param {Spot[]} spots */
function notify(spots) {
  try {
    new Notification(
      spots.length === 1
        ? callsignOf(spots[0])
        : say("{n} new spot|{n} new spots", { n: spots.length }),
      {
        body: spots.slice(0, 3).map(lineOf).join("\n"),
        tag: "qsosync-spots", // the next notification replaces this one
        icon: new URL("icon.svg", import.meta.url).href,
      },
    );
  } catch {
    find("news").textContent = say("This browser doesn't support notifications.");
  }
}

export class Alerts {
  /** @type {AudioContext | null} */
  audio = null;
  sound = input("sound");
  wish = input("notify");

  constructor() {
    const { sound, wish } = this;
    sound.checked = recall("cluster-sound") === "1";
    sound.addEventListener("change", () => {
      remember("cluster-sound", sound.checked ? "1" : "");
      if (sound.checked) this.#play(TONES_HZ);
    });
    if (!("Notification" in window)) {
      wish.disabled = true;
      return;
    }
    wish.checked = recall("cluster-notify") === "1" && Notification.permission === "granted";
    wish.addEventListener("change", async () => {
      if (wish.checked && (await Notification.requestPermission()) !== "granted") {
        wish.checked = false;
        find("news").textContent = say("This browser blocks notifications from this page.");
      }
      remember("cluster-notify", wish.checked ? "1" : "");
    });
  }

  /** Returns whether an alert is on. If so, the page polls even while the page is hidden. */
  areOn() {
    return this.sound.checked || this.wish.checked;
  }
  /**
   * @param {Spot[]} fresh
   * @param {(spot: Spot) => boolean} isNew whether a spot is new to the member
   */
  tell(fresh, isNew) {
    if (!fresh.length) return;
    if (this.sound.checked) this.#play(fresh.some(isNew) ? TONES_HZ : TONES_HZ.slice(0, 1));
    if (this.wish.checked) notify(fresh);
  }
  /** @param {number[]} tones */
  async #play(tones) {
    const audio = (this.audio ??= new AudioContext());
    await audio.resume(); // browsers allow sound only after a click on the page
    tones.forEach((hz, index) => {
      const [tone, volume] = [audio.createOscillator(), audio.createGain()];
      const at = audio.currentTime + index * TONE_S;
      tone.frequency.value = hz;
      volume.gain.setValueAtTime(0.15, at);
      volume.gain.exponentialRampToValueAtTime(0.001, at + TONE_S);
      tone.connect(volume).connect(audio.destination);
      tone.start(at);
      tone.stop(at + TONE_S);
    });
  }
}
