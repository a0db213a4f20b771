// Tests spots from other DX clusters on the spots page. The Perl test has added two spots.
import { becomes, look, ok, openChip, origin, qso, save, withBrowser } from "./browser.js";

await withBrowser(async (context) => {
  const page = await context.newPage();
  await save(...Array.from({ length: 3 }, () => qso({ sendSpot: true, mode: "AM" })));
  const count = (kind) => document.querySelectorAll(`#spots tbody tr${kind}`).length;
  const shows = (kind, number, rule) => becomes(page, `(${count})("${kind}") === ${number}`, rule);
  await page.goto(`${origin}/cluster/`);
  await shows(".network", 2, "spots from other clusters are listed between members' spots");
  await shows(":not(.network)", 3, "the list also has members' spots");
  const rows = await page.innerText("#spots");
  ok(/172ZZ02[^]*USB[^]*60AT101[^]*cb\.example\.org/.test(rows), "a spot from another cluster shows its source", rows);
  await openChip(page, "Mode", "USB");
  await shows("", 1, "spots from other clusters are filtered like members' spots");
  await page.click("#spots tr.network .call");
  const told = await page.innerText(".sheet");
  ok(/Comment\s+USB <b>59<\/b>\s+From the DX cluster\s+cb\.example\.org/.test(told), "the details of a spot show its comment and source", told);
  await page.keyboard.press("Escape");
  await page.click("#clear");
  await shows(".network", 2, "without a filter all spots from other clusters are shown");
  await look(page, "cluster-network");
  await page.click("#network-wish");
  await shows("", 3, "one tap hides spots from other clusters");
  await page.reload();
  await page.waitForSelector("#network-wish:not([hidden])");
  await shows("", 3, "the browser remembers that spots from other clusters are hidden");
});
