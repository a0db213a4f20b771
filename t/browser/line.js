// Simulates the line between a browser and the service, for tests of the app. The line can be cut, can be slow, and can
// lose requests and answers. The app's worker is offline only if the server does not answer.
import { createServer, request as ask } from "node:http";
import { origin } from "./browser.js";

// Returns a generator of random numbers below 1 (mulberry32): the same seed gives the same numbers.
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const REFUSALS = { refused: [401, "AUTH.INVALID_KEY"], limited: [429, "RATE_LIMIT.EXCEEDED"], failed: [500, "INTERNAL.ERROR"] };

async function bodyOf(message) {
  const parts = [];
  for await (const part of message) parts.push(part);
  return Buffer.concat(parts);
}

export class Line {
  constructor() {
    // The fate of a request to the API. "pass": the request is forwarded. "early", "lost": the service never gets the
    // request, and the connection closes before or after the browser has sent everything. "cut", "half": the service
    // acts, and nothing or half of the answer arrives. "refused", "limited", "failed": the line itself answers 401, 429
    // or 500.
    this.fate = () => "pass";
    this.kbits = Infinity; // per second, both directions together
    this.bytes = 0; // bytes delivered to the browser
    this.requests = []; // requests of the browser: method, url, headers
    this.rewritten = new Map(); // path -> a function that changes the file's text
    this.free = 0;
    this.server = createServer((came, answer) => {
      this.pass(came, answer).catch(() => came.socket.destroy());
    });
  }
  async start() {
    await new Promise((resolve) => this.server.listen(this.port ?? 0, "127.0.0.1", resolve));
    this.port = this.server.address().port;
    this.address = `http://127.0.0.1:${this.port}`;
  }
  get isOnline() {
    return this.server.listening;
  }
  stop() {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }

  async carry(bytes) {
    const now = Date.now();
    this.free = Math.max(this.free, now) + (bytes * 8) / this.kbits;
    if (this.free > now) await new Promise((resolve) => setTimeout(resolve, this.free - now));
  }
  async pass(came, answer) {
    const { method, url, headers } = came;
    this.requests.push({ method, url, headers });
    const fate = url.includes("/api/v1/") ? await this.fate(came) : "pass";
    if (fate === "early") return came.socket.destroy();
    const body = await bodyOf(came);
    await this.carry(body.length + 500);
    if (fate === "lost") return came.socket.destroy();
    if (fate in REFUSALS) {
      const [status, code] = REFUSALS[fate];
      answer.writeHead(status, { "Content-Type": "application/json", ...(fate === "limited" && { "Retry-After": "1" }) });
      return answer.end(JSON.stringify({ error: { code, message: "by the line" } }));
    }
    const path = url.replace(/\?.*/, "");
    const change = this.rewritten.get(path);
    const { hostname, port } = new URL(origin);
    const sent = { ...headers, ...(change && { "accept-encoding": "identity", "if-none-match": "", "if-modified-since": "" }) };
    const reply = await new Promise((resolve, reject) => {
      ask({ hostname, port, method, path: url, headers: sent }, resolve).on("error", reject).end(body);
    });
    let text = await bodyOf(reply);
    const given = { ...reply.headers };
    if (change && reply.statusCode === 200) {
      text = Buffer.from(change(text.toString("utf8")));
      given["content-length"] = String(text.length);
      delete given["transfer-encoding"];
      delete given.etag;
    }
    await this.carry(text.length + 300);
    if (fate === "cut") return came.socket.destroy();
    this.bytes += text.length;
    answer.writeHead(reply.statusCode, given);
    if (fate !== "half") return answer.end(text);
    answer.write(text.subarray(0, text.length >> 1));
    setTimeout(() => came.socket.destroy(), 20);
    return undefined;
  }
}
