// Prints the version of the API. This request needs no key.
const { QSOSYNC_URL: url } = process.env;
const answer = await fetch(`${url}/openapi.json`);
if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
console.log((await answer.json()).info.version);
