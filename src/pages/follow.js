// Asks the service for a list of spots again and again while somebody looks, and tells how fresh
// the answer is. A list that has not changed costs next to nothing: it has an entity tag. No
// request is waited for without end, because a network that is gone says nothing.
const POLL_MS = 1200;
const POLL_WHERE_SHARED_MS = 5000; // others use up the address's requests, too
const AGAIN_MS = 4000; // after a failure
const END_MS = 8000; // of a request
const OUT_OF_SIGHT_MS = 20000;
const LATE_MS = 4000; // beyond the time of the next request: the list is not live any more

/**
 * @typedef {import("./answers.js").Spot} Spot
 * @typedef {{spots: Spot[], next: string | null}} Page `next`: older ones may be before this id
 * busy: too many requests
 * @typedef {"loading" | "live" | "late" | "busy" | "offline" | "lost"} State
 */

/**
 * The answer to a question, or an error after a few seconds.
 * @template T
 * @param {string} address
 * @param {RequestInit} options
 * @param {(response: Response) => Promise<T>} read
 * @param {AbortController} control ends it earlier
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
 * Follows the list at `address()`, which may change: then `restart` asks at once. `take` gets each
 * list that has changed, `tell` each state, and when the last answer came (null: none yet).
 * @param {() => string} address
 * @param {(page: Page) => void} take
 * @param {(state: State, answeredAt: number | null) => void} tell
 * @param {() => boolean} isWaitedFor somebody wants news while the page is out of sight, too
 */
export function follow(address, take, tell = () => {}, isWaitedFor = () => false) {
  /** @type {string | null} */
  let tag = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let lateTimer;
  /** @type {AbortController | null} */
  let control = null;
  /** @type {number | null} */
  let answeredAt = null;
  /** @type {State} */
  let state = "loading";

  /** @param {State} now */
  function become(now) {
    state = now;
    tell(state, answeredAt);
  }
  /**
   * How long to wait until the next question.
   * @param {Response} response
   * @param {AbortSignal} signal
   */
  async function read(response, signal) {
    if (response.status === 429) {
      become("busy");
      return Math.max(1, Number(response.headers.get("Retry-After")) || 10) * 1000;
    }
    const page = response.status === 304 ? null : await readPage(response);
    signal.throwIfAborted(); // the address is another one by now
    answeredAt = Date.now();
    if (page) {
      tag = response.headers.get("ETag");
      take(page);
    }
    become("live");
    const left = Number(response.headers.get("RateLimit-Remaining") ?? Infinity);
    return left < Number(response.headers.get("RateLimit-Limit")) / 2
      ? POLL_WHERE_SHARED_MS
      : POLL_MS;
  }
  async function ask() {
    const mine = new AbortController();
    control = mine;
    let wait = AGAIN_MS;
    try {
      wait = await fetchInTime(
        address(),
        { headers: tag ? { "If-None-Match": tag } : {} },
        (response) => read(response, mine.signal),
        mine,
      );
    } catch {
      if (control === mine) become(navigator.onLine ? "lost" : "offline");
    }
    if (control !== mine) return; // another question has taken its place
    control = null;
    clearTimeout(lateTimer);
    if (!document.hidden) timer = setTimeout(ask, wait);
    else if (isWaitedFor()) timer = setTimeout(ask, Math.max(wait, OUT_OF_SIGHT_MS));
    if (state === "live") lateTimer = setTimeout(() => become("late"), wait + LATE_MS);
  }
  function stop() {
    clearTimeout(timer);
    const asked = control;
    control = null;
    asked?.abort();
  }
  function askNow() {
    stop();
    if (!document.hidden || isWaitedFor()) ask();
  }
  function restart() {
    tag = null;
    become("loading");
    askNow();
  }
  document.addEventListener("visibilitychange", () => {
    clearTimeout(lateTimer);
    if (document.hidden) {
      stop();
      if (isWaitedFor()) timer = setTimeout(ask, OUT_OF_SIGHT_MS);
    } else {
      if (state === "live") become("late"); // until somebody answers
      askNow();
    }
  });
  addEventListener("online", askNow);
  addEventListener("offline", () => {
    become("offline");
    askNow();
  });
  askNow();
  return { restart };
}
