// Counts the taps and keys of members' frequent tasks, on a phone whose keyboard is open during typing. The exact
// counts make every additional step visible. Seconds are printed, not checked.
import { becomes, is, origin, qso, save, waitFor, withBrowser } from "./browser.js";
import { isInStep } from "./device.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const WIDTH = 360;
const [HEIGHT, ABOVE_KEYBOARD] = [640, 390];
const SECONDS = { touches: 1.1, keys: 0.2, swipes: 0.6 }; // for a practised hand

class Hand {
  constructor(page) {
    this.page = page;
  }
  // Begins a task. Opening a page by its icon or link counts as a tap.
  async begin(path = null) {
    Object.assign(this, { touches: 0, keys: 0, swipes: 0, waited: 0 });
    if (path === null) return;
    this.touches++;
    await this.#wait(() => this.page.goto(origin + path));
  }
  async #wait(work) {
    const from = Date.now();
    await work();
    this.waited += Date.now() - from;
  }
  async #showKeyboard() {
    const isTyping = await this.page.evaluate(() => document.activeElement?.matches("input:not([type=checkbox], [type=file]), textarea"))
      .catch(() => false); // the page is being left
    await this.page.setViewportSize({ width: WIDTH, height: isTyping ? ABOVE_KEYBOARD : HEIGHT });
  }
  // Swipes until the element is in sight, two thirds of a screen per swipe.
  async #find(selector) {
    const found = this.page.locator(selector).first();
    await this.#wait(() => found.waitFor());
    this.swipes += await found.evaluate((node) => {
      const { top, bottom } = node.getBoundingClientRect();
      node.scrollIntoView({ block: "nearest" });
      return Math.ceil(Math.max(0, bottom - innerHeight, -top) / (innerHeight * 2 / 3));
    });
    return found;
  }
  async touch(selector) {
    const found = await this.#find(selector);
    this.touches++;
    await found.tap();
    await this.#showKeyboard();
  }
  async type(text) {
    this.keys += text.length;
    await this.page.keyboard.type(text);
  }
  async press(key) {
    this.keys++;
    await this.page.keyboard.press(key);
  }
  async choose(selector, file) {
    await this.#find(selector);
    this.touches += 2; // the second tap is in the system's list of files
    await this.page.setInputFiles(selector, file);
  }
  // Ends a task when the task's result is in sight. The third count, swipes, is checked only for tasks with few or no
  // swipes.
  async ends(rule, selector, hasText, counts) {
    const found = this.page.locator(selector, { hasText }).first();
    await this.#wait(() => found.waitFor()).catch(() => {});
    await this.#find(`${selector}:has-text("${hasText}")`);
    is([this.touches, this.keys, this.swipes].slice(0, counts.length), counts, `${rule}: taps and keys`);
    const seconds = Object.entries(SECONDS).reduce((sum, [name, each]) => sum + this[name] * each, this.waited / 1000);
    process.stdout.write(`# ${rule}: ${this.touches} taps, ${this.keys} keys, ${this.swipes} swipes, ${seconds.toFixed(1)} s (${this.waited} ms of them waited)\n`);
  }
}

await withBrowser(async (context) => {
  await save(qso({ callsignWorked: "13HN88", qsoAt: "2026-05-17T19:42:00Z" }),
    qso({ callsignWorked: "1AT7", qsoAt: new Date().toISOString(), sendSpot: true }));
  const page = await context.newPage();
  await page.addInitScript(() => {
    localStorage.setItem("qsosync-tuning", "closed");
    // Messages at the bottom stay until the next message, because a loaded machine is slower than any hand.
    const { setInterval } = window;
    window.setInterval = (look, ms) => (ms === 250 ? 0 : setInterval(look, ms));
  });
  await page.goto(`${origin}/app/`);
  await page.click("#keep");
  await becomes(page, isInStep, "the app has the log");
  await waitFor(page, () => navigator.serviceWorker.controller !== null);

  const hand = new Hand(page);
  await hand.begin("/app/");
  await hand.touch("#callsignWorked"); // a phone opens its keyboard only after a tap
  await hand.type("14AT777");
  await hand.press("Enter");
  await hand.press("Enter");
  await hand.ends("the first QSO of an evening", ".toasts .saved", "14AT777", [2, 9, 0]);

  await hand.begin();
  await hand.type("19DX101");
  await hand.press("Enter");
  await hand.press("Enter");
  await hand.ends("the second QSO of an evening", ".toasts .saved", "19DX101", [0, 9, 0]);

  await hand.begin();
  await hand.touch("#recent .fresh");
  await hand.touch(".sheet >> text=Edit");
  await hand.touch("#rstReceived");
  await hand.type("57");
  await hand.press("Enter");
  await hand.ends("correcting a report of the last QSO", ".toasts .saved:not(:has(button))", "19DX101", [3, 3]);

  await hand.begin();
  await hand.type("13HN88");
  await hand.ends("the last contact with a station", "#known", "Worked 1 time, last on 17 May 2026", [0, 6, 0]);

  await hand.begin();
  await hand.touch("#views a[href='#spots']");
  await hand.touch("#spots .q");
  await waitFor(page, () => document.activeElement.id === "callsignWorked"); // no hand is faster than the form
  await hand.press("Enter");
  await hand.press("Enter");
  await hand.ends("logging a spot", ".toasts .saved", "1AT7", [2, 2]);

  await hand.begin();
  await hand.touch(".toasts .saved >> text=Undo");
  await hand.ends("undoing the last QSO", ".toasts .note", "Undo", [1, 0, 0]);
}, { member, device: { viewport: { width: WIDTH, height: HEIGHT }, hasTouch: true, isMobile: true } });

// The tasks on the pages begin on the front page, with a signed-in member.
await withBrowser(async (context) => {
  const page = await context.newPage();
  const hand = new Hand(page);
  const begin = async () => {
    await page.goto(`${origin}/`);
    await page.setViewportSize({ width: WIDTH, height: HEIGHT });
    await hand.begin();
  };
  await begin();
  await hand.touch(".places >> text=Profile");
  await hand.touch(".settings >> text=Import a file");
  const record = "<call:7>19DX777 <qso_date:8>20250301 <time_on:4>1942 <band:3>11m <freq:6>27.555 <eor>\n";
  await hand.choose("#file", { name: "log.adi", mimeType: "text/plain", buffer: Buffer.from(record) });
  await hand.touch("#report >> text=Import 1 QSO");
  await hand.ends("importing a file of another program", "#report .added", "1 QSO added", [5, 0]);

  await begin();
  await hand.touch(".places >> text=Profile");
  await hand.touch(".settings >> text=\"Keys\"");
  await hand.touch("#keys .foot >> text=Create a key");
  await hand.touch("#keys .chip >> text=WSJT-X");
  await hand.ends("creating a key for a program", "#keys .shown-secret", "qsosync_", [4, 0]);
  await page.locator("#keys .secret >> text=Copy").first().tap();
  await page.locator("#keys .secret >> text=Done").tap();

  await begin();
  await hand.touch("header >> text=Awards");
  await hand.ends("listing the missing divisions", "#awards-wall li", "352", [1, 0]);

  await begin();
  await hand.touch("header >> text=Logbook");
  await hand.touch("#shown-files");
  await hand.touch(".log-tools >> text=Cards");
  await page.evaluate(() => { window.print = () => document.querySelector("dialog .main").append(" (printed)"); });
  await hand.touch("dialog .main:has-text('Print')");
  await hand.ends("printing cards", "dialog .main", "(printed)", [4, 0]);

  await page.goto(`${origin}/app/`);
  await page.click("#keep");
  await becomes(page, isInStep, "the app has the log");
  await begin();
  await hand.touch("#account summary");
  await hand.touch("#account form button");
  await hand.touch("dialog >> text=Remove it and sign out");
  await hand.ends("signing out without leaving data on the device", "#account", "Sign in", [3, 0, 0]);
}, { member, allowed: [/409 \(Conflict\).*\/profile\/data\/keys/], // the first suggested name is already used
  device: { viewport: { width: WIDTH, height: HEIGHT }, hasTouch: true, isMobile: true } });
