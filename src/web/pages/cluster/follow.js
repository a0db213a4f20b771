// Polls the service for a list of spots, and reports the state of the connection and the time of
// the last answer. While the page is hidden, polls only if somebody waits for news. An unchanged
// list costs almost nothing, because of its entity tag. Each request has a time limit, because a
// lost connection is not always reported.
const POLL_MS = 1200;
const POLL_WHERE_SHARED_MS = 5000; // if over half of the IP address's requests are used up
export const AGAIN_MS = 4000; // wait after a failed request
const END_MS = 8000; // time limit of a request
const OUT_OF_SIGHT_MS = 20000;
const LATE_MS = 4000; // delay of an answer after which the list counts as late

/** @import { Spot } from "../types.js" */
/**
 * @typedef {{spots: Spot[], next: string | null}} Page older spots have ids below `next`; null:
 *   there are no older spots
 * @typedef {"loading" | "live" | "late" | "busy" | "offline" | "lost"} State
 */

/**
 * Returns the result of `read` for the answer to a request. Throws an error if this takes longer
 * than END_MS.
 * @template T
 * @param {string} address
 * @param {RequestInit} options
 * @param {(response: Response) => Promise<T>} read
 * @param {AbortController} control aborts the request earlier
 */
export async function fetchInTime(address, options, read, control = new AbortController()) {
  const timer = setTimeout(() => control.abort(), END_MS);
  try {
    return await read(
      await fetch(address, { cache: "no-store", ...options, signal: control.signal }),
    );
  } finally {
    clearTimeout(timer);
  }
}
/**
 * @param {Response} response
 * @returns {Promise<Page>}
 */
export async function readPage(response) {
  if (!response.ok) throw new Error(String(response.status));
  return { spots: await response.json(), next: response.headers.get("X-Next-Before") };
}

/**
 * Follows a list at an address that can change. After a change of the address, call `restart`,
 * which sends a request immediately.
 */
export class Follower {
  /** @type {string | null} */
  tag = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  lateTimer;
  /** @type {AbortController | null} */
  control = null;
  /** @type {number | null} */
  answeredAt = null;
  /** @type {State} */
  state = "loading";

  /**
   * Calls `take` with each list that has changed, and `tell` with each state and the time of the
   * last answer; null: no answer so far.
   * @param {() => string} address
   * @param {(page: Page) => void} take
   * @param {(state: State, answeredAt: number | null) => void} tell
   * @param {() => boolean} isWaitedFor whether somebody wants news even while the page is out of
   *   sight
   */
  constructor(address, take, tell = () => {}, isWaitedFor = () => false) {
    this.address = address;
    this.take = take;
    this.tell = tell;
    this.isWaitedFor = isWaitedFor;
    document.addEventListener("visibilitychange", () => this.changeSight());
    addEventListener("online", () => this.askNow());
    addEventListener("offline", () => {
      this.become("offline");
      this.askNow();
    });
    this.askNow();
  }
  restart() {
    this.tag = null;
    this.become("loading");
    this.askNow();
  }
  /** @param {State} state */
  become(state) {
    this.state = state;
    this.tell(state, this.answeredAt);
  }
  /**
   * Reads an answer. Returns the time until the next request, in milliseconds.
   * @param {Response} response
   * @param {AbortSignal} signal
   */
  async read(response, signal) {
    if (response.status === 429 || response.status === 503) {
      this.become("busy");
      return Math.max(1, Number(response.headers.get("Retry-After")) || 10) * 1000;
    }
    const page = response.status === 304 ? null : await readPage(response);
    signal.throwIfAborted(); // if the request was replaced or stopped meanwhile
    this.answeredAt = Date.now();
    if (page) {
      this.tag = response.headers.get("ETag");
      this.take(page);
    }
    this.become("live");
    const left = Number(response.headers.get("RateLimit-Remaining") ?? Infinity);
    return left < Number(response.headers.get("RateLimit-Limit")) / 2
      ? POLL_WHERE_SHARED_MS
      : POLL_MS;
  }
  async ask() {
    const mine = new AbortController();
    this.control = mine;
    let wait = AGAIN_MS;
    try {
      wait = await fetchInTime(
        this.address(),
        { headers: this.tag ? { "If-None-Match": this.tag } : {} },
        (response) => this.read(response, mine.signal),
        mine,
      );
    } catch {
      if (this.control === mine) this.become(navigator.onLine ? "lost" : "offline");
    }
    if (this.control !== mine) return; // this request was replaced or stopped
    this.control = null;
    clearTimeout(this.lateTimer);
    if (!document.hidden) this.askIn(wait);
    else if (this.isWaitedFor()) this.askIn(Math.max(wait, OUT_OF_SIGHT_MS));
    if (this.state === "live")
      this.lateTimer = setTimeout(() => this.become("late"), wait + LATE_MS);
  }
  /** @param {number} ms */
  askIn(ms) {
    this.timer = setTimeout(() => this.ask(), ms);
  }
  askNow() {
    this.stop();
    if (!document.hidden || this.isWaitedFor()) this.ask();
  }
  stop() {
    clearTimeout(this.timer);
    const asked = this.control;
    this.control = null;
    asked?.abort();
  }
  changeSight() {
    clearTimeout(this.lateTimer);
    if (document.hidden) {
      this.stop();
      if (this.isWaitedFor()) this.askIn(OUT_OF_SIGHT_MS);
    } else {
      if (this.state === "live") this.become("late"); // until an answer arrives
      this.askNow();
    }
  }
}
