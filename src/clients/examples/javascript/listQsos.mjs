// Prints the first page of the log, its serverTime, and the cursor of the next page.
const { QSOSYNC_URL: url, QSOSYNC_KEY: key } = process.env;
const answer = await fetch(`${url}/logs?limit=500&includeDeleted=true`, {
  headers: { Authorization: `Bearer ${key}` },
});
if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
const { items, serverTime, nextCursor } = await answer.json();
for (const { clientId, qsoAt, callsignWorked } of items)
  console.log(clientId, qsoAt, callsignWorked);
console.log(serverTime, nextCursor);
