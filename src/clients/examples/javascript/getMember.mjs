// Prints the member whose log the key opens.
const { QSOSYNC_URL: url, QSOSYNC_KEY: key } = process.env;
const answer = await fetch(`${url}/me`, {
  headers: { Authorization: `Bearer ${key}` },
});
if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
console.log((await answer.json()).callsign);
