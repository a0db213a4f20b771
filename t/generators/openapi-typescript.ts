// Runs the client with openapi-typescript's types and openapi-fetch.
import createClient from "openapi-fetch";
import { headers, run, url, type Api } from "./client.js";
import type { components, paths } from "./made/openapi-typescript.js";

type Qso = components["schemas"]["Qso"];
type Entry = components["schemas"]["QsoEntry"];
const client = createClient<paths>({ baseUrl: url, headers });
const answerOf = <Body>({ data, response }: { data?: Body; response: Response }) => ({
  status: response.status,
  headers: response.headers,
  body: data as Body,
});

const api: Api<Qso, Entry> = {
  list: async (query) => answerOf(await client.GET("/logs", { params: { query } })),
  ids: async () => answerOf(await client.GET("/logs/ids")),
  save: async (entries) => answerOf(await client.POST("/logs/batch", { body: { entries } })),
  remove: async (clientId) =>
    answerOf(await client.DELETE("/logs/{clientId}", { params: { path: { clientId } } })),
  create: (clientId, qsoAt, callsignWorked) => ({
    clientId,
    band: "ELEVEN_METERS",
    qsoAt,
    callsignWorked,
    frequencyMhz: "27.555",
    mode: "USB",
  }),
  change: (qso, notes, baseSyncedAt) => {
    const entry = { ...(qso as Entry) };
    entry.notes = notes;
    entry.baseSyncedAt = baseSyncedAt;
    return entry;
  },
  again: (qso) => qso as Entry,
};
await run(api);
