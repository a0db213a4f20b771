// Plays evenings of a station (evening.js). Each of three operators has a device, a line, and a personal log in
// addition to the station's log. An operator can lose the grant meanwhile. At the end of each evening, the station's
// log must have every QSO once, with the operator who logged it. The personal logs must not contain these QSOs.
import { is, logIt, origin, waitFor } from "./browser.js";
import { Device, admin, isInStep } from "./device.js";
import { Evening, count, play } from "./evening.js";
import { Line } from "./line.js";

const OPERATORS = 3;

class OperatorsDevice extends Device {
  // Adds the member, and signs in with an invitation.
  async invite(callsign) {
    this.callsign = callsign;
    admin("member", "add", callsign, "--locator", "JO59jw");
    const [, token] = /#(\w+)\s*$/.exec(admin("member", "invite", callsign, "--address", origin));
    const answer = await fetch(`${origin}/welcome/`, { method: "POST", body: JSON.stringify({ token }),
      headers: { "Content-Type": "application/json", Origin: origin } });
    [this.cookie] = answer.headers.get("Set-Cookie").split(";");
  }
  ask(path, body) {
    return fetch(`${origin}/profile/data/${path}`, { method: body ? "POST" : "GET", body: body && JSON.stringify(body),
      headers: { Cookie: this.cookie, Origin: origin, "Content-Type": "application/json" } });
  }
  // Opens the personal log with a QSO, then the station's log, both with the operator's session.
  async start(station) {
    await this.begin();
    const [name, value] = this.cookie.split("=");
    await this.context.addCookies([{ name, value, url: origin }]);
    this.page = await this.open("#setup");
    await this.makeKey();
    await this.page.fill("#callsignWorked", "1AT1");
    await logIt(this.page);
    await waitFor(this.page, () => document.getElementById("said").textContent.includes("1AT1"));
    await waitFor(this.page, isInStep);
    await this.page.goto(`${this.line.address}/profile/?log=${encodeURIComponent(station)}#profile/log-as`);
    await this.page.click("#log-in-app a");
    await waitFor(this.page, (name) => document.getElementById("setup-station")?.value === name, station);
    await this.makeKey();
    await waitFor(this.page, (name) => document.getElementById("whose-log").textContent === name, station);
    await waitFor(this.page, () => navigator.serviceWorker.controller !== null);
  }
  async makeKey() {
    await this.page.fill("#device", this.keyName);
    await this.page.click("#setup-form button");
    await waitFor(this.page, () => window.app?.line && !document.getElementById("log").hidden);
  }
}

class StationEvening extends Evening {
  makeDevices(browser) {
    return Array.from({ length: OPERATORS }, (_, place) => new OperatorsDevice(browser, new Line(), this.describe(place)));
  }
  async addMembers() {
    admin("station", "add", this.callsign, "--locator", "JN03");
    for (const [place, device] of this.devices.entries()) {
      await device.invite(`${place + 1}AT${100 + this.number}`);
      this.grant(device);
    }
  }
  get log() {
    return `log=${encodeURIComponent(this.callsign)}`;
  }
  grant({ callsign }) {
    admin("station", "grant", this.callsign, callsign);
  }
  // Returns a new key. The app itself creates the first key.
  async newKey(device) {
    device.keyName = `${device.name}, key ${++this.keys}`;
    if (!device.page) return this.callsign;
    this.grant(device);
    return (await (await device.ask(`keys?${this.log}`, { name: device.keyName, scope: "WRITE" })).json()).key;
  }
  async disturb(device) {
    if (!this.chance(0.1)) return super.disturb(device);
    this.note("grant");
    return this.loseKey(device, () => admin("station", "revoke", this.callsign, device.callsign));
  }

  async judge(outcomes) {
    await super.judge(outcomes);
    const problems = [];
    const operators = new Map(this.devices.map(({ name, callsign }) => [name, callsign]));
    const typed = new Map([...this.written.values()].map(({ states, by, isDeleted }) =>
      [states[0]?.callsignWorked, { maker: operators.get([...by][0]), isDeleted }]));
    const adif = await (await this.devices[0].ask(`export.adi?${this.log}`)).text();
    for (const record of adif.split(/<EOR>/i).slice(0, -1)) {
      const [call, maker] = ["CALL", "OPERATOR"].map((name) => new RegExp(`<${name}:\\d+>([^<\\s]*)`).exec(record)?.[1]);
      const known = typed.get(call);
      count("attributed", Number(maker !== undefined));
      // A QSO that was deleted and saved again, or sent again after a restore, belongs to the
      // member who did so last.
      if (known?.maker && known.maker !== maker && !known.isDeleted && !this.isRestored)
        problems.push(`${call} belongs to ${maker} instead of ${known.maker}`);
    }
    for (const device of this.devices) {
      const { items } = await (await device.ask("qsos")).json();
      if (items.map(({ callsignWorked }) => callsignWorked).join() !== "1AT1") problems.push(`the personal log of ${device.name} has ${JSON.stringify(items)}`);
    }
    is(problems, [], `evening ${this.number} of ${this.callsign}: each QSO names its operator, and no QSO is in another log`);
  }
}

await play(Number(process.env.QSOSYNC_TEST_ROUNDS || 2), (browser, number) => new StationEvening(browser, number, `14/AT${number}`));
