// Types phrases with characters that are special in an address into every filter of every page.
import { becomes, is, openByLink, openChip, origin, qso, save, withBrowser } from "./browser.js";
import { isInStep } from "./device.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
// A phrase has at most 10 characters, the shortest limit of a QSO's text fields.
const PHRASES = ["via box", "a+b", "50% off", 'say "hi"', "it's &c=1", "Füße #2"];
const FIELDS = ["callsignWorked", "operatorCallsign", "rstSent", "rstReceived", "notes", "radio", "antenna"];

// The log has one QSO per phrase and field. If the phrase is the callsign, the QSO also sends a spot.
const minutesAgo = (minutes) => new Date(Date.now() - minutes * 60000).toISOString();
const entries = PHRASES.flatMap((phrase, row) => FIELDS.map((field, column) => qso({ callsignWorked: `26AT${row}${column}`, operatorCallsign: null,
  qsoAt: minutesAgo(10 + row * 10 + column), [field]: phrase, sendSpot: field === "callsignWorked" })));

// Waits until the service has answered the page's request.
async function after(page, address, act) {
  const [answer] = await Promise.all([page.waitForResponse(address), act()]);
  return answer;
}

await withBrowser(async (context) => {
  await save(...entries);

  // Logbook's filter accepts each phrase.
  const page = await context.newPage();
  await page.goto(`${origin}/profile/#log`);
  await becomes(page, () => document.querySelectorAll("#qsos .rows li").length > 1, "Logbook is shown");
  const stations = async () => (await page.locator("#qsos .callsign").allInnerTexts()).sort();
  const isFiltered = (count) => document.querySelectorAll("#qsos .rows li").length === count && document.getElementById("shown").textContent.startsWith(`${count} of`);
  for (const phrase of PHRASES) {
    const found = entries.filter((entry) => Object.values(entry).includes(phrase)).map(({ callsignWorked }) => callsignWorked).sort();
    await page.fill("#search-text", phrase);
    await becomes(page, isFiltered, `Logbook finds ${phrase} in each of ${FIELDS.length} fields`, found.length);
    is(await stations(), found, `Logbook lists exactly the QSOs with ${phrase}`);
    for (const file of ["csv", "adif"]) {
      const text = await (await context.request.get(await page.locator(`#shown-${file}`).evaluate((link) => link.href))).text();
      const rows = file === "csv" ? text.trim().split("\n").length - 1 : text.match(/<eor>/gi)?.length;
      is(rows, found.length, `the ${file} file of ${phrase} has the same QSOs`);
    }
    await page.reload();
    await becomes(page, isFiltered, `the address keeps ${phrase}`, found.length);
    is(await page.inputValue("#search-text"), phrase, `the form shows ${phrase} after a reload`);
    await page.fill("#search-text", "");
    await openChip(page, "More");
    await page.fill("#search-callsign", phrase.slice(0, -1));
    await becomes(page, isFiltered, `"Callsign starts with" finds ${phrase}`, 1);
    is(await stations(), [phrase], `only that QSO is found`);
    await page.fill("#search-callsign", "");
    await becomes(page, () => document.querySelectorAll("#qsos .rows li").length > 8, "without a filter all QSOs are shown");
    for (const name of ["square", "from", "to"]) {
      if (name !== "to") await openChip(page, name === "square" ? "Locator" : "More");
      await page.fill(`#search-${name}`, phrase.slice(0, 6));
      await becomes(page, () => !document.getElementById("search-trouble").hidden, `${name} rejects ${phrase} as invalid`);
      await page.fill(`#search-${name}`, "");
    }
  }
  await page.fill("#search-text", PHRASES[0]);
  await becomes(page, isFiltered, "a phrase filters the list", FIELDS.length);
  await page.click("#shown-files");
  await page.getByRole("button", { name: "Cards", exact: true }).click();
  await becomes(page, (count) => document.querySelector("dialog")?.innerText.includes(`${count} cards or labels`), "the cards are for the shown QSOs", FIELDS.length);
  await page.keyboard.press("Escape");

  // An address may have been bookmarked when spaces were written as plus signs.
  await page.goto(`${origin}/profile/#log?text=via+box`);
  await page.reload();
  await becomes(page, isFiltered, "an address of an earlier version finds the same QSOs", FIELDS.length);

  // The filters of the spots page accept the phrases.
  const spots = await context.newPage();
  await spots.goto(`${origin}/cluster/`);
  await becomes(spots, (count) => document.querySelectorAll("tbody tr").length === count, "the spots page is shown", PHRASES.length);
  for (const phrase of PHRASES) {
    await openChip(spots, "Callsign");
    // A poll with the previous phrase can be answered first.
    const answer = await after(spots, (response) => response.url().includes("/cluster/spots?") && new URL(response.url()).searchParams.get("callsign") === phrase,
      () => spots.fill("#callsign", phrase));
    is(answer.status(), 200, `the service accepts ${phrase}`);
    await becomes(spots, (text) => { const rows = document.querySelectorAll("tbody tr"); return rows.length === 1 && rows[0].innerText.includes(text); }, `the spots page finds ${phrase}`, phrase);
    // A poll can find the phrase while the page still waits for the end of the typing.
    await spots.waitForFunction((text) => new URLSearchParams(location.search).get("callsign") === text, phrase);
    await spots.reload();
    await becomes(spots, (text) => document.getElementById("callsign").value === text && document.querySelectorAll("tbody tr").length === 1, `the address of the spots page keeps ${phrase}`, phrase);
  }
  await spots.locator("tbody tr button").first().click();
  const link = await spots.locator(".sheet a.main").evaluate(({ href }) => href);
  await openByLink(spots, process.env.QSOSYNC_WRITE_KEY);
  await becomes(spots, isInStep, "the app is up to date");
  await spots.goto(link);
  await becomes(spots, (text) => document.getElementById("callsignWorked").value === text, "a spot's callsign reaches the app unchanged", PHRASES.at(-1));

  // The app's filters accept the phrases.
  await spots.goto(`${origin}/app/#logbook`);
  for (const phrase of PHRASES) {
    await spots.fill("#search-text", phrase);
    await becomes(spots, (count) => document.querySelectorAll("#qsos .rows li").length === count && document.getElementById("shown").textContent === `${count} QSOs`,
      `the app finds ${phrase} in every field`, FIELDS.length);
  }

  // The operator's page accepts the phrases.
  const operator = await context.newPage();
  await operator.goto(`${origin}/operator/`);
  await becomes(operator, (count) => document.querySelectorAll("#members .rows li").length === count, "members and the station are listed", PHRASES.length + 2);
  for (const phrase of PHRASES) {
    await operator.fill("#search", phrase);
    await operator.keyboard.press("Enter");
    await becomes(operator, (text) => { const rows = document.querySelectorAll("#members .rows li"); return rows.length === 1 && rows[0].innerText.toUpperCase().startsWith(text); }, `the operator's page finds ${phrase}`, phrase.toUpperCase());
  }

  // A station's page accepts a callsign that contains a slash.
  await operator.goto(`${origin}/log/13HN0/DX`);
  for (const phrase of PHRASES) {
    await operator.fill("#call", phrase);
    await operator.keyboard.press("Enter");
    await becomes(operator, (text) => document.getElementById("answer").innerText.startsWith(`Yes, ${text} is`), `a station's page finds ${phrase}`, phrase.toUpperCase());
  }
}, { member });
