// Tests the profile through a front server: signing in, a key from creation to revocation, and the rejection of forged
// headers and of pages from other origins.
import { becomes, closeSecret, createKey, is, ok, origin, api, withBrowser, withOtherOrigin } from "./browser.js";

const member = { callsign: process.env.QSOSYNC_CALLSIGN, password: process.env.QSOSYNC_PASSWORD };
const forged = { "Remote-User": member.callsign, "X-Remote-User": member.callsign, "X-Forwarded-User": member.callsign, "Remote_User": member.callsign,
  "QSOSYNC-LOGIN": "1", "QSOSYNC_LOGIN": "1" };

// Nobody is signed in.
await withBrowser(async (context) => {
  const page = await context.newPage();
  is((await page.goto(`${origin}/cluster/`)).status(), 200, "the spots page needs no sign-in");
  await becomes(page, () => document.getElementById("live").classList.contains("on"), "the list of spots is shown");
  is(await page.evaluate(async (headers) => {
    const statuses = [];
    for (const path of ["../profile/data/me", "../profile/data/keys"]) statuses.push((await fetch(path, { credentials: "omit", headers })).status);
    statuses.push(new URL((await fetch("../profile/", { headers })).url).pathname);
    return statuses;
  }, forged), [401, 401, "/sign-in"], "forged headers do not sign in");
}, { allowed: [/status of 401/] });

// The error page for a missing page is in the reader's language.
await withBrowser(async (context) => {
  const page = await context.newPage();
  is((await page.goto(`${origin}/nothing-here`)).status(), 404, "an unknown address gets status 404");
  await becomes(page, () => document.documentElement.lang === "it" && document.querySelector("h1")?.textContent === "Questa pagina non esiste", "the front server's page for unknown addresses is in the reader's language");
}, { locale: "it-IT", allowed: [/status of 404 .*nothing-here/] });

await withBrowser(async (context) => {
  const page = await context.newPage();
  await page.goto(`${origin}/profile/`);
  await becomes(page, () => document.getElementById("member").innerText.includes("21SD333"), "a member is signed in");
  await page.setExtraHTTPHeaders(Object.fromEntries(Object.keys(forged).map((name) => [name, name.startsWith("QSOSYNC") ? "1" : "26at101"])));
  await page.reload();
  await becomes(page, () => document.getElementById("member").innerText.includes("21SD333"), "forged headers do not change the signed-in member");
  await page.setExtraHTTPHeaders({});
  await page.goto(`${origin}/profile/#profile/keys`);
  await becomes(page, () => document.querySelectorAll("#keys .items li").length === 2, "the keys are listed");

  const key = await createKey(page, "WSJT-X");
  is(await page.innerText("#keys .secret div:nth-of-type(2) code"), `${origin}/api/v1`, "the address for programs is shown");
  is((await api("GET", "/me", null, key)).status, 200, "a new key works at once");
  await closeSecret(page);
  await page.locator("#keys .items li", { hasText: "WSJT-X" }).getByRole("button").click();
  await page.locator("dialog .danger").click();
  await becomes(page, () => !document.querySelector("#keys .items").innerText.includes("WSJT-X"), "a revoked key leaves the list");
  is((await api("GET", "/me", null, key)).status, 401, "a revoked key fails at once");

  for (const [section, wanted] of [["log", "#qsos .rows li"], ["data", "#drop"], ["account", "#section-profile"], ["profile/delete", "#delete-what:not(:empty)"]]) {
    await page.goto(`${origin}/profile/#${section}`);
    await page.waitForSelector(`${wanted} >> visible=true`);
  }
  ok(true, "every section appears");

  await page.setViewportSize({ width: 390, height: 500 });
  await page.goto(`${origin}/profile/#profile`);
  await page.waitForSelector("#section-profile a.go >> visible=true");
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  ok(await page.evaluate(() => scrollY) > 100, "the list of settings is scrolled");
  await page.evaluate(() => { location.hash = "#profile/keys"; });
  await page.waitForSelector("#keys .items >> visible=true");
  is(await page.evaluate(() => scrollY), 0, "a section begins at its top, although the section before it was scrolled");
}, { member });

// A page from another origin is opened in a browser with a signed-in member.
await withBrowser(async (context) => {
  const own = await context.newPage();
  await own.goto(`${origin}/profile/#profile/keys`);
  await own.waitForSelector("#keys .items li");
  const all = () => own.evaluate(async () => {
    const of = async (path) => (await fetch(`data/${path}`)).text();
    return [await of("keys"), await of("tokens"), await of("qsos"), await of("me")].join("\n");
  });
  const before = await all();
  const changes = { keys: '{"name":"evil","scope":"WRITE"}', tokens: '{"name":"evil"}', password: "{}", "delete-log": '{"callsign":"21SD333"}',
    import: '{"adif":"<call:5>1AT10<qso_date:8>20260517<time_on:4>1942<band:3>11m<freq:6>27.555<mode:3>USB<eor>","state":null}', "keys/1/revoke": "{}" };
  const forms = Object.entries(changes).map(([path, body]) => `<form id="${path}" method="post" enctype="text/plain" action="${origin}/profile/data/${path}"><input name='${body.slice(0, -1)},"x":"' value='"}'></form>`).join("");
  await withOtherOrigin(context, `<body>${forms}</body>`, async (page, elsewhere) => {
    const tried = await page.evaluate(async ([target, bodies]) => {
      const ask = (path, options) => fetch(`${target}/profile/data/${path}`, { credentials: "include", ...options }).then((answer) => `${answer.type} ${answer.status}`, () => "refused");
      const result = { read: [], json: [], blind: [] };
      for (const path of ["me", "keys", "tokens", "statistics", "qsos", "map", "near-matches", "export.adi", "everything.json"]) result.read.push(await ask(path, {}));
      for (const [path, body] of Object.entries(bodies)) {
        result.json.push(await ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body }));
        result.blind.push(await ask(path, { method: "POST", mode: "no-cors", body }));
      }
      return Object.fromEntries(Object.entries(result).map(([name, rows]) => [name, [...new Set(rows)].join()]));
    }, [origin, changes]);
    is(tried, { read: "refused", json: "refused", blind: "opaque 0" }, "a page from another origin cannot read the profile");
    for (const path of Object.keys(changes)) {
      await page.goto(elsewhere);
      await Promise.all([page.waitForURL(`${origin}/**`).catch(() => {}), page.evaluate((id) => document.getElementById(id).submit(), path)]);
      ok((await page.content()).includes("PROFILE.CROSS_SITE") || (await page.content()).includes("VALIDATION.FAILED"), `a form from another origin is refused by ${path}`, await page.content());
    }
    is(await all(), before, "forms and scripts from another origin change nothing");
    await page.goto(elsewhere);
    await page.setContent(`<iframe src="${origin}/profile/"></iframe><script src="${origin}/profile/data/keys"></script>`, { waitUntil: "networkidle" });
    ok(!page.frames().some((frame) => frame.url().startsWith(origin)), "another page cannot show the profile in a frame", page.frames().map((frame) => frame.url()).join());
  });
}, { member, allowed: [/./] });
