// The description of the API runs its requests, by a READ key alone.
import { becomes, is, isAccessible, ok, origin, qso, save, withBrowser } from "./browser.js";

await withBrowser(async (context) => {
  await save(qso({ callsignWorked: "<b>26AT900" }), qso(), qso());
  const page = await context.newPage();
  await page.goto(`${origin}/docs/`);
  const section = (name) => page.locator("section", { has: page.locator(`h3#${name}`) });
  const list = section("get-logs");
  await list.locator("text=Try it").click();
  is(await list.locator("input").first().inputValue(), "/logs?limit=2", "a request is offered that shows little");
  const send = async (key) => {
    await list.locator("input[type=password]").fill(key);
    await list.locator("text=Send").click();
  };
  const shows = (part, rule) => becomes(page, (text) => document.querySelector(".docs form pre").innerText.includes(text), rule, part);
  await send(process.env.QSOSYNC_WRITE_KEY);
  await shows("Use a READ key", "a key that can write is refused");
  await send(process.env.QSOSYNC_READ_KEY);
  await shows('"nextCursor": "', "the answer is shown");
  const told = await list.locator("pre").last().innerText();
  ok(/^GET \/api\/v1\/logs\?limit=2\n200 .*\n[^]*Content-Type: application\/json[^]*X-Log-Epoch: /.test(told), "the status and the headers are shown", told);
  await list.locator("input").first().fill("/logs?limit=9");
  await send(process.env.QSOSYNC_READ_KEY);
  await shows("<b>26AT900", "markup in an answer is text");
  is(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }).includes("qsosync_")), false, "the key is kept nowhere");
  await section("get-me").locator("text=Try it").click();
  is(await section("get-me").locator("input[type=password]").inputValue(), process.env.QSOSYNC_READ_KEY, "the next request has the key already");
  is(await section("post-logs-batch").locator("text=Try it").count(), 0, "what writes cannot be tried");
  await isAccessible(page, "a request that is tried is accessible");
});
