// Deletes the QSO whose clientId is the first argument.
const { QSOSYNC_URL: url, QSOSYNC_KEY: key } = process.env;
const answer = await fetch(`${url}/logs/${process.argv[2]}`, {
  method: "DELETE",
  headers: { Authorization: `Bearer ${key}` },
});
// After 404, the QSO was already deleted.
if (!answer.ok && answer.status !== 404) throw new Error(`${answer.status} ${await answer.text()}`);
