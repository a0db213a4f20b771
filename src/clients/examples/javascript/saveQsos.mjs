// Saves a QSO, and prints the result. Create its clientId once, and keep it.
const { QSOSYNC_URL: url, QSOSYNC_KEY: key } = process.env;
const qso = {
  clientId: crypto.randomUUID(),
  band: "ELEVEN_METERS",
  qsoAt: "2026-05-17T19:42:00Z",
  frequencyMhz: "27.555",
  mode: "USB",
  callsignWorked: "26AT101",
};
const answer = await fetch(`${url}/logs/batch`, {
  method: "POST",
  headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
  body: JSON.stringify({ entries: [qso] }),
});
if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
for (const { clientId, id, error } of (await answer.json()).results)
  console.log(clientId, id ?? error);
