// Tests the API with a page from another origin. The page's script reads a log with a READ key, and can read every
// header that it needs. After too many requests, the script can read when to ask again.
import { is, ok, origin, withBrowser, withOtherOrigin } from "./browser.js";

const LIMIT = Number(process.env.QSOSYNC_LIMIT);

await withBrowser(async (context) => {
  await withOtherOrigin(context, "<body></body>", async (page) => {
    const seen = await page.evaluate(async ([target, key, limit]) => {
      const ask = async (headers = {}) => {
        const answer = await fetch(`${target}/api/v1/logs/ids`, { cache: "no-store", headers: { Authorization: `Bearer ${key}`, ...headers } });
        await answer.text();
        return { status: answer.status, ...Object.fromEntries(["ETag", "Retry-After", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "X-Request-Id"].map((name) => [name, answer.headers.get(name)])) };
      };
      const first = await ask();
      const same = await ask({ "If-None-Match": first.ETag });
      const log = await (await fetch(`${target}/api/v1/logs`, { headers: { "X-API-Key": key } })).json();
      let last = same;
      for (let count = 0; count < limit && last.status !== 429; count++) last = await ask();
      return { first, same, items: log.items.length, last };
    }, [origin, process.env.QSOSYNC_READ_KEY, LIMIT]);
    is(seen.first.status, 200, "a page from another origin reads its log through the API");
    ok(/^W\/".+"$/.test(seen.first.ETag), "the page sees the ETag", seen.first.ETag);
    ok(seen.first["RateLimit-Limit"] === String(LIMIT) && Number(seen.same["RateLimit-Remaining"]) === Number(seen.first["RateLimit-Remaining"]) - 1,
      "the page sees the number of remaining requests", JSON.stringify(seen));
    is(seen.same.status, 304, "the page gets 304 for an unchanged log");
    is(seen.items, 1, "the page reads the QSOs with the key in its own header");
    is(seen.last.status, 429, "the page is refused beyond the limit");
    ok(/^[1-9]\d*$/.test(seen.last["Retry-After"]) && seen.last["Retry-After"] === seen.last["RateLimit-Reset"], "the page sees how long to wait", JSON.stringify(seen.last));
    is(seen.last["RateLimit-Remaining"], "0", "the page sees that no requests remain");
  });
}, { allowed: [/status of 429/] });
