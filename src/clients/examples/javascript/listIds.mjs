// Prints the ids of all QSOs in the log.
const { QSOSYNC_URL: url, QSOSYNC_KEY: key } = process.env;
const answer = await fetch(`${url}/logs/ids`, {
  headers: { Authorization: `Bearer ${key}` },
});
if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
for (const { clientId, id } of (await answer.json()).items) console.log(clientId, id);
