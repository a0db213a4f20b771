// Drives Firefox and WebKitGTK for tests, with only a member's basic actions: open, type, click, look.
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import puppeteer from "puppeteer-core";
import { sleep } from "./browser.js";

export class Firefox {
  constructor(profile) {
    this.profile = profile;
    this.keepsStorage = true;
  }
  async start() {
    this.browser = await puppeteer.launch({ browser: "firefox", executablePath: process.env.QSOSYNC_FIREFOX || "/usr/bin/firefox-esr",
      headless: true, timeout: 120000, userDataDir: this.profile });
    this.page = await this.browser.newPage();
  }
  async open(url) {
    await this.page.goto(url, { waitUntil: "domcontentloaded" });
  }
  look(question, ...values) {
    return this.page.evaluate(question, ...values);
  }
  async type(text) {
    await this.page.keyboard.type(text);
  }
  async enter() {
    await this.page.keyboard.press("Enter");
  }
  // Signs in with a password, on the page that is open.
  signIn({ callsign, password }) {
    return this.look((name, secret) => {
      document.querySelector("[name=callsign]").value = name;
      document.querySelector("[name=password]").value = secret;
      document.querySelector("[name=password]").form.requestSubmit();
    }, callsign, password);
  }
  close() {
    return this.browser?.close();
  }
}

const MINI_BROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";
const ENTER = "\ue007";

// WebKitGTK's driver keeps no storage from one session to the next session.
export class WebKit {
  keepsStorage = false;
  async start() {
    const port = await new Promise((resolve) => {
      const server = createServer().listen(0, "127.0.0.1", () => {
        const { port: free } = server.address();
        server.close(() => resolve(free));
      });
    });
    this.address = `http://127.0.0.1:${port}`;
    this.screen = spawn("Xvfb", ["-displayfd", "3", "-nolisten", "tcp"], { stdio: ["ignore", "ignore", "ignore", "pipe"] });
    const display = await new Promise((resolve) => this.screen.stdio[3].once("data", (number) => resolve(String(number).trim())));
    this.driver = spawn("WebKitWebDriver", [`--port=${port}`], { detached: true, stdio: "ignore",
      env: { ...process.env, DISPLAY: `:${display}`, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1", LIBGL_ALWAYS_SOFTWARE: "1" } });
    for (let wait = 0; wait < 100; wait++) {
      if (await fetch(`${this.address}/status`).then(() => true, () => false)) break;
      await sleep(100);
    }
    const { sessionId } = await this.#ask("POST", "/session", { capabilities: { alwaysMatch: {
      "webkitgtk:browserOptions": { binary: process.env.QSOSYNC_WEBKIT || MINI_BROWSER, args: ["--automation"] } } } });
    this.session = `/session/${sessionId}`;
  }
  async #ask(method, path, body) {
    const answer = await fetch(this.address + path, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${value?.error} ${value?.message}`);
    return value;
  }
  async open(url) {
    await this.#ask("POST", `${this.session}/url`, { url });
  }
  async look(question, ...values) {
    const script = `const done = arguments[arguments.length - 1];
      Promise.resolve((${question})(...JSON.parse(arguments[0]))).then((value) => done(JSON.stringify([value ?? null])), (error) => done(String(error)));`;
    const text = await this.#ask("POST", `${this.session}/execute/async`, { script, args: [JSON.stringify(values)] });
    if (!text.startsWith("[")) throw new Error(text);
    return JSON.parse(text)[0];
  }
  async type(text) {
    const element = await this.#ask("GET", `${this.session}/element/active`);
    await this.#ask("POST", `${this.session}/element/${Object.values(element)[0]}/value`, { text });
  }
  enter() {
    return this.type(ENTER);
  }
  async close() {
    await this.#ask("DELETE", this.session).catch(() => {});
    try {
      process.kill(-this.driver.pid, "SIGTERM");
    } catch { /* the process has already ended */ }
    this.screen.kill();
  }
}
